"""Pictures (and files) by what they show: made and stored once, then only signed anew."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bot.charts.style import RENDERER_VERSION
from bot.replies import Stored
from storage.ports import ImageStore

REMEMBERED = 20_000  # keys known to be stored
TRUST = 6 * 3600.0  # seconds after which the store is asked again (a bucket's own rules may have removed it)


class Pictures:
    """Turns a Picture into its signed address. One drawing at a time for the same picture, whoever asks."""

    def __init__(self, images: ImageStore, secret: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.images = images
        self._renderer = f"{RENDERER_VERSION}|{secret}"
        self._clock = clock
        self._stored: OrderedDict[str, float] = OrderedDict()
        self._lock = threading.Lock()
        self._drawing: dict[str, tuple[threading.Lock, int]] = {}

    def url(self, picture: Stored) -> str:
        """The picture's (or file's) address, made and stored first where needed. StorageError when the store is down."""
        return self.images.url(self.keep(picture))

    def keep(self, picture: Stored) -> str:
        """See that the picture is stored; its key. StorageError when the store is down."""
        key = picture.key(self._renderer)
        if not self._is_stored(key):
            with self._alone(key):
                if not self._is_stored(key):
                    if not self.images.has(key):
                        self.images.put(key, picture.render(), picture.content_type)
                    self._remember(key)
        return key

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
        """Hold the key's own lock; locks nobody waits for are let go."""
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
