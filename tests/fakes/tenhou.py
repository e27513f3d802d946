"""A stand-in for Tenhou on loopback: room results that grow, both indexes, paifus, faults, and a
judge of manners.

    with FakeTenhou() as tenhou:
        tenhou.put(date(2020, 5, 18), ["C1234 | 20:00 | 三般南喰赤－ | 東(+10.0) 南(0.0)
        西(-10.0)"]) client = Tenhou(tenhou.url)
        ...
        tenhou.clock.forward(minutes=20)
    # leaving the `with` fails if the client broke one of the rules below

What Tenhou asks of programs (https://tenhou.net/sc/raw/): one connection at a time, 20 minutes
between rounds (a round begins with `list.cgi`), no new download of a file that has not grown, `.gz`
files only, redirects followed, and a User-Agent that says who asks.
"""

import gzip
import select
import socket
import threading
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from http.server import ThreadingHTTPServer
from typing import Any, Self

from tests.fakes.http import Handler
from tests.fakes.tenhou_room import PATH, FakeRoom

RECENT_DAYS = 8


class TenhouClock:
    """A time that stands still until a test moves it."""

    def __init__(
        self,
        start: datetime = datetime(2020, 5, 18, 15, 0, tzinfo=UTC),
    ) -> None:
        self.time = start

    def __call__(self) -> datetime:
        return self.time

    def forward(self, **span: float) -> None:
        self.time += timedelta(**span)


@dataclass
class Fault:
    """What goes wrong with the next `times` answers to paths with `path`: status, body or
    length.
    """

    path: str
    status: int = 200
    body: bytes | None = None
    cut: int | None = (
        None  # send only so many bytes of the right body, though Content-Length promises all
    )
    location: str = ""
    times: int = 1


@dataclass
class Judge:
    """Counts the requests and notes each that breaks Tenhou's rules."""

    rudeness: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    downloads: Counter[str] = field(default_factory=Counter)
    round: datetime | None = None
    connections: set[socket.socket] = field(default_factory=set)
    _sizes: dict[str, int] = field(default_factory=dict)

    def index(self, now: datetime) -> None:
        if self.round is not None and now - self.round < timedelta(minutes=20):
            self.rudeness.append(f"two rounds within {now - self.round}")
        self.round = now

    def download(self, name: str, size: int) -> None:
        if self._sizes.get(name, -1) >= size:
            self.rudeness.append(f"{name} was downloaded again though it has not grown")
        self._sizes[name] = size
        self.downloads[name] += 1

    def connected(self, connection: socket.socket) -> None:
        if any(_still_open(other) for other in self.connections):
            self.rudeness.append("a second connection while one is open")
        self.connections.add(connection)

    def agent(self, agent: str) -> None:
        if "Janroku" not in agent or "league" not in agent:
            self.rudeness.append(f"does not say who asks: {agent!r}")


def _still_open(connection: socket.socket) -> bool:
    """Whether the client holds the connection open. Its handler may not have seen the end yet."""
    if connection.fileno() < 0:
        return False
    events = select.poll()
    events.register(connection, select.POLLRDHUP)
    return not events.poll(0)


