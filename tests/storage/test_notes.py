import itertools
from collections.abc import Callable
from typing import Any

import pytest

from storage.chats import Fault
from storage.state import State
from tests.clock import Clock


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


MONTH = 30 * 86400.0


def test_a_notice_counts_as_sent_as_long_as_it_says(state: State, clock: Clock) -> None:
    assert not state.notices.was_sent("digest:C1")
    state.notices.sent("digest:C1", 10)
    state.notices.sent("season:C1")
    assert not state.notices.was_sent("digest:C2")
    clock.now += 9.5
    assert state.notices.was_sent("digest:C1")
    clock.now += 0.5
    assert not state.notices.was_sent("digest:C1")
    assert (state.notices.sweep(), state.notices.sweep()) == (1, 0)
    assert state.notices.was_sent("season:C1")
    state.notices.sent("digest:C1", 10)
    assert state.notices.was_sent("digest:C1")


def test_a_fault_lasts_from_its_first_note(state: State, clock: Clock) -> None:
    begin = clock.now
    first = Fault("token", "a", "said", begin, None)
    assert state.faults.lasts("", "token", "a", "said") == first
    clock.now += 5
    assert state.faults.lasts("", "token", "a", "said anew") == first
    assert state.faults.lasts("east", "token", "a", "said").since == clock.now
    state.faults.told("", "token")
    reported = Fault("token", "a", "said", begin, clock.now)
    assert state.faults.lasts("", "token", "a", "") == reported
    clock.now += 5
    other = Fault("token", "b", "other", clock.now, None)
    assert state.faults.lasts("", "token", "b", "other") == other
    state.faults.lasts("", "folder", "", "later")
    assert [fault.kind for fault in state.faults.lasting("")] == ["token", "folder"]
    assert [fault.told for fault in state.faults.lasting("east")] == [None]


def test_what_was_told_of_is_told_when_it_is_over_for_a_month(state: State, clock: Clock) -> None:
    begin = clock.now
    for kind in ("told", "untold"):
        state.faults.lasts("", kind, "", "")
    state.faults.told("", "told")
    state.faults.told("", "none")
    clock.now += 60
    for kind in ("told", "untold", "none"):
        state.faults.over("", kind)
    assert state.faults.lasting("") == []
    assert state.faults.take_past("east") == []
    assert state.faults.take_past("") == [Fault("told", "", "", begin, begin, clock.now)]
    assert state.faults.take_past("") == []
    state.faults.past("", "database", begin)
    clock.now += MONTH - 1
    state.faults.past("", "second", begin + 1)
    (database, second) = state.faults.take_past("")
    assert (database.kind, database.since, second.kind) == ("database", begin, "second")
    state.faults.past("", "database", begin)
    clock.now += MONTH
    assert state.faults.take_past("") == []


def test_of_several_processes_one_has_the_lease(state: State, clock: Clock) -> None:
    one = state.lease("rooms", 10)
    two = state.lease("rooms", 10)
    other = state.lease("notices", 10)
    assert one.take()
    assert not two.take()
    assert other.take()
    clock.now += 9
    assert one.take()
    clock.now += 9.5
    assert not two.take()
    assert one.renew()
    clock.now += 10
    assert two.take()
    assert not one.renew()
    one.release()
    assert not one.take()
    two.release()
    assert one.take()


@pytest.mark.parametrize("verb", ["take", "renew"])
def test_who_stood_still_past_the_lease_does_not_have_it(
    state: State, clock: Clock, verb: str
) -> None:
    lease = state.lease("rooms", 10)
    put = state.database.write
    assert lease.take()

    def slow(*given: Any, **named: Any) -> int:
        changed = put(*given, **named)
        clock.now += 10
        return changed

    state.database.write = slow  # type: ignore[method-assign]
    assert not getattr(lease, verb)()
