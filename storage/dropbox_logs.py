"""Keeps the log folder in Dropbox, by its SDK, with a deadline, few retries, and the errors of the
ports.

By itself the SDK waits 100 seconds for an answer, and on status 429 as long as Dropbox asks. Here
an operation ends within `_BUDGET` seconds. With a refresh token the SDK renews the access token
itself. https://www.dropbox.com/developers/documentation/http/documentation
"""

import random
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext, suppress
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import requests
from dropbox import Dropbox, DropboxOAuth2FlowNoRedirect, exceptions, files
from dropbox.content_hash import content_hash
from dropbox.stone_base import Union
from dropbox.stone_serializers import json_compat_obj_encode
from requests.adapters import HTTPAdapter
from stone.backends.python_rsrc.stone_validators import Union as UnionValidator, ValidationError

from storage.files import checked_name, is_name
from storage.ports import (
    FRESH,
    LARGEST,
    Conflict,
    Denied,
    Guard,
    LogFile,
    NotFound,
    StorageError,
    TooLarge,
)

_BUDGET = 20.0  # seconds for one operation, its retries and pages included
_CONNECT = 3.0  # seconds to reach Dropbox
_ATTEMPTS = 3
_SHARED = 1000  # accounts that leagues share
_LONGEST_WAIT = 5.0  # seconds; where Dropbox asks for more, the operation fails at once

T = TypeVar("T")
_operation = threading.local()  # holds the deadline of the operation each thread is in


class _Entry(NamedTuple):
    """A file or folder in a folder: its name as shown, and a file's revision, "" of a folder."""

    name: str
    rev: str


class _Listing(NamedTuple):
    """What is in a folder, by path in lower case, and Dropbox's cursor.

    With the cursor Dropbox lists only what has changed since; it is "" where nothing was listed.
    """

    cursor: str
    entries: dict[str, _Entry]

    def revisions(self) -> dict[str, str]:
        """The revision of each file by name."""
        return {entry.name: entry.rev for entry in self.entries.values() if entry.rev}

    def folders(self) -> set[str]:
        return {entry.name for entry in self.entries.values() if not entry.rev}


_NOT_LISTED = _Listing("", {})


class _Garbled(Exception):
    """The downloaded bytes don't match their hash; another attempt may succeed."""


class _Meaning(NamedTuple):
    """The port's error for an error of the SDK, and the reason as text."""

    error_class: type[StorageError]
    reason: str


class _UntilDeadline(HTTPAdapter):
    """An adapter that cuts the timeout of a request to the time left for the operation of its
    thread.
    """

    def send(
        self, request: requests.PreparedRequest, *args: Any, **options: Any
    ) -> requests.Response:
        remaining = _operation.deadline - time.monotonic()
        if remaining <= 0:
            raise requests.Timeout("no time left")
        read_timeout = float(options["timeout"])
        options["timeout"] = (min(_CONNECT, remaining), min(read_timeout, remaining))
        return super().send(request, *args, **options)


# Of all accounts: own ones would cost megabytes, for TLS.
_connections = _UntilDeadline(pool_maxsize=8)


@lru_cache(_SHARED)
def _account(timeout: float, **credentials: str | None) -> Dropbox:
    """An account, whose token is renewed by itself: once, since all leagues and threads in it share
    it.
    """
    session = requests.Session()
    session.mount("https://", _connections)
    never = {"max_retries_on_error": 0, "max_retries_on_rate_limit": 0}
    return Dropbox(timeout=timeout, session=session, user_agent="Janroku", **never, **credentials)


class DropboxAuthorisation:
    """A request for a refresh token, by a code that its owner copies
    (https://developers.dropbox.com/oauth-guide, PKCE). The code belongs to this object and its
    proof key."""

    def __init__(self, app_key: str) -> None:
        options: dict[str, Any] = {
            "use_pkce": True,
            "token_access_type": "offline",
            "timeout": 10.0,
        }
        self._flow = DropboxOAuth2FlowNoRedirect(app_key, **options)
        self.address: str = self._flow.start()
        """Where the owner allows the app, and is shown the code."""

    def refresh_token(self, code: str) -> str:
        """The token, which lasts until it is revoked.

        Raises Denied for a refused code, else StorageError.
        """
        try:
            token = str(self._flow.finish(code).refresh_token or "")
        except requests.HTTPError as error:
            status = error.response.status_code
            kind = Denied if status in (400, 401, 403) else StorageError
            raise kind(f"dropbox: the code is refused ({status})") from None
        except (requests.RequestException, KeyError, ValueError) as error:
            raise StorageError(f"dropbox: no token came ({type(error).__name__})") from None
        if not token:
            raise StorageError("dropbox: the answer has no refresh token")
        return token


