import threading

import pytest

from bot.runtime.work_turns import NoTurn, WorkTurns


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
