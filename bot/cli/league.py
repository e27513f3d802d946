"""`flask sync`, and those of `flask league` that ask Tenhou or keep secrets: rooms, their ids,
Dropbox accounts."""

import logging
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import chain

import click

from bot.cli.base import (
    AS_JSON,
    YES,
    CommandContext,
    Failure,
    command,
    progress_bar,
    show,
    with_context,
)
from bot.league.files import LEAGUE_FILE
from bot.league.folder_names import check_folder_name
from bot.league.in_force import read_in_force
from bot.league.snapshot import read_league
from bot.runtime import json_log, metrics
from bot.runtime.encryption import Encryption, new_key
from bot.runtime.translation import translated as _
from bot.service import Service
from bot.sync.jobs import LEAGUES
from bot.sync.room_search import Room, RoomSearch, proposal, with_logged_games
from bot.sync.run import SyncResult
from bot.tenhou.throttle import TooSoon
from rating.logdates import JST
from rating.room_id import RoomId
from storage.accounts import Account
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
    service = _with_tenhou(cli.service)
    begin = since.date() if since else None
    if begin and begin > service.now().astimezone(JST).date():
        raise Failure(_("--since {begin} lies in the future", begin=begin))
    leagues, result = synced(service, begin)
    show(as_json, result.as_dict(), result.lines())
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


def synced(
    service: Service,
    since: date | None = None,
) -> tuple[list[str], SyncResult]:
    """Sync all leagues; return their folders and what was done. Raises LeagueError for a broken
    league.toml of the only one."""

    def after(league: str, days: Sequence[date]) -> bool:
        try:
            return service.after_sync(league, days)
        finally:
            service.registry.forget(league)  # this process does not need the league again

    leagues = service.leagues
    if len(leagues) == 1:
        # A broken league.toml of the only league without a known version ends the command.
        read_in_force(service.stores.open_logs())
    if service.settings.metrics_token and "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        metrics.configure()
    with progress_bars() as progress:
        result = service.sync(leagues, service.make_league_work(after), since, progress)
    try:
        with progress_bars() as progress:

            def records_progress(done: int, total: int) -> None:
                progress(done, total, RECORDS)

            result.notes += service.paifu_collector.collect(leagues, records_progress)
    except StorageError as error:
        result.notes.append(_("records are fetched later: {error}", error=error))
    return leagues, result


def _with_tenhou(service: Service) -> Service:
    if not service.has_rooms:
        raise Failure(_("LOGS_URL is not set: the demo league has no room on Tenhou"))
    return service


@command()
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--title", default="", help="The league's name.")
@YES
@with_context
def init(
    cli: CommandContext,
    names: tuple[str, ...],
    title: str,
    yes: bool,
) -> None:
    service = _with_tenhou(cli.service)
    search = _search_of(service, names)
    for room in search.rooms:
        _print_room(room)

    def is_kept(question: str) -> bool:
        return yes or click.confirm(question, default=True)

    search = with_rooms_of_logs(service, search, is_kept)
    text = proposal(search, title)
    click.echo(f"\nleague.toml:\n\n{text}")
    logs = service.stores.open_logs()
    if LEAGUE_FILE in logs.revisions():
        raise Failure(
            _("league.toml is there already: take over by hand what you need of the above")
        )
    if yes or click.confirm(_("Write league.toml?")):
        logs.write(LEAGUE_FILE, text.encode(), None)
        click.echo(_("league.toml written; `flask sync` fetches the games"))


def _search_of(service: Service, names: Sequence[str]) -> RoomSearch:
    """The rooms where these players played each other lately. Raises Failure for none."""
    try:
        with progress_bars() as progress:
            search = service.find_rooms(names, progress)
    except TooSoon as early:
        until = early.until.astimezone(JST)
        raise Failure(
            _("Tenhou was asked just now; try again at {until:%H:%M} JST", until=until)
        ) from None
    if not search.rooms:
        message = _("no room where {names} met from {first} to {last}")
        first = search.days[0]
        last = search.days[-1]
        raise Failure(message.format(names=", ".join(names), first=first, last=last))
    return search


