"""The stores as a process sees them: in memory, behind calls that take time, fail, or are the last
ones.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from sqlalchemy import BindParameter, Insert, Select
from sqlalchemy.dialects import sqlite
from sqlalchemy.sql import visitors

from storage.database import Around, words_of
from storage.ports import FRESH, Guard, StorageError
from storage.schema import LEASES, PROCESSES, VALUES
from storage.state import State
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
        begun = world.clock.now  # the time that a sign of life says, however long it takes
        with around(what, write), world.around("state", Said(what), StorageError, write, lease):
            yield
            if table is PROCESSES and isinstance(what, Insert):
                world.signs[world.process.owner].append((begun, world.clock.now))

    return State(world.state.database.called_through(called))


def _asks_for_last_round(what: Any) -> bool:
    """Whether a statement looks when Tenhou was asked last, which is kept among the small
    values.
    """
    if not isinstance(what, Select) or VALUES not in what.columns_clause_froms:
        return False
    parts = visitors.iterate(what.whereclause) if what.whereclause is not None else ()
    return any(isinstance(part, BindParameter) and part.value == "tenhou/round" for part in parts)


class LogsPort:
    """A LogSource over a folder of the world, each call through the process's own circuit
    breaker.
    """

    fresh = FRESH

    def __init__(
        self,
        world: World,
        service: str,
        name: str,
        store: Any,
        guard: Guard,
    ) -> None:
        """`name` is what the trace has before its calls."""
        self._world = world
        self._service = service
        self._name = name
        self._store = store
        self._guard = guard

    def __getattr__(self, method: str) -> Callable[..., Any]:
        def called(*given: Any) -> Any:
            what = " ".join(
                [f"{self._name}{method}", *(one for one in given if isinstance(one, str))]
            )
            write = method in ("write", "overwrite", "remove", "put", "sweep")
            effect = partial(getattr(self._store, method), *given)
            with self._guard():
                return self._world.call(self._service, what, effect, StorageError, write)

        return called


class ImagesPort(LogsPort):
    """The same over the ImageStore of the world."""

    def url(self, key: str) -> str:
        return str(self._store.url(key))
