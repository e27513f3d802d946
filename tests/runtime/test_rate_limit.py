from bot.runtime.rate_limit import CHAT, USER, RateLimits, RateVerdict
from tests.clock import Clock


def test_a_flood_is_told_once_of_a_member_and_of_a_chat(clock: Clock) -> None:
    limits = RateLimits(clock)
    most = int(USER[0])
    verdicts = [limits.ask("u", "u") for _ in range(most + 3)]
    assert verdicts[:most] == [RateVerdict.ANSWER] * most
    assert verdicts[most:] == [RateVerdict.REFUSE, RateVerdict.IGNORE, RateVerdict.IGNORE]
    clock.now += 1 / USER[1]
    assert [limits.ask("u", "u") for _ in range(2)] == [RateVerdict.ANSWER, RateVerdict.REFUSE]
    assert limits.ask("other", "other") is RateVerdict.ANSWER
    limits = RateLimits(clock, size=100)
    for number in range(10_000):
        limits.ask(f"u{number}", f"u{number}")
    assert len(limits._buckets) == 100
    limits = RateLimits(clock)
    verdicts = [limits.ask("C1", f"U{number}") for number in range(int(CHAT[0]) + 5)]
    assert verdicts.count(RateVerdict.ANSWER) == CHAT[0]
    assert verdicts.count(RateVerdict.REFUSE) == 1
    assert limits.ask("C2", "U1") is RateVerdict.ANSWER
