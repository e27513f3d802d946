import random
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.sync.own_results import all_offered
from storage.ports import LogSource
from storage.schema import LEASES
from storage.state import State
from tests.fakes.tenhou import FakeTenhou
from tests.fakes.tenhou_room import FakeRoom, RoomPlay
from tests.sync import evenings
from tests.sync.evenings import DAY, HAND, NIGHT, ROOM, A, B, C, Sync, expected, game, held, minutes


@pytest.fixture
def room(tenhou: FakeTenhou) -> FakeRoom:
    tenhou.clock.time = evenings.utc(NIGHT)
    tenhou.put(DAY, [])
    return tenhou.open_room(evenings.ROOM_ID)


@pytest.fixture
def sync(tenhou: FakeTenhou, room: FakeRoom, logs: LogSource, state: State) -> Sync:
    logs.write("logvol1.txt", HAND.encode(), None)
    return Sync(tenhou, logs, state)


def without(played: RoomPlay, row: int, room: FakeRoom) -> None:
    """Have the room lose one row of a game: 0 its start, 1 its end, 2 its result."""
    lost = played.rows[row][1].encode()

    def without_row(body: bytes) -> bytes:
        return b"".join(line for line in body.splitlines(keepends=True) if lost not in line)

    room.twist = without_row


def test_a_game_is_there_minutes_after_its_result(sync: Sync, room: FakeRoom) -> None:
    played = game(room)
    assert sync.at(5).added == {}
    result = sync.at(33)
    assert result.added == {"logvol1.txt": 1}
    assert result.days == [DAY.isoformat()]
    assert result.problems == []
    line = f"{ROOM} | 20:01 | 三般南喰赤祝 | {C}(+30.5,+2枚) {B}(0.0,0枚) {A}(-30.5,-2枚)"
    assert sync.log.decode() == f"{HAND.rstrip()}\n#8/10\n{line}\n\n"
    assert line == played.line
    assert evenings.records(sync.logs) == room.fetched == [played.id]
    assert room.since[0] <= NIGHT - timedelta(days=1) + minutes(5)
    assert room.since[1] <= played.start


def test_an_evening_and_the_morning_after(sync: Sync, room: FakeRoom, tenhou: FakeTenhou) -> None:
    """Twelve games at three tables, a look every four minutes: each is in the log within four
    minutes.
    """
    played = evenings.evening(room, random.Random(4), 12)
    last = max(game.end for game in played)
    moment = NIGHT - minutes(20)
    while moment < last + minutes(20):
        sync.set_time(moment)
        assert sync(records=moment.minute % 5 == 0).problems == []
        log = sync.log
        over = [game for game in played if game.end + minutes(4) <= moment]
        assert all(game.line.encode() in log for game in over)
        moment += minutes(4)
    morning(sync, tenhou, room)
    hours = (last - NIGHT) / timedelta(hours=1)
    assert len(room.asked) <= 20 * hours + 3 * 3 + 3


def morning(sync: Sync, tenhou: FakeTenhou, room: FakeRoom) -> None:
    """The day's files come: every game is there once, in order, and every record that could be
    had.
    """
    evenings.files(tenhou, room.plays)
    sync.set_time(datetime(2026, 8, 11, 9, 0))
    for _ in range(3):
        sync()
        tenhou.clock.forward(minutes=21)
    assert held(sync.log) == expected(room.plays)
    assert sync.log.startswith(HAND.rstrip().encode())
    lines = sync.log.decode().splitlines()
    assert all(lines.count(played.line) == 1 for played in room.plays)
    starts = [line[8:13] for line in lines[4:] if line.startswith(ROOM)]
    starts = [start for start in starts if start > "12"]
    assert starts == sorted(starts)
    assert evenings.records(sync.logs) == sorted(played.id for played in room.plays)


@pytest.mark.any_backend("readings of answers; the evenings run on both")
def test_whatever_it_answers_the_morning_is_right(
    sync: Sync, room: FakeRoom, tenhou: FakeTenhou
) -> None:
    rng = random.Random(100)
    played = evenings.evening(room, rng, 15)
    room.twist = lambda body: evenings.twisted(rng.choice(evenings.TWISTS), rng, body)
    moment = NIGHT
    while moment < max(game.end for game in played) + minutes(30):
        sync.set_time(moment)
        if rng.random() < 0.1:
            room.status.append(rng.choice([500, 503, 404, 403, 302]))
        result = sync(records=rng.random() < 0.3)
        assert evenings.SECRET not in repr(result)
        moment += minutes(rng.choice([3, 7, 20]))
    room.twist = lambda body: body
    morning(sync, tenhou, room)
    assert evenings.SECRET not in evenings.everything(sync.state)


