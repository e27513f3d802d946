from collections import Counter
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from bot.league.files import read_version, versions
from bot.league.season_log import LeagueFolder
from bot.sync.jobs import LEAGUES
from bot.sync.run import SyncResult
from bot.tenhou.client import TenhouClient
from rating.league import League, Player, Season
from rating.league_file import parse_league
from rating.roomlog import parse
from rating.same_game import identity
from storage.ports import LogFile, LogSource, StorageError
from storage.state import State
from tests.backend import Backend
from tests.fakes.tenhou import FakeTenhou
from tests.sync.single import sync
from tests.sync.worlds import NAMES, ROOM, Around, Edited, held, month, ours, show

FIRST = date(2020, 4, 25)
LEAGUE = League(rooms=(ROOM,))
HAND = "\ufeffroomID | time | ルール | Player1\n\n#4/23\n# 大会の日\nC6529 | 20:00 | 三般南喰赤－ | 東(+1.0) 南(0.0) 西(-1.0)\n\n"


def run(
    tenhou: FakeTenhou, logs: LogSource, state: State, league: League = LEAGUE, **options: object
) -> SyncResult:
    with TenhouClient(tenhou.url) as client:
        return sync([LeagueFolder(logs, league)], state, client, tenhou.clock, **options)  # type: ignore[arg-type]


def at(tenhou: FakeTenhou, jst: datetime) -> None:
    utc = jst - timedelta(hours=9)
    tenhou.clock.time = utc.replace(tzinfo=tenhou.clock.time.tzinfo)


@pytest.mark.any_backend("a month's arithmetic; each of its syncs' steps runs on both")
def test_thirty_days_with_growing_files(tenhou: FakeTenhou, logs: LogSource, state: State) -> None:
    games = month(1, FIRST, others=40)
    logs.write("logvol1.txt", HAND.encode(), None)
    moment = datetime.combine(FIRST, datetime.min.time())
    end = moment + timedelta(days=31)
    while moment < end:
        moment += timedelta(hours=5, minutes=10)
        day = (moment.date() - FIRST).days
        # No sync for two days, then for eleven, which is longer than the index goes back.
        if day in (6, 7) or 12 <= day < 23:
            continue
        at(tenhou, moment)
        show(tenhou, games, moment)
        assert run(tenhou, logs, state).problems == []
    expected = ours(games)
    assert len(expected) > 80
    assert held(logs, "logvol1.txt") == expected + held_of(HAND)
    lines = iter(logs.read("logvol1.txt").data.splitlines())
    assert all(line in lines for line in HAND.encode().splitlines())
    assert "/sc/raw/list.cgi?old" in tenhou.judge.requests


def held_of(text: str) -> Counter[object]:
    lines = parse("", text.encode(), date(2020, 3, 1)).lines
    return Counter((line.day, identity(line)) for line in lines if line.game)


def test_a_round_twice_asks_and_writes_once(
    tenhou: FakeTenhou, logs: LogSource, state: State
) -> None:
    show(tenhou, month(2, date(2020, 5, 15), 3))
    first = run(tenhou, logs, state)
    again = run(tenhou, logs, state)
    assert first.games > 0
    assert (again.games, again.downloaded) == (0, 0)
    assert again.notes == [
        "Tenhou was asked less than 20 minutes ago; it is asked again from 00:20"
    ]
    tenhou.clock.forward(minutes=20)
    assert run(tenhou, logs, state).downloaded == 0
    assert len(tenhou.judge.requests) == 1 + 3 + 1
    show(tenhou, month(2, date(2020, 5, 15), 3))
    run(tenhou, logs, state)
    rev = logs.read("logvol1.txt").rev
    tenhou.clock.forward(minutes=20)
    run(tenhou, logs, state)
    assert logs.read("logvol1.txt").rev == rev
    assert versions(logs, "logvol1.txt") == []


