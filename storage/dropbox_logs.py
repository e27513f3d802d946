"""Keeps the log folder in Dropbox."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING

from storage.files import changes_between, checked_name, pack, unpack
from storage.ports import FRESH, Changes, Conflict, Guard, LogFile, NotFound

if TYPE_CHECKING:
    from storage.dropbox_client import Listing, Operation


class DropboxLogs:
    """A LogSource in a Dropbox folder; `""` and `"/"` are the app's own folder. Hidden files (`.name`) are
    left out.

    Each call ends within about 20 seconds, since a LINE reply token lives about a minute. To Dropbox paths
    that differ only in case are one file, so the cursor holds the names it was made with; another case is one
    file removed and one new. The app needs files.metadata.read, files.content.read and files.content.write.
    """

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
        """`timeout` is in seconds, for one request. Raises ValueError when `folder` is no path, or when
        neither a refresh token with its app key nor an access token is given."""
        if not access_token and not (refresh_token and app_key):
            raise ValueError(
                "Dropbox needs DROPBOX_REFRESH_TOKEN with DROPBOX_APP_KEY, or DROPBOX_ACCESS_TOKEN"
            )
        parts = [part for part in folder.split("/") if part]
        self._folder = "/" + checked_name("/".join(parts)) if parts else ""

        from storage.dropbox_client import account  # the SDK is loaded only where it is used: 25 MB

        self._client = account(app_key, app_secret, refresh_token, access_token, timeout)
        self._client.prepare()
        self._guard = guard

    def changes(self, cursor: str | None = None) -> Changes:
        """Raises NotFound when the folder is missing."""
        if (known := _decode(cursor)) is not None:
            with suppress(NotFound):  # Dropbox may no longer know the cursor
                return self._since(*known)
        listing: Listing = {}
        folders: dict[str, str] = {}
        following = self._at().follow(None, listing, folders)
        cursor = pack("dropbox", [following, listing])
        return Changes(cursor, dict(listing.values()), reset=True, folders=frozenset(folders.values()))

    def below(self, folder: str) -> list[str]:
        """One request for each folder."""
        listing: Listing = {}
        folders: dict[str, str] = {}
        try:
            self._at(folder).follow(None, listing, folders)
        except NotFound:
            return []
        found = [f"{folder}/{name}" for name, _ in listing.values()]
        for name in folders.values():
            found += self.below(f"{folder}/{name}")
        return sorted(found)

    def read(self, name: str) -> LogFile:
        """The bytes are checked against Dropbox's hash of the revision."""
        rev, data = self._at(name).download()
        return LogFile(name, rev, data)

    def write(self, name: str, data: bytes, rev: str | None) -> str:
        operation = self._at(name)
        try:
            return operation.upload(data, rev)
        except Conflict:
            # When the answer to an earlier attempt was lost, the conflict is with what that attempt wrote.
            stored = operation.rev_holding(data) if operation.repeated else None
            if stored is None:
                raise
            return stored

    def overwrite(self, name: str, data: bytes) -> str:
        return self._at(name).upload(data, overwrite=True)

    def remove(self, name: str) -> None:
        with suppress(NotFound):
            self._at(name).remove()

    def close(self) -> None:
        self._client.drop(lambda client: client.close())

    def _at(self, name: str | None = None) -> Operation:
        path = self._folder if name is None else f"{self._folder}/{checked_name(name)}"
        return self._client.get().operation(path, self._guard)

    def _since(self, cursor: str, before: Listing) -> Changes:
        """The changes since a cursor. Raises NotFound when Dropbox no longer knows the cursor."""
        listing = dict(before)
        following = self._at().follow(cursor, listing, {})
        if listing == before:
            following = cursor  # it is still valid, and an unchanged folder keeps its cursor
        packed = pack("dropbox", [following, listing])
        return changes_between(packed, dict(before.values()), dict(listing.values()))


def _decode(cursor: str | None) -> tuple[str, Listing] | None:
    match unpack("dropbox", cursor) if cursor is not None else None:
        case [str(following), dict(listing)]:
            try:
                return following, {lower: (str(name), str(rev)) for lower, (name, rev) in listing.items()}
            except (TypeError, ValueError):
                return None
    return None
