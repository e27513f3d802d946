"""The HTTP side of the stand-in for Dropbox: TLS, routes, arguments, answers, faults on demand."""

import json
import secrets
import socket
import ssl
import time
import urllib.parse
from contextlib import suppress
from dataclasses import dataclass
from http.server import ThreadingHTTPServer
from typing import Any

from dropbox import auth, check, files, users
from stone.backends.python_rsrc import stone_serializers
from stone.backends.python_rsrc.stone_validators import ValidationError

from tests.fakes.dropbox_account import Refused
from tests.fakes.http import Handler

ROUTES = {
    "files/list_folder": files.list_folder,
    "files/list_folder/continue": files.list_folder_continue,
    "files/list_folder/get_latest_cursor": files.list_folder_get_latest_cursor,
    "files/get_metadata": files.get_metadata,
    "files/download": files.download,
    "files/upload": files.upload,
    "files/delete_v2": files.delete_v2,
    "users/get_current_account": users.get_current_account,
    "check/user": check.user,
}
# https://developers.dropbox.com/oauth-guide, "Scopes"
SCOPES = {
    "files/list_folder": "files.metadata.read",
    "files/list_folder/continue": "files.metadata.read",
    "files/list_folder/get_latest_cursor": "files.metadata.read",
    "files/get_metadata": "files.metadata.read",
    "files/download": "files.content.read",
    "files/upload": "files.content.write",
    "files/delete_v2": "files.content.write",
}


@dataclass
class Fault:
    """What goes wrong with the next `times` calls of routes that start with `route`.

    `status` is sent instead of the result (429 with `retry_after` seconds). `hang_up` closes the
    connection without an answer. `lost` does the work, then closes it. `delay` is the seconds
    before the answer. `corrupt` changes a byte of a download.
    """

    route: str = ""
    times: int = 1
    status: int = 0
    retry_after: int | None = None
    hang_up: bool = False
    lost: bool = False
    delay: float = 0.0
    corrupt: bool = False


class Answer(Exception):
    """An answer other than the route's result."""

    def __init__(
        self,
        status: int,
        body: Any,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(status)
        self.status = status
        self.body = body
        self.headers = headers or {}


class BadRequest(Answer):
    def __init__(self, words: str) -> None:
        super().__init__(400, words)


class DropboxServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64
    dropbox: Any  # tests.fakes.dropbox.FakeDropbox
    host: str
    context: ssl.SSLContext

    def __init__(self, *args: Any) -> None:
        self._open: set[socket.socket] = set()
        super().__init__(*args)

    def get_request(self) -> tuple[socket.socket, Any]:
        plain, address = super().get_request()
        plain.settimeout(60)
        # The connection's own thread does the handshake, so that a slow client holds up no
        # other.
        connection = self.context.wrap_socket(
            plain, server_side=True, do_handshake_on_connect=False
        )
        self._open.add(connection)
        self.dropbox.connections += 1
        return connection, address

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, *_: Any) -> None:
        pass

    def hang_up(self) -> None:
        self.shutdown()
        self.server_close()
        for connection in list(self._open):
            with suppress(OSError):
                socket.socket.shutdown(connection, socket.SHUT_RDWR)


