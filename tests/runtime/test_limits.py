import threading

import pytest

from bot.runtime.limits import (
    CHAT,
    PAUSE,
    STALE,
    USER,
    CircuitBreaker,
    NoTurn,
    RateLimits,
    RateVerdict,
    WorkTurns,
)
from storage.ports import NotFound, StorageError, Unavailable
from tests.clock import Clock


def test_an_open_circuit_spares_the_service_until_one_try_has_worked(clock: Clock) -> None:
    breaker = CircuitBreaker("store", failures=3, clock=clock)
    asked: list[str] = []

    def ask(error: type[StorageError] | None = None) -> str:
        with breaker.call():
            asked.append("x")
            if error is not None:
                raise error("no")
        return "answer"

    for error in [
        *[NotFound] * 20,
        *[StorageError] * 3,
    ]:  # a file that is missing says nothing against it
        with pytest.raises(error) as caught:
            ask(error)
        assert caught.value.store == "store"
    with pytest.raises(Unavailable) as caught:
        ask()
    assert (caught.value.store, len(asked), breaker.is_open) == ("store", 23, True)
    clock.now += PAUSE
    with pytest.raises(StorageError, match="no"):  # one try, which fails
        ask(StorageError)
    with pytest.raises(Unavailable):
        ask()
    clock.now += PAUSE
    assert [breaker.allow(), breaker.allow()] == [True, False]
    breaker.worked()
    assert [ask() for _ in range(3)] == ["answer"] * 3


def test_long_after_the_pause_all_may_try_and_one_failure_is_enough(clock: Clock) -> None:
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


def test_a_flood_is_told_once_of_a_member_and_of_a_chat(clock: Clock) -> None:
    limits = RateLimits(clock)
    most = int(USER[0])
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


def test_only_so_many_have_a_turn_at_once() -> None:
    turns = WorkTurns(together=2, waiting=1, patience=20.0)
    begun = threading.Semaphore(0)
    go_on = threading.Event()
    done: list[int] = []

    def work(number: int) -> None:
        with turns.turn():
            begun.release()
            assert go_on.wait(20)
            done.append(number)

    workers = [threading.Thread(target=work, args=(number,)) for number in range(2)]
    for worker in workers:
        worker.start()
        assert begun.acquire(timeout=20)
    workers.append(threading.Thread(target=work, args=(2,)))
    workers[2].start()
    assert not begun.acquire(timeout=0.1), "the third waits"
    with pytest.raises(NoTurn), turns.turn():
        pass  # the fourth is turned away
    go_on.set()
    for worker in workers:
        worker.join(20)
    assert sorted(done) == [0, 1, 2]


def test_who_waits_too_long_for_a_turn_is_turned_away() -> None:
    turns = WorkTurns(together=1, waiting=1, patience=0.01)
    with turns.turn(), pytest.raises(NoTurn), turns.turn():
        pass
    with turns.turn():  # both places are free again
        pass
