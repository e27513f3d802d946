"""Read Tenhou's room results and game records over HTTP.

Tenhou asks for manners (https://tenhou.net/sc/raw/): one connection, .gz files only, redirects followed, and
a User-Agent that says who asks. `bot.tenhou.throttle` decides when to ask. What comes is not trusted: sizes
are bounded while reading, other hosts are never asked, and whatever cannot be used raises TenhouError.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import datetime
from gettext import gettext as _
from types import TracebackType
from typing import Any, Self
from urllib.parse import SplitResult, urljoin, urlsplit

from bot.tenhou.errors import TenhouError, TenhouNotFound, TenhouUnreachable, excerpt
from bot.tenhou.paifu_url import is_paifu_id
from bot.tenhou.results import ResultsFile, parse_index, unpack
from rating.room_id import RoomId

USER_AGENT = "Janroku/0.1 (LINE bot of a private mahjong league; reads only its own room's results)"
TIMEOUT = (5.0, 30.0)  # seconds to connect, and between two pieces of an answer
PATIENCE = 120.0  # seconds for one whole answer
REDIRECTS = 5
INDEX_BYTES = 4 << 20
PACKED_BYTES = 4 << 20  # a day's file; 36 KB in 2018
PAIFU_BYTES = 2 << 20  # a game record; a long game has 100 KB
ROOM_BYTES = 4 << 20  # a room's own rows; a long evening has 50 KB
ROOM_LOG = "/cs/edit/cmd_get_log.cgi"

_PIECE = 1 << 16


class TenhouClient:
    """A client that holds one connection. Close it, or use it in a `with`.

    `patience` is in seconds, for one whole answer. Its methods raise TenhouError (see bot.tenhou.errors).
    """

    def __init__(
        self,
        url: str = "https://tenhou.net",
        clock: Callable[[], float] = time.monotonic,
        patience: float = PATIENCE,
    ) -> None:
        import requests  # here, so that web processes that never ask Tenhou do not load it
        from urllib3.exceptions import HTTPError

        self._errors = (requests.RequestException, HTTPError, OSError, ValueError)
        self._url = url.rstrip("/")
        self._home = urlsplit(self._url)
        self._clock = clock
        self._patience = patience
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
        """Close the connection."""
        self._session.close()

    def index(self, old: bool = False) -> list[ResultsFile]:
        """Return the days Tenhou lists: the last week's, or with `old` the older ones of this year."""
        data = self._get("/sc/raw/list.cgi" + "?old" * old, INDEX_BYTES)
        files = parse_index(data.decode("utf-8", "replace"), old)
        if not files and not old:
            raise TenhouError(_("Tenhou's index lists no file of private rooms (sca….log.gz)"))
        return files

    def results(self, file: ResultsFile) -> bytes:
        """Return a day's results as plain text (bytes)."""
        text = unpack(file.name, self._get(f"/sc/raw/dat/{file.path}", PACKED_BYTES))
        if text.lstrip()[:1] == b"<":
            raise TenhouError(
                _("{name} holds a page instead of results: {words}").format(
                    name=file.name, words=excerpt(text.decode("utf-8", "replace"))
                )
            )
        return text

    def answers(self) -> None:
        """Ask for the first page's headers. Raises TenhouUnreachable when nothing answers, or something that
        is broken."""
        try:
            answer = self._session.head(f"{self._url}/", timeout=self._timeout, allow_redirects=False)
        except self._errors as error:
            raise TenhouUnreachable(f"Tenhou can't be reached: {_cause(error)}") from None
        if answer.status_code in (502, 503, 504):
            raise TenhouUnreachable(f"Tenhou answers {answer.status_code}")

    def paifu(self, paifu_id: str) -> bytes:
        """Return the game record with this id, as XML. Raises ValueError for what is no id."""
        if not is_paifu_id(paifu_id):
            raise ValueError(_("not the id of a game record: {id!r}").format(id=paifu_id[:80]))
        data = self._get(f"/0/log/?{paifu_id}", PAIFU_BYTES)
        if data.startswith(b"\x1f\x8b"):
            data = unpack(paifu_id, data, 8 * PAIFU_BYTES)
        if not data.lstrip(b"\xef\xbb\xbf \r\n").startswith((b"<mjloggm", b"<?xml")):
            raise TenhouNotFound(_("Tenhou has no game record {id}").format(id=paifu_id))
        return data

    def room_log(self, room: RoomId, since: datetime) -> str:
        """Return the rows a room has told since a moment (JST).

        The body is as the management page sends it, not percent-encoded. No redirect is followed, because the
        body holds the room's secret. No error's text holds anything of the body or of the answer.
        """
        body = f"L={room.text}&T={since:%Y/%m/%d %H:%M:%S}".encode()
        give_up = self._clock() + self._patience
        try:
            with self._session.post(
                self._url + ROOM_LOG,
                data=body,
                headers={"Content-Type": "text/plain"},
                stream=True,
                timeout=self._timeout,
                allow_redirects=False,
            ) as answer:
                if 300 <= answer.status_code < 400:
                    raise TenhouError(_("Tenhou sends the request on to another address: not followed"))
                return self._read(answer, ROOM_LOG, ROOM_BYTES, give_up).decode("utf-8", "replace")
        except TenhouError:
            raise
        except self._errors as error:
            raise TenhouUnreachable(
                _("Tenhou can't be reached for {path}: {error}").format(path=ROOM_LOG, error=_cause(error))
            ) from None

    def _get(self, path: str, limit: int) -> bytes:
        """Return the answer's bytes as sent. Redirects are followed to hosts that may be asked."""
        url = self._url + path
        give_up = self._clock() + self._patience
        try:
            for _hop in range(REDIRECTS + 1):
                with self._session.get(
                    url, stream=True, timeout=self._timeout, allow_redirects=False
                ) as answer:
                    if not answer.is_redirect:
                        return self._read(answer, path, limit, give_up)
                    url = urljoin(url, answer.headers["Location"])
                if not _may_ask(self._home, urlsplit(url)):
                    raise TenhouError(_("Tenhou sends us on to {url}: not followed").format(url=excerpt(url)))
        except TenhouError:
            raise
        except self._errors as error:
            raise TenhouUnreachable(
                _("Tenhou can't be reached for {path}: {error}").format(path=path, error=_cause(error))
            ) from error
        raise TenhouError(
            _("Tenhou sends us on more than {redirects} times for {path}").format(
                redirects=REDIRECTS, path=path
            )
        )

    def _read(self, answer: Any, path: str, limit: int, give_up: float) -> bytes:
        if answer.status_code != 200:
            raise _kind(answer.status_code)(
                _("Tenhou answers {status} for {path}").format(status=answer.status_code, path=path)
            )
        data = bytearray()
        for piece in answer.raw.stream(_PIECE, decode_content=False):
            data += piece
            if len(data) > limit:
                raise TenhouError(
                    _("{path} has more than {megabytes} MB: not read").format(
                        path=path, megabytes=limit >> 20
                    )
                )
            if self._clock() > give_up:
                raise TenhouUnreachable(
                    _("{path} takes more than {seconds:.0f} seconds: given up").format(
                        path=path, seconds=self._patience
                    )
                )
        expected = answer.headers.get("Content-Length", "")
        if expected.isdecimal() and int(expected) != len(data):
            raise TenhouError(
                _("{path} is cut off: {came} of {expected} bytes came").format(
                    path=path, came=len(data), expected=expected
                )
            )
        return bytes(data)


def _kind(status: int) -> type[TenhouError]:
    if status in (404, 410):
        return TenhouNotFound
    return TenhouUnreachable if status >= 500 or status in (403, 429) else TenhouError


def _may_ask(home: SplitResult, target: SplitResult) -> bool:
    """Return whether to follow a redirect: to the same host and port or to Tenhou's hosts, never from https
    to http."""
    if target.scheme not in ("http", "https") or (home.scheme, target.scheme) == ("https", "http"):
        return False
    host = target.hostname or ""
    if home.hostname == "tenhou.net" and (host == "tenhou.net" or host.endswith(".tenhou.net")):
        return target.port in (None, 80, 443)
    return (host, target.port) == (home.hostname, home.port) and not target.username


def _cause(error: BaseException) -> str:
    """Return the innermost reason in a few words, without memory addresses."""
    text = str(error.args[0]) if error.args else type(error).__name__
    return re.sub(r"<[^<>]* at 0x[0-9a-f]+>:?\s*", "", text)[:200]
