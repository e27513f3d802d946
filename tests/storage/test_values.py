import itertools
from collections.abc import Callable

import pytest

from storage.state import State


def test_any_text_is_a_key_and_a_value_but_for_what_no_database_keeps(state: State) -> None:
    texts = ("x" * 5000, " ", "%", "_", "'; --", "\\", "雀録🀄", "a\nb\tc", "é")
    for text in texts:
        state.values.put(text, text)
        assert state.values.get(text) == text
        assert state.values.items(text) == {text: text}
    state.values.put("", "")
    assert state.values.items("") == {text: text for text in ("", *texts)}
    acts: list[Callable[[str], object]] = [
        lambda text: state.values.put(text, "v"),
        lambda text: state.values.put("k", text),
        state.values.get,
    ]
    for act, text in itertools.product(acts, ("a\0b", "\ud83c")):
        with pytest.raises(ValueError, match="keeps no text"):
            act(text)


def test_items_are_those_of_a_prefix_in_the_order_of_code_points(state: State) -> None:
    ends = ["a\U0010ffff", "a\U0010ffffb", "a\ue000", "雀録", "雁"]
    pairs = itertools.product("aB%_雀", repeat=2)
    keys = [*ends, *("".join(pair) for pair in pairs)]
    for key in keys:
        state.values.put(key, key)
    for prefix in ["", "a", "a%", "a_", "a\U0010ffff", "\U0010ffff", "雀", "z", "\ud7ff"]:
        expected = {key: key for key in keys if key.startswith(prefix)}
        assert state.values.items(prefix) == expected
    assert list(state.values.items("")) == sorted(keys)
