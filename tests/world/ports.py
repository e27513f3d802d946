"""The stores as a process sees them: in memory, behind calls that take time, fail, or are the last ones."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any

from sqlalchemy import Insert
from sqlalchemy.dialects import sqlite

from storage.database import Around, words_of
from storage.ports import FRESH, Changes, LogFile, StorageError
from storage.schema import LEASES, PROCESSES
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
        said = Said(what)
        lease = table is LEASES and "tenhou" in str(said)
        with around(what, write), world.around("state", said, StorageError, write, lease):
            yield
            if table is PROCESSES and isinstance(what, Insert):
                world.signs[world.process.owner].append(world.clock.now)

    database = copy(world.state.database)
    database._around = called
    return State(database)


class LogsPort:
    """A LogSource over a folder of the world."""

    fresh = FRESH

    def __init__(self, world: World, league: str) -> None:
        self._world, self._league = world, league
        self._folder: FolderInMemory = world.folder(league)

    def _call(self, what: str, effect: Callable[[], Any], write: bool) -> Any:
        return self._world.stored(f"{self._league}: {what}", effect, "logs", write)

    def changes(self, cursor: str | None = None) -> Changes:
        return self._call("changes", lambda: self._folder.changes(cursor), False)

    def below(self, folder: str) -> list[str]:
        return self._call(f"below {folder}", lambda: self._folder.below(folder), False)

    def read(self, name: str) -> LogFile:
        return self._call(f"read {name}", lambda: self._folder.read(name), False)

    def write(self, name: str, data: bytes, rev: str | None) -> str:
        return str(self._call(f"write {name} at {rev}", lambda: self._folder.write(name, data, rev), True))

    def overwrite(self, name: str, data: bytes) -> str:
        return str(self._call(f"overwrite {name}", lambda: self._folder.overwrite(name, data), True))

    def remove(self, name: str) -> None:
        self._call(f"remove {name}", lambda: self._folder.remove(name), True)


class ImagesPort:
    """An ImageStore over the world's one."""

    def __init__(self, world: World) -> None:
        self._world, self._images = world, world.images

    def put(self, key: str, data: bytes, content_type: str = "image/png") -> None:
        self._world.stored(f"put {key[:20]}", lambda: self._images.put(key, data, content_type), "images")

    def has(self, key: str) -> bool:
        return self._world.stored(f"has {key[:20]}", lambda: self._images.has(key), "images", write=False)

    def url(self, key: str) -> str:
        return self._images.url(key)

    def sweep(self, older_than: float) -> int:
        return self._world.stored("sweep", lambda: self._images.sweep(older_than), "images")

    def open(self, token: str) -> tuple[bytes, str, str]:
        return self._images.open(token)
