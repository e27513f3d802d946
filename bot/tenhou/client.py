"""Read Tenhou's room results and game records over HTTP, and find the addresses of records in
pasted text.

Tenhou has rules (https://tenhou.net/sc/raw/, which also describes the index and the lines): one
connection, .gz files only, redirects followed, and a User-Agent that names the client.
`bot.tenhou.throttle` decides when to send requests. Answers are not trusted: sizes are bounded
while reading and unpacking, no request goes to another host, and unusable answers raise
TenhouError.
"""

import re
import time
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from gettext import gettext as _
from typing import Any, NamedTuple, Self
from urllib.parse import SplitResult, urljoin, urlsplit

from bot.runtime import metrics
from rating.paifu.formats import recognises
from rating.room_id import RoomId

USER_AGENT = "Janroku/0.1 (LINE bot of a private mahjong league; reads only its own room's results)"
CONNECT_TIMEOUT = 5.0  # seconds
READ_TIMEOUT = 30.0  # seconds between two pieces of an answer
PATIENCE = 120.0  # seconds for one whole answer
REDIRECTS = 5
INDEX_BYTES = 4 << 20
PACKED_BYTES = 4 << 20  # a day's file; 36 KB in 2018
PLAIN_BYTES = 32 << 20  # a day's file unpacked
PAIFU_BYTES = 2 << 20  # a game record; a long game has 100 KB
ROOM_BYTES = 4 << 20  # a room's own rows; a long evening has 50 KB
ROOM = "/cs/edit/cmd_{}.cgi"  # commands of a room's management page
_PIECE = 1 << 16
_GZIP = b"\x1f\x8b"  # how a gzip file begins
_GZIP_WBITS = 31  # zlib: the largest window, with a gzip header
_LIST = re.compile(r"\s*list\(\[(?P<entries>.*)\]\)\s*(?:;\s*)?", re.DOTALL)
_ENTRY = re.compile(
    r"\s*\{\s*file:\s*'(?P<path>[^'\\]*)'\s*,\s*size:\s*(?P<size>[0-9]{1,12})\s*\}\s*(?:,|$)"
)
_RESULTS = re.compile(r"(?:[0-9]{4}/)?sca(?P<day>[0-9]{8})\.log\.gz")
_ROOM_LINE = re.compile(rb"(?P<room>[LC][0-9]{4}) *\|")
_ID = r"[0-9]{10}gm-[0-9a-f]{4}-[0-9]{4,5}-[0-9a-f]{8}"
_BARE_ID = re.compile(
    rf"(?<![0-9A-Za-z_=/-])(?P<id>{_ID})(?![0-9A-Za-z-])(?:&tw=(?P<seat>[0-3])(?![0-9]))?"
)
_HOST = r"(?<![0-9A-Za-z.:@/_-])(?:https?://)?tenhou\.net"
_VIEWER_ADDRESS = re.compile(rf"{_HOST}/[0-9]/\?(?P<query>[^\s#]*)", re.IGNORECASE)
_DOWNLOAD_ADDRESS = re.compile(
    rf"{_HOST}/[0-9]/log/(?:find\.cgi)?\?(?:log=)?(?P<id>{_ID})(?![0-9A-Za-z-])"
)
_ID_OPTION = re.compile(rf"(?:^|&)log=(?P<id>{_ID})(?![0-9A-Za-z-])")
_SEAT_OPTION = re.compile(r"(?:^|&|;)tw=(?P<seat>[0-3])(?![0-9])")


class NumberedLine(NamedTuple):
    """A line of a day's file, with its index there."""

    number: int
    text: bytes


Lines = list[NumberedLine]


class TenhouError(OSError):
    """Tenhou cannot be reached, or its answer can't be used: a message of one line for the admin,
    filled in with `values`.
    """

    def __init__(self, line: str, **values: object) -> None:
        if values:
            line = line.format(**values)
        super().__init__(line)


class TenhouNotFound(TenhouError):
    """Tenhou answers that it has no such file."""


class TenhouUnreachable(TenhouError):
    """Tenhou cannot be reached, takes too long, or answers that it can't or won't serve us."""


def note_failure(error: Exception) -> None:
    """Count the error in the metrics when it means that Tenhou could not be reached."""
    if isinstance(error, TenhouUnreachable):
        metrics.count("outside_errors", service="tenhou")


class TenhouBusy(TenhouError):
    """No request was sent: another request of ours is running, or requests to Tenhou are paused."""