class FakeTenhou:
    """The server. `clock` says when rounds begin and which files count as recent (days in JST)."""

    def __init__(self, clock: TenhouClock | None = None) -> None:
        self.clock = clock or TenhouClock()
        self.judge = Judge()
        self.packed: dict[date, bytes] = {}
        self.complete: set[date] = (
            set()
        )  # days whose files hold every game (tests.sync.worlds.show)
        self.records: dict[str, bytes] = {}
        self.room: FakeRoom | None = None
        self._asked_room: set[socket.socket] = set()
        self.faults: deque[Fault] = deque()
        self.redirect_to = (
            ""  # the prefix that downloads are redirected to; the same files are under it
        )
        self.lock = threading.Lock()
        self._server = _Server(self)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def today(self) -> date:
        return (self.clock() + timedelta(hours=9)).date()

    def put(self, day: date, lines: Iterable[str | bytes]) -> None:
        raw = b"".join(
            (line.encode() if isinstance(line, str) else line) + b"\r\n" for line in lines
        )
        self.packed[day] = gzip.compress(raw, 6, mtime=0)

    def open_room(self, room_id: str) -> FakeRoom:
        self.room = FakeRoom(room_id, self.clock, self.judge.rudeness)
        return self.room

    def post(
        self, path: str, body: bytes, kind: str, connection: socket.socket
    ) -> tuple[int, bytes]:
        if self.room is None:
            return 404, b"<html>not found</html>"
        if path != PATH:
            return self.room.command(path, body.decode(), kind)
        self._asked_room.add(connection)
        return self.room.answer(body, kind)

    def fail(self, path: str, **fault: Any) -> None:
        self.faults.append(Fault(path, **fault))

    def files(self, old: bool) -> dict[str, bytes]:
        """Path under /sc/raw/dat/ -> gzip bytes: recent days, or (`old`) older ones in the year's
        folder.
        """
        border = self.today - timedelta(days=RECENT_DAYS - 1)
        files = {}
        for day in sorted(self.packed):
            if (day < border) == old:
                folder = f"{day.year}/" if old else ""
                files[f"{folder}sca{day:%Y%m%d}.log.gz"] = self.packed[day]
        return files

    def index(self, old: bool) -> bytes:
        entries = [f"{{file:'{path}',size:{len(data)}}}" for path, data in self.files(old).items()]
        others = [
            f"{{file:'sc{kind}2020051812.html.gz',size:{n}}}"
            for kind, n in (("b", 411), ("c", 9021))
        ]
        listed = ",\r\n".join([others[0], *entries, others[1]])
        return f"list([\r\n{listed}]);\r\n".encode()

    def __enter__(self) -> Self:
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )
        self._thread.start()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(10)
        if kind is None:
            assert not self.judge.rudeness, self.judge.rudeness

    def answer(
        self,
        path: str,
    ) -> tuple[int, dict[str, str], bytes, int | None]:
        """Status, headers, body, and after how many bytes the connection ends (None: it does
        not).
        """
        fault = next((fault for fault in self.faults if fault.path in path), None)
        if fault is not None:
            fault.times -= 1
            if not fault.times:
                self.faults.remove(fault)
            if fault.location:
                return 302, {"Location": fault.location}, b"", None
            if fault.body is not None or fault.status != 200:
                return fault.status, {}, fault.body or b"", None
        status, headers, body = self._right_answer(path)
        return status, headers, body, fault.cut if fault else None

    def _right_answer(self, path: str) -> tuple[int, dict[str, str], bytes]:
        place, _, query = path.partition("?")
        if place == "/sc/raw/list.cgi":
            if query != "old":
                self.judge.index(self.clock())
            return 200, {}, self.index(query == "old")
        if self.redirect_to and place.startswith("/sc/raw/dat/"):
            return 302, {"Location": self.redirect_to + place}, b""
        place = place.removeprefix(self.redirect_to)
        if place.startswith("/sc/raw/dat/"):
            return self._download(place.removeprefix("/sc/raw/dat/"))
        if place == "/0/log/" and query in self.records:
            return 200, {}, self.records[query]
        if place == "/0/log/" and self.room is not None:
            record = self.room.record(query, any(map(_still_open, self._asked_room)))
            if record is not None:
                return 200, {}, record
        return 404, {}, b"<html>not found</html>"

    def _download(self, path: str) -> tuple[int, dict[str, str], bytes]:
        if not path.endswith(".gz"):
            self.judge.rudeness.append(f"{path} is no .gz")
        data = (self.files(False) | self.files(True)).get(path)
        if data is None:
            return 404, {}, b"<html>not found</html>"
        self.judge.download(path.rpartition("/")[2], len(data))
        return 200, {"Content-Type": "application/x-gzip"}, data


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, tenhou: FakeTenhou) -> None:
        self.tenhou = tenhou
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        pass


class _Handler(Handler):
    server: _Server

    def setup(self) -> None:
        super().setup()
        self.tenhou = self.server.tenhou
        with self.tenhou.lock:
            self.tenhou.judge.connected(self.request)

    def finish(self) -> None:
        with self.tenhou.lock:
            self.tenhou.judge.connections.discard(self.request)
        super().finish()

    def do_GET(self) -> None:
        with self.tenhou.lock:
            self.tenhou.judge.requests.append(self.path)
            self.tenhou.judge.agent(self.headers.get("User-Agent", ""))
            status, headers, body, cut = self.tenhou.answer(self.path)
        self.answer(
            status,
            body[:cut],
            {**headers, "Content-Length": str(len(body))},
        )
        self.close_connection = self.close_connection or cut is not None

    def do_POST(self) -> None:
        body = self.body()
        with self.tenhou.lock:
            self.tenhou.judge.requests.append(f"POST {self.path}")
            self.tenhou.judge.agent(self.headers.get("User-Agent", ""))
            kind = self.headers.get("Content-Type", "")
            status, data = self.tenhou.post(self.path, body, kind, self.request)
        self.answer(
            status,
            data,
            {"Location": f"{self.tenhou.url}/elsewhere"} if status // 100 == 3 else None,
        )
