"""The stores' three ports in memory: as plain as possible, and held by the ports' own contract
suites.
"""

import hashlib
import threading
from collections.abc import Callable, Iterator

from storage.addresses import checked_key
from storage.files import checked_name, is_name
from storage.ports import Conflict, LogFile, NotFound, StoredImage, TooLarge

Seen = Callable[[str, str, bytes | None, bytes], None]
"""Is told of a write: who wrote, the name, the bytes before (None: there was no file) and after."""


class FolderInMemory:
    """A LogSource. A revision is a number, and new for every write, as at Dropbox.

    `seen` is told of every write. `largest` is the limit of bytes read.
    """

    fresh = 0.0

    def __init__(
        self, seen: Seen = lambda who, name, before, after: None, largest: int = 16 << 20
    ) -> None:
        self.files: dict[str, LogFile] = {}
        self.seen = seen
        self._largest = largest
        self._number = 0
        self._lock = threading.Lock()

    def revisions(self) -> dict[str, str]:
        top = sorted(name for name in self.files if "/" not in name)
        return {name: self.files[name].rev for name in top}

    def folders(self) -> set[str]:
        return {name.partition("/")[0] for name in self.files if "/" in name}

    def below(self, folder: str) -> list[str]:
        inside = f"{checked_name(folder)}/"
        return sorted(name for name in self.files if name.startswith(inside))

    def read(self, name: str) -> LogFile:
        file = self.files.get(checked_name(name))
        if file is None:
            raise NotFound(f"{name}: no such file")
        if len(file.data) > self._largest:
            raise TooLarge(name, len(file.data))
        return file

    def write(self, name: str, data: bytes, rev: str | None) -> str:
        with self._lock:
            known = self.files.get(checked_name(name))
            if (known.rev if known else None) != rev:
                raise Conflict(f"{name}: changed by someone else meanwhile")
            if known is not None and known.data == data:
                return known.rev
            return self._set("service", name, data)

    def overwrite(self, name: str, data: bytes) -> str:
        with self._lock:
            return self._set("service", name, data)

    def remove(self, name: str) -> None:
        with self._lock:
            self.files.pop(checked_name(name), None)

    def put(self, name: str, data: bytes) -> None:
        """Write a file by hand. Hidden files are left out, as every store leaves them out."""
        if is_name(name):
            with self._lock:
                self._set("hand", name, data)

    def delete(self, name: str) -> None:
        """Remove a file by hand."""
        del self.files[name]

    def _set(self, who: str, name: str, data: bytes) -> str:
        parts = checked_name(name).split("/")
        above = {"/".join(parts[:n]) for n in range(1, len(parts))}
        below = [other for other in self.files if other.startswith(f"{name}/")]
        if below or above & self.files.keys():
            raise Conflict(
                f"{name}: a folder stands where the file should, or a file where a folder should"
            )
        before = self.files.get(name)
        self._number += 1
        self.files[name] = LogFile(name, f"{self._number:x}", data)
        self.seen(who, name, before.data if before else None, data)
        return self.files[name].rev


class ImagesInMemory:
    """An ImageStore whose addresses do not expire. `open` gives a picture by its address."""

    def __init__(self, clock: Callable[[], float], base: str = "https://pictures.example") -> None:
        self.clock = clock
        self._base = base
        self._pictures: dict[str, tuple[bytes, str, float]] = {}

    def put(self, key: str, data: bytes, content_type: str = "image/png") -> None:
        self._pictures[checked_key(key)] = (data, content_type, self.clock())

    def has(self, key: str) -> bool:
        return checked_key(key) in self._pictures

    def url(self, key: str) -> str:
        mark = hashlib.sha256(checked_key(key).encode()).hexdigest()[:8]
        return f"{self._base}/{mark}/{key}"

    def open(self, url: str) -> StoredImage:
        """Raises NotFound where there is no image at the address."""
        for key, (data, kind, _) in self._pictures.items():
            if self.url(key) == url:
                return StoredImage(data, kind, key)
        raise NotFound("there is no such picture")

    def sweep(self, older_than: float) -> int:
        until = self.clock() - older_than
        gone = [key for key, (_, _, stored) in self._pictures.items() if stored < until]
        for key in gone:
            del self._pictures[key]
        return len(gone)

    def keys(self) -> Iterator[str]:
        return iter(list(self._pictures))
