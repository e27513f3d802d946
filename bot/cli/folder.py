"""`flask league show` and `accept`: a league's folder, and what is in force of it."""

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Any

import click

from bot.cli.base import CommandContext, command, with_context
from bot.cli.chosen import LEAGUE, warn
from bot.cli.errors import Failure
from bot.cli.options import AS_JSON, YES
from bot.cli.printing import print_report
from bot.league.folder_names import check_folder_name
from bot.league.in_force import read_in_force
from bot.league.last_good import LastGood
from bot.league.snapshot import LeagueSnapshot, read_league
from bot.runtime.translation import translated as _
from bot.service import Service
from bot.texts import season_title
from rating.games import Game
from rating.league import Season
from rating.roomlog import is_guest
from storage.ports import LogSource

Json = dict[str, Any]


@command()
@LEAGUE
@AS_JSON
@with_context
def show(cli: CommandContext, league: str, as_json: bool) -> None:
    logs = league_folder(cli.service, league)
    read_in_force(logs)  # a broken league.toml without a known version ends the command
    snapshot = read_league(logs, cli.service.now())
    warn(snapshot.unusable)
    mark = cli.service.state.results.read_marks().get(league)
    read_through = None
    if mark:
        read_through = mark.through
    report = overview(snapshot, read_through)
    print_report(as_json, report, _overview_lines(report))


def _overview_lines(report: Json) -> list[str]:
    lines = [report["name"] or _("league without a name"), _rooms_line(report)]
    lines += [_season_line(row) for row in report["seasons"]]
    for player, games in report["players"].items():
        lines.append(_("  {player}: {games} games", player=player, games=games))
    lines.append(_("Tenhou read up to {day}", day=report["read_through"] or _("(never)")))
    return lines


def _rooms_line(report: Json) -> str:
    rooms = ", ".join(report["rooms"]) or _("none named: those of the newest log count")
    line = _("rooms: {rooms}", rooms=rooms)
    if report["members_only"]:
        line += " " + _("(only games among the players)")
    return line


def _season_line(row: Json) -> str:
    span = ""
    if row["first"]:
        span = _(", {first} to {last}", first=row["first"], last=row["last"])
    line = _("{title}: {log}, {games} games{span}", **row, span=span)
    if row["start"]:
        line += _(", starts {start}", start=row["start"])
    return line


def overview(snapshot: LeagueSnapshot, read_through: date | None) -> Json:
    """The league in numbers; the dates are ISO dates, "" if unknown. `read_through` is the day up
    to which Tenhou's files were read."""
    league = snapshot.league
    read_to = ""
    if read_through:
        read_to = read_through.isoformat()
    return {
        "name": league.name,
        "rooms": list(league.rooms),
        "members_only": league.members_only,
        "seasons": [_season_row(season, games_of(snapshot, season)) for season in league.seasons],
        "players": _games_of_players(snapshot),
        "read_through": read_to,
    }


def games_of(snapshot: LeagueSnapshot, season: Season) -> Sequence[Game]:
    """All games of a season's log, those that don't count too."""
    log = snapshot.logs.get(season.log)
    if log is None:
        return ()
    return log.games


def _season_row(season: Season, games: Sequence[Game]) -> Json:
    days = sorted(game.day.isoformat() for game in games if game.day) or [""]
    start = ""
    if season.start:
        start = season.start.isoformat(" ", "minutes")
    return {
        "title": season_title(season),
        "log": season.log,
        "start": start,
        "games": len(games),
        "first": days[0],
        "last": days[-1],
    }


def _games_of_players(snapshot: LeagueSnapshot) -> dict[str, int]:
    """Who has played how often under the shown name, most first, then those who never did."""
    league = snapshot.league
    games = Counter[str]()
    for season in league.seasons:
        for game in league.canonical(games_of(snapshot, season)):
            games.update(player for player in game.players if not is_guest(player))
    players = {league.shown(player): count for player, count in games.most_common()}
    for player in league.players:
        if player not in games:
            players[league.shown(player)] = 0
    return players


@command()
@click.argument("name")
@LEAGUE
@YES
@with_context
def accept(cli: CommandContext, name: str, league: str, yes: bool) -> None:
    logs = league_folder(cli.service, league)
    now = cli.service.now()
    snapshot = read_league(logs, now)
    losses = (fault for fault in snapshot.unusable if fault.file == plain_name(name) and fault.lost)
    lost = next(losses, None)
    if lost is None:
        raise Failure(_("{name} has lost nothing that was there", name=name))
    click.echo(f"{name}: {lost.reason}")
    question = _("Take it as it is? What it held before stays in `flask league history`.")
    if yes or click.confirm(question):
        LastGood(logs).accept(name, snapshot.files.get(name), now)
        click.echo(_("{name} counts as it is from now on", name=name))


def league_folder(service: Service, league: str) -> LogSource:
    check_folder_name(league)
    return service.stores.open_logs(league)


def plain_name(name: str) -> str:
    if "/" in name or name.startswith("."):
        raise Failure(_("{name}: not the name of a file in the log folder", name=name))
    return name
