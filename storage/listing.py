"""What changed between two listings of a folder's files, for stores that give a whole listing at each look."""

from __future__ import annotations

from collections.abc import Callable

from storage.files import pack, unpack
from storage.ports import Changes


class ListingChanges:
    """Compares listings (names with revisions). A cursor holds the listing it was given with, marked with the store's `kind`."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._last: tuple[str, dict[str, str]] | None = (
            None  # a cursor and its listing, which need not be unpacked
        )

    def since(
        self, cursor: str | None, files: dict[str, str], folders: Callable[[], frozenset[str]]
    ) -> Changes:
        """What changed from the cursor's listing to `files`: all of it, and the `folders`, where the cursor tells none."""
        last = self._last
        before = last[1] if last is not None and last[0] == cursor else self._listing(cursor)
        if before == files and cursor is not None:
            self._last = (cursor, before)
            return Changes(cursor, {})
        following = pack(self._kind, files)
        self._last = (following, files)
        if before is None:
            return Changes(following, files, reset=True, folders=folders())
        changed = {name: rev for name, rev in files.items() if before.get(name) != rev}
        return Changes(following, changed, frozenset(before.keys() - files.keys()))

    def _listing(self, cursor: str | None) -> dict[str, str] | None:
        listing = unpack(self._kind, cursor) if cursor is not None else None
        if not isinstance(listing, dict) or not all(isinstance(rev, str) for rev in listing.values()):
            return None
        return listing