@dataclass(frozen=True, slots=True)
class ResultsFile:
    """One day of private-room results in the index: its path under `/sc/raw/dat/`, and its packed
    bytes.
    """

    day: date
    path: str
    size: int

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]


class TenhouClient:
    """A client with one connection. Close it, or use it in a `with`. `patience` is the seconds
    for one whole answer. Its methods raise TenhouError."""

    def __init__(
        self,
        url: str = "https://tenhou.net",
        clock: Callable[[], float] = time.monotonic,
        patience: float = PATIENCE,
    ) -> None:
        import requests  # here: web processes without requests to Tenhou do not load it
        from urllib3.exceptions import HTTPError

        self._errors = (requests.RequestException, HTTPError, OSError, ValueError)
        self._url = url.rstrip("/")
        self._clock = clock
        self._patience = patience
        self._timeout = (CONNECT_TIMEOUT, min(READ_TIMEOUT, patience))
        self._session = requests.Session()
        self._session.headers.update({"User-Agent": USER_AGENT, "Accept-Encoding": "identity"})
        adapter = requests.adapters.HTTPAdapter(pool_connections=1, pool_maxsize=1, pool_block=True)
        self._manager = adapter.poolmanager
        for scheme in ("http://", "https://"):
            self._session.mount(scheme, adapter)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection at once; urllib3 by itself keeps it open until the last answer is
        released.
        """
        pools = self._manager.pools
        for key in pools.keys():  # noqa: SIM118 (no mapping: it can't be iterated)
            pools[key].close()
        self._session.close()

    def index(self, old: bool = False) -> list[ResultsFile]:
        """Return the days in Tenhou's index: the last week's, or with `old` the older ones of this
        year.
        """
        path = "/sc/raw/list.cgi"
        if old:
            path += "?old"
        data = self._get(path, INDEX_BYTES)
        files = parse_index(data.decode("utf-8", "replace"), old)
        if not files and not old:
            raise TenhouError(_("Tenhou's index lists no file of private rooms (sca….log.gz)"))
        return files

    def results(self, file: ResultsFile) -> bytes:
        text = unpack(file.name, self._get(f"/sc/raw/dat/{file.path}", PACKED_BYTES))
        if text.lstrip()[:1] == b"<":
            raise TenhouError(
                _("{name} holds a page instead of results: {words}"),
                name=file.name,
                words=_excerpt(text),
            )
        return text

    def answers(self) -> None:
        """Request the headers of the first page. Raises TenhouUnreachable if Tenhou does not answer
        as it should.
        """
        try:
            answer = self._session.head(
                f"{self._url}/", timeout=self._timeout, allow_redirects=False
            )
        except self._errors as error:
            raise TenhouUnreachable(f"Tenhou can't be reached: {_cause(error)}") from None
        if answer.status_code in (404, 502, 503, 504):
            raise TenhouUnreachable(f"Tenhou answers {answer.status_code}")

    def paifu(self, paifu_id: str) -> bytes:
        """Return the game record with this id, as XML. Raises ValueError for a malformed id."""
        if not is_paifu_id(paifu_id):
            raise ValueError(_("not the id of a game record: {id!r}").format(id=paifu_id[:80]))
        data = self._get(f"/0/log/?{paifu_id}", PAIFU_BYTES)
        if data.startswith(_GZIP):
            data = unpack(paifu_id, data, 8 * PAIFU_BYTES)
        if not recognises(data):
            raise TenhouNotFound(_("Tenhou has no game record {id}"), id=paifu_id)
        return data

    def room_log(self, room: RoomId, since: datetime) -> str:
        return self.room("get_log", room, f"&T={since:%Y/%m/%d %H:%M:%S}")

    def room(self, command: str, room: RoomId, fields: str = "") -> str:
        """Return a room's answer to a command of its management page, whose body is not
        percent-encoded. The body contains the room's secret, so no redirect is followed, and error
        messages contain nothing of it."""
        path = ROOM.format(command)
        form = {"Content-Type": "text/plain"}
        body = f"L={room.text}{fields}".encode()
        with (
            self._reaching(path) as give_up,
            self._request("POST", self._url + path, data=body, headers=form) as answer,
        ):
            if 300 <= answer.status_code < 400:
                raise TenhouError(_("Tenhou sends the request on to another address: not followed"))
            return self._read(answer, path, ROOM_BYTES, give_up).decode("utf-8", "replace")

    def _get(self, path: str, limit: int) -> bytes:
        """Return the answer's bytes as sent. Redirects are followed to permitted hosts only."""
        url = self._url + path
        with self._reaching(path) as give_up:
            for _hop in range(REDIRECTS + 1):
                with self._request("GET", url) as answer:
                    if not answer.is_redirect:
                        return self._read(answer, path, limit, give_up)
                    url = urljoin(url, answer.headers["Location"])
                if not _may_follow(urlsplit(self._url), urlsplit(url)):
                    raise TenhouError(
                        _("Tenhou sends us on to {url}: not followed"), url=_excerpt(url)
                    )
        raise TenhouError(
            _("Tenhou sends us on more than {redirects} times for {path}"),
            redirects=REDIRECTS,
            path=path,
        )

    def _request(self, method: str, url: str, **body: Any) -> Any:
        options: dict[str, Any] = {
            "stream": True,
            "timeout": self._timeout,
            "allow_redirects": False,
        }
        return self._session.request(method, url, **options, **body)

    @contextmanager
    def _reaching(self, path: str) -> Iterator[float]:
        """Yield the time to give up at. Errors of the connection become TenhouUnreachable."""
        try:
            yield self._clock() + self._patience
        except TenhouError:
            raise
        except self._errors as error:
            raise TenhouUnreachable(
                _("Tenhou can't be reached for {path}: {error}"), path=path, error=_cause(error)
            ) from None

    def _read(self, answer: Any, path: str, limit: int, give_up: float) -> bytes:
        """Return the body of an answer, of at most `limit` bytes."""
        _check_status(answer.status_code, path)
        data = bytearray()
        for piece in answer.raw.stream(_PIECE, decode_content=False):
            data += piece
            if len(data) > limit:
                raise TenhouError(
                    _("{path} has more than {megabytes} MB: not read"),
                    path=path,
                    megabytes=limit >> 20,
                )
            if self._clock() > give_up:
                line = _("{path} takes more than {seconds:.0f} seconds: given up")
                raise TenhouUnreachable(line, path=path, seconds=self._patience)
        expected = answer.headers.get("Content-Length", "")
        if expected.isdecimal() and int(expected) != len(data):
            line = _("{path} is cut off: {came} of {expected} bytes came")
            raise TenhouError(line, path=path, came=len(data), expected=expected)
        return bytes(data)


