from bot.runtime.cache import Lru, SharedLru


def test_what_is_made_is_kept_until_what_was_used_longest_ago_goes_first() -> None:
    cache: SharedLru[int] = SharedLru(100)
    for number in range(5):
        cache.put(("small", number), number)
    for number in range(1000):
        cache.put(("busy", number), number)
    assert len(cache) == 100
    assert [cache.get(("small", number)) for number in range(5)] == list(range(5))
    assert cache.get(("busy", 999)) == 999
    assert cache.get(("busy", 0)) is None
    cache: Lru[str, int] = Lru(2)
    assert cache.put("a", 1)
    assert cache.put("b", 2)
    assert cache.get("a") == 1
    assert not cache.put("a", 3)
    assert cache.put("c", 4)
    assert [cache.get(key) for key in "abc"] == [3, None, 4]
    cache.forget("a")
    assert len(cache) == 1
    cache: Lru[int, str] = Lru(3)
    calls: list[int] = []

    def made(number: int) -> str:
        return cache.made(number, lambda: calls.append(number) or str(number))  # type: ignore[func-returns-value]

    assert [made(number) for number in (1, 1, 2)] == ["1", "1", "2"]
    assert calls == [1, 2]
    assert [made(number) for number in (3, 4, 1)] == ["3", "4", "1"]
    assert calls == [1, 2, 3, 4, 1]
