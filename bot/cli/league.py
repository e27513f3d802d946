"""`flask sync` and `flask league`: fetch the day's results, and keep the log folder in order."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from gettext import gettext as _
from typing import Any

import click

from bot.cli.context import AdminContext, GetContext
from bot.cli.errors import Failure
from bot.cli.folder import YES, check_command, history_command, restore_command, show_command
from bot.cli.output import AS_JSON, print_json
from bot.league.files import LEAGUE_FILE
from bot.sync.find_rooms import find_rooms, proposal
from bot.sync.jobs import JobRunner
from bot.sync.run import LEAGUES, SyncResult, sync_leagues
from bot.tenhou.client import TenhouClient
from bot.tenhou.throttle import TooSoon
from rating.logdates import JST
from storage.ports import StorageError

log = logging.getLogger(__name__)
RECORDS = "records"  # the name given to `progress` while records are fetched


def commands(get: GetContext) -> list[click.Command]:
    """Return the command `sync` and the group `league`."""
    league = click.Group("league", help="The league's rooms, seasons and logs.")
    for make in (show_command, check_command, history_command, restore_command, _init):
        league.add_command(make(get))
    return [_sync(get), league]


def _sync(get: GetContext) -> click.Command:
    @click.command("sync")
    @click.option("--since", type=click.DateTime(["%Y-%m-%d"]), help="Also the days from this one on.")
    @AS_JSON
    def command(since: datetime | None, as_json: bool) -> None:
        """Add Tenhou's newest results to the season logs.

        Exit status 1 when something could not be done, 2 when the only league has a log that can't be read.
        """
        admin = _with_tenhou(get())
        begin = since.date() if since else None
        if begin and begin > admin.now().astimezone(JST).date():
            raise Failure(_("--since {begin} lies in the future").format(begin=begin))
        leagues, result = synced(admin, begin)
        if as_json:
            print_json(result.as_dict())
        else:
            click.echo("\n".join(result.lines()))
            _tell_problems(result, admin.log_json)
        if result.problems:
            raise SystemExit(2 if result.refused and len(leagues) == 1 else 1)

    return command


def _tell_problems(result: SyncResult, log_json: bool) -> None:
    """Say on standard error what is to be mended: to people in lines, to the log of a scheduler in its own
    form."""
    if not log_json:
        for problem in result.problems:
            click.echo(f"problem: {problem}", err=True)
        return
    logging.getLogger("bot").setLevel(logging.INFO)
    for problem in result.problems:
        log.warning("%s", problem)
    told = {
        "result": "problems" if result.problems else "done",
        "games": result.games,
        "files": result.seen,
        "downloaded": result.downloaded,
    }
    log.info("sync: %d games added", result.games, extra={"fields": told})


def synced(admin: AdminContext, since: date | None = None) -> tuple[list[str], SyncResult]:
    """Sync all leagues; return their folders and what was done. Raises LeagueError for a broken league.toml
    of the only one."""
    leagues = ["", *admin.others()]
    if len(leagues) == 1:
        admin.league()  # a broken league.toml of the only league without a known version ends the command
    workers = admin.workers if len(leagues) > 1 else None
    runner = JobRunner(admin.work, workers)
    with TenhouClient(admin.tenhou_url) as tenhou, progress_bars() as progress:
        result = sync_leagues(
            leagues, runner, admin.state, tenhou, admin.now, since, progress, rooms=admin.rooms
        )
    result.notes += _collected(admin, leagues)
    return leagues, result


def _collected(admin: AdminContext, leagues: list[str]) -> list[str]:
    """Fetch the records that the rooms have named, and return what to say of it."""
    if admin.records is None:
        return []
    try:
        with progress_bars() as progress:
            return admin.records.collect(leagues, lambda done, total: progress(done, total, RECORDS))
    except StorageError as error:
        return [_("records are fetched later: {error}").format(error=error)]


def _with_tenhou(admin: AdminContext) -> AdminContext:
    if not admin.tenhou_url:
        raise Failure(_("LOGS_URL is not set: the demo league has no room on Tenhou"))
    return admin


def _init(get: GetContext) -> click.Command:
    @click.command("init")
    @click.argument("names", nargs=-1, required=True, metavar="NAME...")
    @click.option("--title", default="", help="The league's name.")
    @YES
    def command(names: tuple[str, ...], title: str, yes: bool) -> None:
        """Find the rooms where these players (names on Tenhou) met lately, and propose a league.toml."""
        admin = _with_tenhou(get())
        try:
            with TenhouClient(admin.tenhou_url) as tenhou, progress_bars() as progress:
                found = find_rooms(names, admin.state, tenhou, admin.now, progress=progress)
        except TooSoon as early:
            raise Failure(
                _("Tenhou was asked just now; try again at {until:%H:%M} JST").format(
                    until=early.until.astimezone(JST)
                )
            ) from None
        if not found.rooms:
            raise Failure(
                _("no room where {names} met from {first} to {last}").format(
                    names=", ".join(names), first=found.days[0], last=found.days[-1]
                )
            )
        for room in found.rooms:
            click.echo(
                _("{name}: met in {met} of {games} games, last on {last}").format(
                    name=room.name, met=room.met, games=room.games, last=room.last
                )
            )
            click.echo(
                "    " + ", ".join(f"{player} {count}" for player, count in room.players.most_common())
            )
        text = proposal(found, title)
        click.echo(f"\nleague.toml:\n\n{text}")
        if LEAGUE_FILE in admin.logs.changes().files:
            raise Failure(_("league.toml is there already: take over by hand what you need of the above"))
        if yes or click.confirm(_("Write league.toml?")):
            admin.logs.write(LEAGUE_FILE, text.encode(), None)
            click.echo(_("league.toml written; `flask sync` fetches the games"))

    return command


@contextmanager
def progress_bars() -> Iterator[Callable[[int, int, str], None]]:
    """Yield `progress(done, total, name)`: a bar at a terminal for work longer than a second, nothing
    elsewhere.

    There is one bar for Tenhou's files, one for leagues and one for records.
    """
    if not sys.stderr.isatty():
        yield lambda done, total, name: None
        return
    begun = datetime.now(JST)
    bar: Any = None

    def step(done: int, total: int, name: str) -> None:
        nonlocal bar
        label = name if name in (LEAGUES, RECORDS) else "Tenhou"
        if bar is not None and bar.label != label:
            bar.__exit__(None, None, None)
            bar = None
        if bar is None and done < total and datetime.now(JST) - begun > timedelta(seconds=1):
            bar = click.progressbar(length=total, label=label, file=sys.stderr)
            bar.__enter__()
        if bar is not None:
            bar.length = total
            bar.update(done - bar.pos)

    try:
        yield step
    finally:
        if bar is not None:
            bar.__exit__(None, None, None)