def _check_status(status: int, path: str) -> None:
    """Raise the error that a status other than 200 means."""
    if status == 200:
        return
    kind = TenhouError
    if status in (404, 410):
        kind = TenhouNotFound
    elif status >= 500 or status in (403, 429):
        kind = TenhouUnreachable
    raise kind(_("Tenhou answers {status} for {path}"), status=status, path=path)


def _may_follow(home: SplitResult, target: SplitResult) -> bool:
    """Whether to follow a redirect: to the same host and port or to Tenhou's, never from https to
    http.
    """
    if target.scheme not in ("http", "https"):
        return False
    if home.scheme == "https" and target.scheme == "http":
        return False
    host = target.hostname or ""
    if home.hostname == "tenhou.net" and (host == "tenhou.net" or host.endswith(".tenhou.net")):
        return target.port in (None, 80, 443)
    return (host, target.port) == (home.hostname, home.port) and not target.username


def _cause(error: BaseException) -> str:
    """Return the innermost reason in short, without memory addresses."""
    text = str(error.args[0]) if error.args else type(error).__name__
    return re.sub(r"<[^<>]* at 0x[0-9a-f]+>:?\s*", "", text)[:200]


def _excerpt(text: str | bytes) -> str:
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    return repr(text.strip()[:80])


def parse_index(text: str, old: bool = False) -> list[ResultsFile]:
    """Return the files of private rooms in an index, by day. With `old` the index lists the older
    files of the year, which are in a folder of the year. Raises TenhouError when the index has
    another form than `list([{file:'…',size:N},…]);`."""
    index = _LIST.fullmatch(text)
    if not index:
        raise TenhouError(
            _("Tenhou's index is in a form Janroku does not know: {words}"), words=_excerpt(text)
        )
    files: dict[date, ResultsFile] = {}
    position = 0
    body = index["entries"].rstrip()
    while position < len(body):
        entry = _ENTRY.match(body, position)
        if not entry:
            raise TenhouError(
                _("Tenhou's index holds an entry in a new form: {words}"),
                words=_excerpt(body[position:]),
            )
        position = entry.end()
        file = _results_file(entry["path"], int(entry["size"]), old)
        if file is not None:
            files[file.day] = file
    return [files[day] for day in sorted(files)]


