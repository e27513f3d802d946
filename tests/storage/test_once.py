import itertools
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date
from pathlib import Path

from storage.events import QUEUE, KeptEvent
from storage.state import State, open_state
from storage.tenhou import KeptGame
from tests.backend import Backend

ROUNDS = 20
RACERS = 4
DAY = date(2026, 11, 22)


def _prepare(state: State) -> None:
    for turn in range(ROUNDS):
        state.values.put(f"turn{turn}", "nobody")
        state.events.take(KeptEvent(f"claimed{turn}", 1.0, QUEUE, "{}", ""))
        state.faults.past(f"{turn}", "database", 1.0)
    state.jobs.put([f"{turn}" for turn in range(ROUNDS)])


def _add_value(state: State, turn: int, me: str) -> bool:
    return state.values.add(f"once{turn}", me)


def _replace_value(state: State, turn: int, me: str) -> bool:
    return state.values.replace(f"turn{turn}", "nobody", me)


def _take_event(state: State, turn: int, me: str) -> bool:
    return state.events.take(KeptEvent(f"{turn}", 1.0, me, "{}", ""))


def _claim_event(state: State, turn: int, me: str) -> bool:
    return bool(state.events.claim(f"claimed{turn}", QUEUE, me))


def _take_lease(state: State, turn: int, _: str) -> bool:
    return state.lease(f"{turn}", 3600.0).take()


def _take_past_fault(state: State, turn: int, _: str) -> bool:
    return bool(state.faults.take_past(f"{turn}"))


def _claim_job(state: State, turn: int, me: str) -> bool:
    return bool(state.jobs.claim(turn + 1, me))


ONCE: dict[str, Callable[[State, int, str], bool]] = {
    "a value is added": _add_value,
    "a value is replaced": _replace_value,
    "an event is taken": _take_event,
    "an event is claimed": _claim_event,
    "a lease is taken": _take_lease,
    "a past fault is told": _take_past_fault,
    "a job is claimed": _claim_job,
}


def _play(url: str, number: int) -> dict[str, list[bool]]:
    """Try all that happens once, and add to all that grows; return which tries were this one's."""
    me = f"process{number}"
    with closing(open_state(url)) as state:
        won: dict[str, list[bool]] = {name: [] for name in ONCE}
        for turn in range(ROUNDS):
            state.events.show_alive(me)  # at each turn, since one may take long
            for name, attempt in ONCE.items():
                won[name].append(attempt(state, turn, me))
            _grow(state, turn, number)
    return won


def _numbered_lines(count: int) -> list[bytes]:
    return [b"%d" % number for number in range(count)]


def _grow(state: State, turn: int, number: int) -> None:
    state.records.put("", [f"{turn % 5}", f"{number}.{turn}"], float(turn))
    state.faults.lasts("", f"kind{turn}", "a", "")
    state.results.put("", DAY, turn, ["C1"], _numbered_lines(turn + 1))
    lines = state.results.get("", DAY)
    assert lines is not None
    if turn % 3 == 0:
        state.results.done("", lines)
    state.results.put(f"league{turn}", DAY, number, ["C1"], _numbered_lines(number + 1))
    if turn == ROUNDS // 2:
        state.results.offer_again("", DAY)

    def count(games: list[KeptGame]) -> list[KeptGame]:
        before = next((int(game.game) for game in games if game.key == "count"), 0)
        return [
            KeptGame("count", DAY, f"{before + 1}", False),
            KeptGame(f"{number}.{turn}", DAY, "", True),
        ]

    state.own_games.change("", [DAY], count)


def test_of_all_one_wins_and_nothing_is_lost(backend: Backend, tmp_path: Path) -> None:
    """As in several processes: each thread has connections of its own."""
    url = backend.database(tmp_path)
    start = threading.Barrier(RACERS)

    def play(number: int) -> dict[str, list[bool]]:
        start.wait(10)
        return _play(url, number)

    with closing(open_state(url)) as state, ThreadPoolExecutor(RACERS) as pool:
        _prepare(state)
        results = list(pool.map(play, range(RACERS)))
        for name in ONCE:
            assert {len(result[name]) for result in results} == {ROUNDS}
            for turn in range(ROUNDS):
                tries = [result[name][turn] for result in results]
                assert tries.count(True) == 1, (name, turn, tries)
        pairs = itertools.product(range(RACERS), range(ROUNDS))
        ids = {f"{number}.{turn}" for number, turn in pairs}
        records = [record.id for record in state.records.due(None, 99.0, 999)]
        assert sorted(records) == sorted({*ids, *"01234"})
        games = {game.key: game.game for game in state.own_games.all("")}
        assert games == {**dict.fromkeys(ids, ""), "count": f"{RACERS * ROUNDS}"}
        assert len(state.faults.lasting("")) == ROUNDS
        _days_are_whole(state)


def _days_are_whole(state: State) -> None:
    """The largest file's lines are kept, also of a new day.

    They wait just where not all are in the log.
    """
    for turn in range(ROUNDS):
        lines = state.results.get(f"league{turn}", DAY)
        assert lines.size == RACERS - 1
        assert len(lines.lines) == RACERS
        assert len(lines.fresh) == RACERS
    lines = state.results.get("", DAY)
    assert (lines.size, len(lines.lines)) == (ROUNDS - 1, ROUNDS)
    assert state.results.waiting("") == ([DAY] if lines.fresh else [])
    assert set(lines.merged) <= set(lines.lines)
