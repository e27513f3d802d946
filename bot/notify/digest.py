"""Write the digest of a day of play: results, first places and changes of the ratings, as the text of one push."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from bot import texts
from bot.answers.common.model_names import course_model
from bot.league.rating_cache import LeagueRatings
from bot.league.snapshot import LeagueSnapshot
from rating.games import Game
from rating.roomlog import is_guest
from rating.standings import Line, Rating


@dataclass(frozen=True, slots=True)
class DayRow:
    """A player's day.

    `points` are thousands. `placings` counts games by placing, first place first. `before` and `after` are ratings, None
    where the player had none.
    """

    player: str
    points: float
    placings: tuple[int, ...]
    before: float | None
    after: float | None


def day_digest(snapshot: LeagueSnapshot, ratings: LeagueRatings, day: date) -> str:
    """Return the text of the day's digest, empty if nobody played. Games of three and of four players get a part each."""
    seasons = [s for s in snapshot.seasons if any(game.day == day for game in snapshot.games[s.number])]
    if not seasons:
        return ""
    number = seasons[-1].number
    kinds = sorted({len(game.seats) for game in snapshot.games[number] if game.day == day})
    parts = [_digest_of(snapshot, ratings, day, number, seats) for seats in kinds]
    if len(parts) > 1:
        parts = [f"{texts.SEATS[seats]}\n{part}" for seats, part in zip(kinds, parts, strict=True)]
    return "\n\n".join(filter(None, parts))


def _digest_of(snapshot: LeagueSnapshot, ratings: LeagueRatings, day: date, season: int, seats: int) -> str:
    """Return the digest of the day's games with this number of players."""
    rated = ratings.rated(course_model(snapshot.league.model), season, seats)
    first = next((index for index, game in enumerate(rated.games) if game.day == day), len(rated.games))
    before = {
        player: replace(rating, value=value)
        for player, rating in rated.standings.items()
        if (value := _value_before(rated.history[player], first)) is not None
    }
    played = [game for game in rated.games if game.day == day]
    return "\n".join(digest(day, played, before, rated.standings, snapshot.league.shown))


def _value_before(line: Line, game: int) -> float | None:
    """Return the rating before game number `game` (from 0) of the season; None for a player without an earlier game."""
    earlier = [value for at, value in zip(line.games, line.values, strict=True) if at < game]
    return earlier[-1] if earlier else None


def day_rows(
    games: Sequence[Game], before: Mapping[str, Rating], after: Mapping[str, Rating]
) -> list[DayRow]:
    """Return a row for everyone who played, without guests, the most points first."""
    points: defaultdict[str, float] = defaultdict(float)
    placings: defaultdict[str, list[int]] = defaultdict(list)
    for game in games:
        for place, seat in enumerate(game.seats):
            if not is_guest(seat.player):
                points[seat.player] += seat.score
                placings[seat.player].append(place)
    seats = max((len(game.seats) for game in games), default=3)
    rows = [
        DayRow(
            player,
            total,
            tuple(placings[player].count(place) for place in range(seats)),
            before[player].value if player in before else None,
            after[player].value if player in after else None,
        )
        for player, total in points.items()
    ]
    return sorted(rows, key=lambda row: (-row.points, row.player))


def digest(
    day: date,
    games: Sequence[Game],
    before: Mapping[str, Rating],
    after: Mapping[str, Rating],
    shown: Callable[[str], str] = str,
) -> list[str]:
    """Return the day as lines of text, the most points first; none if nobody played. `shown` gives a display name."""
    rows = day_rows(games, before, after)
    if not rows:
        return []
    tops = max(row.placings[0] for row in rows)
    first = "、".join(shown(row.player) for row in rows if row.placings[0] == tops)
    return [
        f"{texts.day(day)}の結果（{len(games)}局）",
        f"トップ最多: {first} {tops}回",
        *(_line(row, shown) for row in rows),
    ]


def _line(row: DayRow, shown: Callable[[str], str]) -> str:
    """Return a player's line, such as `みどり +52.0 (1着2 2着0 3着1) R1650 (+12)`."""
    places = " ".join(f"{place}着{count}" for place, count in enumerate(row.placings, 1))
    line = f"{shown(row.player)} {texts.points(row.points)} ({places})"
    if row.after is None:
        return line
    change = "初" if row.before is None else texts.number(round(row.after) - round(row.before), sign=True)
    return f"{line} R{texts.number(row.after)} ({change})"
