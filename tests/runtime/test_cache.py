"""Bounded caches."""

from __future__ import annotations

from bot.runtime.cache import IdentityCache, SharedCache


def test_a_busy_league_displaces_itself() -> None:
    cache: SharedCache[int] = SharedCache(100)
    for number in range(5):
        cache.put("small", number, number)
    for number in range(1000):
        cache.put("busy", number, number)
    assert len(cache) == 100
    assert [cache.get("small", number) for number in range(5)] == list(range(5))
    assert cache.get("busy", 999) == 999
    cache.forget("busy")
    assert len(cache) == 5


def test_what_was_made_of_a_thing_is_made_once_and_not_kept_for_ever() -> None:
    made: IdentityCache[list[int], str] = IdentityCache(3)
    things = [[1], [1], [2], [3], [4]]
    calls: list[list[int]] = []

    def make(thing: list[int]) -> str:
        calls.append(thing)
        return str(thing)

    assert [made.get(thing, make) for thing in (things[0], things[0], things[1])] == ["[1]"] * 3
    assert len(calls) == 2  # the two lists [1] are equal, but not the same object
    for thing in things:
        made.get(thing, make)
    assert len(made) == 3
    assert len(calls) == 5
    made.get(things[0], make)
    assert len(calls) == 6
