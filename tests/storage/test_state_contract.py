"""What a StateStore guarantees, tested on SQLite and on a real Postgres (see tests/backend.py)."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from storage.ports import StateRow
from storage.state import SqlState
from tests.backend import Backend


class Clock:
    """A clock that stands still until the test moves it."""

    def __init__(self) -> None:
        self.now = 1_600_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def url(backend: Backend, tmp_path: Path) -> str:
    return backend.database(tmp_path / "new")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def state(url: str, clock: Clock) -> Iterator[SqlState]:
    store = SqlState(url, clock=clock)
    yield store
    store.close()


def test_a_key_never_set_has_no_value(state: SqlState) -> None:
    assert state.get("chat:C1") is None
    assert state.items("") == {}


def test_a_value_is_kept_and_replaced_and_forgotten(state: SqlState) -> None:
    state.put("k", "1")
    assert state.get("k") == "1"
    state.put("k", "2")
    assert state.get("k") == "2"
    state.delete("k")
    state.delete("k")
    assert state.get("k") is None


def test_a_value_outlives_the_store_that_set_it(state: SqlState, url: str, clock: Clock) -> None:
    state.put("k", "雀録")
    other = SqlState(url, clock=clock)
    assert other.get("k") == "雀録"
    other.close()


@pytest.mark.parametrize("text", ["", " ", "%", "_", "'; --", "\\", "雀録🀄", "a\nb\tc", "é", "x" * 5000])
def test_any_text_is_a_key_and_a_value(state: SqlState, text: str) -> None:
    state.put(text, text)
    assert state.get(text) == text
    assert state.items(text) == {text: text}


@pytest.mark.parametrize("text", ["a\0b", "\ud83c"])
def test_text_that_no_database_keeps_is_refused(state: SqlState, text: str) -> None:
    for act in (lambda: state.put(text, "v"), lambda: state.put("k", text), lambda: state.get(text)):
        with pytest.raises(ValueError, match="keeps no text"):
            act()


@pytest.mark.parametrize("count", [0, 1, 100])
def test_several_values_are_set_at_once(state: SqlState, clock: Clock, count: int) -> None:
    state.put("k1", "old")
    values = {f"k{number}": f"雀{number}" for number in range(count)}
    state.put_all(values, ttl=10)
    assert {key: value for key, value in state.items("k").items() if value != "old"} == values
    clock.now += 10
    assert state.items("k") == ({} if count > 1 else {"k1": "old"})


@pytest.mark.parametrize("count", [0, 1, 100])
def test_several_values_are_read_at_once(state: SqlState, clock: Clock, count: int) -> None:
    values = {f"k{number}": f"雀{number}" for number in range(count)}
    state.put_all(values, ttl=10)
    state.put("other", "1")
    assert state.get_all([*values, "none"]) == values
    clock.now += 10
    assert state.get_all([*values, "other", "other"]) == {"other": "1"}
    with pytest.raises(ValueError, match="keeps no text"):
        state.get_all(["other", "\0"])


def test_of_several_values_none_is_set_where_one_is_refused(state: SqlState) -> None:
    with pytest.raises(ValueError, match="keeps no text"):
        state.put_all({"a": "1", "b": "\0"})
    assert state.items("") == {}


def test_keys_differ_by_case(state: SqlState) -> None:
    state.put("k", "small")
    state.put("K", "big")
    assert (state.get("k"), state.get("K")) == ("small", "big")
    assert state.items("k") == {"k": "small"}


def test_a_value_expires(state: SqlState, clock: Clock) -> None:
    state.put("k", "1", ttl=10)
    clock.now += 9.5
    assert state.get("k") == "1"
    clock.now += 0.5
    assert state.get("k") is None
    assert state.items("") == {}


def test_putting_again_sets_the_expiry_anew(state: SqlState, clock: Clock) -> None:
    state.put("k", "1", ttl=10)
    state.put("k", "2")
    clock.now += 100
    assert state.get("k") == "2"
    state.put("k", "3", ttl=10)
    clock.now += 11
    assert state.get("k") is None


def test_adding_works_once(state: SqlState) -> None:
    assert state.add("event:1", "a")
    assert not state.add("event:1", "b")
    assert state.get("event:1") == "a"
    state.delete("event:1")
    assert state.add("event:1", "c")


def test_adding_takes_over_what_has_expired(state: SqlState, clock: Clock) -> None:
    assert state.add("event:1", "a", ttl=60)
    clock.now += 59
    assert not state.add("event:1", "b", ttl=60)
    clock.now += 1
    assert state.add("event:1", "c", ttl=60)
    assert state.get("event:1") == "c"
    clock.now += 59
    assert state.get("event:1") == "c"


def test_replacing_asks_for_the_old_value(state: SqlState) -> None:
    assert not state.replace("k", "", "2")
    state.put("k", "1")
    assert not state.replace("k", "0", "2")
    assert state.replace("k", "1", "2")
    assert state.get("k") == "2"
    assert state.replace("k", "2", "2")


def test_replacing_leaves_what_has_expired(state: SqlState, clock: Clock) -> None:
    state.put("k", "1", ttl=10)
    clock.now += 10
    assert not state.replace("k", "1", "2")
    assert state.get("k") is None


def test_replacing_sets_the_expiry(state: SqlState, clock: Clock) -> None:
    state.put("k", "1")
    state.replace("k", "1", "2", ttl=10)
    clock.now += 10
    assert state.get("k") is None


def test_items_are_those_that_start_with_the_prefix_exactly(state: SqlState) -> None:
    keys = [
        "a",
        "a%",
        "a%b",
        "a_",
        "a_b",
        "axb",
        "A%",
        "b",
        "a\U0010ffff",
        "a\U0010ffffb",
        "a\ue000",
        "雀",
        "雀録",
        "雁",
    ]
    for key in keys:
        state.put(key, key)
    for prefix in ["", "a", "a%", "a_", "a\U0010ffff", "\U0010ffff", "雀", "z", "a\ud7ff"[:1] + "\ud7ff"]:
        assert state.items(prefix) == {key: key for key in keys if key.startswith(prefix)}
    assert list(state.items("")) == sorted(keys)


def test_sweeping_removes_what_has_expired(state: SqlState, clock: Clock) -> None:
    state.put("short", "1", ttl=10)
    state.put("long", "1", ttl=100)
    state.put("ever", "1")
    clock.now += 10
    assert state.sweep() == 1
    assert state.sweep() == 0
    assert set(state.items("")) == {"long", "ever"}


def test_many_writes_sweep_by_themselves(
    state: SqlState, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.state._SWEEP_EVERY", 5)
    state.put("short", "1", ttl=10)
    clock.now += 10
    for number in range(4):
        state.put(f"{number}", "")
    assert state.sweep() == 0


def test_of_many_threads_one_adds_and_one_replaces(state: SqlState) -> None:
    state.put("turn", "nobody")
    start = threading.Barrier(8)

    def race(number: int) -> tuple[bool, bool]:
        start.wait(10)
        return state.add("once", str(number)), state.replace("turn", "nobody", str(number))

    with ThreadPoolExecutor(8) as pool:
        added, replaced = zip(*pool.map(race, range(8)), strict=True)
    assert added.count(True) == replaced.count(True) == 1
    assert state.get("once") == str(added.index(True))
    assert state.get("turn") == str(replaced.index(True))


def test_a_counter_made_of_replace_loses_no_step(state: SqlState) -> None:
    state.put("count", "0")

    def step() -> None:
        while True:
            old = state.get("count")
            assert old is not None
            if state.replace("count", old, str(int(old) + 1)):
                return

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(step) for _ in range(40)]:
            done.result()
    assert state.get("count") == "40"


def test_calls_of_many_threads_get_their_own_results(state: SqlState) -> None:
    """Also where one key is asked for by several at once, and while others change it."""
    state.put_all({f"k{number}": "0" for number in range(4)})

    def work(number: int) -> tuple[bool, bool, str | None, dict[str, str]]:
        mine, turn = f"mine{number}", f"k{number % 4}"
        return (
            state.add(mine, f"v{number}", ttl=number + 1),
            state.replace(turn, "0", f"by {number}"),
            state.get(mine),
            state.get_all([mine, turn, "none"]),
        )

    with ThreadPoolExecutor(16) as pool:
        results = list(pool.map(work, range(200)))
    assert all(added and read == f"v{number}" for number, (added, _, read, _) in enumerate(results))
    winners = {f"k{number % 4}": f"by {number}" for number, (_, won, _, _) in enumerate(results) if won}
    assert [won for _, won, _, _ in results].count(True) == 4
    assert state.items("k") == winners
    for number, (_, _, _, both) in enumerate(results):
        turn = f"k{number % 4}"
        assert both == {f"mine{number}": f"v{number}", turn: winners[turn]}


def test_each_of_many_threads_hears_whether_its_own_change_was_made(state: SqlState) -> None:
    state.put_all({f"k{number}": "old" for number in range(0, 200, 2)})

    def work(number: int) -> tuple[bool, bool]:
        return state.add(f"k{number}", "new"), state.replace(f"k{number}", "old", "newer")

    with ThreadPoolExecutor(16) as pool:
        results = list(pool.map(work, range(200)))
    assert results == [(number % 2 == 1, number % 2 == 0) for number in range(200)]


@pytest.mark.parametrize("prefix", ["", "a", "a:", "b", "雀"])
@pytest.mark.parametrize("most", [1, 2, 100])
def test_values_are_read_in_pages_with_their_expiry(
    state: SqlState, clock: Clock, prefix: str, most: int
) -> None:
    rows = {"": None, "a": 10.0, "a:1": None, "a:雀": 20.5, "a;": None, "b": 30.0, "雀": None}
    for key, ttl in rows.items():
        state.put(key, f"<{key}>", ttl)
    state.put("a:gone", "1", 5)
    clock.now += 5
    found: list[StateRow] = []
    while page := state.rows(prefix, found[-1].key if found else None, most):
        assert len(page) <= most
        found += page
    start = clock.now - 5
    assert found == [
        StateRow(key, f"<{key}>", None if ttl is None else start + ttl)
        for key, ttl in sorted(rows.items())
        if key.startswith(prefix)
    ]


def test_keys_come_back_in_the_order_of_code_points(state: SqlState) -> None:
    keys = ["".join(signs) for signs in itertools.product("aB_雀", repeat=2)]
    for key in keys:
        state.put(key, "")
    assert list(state.items("")) == sorted(keys)