def _results_file(path: str, size: int, old: bool) -> ResultsFile | None:
    """Return the file of an entry of the index; None for one of Tenhou's other files."""
    results = _RESULTS.fullmatch(path)
    if results is None:
        return None
    try:
        day = datetime.strptime(results["day"], "%Y%m%d").date()  # noqa: DTZ007 (a date, not a moment)
    except ValueError:
        raise TenhouError(
            _("Tenhou's index names a day that doesn't exist: {path}"), path=path
        ) from None
    if old and "/" not in path:
        path = f"{day.year}/{path}"
    return ResultsFile(day, path, size)


def unpack(name: str, data: bytes, limit: int = PLAIN_BYTES) -> bytes:
    """Return the content of all members of a gzip file. Raises TenhouError when it is no gzip file,
    is truncated, or has more than `limit` bytes unpacked."""
    if not data.startswith(_GZIP):
        raise TenhouError(
            _("{name} is no gzip file; it begins with {words}"), name=name, words=_excerpt(data)
        )
    result = bytearray()
    while data:
        member = zlib.decompressobj(wbits=_GZIP_WBITS)
        try:
            # One byte more than the limit shows that there is more.
            result += member.decompress(data, limit + 1 - len(result))
        except zlib.error as error:
            raise TenhouError(_("{name} is damaged: {error}"), name=name, error=error) from None
        if len(result) > limit:
            line = _("{name} holds more than {megabytes} MB when unpacked: not read")
            raise TenhouError(line, name=name, megabytes=limit // (1 << 20))
        if not member.eof:
            raise TenhouError(_("{name} is cut off in the middle"), name=name)
        data = member.unused_data.lstrip(b"\0")  # padding after a member
    return bytes(result)


def by_room(name: str, text: bytes) -> dict[str, Lines]:
    """Return the unchanged lines of a day by room. Raises TenhouError if no line has the known
    form.
    """
    rooms: dict[str, Lines] = {}
    for number, line in enumerate(text.removeprefix(b"\xef\xbb\xbf").splitlines()):
        match = _ROOM_LINE.match(line)
        if match:
            room = match["room"].decode()
            rooms.setdefault(room, []).append(NumberedLine(number, line))
    if not rooms:
        content = text.removeprefix(b"\xef\xbb\xbf").strip()
        if content:
            message = _("{name} holds no line of the known form; it begins with {words}")
            raise TenhouError(message, name=name, words=_excerpt(content.splitlines()[0]))
    return rooms


def lines_in(rooms: Mapping[str, Lines], wanted: Collection[str]) -> list[bytes]:
    """Return the lines of these rooms, in the order of the file."""
    lines: Lines = []
    for room in set(wanted):
        lines += rooms.get(room, ())
    return [line.text for line in sorted(lines)]


@dataclass(frozen=True, slots=True)
class PaifuRef:
    """The id of a game record, and the seat (0-3, 0 the first dealer) it was shared from, if
    given.
    """

    id: str
    seat: int | None = None


def is_paifu_id(text: str) -> bool:
    """Return whether the text is exactly a record's id, such as
    `2020051820gm-0009-1234-0a1b2c3d`.
    """
    return re.fullmatch(_ID, text) is not None


def find_address(text: str) -> PaifuRef | None:
    """Return the record of the first address in a text, or None. Addresses of the viewer come
    before those of downloads: `http(s)://tenhou.net/0/?log=ID&tw=N` (also /3/ and others, also
    without the scheme), and `tenhou.net/0/log/?ID`."""
    for address in _VIEWER_ADDRESS.finditer(text):
        record = _ID_OPTION.search(address["query"])
        if record is None:
            continue
        seat = _SEAT_OPTION.search(address["query"])
        if seat is None:
            return PaifuRef(record["id"])
        return PaifuRef(record["id"], int(seat["seat"]))
    download = _DOWNLOAD_ADDRESS.search(text)
    if download is None:
        return None
    return PaifuRef(download["id"])


def find_paifu(text: str) -> PaifuRef | None:
    """Return the first record in a text, by its address (`find_address`) or by its bare id."""
    address = find_address(text)
    if address:
        return address
    bare = _BARE_ID.search(text)
    if bare is None:
        return None
    return PaifuRef(bare["id"], int(bare["seat"]) if bare["seat"] else None)
