"""The ports of the stores of files, LogSource and ImageStore, which hold bytes under names.

Every implementation turns its vendor's errors into those below. Their messages are for the admin:
they name the store and the file, never a secret.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable


class StorageError(Exception):
    """The store can't be reached or refuses; trying again later may help. `store` names the store
    for the log: a circuit breaker sets it, and it is empty for calls without one."""

    store = ""


class NotFound(StorageError):
    """There is no such file."""


class Conflict(StorageError):
    """The file is not at the revision the writer has read: read again, merge, write again."""


class Denied(StorageError):
    """The credentials are wrong, expired or lack a permission; trying again won't help."""


class Unavailable(StorageError):
    """The store has failed several times in a row and gets no calls for some seconds."""


class TooLarge(StorageError):
    """The file has more than LARGEST bytes, so it is not read."""

    def __init__(self, name: str, size: int) -> None:
        super().__init__(f"{name}: {too_large(size)}")
        self.size = size


class NewerSchema(StorageError):
    """The database was written by a newer version of this code, which alone can read it."""

    def __init__(self, found: int, known: int) -> None:
        super().__init__(
            f"DATABASE_URL: a newer Janroku has written this database (schema {found}, this version reads "
            f"up to {known}): start that version, or restore a backup into an empty database"
        )


IN_THE_WAY = "a folder stands where the file should, or a file where its folder should"
LARGEST = 16 << 20
"""The bytes of the largest file that is read. That is about 140,000 games, which take nine times as
many bytes in memory.
"""


def too_large(size: int, what: str = "") -> str:
    """Return the words for a file, or for `what`, of more bytes than the limit."""
    return f"{what}{size / (1 << 20):,.0f} MB, more than the {LARGEST >> 20} MB that are read"


FRESH = 5.0
"""The seconds for which the listing of a folder in the cloud may be reused."""

Clock = Callable[[], float]
Guard = Callable[[], AbstractContextManager[None]]
"""The context in which each external service is called: a circuit breaker, which may raise
Unavailable.
"""

LASTING = (NotFound, Conflict, Denied, TooLarge, NewerSchema)
"""The errors of a store that works: it has answered, and calling it again a moment later does not
help.
"""


@dataclass(frozen=True, slots=True)
class LogFile:
    """A file's bytes and the revision they were read at."""

    name: str
    rev: str
    data: bytes


class LogSource(Protocol):
    """A folder of small files: season logs, league.toml, teamlog.txt, charts and more. Names are
    relative paths with `/` (`charts/rating.png`). Hidden files (`.name`) and folders are left out.
    All methods raise StorageError when the store can't be reached, Denied when it refuses the
    credentials. A caller may reuse the result of `revisions` for `fresh` seconds: zero where a
    request costs next to nothing."""

    fresh: float

    def revisions(self) -> dict[str, str]:
        """The revision of each file at the top level, by name.

        Raises NotFound when the folder is missing.
        """

    def folders(self) -> set[str]:
        """The names of the folders at the top level. Raises as `revisions`."""

    def below(self, folder: str) -> list[str]:
        """The names of all files in and below a folder (`history`), sorted; none where it is
        missing.
        """

    def read(self, name: str) -> LogFile:
        """The file as it is now.

        Raises NotFound, and TooLarge before more than LARGEST bytes are read.
        """

    def write(self, name: str, data: bytes, rev: str | None) -> str:
        """Write the file, whole, and return its new revision. `rev` is the revision the bytes were
        made from, None for a new file. Raises Conflict when the file is at another one, or is there
        already."""

    def overwrite(self, name: str, data: bytes) -> str:
        """Write a file that has no other writers, such as a chart, and return its new revision."""

    def remove(self, name: str) -> None:
        """Remove the file, if it is there.

        For files without other writers, such as game records.
        """


class StoredImage(NamedTuple):
    """An image's bytes, its type as in Content-Type, and the name a browser saves it by."""

    data: bytes
    content_type: str
    file_name: str


class ImageStore(Protocol):
    """Images for phones: written once under a key made from their content, read by signed address.
    All methods but `url` raise StorageError when the store is out of reach, Denied when it refuses
    us. Two stores that are opened by one address hold the same images, as before and after a
    restart."""

    def put(self, key: str, data: bytes, content_type: str = "image/png") -> None:
        """Store the bytes under `key` (letters, digits, `-`, `_`, `.`, `/`), perhaps once more."""

    def has(self, key: str) -> bool:
        """Whether the store has the image; asks the store."""

    def url(self, key: str) -> str:
        """A signed https address (http on a loopback host) that expires; sends no request. Raises
        StorageError when there is no address that LINE would take."""

    def open(self, token: str) -> StoredImage:
        """An image by the token of its address. Raises NotFound when the token is altered or
        expired, the image is gone, or phones fetch images elsewhere."""

    def sweep(self, older_than: float) -> int:
        """Remove the images last put more than `older_than` seconds ago and return their number."""


@runtime_checkable
class ExpiringImages(Protocol):
    """An image store that can remove old images by itself."""

    def expire_after(self, days: int) -> bool:
        """Have the store remove images of more than `days` days; return whether that is new.

        Raises ValueError where the store holds other files that would be removed too.
        """