class _Operation:
    """Calls of an account about a path, which share one deadline; no error shows the `secrets`.
    `repeated`: some call was sent more than once."""

    def __init__(
        self,
        account: Dropbox,
        path: str,
        guard: Guard,
        secrets: Sequence[str],
    ) -> None:
        self._account = account
        self._guard = guard
        self._secrets = secrets
        self.path = path
        self.where = f"dropbox:{path or '/'}"
        self.deadline = time.monotonic() + _BUDGET
        self.repeated = False

    def call(
        self,
        act: Callable[..., T],
        *args: Any,
        **options: Any,
    ) -> T:
        """Call a method of the SDK.

        Raises NotFound, Conflict and Denied (`ports`), else StorageError.
        """
        _operation.deadline = self.deadline
        with self._guard():
            attempt = 1
            while True:
                try:
                    return act(self._account, *args, **options)
                except _ERRORS as error:
                    wait = _wait(error, attempt)
                    if wait is None or attempt == _ATTEMPTS:
                        raise self._failure(error) from error
                    if time.monotonic() + wait >= self.deadline:
                        raise self._failure(error) from error
                    time.sleep(wait)
                    attempt += 1
                    self.repeated = True

    def _failure(self, error: Exception) -> StorageError:
        """The port's error for an error of the SDK, without secrets."""
        meaning = _meaning(error)
        reason = meaning.reason
        for secret in self._secrets:
            reason = reason.replace(secret, "***")
        return meaning.error_class(f"{self.where}: {reason}")

    def upload(self, data: bytes, mode: files.WriteMode) -> str:
        """Write a file, and return its new revision.

        Raises Conflict when `mode` does not allow that.
        """
        options = {"mode": mode, "autorename": False, "mute": True}
        options["strict_conflict"] = mode is not files.WriteMode.overwrite
        return str(self.call(Dropbox.files_upload, data, self.path, **options).rev)


# All that the SDK can raise: its own errors, those of the network, and those for an answer it
# can't read.
_ERRORS = (
    exceptions.DropboxException,
    requests.RequestException,
    ValidationError,
    AssertionError,
    KeyError,
    ValueError,
    _Garbled,
)


def _wait(error: Exception, attempt: int) -> float | None:
    """Seconds to wait before the next attempt; None when another attempt can't help."""
    if isinstance(error, exceptions.RateLimitError):
        wait = 1.0
        if error.backoff is not None:
            wait = float(error.backoff)
        return wait if wait <= _LONGEST_WAIT else None
    if isinstance(error, (requests.exceptions.SSLError, requests.exceptions.InvalidJSONError)):
        return None
    if isinstance(error, (exceptions.InternalServerError, requests.RequestException, _Garbled)):
        return random.uniform(0.1, 0.3) * 2.0**attempt  # noqa: S311 (spreads the load, no secret)
    return None


_UNREADABLE = "Dropbox answered something that can't be read ({kind})"
_REFUSED = "Dropbox refuses the request"
_MALFORMED = f"{_REFUSED}: the access token is malformed ({{kind}})"
# The port's error and the reason, by the SDK's error; the first that fits counts.
_MEANINGS: dict[type[Exception], _Meaning] = {
    exceptions.AuthError: _Meaning(Denied, "Dropbox does not accept the token ({tag})"),
    exceptions.BadInputError: _Meaning(Denied, f"{_REFUSED}: {{0.message!s:.200}}"),
    requests.exceptions.InvalidHeader: _Meaning(Denied, _MALFORMED),
    UnicodeEncodeError: _Meaning(Denied, _MALFORMED),
    exceptions.RateLimitError: _Meaning(
        StorageError, "Dropbox is busy and asks to wait {wait} seconds"
    ),
    exceptions.HttpError: _Meaning(StorageError, "Dropbox answered {0.status_code}"),
    requests.Timeout: _Meaning(StorageError, "Dropbox did not answer in time"),
    requests.exceptions.InvalidJSONError: _Meaning(StorageError, _UNREADABLE),
    requests.RequestException: _Meaning(StorageError, "Dropbox can't be reached ({kind})"),
}


