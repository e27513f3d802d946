"""Make the figures of `standings`, `chart`, `calibrate` and `compare`: choose the games, rate them, draw
them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import time
from gettext import gettext as _
from pathlib import Path
from typing import Any

from bot.answers.common.ratings import ranked_apart
from bot.answers.common.scope import ALL
from bot.answers.standings import forest_picture as forest
from bot.answers.standings import ratings as rating_answer
from bot.answers.standings.compare import calibration_chart, draw_calibration, loss_chart
from bot.chat.command import Ask, Asker, Command, Question
from bot.chat.replies import Picture, UserError
from bot.cli.score_tables import check_table_options, table_games, table_order
from bot.cli.snapshots import snapshot_of
from bot.league.rating_cache import LeagueRatings, RatingCache
from bot.league.snapshot import LeagueSnapshot
from bot.service import Service
from rating.games import Game, same_seats
from rating.league import Season
from rating.models import MODELS, make
from rating.models.base import Batch, replay, standings
from rating.standings import Rating, Standings
from rating.study.compare import Comparison, default_systems
from rating.study.forecasts import System

Json = dict[str, Any]
APART = (
    "players who never met, directly or through others, can't be compared: each group has places of its own"
)


def season_number(text: str) -> int | None:
    """Return the season that an option names, None for `all`. Raises ValueError for anything else."""
    if text in (ALL, ""):
        return None
    if not text.isdecimal():
        raise ValueError(_("--season takes a season's number or all, not {text!r}").format(text=text))
    return int(text)


def season_of(snapshot: LeagueSnapshot, text: str) -> int | None:
    """Return the season that an option names, None for `all`. Raises ValueError, with the seasons there are,
    for another."""
    number = season_number(text)
    seasons = snapshot.league.seasons
    if number is None or any(season.number == number for season in seasons):
        return number
    there = ", ".join(str(season.number) for season in seasons)
    raise ValueError(
        _("there is no season {number}; there are: {there}").format(number=number, there=there)
        if there
        else _("there is no season {number}; the league has none").format(number=number)
    )


def _something_to_draw(snapshot: LeagueSnapshot, season: int | None, seats: int | None) -> None:
    """Raise ValueError if the season (None: all) has no game with this number of players."""
    games = snapshot.all_games(season)
    if same_seats(games, seats):
        return
    what = f"no game of {seats}" if games and seats else "no game"
    there = ", ".join(
        str(s.number) for s in snapshot.seasons if same_seats(snapshot.all_games(s.number), seats)
    )
    where = f"season {season} has" if season is not None else "the seasons have"
    raise ValueError(f"{where} {what} to draw" + (f"; there are some in: {there}" if there else ""))


def model_name(name: str | None, default: str) -> str:
    """Return the model's name, or the default for None. Raises ValueError, with the models there are, for an
    unknown one."""
    if name is not None and name not in MODELS:
        raise ValueError(
            _("there is no model {name!r}; there are: {models}").format(name=name, models=", ".join(MODELS))
        )
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
    """Return the report of `flask standings`: the model, what games it counts, `standings` (best first) and
    `problems`.

    Players with equal ratings share a `place`. Where some players never met the others, directly or through
    others, a note says so, rows have a `group`, and the groups follow one another, each with places of its
    own. `other_seats` counts the games left out because of their number of players, by that number. Raises
    ValueError for a wrong option, GameError when the model can't rate the games, StorageError when the logs
    can't be read.
    """
    repository = service.registry.league(league)
    snapshot = snapshot_of(service, league, logs=table is None)
    number = season_of(snapshot, season)
    name = model_name(model, snapshot.league.model)
    options = model_options(name, (*pairs, "count_this_game=true") if count_this_game else pairs)
    count = int(seats) if seats else None
    check_table_options(table, raw, uma, number)
    if table is None:
        everything: list[Any] = list(snapshot.all_games(number))
        rated = repository.ratings(snapshot).rated(name, number, count, **options)
        result, games = rated.standings, rated.games
    else:
        everything = table_games(service, table, raw, uma, league)
        games = same_seats(everything, count)
        result = fitted(name, games, options)
    rows = _rows(snapshot, name, result, games)
    problems = [] if table is not None else snapshot.problems
    report: Json = {
        "model": name,
        "season": number,
        "games": len(games),
        "seats": len(games[0].players) if games else None,
        "as_of": as_of(games[-1] if games else None),
        **table_order(everything, table),
        "decimals": MODELS[name].decimals,
        "standings": rows,
        "problems": [{"file": p.file, "line": p.line, "text": p.text, "reason": p.reason} for p in problems],
    }
    if notes := [*result.notes, *[APART] * any("group" in row for row in rows)]:
        report["notes"] = notes
    if MODELS[name].plays == "games" and len(games) < len(everything):
        report["other_seats"] = {
            str(k): len(rest) for k in (3, 4) if (rest := same_seats(everything, k)) and k != report["seats"]
        }
    return report


def _rows(snapshot: LeagueSnapshot, model: str, result: Standings, games: Sequence[Any]) -> list[Json]:
    """Return everyone's row without guests, with a `place`, and a `group` if some players never met the
    others."""
    own = result.without(frozenset(filter(snapshot.league.is_guest, result)))
    ranks = ranked_apart(model, own, games)
    apart = any(rank.group > 1 for rank in ranks.values())
    return [
        row_of(snapshot.league.shown(player), player, own[player])
        | {"place": rank.place}
        | ({"group": rank.group} if apart else {})
        for player, rank in ranks.items()
    ]


def model_options(model: str, pairs: tuple[str, ...]) -> dict[str, Any]:
    """Return a model's options from texts `name=value`. Raises ValueError for an option or value the model
    does not have."""
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise ValueError(_("--option takes NAME=VALUE, not {pair!r}").format(pair=pair))
        options[name] = value
    made = make(model, **options)
    return {name: getattr(made, name) for name in options}


def fitted(model: str, games: list[Game], options: dict[str, Any]) -> Standings:
    """Return the standings of a model on games of a score table. Raises ValueError for a model that rates
    team matches."""
    made = make(model, **options)
    if made.plays != "games":
        raise ValueError(
            _("{model} rates two against two: it reads teamlog.txt, not a score table").format(model=model)
        )
    return made.fit(games) if isinstance(made, Batch) else standings(made, replay(made, games))


def row_of(name: str, player: str, rating: Rating) -> Json:
    """Return a player's row. `low` and `high` bound a 95 % interval about `likely`, if the system gives
    one."""
    row: Json = {"player": player, "name": name, "rating": rating.value, "games": rating.games}
    row |= {
        key: value
        for key in ("error", "variance", "likely", "low", "high")
        if (value := getattr(rating, key)) is not None
    }
    row["provisional"] = rating.provisional
    return row


def as_of(game: Any) -> str | None:
    """Return when the last game counted started, such as `2020-06-30 22:20` (JST), or only its day; None if
    unknown."""
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
    """Return the PNG that a member gets for the same question. Raises ValueError if there is nothing to
    draw."""
    snapshot = snapshot_of(service, league, logs=table is None)
    number = season_of(snapshot, season)
    check_table_options(table, raw, uma, number)
    if table is None:
        ratings = service.registry.league(league).ratings(snapshot)
    else:
        snapshot = _of_table(snapshot, table, table_games(service, table, raw, uma, league))
        ratings = LeagueRatings(snapshot, RatingCache())
    _something_to_draw(snapshot, number, int(seats) if seats else None)
    options = {
        "model": model_name(model, snapshot.league.model),
        "season": str(number or "") if table or number else ALL,
        "seats": seats or "",
        "axis": axis,
        "span": span or "",
    }
    question = Question(Command(Ask.RATING, options), snapshot, ratings, Asker(""), service.now())
    try:
        ratings.rated(options["model"], number, int(seats) if seats else None)  # says in English why not
        reply = rating_answer.answer(question)
    except UserError:
        raise ValueError(_("{model}: there are no games to draw").format(model=options["model"])) from None
    picture = next(part for part in reply.parts if isinstance(part, Picture))
    return picture.draw(picture.chart)


def _of_table(snapshot: LeagueSnapshot, table: str, games: list[Game]) -> LeagueSnapshot:
    """Return a league that has the games of a score table, named after the file, and nobody else."""
    season = Season(1, table, name=Path(table).stem)
    league = replace(snapshot.league, seasons=(season,), players={}, teams=())
    return replace(snapshot, league=league, games={1: tuple(games)}, starts={}, files={})


def chosen_games(
    service: Service,
    season: str = ALL,
    seats: str | None = None,
    league: str = "",
    table: str | None = None,
    raw: bool = False,
    uma: str = "",
) -> list[Game]:
    """Return the games a command is about, from the logs or a CSV score table, all with the same number of
    players."""
    check_table_options(table, raw, uma, season_number(season))
    if table is not None:
        games = table_games(service, table, raw, uma, league)
    else:
        snapshot = snapshot_of(service, league)
        games = list(snapshot.all_games(season_of(snapshot, season)))
    return same_seats(games, int(seats) if seats else None)


def compared_systems(service: Service, league: str, table: str | None) -> dict[str, System]:
    """Return what `flask compare` compares, by name: our systems and the installed ones of others
    (rating/study/peers.py).

    For the logs, the systems have the options of the league's files.
    """
    systems = default_systems()
    return systems if table is not None else systems | snapshot_of(service, league).systems()


def chip_worths(service: Service, league: str = "") -> tuple[float, dict[str, float]]:
    """Return what a chip is worth by league.toml, in thousands of points, and the seasons' own worths by
    log."""
    found = snapshot_of(service, league, logs=False).league
    return found.rules.chip, {s.log: s.chip for s in found.seasons if s.chip is not None}


def comparison_pngs(found: Comparison, own: str = "") -> tuple[Callable[[], bytes], Callable[[], bytes]]:
    """Return two functions that draw the comparison's chart and the best system's calibration plot."""
    best = next(entry for entry in found.models if entry.beats_chance or entry.model in MODELS)
    title, subtitle = "レート検証", f"{found.games}戦の予想を検証"
    losses = loss_chart(found, title, subtitle, own)
    plot = calibration_chart(best, subtitle)
    return lambda: forest.draw(losses), lambda: draw_calibration(plot)
