"""A stand-in for Dropbox on loopback, over TLS: the routes that Janroku uses, strict checks, and
faults on demand.

In a test's own process:

    with FakeDropbox() as dropbox, dropbox.patched():
        dropbox.account.put("/logs/logvol1.txt", b"...")
        DropboxLogs("/logs", access_token=dropbox.access_token)

For a child process, give it `dropbox.env()`.

The SDK's own validators decode the arguments in strict mode and encode the answers. A request that
the real Dropbox (https://www.dropbox.com/developers/documentation/http/documentation) would refuse
is refused here: a wrong method, host, token, content type or shape of an argument.
"""

import base64
import collections
import hashlib
import secrets
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self
from unittest import mock
from urllib.parse import parse_qs, urlsplit

from dropbox import auth, check, common, files, users
from dropbox.content_hash import content_hash

from tests.fakes.certificates import server_context
from tests.fakes.dropbox_account import Account, Refused
from tests.fakes.dropbox_server import (
    Answer,
    BadRequest,
    DropboxHandler,
    DropboxServer,
    Fault,
    error_json,
)


class FakeDropbox:
    """The running server.

    `account` holds the files; `calls` counts each route's calls, refused ones too.
    """

    app_key = "app1key2janroku"
    app_secret = "app1secret2janroku"

    def __init__(self, *, latency: float = 0.0) -> None:
        """`latency` is the seconds that every answer takes."""
        self.account = Account()
        self.latency = latency
        self.calls: collections.Counter[str] = collections.Counter()
        self.connections = 0  # opened since the start
        self.refresh_token = secrets.token_urlsafe(24)
        self.access_token = self._new_token()
        self._expired: set[str] = set()
        self._forbidden: set[str] = set()
        self._refusal = ""
        self._codes: dict[str, str] = {}  # by code: the challenge it was asked with
        self._by_proof = False  # the refresh token was got with a proof key, so it needs no secret
        self._faults: list[Fault] = []
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._servers: list[DropboxServer] = []

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory(prefix="janroku-dropbox-")
        context, self.authority = server_context(Path(self._folder.name))
        for host in ("api", "content"):
            server = DropboxServer(("127.0.0.1", 0), DropboxHandler)
            server.dropbox = self
            server.host = host
            server.context = context
            threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
            self._servers.append(server)
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        for server in self._servers:
            server.hang_up()
        self._folder.cleanup()

    def env(self, *, token: bool = False) -> dict[str, str]:
        """Variables that point a child's SDK here, with a refresh token, or an access token if
        `token`.
        """
        api, content = (f"127.0.0.1:{server.server_port}" for server in self._servers)
        hosts = {
            "DROPBOX_API_HOST": api,
            "DROPBOX_API_CONTENT_HOST": content,
            "DROPBOX_API_NOTIFY_HOST": api,
        }
        if token:
            return hosts | self._trust() | {"DROPBOX_ACCESS_TOKEN": self.access_token}
        return hosts | self._trust() | self.credentials()

    def credentials(self) -> dict[str, str]:
        return {
            "DROPBOX_APP_KEY": self.app_key,
            "DROPBOX_APP_SECRET": self.app_secret,
            "DROPBOX_REFRESH_TOKEN": self.refresh_token,
        }

    @contextmanager
    def patched(self) -> Iterator[None]:
        """Point clients made in this process here. The SDK reads its variables once, at import."""
        from dropbox import dropbox_client, oauth

        hosts = self.env()
        build = oauth.DropboxOAuth2FlowBase.build_url
        renew = dropbox_client._DropboxTransport.refresh_access_token
        with (
            mock.patch.dict("os.environ", self._trust()),
            mock.patch.object(dropbox_client, "API_HOST", hosts["DROPBOX_API_HOST"]),
            mock.patch.object(
                dropbox_client, "API_CONTENT_HOST", hosts["DROPBOX_API_CONTENT_HOST"]
            ),
            mock.patch.object(renew, "__defaults__", (hosts["DROPBOX_API_HOST"], None)),
            mock.patch.object(build, "__defaults__", (None, hosts["DROPBOX_API_HOST"])),
        ):
            yield

    def fail(self, route: str = "", **what: Any) -> Fault:
        """Make the next calls of `route` fail; see Fault for how."""
        fault = Fault(route, **what)
        with self._lock:
            self._faults.append(fault)
        return fault

    def heal(self) -> None:
        with self._lock:
            self._faults.clear()

    def forbid(self, scope: str) -> None:
        self._forbidden.add(scope)

    def refuse(self, words: str) -> None:
        """Answer every call with status 400 and these words."""
        self._refusal = words

    def expire_tokens(self) -> None:
        with self._lock:
            self._expired |= self._tokens

    def revoke(self) -> None:
        self.refresh_token = secrets.token_urlsafe(24)

    def _trust(self) -> dict[str, str]:
        return {"REQUESTS_CA_BUNDLE": str(self.authority)}

    def _new_token(self) -> str:
        token = f"sl.{secrets.token_urlsafe(40)}"
        self._tokens: set[str] = getattr(self, "_tokens", set()) | {token}
        return token

    # What the handlers use

    def fault(self, route: str) -> Fault:
        """Count a call; its fault, which is used up once, or a Fault that does nothing."""
        with self._lock:
            self.calls[route] += 1
            for fault in self._faults:
                if fault.times > 0 and route.startswith(fault.route):
                    fault.times -= 1
                    return fault
        return Fault()

    def pause(self, seconds: float) -> None:
        self._stopping.wait(seconds)

    def check_token(self, header: str | None, scope: str | None = None) -> None:
        """Refuse a missing, unknown or expired access token, and one without the route's
        permission.
        """
        if header is None:
            raise BadRequest(
                'Must provide HTTP header "Authorization" or URL parameter "authorization".'
            )
        kind, _, token = header.partition(" ")
        if kind != "Bearer" or not token:
            raise BadRequest('Invalid authorization value in HTTP header "Authorization"')
        if self._refusal:
            raise BadRequest(self._refusal)
        if not token.startswith("sl."):
            raise BadRequest(
                'Error in call to API function "files/list_folder": '
                "The given OAuth 2 access token is malformed."
            )
        error = None if token in self._tokens else auth.AuthError.invalid_access_token
        if token in self._expired:
            error = auth.AuthError.expired_access_token
        if scope in self._forbidden:
            error = auth.AuthError.missing_scope(auth.TokenScopeError(scope))
        if error is not None:
            raise Answer(401, error_json(auth.AuthError_validator, error))

    def renew(self, form: dict[str, list[str]]) -> dict[str, Any]:
        given = {name: values[0] for name, values in form.items()}
        if given.get("grant_type") == "authorization_code":
            return self._exchange(given)
        if given.get("grant_type") != "refresh_token":
            raise _refused("unsupported_grant_type", "grant type is not supported")
        secret = given.get("client_secret", self.app_secret if self._by_proof else "")
        if (given.get("client_id"), secret) != (self.app_key, self.app_secret):
            raise _refused("invalid_client", "Invalid client_id or client_secret")
        if given.get("refresh_token") != self.refresh_token:
            raise _refused("invalid_grant", "refresh token is invalid or revoked")
        with self._lock:
            return {"access_token": self._new_token(), "token_type": "bearer", "expires_in": 14400}

    def allow(self, address: str) -> str:
        """What the owner does in the browser at `/oauth2/authorize`: allow the app, and copy the
        code.
        """
        query = parse_qs(urlsplit(address).query)
        asked = {name: values[0] for name, values in query.items()}
        assert asked["client_id"] == self.app_key, "Dropbox shows an error page: no such app"
        assert (asked["response_type"], asked["token_access_type"]) == ("code", "offline")
        assert asked["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(24)
        with self._lock:
            self._codes[code] = asked["code_challenge"]
        return code

    def _exchange(self, given: dict[str, str]) -> dict[str, Any]:
        """Tokens for a code, once, and only with the proof key of its challenge (RFC 7636, section
        4.6).
        """
        with self._lock:
            challenge = self._codes.pop(given.get("code", ""), None)
            digest = hashlib.sha256(given.get("code_verifier", "").encode()).digest()
            proven = base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == challenge
            if not proven or given.get("client_id") != self.app_key:
                raise _refused("invalid_grant", "code doesn't exist or has expired")
            self._by_proof = True
            owner = {"account_id": "dbid:" + "A" * 35, "uid": "1", "scope": "files.content.write"}
            tokens = {"access_token": self._new_token(), "refresh_token": self.refresh_token}
            return {**tokens, **owner, "token_type": "bearer", "expires_in": 14400}

    def perform(self, route: str, arg: Any, body: bytes) -> tuple[Any, bytes]:
        account = self.account
        actions: dict[str, Callable[[], Any]] = {
            "files/list_folder": lambda: account.list_folder(arg.path),
            "files/list_folder/continue": lambda: account.list_on(arg.cursor),
            "files/list_folder/get_latest_cursor": lambda: files.ListFolderGetLatestCursorResult(
                account.latest(arg.path)
            ),
            "files/get_metadata": lambda: account.metadata(arg.path),
            "files/upload": lambda: self._upload(arg, body),
            "files/delete_v2": lambda: files.DeleteResult(account.remove(arg.path)),
            "users/get_current_account": _owner,
            "check/user": lambda: check.EchoResult(arg.query),
        }
        if route == "files/download":
            meta, data = account.download(arg.path)
            return meta, data
        try:
            return actions[route](), b""
        except KeyError:
            raise BadRequest(
                f'Error in call to API function "{route}": Invalid "cursor" parameter'
            ) from None

    def _upload(self, arg: Any, body: bytes) -> Any:
        if arg.content_hash is not None and arg.content_hash != content_hash(body):
            raise Refused(files.UploadError.content_hash_mismatch)
        if arg.autorename:
            raise BadRequest("this stand-in renames nothing by itself")
        return self.account.upload(arg.path, body, arg.mode, strict=arg.strict_conflict)


def _refused(error: str, words: str) -> Answer:
    return Answer(400, {"error": error, "error_description": words})


def _owner() -> Any:
    return users.FullAccount(
        account_id="dbid:" + "A" * 35,
        name=users.Name("雀", "録", "雀", "雀録", "雀"),
        email="league@example.com",
        email_verified=True,
        disabled=False,
        locale="ja",
        is_paired=False,
        referral_link="https://example.com/",
        account_type=users.users_common.AccountType.basic,
        root_info=common.UserRootInfo("1", "1"),
    )