def test_a_result_without_a_start_counts_for_a_while(
    sync: Sync, room: FakeRoom, tenhou: FakeTenhou
) -> None:
    played = game(room, 200, 50)  # 23:20 to 00:10: its own time is of the next day
    without(played, 0, room)
    assert sync.at(255).added == {"logvol1.txt": 1}
    assert f"#8/11\n{ROOM} | 00:10 | ".encode() in sync.log
    assert room.fetched == []
    tenhou.put(DAY, [played.line])
    result = sync.later(480)
    assert (result.added, result.problems) == ({}, [])
    assert held(sync.log) == expected([played])
    assert f"#8/10\n{played.line}\n".encode() in sync.log


def test_a_start_that_comes_late_moves_the_game(sync: Sync, room: FakeRoom) -> None:
    played = game(room)
    without(played, 0, room)
    sync.at(40)
    assert f"{ROOM} | 20:31 |".encode() in sync.log
    room.twist = lambda body: body
    sync.at(61)
    assert held(sync.log) == expected([played])
    assert evenings.records(sync.logs) == [played.id]


def test_the_days_line_takes_the_place_of_ours(
    sync: Sync, room: FakeRoom, tenhou: FakeTenhou
) -> None:
    played = game(room)
    sync.at(40)
    theirs = played.line.replace("20:01", "20:03").replace("祝", "速")
    tenhou.put(DAY, [theirs])
    result = sync.later()
    assert (result.added, result.games) == ({}, 0)
    assert played.line.encode() not in sync.log
    assert sync.log.count(theirs.encode()) == 1
    log = sync.log
    sync.later()
    assert sync.log == log


def test_a_line_three_minutes_off_is_another_game(
    sync: Sync, room: FakeRoom, tenhou: FakeTenhou
) -> None:
    played = game(room)
    tenhou.put(DAY, [played.line, played.line.replace("20:01", "20:04")])
    sync.at(40)
    assert sum(held(sync.log).values()) == 2


def test_the_days_file_may_come_first(sync: Sync, room: FakeRoom, tenhou: FakeTenhou) -> None:
    played = game(room)
    tenhou.put(DAY, [played.line.replace("20:01", "20:02")])
    room.status.append(500)
    assert len(sync.at(40).problems) == 1
    log = sync.log
    assert sync.later().added == {}
    assert sync.log == log
    assert evenings.records(sync.logs) == [played.id]


@pytest.mark.parametrize("minute", ["20:01", "20:02"])
def test_correction_of_a_room_game_by_hand_stays(
    sync: Sync, room: FakeRoom, tenhou: FakeTenhou, minute: str
) -> None:
    played = game(room)
    other = game(room, 35, 20, 111)
    sync.at(60)
    corrected = sync.log.replace(b"(+30.5,+2", b"(+32.5,+2").replace(
        f"{other.line}\n".encode(), b""
    )
    sync.logs.overwrite("logvol1.txt", corrected)
    tenhou.put(DAY, [played.line.replace("20:01", minute), other.line])
    result = sync.later()
    assert sync.log == corrected  # the game that was taken out stays out
    assert [version.hand for version in result.corrected] == [
        f"{C}(+32.5,+2枚) {B}(0.0,0枚) {A}(-30.5,-2枚)"
    ]
    assert played.line.encode() in all_offered(sync.state)[DAY]
    tenhou.clock.forward(minutes=21)
    sync(
        since=DAY
    )  # going back on purpose brings back what was taken out, and not what was corrected
    assert sync.log.count(f"{ROOM} | 20:".encode()) == 3
    assert other.line.encode() in sync.log


def test_a_hand_may_have_entered_the_game(sync: Sync, room: FakeRoom, tenhou: FakeTenhou) -> None:
    played = game(room)
    byhand = sync.log + f"#8/10\n{played.line.replace('20:01', '20:02')}\n".encode()
    sync.logs.overwrite("logvol1.txt", byhand)
    assert sync.at(40).added == {}
    assert sync.log == byhand
    tenhou.put(DAY, [played.line])
    sync.later()
    assert sync.log == byhand


def test_equal_results_of_equal_players_are_two_games(
    sync: Sync, room: FakeRoom, tenhou: FakeTenhou
) -> None:
    games = [game(room, 1, 20), game(room, 25, 20)]
    assert sync.at(60).games == 2
    tenhou.put(DAY, [room_game.line for room_game in games])
    sync.later()
    assert held(sync.log) == expected(games)


def test_a_failed_request_does_not_move_the_moment(sync: Sync, room: FakeRoom) -> None:
    game(room)
    room.status += [500, 302]
    for minute in (10, 30, 50):
        problems = sync.at(minute).problems
        assert len(problems) == (1 if minute < 50 else 0)
        for problem in problems:
            assert len(problem) <= 300
            assert ROOM in problem
    assert len(set(room.since)) == 1
    assert "/elsewhere" not in "".join(sync.tenhou.judge.requests)


