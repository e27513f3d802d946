"""Calls of several threads are done at once, and each caller gets its own result or error."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from storage.together import MOST, Together


class Refused(Exception):
    """What is done says no."""


class Doubling:
    """Doubles numbers once `go_on` is set. It refuses all where a negative one is among them."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.begun, self.go_on = threading.Event(), threading.Event()

    def __call__(self, numbers: list[int]) -> list[int]:
        self.batches.append(numbers)
        self.begun.set()
        assert self.go_on.wait(20)
        if min(numbers) < 0:
            raise Refused(min(numbers))
        return [2 * number for number in numbers]


def called(doubling: Doubling, together: Together[int, int], numbers: list[int]) -> list[int | Exception]:
    """The results of a first call with 0 and of calls that wait for it, in the order of the numbers."""

    def call(number: int) -> int | Exception:
        try:
            return together(number)
        except Refused as error:
            return error

    with ThreadPoolExecutor(1 + len(numbers)) as pool:
        first = pool.submit(call, 0)
        assert doubling.begun.wait(20)
        others = [pool.submit(call, number) for number in numbers]
        while len(together._waiting) < len(numbers):
            threading.Event().wait(0.001)
        doubling.go_on.set()
        assert first.result() == 0
        return [other.result() for other in others]


def test_calls_that_come_meanwhile_are_done_together() -> None:
    doubling = Doubling()
    assert called(doubling, Together(doubling), [1, 2, 3, 4, 5]) == [2, 4, 6, 8, 10]
    assert [sorted(batch) for batch in doubling.batches] == [[0], [1, 2, 3, 4, 5]]


def test_not_too_many_are_done_at_once() -> None:
    doubling = Doubling()
    numbers = list(range(1, MOST + 9))
    assert called(doubling, Together(doubling), numbers) == [2 * number for number in numbers]
    assert [len(batch) for batch in doubling.batches] == [1, MOST, 8]


def test_an_error_reaches_all_its_callers() -> None:
    doubling = Doubling()
    results = called(doubling, Together(doubling), [1, -2, 3])
    assert [type(result) for result in results] == [Refused] * 3
    assert len(doubling.batches) == 2


def test_one_call_that_is_refused_does_not_spoil_the_others() -> None:
    doubling = Doubling()
    together = Together(doubling, lambda error: isinstance(error, Refused))
    one, two, three = called(doubling, together, [1, -2, 3])
    assert (one, three) == (2, 6)
    assert isinstance(two, Refused)
    with pytest.raises(Refused):
        together(-1)


def test_an_end_of_the_process_reaches_everybody() -> None:
    def end(numbers: list[int]) -> list[int]:
        raise SystemExit

    together: Together[int, int] = Together(end)
    with pytest.raises(SystemExit):
        together(1)
    with pytest.raises(SystemExit):
        together(2)
