"""Draw and store pictures (and files) once, and sign their addresses for each answer."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from bot.charts.canvas.style import RENDERER_VERSION
from bot.chat.replies import Stored
from storage.ports import ImageStore, StateStore, StorageError

REMEMBERED = 20_000  # keys known to be stored
TRUST = 6 * 3600.0  # seconds after which the store is asked again (a bucket's own rules may have removed it)
DRAWING = 5.0  # seconds a process may take over a picture before another draws it as well
LOOK = 0.02  # seconds between two looks for the other process's picture


class Pictures:
    """Turns a picture into its signed address. The same picture is drawn by one caller at a time.

    With `state` this holds for all processes together: the first to mark the picture draws it, and the others wait for
    it. `secret` makes the pictures' keys unguessable.
    """

    def __init__(
        self,
        images: ImageStore,
        secret: str,
        clock: Callable[[], float] = time.monotonic,
        state: StateStore | None = None,
    ) -> None:
        self.images = images
        self._state = state
        self._renderer = f"{RENDERER_VERSION}|{secret}"
        self._clock = clock
        self._stored: OrderedDict[str, float] = OrderedDict()
        self._lock = threading.Lock()
        self._drawing: dict[str, tuple[threading.Lock, int]] = {}

    def url(self, picture: Stored) -> str:
        """Return the signed address of the picture (or file), which is made and stored first if needed.

        Raises StorageError when the image store cannot be reached.
        """
        return self.images.url(self.keep(picture))

    def keep(self, picture: Stored) -> str:
        """Make sure that the picture is stored, and return its key.

        Raises StorageError when the image store cannot be reached.
        """
        key = picture.key(self._renderer)
        if not self._is_stored(key):
            with self._alone(key):
                if not self._is_stored(key):
                    if not self.images.has(key):
                        with self._alone_of_all(key) as mine:
                            if mine:
                                self.images.put(key, picture.render(), picture.content_type)
                    self._remember(key)
        return key

    @contextmanager
    def _alone_of_all(self, key: str) -> Iterator[bool]:
        """Yield whether to draw: False if another process just has. Without the state store everybody draws."""
        mark = f"drawing:{key}"
        try:
            free = self._state is None or self._state.add(mark, "", DRAWING)
        except StorageError:
            free = True
        if not free and self._appears(key):
            yield False
            return
        try:
            yield True
        finally:
            if self._state is not None:
                with suppress(StorageError):
                    self._state.delete(mark)

    def _appears(self, key: str) -> bool:
        """Wait for another process's picture. Return False when it takes too long or the other process gave up."""
        give_up, never = time.monotonic() + DRAWING, threading.Event()
        while time.monotonic() < give_up:
            never.wait(LOOK)
            drawing = self._being_drawn(key)
            if self.images.has(key):
                return True
            if not drawing:
                return False
        return False

    def _being_drawn(self, key: str) -> bool:
        try:
            return self._state is not None and self._state.get(f"drawing:{key}") is not None
        except StorageError:
            return False

    def _is_stored(self, key: str) -> bool:
        at = self._stored.get(key)
        return at is not None and self._clock() - at < TRUST

    def _remember(self, key: str) -> None:
        with self._lock:
            self._stored[key] = self._clock()
            self._stored.move_to_end(key)
            while len(self._stored) > REMEMBERED:
                self._stored.popitem(last=False)

    @contextmanager
    def _alone(self, key: str) -> Iterator[None]:
        """Hold the key's own lock. A lock that nobody waits for is dropped."""
        with self._lock:
            lock, waiting = self._drawing.get(key, (threading.Lock(), 0))
            self._drawing[key] = (lock, waiting + 1)
        try:
            with lock:
                yield
        finally:
            with self._lock:
                waiting = self._drawing[key][1] - 1
                if waiting:
                    self._drawing[key] = (lock, waiting)
                else:
                    del self._drawing[key]
