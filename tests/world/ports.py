"""The stores as a process sees them: the ports in memory, behind calls that take time, fail, or are the last ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from storage.ports import FRESH, Changes, LogFile, StateRow
from tests.world.stores import FolderInMemory
from tests.world.world import World

_SHOWN = 60  # characters of a value in the trace


class StatePort:
    """A StateStore over the world's one."""

    def __init__(self, world: World) -> None:
        self._world, self._state = world, world.state

    def now(self) -> float:
        """See StateStore."""
        return self._state.now()

    def get(self, key: str) -> str | None:
        """See StateStore."""
        return self._world.stored(f"get {key}", lambda: self._state.get(key), write=False)

    def get_all(self, keys: Collection[str]) -> dict[str, str]:
        """See StateStore."""
        return self._world.stored(f"get {' '.join(keys)}", lambda: self._state.get_all(keys), write=False)

    def items(self, prefix: str, without: str | None = None) -> dict[str, str]:
        """See StateStore."""
        return self._world.stored(f"items {prefix}", lambda: self._state.items(prefix, without), write=False)

    def put(self, key: str, value: str, ttl: float | None = None) -> None:
        """See StateStore."""
        world = self._world

        def effect() -> None:
            self._state.put(key, value, ttl)
            if key.startswith("alive:"):
                world.signs[key.removeprefix("alive:")].append(world.clock.now)

        world.stored(f"put {key} = {value[:_SHOWN]}", effect)

    def put_all(self, values: Mapping[str, str], ttl: float | None = None) -> None:
        """See StateStore."""
        if values:
            self._world.stored(f"put {' '.join(values)}", lambda: self._state.put_all(values, ttl))

    def add(self, key: str, value: str, ttl: float | None = None) -> bool:
        """See StateStore."""
        return self._world.stored(f"add {key} = {value[:_SHOWN]}", lambda: self._state.add(key, value, ttl))

    def replace(self, key: str, old: str, new: str, ttl: float | None = None) -> bool:
        """See StateStore."""
        what = f"replace {key} = {new[:_SHOWN]} (was {old[:14]})"
        return self._world.stored(what, lambda: self._state.replace(key, old, new, ttl))

    def delete(self, key: str) -> None:
        """See StateStore."""
        self._world.stored(f"delete {key}", lambda: self._state.delete(key))

    def rows(self, prefix: str, after: str | None = None, most: int = 1000) -> list[StateRow]:
        """See StateStore."""
        return self._world.stored(
            f"rows {prefix}", lambda: self._state.rows(prefix, after, most), write=False
        )


class LogsPort:
    """A LogSource over a folder of the world."""

    fresh = FRESH

    def __init__(self, world: World, league: str) -> None:
        self._world, self._league = world, league
        self._folder: FolderInMemory = world.folder(league)

    def _call(self, what: str, effect: Callable[[], Any], write: bool) -> Any:
        return self._world.stored(f"{self._league}: {what}", effect, "logs", write)

    def changes(self, cursor: str | None = None) -> Changes:
        """See LogSource."""
        found: Changes = self._call("changes", lambda: self._folder.changes(cursor), False)
        return found

    def below(self, folder: str) -> list[str]:
        """See LogSource."""
        found: list[str] = self._call(f"below {folder}", lambda: self._folder.below(folder), False)
        return found

    def read(self, name: str) -> LogFile:
        """See LogSource."""
        found: LogFile = self._call(f"read {name}", lambda: self._folder.read(name), False)
        return found

    def write(self, name: str, data: bytes, rev: str | None) -> str:
        """See LogSource."""
        return str(self._call(f"write {name} at {rev}", lambda: self._folder.write(name, data, rev), True))

    def overwrite(self, name: str, data: bytes) -> str:
        """See LogSource."""
        return str(self._call(f"overwrite {name}", lambda: self._folder.overwrite(name, data), True))

    def remove(self, name: str) -> None:
        """See LogSource."""
        self._call(f"remove {name}", lambda: self._folder.remove(name), True)


class ImagesPort:
    """An ImageStore over the world's one."""

    def __init__(self, world: World) -> None:
        self._world, self._images = world, world.images

    def put(self, key: str, data: bytes, content_type: str = "image/png") -> None:
        """See ImageStore."""
        self._world.stored(f"put {key[:20]}", lambda: self._images.put(key, data, content_type), "images")

    def has(self, key: str) -> bool:
        """See ImageStore."""
        return self._world.stored(f"has {key[:20]}", lambda: self._images.has(key), "images", write=False)

    def url(self, key: str) -> str:
        """See ImageStore."""
        return self._images.url(key)

    def sweep(self, older_than: float) -> int:
        """See ImageStore."""
        return self._world.stored("sweep", lambda: self._images.sweep(older_than), "images")
