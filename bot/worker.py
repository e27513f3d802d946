"""The worker (`worker:` in the Procfile): processes of sixteen threads that answer taps and do the
sync's jobs.

The first process loads what all need, forks the others and starts those again that end. SIGTERM
ends all: they finish what is under way and leave what waits to others.
"""

import gc
import logging
import os
import signal
import threading
from collections.abc import Callable
from typing import Any

from bot import lifecycle
from bot.dispatch.dispatcher import TAP
from bot.runtime import json_log, metrics
from bot.runtime.json_log import log_fault
from bot.runtime.translation import message
from bot.runtime.version import release
from bot.runtime.work_queue import TryAgain, work
from bot.service import Service
from bot.settings import SettingFault, Settings, SettingsError, read_settings
from bot.sync.jobs import LEAGUE, work_through
from storage.ports import StorageError

THREADS = 16
# Heroku kills a process 30 s after it asks it to end
# (https://devcenter.heroku.com/articles/dynos#graceful-shutdown-with-sigterm).
GRACE = 20.0
PAUSE = 1.0  # seconds before a process that ended is started again
ORPHAN = 2.0  # seconds between looks whether the first process lives
END = {signal.SIGTERM, signal.SIGINT}
Calls = dict[str, Callable[[Any], None]]
log = logging.getLogger(__name__)


def main() -> None:
    """Run the worker until a signal ends it.

    Raises SystemExit with a line for each faulty setting.
    """
    lifecycle.save_memory()
    try:
        settings = read_settings()
        if not settings.redis_url:
            missing = message("is missing (the address of Redis; without it no worker is needed)")
            raise SettingsError([SettingFault("REDIS_URL", missing)])
    except SettingsError as error:
        raise SystemExit("\n".join(["Janroku's worker can't start:", *error.lines])) from None
    json_log.configure(secrets=settings.secrets, form=settings.log_format)
    logging.getLogger("dramatiq").setLevel(logging.WARNING)
    log.info("Janroku %s works through the queue", release(settings.commit))
    lifecycle.preload(Service(settings))
    gc.freeze()  # what is loaded stays shared between the processes; measured in bot/gunicorn.py
    keep(settings.worker_concurrency, lambda: _serve(settings))


def keep(count: int, serve: Callable[[], None]) -> None:
    """Keep `count` child processes that run `serve` until a signal ends this process, which then
    ends them.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, {*END, signal.SIGCHLD})
    children = {_fork(serve) for _ in range(count)}
    while signal.sigwait({*END, signal.SIGCHLD}) == signal.SIGCHLD:
        ended = {child for child in children if os.waitpid(child, os.WNOHANG)[0]}
        children -= ended
        if ended:
            log.error("a worker process ended and is started again")
            if signal.sigtimedwait(END, PAUSE):
                break
            children |= {_fork(serve) for _ in ended}
    for child in children:
        os.kill(child, signal.SIGTERM)
    for child in children:
        os.waitpid(child, 0)


def _fork(serve: Callable[[], None]) -> int:
    child = os.fork()
    if not child:
        try:
            serve()
        except Exception as error:
            log_fault("a worker process failed", error)
        finally:
            os._exit(0)
    return child


def _serve(settings: Settings) -> None:
    """Work through the queue until a signal ends this process, or the first process is gone."""
    if settings.metrics_token:
        metrics.configure()
    service = Service(settings, worker=True)
    service.background.start()
    engine = work(settings.redis_url, calls_of(service), THREADS)
    first = os.getppid()
    while signal.sigtimedwait(END, ORPHAN) is None and os.getppid() == first:
        pass
    engine.stop(timeout=round(1000 * GRACE))
    lifecycle.stop(service)


def calls_of(service: Service) -> Calls:
    # The semaphore guarantees that a sync's leagues leave half of the threads to taps
    # (tests/sync/test_queue_sync.py::test_leagues_leave_threads_to_taps).
    room = threading.BoundedSemaphore(THREADS // 2)

    def sync_league(number: int) -> None:
        if not room.acquire(blocking=False):
            raise TryAgain("half of the threads are at work on leagues")
        try:
            done = work_through(
                service.state.jobs, number, service.pending.owner, service.league_work
            )
        except StorageError as error:
            raise TryAgain(str(error)) from None
        finally:
            room.release()
        if done is None:
            return
        job, outcome = done
        if outcome.added:
            games = sum(outcome.added.values())
            log.info("league %s: %d games added", job.league or "(root)", games)

    return {TAP: service.dispatcher.take_queued, LEAGUE: sync_league}


if __name__ == "__main__":
    main()
