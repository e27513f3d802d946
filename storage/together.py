"""Do the calls of several threads at once."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")
MOST = 64  # calls done at once


class Together(Generic[T, R]):
    """Calls that come while others are under way are done together as soon as these end. Safe in threads.

    `do` gets the calls' arguments and returns a result for each. When it raises, all its callers get the error. Where
    `apart` says of the error that nothing was done, and that it may be due to one of the calls, each is done by itself.
    """

    def __init__(
        self, do: Callable[[list[T]], list[R]], apart: Callable[[Exception], bool] = lambda error: False
    ) -> None:
        self._do = do
        self._apart = apart
        self._waiting: deque[_Call] = deque()
        self._turn = threading.Lock()

    def __call__(self, argument: T) -> R:
        """Return the result for `argument`. Raises what `do` raises."""
        call = _Call(argument)
        self._waiting.append(call)
        with self._turn:
            while not call.done:
                self._next()
        if call.error is not None:
            raise call.error
        result: R = call.result
        return result

    def _next(self) -> None:
        """Do the calls that have waited longest."""
        calls = [self._waiting.popleft() for _ in range(min(MOST, len(self._waiting)))]
        try:
            self._finish(calls)
        except Exception as error:
            if len(calls) == 1 or not self._apart(error):
                _fail(calls, error)
                return
            for call in calls:
                try:
                    self._finish([call])
                except Exception as own:
                    _fail([call], own)
        except BaseException as error:
            _fail(calls, error)
            raise

    def _finish(self, calls: list[_Call]) -> None:
        results = self._do([call.argument for call in calls])
        for call, result in zip(calls, results, strict=True):
            call.result, call.done = result, True


class _Call:
    __slots__ = ("argument", "done", "error", "result")

    def __init__(self, argument: Any) -> None:
        self.argument = argument
        self.done = False
        self.result: Any = None
        self.error: BaseException | None = None


def _fail(calls: list[_Call], error: BaseException) -> None:
    for call in calls:
        call.error, call.done = error, True