def test_what_a_hand_corrects_or_takes_out_stays(
    tenhou: FakeTenhou, logs: LogSource, state: State
) -> None:
    first, out, second = (
        f"{ROOM} | {start}:00 | 三般南喰赤－ | 東(+1.0) 南(0.0) 西(-1.0)" for start in (20, 19, 21)
    )
    tenhou.put(date(2020, 5, 18), [out, first])
    run(tenhou, logs, state)
    file = logs.read("logvol1.txt")
    corrected = file.data.replace(f"{out}\n".encode(), b"").replace(
        "東".encode(),
        "東家".encode(),
    )
    logs.write("logvol1.txt", corrected, file.rev)
    tenhou.put(date(2020, 5, 18), [out, first, second])
    tenhou.clock.forward(hours=1)
    assert run(tenhou, logs, state).games == 1
    assert logs.read("logvol1.txt").data == corrected + f"{second}\n".encode()
    # Going back on purpose brings back what was taken out, but not Tenhou's version of what was
    # corrected.
    assert run(tenhou, logs, state, since=date(2020, 5, 18)).games == 1
    data = logs.read("logvol1.txt").data
    assert out.encode() in data
    assert first.encode() not in data


def test_a_hand_edit_before_the_write_survives(
    tenhou: FakeTenhou, logs: LogSource, state: State
) -> None:
    logs.write("logvol1.txt", HAND.encode(), None)
    games = month(5, date(2020, 5, 15), 3)
    show(tenhou, games)
    edited = Edited(logs)
    assert run(tenhou, edited, state).problems == []
    data = logs.read("logvol1.txt").data
    assert data.count(b"# hand 1\n") == data.count(b"# hand 0\n") == 1
    assert ours(games) - held(logs, "logvol1.txt") == ours([])
    assert len(versions(logs, "logvol1.txt")) == 3


def test_a_season_begins_by_date_and_time(
    tenhou: FakeTenhou, logs: LogSource, state: State
) -> None:
    border = datetime(2020, 5, 17, 21, 30)
    seasons = (Season(1, "logvol1.txt"), Season(2, "logvol2.txt", start=border))
    starts = enumerate(("21:29", "21:30", "23:00"), 1)
    lines = [f"{ROOM} | {t} | 三般南喰赤－ | 東(+{n}.0) 南(0.0) 西(-{n}.0)" for n, t in starts]
    tenhou.put(date(2020, 5, 17), lines)
    result = run(tenhou, logs, state, League(rooms=(ROOM,), seasons=seasons))
    assert result.added == {"logvol1.txt": 1, "logvol2.txt": 2}
    assert logs.read("logvol2.txt").data.startswith(f"20200517\n{ROOM} | 21:30".encode())


def test_a_game_of_another_season_is_not_added(
    tenhou: FakeTenhou, logs: LogSource, state: State
) -> None:
    games = month(6, date(2020, 5, 15), 3)
    show(tenhou, games)
    run(tenhou, logs, state)
    seasons = (
        Season(1, "logvol1.txt"),
        Season(
            2,
            "logvol2.txt",
            start=datetime(2020, 5, 16),
        ),
    )
    two = League(rooms=(ROOM,), seasons=seasons)
    assert (
        run(
            tenhou,
            logs,
            state,
            two,
            since=date(2020, 5, 1),
        ).games
        == 0
    )


def test_members_only_league_gets_its_members_games(
    tenhou: FakeTenhou, logs: LogSource, state: State
) -> None:
    games = month(7, date(2020, 5, 15), 3)
    show(tenhou, games)
    players = {name: Player(name) for name in NAMES if name != "NoName"}
    result = run(
        tenhou,
        logs,
        state,
        League(rooms=(ROOM,), members_only=True, players=players),
    )
    data = logs.read("logvol1.txt").data.decode()
    assert "NoName" not in data
    assert result.games == sum("NoName" not in str(key) for key in ours(games))
    assert any("not all are members" in note for note in result.notes)


def test_without_rooms_the_newest_log_names_them(
    tenhou: FakeTenhou, logs: LogSource, state: State
) -> None:
    logs.write("logvol1.txt", b"20200101\nC0001 | 20:00 | x | a(+1.0) b(0.0) c(-1.0)\n", None)
    logs.write("logvol2.txt", HAND.encode(), None)
    logs.write("logvol3.txt", "第3シーズン\n".encode(), None)
    show(tenhou, month(8, date(2020, 5, 15), 3))
    result = run(tenhou, logs, state, League())
    assert result.notes[0] == f"no rooms in league.toml: taken from logvol2.txt: {ROOM}"
    assert list(result.added) == ["logvol3.txt"]


def test_no_request_without_any_room(tenhou: FakeTenhou, logs: LogSource, state: State) -> None:
    result = run(tenhou, logs, state, League())
    assert "no room is known" in result.problems[0]
    assert tenhou.judge.requests == []


