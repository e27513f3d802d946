from bot.runtime.cache import Lru, SharedLru


def test_the_value_used_longest_ago_goes_first() -> None:
    cache: Lru[str, int] = Lru(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert [cache.get(key) for key in "abc"] == [1, None, 3]


def test_put_replaces_a_value_and_reports_a_new_key() -> None:
    cache: Lru[str, int] = Lru(2)
    assert cache.put("a", 1)
    assert not cache.put("a", 2)
    assert cache.get("a") == 2


def test_a_forgotten_value_is_gone() -> None:
    cache: Lru[str, int] = Lru(2)
    cache.put("a", 1)
    cache.forget("a")
    assert cache.get("a") is None
    assert len(cache) == 0


def test_a_busy_owner_displaces_its_own_values() -> None:
    cache: SharedLru[int] = SharedLru(100)
    for number in range(5):
        cache.put(("small", number), number)
    for number in range(1000):
        cache.put(("busy", number), number)
    assert len(cache) == 100
    assert [cache.get(("small", number)) for number in range(5)] == list(range(5))
    assert cache.get(("busy", 999)) == 999
    assert cache.get(("busy", 0)) is None


def test_a_value_is_made_again_only_after_it_was_displaced() -> None:
    cache: Lru[int, str] = Lru(3)
    calls: list[int] = []

    def text_of(number: int) -> str:
        def make() -> str:
            calls.append(number)
            return str(number)

        return cache.made(number, make)

    assert [text_of(number) for number in (1, 1, 2)] == ["1", "1", "2"]
    assert calls == [1, 2]
    assert [text_of(number) for number in (3, 4, 1)] == ["3", "4", "1"]
    assert calls == [1, 2, 3, 4, 1]
