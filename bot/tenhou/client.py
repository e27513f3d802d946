"""Tenhou's room results and game records over HTTP, politely: what is asked for, and what may come back.

Its manners (FACTS.md): one connection, .gz files only, redirects followed, and a User-Agent that says who asks. When to
ask, and for which files, is `bot.tenhou.throttle`' part. Nothing here trusts what comes: sizes are bounded while reading, other
hosts are never asked, and whatever can't be used ends in one line for the admin.
"""

from __future__ import annotations

import re
import time
import zlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from types import TracebackType
from typing import Any, Self
from urllib.parse import SplitResult, urljoin, urlsplit

USER_AGENT = "Janroku/0.1 (LINE bot of a private mahjong league; reads only its own room's results)"
TIMEOUT = (5.0, 30.0)  # seconds to connect, and between two pieces of an answer
PATIENCE = 120.0  # seconds for one whole answer
REDIRECTS = 5
INDEX_BYTES = 4 << 20
PACKED_BYTES = 4 << 20  # a day's file; 36 KB in 2018
PLAIN_BYTES = 32 << 20
RECORD_BYTES = 2 << 20  # a game record; a long game has 100 KB

_LIST = re.compile(r"\s*list\(\[(.*)\]\)\s*;?\s*", re.DOTALL)
_ENTRY = re.compile(r"\s*\{\s*file:\s*'([^'\\]*)'\s*,\s*size:\s*([0-9]{1,12})\s*\}\s*(?:,|$)")
_RESULTS = re.compile(r"(?:[0-9]{4}/)?sca([0-9]{8})\.log\.gz")
_ROOM_LINE = re.compile(rb"([LC][0-9]{4}) *\|")
_PIECE = 1 << 16


class TenhouError(OSError):
    """Tenhou can't be reached, or what it sent can't be used; one line for the admin."""


class NotThere(TenhouError):
    """Tenhou answers, and has no such file."""


class Away(TenhouError):
    """Tenhou can't be reached, takes too long, or says that it can't or won't answer."""


@dataclass(frozen=True, slots=True)
class ResultsFile:
    """One day of private-room results as the index lists it: the path under `/sc/raw/dat/`, and bytes when packed."""

    day: date
    path: str
    size: int

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]


def parse_index(text: str, old: bool = False) -> list[ResultsFile]:
    """The files of private rooms in an index, by day. `old`: the year's older files, kept in a folder of the year.

    TenhouError where the index has another form than `list([{file:'…',size:N},…]);`.
    """
    found = _LIST.fullmatch(text)
    if not found:
        raise TenhouError(f"Tenhou's index is in a form Janroku does not know: {_start(text)}")
    files: dict[date, ResultsFile] = {}
    position, body = 0, found[1].rstrip()
    while position < len(body):
        entry = _ENTRY.match(body, position)
        if not entry:
            raise TenhouError(f"Tenhou's index holds an entry in a new form: {_start(body[position:])}")
        position = entry.end()
        if file := _results_file(entry[1], int(entry[2]), old):
            files[file.day] = file
    return [files[day] for day in sorted(files)]


def _results_file(path: str, size: int, old: bool) -> ResultsFile | None:
    """The entry as a day of private-room results, None for Tenhou's other files."""
    found = _RESULTS.fullmatch(path)
    if not found:
        return None
    try:
        day = datetime.strptime(found[1], "%Y%m%d").date()  # noqa: DTZ007 (a date, not a moment)
    except ValueError:
        raise TenhouError(f"Tenhou's index names a day that doesn't exist: {path}") from None
    return ResultsFile(day, f"{day.year}/{path}" if old and "/" not in path else path, size)


def unpack(name: str, data: bytes, limit: int = PLAIN_BYTES) -> bytes:
    """What a gzip file holds (all its members); TenhouError where it is none, is cut off, or holds more than `limit`."""
    if not data.startswith(b"\x1f\x8b"):
        raise TenhouError(f"{name} is no gzip file; it begins with {_start(data.decode('utf-8', 'replace'))}")
    result = bytearray()
    while data:
        member = zlib.decompressobj(wbits=31)
        try:
            result += member.decompress(data, limit + 1 - len(result))
        except zlib.error as error:
            raise TenhouError(f"{name} is damaged: {error}") from None
        if len(result) > limit:
            raise TenhouError(f"{name} holds more than {limit >> 20} MB when unpacked: not read")
        if not member.eof:
            raise TenhouError(f"{name} is cut off in the middle")
        data = member.unused_data.lstrip(b"\0")
    return bytes(result)


Numbered = list[tuple[int, bytes]]  # lines, and where they stand in their file


def by_room(name: str, text: bytes) -> dict[str, Numbered]:
    """A day's lines as they stand, by room; TenhouError where no line is of the known form."""
    rooms: dict[str, Numbered] = {}
    first = b""
    for number, line in enumerate(text.removeprefix(b"\xef\xbb\xbf").splitlines()):
        first = first or line.strip()
        if found := _ROOM_LINE.match(line):
            rooms.setdefault(found[1].decode(), []).append((number, line))
    if first and not rooms:
        raise TenhouError(
            f"{name} holds no line of the known form; it begins with {_start(first.decode('utf-8', 'replace'))}"
        )
    return rooms


def lines_in(rooms: Mapping[str, Numbered], wanted: Collection[str]) -> list[bytes]:
    """The lines of the wanted rooms, in the file's order."""
    if len(wanted) == 1:
        return [line for room in wanted for _, line in rooms.get(room, ())]
    return [line for _, line in sorted(entry for room in set(wanted) for entry in rooms.get(room, ()))]


