"""Prepare a process's service before its first tap, and end it after its last one."""

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from bot.dispatch.pending import PendingEvents
from bot.draw.lines import warm as warm_charts
from bot.line import client as line_client
from bot.runtime.threads import BackgroundLoop
from bot.service import Service
from storage.ports import NewerSchema, StorageError

log = logging.getLogger(__name__)


def preload(service: Service) -> None:
    """Load what taps use before the process forks: LINE's SDK, the drawing library, the stores' SDKs. Each
    process makes connections of its own. Raises SystemExit where the database is a newer version's."""
    line_client.preload()
    warm_charts()
    try:
        service.stores.prepare()
    except NewerSchema as error:
        raise SystemExit(f"Janroku can't start:\n{error}") from None
    except (StorageError, ValueError) as error:
        log.warning("a store can't be opened: %s", error)


def start(service: Service) -> None:
    """Start the background loop, which shows that this process lives; load the font and the root league."""
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
    """Finish the work under way; other processes take up the rest. The background loop goes on until then, so
    that nobody takes up what is under way here."""
    taps, loops = (service.takers, service.dispatcher), (service.room_loop, service.day_loop)
    for part in (*taps, *loops, service.admin_notices):
        part.close()
    service.background.stop()
    service.ahead.close()
    with suppress(StorageError):
        service.responder.quotable.write()
    service.pending.leave()
