"""The circuit breaker: no calls for some seconds after failures in a row, then one, and all when that is long
ago."""

from __future__ import annotations

from bot.runtime.circuit_breaker import PAUSE, STALE, CircuitBreaker
from tests.clock import Clock


def opened(clock: Clock) -> CircuitBreaker:
    breaker = CircuitBreaker("store", failures=3, clock=clock)
    for _ in range(3):
        assert breaker.allow()
        breaker.failed()
    assert not breaker.allow()
    return breaker


def test_after_the_pause_one_may_try() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.now += PAUSE
    assert [breaker.allow(), breaker.allow()] == [True, False]
    breaker.worked()
    assert breaker.allow()


def test_failures_of_long_ago_keep_nobody_waiting() -> None:
    """An outage ended long ago, and two ask at once: both may, because nobody knows of a fault any more."""
    clock = Clock()
    breaker = opened(clock)
    clock.now += PAUSE + STALE + 1
    assert not breaker.is_open
    assert [breaker.allow(), breaker.allow()] == [True, True]
    breaker.failed()  # the outage goes on: one failure is enough
    assert breaker.is_open
    assert not breaker.allow()