def test_a_room_named_later_is_read_from_the_start(
    tenhou: FakeTenhou, logs: LogSource, state: State
) -> None:
    show(tenhou, month(9, date(2020, 5, 17), 1))
    run(tenhou, logs, state, League(rooms=("C0001",)))
    tenhou.clock.forward(hours=1)
    assert run(tenhou, logs, state, League(rooms=("C0001", ROOM))).downloaded == 1
    tenhou.judge.rudeness.clear()  # the file is read again for the new room


@pytest.mark.parametrize(
    "fault",
    [{"status": 500}, {"body": b"<html>"}, {"cut": 30}],
)
def test_a_file_that_fails_is_fetched_in_the_next_round(
    tenhou: FakeTenhou, logs: LogSource, state: State, fault: dict[str, object]
) -> None:
    games = month(10, date(2020, 5, 13), 5)
    show(tenhou, games)
    tenhou.fail("sca20200515", **fault)
    result = run(tenhou, logs, state)
    assert (result.downloaded, len(result.problems)) == (4, 1)
    tenhou.judge._sizes.pop("sca20200515.log.gz", None)  # its download failed
    tenhou.clock.forward(days=9)
    tenhou.put(tenhou.today, ["C0001 | 00:01 | 三般南喰赤－ | 東(+1.0) 南(0.0) 西(-1.0)"])
    assert run(tenhou, logs, state).downloaded == 2
    assert held(logs, "logvol1.txt") == ours(games)


@pytest.mark.parametrize("fails", [False, True])
def test_a_file_that_is_late_is_read(
    tenhou: FakeTenhou, logs: LogSource, state: State, fails: bool
) -> None:
    """A day before those read, also where the first round could read nothing, and a day between
    them.
    """
    games = month(12, date(2020, 5, 13), 5)
    show(
        tenhou,
        [game for game in games if game.day.day in (14, 15, 17)],
    )
    if fails:
        tenhou.fail("/dat/", body=b"<html>", times=3)
    run(tenhou, logs, state)
    tenhou.judge._sizes.clear()
    show(tenhou, games)
    tenhou.clock.forward(hours=1)
    assert run(tenhou, logs, state).downloaded == (5 if fails else 2)
    assert held(logs, "logvol1.txt") == ours(games)


def test_a_tenhou_that_is_down_is_left_alone(
    tenhou: FakeTenhou, logs: LogSource, state: State
) -> None:
    show(tenhou, month(11, date(2020, 5, 11), 8, others=3))
    tenhou.fail("/dat/", status=503, times=99)
    result = run(tenhou, logs, state)
    assert len(result.problems) == 3
    assert len(tenhou.judge.requests) == 1 + 3


@pytest.mark.any_backend("what is asked for; the others keep it on both")
def test_a_day_that_grew_before_a_long_gap_is_read(
    tenhou: FakeTenhou, logs: LogSource, state: State
) -> None:
    """A game is in the file of the day of its start: it may come into the file of the day before the
    last one that was read.
    """
    games = [
        game
        for game in month(
            12,
            date(2020, 5, 13),
            12,
        )
        if game.day.day not in range(16, 24)
    ]
    room_games = (game for game in games if game.line.startswith(ROOM))
    late = next(game for game in room_games if game.day.day == 14)
    show(tenhou, [game for game in games if game.day.day < 16 and game is not late])
    at(tenhou, datetime(2020, 5, 15, 1))
    run(tenhou, logs, state)
    show(tenhou, games)
    tenhou.clock.forward(hours=24 * 9)
    run(tenhou, logs, state)
    assert held(logs, "logvol1.txt") == ours(games)


@pytest.mark.any_backend("what is asked for; the others keep it on both")
def test_since_goes_back_and_reports_where_it_ends(
    tenhou: FakeTenhou, logs: LogSource, state: State
) -> None:
    games = month(12, date(2020, 1, 1), 138, others=2)
    show(tenhou, games)
    reported: list[tuple[int, int, str]] = []
    since = date(2018, 4, 1)
    result = run(
        tenhou,
        logs,
        state,
        since=since,
        progress=lambda *state: reported.append(state),
    )  # type: ignore[arg-type]
    assert result.downloaded == len(tenhou.packed) == 138
    assert (138, 138, "") in reported
    assert reported[0] == reported[-1] == (1, 1, LEAGUES)
    assert [note for note in result.notes if "lists nothing before 2020-01-01" in note]
    assert held(logs, "logvol1.txt") == ours(games)


