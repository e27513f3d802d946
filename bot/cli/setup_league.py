"""The step of `flask setup` that makes the league: where it plays, its league.toml and first log."""

from collections.abc import Sequence
from functools import partial

import click

from bot.cli.rooms import with_rooms_of_logs
from bot.cli.setup_steps import ask, choose_several, failed, worked
from bot.cli.sync import progress_bars, synced
from bot.league.files import LEAGUE_FILE
from bot.league.in_force import read_in_force
from bot.runtime.translation import translated as _
from bot.service import Service
from bot.sync.room_search import Room, RoomSearch, proposal
from bot.sync.run import SYNCED, last_sync
from bot.tenhou.client import TenhouError
from bot.tenhou.throttle import TooSoon
from rating.league import LOG_NAME
from rating.logdates import JST
from rating.names import canonical_name
from rating.roomlog import MAHJONG_SOUL, OTHER_ROOMS, TABLE
from rating.toml_text import written
from storage.ports import StorageError

FIRST_LOG = "logvol1.txt"
TENHOU = "tenhou"


def make_league(service: Service) -> None:
    """Make league.toml where there is none, the first log, and sync. Raises StorageError."""
    logs = service.stores.open_logs()
    files = logs.revisions()
    if LEAGUE_FILE in files:
        worked(_("league.toml is there"))
    else:
        _write_league(service)
    if any(map(LOG_NAME.match, files)):
        worked(_("a season log is there"))
    else:
        logs.write(FIRST_LOG, b"", None)
        worked(_("the first season log is made: {name}", name=FIRST_LOG))
    _sync(service)


def _sync(service: Service) -> None:
    try:
        _leagues, result = synced(service)
    except (StorageError, OSError) as error:
        failed(str(error))
        return
    if not result.problems and last_sync(service.state) is None:
        # The search for rooms has read the same files, so they were not requested again.
        service.state.values.put(SYNCED, service.now().isoformat())
    for problem in result.problems:
        failed(problem)
    worked(_("synced: {games} games added", games=result.games))


def plays_on_mahjong_soul_alone(service: Service) -> bool:
    """Whether league.toml names Mahjong Soul and no room of Tenhou. Raises StorageError."""
    rooms = read_in_force(service.stores.open_logs()).league.rooms
    return MAHJONG_SOUL in rooms and set(rooms) <= set(OTHER_ROOMS)


def _write_league(service: Service) -> None:
    """Ask where the league plays, and write league.toml, unless it is left for later."""
    places = choose_several(
        _("Where does the league play?"),
        [
            (TENHOU, _("Tenhou")),
            (MAHJONG_SOUL, _("Mahjong Soul")),
            (TABLE, _("at a table")),
        ],
    )
    if TENHOU in places:  # games elsewhere count in every league
        _find_rooms(service)
    else:
        _name_members(service, places)


def _name_members(service: Service, rooms: Sequence[str]) -> None:
    """Ask for the members of a league without a room of Tenhou, and write its league.toml."""
    if MAHJONG_SOUL in rooms:
        click.echo(
            _("The members' names on Mahjong Soul: a game counts where at least half are members.")
        )
    else:
        click.echo(_("The members' names, as they are to be shown."))
    names = ask(_("Names, with blanks between (Enter: later)")).split()
    title = ask(_("Name of the league"), _("Mahjong league"))
    if not click.confirm(_("Write league.toml with these players?"), default=True):
        click.echo(_("Later: write league.toml by hand (README)."))
        return
    lines = [f"name = {written(title)}", f"rooms = {written(list(rooms))}"]
    for name in dict.fromkeys(map(canonical_name, names)):
        lines += ["", f"[player.{written(name)}]", f"name = {written(name)}"]
    text = "\n".join(lines) + "\n"
    service.stores.open_logs().write(LEAGUE_FILE, text.encode(), None)
    worked(_("league.toml is written"))


def _find_rooms(service: Service) -> None:
    """Ask for members until rooms are found where they played, and write league.toml; nothing where
    no name is given."""
    click.echo(
        _(
            "Two or more members' names on Tenhou find the private rooms where they met in the last week."
        )
    )
    while names := ask(_("Names, with blanks between (Enter: later)")).split():
        search = _search_of(service, names)
        if search is None:
            continue
        for room in search.rooms:
            click.echo(f"  {_room_line(room)}")
        search = with_rooms_of_logs(service, search, partial(click.confirm, default=True))
        title = ask(_("Name of the league"), _("Mahjong league"))
        if click.confirm(_("Write league.toml with these rooms and players?"), default=True):
            service.stores.open_logs().write(LEAGUE_FILE, proposal(search, title).encode(), None)
            worked(_("league.toml is written"))
            return
    click.echo(_("Later: `flask league init NAME NAME`, or write league.toml by hand (README)."))


def _search_of(service: Service, names: Sequence[str]) -> RoomSearch | None:
    """The rooms where these members played; None, with the reason printed, for none."""
    try:
        with progress_bars() as progress:
            search = service.find_rooms(names, progress)
    except TooSoon as early:
        until = early.until.astimezone(JST).strftime("%H:%M")
        failed(_("Tenhou was asked just now; it may be asked again at {until}", until=until))
        return None
    except TenhouError as error:
        failed(str(error))
        return None
    if not search.rooms:
        failed(_("They met in no private room in the last week."))
        return None
    return search


def _room_line(room: Room) -> str:
    players = ", ".join(f"{player} {count}" for player, count in room.players.most_common())
    text = _("{room}: met in {met} of {games} games: {players}")
    return text.format(room=room.name, met=room.meetings, games=room.games, players=players)
