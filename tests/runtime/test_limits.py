from bot.runtime.limits import CHAT, PAUSE, STALE, USER, CircuitBreaker, RateLimits, RateVerdict
from tests.clock import Clock


def opened(clock: Clock) -> CircuitBreaker:
    breaker = CircuitBreaker("store", failures=3, clock=clock)
    for _ in range(3):
        assert breaker.allow()
        breaker.failed()
    assert not breaker.allow()
    return breaker


def test_after_the_pause_one_may_try_and_long_after_all() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.now += PAUSE
    assert [breaker.allow(), breaker.allow()] == [True, False]
    breaker.worked()
    assert breaker.allow()
    breaker = opened(clock)
    clock.now += PAUSE + STALE + 1
    assert not breaker.is_open
    assert [breaker.allow(), breaker.allow()] == [True, True]
    breaker.failed()  # the outage goes on: one failure is enough
    assert breaker.is_open
    assert not breaker.allow()


def test_a_flood_is_told_once_of_a_member_and_of_a_chat(clock: Clock) -> None:
    limits, most = RateLimits(clock), int(USER[0])
    verdicts = [limits.ask("u", "u") for _ in range(most + 3)]
    assert verdicts[:most] == [RateVerdict.ANSWER] * most
    assert verdicts[most:] == [RateVerdict.TELL, RateVerdict.IGNORE, RateVerdict.IGNORE]
    clock.now += 1 / USER[1]
    assert [limits.ask("u", "u") for _ in range(2)] == [RateVerdict.ANSWER, RateVerdict.TELL]
    assert limits.ask("other", "other") is RateVerdict.ANSWER
    limits = RateLimits(clock, most=100)
    for number in range(10_000):
        limits.ask(f"u{number}", f"u{number}")
    assert len(limits._levels) == 100
    limits = RateLimits(clock)
    verdicts = [limits.ask("C1", f"U{number}") for number in range(int(CHAT[0]) + 5)]
    assert verdicts.count(RateVerdict.ANSWER) == CHAT[0]
    assert verdicts.count(RateVerdict.TELL) == 1
    assert limits.ask("C2", "U1") is RateVerdict.ANSWER
