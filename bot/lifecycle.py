"""Prepare a process's service before its first tap, and end it after its last one."""

from __future__ import annotations

import logging

from bot.charts.warm import warm as warm_charts
from bot.line import client as line_client
from bot.service import Service
from storage.ports import StorageError

log = logging.getLogger(__name__)


def preload(service: Service) -> None:
    """Load what taps use before the process forks: LINE's SDK, the drawing library, the stores' SDKs.

    Opening a store makes no request. Each process makes connections of its own.
    """
    line_client.preload()
    warm_charts()
    try:
        service.stores.open_all()
    except (StorageError, ValueError) as error:
        log.warning("a store can't be opened: %s", error)


def start(service: Service) -> None:
    """Start the background loop, which shows that this process lives, and load the font and the root league."""
    service.background.start()
    warm_charts()
    try:
        service.registry.league().snapshot()
        service.registry.settle()
    except StorageError as error:
        log.warning("the logs can't be read yet: %s", error)


def stop(service: Service) -> None:
    """Finish the work under way. Other processes take up the rest.

    The background loop goes on until the last tap is answered: it shows that this process lives, so that no other takes
    up what is under way here. Closed pools take no more work from it.
    """
    service.dispatcher.close()
    service.background.stop()
    service.pending.leave()
