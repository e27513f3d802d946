"""`flask standings`: the ratings that members see, at the terminal and for programs."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import click

from bot.answers.common.ratings import ranked_apart
from bot.cli.base import CommandContext, command, with_context
from bot.cli.chosen import LEAGUE, MODEL, SEASON, season_of, seats_option
from bot.cli.games import GameChoice, table_options
from bot.cli.models import model_name, model_options
from bot.cli.options import AS_JSON
from bot.cli.printing import print_report
from bot.cli.standings_table import standings_lines
from bot.league.files import LEAGUE_FILE
from bot.league.snapshot import LeagueSnapshot
from bot.runtime.translation import translated as _
from bot.service import Service
from rating.games import Game, same_seats
from rating.models import MODELS, make
from rating.models.base import Batch, replay, standings as standings_of
from rating.roomlog import Problem
from rating.standings import GroupPlace, Rating, Standings

Json = dict[str, Any]
APART = "players who never met, directly or through others, can't be compared: each group has places of its own"


class GamesWithStandings(NamedTuple):
    """Games and the standings that they give. `all_games` has those of other numbers of players
    too."""

    standings: Standings
    games: Sequence[Any]
    all_games: Sequence[Any]
    problems: Sequence[Problem] = ()


@command()
@MODEL
@SEASON
@seats_option()
@LEAGUE
@table_options
@click.option(
    "--option", "-O", "pairs", multiple=True, help="An option of the model, such as alpha=cv."
)
@click.option(
    "--count-this-game",
    is_flag=True,
    help="tenhou: the games correction counts the game being rated.",
)
@AS_JSON
@with_context
def standings(
    cli: CommandContext,
    model: str | None,
    pairs: tuple[str, ...],
    count_this_game: bool,
    as_json: bool,
    **which: Any,
) -> None:
    if count_this_game:
        pairs = (*pairs, "count_this_game=true")
    report = standings_report(cli.service, GameChoice(**which), model, pairs)
    print_report(as_json, report, standings_lines(report), indent=2)
    if as_json:
        return
    for problem in report["problems"]:
        if problem["file"] != LEAGUE_FILE:  # reported when it was read
            click.echo("{file}:{line}: {reason}: {text}".format(**problem), err=True)


def standings_report(
    service: Service,
    choice: GameChoice,
    model: str | None = None,
    pairs: tuple[str, ...] = (),
) -> Json:
    """Return the report of `flask standings`: the model, what games it counts, `standings` (best
    first), `problems`. Players with equal ratings share a `place`. Where some never played the
    others, directly or through others, a note reports it and rows have a `group`, each with places
    of its own. `other_seats` counts the games of other numbers of players. Raises ValueError for a
    wrong option, GameError when the model can't rate the games, StorageError when the logs can't be
    read.
    """
    snapshot = choice.snapshot(service)
    season = season_of(snapshot, choice.season)
    name = model_name(model, snapshot.league.model)
    options = model_options(name, pairs)
    choice.check(season)
    if choice.table is None:
        rated = _rated_logs(service, snapshot, choice, season, name, options)
    else:
        table_games = choice.table_games(service, choice.table)
        games = same_seats(table_games, choice.seat_count)
        rated = GamesWithStandings(_table_standings(name, options, games), games, table_games)
    rows = _player_rows(snapshot, name, rated)
    report = {
        "model": name,
        "season": season,
        **_games_report(rated),
        **choice.order(rated.all_games),
        "decimals": MODELS[name].decimals,
        "standings": rows,
        "problems": [_problem_row(problem) for problem in rated.problems],
    }
    notes = list(rated.standings.notes)
    if any("group" in row for row in rows):
        notes.append(APART)
    if notes:
        report["notes"] = notes
    if MODELS[name].plays == "games" and len(rated.games) < len(rated.all_games):
        report["other_seats"] = _other_seats(rated.all_games, report["seats"])
    return report


def _rated_logs(
    service: Service,
    snapshot: LeagueSnapshot,
    choice: GameChoice,
    season: int | None,
    model: str,
    options: Mapping[str, Any],
) -> GamesWithStandings:
    """The ratings of the season logs' games."""
    ratings = service.registry.league(choice.league).ratings(snapshot)
    rated = ratings.rated(model, season, choice.seat_count, **options)
    all_games = list(snapshot.all_games(season))
    return GamesWithStandings(rated.standings, rated.games, all_games, snapshot.problems)


def _table_standings(
    model: str,
    options: Mapping[str, Any],
    games: Sequence[Game],
) -> Standings:
    """The ratings of a score table's games. Raises ValueError for a model of team matches."""
    system = make(model, **options)
    if system.plays != "games":
        message = _(
            "{model} rates two against two: it reads teamlog.txt, not a score table", model=model
        )
        raise ValueError(message)
    if isinstance(system, Batch):
        return system.fit(games)
    return standings_of(system, replay(system, games))


def _games_report(rated: GamesWithStandings) -> Json:
    """How many games of how many players are rated, and when the last one started."""
    if not rated.games:
        return {"games": 0, "seats": None, "as_of": None}
    last = rated.games[-1]
    return {
        "games": len(rated.games),
        "seats": len(rated.games[0].players),
        "as_of": start_of(last),
    }


def start_of(game: Any) -> str | None:
    """When a game started, such as `2020-06-30 22:20` (JST), or its day; None if unknown."""
    if game.day is None:
        return None
    day: str = game.day.isoformat()
    start = getattr(game, "start", None)
    if start:
        return f"{day} {start:%H:%M}"
    return day


def _problem_row(problem: Problem) -> Json:
    return {
        "file": problem.file,
        "line": problem.line,
        "text": problem.text,
        "reason": problem.reason,
    }


def _other_seats(games: Sequence[Game], rated_seats: int | None) -> dict[str, int]:
    """How many games there are of the other numbers of players."""
    counts = {}
    for seats in (3, 4):
        count = len(same_seats(games, seats))
        if count and seats != rated_seats:
            counts[str(seats)] = count
    return counts


def _player_rows(snapshot: LeagueSnapshot, model: str, rated: GamesWithStandings) -> list[Json]:
    """The players' rows without guests; they have a `group` where there are several."""
    guests = frozenset(filter(snapshot.league.is_guest, rated.standings))
    members = rated.standings.without(guests)
    ranks = ranked_apart(model, members, rated.games)
    has_groups = any(rank.group > 1 for rank in ranks.values())
    rows = []
    for player, rank in ranks.items():
        name = snapshot.league.shown(player)
        row = {"player": player, "name": name, **_rating_row(members[player], rank)}
        if has_groups:
            row["group"] = rank.group
        rows.append(row)
    return rows


def _rating_row(rating: Rating, place: GroupPlace) -> Json:
    """A rating's figures, those that the system has: `low` and `high` bound a 95 % interval about
    `likely`.
    """
    row: Json = {"rating": rating.value, "games": rating.games}
    for key in ("error", "variance", "likely", "low", "high"):
        value = getattr(rating, key)
        if value is not None:
            row[key] = value
    return {**row, "provisional": rating.provisional, "place": place.place}