def test_unknown_rows_are_reported_once(sync: Sync, room: FakeRoom) -> None:
    room.twist = lambda body: f'{{"rows": ["{evenings.ROOM_ID}"]}}'.encode()
    (problem,) = sync().problems
    assert (
        problem == f"{ROOM}: its own results can't be read: the answer has no row of the known form"
    )
    room.twist = lambda body: body
    game(room)
    room.extra.append((NIGHT + minutes(2), 'lobby=11017&cmd=<CHAT text="hello"/>'))
    notes = []
    for minute in (40, 61, 82):
        notes += [note for note in sync.at(minute).notes if "unknown" in note]
    assert notes == [f"{ROOM}: rows of an unknown form passed over: 1"]


def test_an_idle_day_asks_every_twenty_minutes_and_not_at_night(sync: Sync, room: FakeRoom) -> None:
    moment = datetime(2026, 8, 10, 0, 0)
    while moment < datetime(2026, 8, 11, 0, 0):
        sync.set_time(moment)
        sync.watch().look({"": frozenset({ROOM})})
        moment += minutes(10)
    assert len(room.asked) == 3 + 17 * 3  # an hour before the night, seventeen after it
    assert max(request.hour for request in room.asked if request.hour < 7) == 0


def test_missing_record_is_requested_again_for_hours(sync: Sync, room: FakeRoom) -> None:
    played = game(room)
    room.records[played.id] += timedelta(hours=2)
    for minute in range(32, 270, 7):
        assert sync.at(minute).problems == []
    assert evenings.records(sync.logs) == [played.id]


def test_room_that_does_not_count_is_not_requested(sync: Sync, room: FakeRoom) -> None:
    sync.tenhou.room = room
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.sync.evenings.TOML", 'rooms = ["C9999"]\n')
        (problem,) = sync().problems
    assert problem == f"{ROOM} is not among the rooms of league.toml: its own results are not read"
    assert room.asked == []


def test_of_the_records_the_newest_stay(
    sync: Sync, room: FakeRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = [game(room, 40 * number, 30, number) for number in range(4)]
    monkeypatch.setattr("bot.league.paifu_log.drop_oldest.__defaults__", (2,))
    sync.at(200)
    assert sorted(Path(name).stem for name in sync.logs.below("records")) == [
        play.id for play in played[2:]
    ]
    assert sync.logs.read("recordlog.txt").data.count(b"\n") == 4


def test_games_of_a_later_member_count_later(
    sync: Sync, room: FakeRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was left out in the evening is added in the morning, as without a room of one's own."""
    members = f'rooms = ["{ROOM}"]\nmembers_only = true\n[player."{A}"]\n[player."{B}"]\n'
    monkeypatch.setattr("tests.sync.evenings.TOML", members)
    played = game(room)
    assert sync.at(40).added == {}
    monkeypatch.setattr("tests.sync.evenings.TOML", f'{members}[player."{C}"]\n')
    sync.tenhou.put(DAY, [played.line])
    assert sync.later().added == {"logvol1.txt": 1}


def test_a_game_moves_a_season_back(
    sync: Sync, room: FakeRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its start was not reported, and a season begins at midnight."""
    second = '[[season]]\nlog = "logvol2.txt"\nstart = 2026-08-11\n'
    monkeypatch.setattr("tests.sync.evenings.TOML", evenings.TOML + second)
    played = game(room, 200, 50)
    without(played, 0, room)
    assert sync.at(255).added == {"logvol2.txt": 1}
    sync.tenhou.put(DAY, [played.line])
    sync.later(480)
    assert held(sync.log) == expected([played])
    assert held(sync.logs.read("logvol2.txt").data) == held(b"")


def test_tenhou_out_of_reach_shows_no_secret(logs: LogSource, state: State) -> None:
    with FakeTenhou() as gone:
        gone.clock.time = evenings.utc(NIGHT)
    logs.write("logvol1.txt", HAND.encode(), None)
    result = Sync(gone, logs, state)()
    about = [
        problem.startswith(f"{ROOM}: its own results can't be read: ")
        for problem in result.problems
    ]
    assert about == [True, False]
    assert evenings.SECRET not in repr(result)


def test_overtaken_process_requests_no_room(
    sync: Sync, room: FakeRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process is paused after noting its request, and another takes the connection over."""
    rooms = sync.state.rooms
    database = sync.state.database
    remember = rooms.remember

    def overtaken(league: str, name: str, memory: str) -> None:
        remember(league, name, memory)
        row = {"name": "tenhou/connection", "holder": "another's", "until": database.clock() + 60}
        database.put(LEASES, row)

    monkeypatch.setattr(rooms, "remember", overtaken)
    news = sync.watch().look({"": frozenset({ROOM})})
    assert (news.busy, news.requests, room.asked) == (True, 0, [])
