"""A store behind its circuit breaker opens at its first use and is not called while the breaker is open."""

from __future__ import annotations

from typing import Any, Protocol

import pytest

from bot.runtime.circuit_breaker import CircuitBreaker
from bot.stores import guarded
from storage.ports import ImageStore, LogSource, NotFound, StateStore, StorageError, Unavailable
from tests.clock import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


class Broken:
    """A store that fails `left` times."""

    def __init__(self, error: type[StorageError] = StorageError) -> None:
        self.error, self.left, self.asked = error, 0, 0

    def get(self, key: str) -> str:
        self.asked += 1
        if self.left:
            self.left -= 1
            raise self.error("no")
        return key


class Getting(Protocol):
    def get(self, key: str) -> str: ...


def behind_breaker(store: Broken, clock: Clock) -> Any:
    breaker = CircuitBreaker("x", failures=3, pause=5, clock=clock)
    return guarded(Getting, lambda: store, breaker)  # type: ignore[type-abstract]


def test_an_open_circuit_spares_the_service_and_closes_again(clock: Clock) -> None:
    store = Broken()
    behind = behind_breaker(store, clock)
    store.left = 4
    for _ in range(10):
        with pytest.raises(StorageError):
            behind.get("k")
    assert store.asked == 3
    clock.now += 5
    with pytest.raises(StorageError):  # one try, which fails: the breaker opens again
        behind.get("k")
    with pytest.raises(StorageError):
        behind.get("k")
    assert store.asked == 4
    clock.now += 5
    assert [behind.get("k") for _ in range(3)] == ["k"] * 3


def test_a_file_that_is_missing_says_nothing_against_the_service(clock: Clock) -> None:
    store = Broken(NotFound)
    behind = behind_breaker(store, clock)
    store.left = 20
    for _ in range(20):
        with pytest.raises(NotFound):
            behind.get("k")
    assert store.asked == 20


@pytest.mark.parametrize(("port", "free"), [(StateStore, ()), (LogSource, ()), (ImageStore, ("url",))])
def test_no_method_of_a_port_goes_round_the_breaker(port: Any, free: tuple[str, ...]) -> None:
    """Every method of a port is guarded, also one added later."""

    class Down:
        def __getattr__(self, name: str) -> Any:
            def call(*args: Any) -> None:
                raise StorageError(name)

            return call

    breaker = CircuitBreaker("x", failures=1, pause=60)
    store = guarded(port, Down, breaker, free)
    breaker.failed()
    for name in (name for name in vars(port) if not name.startswith("_")):
        with pytest.raises(StorageError if name in free else Unavailable):
            getattr(store, name)("a", "b", "c")


def test_a_store_is_opened_when_it_is_first_asked() -> None:
    opened: list[Broken] = []

    def open_store() -> Broken:
        opened.append(Broken())
        return opened[-1]

    store = guarded(Getting, open_store, CircuitBreaker("x"))  # type: ignore[type-abstract]
    assert opened == []
    assert [store.get("a"), store.get("b")] == ["a", "b"]
    assert len(opened) == 1