def _print_room(room: Room) -> None:
    line = _("{name}: met in {met} of {games} games, last on {last}")
    click.echo(
        line.format(
            name=room.name,
            met=room.meetings,
            games=room.games,
            last=room.last,
        )
    )
    players = (f"{player} {count}" for player, count in room.players.most_common())
    click.echo("    " + ", ".join(players))


def with_rooms_of_logs(
    service: Service, search: RoomSearch, keep: Callable[[str], bool]
) -> RoomSearch:
    """Return the search with the rooms that only the season logs have, where `keep` agrees."""
    snapshot = read_league(service.stores.open_logs(), service.now())
    games = chain.from_iterable(log.games for log in snapshot.logs.values())
    search = with_logged_games(search, games)
    question = _(
        "The season logs have {games} games of room {room}, where they did not meet lately. Keep it?"
    )

    def is_kept(room: Room) -> bool:
        return bool(room.meetings) or keep(
            question.format(
                games=room.logged,
                room=room.name,
            )
        )

    return replace(search, rooms=tuple(filter(is_kept, search.rooms)))


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


@command()
@click.argument("league")
@click.option("--folder", default="/", show_default=True, help="The logs' folder in that account.")
@click.option(
    "--remove", is_flag=True, help="Forget the account: the league's folder is LOGS_URL's again."
)
@with_context
def dropbox(cli: CommandContext, league: str, folder: str, remove: bool) -> None:
    service = cli.service
    if not league:
        raise Failure(_("the league of the root folder has the account of DROPBOX_REFRESH_TOKEN"))
    check_folder_name(league)
    if remove:
        service.state.accounts.remove(league)
        click.echo(_("{league}: its Dropbox account is forgotten", league=league))
        return
    if not service.settings.secret_key:
        raise Failure(_("JANROKU_SECRET_KEY is missing: `flask league key` makes one"))
    if not service.settings.store_variables["DROPBOX_APP_KEY"]:
        raise Failure(_("DROPBOX_APP_KEY is missing: the token belongs to an app"))
    token = sys.stdin.readline().strip()
    if not token or len(token) > 500 or not token.isprintable() or " " in token:
        raise Failure(_("standard input has no refresh token on its first line"))
    encrypted = Encryption(service.settings.secret_key).encrypt(token)
    service.state.accounts.set(league, Account("/" + folder.strip("/"), encrypted))
    service.registry.forget(league)
    files = service.registry.league(league).logs.revisions()
    click.echo(_("{league}: {files} files in its Dropbox account", league=league, files=len(files)))


@command()
def key() -> None:
    click.echo(new_key())


@command()
@click.argument("words", nargs=-1, metavar="[ID]")
@click.option(
    "--league", default="", help="The league's folder; without it, the root folder's league."
)
@click.option("--remove", is_flag=True, help="Forget the id.")
@with_context
def room(
    cli: CommandContext,
    words: tuple[str, ...],
    league: str,
    remove: bool,
) -> None:
    """ID is the one of the room's management page, C and 12 or 16 digits. Without ID it is read
    from standard input, so that no other user of the machine sees it.
    """
    settings = cli.service.settings
    ids = cli.service.room_ids
    check_folder_name(league)
    prefix = f"{league}: " if league else ""
    if remove:
        cli.service.state.rooms.remove(league)
        click.echo(prefix + _("the room's id is forgotten"))
        return
    if len(words) > 1:
        raise Failure(_("give one id, and the league's folder with --league"))
    text = words[0] if words and words[0] != "-" else sys.stdin.readline()
    try:
        room_id = RoomId(text.strip())
    except ValueError as error:  # its words have none of the digits
        raise Failure(f"ID {error}") from None
    if not league and settings.tenhou_room_id:
        raise Failure(_("TENHOU_ROOM_ID is set, and counts for this league: change it there"))
    for other in ids.leagues():
        with suppress(ValueError):  # encrypted with a key that is gone
            if other != league and ids.get(other) == room_id:
                raise Failure(_("another league has this room already"))
    ids.put(league, room_id)
    click.echo(prefix + _("the results of room {room} are read as games end", room=room_id.room))
