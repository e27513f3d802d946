"""`flask standings`, `chart` and `forecast`: what members see of the ratings and of who will win
the season, at the terminal and for programs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import time
from pathlib import Path
from typing import Any, NamedTuple

import click

from bot.answers.common.ratings import ranked_apart
from bot.answers.common.scope import ALL
from bot.chat.command import Ask, Asker, Command, Question
from bot.cli.base import (
    AS_JSON,
    CommandContext,
    command,
    defaulted,
    progress_bar,
    show,
    table_text,
    with_context,
)
from bot.cli.chosen import (
    LEAGUE,
    MODEL,
    SEASON,
    check_table_options,
    order_words,
    season_of,
    seats_option,
    snapshot_of,
    table_games,
    table_options,
    table_order,
)
from bot.league.files import LEAGUE_FILE
from bot.league.ratings import LeagueRatings, RatingCache
from bot.league.seasons import past_of_games, season_is_over
from bot.league.snapshot import LeagueSnapshot
from bot.runtime.translation import translated as _
from bot.service import Service
from rating.forecast.outlook import forecast as forecast_season, forecast_report, render_forecast
from rating.forecast.past import USUAL, Past, Plan, past_of, plan_of
from rating.forecast.seasons import MOST_LEFT, MOST_SEASONS, SEASONS
from rating.games import Game, same_seats
from rating.league import Season
from rating.logdates import JST
from rating.models import MODELS, make
from rating.models.base import Batch, replay, standings as standings_of
from rating.roomlog import Problem
from rating.standings import Standings

Json = dict[str, Any]
APART = "players who never met, directly or through others, can't be compared: each group has places of its own"


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
def standings(cli: CommandContext, as_json: bool, **options: Any) -> None:
    report = standings_report(cli.service, **options)
    show(as_json, report, _lines(report), indent=2)
    if as_json:
        return
    for problem in report["problems"]:
        if problem["file"] != LEAGUE_FILE:  # reported when it was read
            click.echo("{file}:{line}: {reason}: {text}".format(**problem), err=True)


@command()
@MODEL
@SEASON
@seats_option("Games of 3 or 4 players.")
@click.option(
    "--axis",
    type=click.Choice(["games", "date"]),
    default="games",
    show_default=True,
)
@click.option("--span", type=click.Choice(["50"]), help="Only the last so many games.")
@LEAGUE
@table_options
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, writable=True),
    required=True,
    help="The PNG file.",
)
@AS_JSON
@with_context
def chart(
    cli: CommandContext,
    output: str,
    as_json: bool,
    axis: str,
    span: str | None,
    **which: Any,
) -> None:
    data = chart_png(cli.service, axis=axis, span=span, **which)
    Path(output).write_bytes(data)
    drawn: Json = {
        "path": output,
        "bytes": len(data),
        "axis": axis,
        "span": int(span) if span else None,
    }
    if as_json:
        drawn |= standings_report(cli.service, **which)
    show(as_json, drawn, [f"{output}: {len(data):,} bytes"], indent=2)


def _lines(report: Json) -> list[str]:
    rows = [_cells(row, report["decimals"]) for row in report["standings"]]
    heads = "group", "", "player", "rating", "variance", "likely", "95 %", "games", ""
    lines = [
        f"{report['model']}  {report['games']} games  as of {report['as_of'] or '-'}",
        *order_words(report),
        table_text(heads, rows, left_aligned=(2, 6, 8)),
    ]
    other_seats = _("not counted: {count} games of {seats} players (--seats {seats})")
    for seats, count in report.get("other_seats", {}).items():
        lines.append(other_seats.format(count=count, seats=seats))
    lines += report.get("notes", [])
    return lines


def _cells(row: Json, decimals: int) -> list[str]:
    """The cells of a player's row, "" where the system has no such figure."""

    def figure(key: str) -> str:
        return f"{row[key]:.{decimals}f}" if key in row else ""

    interval = ""
    if "low" in row:
        interval = f"{figure('low')} .. {figure('high')}"
    return [
        str(row.get("group", "")),
        str(row["place"]),
        row["name"],
        figure("rating"),
        f"{row['variance']:.4f}" if "variance" in row else "",
        figure("likely"),
        interval,
        str(row["games"]),
        "provisional" if row["provisional"] else "",
    ]


def model_name(name: str | None, default: str) -> str:
    """Raises ValueError, with the models there are, for an unknown one."""
    if name is not None and name not in MODELS:
        message = _("there is no model {name!r}; there are: {models}")
        raise ValueError(message.format(name=name, models=", ".join(MODELS)))
    return name or default


