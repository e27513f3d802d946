"""Put the world's clock, chance and locks in place of the machine's, in every module of bot/, for a
while.

Modules hold them as `time`, `threading`, `secrets`, `random`, as the class `datetime`, as functions
imported by name, and as defaults of parameters. All of these are replaced, and put back afterwards.
The modules' code is the real one.
"""

import random
import secrets
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, tzinfo
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

from tests.world.clockwork import Clockwork, Gate

_SECONDS = ("time", "monotonic", "perf_counter")


class _AnyMoment(type):
    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, datetime)


class WorldMoment(datetime, metaclass=_AnyMoment):
    """The class `datetime` with the world's clock."""

    clock: Clockwork

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        return datetime.fromtimestamp(cls.clock.now, tz)


class _Event:
    def __init__(self, clock: Clockwork) -> None:
        self._clock = clock
        self._is = False

    def set(self) -> None:
        self._is = True

    def is_set(self) -> bool:
        return self._is

    def wait(self, timeout: float | None = None) -> bool:
        until = self._clock.now + (float("inf") if timeout is None else timeout)
        while not self._is and self._clock.now < until:
            self._clock.wait(min(0.05, until - self._clock.now))
        return self._is


def replacements(clock: Clockwork) -> dict[int, Any]:
    """What stands in place of what, by the id of the original."""

    def seconds() -> float:
        return clock.now

    def token_hex(nbytes: int = 32) -> str:
        return f"{clock.chance.getrandbits(8 * nbytes):0{2 * nbytes}x}"

    def shown() -> float:
        return clock.shown

    times = SimpleNamespace(
        **dict.fromkeys(_SECONDS, seconds) | {"time": shown},
        sleep=clock.wait,
    )
    threads = SimpleNamespace(
        Lock=lambda: Gate(clock),
        Event=lambda: _Event(clock),
        BoundedSemaphore=threading.BoundedSemaphore,
        Thread=threading.Thread,
        get_ident=threading.get_ident,
        local=threading.local,
    )
    moment = type("WorldMoment", (WorldMoment,), {"clock": clock})
    found = {
        id(time): times,
        id(threading): threads,
        id(secrets): SimpleNamespace(token_hex=token_hex),
        id(random): SimpleNamespace(uniform=clock.chance.uniform, random=clock.chance.random),
        id(datetime): moment,
        id(time.sleep): clock.wait,
        id(threading.Lock): threads.Lock,
        id(threading.Event): threads.Event,
    }
    for name in _SECONDS:
        found[id(getattr(time, name))] = seconds
    found[id(time.time)] = shown
    return found


@contextmanager
def in_place(clock: Clockwork) -> Iterator[None]:
    """Replace them in all modules of bot/ that are loaded, while the context lasts."""
    instead = replacements(clock)
    with ExitStack() as stack:
        for name, module in list(sys.modules.items()):
            if name.startswith(("bot.", "storage.")):
                _replace(module, instead, stack)
        yield


def _replace(module: ModuleType, instead: dict[int, Any], stack: ExitStack) -> None:
    for name, value in list(vars(module).items()):
        if id(value) in instead:
            stack.callback(setattr, module, name, value)
            setattr(module, name, instead[id(value)])
        elif isinstance(value, FunctionType) and value.__module__ == module.__name__:
            _replace_defaults(value, instead, stack)
        elif isinstance(value, type) and value.__module__ == module.__name__:
            for method in vars(value).values():
                if isinstance(method, FunctionType):
                    _replace_defaults(method, instead, stack)


def _replace_defaults(function: FunctionType, instead: dict[int, Any], stack: ExitStack) -> None:
    for name in ("__defaults__", "__kwdefaults__"):
        before = getattr(function, name)
        values = before.values() if isinstance(before, dict) else before or ()
        if any(id(value) in instead for value in values):
            stack.callback(setattr, function, name, before)
            fresh: Any = tuple(instead.get(id(value), value) for value in values)
            setattr(
                function,
                name,
                dict(zip(before, fresh, strict=True)) if isinstance(before, dict) else fresh,
            )
