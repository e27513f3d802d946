"""Draw and store pictures and files once, and sign their addresses for each answer."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from bot.chat.replies import (
    Download,
    Downloads,
    Part,
    Picture,
    Reply,
    Stored,
    Table,
)
from bot.dispatch.failures import report_picture
from bot.draw.style import RENDERER_VERSION
from bot.runtime.cache import Lru
from bot.runtime.json_log import timed
from bot.stores import Stores
from storage.addresses import LIFETIME
from storage.ports import StorageError
from storage.values import Values

REMEMBERED = 20_000  # keys known to be stored
# seconds after which the store is queried again (a bucket's own rules may have removed the picture)
TRUST = 6 * 3600.0
KEPT = float(LIFETIME)  # seconds for which all processes know that a picture was stored
DRAWING = 5.0  # seconds a process may take over a picture before another draws it as well
LOOK = 0.02  # seconds between two looks for the other process's picture


class Pictures:
    """Stores replies' pictures and signs their addresses. Safe in threads and processes.

    The claim of a picture (`drawing:` in `values`) guarantees that, of all callers that want the
    same picture at the same time, one draws it and the others wait for it
    (tests/dispatch/test_pictures.py::test_many_taps_at_once_cost_one_drawing). For LIFETIME it
    shows all processes that the picture is stored, so that the image store is not queried
    (test_a_new_picture_is_not_looked_up_in_the_store). A caller that fails removes its claim and
    another one draws (test_another_process_draws_after_a_failure); the claim of a process that was
    killed ends after DRAWING seconds (test_the_claim_of_a_killed_process_ends).

    `secret` makes the pictures' keys unguessable."""

    def __init__(self, stores: Stores, secret: str, values: Values) -> None:
        self._stores = stores
        self._values = values
        self._renderer = f"{RENDERER_VERSION}|{secret}"
        self._stored: Lru[str, float] = Lru(REMEMBERED)  # and when that was last known; monotonic

    def stored(self, reply: Reply) -> Reply:
        """The reply with the addresses of its pictures and files, which are drawn and stored first
        if needed. One that can't be stored is reported and has no address: the figures are sent as
        text instead."""
        return with_addresses(reply, self._address)

    def _address(self, picture: Stored) -> str:
        """The signed address of the picture (or file), "" where it can't be drawn or stored."""
        try:
            return self._stores.images.url(self.keep(picture))
        except Exception as error:
            report_picture(error)
            return ""

    def keep(self, picture: Stored, drawn: bytes | None = None) -> str:
        """Store the picture (`drawn`, if it is drawn already) and return its key.

        Raises StorageError.
        """
        key = picture.key(self._renderer)
        at = self._stored.get(key)
        if at is None or time.monotonic() - at >= TRUST:
            self._store(key, picture, drawn)
            self._stored.put(key, time.monotonic())
        return key

    def _store(self, key: str, picture: Stored, drawn: bytes | None) -> None:
        """Draw and store a picture, unless it is stored already or another process does it."""
        mark = f"drawing:{key}"
        try:
            is_claimed = self._values.add(mark, "", DRAWING)
            stored = not is_claimed and self._appears(key, mark)
        except StorageError:
            # One of the stores is out of reach: the picture needs only the image store.
            stored = self._stores.images.has(key)
        if stored:
            return
        try:
            if drawn is None:
                with timed("draw"):
                    drawn = picture.render()
            with timed("upload"):
                self._stores.images.put(key, drawn, picture.content_type)
        except BaseException:
            with suppress(StorageError):
                self._values.delete(mark)
            raise
        self._note_stored(mark)

    def _appears(self, key: str, mark: str) -> bool:
        """Whether a picture with a mark is stored. Wait for a process that is drawing it, at most
        DRAWING seconds. The mark's value is the time it was stored, "" while it is being drawn.
        Raises StorageError."""
        give_up = time.monotonic() + DRAWING
        never = threading.Event()
        stored_at = self._values.get(mark)
        while stored_at == "":
            if time.monotonic() > give_up:
                return False
            never.wait(LOOK)
            stored_at = self._values.get(mark)
        if stored_at is None:
            return False
        if time.time() - float(stored_at) < TRUST:
            return True
        is_stored = self._stores.images.has(key)
        if is_stored:
            self._note_stored(mark)
        return is_stored

    def _note_stored(self, mark: str) -> None:
        with suppress(StorageError):
            self._values.put(mark, repr(time.time()), KEPT)


def with_addresses(reply: Reply, address_of: Callable[[Stored], str]) -> Reply:
    """The reply with the address of each of its pictures, animations and files: their `url`. It is
    "" where `address_of` returns none; then the figures are sent in their place."""

    def addressed(part: Part) -> Part:
        if isinstance(part, Picture):
            return replace(part, url=address_of(part))
        if isinstance(part, Table) and part.hero is not None:
            return replace(part, hero=replace(part.hero, url=address_of(part.hero)))
        if isinstance(part, Downloads):
            return replace(part, files=_addressed_files(part.files, address_of))
        return part

    return replace(reply, parts=tuple(addressed(part) for part in reply.parts))


def _addressed_files(
    files: tuple[Download, ...], address_of: Callable[[Stored], str]
) -> tuple[Download, ...]:
    """The files with their addresses, up to the first that has none: then none is sent."""
    addressed: list[Download] = []
    for file in files:
        url = address_of(file)
        if not url:
            return files
        addressed.append(replace(file, url=url))
    return tuple(addressed)
