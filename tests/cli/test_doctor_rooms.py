"""`flask doctor` and leagues' own rooms: its findings and requests; the secret
digits are nowhere.
"""

import json
from typing import Any

import pytest

from bot.runtime.encryption import new_key
from tests.cli.test_room import KEY, Terminal, terminal
from tests.fakes.tenhou import FakeTenhou
from tests.sync.evenings import ROOM, ROOM_ID, SECRET, game

__all__ = ["terminal"]


def found(terminal: Terminal, **env: str) -> dict[str, Any]:
    """The findings about rooms, by what was looked at."""
    result = terminal(PUBLIC_URL="https://janroku.example", **env)("doctor", "--json")
    assert SECRET not in result.output
    findings = {finding["what"]: finding for finding in json.loads(result.stdout)["findings"]}
    assert list(findings)[:2] == ["LINE_CHANNEL_ACCESS_TOKEN", "DATABASE_URL"]
    return {subject: finding for subject, finding in findings.items() if "oom" in subject.lower()}


def test_without_a_room(terminal: Terminal, tenhou: FakeTenhou) -> None:
    (finding,) = found(terminal).values()
    text = "no league has a room of its own; results come with the day's files"
    assert finding == {
        "what": "TENHOU_ROOM_ID",
        "code": None,
        "ok": True,
        "text": text,
        "stops_release": False,
    }
    assert not [path for path in tenhou.judge.requests if path.startswith("POST")]


def test_what_the_room_tells(terminal: Terminal, tenhou: FakeTenhou) -> None:
    room = tenhou.open_room(ROOM_ID)
    (finding,) = found(terminal, TENHOU_ROOM_ID=ROOM_ID).values()
    assert finding["ok"]
    assert finding["text"].startswith(
        f"{ROOM}: answered at 20:00; no game yet (where some were played"
    )
    game(room, 1, 29)
    game(room, 31, 29)
    tenhou.clock.forward(minutes=5)
    (finding,) = found(terminal, TENHOU_ROOM_ID=ROOM_ID).values()
    assert len(room.asked) == 1, "it is asked when it is due, not when somebody wants to know"
    assert finding["text"].endswith("asked again from 20:20")
    tenhou.clock.forward(minutes=40)
    (finding,) = found(terminal, TENHOU_ROOM_ID=ROOM_ID).values()
    assert finding["text"] == (
        f"{ROOM}: answered at 20:45; 1 game yesterday and today, the last row at 08-10 20:31; "
        "a game is being played; records are waited for; asked again from 20:48"
    )


REFUSED = "Tenhou answers 500 for /cs/edit/cmd_get_log.cgi; the day's files"
WRONG = "Tenhou answers 404 for /cs/edit/cmd_get_log.cgi (is it the whole id of the management page"
MOVED = "Tenhou sends the request on to another address: not followed; the day's files"
UNKNOWN = "the answer has no row of the known form (is it the whole id"


@pytest.mark.parametrize(
    ("status", "body", "text"),
    [
        (500, b"", REFUSED),
        (404, b"", WRONG),
        (302, b"", MOVED),
        (0, b"<html>" + ROOM_ID.encode(), UNKNOWN),
    ],
)
def test_a_silent_room(
    terminal: Terminal, tenhou: FakeTenhou, status: int, body: bytes, text: str
) -> None:
    room = tenhou.open_room(ROOM_ID)
    room.status += [status] if status else []
    room.twist = lambda whole: body
    (finding,) = found(terminal, TENHOU_ROOM_ID=ROOM_ID).values()
    assert not finding["ok"]
    assert finding["text"].startswith(f"{ROOM}: its own results can't be read: {text}")
    (finding,) = found(terminal, TENHOU_ROOM_ID=ROOM_ID).values()
    again = "it may be asked again at 20:20; the day's files bring the results meanwhile"
    assert finding["text"] == f"{ROOM}: no answer at 20:00; {again}"
    assert len(room.asked) == 1


def test_a_hosts_leagues_and_a_lost_key(terminal: Terminal, tenhou: FakeTenhou) -> None:
    tenhou.open_room(ROOM_ID)
    other = terminal.folder / "other"
    other.mkdir()
    (other / "league.toml").write_text(f'rooms = ["{ROOM}"]\n')
    run = terminal(JANROKU_SECRET_KEY=KEY)
    assert run("league", "room", "--league", "other", input=f"{ROOM_ID}\n").exit_code == 0
    (finding,) = found(terminal, JANROKU_SECRET_KEY=KEY).values()
    assert (finding["what"], finding["ok"]) == ("room of other", True)
    (finding,) = found(terminal, JANROKU_SECRET_KEY=new_key()).values()
    assert finding["text"] == f"{ROOM}: the room's id was encrypted with another JANROKU_SECRET_KEY"
    assert not finding["ok"]


def test_a_sync_that_reads_tenhou_is_remembered(terminal: Terminal, tenhou: FakeTenhou) -> None:
    def synced() -> bool:
        report = json.loads(
            terminal(PUBLIC_URL="https://janroku.example")("doctor", "--json").stdout
        )
        return next(
            bool(finding["ok"]) for finding in report["findings"] if finding["what"] == "sync"
        )

    tenhou.fail("/sc/raw/list.cgi", status=503)
    terminal()("sync")
    assert not synced(), "Tenhou did not answer"
    tenhou.clock.forward(minutes=21)
    assert terminal()("sync").exit_code == 0
    assert synced()
    tenhou.clock.forward(days=3)
    assert not synced()