def _meaning(error: Exception) -> _Meaning:
    if isinstance(error, exceptions.ApiError):
        return _refusal(error.error)
    kind = type(error).__name__
    wait = getattr(error, "backoff", None) or "a few"
    tags = _tags(getattr(error, "error", None))
    tag = tags[0] if tags else "unknown"
    meaning = _Meaning(StorageError, _UNREADABLE)
    for sdk_class, sdk_meaning in _MEANINGS.items():
        if isinstance(error, sdk_class):
            meaning = sdk_meaning
            break
    text = meaning.reason.format(error, kind=kind, wait=wait, tag=tag)
    return _Meaning(meaning.error_class, text)


# By the tags of Dropbox's error; the first entry with one of them counts.
_REFUSALS: dict[_Meaning, set[str]] = {
    _Meaning(Conflict, "changed by someone else meanwhile"): {"conflict"},
    _Meaning(NotFound, "there is no such file or folder"): {
        "not_found",
        "not_file",
        "not_folder",
        "reset",
    },
    _Meaning(Denied, "Dropbox forbids it"): {
        "no_permission",
        "no_write_permission",
        "access_denied",
        "team_folder",
    },
}


def _refusal(error: Any) -> _Meaning:
    """The meaning of the error of a call, with the error's tags in the reason."""
    tags = _tags(error)
    meaning = _Meaning(StorageError, "Dropbox refuses it")
    for refusal, refusal_tags in _REFUSALS.items():
        if refusal_tags.intersection(tags):
            meaning = refusal
            break
    return meaning._replace(reason=f"{meaning.reason} ({'/'.join(tags)})")


def _tags(error: Any) -> list[str]:
    """The tags of an error that Dropbox answered, from the outer to the inner; none of another error.

    Such an error is a union: its tag names its kind, and a kind may hold a more exact error, which has a
    tag in turn, as in `path/not_found`. Where a kind holds several fields, that error is `reason`.
    """
    if not isinstance(error, Union):
        return []
    tags = []
    validator = UnionValidator(type(error))  # type: ignore[no-untyped-call]
    value = json_compat_obj_encode(validator, error)
    while isinstance(value, dict) and ".tag" in value:
        tag = value[".tag"]
        tags.append(tag)
        value = value.get("reason", value.get(tag))
    return tags


