"""Read Tenhou's daily room results: the index of files, the packed file, its lines by room.

The forms of the index and of a line are from https://tenhou.net/sc/raw/. What comes is not trusted: unpacked
sizes are bounded, and whatever has another form raises TenhouError.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from gettext import gettext as _

from bot.tenhou.errors import TenhouError, excerpt

PLAIN_BYTES = 32 << 20  # a day's file unpacked
_LIST = re.compile(r"\s*list\(\[(.*)\]\)\s*(?:;\s*)?", re.DOTALL)
_ENTRY = re.compile(r"\s*\{\s*file:\s*'([^'\\]*)'\s*,\s*size:\s*([0-9]{1,12})\s*\}\s*(?:,|$)")
_RESULTS = re.compile(r"(?:[0-9]{4}/)?sca([0-9]{8})\.log\.gz")
_ROOM_LINE = re.compile(rb"([LC][0-9]{4}) *\|")


@dataclass(frozen=True, slots=True)
class ResultsFile:
    """One day of private-room results in the index: its path under `/sc/raw/dat/`, and its packed size in
    bytes."""

    day: date
    path: str
    size: int

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]


def parse_index(text: str, old: bool = False) -> list[ResultsFile]:
    """Return the files of private rooms in an index, by day. `old`: the year's older files, in a folder of
    the year.

    Raises TenhouError when the index has another form than `list([{file:'…',size:N},…]);`.
    """
    found = _LIST.fullmatch(text)
    if not found:
        raise TenhouError(
            _("Tenhou's index is in a form Janroku does not know: {words}").format(words=excerpt(text))
        )
    files: dict[date, ResultsFile] = {}
    position, body = 0, found[1].rstrip()
    while position < len(body):
        entry = _ENTRY.match(body, position)
        if not entry:
            raise TenhouError(
                _("Tenhou's index holds an entry in a new form: {words}").format(
                    words=excerpt(body[position:])
                )
            )
        position = entry.end()
        if file := _results_file(entry[1], int(entry[2]), old):
            files[file.day] = file
    return [files[day] for day in sorted(files)]


def _results_file(path: str, size: int, old: bool) -> ResultsFile | None:
    """Return the entry as a day of private-room results, or None for Tenhou's other files."""
    found = _RESULTS.fullmatch(path)
    if not found:
        return None
    try:
        day = datetime.strptime(found[1], "%Y%m%d").date()  # noqa: DTZ007 (a date, not a moment)
    except ValueError:
        raise TenhouError(
            _("Tenhou's index names a day that doesn't exist: {path}").format(path=path)
        ) from None
    return ResultsFile(day, f"{day.year}/{path}" if old and "/" not in path else path, size)


def unpack(name: str, data: bytes, limit: int = PLAIN_BYTES) -> bytes:
    """Return what a gzip file holds, in all its members.

    Raises TenhouError when it is no gzip file, is cut off, or holds more than `limit` bytes.
    """
    if not data.startswith(b"\x1f\x8b"):
        raise TenhouError(
            _("{name} is no gzip file; it begins with {words}").format(
                name=name, words=excerpt(data.decode("utf-8", "replace"))
            )
        )
    result = bytearray()
    while data:
        member = zlib.decompressobj(wbits=31)
        try:
            result += member.decompress(data, limit + 1 - len(result))
        except zlib.error as error:
            raise TenhouError(_("{name} is damaged: {error}").format(name=name, error=error)) from None
        if len(result) > limit:
            raise TenhouError(
                _("{name} holds more than {megabytes} MB when unpacked: not read").format(
                    name=name, megabytes=limit >> 20
                )
            )
        if not member.eof:
            raise TenhouError(_("{name} is cut off in the middle").format(name=name))
        data = member.unused_data.lstrip(b"\0")
    return bytes(result)


Numbered = list[tuple[int, bytes]]  # lines, each with its index in the file


def by_room(name: str, text: bytes) -> dict[str, Numbered]:
    """Return a day's lines unchanged, by room. Raises TenhouError when no line is of the known form."""
    rooms: dict[str, Numbered] = {}
    first = b""
    for number, line in enumerate(text.removeprefix(b"\xef\xbb\xbf").splitlines()):
        first = first or line.strip()
        if found := _ROOM_LINE.match(line):
            rooms.setdefault(found[1].decode(), []).append((number, line))
    if first and not rooms:
        raise TenhouError(
            _("{name} holds no line of the known form; it begins with {words}").format(
                name=name, words=excerpt(first.decode("utf-8", "replace"))
            )
        )
    return rooms


def lines_in(rooms: Mapping[str, Numbered], wanted: Collection[str]) -> list[bytes]:
    """Return the lines of the wanted rooms, in the file's order."""
    if len(wanted) == 1:
        return [line for room in wanted for _, line in rooms.get(room, ())]
    return [line for _, line in sorted(entry for room in set(wanted) for entry in rooms.get(room, ()))]
