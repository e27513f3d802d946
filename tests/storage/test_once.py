"""What happens once, and what must not get lost, while several processes use a database at once."""

import itertools
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from datetime import date

import pytest

from storage.events import QUEUE, KeptEvent
from storage.own_games import KeptGame
from storage.results import DayLines
from storage.state import State, open_state
from tests.backend import Backend

ROUNDS = 20
RACERS = 4
DAY = date(2026, 11, 22)


def _prepare(state: State) -> None:
    for turn in range(ROUNDS):
        state.values.put(f"turn{turn}", "nobody")
        state.events.take(KeptEvent(f"claimed{turn}", 1.0, QUEUE, "{}", ""))
        state.faults.record_past(f"{turn}", "database", 1.0)
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


def _run_racer(url: str, number: int) -> dict[str, list[bool]]:
    """Attempt all that happens once, and add to all that grows.

    Return by the name of the attempt in which rounds this racer won.
    """
    me = f"process{number}"
    with closing(open_state(url)) as state:
        wins: dict[str, list[bool]] = {name: [] for name in ONCE}
        for turn in range(ROUNDS):
            state.events.show_alive(me)  # in each round, since one may take long
            for name, attempt in ONCE.items():
                wins[name].append(attempt(state, turn, me))
            _grow(state, turn, number)
    return wins


def _numbered_lines(count: int) -> list[bytes]:
    return [b"%d" % number for number in range(count)]


def _grow(state: State, turn: int, number: int) -> None:
    state.records.put("", [f"{turn % 5}", f"{number}.{turn}"], float(turn))
    state.faults.record("", f"kind{turn}", "a", "")
    state.results.put("", DAY, turn, ["C1"], _numbered_lines(turn + 1))
    lines = state.results.get("", DAY)
    assert lines is not None
    if turn % 3 == 0:
        state.results.mark_merged("", lines)
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


@dataclass(frozen=True)
class Race:
    """A race that is over: the state, and each racer's wins by the name of the attempt."""

    state: State
    wins: list[dict[str, list[bool]]]

    def day_lines(self, league: str) -> DayLines:
        lines = self.state.results.get(league, DAY)
        assert lines is not None
        return lines


@pytest.fixture(scope="module")
def race(backend: Backend, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Race]:
    """A race of threads that have connections of their own, as processes have."""
    url = backend.database(tmp_path_factory.mktemp("race"))
    start = threading.Barrier(RACERS)

    def run(number: int) -> dict[str, list[bool]]:
        start.wait(10)
        return _run_racer(url, number)

    with closing(open_state(url)) as state, ThreadPoolExecutor(RACERS) as pool:
        _prepare(state)
        yield Race(state, list(pool.map(run, range(RACERS))))


@pytest.mark.parametrize("name", ONCE)
def test_one_racer_wins_each_round(race: Race, name: str) -> None:
    rounds = zip(*(wins[name] for wins in race.wins), strict=True)
    assert [winners.count(True) for winners in rounds] == [1] * ROUNDS


def test_every_record_is_waited_for(race: Race) -> None:
    pairs = itertools.product(range(RACERS), range(ROUNDS))
    ids = [f"{number}.{turn}" for number, turn in pairs]
    records = [record.id for record in race.state.records.due(None, 99.0, 999)]
    assert sorted(records) == sorted([*ids, *"01234"])


def test_every_change_of_own_games_is_stored(race: Race) -> None:
    pairs = itertools.product(range(RACERS), range(ROUNDS))
    expected = {f"{number}.{turn}": "" for number, turn in pairs}
    expected["count"] = f"{RACERS * ROUNDS}"
    assert {game.key: game.game for game in race.state.own_games.all("")} == expected


def test_each_fault_is_recorded_once(race: Race) -> None:
    assert len(race.state.faults.ongoing("")) == ROUNDS


def test_lines_of_the_largest_file_are_stored(race: Race) -> None:
    for turn in range(ROUNDS):
        lines = race.day_lines(f"league{turn}")
        assert lines.size == RACERS - 1
        assert len(lines.lines) == RACERS
        assert len(lines.fresh) == RACERS
    lines = race.day_lines("")
    assert lines.size == ROUNDS - 1
    assert len(lines.lines) == ROUNDS


def test_day_waits_as_long_as_it_has_fresh_lines(race: Race) -> None:
    lines = race.day_lines("")
    assert (race.state.results.days_waiting("") == [DAY]) == bool(lines.fresh)
    assert set(lines.merged) <= set(lines.lines)
