"""Write the digest of a day of play: results, first places and changes of the ratings, as the text of one
push."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from bot import texts
from bot.answers.common.day import DayPart, DayResult, day_parts
from bot.answers.common.members import members
from bot.league.rating_cache import LeagueRatings
from bot.league.snapshot import LeagueSnapshot


def day_digest(snapshot: LeagueSnapshot, ratings: LeagueRatings, day: date) -> str:
    """Return the text of the day's digest, empty if nobody played. Games of three and of four players get a
    part each.

    Its figures are those of the answer 今日, to the digit.
    """
    games = [game for game in snapshot.all_games() if game.day == day]
    parts = [part for part in day_parts(snapshot, ratings, games, members(snapshot)) if part.results]
    shown = snapshot.league.shown
    if len(parts) == 1:
        return "\n".join(_lines(day, parts[0], shown))
    return "\n\n".join("\n".join([texts.SEATS[part.seats], *_lines(day, part, shown)]) for part in parts)


def _lines(day: date, part: DayPart, shown: Callable[[str], str]) -> list[str]:
    """Return a part of the day as lines of text, the most points first. `shown` gives a display name."""
    first, tops = part.most_firsts
    lines = [f"{texts.day(day)}の結果（{len(part.games)}戦）"]
    if tops:
        lines.append(f"最多トップ：{'、'.join(map(shown, first))}（{tops}回）")
    lines += [_line(result, shown) for result in part.results]
    return [*lines, texts.POINTS_ALONE] if part.chips else lines


def _line(result: DayResult, shown: Callable[[str], str]) -> str:
    """Return a player's line, such as `みどり +52.0 (トップ2 2着0 ラス1) R1650 (+12)`; 初 marks the first
    games."""
    placings = result.tally.placings
    places = " ".join(
        f"{texts.placing(place, len(placings))}{count}" for place, count in enumerate(placings, 1)
    )
    line = f"{shown(result.player)} {texts.points(result.tally.points)} ({places})"
    if result.moved is None:
        return line
    after, change = result.moved.words
    return f"{line} R{after} ({'初 ' * result.moved.first}{change})"
