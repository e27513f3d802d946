import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bot.runtime.encryption import new_key
from bot.service import Service
from bot.settings import read_settings
from bot.sync.jobs import Job, Outcome
from bot.sync.room_ids import RoomIds
from bot.sync.room_loop import AT_ONCE, LIFE, LOOK, USED, RoomLoop
from bot.sync.room_watch import RoomWatch
from bot.tenhou.throttle import Throttle
from rating.logdates import JST
from rating.room_id import RoomId
from storage.state import State, open_state
from tests.backend import Backend
from tests.fakes.tenhou import FakeTenhou, TenhouClock
from tests.sync.evenings import HAND, NIGHT, ROOM, A, B, C, expected, game, held, minutes
from tests.sync.nights import STEP, Inline, Nights, nights

clockwork = pytest.mark.any_backend(
    "the loop's times; what several processes and a game do runs on both"
)


@pytest.fixture
def night(tmp_path: Path, tenhou: FakeTenhou, backend: Backend) -> Iterator[Nights]:
    with nights(tmp_path, tenhou, backend) as made:
        yield made


def test_a_game_is_in_the_ratings_minutes_after_its_end(night: Nights) -> None:
    played = game(night.room)
    service = night.service()
    night.until(played.end + minutes(4))
    games = service.registry.known("").snapshot().all_games()
    assert [play.players for play in games] == [
        ("東風", "さくら", "みどり"),
        (C, B, A),
    ]
    assert played.line.encode() in night.log
    assert night.pictures, "the next tap's pictures are drawn"
    assert night.room.fetched == []  # it is not there yet, and was requested once
    night.until(played.end + minutes(12))
    assert night.room.fetched == [played.id]
    assert (night.folder / "records" / f"{played.id}.mjlog").exists()
    assert played.id in (night.folder / "recordlog.txt").read_text("utf-8")


def note_looks(service: Service, name: str, requests: list[str]) -> None:
    """Have a service append its name to `requests` whenever it looks at rooms."""
    look = service.room_watch.look

    def noted(rooms: Any) -> Any:
        requests.append(name)
        return look(rooms)

    service.room_watch.look = noted  # type: ignore[method-assign]


def test_another_process_takes_over_from_a_paused_one(
    night: Nights,
) -> None:
    first = night.service()
    second = night.service()
    requests: list[str] = []
    for name, service in (("first", first), ("second", second)):
        note_looks(service, name, requests)
    games = [game(night.room, 1, 100)]
    night.until(NIGHT + minutes(40))
    assert set(requests) == {"first"}
    night.services.remove(first)
    before = len(night.room.asked)
    night.until(NIGHT + minutes(46))
    assert set(requests) == {"first", "second"}
    pause = night.room.asked[before] - night.room.asked[before - 1]
    assert pause <= minutes(3) + LIFE + minutes(1)
    night.services.insert(0, first)  # it goes on, and knows nothing of the other
    requests.clear()
    night.until(games[0].end + minutes(4))
    assert set(requests) == {"second"}
    assert held(night.log) == expected(games)


