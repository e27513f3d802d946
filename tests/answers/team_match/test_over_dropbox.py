"""Team matches and admin edits written to Dropbox at the same time, with its own SDK over TLS: nothing is
lost."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.answers.world import ADMIN, LEAGUE, LOG, MEMBER, OTHER, World, opened, taps, words_of
from tests.backend import Backend
from tests.fakes.dropbox import FakeDropbox

BEFORE = "# 手書き\r\n2026-04-01 | みどり一色 白發中 東風(本人) まん|がん | x x -\r\n"
NAMES = "みどり 白發中 東風 まん|がん"
LINES = [
    f"2026-05-04 | みどり一色 白發中 東風(本人) まん|がん | {marks}" for marks in ("o o o", "x x x", "o - x")
]


@pytest.fixture
def dropbox() -> Iterator[FakeDropbox]:
    with FakeDropbox(latency=0.02) as fake, fake.patched():
        fake.account.put("/league/league.toml", LEAGUE.encode())
        fake.account.put("/league/logvol1.txt", LOG.encode())
        fake.account.put("/league/teamlog.txt", BEFORE.encode())
        yield fake


@pytest.fixture
def world(tmp_path: Path, backend: Backend, dropbox: FakeDropbox) -> Iterator[World]:
    env = {"LOGS_URL": "dropbox:/league", **dropbox.credentials()}
    with opened(tmp_path, backend, env) as made:
        yield made


def buttons(world: World) -> list[tuple[str, str]]:
    """The last buttons of three team matches and two edits: (data, the user who taps)."""
    found = [(taps(world.say(f"記録 {NAMES} {line[-5:]}"))["記録する"], MEMBER) for line in LINES]
    season = taps(world.say("新シーズン", ADMIN))["確定"]
    team = taps(world.say("チーム編成 東家 みどり 東風", ADMIN))["確定"]
    return [(found[0][0], MEMBER), (season, ADMIN), (found[1][0], OTHER), (team, ADMIN), (found[2][0], ADMIN)]


def check(dropbox: FakeDropbox) -> None:
    teamlog = dropbox.account.get("/league/teamlog.txt").decode()
    assert teamlog.startswith(BEFORE)
    assert sorted(teamlog.removeprefix(BEFORE).split("\r\n")) == sorted([*LINES, ""])
    league = dropbox.account.get("/league/league.toml").decode()
    assert 'log = "logvol2.txt"' in league
    assert '[team."東家"]\nmembers = ["みどり一色", "東風(本人)"]\n' in league
    assert "# わたしたちのリーグ" in league
    kept = [dropbox.account.get(path) for path in dropbox.account.paths() if "/history/" in path]
    assert BEFORE.encode() in kept
    assert LEAGUE.encode() in kept


def test_two_recordings_and_an_edit_at_the_same_moment(world: World, dropbox: FakeDropbox) -> None:
    pressed = buttons(world)
    with ThreadPoolExecutor(5) as pool:
        answers = list(pool.map(lambda tap: words_of(world.tap(*tap)), pressed))
    assert sum("記録しました" in answer for answer in answers) == 3
    assert sum("始めました" in answer or "決めました" in answer for answer in answers) == 2
    check(dropbox)


def test_dropbox_out_of_reach_is_said_and_the_tap_can_be_repeated(world: World, dropbox: FakeDropbox) -> None:
    (button, user), *_ = buttons(world)
    fault = dropbox.fail("files/upload", times=99, status=500)
    assert "読みに行けません" in words_of(world.tap(button, user))
    fault.times = 0
    dropbox.fail("files/upload", times=1, lost=True)
    assert "記録しました" in words_of(world.tap(button, user))
    assert dropbox.account.get("/league/teamlog.txt").decode() == f"{BEFORE}{LINES[0]}\r\n"
