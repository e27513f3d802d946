"""flask sync and flask league: the day's results, and the log folder kept in order."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from bot.cli import Failure
from bot.cli.folder import AS_JSON, YES, check_command, history_command, restore_command, show_command
from bot.texts import JST
from rating.league import League, LeagueError
from storage.ports import LogSource, StateStore, StorageError

if TYPE_CHECKING:
    from bot.seasonlogs import Target
    from bot.sync import SyncResult


@dataclass(frozen=True)
class Admin:
    """What the commands work on. `now` gives an aware time; `after` is called after a sync that added games.

    `tenhou_url` is empty for the demo league, which has no room there.
    """

    logs: LogSource
    state: StateStore
    tenhou_url: str
    now: Callable[[], datetime]
    key: str = ""
    after: Callable[[SyncResult], None] | None = None
    others: Callable[[], dict[str, LogSource]] = dict  # the other leagues of the service, by folder

    @property
    def league(self) -> League:
        """What league.toml says; LeagueError. Read when needed: a broken one must not keep restore from mending it."""
        from bot.seasonlogs import read_league
        from rating.models import MODELS

        return read_league(self.logs, list(MODELS))


GetAdmin = Callable[[], Admin]


def commands(get: GetAdmin) -> list[click.Command]:
    """`sync`, and the group `league`."""
    league = click.Group("league", help="The league's rooms, seasons and logs.")
    for make in (show_command, check_command, history_command, restore_command, _init):
        league.add_command(make(get))
    return [_sync(get), league]


def _sync(get: GetAdmin) -> click.Command:
    @click.command("sync")
    @click.option("--since", type=click.DateTime(["%Y-%m-%d"]), help="Also the days from this one on.")
    @AS_JSON
    def command(since: datetime | None, as_json: bool) -> None:
        """Add Tenhou's newest results to the season logs. Exit status 1 when something could not be done."""
        from bot.sync import sync
        from bot.tenhou import Tenhou

        admin = _with_tenhou(get())
        begin = since.date() if since else None
        if begin and begin > admin.now().astimezone(JST).date():
            raise Failure(f"--since {begin} lies in the future")
        targets, broken = _targets(admin)
        with Tenhou(admin.tenhou_url) as tenhou, _progress() as progress:
            result = sync(targets, admin.state, tenhou, admin.now, begin, progress, admin.after)
        result.problems += broken
        if as_json:
            click.echo(json.dumps(result.as_dict(), ensure_ascii=False))
        else:
            click.echo("\n".join(result.lines()))
        for problem in () if as_json else result.problems:
            click.echo(f"problem: {problem}", err=True)
        if result.problems:
            raise SystemExit(1)

    return command


def _with_tenhou(admin: Admin) -> Admin:
    if not admin.tenhou_url:
        raise Failure("LOGS_URL is not set: the demo league has no room on Tenhou")
    return admin


def _targets(admin: Admin) -> tuple[list[Target], list[str]]:
    """Every league whose league.toml can be read: one with a broken one keeps the others from nothing."""
    from bot.seasonlogs import Target, read_league
    from rating.models import MODELS

    targets, broken = [Target(admin.logs, admin.league, admin.key)], []
    for key, logs in admin.others().items():
        try:
            targets.append(Target(logs, read_league(logs, list(MODELS)), key))
        except (LeagueError, StorageError) as error:
            broken.append(f"league {key}: {error}")
    return targets, broken


def _init(get: GetAdmin) -> click.Command:
    @click.command("init")
    @click.argument("names", nargs=-1, required=True, metavar="NAME...")
    @click.option("--title", default="", help="The league's name.")
    @YES
    def command(names: tuple[str, ...], title: str, yes: bool) -> None:
        """Find the rooms where these players (names on Tenhou) met lately, and propose league.toml."""
        from bot.discover import discover, proposal
        from bot.rounds import TooSoon
        from bot.tenhou import Tenhou

        admin = _with_tenhou(get())
        try:
            with Tenhou(admin.tenhou_url) as tenhou, _progress() as progress:
                found = discover(names, admin.state, tenhou, admin.now, admin.key, progress)
        except TooSoon as early:
            raise Failure(
                f"Tenhou was asked just now; try again at {early.until.astimezone(JST):%H:%M} JST"
            ) from None
        if not found.rooms:
            raise Failure(f"no room where {', '.join(names)} met from {found.days[0]} to {found.days[-1]}")
        for room in found.rooms:
            click.echo(f"{room.name}: met in {room.met} of {room.games} games, last on {room.last}")
            click.echo(
                "    " + ", ".join(f"{player} {count}" for player, count in room.players.most_common())
            )
        text = proposal(found, title)
        click.echo(f"\nleague.toml:\n\n{text}")
        if "league.toml" in admin.logs.changes().files:
            raise Failure("league.toml is there already: take over by hand what you need of the above")
        if yes or click.confirm("Write league.toml?"):
            admin.logs.write("league.toml", text.encode(), None)
            click.echo("league.toml written; `flask sync` fetches the games")

    return command


@contextmanager
def _progress() -> Iterator[Callable[[int, int, str], None]]:
    """A bar on a terminal for work longer than a second; silent elsewhere."""
    if not sys.stderr.isatty():
        yield lambda done, total, name: None
        return
    begun = datetime.now(JST)
    bar: Any = None

    def step(done: int, total: int, name: str) -> None:
        nonlocal bar
        if bar is None and datetime.now(JST) - begun > timedelta(seconds=1):
            bar = click.progressbar(length=total, label="Tenhou", file=sys.stderr)
            bar.__enter__()
        if bar is not None:
            bar.length = total
            bar.update(done - bar.pos)

    try:
        yield step
    finally:
        if bar is not None:
            bar.__exit__(None, None, None)
