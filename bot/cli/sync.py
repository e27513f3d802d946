"""`flask sync`: Tenhou's newest results into the season logs."""

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import date, datetime, timedelta
from functools import partial
from typing import NamedTuple

import click

from bot.cli.base import CommandContext, command, with_context
from bot.cli.errors import Failure
from bot.cli.options import AS_JSON
from bot.cli.printing import print_report, progress_bar
from bot.league.in_force import read_in_force
from bot.runtime import json_log, metrics
from bot.runtime.translation import translated as _
from bot.service import Service
from bot.sync.jobs import LEAGUES
from bot.sync.run import SyncResult
from rating.logdates import JST
from storage.ports import StorageError

log = logging.getLogger(__name__)
RECORDS = "records"  # the name given to `progress` while records are fetched


@command()
@click.option("--since", type=click.DateTime(["%Y-%m-%d"]), help="Also the days from this one on.")
@AS_JSON
@with_context
def sync(cli: CommandContext, since: datetime | None, as_json: bool) -> None:
    """Exit status 1 when something could not be done, 2 when the only league has a log that can't
    be read."""
    service = service_with_rooms(cli.service)
    begin = None
    if since:
        begin = since.date()
    if begin and begin > service.now().astimezone(JST).date():
        raise Failure(_("--since {begin} lies in the future", begin=begin))
    leagues, result = synced(service, begin)
    print_report(as_json, result.as_dict(), result.lines())
    is_process = os.environ.get("FLASK_RUN_FROM_CLI") == "true"
    if json_log.configured() == json_log.JSON and is_process and not as_json:
        _log_result(result)
    elif not as_json:
        for problem in result.problems:
            click.echo(f"problem: {problem}", err=True)
    if result.problems:
        raise SystemExit(2 if result.refused and len(leagues) == 1 else 1)


def _log_result(result: SyncResult) -> None:
    """Write what a sync did into the log, for installations whose log is JSON."""
    logging.getLogger("bot").setLevel(logging.INFO)
    for problem in result.problems:
        log.warning("%s", problem)
    outcome = "done"
    if result.problems:
        outcome = "problems"
    fields = {
        "result": outcome,
        "games": result.games,
        "files": result.seen,
        "downloaded": result.downloaded,
    }
    log.info("sync: %d games added", result.games, extra={"fields": fields})


class SyncOutcome(NamedTuple):
    """The folders of the leagues that were synced, and what was done."""

    leagues: list[str]
    result: SyncResult


def synced(service: Service, since: date | None = None) -> SyncOutcome:
    """Sync all leagues; return their folders and what was done. Raises LeagueError for a broken
    league.toml of the only one."""
    leagues = service.leagues
    if len(leagues) == 1:
        # A broken league.toml of the only league without a known version ends the command.
        read_in_force(service.stores.open_logs())
    if service.settings.metrics_token and "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        metrics.configure()
    work = service.make_league_work(partial(_after_sync, service))
    with progress_bars() as progress:
        result = service.sync(leagues, work, since, progress)
    result.notes += _collect_records(service, leagues)
    return SyncOutcome(leagues, result)


def _collect_records(service: Service, leagues: Sequence[str]) -> list[str]:
    """Fetch the records that the leagues' rooms have named; return notes on it."""
    try:
        with progress_bars() as progress:

            def records_progress(done: int, total: int) -> None:
                progress(done, total, RECORDS)

            return list(service.paifu_collector.collect(leagues, records_progress))
    except StorageError as error:
        return [_("records are fetched later: {error}", error=error)]


def _after_sync(service: Service, league: str, days: Sequence[date]) -> bool:
    """Send what features send after a sync, and free the league's memory."""
    try:
        return service.after_sync(league, days)
    finally:
        service.registry.forget(league)  # this process does not need the league again


def service_with_rooms(service: Service) -> Service:
    if not service.has_rooms:
        raise Failure(_("LOGS_URL is not set: the demo league has no room on Tenhou"))
    return service


@contextmanager
def progress_bars() -> Iterator[Callable[[int, int, str], None]]:
    """Yield `progress(done, total, name)`: a bar at a terminal for work longer than a second, one
    each for Tenhou's files, leagues and records."""
    start = datetime.now(JST)
    bar_label = ""
    bar: Callable[[int, int], None] | None = None
    with ExitStack() as bars:

        def step(done: int, total: int, name: str) -> None:
            nonlocal bar, bar_label
            label = name if name in (LEAGUES, RECORDS) else "Tenhou"
            if bar_label != label:
                bars.close()
                bar = None
            if bar is None and done < total and datetime.now(JST) - start > timedelta(seconds=1):
                bar = bars.enter_context(progress_bar(label, length=total))
                bar_label = label
            if bar is not None:
                bar(done, total)

        yield step
