"""Draw and store pictures (and files) once, and sign their addresses for each answer."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from weakref import WeakValueDictionary

from bot.chat.replies import Stored
from bot.draw.style import RENDERER_VERSION
from bot.runtime.cache import Lru
from bot.runtime.json_log import blame, log_fault, timed
from storage.addresses import LIFETIME
from storage.notes import Values
from storage.ports import ImageStore, StorageError

REMEMBERED = 20_000  # keys known to be stored
TRUST = 6 * 3600.0  # seconds after which the store is asked again (a bucket's own rules may have removed it)
KEPT = float(LIFETIME)  # seconds for which all processes know that a picture was stored
DRAWING = 5.0  # seconds a process may take over a picture before another draws it as well
LOOK = 0.02  # seconds between two looks for the other process's picture


class Pictures:
    """Turns a picture into its signed address. The same picture is drawn by one caller at a time.

    With `values` this holds for all processes together: the first to mark the picture draws it, the others
    wait for it, and for a week all know that it is stored. So the image store is not asked for a picture that
    nobody has drawn yet. `secret` makes the pictures' keys unguessable.
    """

    def __init__(
        self,
        images: Callable[[], ImageStore],
        secret: str,
        clock: Callable[[], float] = time.monotonic,
        values: Values | None = None,
    ) -> None:
        self._images = images  # opened when first used
        self._values = values
        self._renderer = f"{RENDERER_VERSION}|{secret}"
        self._clock = clock
        self._stored: Lru[str, float] = Lru(REMEMBERED)  # and when that was last known
        self._lock = threading.Lock()
        self._drawing: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()

    def url(self, picture: Stored) -> str:
        """Return the signed address of the picture (or file), which is made and stored first if needed.

        Raises StorageError when the image store cannot be reached.
        """
        return self._images().url(self.keep(picture))

    def address(self, picture: Stored) -> str:
        """As `url`; a drawing that fails is logged and is a StorageError, too, so that the figures go in
        words instead."""
        try:
            return self.url(picture)
        except StorageError as error:
            blame(error, str(error), error.store or "images")
            raise
        except Exception as error:
            log_fault("a picture could not be drawn", error)
            raise StorageError("the picture could not be drawn") from None

    def keep(self, picture: Stored, drawn: bytes | None = None) -> str:
        """Make sure that the picture is stored, and return its key. `drawn` is the picture, if it is drawn
        already.

        Raises StorageError when the image store cannot be reached.
        """
        key = picture.key(self._renderer)
        if not self._is_stored(key):
            with self._lock:
                alone = self._drawing.setdefault(key, threading.Lock())
            with alone:
                if not self._is_stored(key):
                    self._store(key, picture, drawn)
                    self._stored.put(key, self._clock())
        return key

    def _store(self, key: str, picture: Stored, drawn: bytes | None) -> None:
        """Draw and store a picture, unless it is stored already or another process does it."""
        mark = f"drawing:{key}"
        try:
            if self._values is None:
                stored = self._images().has(key)
            else:
                stored = not self._values.add(mark, "", DRAWING) and self._appears(key, mark, self._values)
        except StorageError:  # one of the stores is out of reach: what the picture needs is the image store
            stored = self._images().has(key)
        if stored:
            return
        try:
            if drawn is None:
                with timed("draw"):
                    drawn = picture.render()
            with timed("upload"):
                self._images().put(key, drawn, picture.content_type)
        except BaseException:
            self._note(lambda values: values.delete(mark))
            raise
        self._note(lambda values: values.put(mark, repr(time.time()), KEPT))

    def _appears(self, key: str, mark: str, values: Values) -> bool:
        """Whether a picture with a mark is stored. Wait for a process that is drawing it, but not for ever.

        The mark holds the time it was stored, and nothing while it is being drawn. Raises StorageError when a
        store cannot be reached.
        """
        give_up, never = time.monotonic() + DRAWING, threading.Event()
        while (marked := values.get(mark)) is not None:
            if marked:
                if time.time() - float(marked) < TRUST:
                    return True
                if not self._images().has(key):
                    return False
                self._note(lambda values: values.put(mark, repr(time.time()), KEPT))
                return True
            if time.monotonic() > give_up:
                return False
            never.wait(LOOK)
        return False

    def _note(self, write: Callable[[Values], None]) -> None:
        """Write to the state store, if there is one and it can be reached."""
        if self._values is not None:
            with suppress(StorageError):
                write(self._values)

    def _is_stored(self, key: str) -> bool:
        at = self._stored.get(key)
        return at is not None and self._clock() - at < TRUST
