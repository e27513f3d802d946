"""Prepare a process's service before its first tap, and end it after its last one."""

import ctypes
import logging
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from bot.dispatch.pending import PendingEvents
from bot.draw.lines import warm as warm_charts
from bot.line.client import line_sdk
from bot.runtime.background import BackgroundLoop
from bot.service import Service
from storage.ports import NewerSchema, StorageError

ARENAS = 2
LARGE = 256 * 1024  # bytes; a greater block is given back to the system as soon as it is free
# malloc.h
_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3
_M_ARENA_MAX = -8


def save_memory() -> None:
    """Limit glibc to two heaps (arenas) for all threads, and return large free blocks to the
    system.

    By default it has eight heaps a core, each of which keeps what it once needed, such as a
    picture's megabytes
    (https://www.gnu.org/software/libc/manual/html_node/Memory-Allocation-Tunables.html).
    MALLOC_ARENA_MAX in the environment takes precedence.
    """
    if "MALLOC_ARENA_MAX" in os.environ:
        return
    # The peak of two processes (tests/tools/bench/memory.py) is 302 MiB with these and 349 MiB
    # without, on a dyno of 512. MALLOC_ARENA_MAX=2 alone leaves it at 375 MiB, so the thresholds
    # are needed too.
    with suppress(AttributeError, OSError):  # not glibc
        libc = ctypes.CDLL(None)
        libc.mallopt(_M_ARENA_MAX, ARENAS)
        libc.mallopt(_M_MMAP_THRESHOLD, LARGE)
        libc.mallopt(_M_TRIM_THRESHOLD, LARGE)


log = logging.getLogger(__name__)


def preload(service: Service) -> None:
    """Load what taps use before the process forks: LINE's SDK, the drawing library, the stores'
    SDKs. Each process makes connections of its own. Raises SystemExit where the database is a newer
    version's."""
    line_sdk()
    warm_charts()
    try:
        service.registry.known("")  # is opened, not read
        service.stores.prepare()
    except NewerSchema as error:
        raise SystemExit(f"Janroku can't start:\n{error}") from None
    except (StorageError, ValueError) as error:
        log.warning("a store can't be opened: %s", error)


def start(service: Service) -> None:
    """Start the background loop, which shows that this process lives; load the font and the root
    league.
    """
    service.background.start()
    warm_charts()
    try:
        service.registry.league().snapshot()
        service.registry.settle()
    except StorageError as error:
        log.warning("the logs can't be read yet: %s", error)


def start_to_take(service: Service) -> None:
    """Have a process take taps and leave their answers to those after it; it loads no SDK."""
    service.dispatcher.pool = service.dispatcher.long_pool = _ForOthers(service.pending)
    BackgroundLoop(sign_of_life=service.pending.show_alive).start()


class _ForOthers:
    """A WorkPool that leaves every tap to whoever looks next."""

    room = 0

    def __init__(self, pending: PendingEvents) -> None:
        self._pending = pending

    def submit(self, work: Callable[..., None], *args: Any) -> bool:
        return self._pending.put_off(*args)


def stop(service: Service) -> None:
    """Finish the work under way; other processes take up the rest. Until then the background loop
    goes on: nobody takes up what is under way here."""
    taps = (service.takers, service.dispatcher)
    loops = (service.room_loop, service.day_loop)
    for part in (*taps, *loops, service.admin_notices):
        part.close()
    service.background.stop()
    service.ahead.close()
    with suppress(StorageError):
        service.responder.quotable.write()
    service.pending.leave()
