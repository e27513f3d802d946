"""`flask league init` and `room`: which rooms of Tenhou's are the league's."""

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain

import click

from bot.cli.base import CommandContext, command, with_context
from bot.cli.errors import Failure
from bot.cli.options import YES
from bot.cli.sync import progress_bars, service_with_rooms
from bot.league.files import LEAGUE_FILE
from bot.league.folder_names import check_folder_name
from bot.league.snapshot import read_league
from bot.runtime.translation import translated as _
from bot.service import Service
from bot.sync.room_search import Room, RoomSearch, proposal, with_logged_games
from bot.tenhou.throttle import TooSoon
from rating.logdates import JST
from rating.room_id import RoomId

STANDARD_INPUT = "-"


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
    service = service_with_rooms(cli.service)
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
    service = cli.service
    check_folder_name(league)
    prefix = f"{league}: " if league else ""
    if remove:
        service.state.rooms.remove(league)
        click.echo(prefix + _("the room's id is forgotten"))
        return
    room_id = _room_id_of(words)
    if not league and service.settings.tenhou_room_id:
        raise Failure(_("TENHOU_ROOM_ID is set, and counts for this league: change it there"))
    if _has_other_league(service, league, room_id):
        raise Failure(_("another league has this room already"))
    service.room_ids.put(league, room_id)
    click.echo(prefix + _("the results of room {room} are read as games end", room=room_id.room))


def _room_id_of(words: tuple[str, ...]) -> RoomId:
    """The id that is given, else the one on standard input."""
    if len(words) > 1:
        raise Failure(_("give one id, and the league's folder with --league"))
    if words and words[0] != STANDARD_INPUT:
        text = words[0]
    else:
        text = sys.stdin.readline()
    try:
        return RoomId(text.strip())
    except ValueError as error:  # its words have none of the digits
        raise Failure(f"ID {error}") from None


def _has_other_league(service: Service, league: str, room_id: RoomId) -> bool:
    ids = service.room_ids
    for other in ids.leagues():
        with suppress(ValueError):  # encrypted with a key that is gone
            if other != league and ids.get(other) == room_id:
                return True
    return False
