"""The curves of a picture from lines over games or dates, with one point per day of play or per game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, Protocol

from bot import texts
from bot.answers.common.members import People
from bot.answers.common.scope import Scope, counted, subtitle_of
from bot.draw.lines import Curve
from rating.standings import History, Line

DRAWN = 2  # games from which lines say more than a table
RECENT = 50  # games shown by 直近50戦
NO_DATES = "日付の記録がないので対局順"
FEW_DAYS = 4  # with fewer days of play each game is a point; otherwise the last game of each day


class Dated(Protocol):
    """A game with a day: `Game` or `TeamGame`."""

    @property
    def day(self) -> date | None: ...


@dataclass(frozen=True)
class CurveView:
    """The games behind the lines, and how they are drawn. `days` are the games' days as drawn; `dateless`:
    dates were asked for, but no game has one."""

    games: Sequence[Dated]
    days: Sequence[date | None]
    by_date: bool = False
    recent: bool = False
    dateless: bool = False
    scope: Scope | None = None

    @property
    def axis(self) -> Literal["games", "date"]:
        return "date" if self.by_date else "games"

    @property
    def start(self) -> int:
        return max(0, len(self.games) - RECENT) if self.recent else 0

    @property
    def closing(self) -> Sequence[int]:
        """The indices of the games after which a point is drawn."""
        last = {day: index for index, day in enumerate(self.days)}
        if not self.by_date and (self.recent or len(last) < FEW_DAYS):
            return range(len(self.games))
        return sorted(last.values())

    @property
    def subtitle(self) -> str:
        """The period, number and last game of the games shown, and how many of them have no date."""
        shown = self.games[self.start :]
        count = f"{len(shown)}戦"
        if len(shown) < len(self.games):
            count = f"直近{len(shown)}戦／全{len(self.games)}戦"
        if self.scope is not None:
            count = counted(count, self.scope)
        undated = sum(game.day is None for game in shown)
        if self.by_date and undated:
            count += f"（うち{undated}戦は日付なし）"
        if self.dateless:
            count += f"（{NO_DATES}）"
        return subtitle_of(shown, count, self.scope is not None and self.scope.years)

    def at(self, played: int) -> float:
        """The place on the axis after `played` games: that number, or the day as an ordinal (before the first
        game and between two games of one day, the day before)."""
        if not self.by_date:
            return float(played)
        day = self.days[max(played - 1, 0)]
        assert day is not None  # `by_date` is set only when every day is known
        following = self.days[played] if played < len(self.days) else None
        return float(day.toordinal()) - (1 if played == 0 or following == day else 0)


def view_of(games: Sequence[Dated], axis: str = "", span: str = "", scope: Scope | None = None) -> CurveView:
    """The view asked for (`axis` "date", `span` "50"). It is by date only if at least one game has a day."""
    days = days_of(games)
    by_date = axis == "date" and any(days)
    return CurveView(games, days, by_date, span == str(RECENT), axis == "date" and not by_date, scope)


def days_of(games: Sequence[Dated]) -> list[date | None]:
    """The games' days; a game without one (a log may begin with some) gets the day before the next dated
    game, but none before an earlier game's, and after the last dated game that one's. Without dates all are
    None."""
    days: list[date | None] = [game.day for game in games]
    following: date | None = None
    for index, day in reversed(list(enumerate(days))):
        if day is None and following is not None:
            days[index] = max(following, date.min + timedelta(days=1)) - timedelta(days=1)
        following = day or following
    latest: date | None = None
    for index, game in enumerate(games):
        if game.day is None and latest is not None:
            days[index] = max(days[index] or latest, latest)
        latest = days[index]
    return days


def curves_of(
    people: People, lines: History, players: Sequence[str], view: CurveView, provisional: Mapping[str, bool]
) -> tuple[Curve, ...]:
    """A curve for each of the players, in the player's colour; the asker's curve is marked."""
    closing, curves = view.closing, []
    for player in players:
        xs, ys = points(lines[player], closing, view.start)
        looks = people.colour(player), people.dash(player), provisional.get(player, False)
        places = tuple(map(view.at, xs))
        curves.append(Curve(people.shown(player), places, tuple(ys), *looks, people.is_asker(player)))
    return tuple(curves)


def points(line: Line, closing: Sequence[int], start: int = 0) -> tuple[list[int], list[float]]:
    """The points of a line: how many games had been played, and the value then, after each `closing` game
    from game `start` - 1 and the player's first on, and before that first game if it is not before `start`.
    """
    xs: list[int] = []
    ys: list[float] = []
    at, value = 0, line.start
    first = line.games[0]
    for index in closing:
        while at < len(line.games) and line.games[at] <= index:
            value = line.values[at]
            at += 1
        if index < max(first, start - 1):
            continue
        if not xs and first >= start:  # the line begins with the value before the first game
            xs.append(first)
            ys.append(line.start)
        xs.append(index + 1)
        ys.append(value)
    return xs, ys


def value_before(line: Line, game: int) -> float:
    """The line's value before game number `game` (from 0)."""
    earlier = [value for at, value in zip(line.games, line.values, strict=True) if at < game]
    return earlier[-1] if earlier else line.start


def last_day_start(games: Sequence[Dated]) -> int:
    """The number (from 0) of the first game of the last day of play; of the last game if that has no day."""
    last, number = games[-1].day, len(games) - 1
    while number > 0 and games[number - 1].day == last and last is not None:
        number -= 1
    return number


def day_word(games: Sequence[Dated], years: bool) -> str:
    """The last day of play in short, `11/5` or `2020/11/5`; 前回 when it is unknown."""
    return texts.short_day(games[-1].day, years) or "前回"


def change_today(line: Line, first: int) -> float | None:
    """How far the line moved since game `first`, the first of the last day; None without a game then."""
    return line.last - value_before(line, first) if line.games and line.games[-1] >= first else None
