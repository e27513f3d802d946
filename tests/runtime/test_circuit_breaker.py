import pytest

from bot.runtime.circuit_breaker import PAUSE, STALE, CircuitBreaker
from storage.ports import NotFound, StorageError, Unavailable
from tests.clock import Clock


def test_an_open_circuit_stops_calls_until_a_try_succeeds(clock: Clock) -> None:
    breaker = CircuitBreaker("store", failures=3, clock=clock)
    calls: list[str] = []

    def ask(error: type[StorageError] | None = None) -> str:
        with breaker.call():
            calls.append("x")
            if error is not None:
                raise error("no")
        return "answer"

    for error in [
        *[NotFound] * 20,
        *[StorageError] * 3,
    ]:  # a missing file is an answer of the service
        with pytest.raises(error) as caught:
            ask(error)
        assert caught.value.store == "store"
    with pytest.raises(Unavailable) as caught:
        ask()
    assert (caught.value.store, len(calls), breaker.is_open) == ("store", 23, True)
    clock.now += PAUSE
    with pytest.raises(StorageError, match="no"):  # one try, which fails
        ask(StorageError)
    with pytest.raises(Unavailable):
        ask()
    clock.now += PAUSE
    assert [breaker.allow(), breaker.allow()] == [True, False]
    breaker.worked()
    assert [ask() for _ in range(3)] == ["answer"] * 3


def test_after_a_long_pause_one_failure_opens_the_circuit(clock: Clock) -> None:
    breaker = CircuitBreaker("store", failures=3, clock=clock)
    for _ in range(3):
        assert breaker.allow()
        breaker.failed()
    assert not breaker.allow()
    clock.now += PAUSE + STALE + 1
    assert not breaker.is_open
    assert [breaker.allow(), breaker.allow()] == [True, True]
    breaker.failed()  # the outage goes on
    assert breaker.is_open
    assert not breaker.allow()
