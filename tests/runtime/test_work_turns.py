import threading

import pytest

from bot.runtime.work_turns import NoTurn, WorkTurns


def test_a_bounded_number_has_a_turn_at_once() -> None:
    turns = WorkTurns(together=2, waiting=1, patience=20.0)
    started = threading.Semaphore(0)
    go_on = threading.Event()
    numbers: list[int] = []

    def work(number: int) -> None:
        with turns.turn():
            started.release()
            assert go_on.wait(20)
            numbers.append(number)

    workers = [threading.Thread(target=work, args=(number,)) for number in range(2)]
    for worker in workers:
        worker.start()
        assert started.acquire(timeout=20)
    third = threading.Thread(target=work, args=(2,))
    third.start()
    assert not started.acquire(timeout=0.1), "the third waits"
    with pytest.raises(NoTurn), turns.turn():
        pass  # the fourth is turned away
    go_on.set()
    for worker in (*workers, third):
        worker.join(20)
    assert sorted(numbers) == [0, 1, 2]


def test_a_caller_that_waits_too_long_gets_no_turn() -> None:
    turns = WorkTurns(together=1, waiting=1, patience=0.01)
    with turns.turn(), pytest.raises(NoTurn), turns.turn():
        pass
    with turns.turn():  # both places are free again
        pass
