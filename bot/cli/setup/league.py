"""Find the league's rooms and members, make its files, and run the first sync."""

from __future__ import annotations

from gettext import gettext as _

from bot.cli.context import AdminContext, context_of
from bot.cli.league import progress_bars, synced
from bot.cli.setup.wizard import Wizard
from bot.league.files import LEAGUE_FILE
from bot.service import Service
from bot.sync.find_rooms import find_rooms, proposal
from bot.sync.run import SYNCED, last_sync
from bot.tenhou.client import TenhouClient, TenhouError
from bot.tenhou.throttle import TooSoon
from rating.league import LOG_NAME
from rating.logdates import JST
from storage.ports import StorageError

FIRST_LOG = "logvol1.txt"


def make_league(wizard: Wizard, service: Service) -> None:
    """Make league.toml where there is none, the first log, and sync. Raises StorageError when a store can't
    be reached."""
    admin = context_of(service)
    files = admin.logs.changes().files
    if LEAGUE_FILE in files:
        wizard.terminal.worked(_("league.toml is there"))
    else:
        _find(wizard, admin)
    if any(map(LOG_NAME.match, files)):
        wizard.terminal.worked(_("a season log is there"))
    else:
        admin.logs.write(FIRST_LOG, b"", None)
        wizard.terminal.worked(_("the first season log is made: {name}").format(name=FIRST_LOG))
    _sync(wizard, admin)


def _find(wizard: Wizard, admin: AdminContext) -> None:
    """Ask for members until rooms are found where they met, and write league.toml; nothing where no name is
    given."""
    terminal = wizard.terminal
    terminal.say(
        _("Two or more members' names on Tenhou find the private rooms where they met in the last week.")
    )
    while names := terminal.ask(_("Names, with blanks between (Enter: later)")).split():
        try:
            with TenhouClient(admin.tenhou_url) as tenhou, progress_bars() as progress:
                found = find_rooms(names, admin.state, tenhou, admin.now, progress=progress)
        except TooSoon as early:
            until = early.until.astimezone(JST).strftime("%H:%M")
            terminal.failed(
                _("Tenhou was asked just now; it may be asked again at {until}").format(until=until)
            )
            continue
        except TenhouError as error:
            terminal.failed(str(error))
            continue
        if not found.rooms:
            terminal.failed(_("They met in no private room in the last week."))
            continue
        for room in found.rooms:
            players = ", ".join(f"{player} {count}" for player, count in room.players.most_common())
            told = _("{room}: met in {met} of {games} games: {players}")
            terminal.say("  " + told.format(room=room.name, met=room.met, games=room.games, players=players))
        title = terminal.ask(_("Name of the league"), _("Mahjong league"))
        if terminal.confirm(_("Write league.toml with these rooms and players?"), default=True):
            admin.logs.write(LEAGUE_FILE, proposal(found, title).encode(), None)
            terminal.worked(_("league.toml is written"))
            return
    terminal.say(_("Later: `flask league init NAME NAME`, or write league.toml by hand (README)."))


def _sync(wizard: Wizard, admin: AdminContext) -> None:
    try:
        _leagues, result = synced(admin)
    except (StorageError, OSError) as error:
        wizard.terminal.failed(str(error))
        return
    if not result.problems and last_sync(admin.state) is None:
        # the search for rooms has read the same files, so they were not asked for again
        admin.state.values.put(SYNCED, admin.now().isoformat())
    for problem in result.problems:
        wizard.terminal.failed(problem)
    wizard.terminal.worked(_("synced: {games} games added").format(games=result.games))