def test_process_paused_in_its_round_sends_no_request(
    night: Nights, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It saw that the room is due, and another takes over and sends the request before it goes on."""
    turn = Throttle.turn
    requests: list[datetime] = []

    def stands_still(throttle: Throttle) -> Any:
        if not requests:
            requests.append(night.room.jst)
            night.services[:] = [second]
            while not night.room.asked:
                night.until(night.room.jst + STEP)
            requests[:] = night.room.asked
            night.services[:] = [first, second]
        return turn(throttle)

    monkeypatch.setattr(Throttle, "turn", stands_still)
    first = night.service()
    second = night.service()
    played = game(night.room)
    night.until(NIGHT + minutes(2))
    assert night.room.asked == requests
    night.until(played.end + minutes(15))
    assert held(night.log) == expected([played])


def test_an_orderly_end_leaves_the_work_to_others_at_once(night: Nights) -> None:
    first = night.service()
    second = night.service()
    game(night.room, 1, 60)
    night.until(NIGHT + minutes(25))
    first.room_loop.close()
    night.services.remove(first)
    night.until(NIGHT + minutes(29))
    assert night.room.asked[-1] > NIGHT + minutes(25)
    assert night.services == [second]
    night.services.append(first)


def loop_of(
    state: Any,
    clock: TenhouClock,
    rooms: dict[str, RoomId],
    requests: list[list[str]],
    **more: Any,
) -> RoomLoop:
    """A loop whose rooms answer nothing; `requests` gets the leagues of each look."""
    ids = RoomIds(state.rooms, new_key())
    for league, room in rooms.items():
        ids.put(league, room)

    @contextmanager
    def connect() -> Iterator[Any]:
        requests.append([])
        yield Silent(requests[-1])

    watch = RoomWatch(
        ids, state, "", clock, lambda seconds: clock.forward(seconds=seconds), connect
    )
    work = more.pop(
        "work",
        lambda job: Outcome(rooms=[rooms[job.league].room]),
    )
    loop = RoomLoop(ids, watch, state, work, clock, **more)
    loop.pool = Inline()
    return loop


def ticks(loop: RoomLoop, clock: TenhouClock, number: int, **step: float) -> None:
    for _ in range(number):
        loop.tick()
        clock.forward(**step)


class Silent:
    """Rooms in which nobody has played."""

    def __init__(self, requests: list[str]) -> None:
        self._asked = requests

    def room_log(self, room: RoomId, since: datetime) -> str:
        self._asked.append(room.text)
        return ""


def test_no_request_where_no_league_has_a_room(backend: Backend, tmp_path: Path) -> None:
    """The chore costs one query in five minutes."""
    calls = Counter[bool]()
    requests: list[list[str]] = []
    clock = TenhouClock()

    def noted(statement: str, write: bool) -> AbstractContextManager[None]:
        calls[write] += 1
        return nullcontext()

    with closing(open_state(backend.database(tmp_path), around=noted)) as state:
        ticks(
            loop_of(state, clock, {}, requests, leagues_in_use=lambda: ["a"]),
            clock,
            400,
            seconds=1.5,
        )
    assert calls == {False: 2}
    assert requests == []


@clockwork
def test_rooms_of_many_leagues_are_requested_a_few_at_a_time(state: State) -> None:
    clock = TenhouClock(datetime(2026, 8, 10, 3, 0, tzinfo=JST))
    requests: list[list[str]] = []
    rooms = {f"l{number}": RoomId(f"C{number:04d}{number:08d}") for number in range(40)}
    ticks(loop_of(state, clock, rooms, requests), clock, 400, seconds=1.5)
    assert max(map(len, requests)) == AT_ONCE
    counts = Counter(room for look in requests for room in look)
    assert counts == {room.text: 1 for room in rooms.values()}


@clockwork
def test_quiet_room_is_requested_when_a_member_uses_the_bot(state: State) -> None:
    clock = TenhouClock(datetime(2026, 8, 10, 10, 0, tzinfo=JST))
    requests: list[list[str]] = []
    used: list[str] = []
    rooms = {"quiet": RoomId("C1234" + "1" * 8)}
    loop = loop_of(state, clock, rooms, requests, leagues_in_use=lambda: used)
    loop.tick()
    assert len(requests) == 1
    clock.forward(days=13, minutes=20)
    ticks(loop, clock, 3 * 30, minutes=20)
    first = len(requests)
    assert 30 < first < 70
    ticks(loop, clock, 3 * 24, minutes=20)
    assert len(requests) == first  # nothing was played in two weeks, and nobody used the bot
    state.rooms.mark_used(["quiet", "elsewhere"], clock().timestamp())  # by another process
    clock.forward(seconds=LOOK.total_seconds())
    loop.tick()
    assert len(requests) == first + 1
    clock.forward(minutes=5)
    ticks(loop, clock, 12, minutes=5)
    assert len(requests) == first + 4
    used.append("quiet")
    calls = len(requests)
    loop.tick()
    assert len(requests) == calls  # not before the room's twenty minutes are over


@clockwork
def test_that_members_ask_is_noted_every_ten_minutes(
    state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = TenhouClock(datetime(2026, 8, 10, 10, 0, tzinfo=JST))
    noted: list[float] = []
    loop = loop_of(
        state,
        clock,
        {"a": RoomId("C1234" + "1" * 8)},
        [],
        leagues_in_use=lambda: ["a"],
    )
    loop.tick()
    monkeypatch.setattr(
        state.rooms, "mark_used", lambda leagues, now: noted.extend(now for _ in leagues)
    )
    ticks(loop, clock, 60, minutes=1)
    pauses = [round(later - at) for at, later in pairwise(noted)]
    assert pauses == [USED.total_seconds()] * 4


@clockwork
def test_a_tap_at_night_wakes_no_quiet_room(state: State) -> None:
    clock = TenhouClock(datetime(2026, 8, 10, 0, 50, tzinfo=JST))
    requests: list[list[str]] = []
    loop = loop_of(
        state,
        clock,
        {"a": RoomId("C1234" + "1" * 8)},
        requests,
        leagues_in_use=lambda: ["a"],
    )
    ticks(loop, clock, 60, minutes=5)
    assert len(requests) == 1


@clockwork
def test_trouble_and_its_end_are_logged_once(
    night: Nights, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    night.room.status += [500, 500, 302]
    night.service()
    night.until(NIGHT + minutes(90))
    messages = [
        record.getMessage() for record in caplog.records if record.name == "bot.sync.room_loop"
    ]
    assert messages == [
        f"{ROOM}: its own results can't be read: Tenhou answers 500 for /cs/edit/cmd_get_log.cgi",
        f"{ROOM}: its own results can't be read: Tenhou sends the request on to another address: not followed",
        "its room: works again",
    ]


def test_games_not_merged_rest_and_are_merged_later(
    night: Nights, caplog: pytest.LogCaptureFixture
) -> None:
    played = game(night.room)
    night.until(NIGHT + minutes(20))
    (night.folder / "logvol1.txt").write_bytes(b"\x00\x81\xff" * 100)
    service = night.service()
    jobs: list[Job] = []
    work = service.room_loop.runner.work

    def noted(job: Job) -> Any:
        jobs.append(job)
        return work(job)

    service.room_loop.runner.work = noted
    night.until(played.end + minutes(24))
    delivered = [job for job in jobs if job.stage == "deliver"]
    assert 1 <= len(delivered) <= 6
    (night.folder / "logvol1.txt").write_text(HAND, "utf-8")
    night.until(played.end + minutes(40))
    assert held(night.log) == expected([played])
    assert "logvol1.txt" in caplog.text


def test_the_demo_league_has_no_room(backend: Backend, tmp_path: Path) -> None:
    service = Service(read_settings({"DATABASE_URL": backend.database(tmp_path)}))
    assert not service.has_rooms
    assert "own_rooms" not in service.background._chores
    service.state.close()