class Down(Around):
    """A folder whose files can't be read."""

    def read(self, name: str) -> LogFile:
        raise StorageError(f"{name}: down")


def test_one_leagues_trouble_is_not_the_others(
    tenhou: FakeTenhou, logs: LogSource, state: State, backend: Backend, tmp_path: Path
) -> None:
    games = month(13, date(2020, 5, 15), 3)
    show(tenhou, games)
    folders = [LeagueFolder(Down(logs), LEAGUE, "a"), LeagueFolder(logs, LEAGUE, "b")]
    with TenhouClient(tenhou.url) as client:
        result = sync(folders, state, client, tenhou.clock)
        assert result.problems[0] == "a: history/good.json: down"
        assert list(result.added) == ["b/logvol1.txt"]
        assert held(logs, "logvol1.txt") == ours(games)
        # The folder is back. The lines that wait for it are stored, so nothing is downloaded.
        other = backend.log_source(tmp_path / "a")
        assert (
            sync(
                [LeagueFolder(other, LEAGUE, "a")],
                state,
                client,
                tenhou.clock,
            ).downloaded
            == 0
        )
    assert held(other, "logvol1.txt") == ours(games)


PLAIN = HAND.removeprefix("\ufeff")
ADDED = "C6529 | 20:00 | 三般南喰赤－ | あ(+1.0) い(0.0) う(-1.0)"


@pytest.mark.parametrize(
    ("encoding", "name"),
    [("cp932", "Shift-JIS"), ("utf-16", "UTF-16")],
)
def test_first_write_saves_a_log_as_utf_8(
    tenhou: FakeTenhou, logs: LogSource, state: State, encoding: str, name: str
) -> None:
    at(
        tenhou,
        datetime.combine(FIRST, datetime.min.time()) + timedelta(hours=22),
    )
    old = PLAIN.encode(encoding)
    logs.write("logvol1.txt", old, None)
    tenhou.put(FIRST, [ADDED])
    result = run(tenhou, logs, state)
    assert (result.added, result.problems) == ({"logvol1.txt": 1}, [])
    assert [note for note in result.notes if name in note] == [
        f"logvol1.txt: read as {name}; the first write saves it as UTF-8"
    ]
    text = logs.read("logvol1.txt").data.decode("utf-8")
    assert text.startswith(PLAIN)
    assert ADDED in text
    (version,) = versions(logs, "logvol1.txt")
    assert read_version(logs, "logvol1.txt", version.name) == old
    assert not any(name in note for note in run(tenhou, logs, state).notes)


def test_games_of_a_log_that_is_no_text_wait(
    tenhou: FakeTenhou, logs: LogSource, state: State
) -> None:
    at(
        tenhou,
        datetime.combine(FIRST, datetime.min.time()) + timedelta(hours=22),
    )
    old = PLAIN.encode("cp932") + PLAIN.encode()
    rev = logs.write("logvol1.txt", old, None)
    tenhou.put(FIRST, [ADDED])
    league = parse_league('rooms = ["C6529"]')
    for _ in range(2):
        result = run(tenhou, logs, state, league)
        (problem,) = result.problems
        assert problem.startswith("logvol1.txt: it is neither UTF-8 nor Shift-JIS")
        assert (result.refused, result.added) == (True, {})
    assert logs.read("logvol1.txt").data == old
    assert versions(logs, "logvol1.txt") == []
    logs.write("logvol1.txt", PLAIN.encode(), rev)
    # The line that waited is written without asking Tenhou again.
    assert run(tenhou, logs, state, league).added == {"logvol1.txt": 1}


def test_unreadable_line_stays_and_is_reported(
    tenhou: FakeTenhou, logs: LogSource, state: State
) -> None:
    odd = f"{ROOM} | 20:00 | 三般南喰赤－ | 東 南(0.0) 西(-1.0)"
    broken = f"{ROOM} | 21:00 | 三般南喰赤－ | ".encode() + b"\x82\xa0(+1.0) b(0.0) c(-1.0)"
    tenhou.put(date(2020, 5, 17), [odd, broken])
    result = run(tenhou, logs, state, parse_league(f'rooms = ["{ROOM}"]'))
    assert f"1 line kept, though it can't be read: 2020-05-17 {odd}" in result.notes
    assert logs.read("logvol1.txt").data == b"20200517\n" + odd.encode() + b"\n" + broken + b"\n"
