from dataclasses import asdict
from datetime import date, datetime
from pathlib import Path

import pytest

from bot.league.season_log import CORRECTED, HandsVersion, LeagueFolder, with_remembered
from bot.sync.jobs import Outcome
from bot.tenhou.client import TenhouClient
from rating.league import League, Season
from storage.ports import LogSource
from storage.state import State, open_state
from tests.backend import Backend
from tests.fakes.tenhou import FakeTenhou
from tests.sync.single import sync
from tests.sync.test_sync import run
from tests.sync.worlds import ROOM

DAY = date(2020, 5, 17)
FIRST = f"{ROOM} | 20:00 | 三般南喰赤祝 | 東(+52.0,+3枚) 南(-2.0,0枚) 西(-50.0,-3枚)"
SECOND = f"{ROOM} | 21:00 | 三般南喰赤祝 | 東(+10.0,+1枚) 西(-2.0,0枚) 南(-8.0,-1枚)"
SCORE = FIRST.replace("+52.0", "+50.0").replace("-50.0", "-48.0")
NAME = FIRST.replace("南(", "南家(")
SAID = {
    "log": "logvol1.txt",
    "day": "2020-05-17",
    "room": ROOM,
    "start": "20:00",
    "hand": "東(+50.0,+3枚) 南(-2.0,0枚) 西(-48.0,-3枚)",
    "tenhou": "東(+52.0,+3枚) 南(-2.0,0枚) 西(-50.0,-3枚)",
}


def correct(logs: LogSource, old: str, new: str, name: str = "logvol1.txt") -> bytes:
    file = logs.read(name)
    data = file.data.replace(old.encode(), new.encode())
    assert data != file.data
    logs.write(name, data, file.rev)
    return data


@pytest.mark.parametrize("hand", [SCORE, NAME])
@pytest.mark.parametrize("lost", [False, True])
def test_hand_corrected_game_stays_and_is_reported(
    tenhou: FakeTenhou, logs: LogSource, backend: Backend, tmp_path: Path, hand: str, lost: bool
) -> None:
    tenhou.put(DAY, [FIRST, SECOND])
    states = [open_state(backend.database(tmp_path / name)) for name in ("a", "b")]
    assert run(tenhou, logs, states[0]).games == 2
    data = correct(logs, FIRST, hand)
    tenhou.clock.forward(hours=1)
    tenhou.judge._sizes.clear()  # the lost database makes the sync download a file again
    result = run(tenhou, logs, states[lost], since=None if lost else DAY)
    assert (result.games, logs.read("logvol1.txt").data) == (0, data)
    (version,) = result.corrected
    assert version.tenhou == SAID["tenhou"]
    assert result.as_dict()["corrected"] == [asdict(version)]
    assert result.lines().count(str(version)) == 1
    assert with_remembered(logs, {}) == {DAY: (FIRST.encode(),)}
    for state in states:
        state.close()


def test_the_words_and_the_fields(tenhou: FakeTenhou, logs: LogSource, state: State) -> None:
    tenhou.put(DAY, [FIRST, SECOND])
    logs.write("logvol1.txt", f"20200517\n{SCORE}\n".encode(), None)
    result = run(tenhou, logs, state)
    assert result.added == {"logvol1.txt": 1}
    assert result.as_dict()["corrected"] == [SAID]
    line = f"{ROOM} 20:00: {SAID['hand']} (Tenhou has {SAID['tenhou']})"
    assert result.lines()[-3] == f"logvol1.txt: kept the hand's version of 2020-05-17 {line}"
    rev = logs.read(CORRECTED).rev
    tenhou.clock.forward(hours=1)
    assert run(tenhou, logs, state).corrected == []  # nothing is offered again
    run(tenhou, logs, state, since=DAY)
    assert logs.read(CORRECTED).rev == rev


def test_corrected_game_in_another_seasons_log_stays(
    tenhou: FakeTenhou, logs: LogSource, state: State
) -> None:
    tenhou.put(DAY, [FIRST, SECOND])
    run(tenhou, logs, state)
    data = correct(logs, FIRST, SCORE)
    logs.write("logvol01.txt", b"", None)  # a log that is not read
    seasons = (
        Season(1, "logvol1.txt"),
        Season(
            2,
            "logvol2.txt",
            start=datetime(2020, 5, 1),
        ),
    )
    result = run(
        tenhou,
        logs,
        state,
        League(rooms=(ROOM,), seasons=seasons),
        since=DAY,
    )
    assert (result.problems, result.games) == ([], 0)
    assert [asdict(version) for version in result.corrected] == [SAID]
    assert logs.read("logvol1.txt").data == data
    assert "logvol2.txt" not in logs.revisions()


def test_corrected_game_of_a_hosts_league_is_reported_once(
    tenhou: FakeTenhou, logs: LogSource, state: State
) -> None:
    tenhou.put(DAY, [FIRST])
    logs.write("logvol1.txt", f"20200517\n{SCORE}\n".encode(), None)
    with TenhouClient(tenhou.url) as client:
        result = sync(
            [
                LeagueFolder(
                    logs,
                    League(rooms=(ROOM,)),
                    "east",
                )
            ],
            state,
            client,
            tenhou.clock,
        )
    assert [version.log for version in result.corrected] == ["east/logvol1.txt"]
    outcome = Outcome(corrected=[HandsVersion(**SAID)])
    assert Outcome.from_text(outcome.to_text()) == outcome
    assert Outcome(corrected=outcome.corrected).after(outcome).corrected == outcome.corrected
