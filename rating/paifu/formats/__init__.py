"""The formats of game records, and the one place that knows which there are.

A format is a module of this folder with the names of `RecordFormat`, and a line in FORMATS.
Everybody else calls `parse`, which finds the format by the bytes, or asks `is_record_name` about the
name of a file.

A format sees plain bytes, as `unpack` has taken gzip away and checked the size. A record that is
pasted as text is given as its UTF-8 bytes. One file is one game: an archive of several is opened by
whoever receives it.
"""

from collections.abc import Set
from dataclasses import replace
from itertools import chain
from typing import Protocol

from rating.paifu.formats import mjlog, tenhou6
from rating.paifu.formats.packing import PACKED_ENDING, PLAIN_LIMIT, Unpacked, is_packed, unpack
from rating.paifu.record import Record
from rating.paifu.tiles import PaifuError

MOST_BYTES = PLAIN_LIMIT  # the largest file that `parse` accepts
HEAD_BYTES = 1024  # the beginning of a file, by which a file of a folder is judged


class RecordFormat(Protocol):
    """What a module of a format defines."""

    @property
    def ENDINGS(self) -> tuple[str, ...]:
        """The endings (".mjlog") of files that are records of this format, whoever sends them."""

    @property
    def FOLDER_ENDINGS(self) -> tuple[str, ...]:
        """Endings that other programs use too. Such files are read in a folder of records."""

    def recognises(self, data: bytes) -> bool:
        """Whether the bytes are in this format. Called for every file, also with the first
        HEAD_BYTES alone; never raises."""

    def read(self, data: bytes) -> Record:
        """The record in the bytes. A fault inside a round drops that round and adds a line to
        `Record.problems`; the others have passed `table.check`. Raises PaifuError, with a message
        of one line, when no round can be read."""

    def rename_player(self, data: bytes, names: Set[str], new: str) -> bytes:
        """The bytes with the name `new` for a player who has one of these canonical names."""


FORMATS: tuple[RecordFormat, ...] = (mjlog, tenhou6)


def parse(data: bytes) -> Record:
    """The record in the bytes of a file, gzipped or not, in any format. Raises PaifuError when no
    round can be read. Each round of the record has passed `table.check`: discards and winning hands
    agree."""
    unpacked = unpack(data)
    record = _known_format(unpacked).read(unpacked.data)
    if unpacked.problem:
        return replace(record, problems=(*record.problems, unpacked.problem))
    return record


def rename_player(data: bytes, names: Set[str], new: str) -> bytes:
    """The plain bytes of a file, gzipped or not, with the name `new` for a player who has one of
    these canonical names. Raises PaifuError for bytes in no known format."""
    unpacked = unpack(data)
    return _known_format(unpacked).rename_player(unpacked.data, names, new)


def _known_format(unpacked: Unpacked) -> RecordFormat:
    record_format = _format_of(unpacked.data)
    if record_format is None:
        raise PaifuError(unpacked.problem or "not a game record in a known format")
    return record_format


def recognises(data: bytes) -> bool:
    """Whether plain bytes are in a known format. The first HEAD_BYTES of a file are enough."""
    return _format_of(data) is not None


def may_be_record(head: bytes) -> bool:
    """Whether a file that begins with these HEAD_BYTES may be a record: gzipped, or in a known
    format."""
    return is_packed(head) or recognises(head)


def _format_of(data: bytes) -> RecordFormat | None:
    return next((known for known in FORMATS if known.recognises(data)), None)


def is_record_name(name: str) -> bool:
    """Whether a file of this name is a record, gzipped or not.

    >>> is_record_name("game.MJLOG"), is_record_name("game.mjlog.gz"), is_record_name("photo.zip")
    (True, True, False)
    """
    return name.casefold().removesuffix(PACKED_ENDING).endswith(shown_endings())


def is_packed_name(name: str) -> bool:
    """Whether a file of this name is gzipped, and so may be a record.

    >>> is_packed_name("game.gz")
    True
    """
    return name.casefold().endswith(PACKED_ENDING)


def may_be_record_name(name: str) -> bool:
    """Whether a file of this name may be a record where it is in a folder of records.

    >>> may_be_record_name("game.log")
    True
    """
    folder_endings = tuple(chain.from_iterable(known.FOLDER_ENDINGS for known in FORMATS))
    return is_record_name(name) or name.casefold().endswith((PACKED_ENDING, *folder_endings))


def shown_endings() -> tuple[str, ...]:
    """The endings of all formats, in the order in which they are shown to users.

    >>> shown_endings()[:2]
    ('.mjlog', '.xml')
    """
    return tuple(chain.from_iterable(known.ENDINGS for known in FORMATS))
