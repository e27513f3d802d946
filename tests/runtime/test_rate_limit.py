from bot.runtime.rate_limit import CHAT, USER, RateLimits, RateVerdict
from tests.clock import Clock

TAPS_AT_ONCE, TAPS_A_SECOND = USER
CHAT_TAPS_AT_ONCE, _ = CHAT


def test_a_flood_of_a_member_gets_one_refusal(clock: Clock) -> None:
    limits = RateLimits(clock)
    size = int(TAPS_AT_ONCE)
    verdicts = [limits.ask("u", "u") for _ in range(size + 3)]
    assert verdicts[:size] == [RateVerdict.ANSWER] * size
    assert verdicts[size:] == [RateVerdict.REFUSE, RateVerdict.IGNORE, RateVerdict.IGNORE]
    assert limits.ask("other", "other") is RateVerdict.ANSWER


def test_a_member_is_answered_again_after_a_while(clock: Clock) -> None:
    limits = RateLimits(clock)
    for _ in range(int(TAPS_AT_ONCE) + 3):
        limits.ask("u", "u")
    clock.now += 1 / TAPS_A_SECOND
    verdicts = [limits.ask("u", "u") for _ in range(2)]
    assert verdicts == [RateVerdict.ANSWER, RateVerdict.REFUSE]


def test_a_flood_of_a_chat_gets_one_refusal(clock: Clock) -> None:
    limits = RateLimits(clock)
    taps = int(CHAT_TAPS_AT_ONCE) + 5
    verdicts = [limits.ask("C1", f"U{number}") for number in range(taps)]
    assert verdicts.count(RateVerdict.ANSWER) == CHAT_TAPS_AT_ONCE
    assert verdicts.count(RateVerdict.REFUSE) == 1
    assert limits.ask("C2", "U1") is RateVerdict.ANSWER


def test_the_memory_of_members_is_bounded(clock: Clock) -> None:
    limits = RateLimits(clock, size=100)
    for number in range(10_000):
        limits.ask(f"u{number}", f"u{number}")
    assert len(limits._buckets) == 100