class DropboxLogs:
    """A LogSource in a Dropbox folder; `""` and `"/"` are the app's own folder. Hidden files
    (`.name`) are left out. To Dropbox paths that differ only in case are one file.

    Each call ends within about 20 seconds, since a LINE reply token lives about a minute. The app
    needs files.metadata.read, files.content.read, files.content.write."""

    fresh = FRESH

    def __init__(
        self,
        folder: str,
        *,
        app_key: str = "",
        app_secret: str = "",
        refresh_token: str = "",
        access_token: str = "",
        timeout: float = 10.0,
        guard: Guard = nullcontext,
    ) -> None:
        """`timeout` is in seconds, for one request. Raises ValueError when `folder` is no path, or
        when neither a refresh token with its app key nor an access token is given."""
        if not access_token and not (refresh_token and app_key):
            raise ValueError(
                "Dropbox needs DROPBOX_REFRESH_TOKEN with DROPBOX_APP_KEY, or DROPBOX_ACCESS_TOKEN"
            )
        parts = [part for part in folder.split("/") if part]
        self._folder = "/" + checked_name("/".join(parts)) if parts else ""
        tokens = {
            "oauth2_refresh_token": refresh_token or None,
            "oauth2_access_token": access_token or None,
        }
        self._account = _account(
            timeout, app_key=app_key or None, app_secret=app_secret or None, **tokens
        )
        self._secrets = tuple(filter(None, (app_secret, refresh_token, access_token)))
        self._guard = guard
        self._listed = _NOT_LISTED

    def revisions(self) -> dict[str, str]:
        """After the first look Dropbox is asked for changes only."""
        try:
            self._listed = self._list(None, self._listed)
        except NotFound:  # Dropbox may no longer know the cursor
            if not self._listed.cursor:
                raise
            self._listed = self._list(None)
        return self._listed.revisions()

    def folders(self) -> set[str]:
        return self._list(None).folders()

    def below(self, folder: str) -> list[str]:
        """One request for each folder."""
        try:
            listing = self._list(folder)
        except NotFound:
            return []
        names: list[str] = []
        for entry in listing.entries.values():
            path = f"{folder}/{entry.name}"
            if entry.rev:
                names.append(path)
            else:
                names += self.below(path)
        return sorted(names)

    def read(self, name: str) -> LogFile:
        """The bytes are checked against Dropbox's hash of the revision
        (https://www.dropbox.com/developers/reference/content-hash)."""
        operation = self._at(name)

        def download(sdk: Dropbox) -> LogFile:
            metadata, response = sdk.files_download(operation.path)
            data = bytearray()
            with closing(response):
                if metadata.size > LARGEST:
                    raise TooLarge(operation.where, metadata.size)
                for chunk in response.iter_content(1 << 16):
                    data += chunk
                    if time.monotonic() > operation.deadline:
                        raise requests.Timeout("the download took too long")
            if content_hash(bytes(data)) != metadata.content_hash:
                raise _Garbled
            return LogFile(name, metadata.rev, bytes(data))

        return operation.call(download)

    def write(self, name: str, data: bytes, rev: str | None) -> str:
        operation = self._at(name)
        try:
            mode = files.WriteMode.add if rev is None else files.WriteMode.update(rev)
        except ValidationError:
            raise Conflict(f"{operation.where}: {rev!r} is no revision of Dropbox's") from None
        try:
            return operation.upload(data, mode)
        except Conflict:
            # When the answer to an earlier attempt was lost, the conflict is with what that
            # attempt wrote.
            with suppress(NotFound):
                if operation.repeated:
                    entry = operation.call(Dropbox.files_get_metadata, operation.path)
                    is_file = isinstance(entry, files.FileMetadata)
                    if is_file and entry.content_hash == content_hash(data):
                        return str(entry.rev)
            raise

    def overwrite(self, name: str, data: bytes) -> str:
        return self._at(name).upload(data, files.WriteMode.overwrite)

    def remove(self, name: str) -> None:
        operation = self._at(name)
        with suppress(NotFound):
            operation.call(Dropbox.files_delete_v2, operation.path)

    def _at(self, name: str | None) -> _Operation:
        path = self._folder if name is None else f"{self._folder}/{checked_name(name)}"
        return _Operation(self._account, path, self._guard, self._secrets)

    def _list(self, folder: str | None, before: _Listing = _NOT_LISTED) -> _Listing:
        """A folder's present listing. Dropbox is asked only for the changes since `before`.

        Raises NotFound when the folder is missing, or Dropbox no longer knows the cursor.
        """
        operation = self._at(folder)
        cursor = before.cursor
        entries = dict(before.entries)
        has_more = True
        while has_more:
            if cursor:
                page = operation.call(Dropbox.files_list_folder_continue, cursor)
            else:
                page = operation.call(
                    Dropbox.files_list_folder,
                    operation.path,
                    include_non_downloadable_files=False,
                )
            cursor = str(page.cursor)
            has_more = page.has_more
            for metadata in page.entries:
                _update(entries, metadata)
        return _Listing(cursor, entries)


def _update(entries: dict[str, _Entry], metadata: files.Metadata) -> None:
    """Apply one entry of Dropbox's listing: a new, changed or deleted file or folder."""
    path = metadata.path_lower or metadata.name.lower()
    entries.pop(path, None)
    if not is_name(metadata.name):
        return
    if isinstance(metadata, files.FolderMetadata):
        entries[path] = _Entry(metadata.name, "")
    elif isinstance(metadata, files.FileMetadata) and metadata.is_downloadable:
        entries[path] = _Entry(metadata.name, metadata.rev)