def standings_report(
    service: Service,
    model: str | None = None,
    season: str = ALL,
    seats: str | None = None,
    league: str = "",
    count_this_game: bool = False,
    table: str | None = None,
    raw: bool = False,
    uma: str = "",
    pairs: tuple[str, ...] = (),
) -> Json:
    """Return the report of `flask standings`: the model, what games it counts, `standings` (best
    first), `problems`. Players with equal ratings share a `place`. Where some never played the
    others, directly or through others, a note reports it and rows have a `group`, each with places
    of its own. `other_seats` counts the games of other numbers of players. Raises ValueError for a
    wrong option, GameError when the model can't rate the games, StorageError when the logs can't be
    read.
    """
    repository = service.registry.league(league)
    snapshot = snapshot_of(service, league, logs=table is None)
    number = season_of(snapshot, season)
    name = model_name(model, snapshot.league.model)
    if count_this_game:
        pairs = (*pairs, "count_this_game=true")
    options = model_options(name, pairs)
    count = int(seats) if seats else None
    check_table_options(table, raw, uma, number)
    problems: Sequence[Problem] = ()
    if table is None:
        everything: list[Any] = list(snapshot.all_games(number))
        rated = repository.ratings(snapshot).rated(name, number, count, **options)
        result = rated.standings
        games: Sequence[Any] = rated.games
        problems = snapshot.problems
    else:
        everything = table_games(service, table, raw, uma, league)
        games = same_seats(everything, count)
        result = _table_standings(name, options, games)
    rows = _rows(snapshot, name, result, games)
    report: Json = {
        "model": name,
        "season": number,
        "games": len(games),
        "seats": len(games[0].players) if games else None,
        "as_of": as_of(games[-1] if games else None),
        **table_order(everything, table),
        "decimals": MODELS[name].decimals,
        "standings": rows,
        "problems": [
            {"file": p.file, "line": p.line, "text": p.text, "reason": p.reason} for p in problems
        ],
    }
    notes = list(result.notes)
    if any("group" in row for row in rows):
        notes.append(APART)
    if notes:
        report["notes"] = notes
    if MODELS[name].plays == "games" and len(games) < len(everything):
        report["other_seats"] = _other_seats(everything, report["seats"])
    return report


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


def _other_seats(games: Sequence[Game], rated_seats: int | None) -> dict[str, int]:
    """How many games there are of the other numbers of players."""
    counts = {}
    for seats in (3, 4):
        count = len(same_seats(games, seats))
        if count and seats != rated_seats:
            counts[str(seats)] = count
    return counts


def _rows(
    snapshot: LeagueSnapshot, model: str, result: Standings, games: Sequence[Any]
) -> list[Json]:
    """The players' rows; `low` and `high` bound a 95 % interval about `likely`, if the system has
    one.
    """
    members = result.without(frozenset(filter(snapshot.league.is_guest, result)))
    ranks = ranked_apart(model, members, games)
    has_groups = any(rank.group > 1 for rank in ranks.values())
    rows = []
    for player, rank in ranks.items():
        rating = members[player]
        name = snapshot.league.shown(player)
        row: Json = {"player": player, "name": name, "rating": rating.value, "games": rating.games}
        for key in ("error", "variance", "likely", "low", "high"):
            value = getattr(rating, key)
            if value is not None:
                row[key] = value
        row |= {"provisional": rating.provisional, "place": rank.place}
        if has_groups:
            row["group"] = rank.group
        rows.append(row)
    return rows


def model_options(model: str, pairs: tuple[str, ...]) -> dict[str, Any]:
    """Raises ValueError for an option or value the model does not have."""
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise ValueError(_("--option takes NAME=VALUE, not {pair!r}", pair=pair))
        options[name] = value
    made = make(model, **options)
    return {name: getattr(made, name) for name in options}


def as_of(game: Any) -> str | None:
    """When the last game counted started, such as `2020-06-30 22:20` (JST), or its day; None if
    unknown.
    """
    if game is None or game.day is None:
        return None
    start: time | None = getattr(game, "start", None)
    return f"{game.day.isoformat()} {start:%H:%M}" if start else game.day.isoformat()


def chart_png(
    service: Service,
    model: str | None = None,
    season: str = ALL,
    seats: str | None = None,
    axis: str = "games",
    span: str | None = None,
    league: str = "",
    table: str | None = None,
    raw: bool = False,
    uma: str = "",
) -> bytes:
    """Return the PNG that a member gets for the same question.

    Raises ValueError for nothing to draw.
    """
    snapshot = snapshot_of(service, league, logs=table is None)
    number = season_of(snapshot, season)
    check_table_options(table, raw, uma, number)
    if table is None:
        ratings = service.registry.league(league).ratings(snapshot)
    else:
        games_of_table = table_games(service, table, raw, uma, league)
        snapshot = _snapshot_of_table(snapshot, table, games_of_table)
        ratings = LeagueRatings(snapshot, RatingCache())
    games = snapshot.all_games(number)
    count = int(seats) if seats else None
    if not same_seats(games, count):
        shortage = f"no game of {count}" if games and count else "no game"
        raise ValueError(_nothing_to_draw(snapshot, number, count, shortage))
    options = {
        "model": model_name(model, snapshot.league.model),
        "season": str(number or "") if table or number else ALL,
        "seats": seats or "",
        "axis": axis,
        "span": span or "",
    }
    command = Command(Ask.RATING, options)
    question = Question(command, snapshot, ratings, Asker(""), service.now(), service.catalogue)
    ratings.rated(options["model"], number, count)  # raises an error in English
    reply = question.answer_of(Ask.RATING, **options)
    if reply is None:
        raise ValueError(_("{model}: there are no games to draw", model=options["model"]))
    return reply.pictures[0].render()


