from collections.abc import Callable
from itertools import product

import pytest

from storage.state import State
from tests.clock import Clock

REFUSED = {"NUL": "a\0b", "lone surrogate": "\ud83c"}


def get_key(state: State, text: str) -> None:
    state.values.get(text)


def put_key(state: State, text: str) -> None:
    state.values.put(text, "v")


def put_value(state: State, text: str) -> None:
    state.values.put("k", text)


@pytest.mark.parametrize(
    "text", ["", "x" * 5000, " ", "%", "_", "'; --", "\\", "雀録🀄", "a\nb\tc", "é"]
)
def test_any_text_is_a_key_and_a_value(state: State, text: str) -> None:
    state.values.put("another", "another")
    state.values.put(text, text)
    assert state.values.get(text) == text
    assert state.values.items(text)[text] == text


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("use", [get_key, put_key, put_value])
def test_text_that_databases_cannot_store_is_refused(
    state: State, use: Callable[[State, str], None], text: str
) -> None:
    with pytest.raises(ValueError, match="keeps no text"):
        use(state, text)


def test_items_with_a_prefix_are_ordered_by_code_points(state: State) -> None:
    ends = ["a\U0010ffff", "a\U0010ffffb", "a\ue000", "雀録", "雁"]
    pairs = product("aB%_雀", repeat=2)
    keys = [*ends, *("".join(pair) for pair in pairs)]
    for key in keys:
        state.values.put(key, key)
    for prefix in ["", "a", "a%", "a_", "a\U0010ffff", "\U0010ffff", "雀", "z", "\ud7ff"]:
        expected = {key: key for key in keys if key.startswith(prefix)}
        assert state.values.items(prefix) == expected
    assert list(state.values.items("")) == sorted(keys)


def test_expired_value_counts_as_none(state: State, clock: Clock) -> None:
    state.values.put("k", "v", 10)
    clock.now += 9.5
    assert state.values.get("k") == "v"
    assert not state.values.add("k", "new")
    clock.now += 0.5
    assert state.values.get("k") is None
    assert state.values.items("") == {}
    assert state.values.present(["k"]) == set()
    assert not state.values.replace("k", "v", "new")
    assert state.values.add("k", "new")


def test_sweep_removes_expired_values(state: State, clock: Clock) -> None:
    state.values.put("short", "v", 10)
    state.values.put("endless", "v")
    clock.now += 10
    assert state.values.sweep() == 1
    assert state.values.sweep() == 0
    assert state.values.get("endless") == "v"
