"""The stores as a process sees them: in memory, behind calls that take time, fail, or are the last ones."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from functools import partial
from typing import Any

from sqlalchemy import BindParameter, Insert, Select
from sqlalchemy.dialects import sqlite
from sqlalchemy.sql import visitors

from storage.database import Around, Guard, words_of
from storage.ports import FRESH, StorageError
from storage.schema import LEASES, PROCESSES, VALUES
from storage.state import State
from tests.world.stores import FolderInMemory
from tests.world.world import World

_DIALECT = sqlite.dialect()
_SHOWN = 60  # characters of a value in the trace


class Said:
    """A call of the database as the trace shows it, made into text only where it is printed."""

    def __init__(self, what: Any) -> None:
        self._what = what

    def __str__(self) -> str:
        if isinstance(self._what, str):
            return self._what
        named = self._what.compile(dialect=_DIALECT).params.items()
        values = [f"{name}={value!s:.{_SHOWN}}" for name, value in named if value not in (None, "")]
        return " ".join([words_of(self._what), *values])


def state_port(world: World, around: Around) -> State:
    """The world's state as a process sees it. `around` is the process's own circuit breaker."""

    @contextmanager
    def called(what: Any, write: bool) -> Iterator[None]:
        table = getattr(what, "table", None)
        lease = table is LEASES or _asks_for_last_round(what)
        with around(what, write), world.around("state", Said(what), StorageError, write, lease):
            yield
            if table is PROCESSES and isinstance(what, Insert):
                world.signs[world.process.owner].append(world.clock.now)

    database = copy(world.state.database)
    database._around = called
    return State(database)


def _asks_for_last_round(what: Any) -> bool:
    """Whether a statement looks when Tenhou was asked last, which is kept among the small values."""
    if not isinstance(what, Select) or VALUES not in what.columns_clause_froms:
        return False
    parts = visitors.iterate(what.whereclause) if what.whereclause is not None else ()
    return any(isinstance(part, BindParameter) and part.value == "tenhou/round" for part in parts)


class LogsPort:
    """A LogSource over a folder of the world, each call through the process's own circuit breaker."""

    fresh = FRESH

    def __init__(self, world: World, league: str, guard: Guard) -> None:
        self._world, self._league, self._guard = world, league, guard
        self._folder: FolderInMemory = world.folder(league)

    def __getattr__(self, method: str) -> Callable[..., Any]:
        def called(*given: Any) -> Any:
            what = " ".join([f"{self._league}: {method}", *(one for one in given if isinstance(one, str))])
            write = method in ("write", "overwrite", "remove")
            with self._guard():
                effect = partial(getattr(self._folder, method), *given)
                return self._world.call("logs", what, effect, StorageError, write)

        return called


class ImagesPort:
    """An ImageStore over the world's one, each call through the process's own circuit breaker."""

    def __init__(self, world: World, guard: Guard) -> None:
        self._world, self._images, self._guard = world, world.images, guard

    def put(self, key: str, data: bytes, content_type: str = "image/png") -> None:
        self._stored(f"put {key[:20]}", lambda: self._images.put(key, data, content_type))

    def has(self, key: str) -> bool:
        return self._stored(f"has {key[:20]}", lambda: self._images.has(key), write=False)

    def url(self, key: str) -> str:
        return self._images.url(key)

    def sweep(self, older_than: float) -> int:
        return self._stored("sweep", lambda: self._images.sweep(older_than))

    def open(self, token: str) -> tuple[bytes, str, str]:
        return self._images.open(token)

    def _stored(self, what: str, effect: Callable[[], Any], write: bool = True) -> Any:
        with self._guard():
            return self._world.call("images", what, effect, StorageError, write)
