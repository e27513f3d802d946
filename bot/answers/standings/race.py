"""The race of まとめ: everybody's 収支 after each day of play, as an animation: a bar each, and
rows that slide past each other as places change."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot import texts
from bot.answers.common.members import People
from bot.answers.common.scope import Scope, view_of
from bot.chat.replies import Animation
from bot.draw import glyphs, paper
from bot.draw.layout import Scale, number
from bot.draw.names import distinct_names
from bot.draw.paper import AnimationFrame, AnimationTooLarge, FlatSheet, Palette
from bot.draw.style import BASELINE_COLOUR, FAINT, GRID_COLOUR, INK, MUTED, WHITE, readable
from bot.league.balances import balance_worth
from rating.tallies import totals

WIDTH = 600  # pixels: a giga bubble is 345 points wide
# bytes of an animated image: https://developers.line.biz/en/reference/messaging-api/#f-image
LIMIT = 300_000
# pixels; 20 are eleven points and a half
SMALL = 20
NAME = 23
TITLE = 27
DAY = 30
MOST = 20  # members in a race
FRAMES = 96  # most frames of the movement
# most and fewest frames from one day to the next
SMOOTH = 8
ROUGH = 3
FEW_STEPS = 10  # with fewer days than these there are fewer frames than ROUGH between two
SPARE = (
    0.88  # of the frames that fitted: fewer days lie further apart, and their frames differ more
)
# of each colour
SHADES = 3
FEW_SHADES = 2
# milliseconds of the shortest and the longest frame
TICK = 70
SLOWEST = 160
# Milliseconds of the movement, where its frames can be so long, and of the last frame.
LASTS = 5000
END = 4000
_EDGE = 18
_TOP = 82
_RANK = 36
# most pixels of a name, and those of a value
_NAMES = 176
_VALUES = 98


def race_of(people: People, scope: Scope) -> Animation | None:
    """The race of the scope's members, MOST at most, those ahead now; None where nothing moves."""
    chip = balance_worth(people.snapshot)
    lines = totals(scope.games, lambda seat, game: seat.score + chip(seat, game))
    members = [player for player in people.order if player in lines]
    ahead = sorted(members, key=lambda p: -lines[p].last)[:MOST]
    closing = view_of(scope.games, scope=scope).closing
    if len(members) < 2 or len(closing) < 2:
        return None
    shown = []
    for player in (p for p in members if p in ahead):
        counts = [bisect_right(lines[player].games, number) for number in closing]
        after = tuple(lines[player].values[count - 1] if count else None for count in counts)
        shown.append(RaceLine(people.shown(player), people.colour(player), after))
    days = []
    for last_game in closing:
        day = texts.short_day(scope.games[last_game].day, scope.years)
        days.append(day or f"{last_game + 1}戦")
    chart = RaceChart(f"収支レース　{scope.title}", tuple(days), tuple(shown))
    return Animation(chart, draw, chart.size)


@dataclass(frozen=True)
class RaceLine:
    """A member's totals, one for each day shown; None before the first game."""

    name: str
    colour: str
    totals: Sequence[float | None]


@dataclass(frozen=True)
class RaceChart:
    """The lines in the league's order; `days` are the words of the days shown."""

    title: str
    days: Sequence[str]
    lines: Sequence[RaceLine]

    @property
    def pitch(self) -> int:
        return 40 if len(self.lines) <= 12 else 28

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return WIDTH, _TOP + self.pitch * max(3, len(self.lines)) + 16


