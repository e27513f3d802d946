import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from storage.events import QUEUE, KeptEvent
from storage.state import State, open_state
from storage.tenhou import DayLines, KeptGame
from tests.backend import Backend
from tests.storage.races import race

ROUNDS, RACERS = 20, 4
DAY = date(2026, 11, 22)


def _prepare(state: State) -> None:
    for turn in range(ROUNDS):
        state.values.put(f"turn{turn}", "nobody")
        state.events.take(KeptEvent(f"claimed{turn}", 1.0, QUEUE, "{}", ""))
        state.faults.past(f"{turn}", "database", 1.0)
    state.jobs.put([f"{turn}" for turn in range(ROUNDS)])


ONCE: dict[str, Callable[[State, int, str], bool]] = {
    "a value is added": lambda state, turn, me: state.values.add(f"once{turn}", me),
    "a value is replaced": lambda state, turn, me: state.values.replace(f"turn{turn}", "nobody", me),
    "an event is taken": lambda state, turn, me: state.events.take(KeptEvent(f"{turn}", 1.0, me, "{}", "")),
    "an event is claimed": lambda state, turn, me: bool(state.events.claim(f"claimed{turn}", QUEUE, me)),
    "a lease is taken": lambda state, turn, me: state.lease(f"{turn}", 3600.0).take(),
    "a past fault is told": lambda state, turn, me: bool(state.faults.take_past(f"{turn}")),
    "a job is claimed": lambda state, turn, me: bool(state.jobs.claim(turn + 1, me)),
}


def _play(url: str, number: int) -> dict[str, list[bool]]:
    """Try everything that happens once, and add to everything that grows; return which tries were this
    one's."""
    me = f"process{number}"
    with closing(open_state(url)) as state:
        won: dict[str, list[bool]] = {name: [] for name in ONCE}
        for turn in range(ROUNDS):
            state.events.show_alive(me)  # at each turn, since one may take long
            for name, attempt in ONCE.items():
                won[name].append(attempt(state, turn, me))
            _grow(state, turn, number)
    return won


def _grow(state: State, turn: int, number: int) -> None:
    state.records.put("", [f"{turn % 5}", f"{number}.{turn}"], float(turn))
    state.faults.lasts("", f"kind{turn}", "a", "")
    state.results.put("", DAY, turn, ["C1"], [b"%d" % each for each in range(turn + 1)])
    lines = state.results.get("", DAY)
    assert lines is not None
    if turn % 3 == 0:
        state.results.done("", lines)
    if turn == ROUNDS // 2:
        state.results.offer_again("", DAY)

    def count(games: list[KeptGame]) -> list[KeptGame]:
        before = next((int(game.game) for game in games if game.key == "count"), 0)
        return [KeptGame("count", DAY, f"{before + 1}", False), KeptGame(f"{number}.{turn}", DAY, "", True)]

    state.own_games.change("", [DAY], count)


def _in_threads(url: str) -> list[dict[str, list[bool]]]:
    start = threading.Barrier(RACERS)

    def play(number: int) -> dict[str, list[bool]]:
        start.wait(10)
        return _play(url, number)

    with ThreadPoolExecutor(RACERS) as pool:
        return list(pool.map(play, range(RACERS)))


def _in_processes(url: str) -> list[dict[str, list[bool]]]:
    return race(_play, [(url, number) for number in range(RACERS)])


@pytest.mark.parametrize("racing", [_in_threads, _in_processes])
def test_of_all_one_wins_and_nothing_is_lost(
    backend: Backend, tmp_path: Path, racing: Callable[[str], list[dict[str, list[bool]]]]
) -> None:
    url = backend.database(tmp_path)
    with closing(open_state(url)) as state:
        _prepare(state)
        results = racing(url)
        for name in ONCE:
            for turn, tries in enumerate(zip(*(result[name] for result in results), strict=True)):
                assert tries.count(True) == 1, (name, turn, tries)
        own = {f"{number}.{turn}" for number in range(RACERS) for turn in range(ROUNDS)}
        records = [record.id for record in state.records.due(None, 99.0, 999)]
        assert sorted(records) == sorted({*own, *"01234"})
        games = {game.key: game.game for game in state.own_games.all("")}
        assert games == {**dict.fromkeys(own, ""), "count": f"{RACERS * ROUNDS}"}
        assert len(state.faults.lasting("")) == ROUNDS
        _one_day_is_whole(state)


def _one_day_is_whole(state: State) -> None:
    """The largest file's lines are kept, and wait if and only if they are not all in the log."""
    lines = state.results.get("", DAY)
    assert (lines.size, len(lines.lines)) == (ROUNDS - 1, ROUNDS)
    assert state.results.waiting("") == ([DAY] if lines.fresh else [])
    assert set(lines.merged) <= set(lines.lines)


def test_lines_that_come_at_once_are_kept_with_what_was_merged(backend: Backend, tmp_path: Path) -> None:
    """Each league's day, also where nobody knew it before."""
    url = backend.database(tmp_path)
    leagues = [f"league{number}" for number in range(ROUNDS)]
    start = threading.Barrier(RACERS)

    def put(number: int) -> None:
        with closing(open_state(url)) as state:
            start.wait(10)
            for league in leagues:
                state.results.put(league, DAY, number, ["C1"], [b"%d" % each for each in range(number + 1)])

    with ThreadPoolExecutor(RACERS) as pool:
        for done in [pool.submit(put, number) for number in range(RACERS)]:
            done.result()
    with closing(open_state(url)) as state:
        for league in leagues:
            lines = state.results.get(league, DAY)
            assert isinstance(lines, DayLines)
            assert (lines.size, len(lines.lines)) == (RACERS - 1, RACERS)
        assert state.results.leagues_waiting() == set(leagues)