def lines_of(name: str, text: bytes, rooms: Collection[str]) -> list[bytes]:
    """The lines of these rooms in a day's results; TenhouError where no line is of the known form."""
    return lines_in(by_room(name, text), rooms)


class Tenhou:
    """A client that holds one connection. Close it, or use it in a `with`."""

    def __init__(
        self,
        url: str = "https://tenhou.net",
        clock: Callable[[], float] = time.monotonic,
        patience: float = PATIENCE,
    ) -> None:
        import requests  # here, so that web processes that never ask Tenhou don't load it
        from urllib3.exceptions import HTTPError

        self._errors = (requests.RequestException, HTTPError, OSError, ValueError)
        self._url = url.rstrip("/")
        self._home = urlsplit(self._url)
        self._clock, self._patience = clock, patience
        self._timeout = (TIMEOUT[0], min(TIMEOUT[1], patience))
        self._session = requests.Session()
        self._session.headers.update({"User-Agent": USER_AGENT, "Accept-Encoding": "identity"})
        adapter = requests.adapters.HTTPAdapter(pool_connections=1, pool_maxsize=1, pool_block=True)
        for scheme in ("http://", "https://"):
            self._session.mount(scheme, adapter)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Hang up."""
        self._session.close()

    def index(self, old: bool = False) -> list[ResultsFile]:
        """The days Tenhou lists: the last week's, or with `old` the older ones of this year."""
        data = self._get("/sc/raw/list.cgi" + "?old" * old, INDEX_BYTES)
        files = parse_index(data.decode("utf-8", "replace"), old)
        if not files and not old:
            raise TenhouError("Tenhou's index lists no file of private rooms (sca….log.gz)")
        return files

    def results(self, file: ResultsFile) -> bytes:
        """A day's results as plain text."""
        text = unpack(file.name, self._get(f"/sc/raw/dat/{file.path}", PACKED_BYTES))
        if text.lstrip()[:1] == b"<":
            raise TenhouError(
                f"{file.name} holds a page instead of results: {_start(text.decode('utf-8', 'replace'))}"
            )
        return text

    def record(self, record_id: str) -> bytes:
        """The game record with this id, as XML; ValueError for what is no id."""
        from bot.tenhou.paifu_fetcher import is_record_id

        if not is_record_id(record_id):
            raise ValueError(f"not the id of a game record: {record_id[:80]!r}")
        data = self._get(f"/0/log/?{record_id}", RECORD_BYTES)
        if data.startswith(b"\x1f\x8b"):
            data = unpack(record_id, data, 8 * RECORD_BYTES)
        if not data.lstrip(b"\xef\xbb\xbf \r\n").startswith((b"<mjloggm", b"<?xml")):
            raise NotThere(f"Tenhou has no game record {record_id}")
        return data

    def _get(self, path: str, limit: int) -> bytes:
        """The answer's bytes as sent, redirects followed to hosts that may be asked."""
        url = self._url + path
        give_up = self._clock() + self._patience
        try:
            for _ in range(REDIRECTS + 1):
                with self._session.get(
                    url, stream=True, timeout=self._timeout, allow_redirects=False
                ) as answer:
                    if not answer.is_redirect:
                        return self._read(answer, path, limit, give_up)
                    url = urljoin(url, answer.headers["Location"])
                if not _may_ask(self._home, urlsplit(url)):
                    raise TenhouError(f"Tenhou sends us on to {_start(url)}: not followed")
        except TenhouError:
            raise
        except self._errors as error:
            raise Away(f"Tenhou can't be reached for {path}: {_cause(error)}") from error
        raise TenhouError(f"Tenhou sends us on more than {REDIRECTS} times for {path}")

    def _read(self, answer: Any, path: str, limit: int, give_up: float) -> bytes:
        if answer.status_code != 200:
            raise _kind(answer.status_code)(f"Tenhou answers {answer.status_code} for {path}")
        data = bytearray()
        for piece in answer.raw.stream(_PIECE, decode_content=False):
            data += piece
            if len(data) > limit:
                raise TenhouError(f"{path} has more than {limit >> 20} MB: not read")
            if self._clock() > give_up:
                raise Away(f"{path} takes more than {self._patience:.0f} seconds: given up")
        expected = answer.headers.get("Content-Length", "")
        if expected.isdecimal() and int(expected) != len(data):
            raise TenhouError(f"{path} is cut off: {len(data)} of {expected} bytes came")
        return bytes(data)


def _kind(status: int) -> type[TenhouError]:
    if status in (404, 410):
        return NotThere
    return Away if status >= 500 or status in (403, 429) else TenhouError


def _may_ask(home: SplitResult, target: SplitResult) -> bool:
    """Whether a redirect stays at home: the same host and port, or Tenhou's own hosts; never from https to http."""
    if target.scheme not in ("http", "https") or (home.scheme, target.scheme) == ("https", "http"):
        return False
    host = target.hostname or ""
    if home.hostname == "tenhou.net" and (host == "tenhou.net" or host.endswith(".tenhou.net")):
        return target.port in (None, 80, 443)
    return (host, target.port) == (home.hostname, home.port) and not target.username


def _cause(error: BaseException) -> str:
    """The innermost reason in a few words, without memory addresses."""
    text = str(error.args[0]) if error.args else type(error).__name__
    return re.sub(r"<[^>]* at 0x[0-9a-f]+>:?\s*", "", text)[:200]


def _start(text: str) -> str:
    return repr(text.strip()[:80])
