"""The figures of the commands, as values programs read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.answers import ratings as rating_answer
from bot.answers.scope import ALL
from bot.commands import Asker, Command, Question
from bot.replies import Picture, UserError
from rating.games import same_seats
from rating.models import MODELS
from rating.standings import Rating

if TYPE_CHECKING:
    from bot.service import Service

Json = dict[str, Any]


def season_number(text: str) -> int | None:
    """The season of an option: a number, or None for `all`; ValueError."""
    if text in (ALL, ""):
        return None
    if not text.isdecimal():
        raise ValueError(f"--season takes a season's number or all, not {text!r}")
    return int(text)


def model_name(name: str | None, default: str) -> str:
    """A model there is; ValueError lists them."""
    if name is not None and name not in MODELS:
        raise ValueError(f"there is no model {name!r}; there are: {', '.join(MODELS)}")
    return name or default


def standings_report(
    service: Service,
    model: str | None = None,
    season: str = ALL,
    seats: str | None = None,
    league: str = "",
    count_this_game: bool = False,
) -> Json:
    """`model`, `games`, `as_of`, `standings` (best first), `problems`; games with another number of seats under `other_seats`."""
    library = service.library(league)
    snapshot = library.snapshot()
    number = season_number(season)
    if number is not None and snapshot.league.season(number) is None:
        raise ValueError(f"there is no season {number}")
    name = model_name(model, snapshot.league.model)
    options = {"count_this_game": True} if count_this_game else {}
    result, _, games = library.replayed(name, number, int(seats) if seats else None, **options)
    rows = [
        row_of(snapshot.league.shown(player), player, rating)
        for player, rating in result.items()
        if not snapshot.league.is_guest(player)
    ]
    counted = len(games)
    everything = snapshot.all_games(number)
    report: Json = {
        "model": name,
        "season": number,
        "games": counted,
        "seats": len(games[0].seats) if games else None,
        "as_of": rating_answer.as_of(games[-1] if games else None),
        "decimals": MODELS[name].decimals,
        "standings": rows,
        "problems": [
            {"file": p.file, "line": p.line, "text": p.text, "reason": p.reason} for p in snapshot.problems
        ],
    }
    if counted < len(everything):
        report["other_seats"] = {
            str(k): len(rest) for k in (3, 4) if (rest := same_seats(everything, k)) and k != report["seats"]
        }
    return report


def row_of(name: str, player: str, rating: Rating) -> Json:
    """A player's row; `low` and `high` bound a 95 % interval where the system gives one."""
    row: Json = {"player": player, "name": name, "rating": rating.value, "games": rating.games}
    row |= {
        key: value
        for key, value in (("error", rating.error), ("low", rating.low), ("high", rating.high))
        if value is not None
    }
    row["provisional"] = rating.provisional
    return row


def chart_png(
    service: Service,
    model: str | None = None,
    season: str = ALL,
    seats: str | None = None,
    axis: str = "games",
    span: str | None = None,
    league: str = "",
) -> bytes:
    """The PNG a member would get for the same question."""
    library = service.library(league)
    snapshot = library.snapshot()
    number = season_number(season)
    options = {
        "model": model_name(model, snapshot.league.model),
        "season": ALL if number is None else str(number),
        "seats": seats or "",
        "axis": axis,
        "span": span or "",
    }
    question = Question(Command("rating", options), library, snapshot, Asker(""), service.now())
    try:
        reply = rating_answer.answer(question)
    except UserError as error:
        raise ValueError(str(error)) from None
    picture = next(part for part in reply.parts if isinstance(part, Picture))
    return picture.draw(picture.chart)
