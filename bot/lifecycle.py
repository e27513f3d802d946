"""What a process does with its service before the first tap and after the last one."""

from __future__ import annotations

import logging

from bot.charts.warm import warm as warm_charts
from bot.line import client as line_client
from bot.service import Service
from storage.ports import StorageError

log = logging.getLogger(__name__)


def preload(service: Service) -> None:
    """Load what taps use, before the process forks: LINE's SDK, the drawing library, the stores' own SDKs.

    Opening a store asks nobody, and its connections are made anew in each process.
    """
    line_client.preload()
    warm_charts()
    try:
        service.stores.open_all()
    except (StorageError, ValueError) as error:
        log.warning("a store can't be opened: %s", error)


def start(service: Service) -> None:
    """Show that this process lives, then have the slow things ready: the font, the league."""
    service.background.start()
    warm_charts()
    try:
        service.registry.league().snapshot()
    except StorageError as error:
        log.warning("the logs can't be read yet: %s", error)


def stop(service: Service) -> None:
    """Finish what is under way; others take up the rest. The background loop ends first: it gives work to the pools."""
    service.background.stop()
    service.dispatcher.close()
