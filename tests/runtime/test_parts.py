"""The parts that keep a busy host alive: breakers, limits, shared caches, the record of taps, bounded threads."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.chat.access import Leagues
from bot.dispatch.pending import LATER, QUEUE, Tap, Taps, read_tap
from bot.league.repository import Library
from bot.line.webhook import read_event
from bot.runtime.cache import Made, Shared
from bot.runtime.circuit_breaker import Breaker, guarded
from bot.runtime.encryption import Vault
from bot.runtime.rate_limit import CHAT, USER, Buckets, Limits, Verdict
from bot.runtime.thread_pool import Threads
from bot.settings import read_settings
from storage.folder_logs import FolderLogs
from storage.ports import NotFound, StorageError
from storage.state import SqlState
from tests.backend import Backend

Json = dict[str, Any]


class Clock:
    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


def an_event(number: int = 0, at: float = 1_700_000_000.0) -> Json:
    source = {"type": "user", "userId": "U" + "1" * 32}
    return {"type": "postback", "webhookEventId": f"E{number}", "timestamp": int(at * 1000), "source": source}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def state(tmp_path: Path, backend: Backend, clock: Clock) -> Iterator[SqlState]:
    store = SqlState(backend.database(tmp_path), clock=clock)
    yield store
    store.close()


def no_state() -> SqlState:
    raise StorageError("gone")


class Broken:
    """A store that fails as often as it is told to."""

    def __init__(self, error: type[StorageError] = StorageError) -> None:
        self.error, self.left, self.asked = error, 0, 0

    def get(self, key: str) -> str:
        self.asked += 1
        if self.left:
            self.left -= 1
            raise self.error("no")
        return key


def test_an_open_circuit_spares_the_service_and_closes_again(clock: Clock) -> None:
    store = Broken()
    behind = guarded(store, Breaker("x", failures=3, pause=5, clock=clock), "get")
    store.left = 4
    for _ in range(10):
        with pytest.raises(StorageError):
            behind.get("k")
    assert store.asked == 3
    clock.now += 5
    with pytest.raises(StorageError):  # one try, which fails: open again
        behind.get("k")
    with pytest.raises(StorageError):
        behind.get("k")
    assert store.asked == 4
    clock.now += 5
    assert [behind.get("k") for _ in range(3)] == ["k"] * 3


def test_a_file_that_is_missing_says_nothing_against_the_service(clock: Clock) -> None:
    store = Broken(NotFound)
    behind = guarded(store, Breaker("x", failures=3, pause=5, clock=clock), "get")
    store.left = 20
    for _ in range(20):
        with pytest.raises(NotFound):
            behind.get("k")
    assert store.asked == 20


def test_a_flood_is_told_once_and_people_never_are(clock: Clock) -> None:
    buckets = Buckets(5, 1.0, clock)
    assert [buckets.take("u") for _ in range(8)] == [Verdict.ANSWER] * 5 + [Verdict.TELL] + [
        Verdict.IGNORE
    ] * 2
    clock.now += 1
    assert [buckets.take("u") for _ in range(2)] == [Verdict.ANSWER, Verdict.TELL]
    assert buckets.take("other") is Verdict.ANSWER


def test_limits_forget_and_stay_small(clock: Clock) -> None:
    buckets = Buckets(*USER, clock, kept=100)
    for number in range(10_000):
        buckets.take(f"u{number}")
    assert len(buckets._levels) == 100


def test_many_members_share_the_chats_limit(clock: Clock) -> None:
    limits = Limits(clock)
    verdicts = [limits.ask("C1", f"U{number}") for number in range(int(CHAT[0]) + 5)]
    assert verdicts.count(Verdict.ANSWER) == CHAT[0]
    assert verdicts.count(Verdict.TELL) == 1
    assert limits.ask("C2", "U1") is Verdict.ANSWER


def test_a_busy_league_displaces_itself() -> None:
    cache: Shared[int] = Shared(100)
    for number in range(5):
        cache.put("small", number, number)
    for number in range(1000):
        cache.put("busy", number, number)
    assert len(cache) == 100
    assert [cache.get("small", number) for number in range(5)] == list(range(5))
    assert cache.get("busy", 999) == 999
    cache.forget("busy")
    assert len(cache) == 5


def make_leagues(folder: Path, megabytes: int) -> tuple[Leagues, Callable[[str, int], None]]:
    settings = read_settings({"CACHE_MB": str(megabytes)})

    def write(league: str, size: int) -> None:
        (folder / league).mkdir(exist_ok=True)
        (folder / league / "logvol1.txt").write_bytes(b"x" * 99 + b"\n" + b"\n" * size)

    return Leagues(settings, no_state, lambda name: FolderLogs(folder / name), lambda c, u: False), write


def test_leagues_in_memory_stay_within_their_room(tmp_path: Path) -> None:
    leagues, write = make_leagues(tmp_path, 8)
    for number in range(40):
        write(f"l{number}", 40_000)
        leagues.library(f"l{number}").snapshot()
    assert sum(library.weight for library in leagues.known()) <= (8 << 20) + 700_000
    assert 5 <= len(leagues.known()) < 20


def test_a_giant_goes_first(tmp_path: Path) -> None:
    leagues, write = make_leagues(tmp_path, 8)
    write("small", 1000)
    small = leagues.library("small")
    small.snapshot()
    write("giant", 800_000)
    giant = leagues.library("giant")
    giant.snapshot()
    write("other", 1000)
    leagues.library("other").snapshot()
    assert leagues.library("small") is small
    assert leagues.library("giant") is not giant


class SlowLogs:
    """A source that answers when it is let."""

    def __init__(self, folder: Path) -> None:
        self.inner, self.go, self.asked = FolderLogs(folder), threading.Event(), threading.Event()
        self.go.set()

    def changes(self, cursor: str | None = None) -> Any:
        self.asked.set()
        assert self.go.wait(20)
        return self.inner.changes(cursor)

    def read(self, name: str) -> Any:
        return self.inner.read(name)


def test_a_source_that_hangs_holds_one_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.league.repository.LOOKING", 0.01)
    source = SlowLogs(tmp_path)
    library = Library(source)  # type: ignore[arg-type]
    known = library.snapshot()
    library.stale()
    source.go.clear()
    source.asked.clear()
    hanging = threading.Thread(target=library.snapshot)
    hanging.start()
    assert source.asked.wait(10)
    assert library.snapshot() is known
    source.go.set()
    hanging.join(10)


def test_threads_take_so_much_and_no_more() -> None:
    go, tasks = threading.Event(), Threads(workers=1, waiting=4)
    assert [tasks.submit(go.wait) for _ in range(6)] == [True] * 4 + [False] * 2
    assert tasks.room < 0
    go.set()
    tasks.close()
    assert tasks.room == 2


def taken(taps: Taps, number: int = 0, queued: bool = False) -> Tap | None:
    raw = an_event(number)
    event = read_event(raw)
    assert event is not None
    return taps.take(event, raw, "https://x", queued)


def test_an_event_is_taken_once_by_all_processes(state: SqlState, clock: Clock) -> None:
    one, two = Taps(lambda: state, clock), Taps(lambda: state, clock)
    assert taken(one) is not None
    assert taken(one) is None
    assert taken(two) is None


def test_what_a_living_process_holds_is_left_alone_and_a_dead_ones_is_taken_up(
    state: SqlState, clock: Clock
) -> None:
    one, two, three = (Taps(lambda: state, clock) for _ in range(3))
    one.beat()
    tap = taken(one)
    assert tap is not None
    assert two.lost() == []
    clock.now += 6  # no sign of life for so long
    (lost,) = two.lost()
    assert lost.raw == tap.raw
    mine = two.claim(lost)
    assert mine is not None
    assert mine.again
    two.beat()
    assert three.claim(lost) is None
    assert three.lost() == []
    two.done(mine)
    clock.now += 6
    assert three.lost() == []
    assert taken(three) is None


def test_a_process_that_has_just_begun_keeps_its_taps(state: SqlState, clock: Clock) -> None:
    """Its keeper has not shown yet that it lives."""
    web, worker, other = (Taps(lambda: state, clock) for _ in range(3))
    assert taken(web, 1) is not None
    queued = taken(web, 2, queued=True)
    assert queued is not None
    assert worker.claim(queued) is not None
    assert other.lost() == []


def test_a_tap_left_in_the_queue_is_taken_up(state: SqlState, clock: Clock) -> None:
    web, other = Taps(lambda: state, clock), Taps(lambda: state, clock)
    tap = taken(web, queued=True)
    assert tap is not None
    assert tap.owner == QUEUE
    assert other.lost() == []
    clock.now += 6
    assert len(other.lost()) == 1


def test_an_answer_put_off_is_kept_with_its_messages(state: SqlState, clock: Clock) -> None:
    one, two = Taps(lambda: state, clock), Taps(lambda: state, clock)
    tap = taken(one)
    assert tap is not None
    assert one.put_off(tap, [{"type": "text", "text": "あ"}])
    (later,) = two.lost()
    assert later.owner == LATER
    assert later.messages == ({"type": "text", "text": "あ"},)
    assert read_tap(later.key, later.value) == later


def test_only_one_process_gives_a_tap_up(state: SqlState, clock: Clock) -> None:
    one, two = Taps(lambda: state, clock), Taps(lambda: state, clock)
    taken(Taps(lambda: state, clock))
    clock.now += 60
    (lost,) = one.lost()
    assert [one.give_up(lost), two.give_up(lost)] == [True, False]


def test_without_the_store_a_process_still_answers_once(clock: Clock) -> None:
    taps = Taps(no_state, clock)
    tap = taken(taps)
    assert tap is not None
    assert tap.key == ""
    assert taken(taps) is None
    assert taps.claim(tap) == tap
    taps.done(tap)


def test_what_was_answered_while_the_store_was_away_is_marked_when_it_is_back(
    state: SqlState, clock: Clock
) -> None:
    away = [False]

    def store() -> SqlState:
        if away[0]:
            raise StorageError("gone")
        return state

    taps = Taps(store, clock)
    tap = taken(taps)
    assert tap is not None
    away[0] = True
    taps.done(tap)
    away[0] = False
    taps.beat()
    assert state.get(tap.key) == "done"


def test_tokens_lie_encrypted_and_keys_can_be_changed() -> None:
    old, new = "k" * 43 + "=", "b" * 43 + "="
    closed = Vault(old).close("refresh-token")
    assert "refresh-token" not in closed
    assert Vault(f"{new},{old}").open(closed) == "refresh-token"
    with pytest.raises(ValueError, match="another"):
        Vault(new).open(closed)
    with pytest.raises(ValueError, match="flask league key"):
        Vault("short")
    assert json.loads(json.dumps(closed)) == closed


def test_what_was_made_of_a_thing_is_made_once_and_not_kept_for_ever() -> None:
    made: Made[list[int], str] = Made(3)
    things = [[1], [1], [2], [3], [4]]
    calls: list[list[int]] = []

    def make(thing: list[int]) -> str:
        calls.append(thing)
        return str(thing)

    assert [made.get(thing, make) for thing in (things[0], things[0], things[1])] == ["[1]"] * 3
    assert len(calls) == 2  # equal, but not the same
    for thing in things:
        made.get(thing, make)
    assert len(made) == 3
    assert len(calls) == 5
    made.get(things[0], make)
    assert len(calls) == 6
