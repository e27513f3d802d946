"""How much one member and one chat may ask; and the circuit breaker: no calls for some seconds after failures
in a row, then one, and all when that is long ago."""

import pytest

from bot.runtime.limits import CHAT, PAUSE, STALE, USER, CircuitBreaker, RateLimits, RateVerdict
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


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_flood_is_told_once_and_people_never_are(clock: Clock) -> None:
    limits, most = RateLimits(clock), int(USER[0])
    verdicts = [limits.ask("u", "u") for _ in range(most + 3)]
    assert verdicts[:most] == [RateVerdict.ANSWER] * most
    assert verdicts[most:] == [RateVerdict.TELL, RateVerdict.IGNORE, RateVerdict.IGNORE]
    clock.now += 1 / USER[1]
    assert [limits.ask("u", "u") for _ in range(2)] == [RateVerdict.ANSWER, RateVerdict.TELL]
    assert limits.ask("other", "other") is RateVerdict.ANSWER


def test_limits_forget_and_stay_small(clock: Clock) -> None:
    limits = RateLimits(clock, most=100)
    for number in range(10_000):
        limits.ask(f"u{number}", f"u{number}")
    assert len(limits._levels) == 100


def test_many_members_share_the_chats_limit(clock: Clock) -> None:
    limits = RateLimits(clock)
    verdicts = [limits.ask("C1", f"U{number}") for number in range(int(CHAT[0]) + 5)]
    assert verdicts.count(RateVerdict.ANSWER) == CHAT[0]
    assert verdicts.count(RateVerdict.TELL) == 1
    assert limits.ask("C2", "U1") is RateVerdict.ANSWER