class DropboxHandler(Handler):
    server: DropboxServer

    def do_GET(self) -> None:
        self._respond(Answer(404, b""))

    def do_POST(self) -> None:
        dropbox = self.server.dropbox
        route = self.path.lstrip("/")
        if self.path.startswith("/2/"):
            route = self.path.removeprefix("/2/")
        body = self.body()
        fault = dropbox.fault(route)
        dropbox.pause(fault.delay)
        if dropbox.latency:
            time.sleep(dropbox.latency)
        if fault.hang_up:
            self.close_connection = True
            return
        try:
            _befall(fault)
            answer = self._answer(route, body)
        except Answer as other:
            answer = other
        if fault.lost:
            self.close_connection = True
            return
        if fault.corrupt and isinstance(answer.body, bytes):
            answer.body = bytes([answer.body[0] ^ 1]) + answer.body[1:]
        self._respond(answer)

    def _answer(self, name: str, body: bytes) -> Answer:
        dropbox = self.server.dropbox
        if name == "oauth2/token":
            if self.headers.get_content_type() != "application/x-www-form-urlencoded":
                raise BadRequest("the token endpoint takes a form")
            return Answer(
                200, dropbox.renew(urllib.parse.parse_qs(body.decode(), strict_parsing=True))
            )
        route = ROUTES.get(name)
        if route is None:
            raise BadRequest(f"Unknown API function: {name!r}")
        if self.server.host != route.attrs["host"]:
            raise BadRequest(f'The API function "{name}" is not on this host')
        dropbox.check_token(self.headers.get("Authorization"), SCOPES.get(name))
        arg = self._argument(name, route, body)
        try:
            result, data = dropbox.perform(name, arg, body)
        except Refused as refused:
            raise Answer(409, error_json(route.error_type, refused.error)) from None
        encoded = stone_serializers.json_encode(route.result_type, result)
        if route.attrs["style"] == "download":
            return Answer(200, data, {"Dropbox-API-Result": encoded})
        return Answer(200, json.loads(encoded))

    def _argument(self, name: str, route: Any, body: bytes) -> Any:
        """The route's argument, from the body (rpc) or the header `Dropbox-API-Arg` (upload,
        download).
        """
        style = route.attrs["style"]
        content = self.headers.get("Content-Type")
        expected = {
            "rpc": "application/json",
            "upload": "application/octet-stream",
            "download": None,
        }[style]
        if content != expected:
            raise BadRequest(
                f'Error in call to API function "{name}": Bad HTTP "Content-Type": {content}'
            )
        if style == "download" and body:
            raise BadRequest(
                f'Error in call to API function "{name}": expecting an empty request body'
            )
        text = body.decode() if style == "rpc" else self.headers.get("Dropbox-API-Arg")
        if text is None or not text.isascii():
            raise BadRequest(
                f'Error in call to API function "{name}": HTTP header "Dropbox-API-Arg" is not ASCII JSON'
            )
        try:
            arg = stone_serializers.json_decode(route.arg_type, text, strict=True)
        except ValidationError as error:
            raise BadRequest(
                f'Error in call to API function "{name}": request body: {error}'
            ) from None
        path = getattr(arg, "path", None)
        if path == "/":
            raise BadRequest(
                'request body: path: Specify the root folder as an empty string, not as "/".'
            )
        if path and (path.endswith("/") or "//" in path):
            raise BadRequest(f"this stand-in is asked for a malformed path: {path!r}")
        return arg

    def _respond(self, answer: Answer) -> None:
        body = answer.body
        kind = "application/octet-stream"
        if isinstance(body, str):
            body = body.encode()
            kind = "text/plain; charset=utf-8"
        elif not isinstance(body, bytes):
            body = json.dumps(body).encode()
            kind = "application/json"
        own = {"X-Dropbox-Request-Id": secrets.token_hex(16), "Content-Type": kind}
        self.answer(answer.status, body, own | answer.headers)


def _befall(fault: Fault) -> None:
    if fault.status == 429:
        error = auth.RateLimitError(auth.RateLimitReason.too_many_requests, fault.retry_after or 1)
        headers = {"Retry-After": str(fault.retry_after or 1)}
        raise Answer(429, error_json(auth.RateLimitError_validator, error), headers)
    if fault.status:
        raise Answer(fault.status, "Internal Server Error")


def error_json(validator: Any, error: Any) -> dict[str, Any]:
    encoded = json.loads(stone_serializers.json_encode(validator, error))
    return {"error_summary": f"{encoded.get('.tag', 'error')}/...", "error": encoded}