def _snapshot_of_table(
    snapshot: LeagueSnapshot, table: str, games: Sequence[Game]
) -> LeagueSnapshot:
    """A league that has the games of a score table, named after the file, and nobody else."""
    season = Season(1, table, name=Path(table).stem)
    league = replace(snapshot.league, seasons=(season,), players={}, teams=())
    return replace(
        snapshot,
        league=league,
        games={1: tuple(games)},
        starts={},
        files={},
    )


def _nothing_to_draw(
    snapshot: LeagueSnapshot,
    number: int | None,
    count: int | None,
    shortage: str,
) -> str:
    """Return the message for a season (None: all) without games of `count` players (None: of either
    number), with the seasons that have some."""
    numbers = [season.number for season in snapshot.seasons]
    drawable = [number for number in numbers if same_seats(snapshot.all_games(number), count)]
    where = f"season {number} has" if number is not None else "the seasons have"
    message = f"{where} {shortage} to draw"
    if drawable:
        message += f"; there are some in: {', '.join(map(str, drawable))}"
    return message


@command()
@click.option("--season", default="", help="A season's number; the last season by default.")
@LEAGUE
@table_options
@click.option(
    "--left",
    "games_left",
    type=click.IntRange(0, MOST_LEFT),
    help="Games left; by default those that league.toml plans (games or end of the season), else 50.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    help="Of the random numbers; by default it comes from the games.",
)
@defaulted("--seasons", click.IntRange(100, MOST_SEASONS), SEASONS, "Seasons simulated.")
@AS_JSON
@with_context
def forecast(
    cli: CommandContext,
    games_left: int | None,
    seed: int | None,
    seasons: int,
    as_json: bool,
    **which: Any,
) -> None:
    """The rest of the season is simulated many times with the league's own games and the members'
    own habits. Skill is the share of a member's mean points that is skill, not luck.
    """
    chosen = _chosen_season(cli.service, **which)
    plan = chosen.plan
    notice = chosen.over
    if games_left is not None:
        plan = Plan(left=games_left)
        notice = ""
    elif not plan.known:
        plan = Plan(left=USUAL)
        notice = _(
            "nothing says how many games are left, so {left} are taken: --left or league.toml (games or "
            "end of the [[season]]) says how many",
            left=USUAL,
        )
    with progress_bar("simulating", as_json) as progress:
        outlook = forecast_season(
            chosen.past,
            plan.left_after(chosen.past),
            seed=seed,
            seasons=seasons,
            progress=progress,
        )
    report = forecast_report(outlook, chosen.number)
    if notice:
        click.echo(notice, err=as_json)
    league = snapshot_of(cli.service, which["league"], logs=False).league
    heads, rows, sentence = render_forecast(report, league.shown)
    table = table_text(heads, rows)
    order = order_words(table_order(chosen.games, which["table"]))
    show(as_json, report, [table, sentence, *order])


class ChosenSeason(NamedTuple):
    """The games that are forecast: a season's, or a table's (`number` is None). `plan` has how
    many are left, `over` the sentence that the season is over, as chats have it."""

    number: int | None
    games: Sequence[Game]
    past: Past
    plan: Plan
    over: str = ""


def _chosen_season(
    service: Service, season: str, league: str, table: str | None, raw: bool, uma: str
) -> ChosenSeason:
    snapshot = snapshot_of(service, league, logs=table is None)
    number = season_of(snapshot, season)
    check_table_options(table, raw, uma, number)
    if table is not None:
        played = table_games(service, table, raw, uma, league)
        past = past_of(played, is_guest=snapshot.league.is_guest)
        return ChosenSeason(None, played, past, Plan())
    if number is None and season:
        raise ValueError(
            _("--season takes a season's number, not {text!r}: one season is forecast", text=season)
        )
    if number is None and not snapshot.seasons:
        raise ValueError(_("no games: there is nothing to forecast from"))
    if number is None:
        number = snapshot.seasons[-1].number
    games = snapshot.all_games(number)
    chosen = snapshot.league.season(number)
    if chosen is None or not games:
        raise ValueError(
            _("season {number} has no games: there is nothing to forecast from", number=number)
        )
    past = past_of_games(snapshot, games, chosen)
    today = service.now().astimezone(JST).date()
    if not season_is_over(snapshot, chosen, past.season_games, today):
        return ChosenSeason(number, games, past, plan_of(chosen))
    over = ""
    if number == snapshot.seasons[-1].number:
        over = _("the season is over, as in the chat: no games are left, unless --left says so")
    return ChosenSeason(number, games, past, Plan(left=0), over)