def draw(chart: RaceChart) -> bytes:
    """An animated PNG of the frames LIMIT bytes hold.

    Raises AnimationTooLarge where not even one fits.
    """
    budget = FRAMES
    shades = SHADES
    while True:
        # Between how many days bars move, and in how many frames from each to the next: `budget`
        # in all.
        days = len(chart.days) - 1
        steps = max(
            min(days, budget // ROUGH),
            min(days, FEW_STEPS, budget // 2),
            0,
        )
        between = min(SMOOTH, budget // steps) if steps else 1
        palette = Palette(shades)
        shown = chart
        if days > steps:  # evenly chosen days, the first and the last among them
            chosen = [days]
            if steps:
                chosen = [round(n * days / steps) for n in range(steps + 1)]
            shown = _on_days(chart, chosen)
        frames = _frames(shown, between, palette)
        try:
            return paper.encode_animation(frames, palette.colours, LIMIT)
        except AnimationTooLarge as error:
            if not steps:
                raise
            budget = min(budget - 1, int(SPARE * error.frames))
            shades = FEW_SHADES


def _on_days(chart: RaceChart, days: Sequence[int]) -> RaceChart:
    """The race on some of its days only, by their numbers from 0."""
    lines = []
    for line in chart.lines:
        totals = [line.totals[day] for day in days]
        lines.append(replace(line, totals=totals))
    return replace(chart, days=[chart.days[day] for day in days], lines=lines)


def _frames(chart: RaceChart, between: int, palette: Palette) -> Iterator[AnimationFrame]:
    """The first day, then some frames between each two in which bars and rows move, then the
    end.
    """
    view = _View(chart, palette)
    last = len(chart.days) - 1
    tick = min(SLOWEST, max(TICK, LASTS // max(1, last * between)))
    yield AnimationFrame(view.drawn(0, 0, 1.0), tick if last else END)
    for day in range(1, last + 1):
        for step in range(1, between + 1):
            part = step / between
            stands = END if day == last and step == between else tick
            yield AnimationFrame(
                view.drawn(day - 1, day, part * part * (3 - 2 * part)),
                stands,
            )


class _View:
    """Draws the state between two days: lengths and rows in between, the later day's figures in
    words.
    """

    def __init__(self, chart: RaceChart, palette: Palette) -> None:
        self.chart = chart
        shown = distinct_names(line.name for line in chart.lines)
        self.names = [shown[line.name] for line in chart.lines]
        widest = max((glyphs.width(name, NAME) for name in self.names), default=0.0)
        left = _EDGE + _RANK + min(widest, _NAMES) + 16
        known = [total for line in chart.lines for total in line.totals if total is not None]
        self.across = Scale(
            min(0.0, *known),
            max(0.0, *known),
            left,
            WIDTH - _EDGE - _VALUES,
        )
        # The row of each line on each day: greater totals first, then the league's order, those
        # without last.
        self.places = []
        for day in range(len(chart.days)):
            totals = [line.totals[day] for line in chart.lines]
            keys = [(total is None, -(total or 0.0)) for total in totals]
            order = sorted(range(len(totals)), key=keys.__getitem__)
            self.places.append([order.index(n) for n in range(len(totals))])
        # What stays: the title and the numbers of the places.
        self.ground = FlatSheet(palette, *chart.size)
        room = WIDTH - 2 * _EDGE - 170
        self.ground.text(
            _EDGE,
            31,
            chart.title,
            TITLE,
            INK,
            bold=True,
            room=room,
            least=SMALL,
        )
        for row in range(len(chart.lines)):
            y = _TOP + chart.pitch * (row + 0.5)
            self.ground.text(
                _EDGE + 24,
                y,
                str(row + 1),
                SMALL,
                FAINT,
                anchor="right",
            )

    def drawn(self, before: int, after: int, part: float) -> paper.Pixels:
        """The frame after this part (0 to 1) of the way from one day to another."""
        sheet = self.ground.copy()
        chart = self.chart
        sheet.text(
            WIDTH - _EDGE,
            31,
            chart.days[after],
            DAY,
            INK,
            anchor="right",
            bold=True,
        )
        day = before + (after - before) * part
        done = day / max(1, len(chart.days) - 1)
        sheet.box(_EDGE, 60, WIDTH - _EDGE, 64, GRID_COLOUR)
        sheet.box(_EDGE, 60, _EDGE + (WIDTH - 2 * _EDGE) * done, 64, MUTED)
        zero = self.across(0.0)
        sheet.box(
            zero - 1,
            _TOP,
            zero + 1,
            _TOP + chart.pitch * len(chart.lines),
            BASELINE_COLOUR,
        )
        old = self.places[before]
        new = self.places[after]
        climbers_last = sorted(
            range(len(chart.lines)),
            key=lambda n: old[n] - new[n],
        )
        for line in climbers_last:
            place = old[line] + (new[line] - old[line]) * part
            y = _TOP + chart.pitch * (place + 0.5)
            own = chart.lines[line]
            total = own.totals[after]
            start = own.totals[before] or 0.0
            half = chart.pitch * 0.5
            sheet.box(_EDGE + _RANK - 4, y - half, WIDTH - _EDGE, y + half, WHITE)
            colour = FAINT if total is None else readable(own.colour)
            sheet.text(
                _EDGE + _RANK,
                y,
                self.names[line],
                NAME,
                colour,
                room=_NAMES,
                least=SMALL,
            )
            if total is not None:
                end = self.across(start + (total - start) * part)
                thick = chart.pitch * 0.3
                sheet.box(
                    min(zero, end),
                    y - thick,
                    max(zero, end),
                    y + thick,
                    own.colour,
                )
                sheet.text(
                    WIDTH - _EDGE,
                    y,
                    number(total, signed=True),
                    NAME,
                    INK,
                    anchor="right",
                )
            sheet.box(zero - 1, y - half, zero + 1, y + half, BASELINE_COLOUR)
        return sheet.pixels
