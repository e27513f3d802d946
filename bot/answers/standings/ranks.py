"""順位推移: everybody's place over the season or a period, by 収支 or by rating, as lines that
cross.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from bot import texts
from bot.answers.common.figures import chips_left_out
from bot.answers.common.members import check_members, people_of
from bot.answers.common.ratings import course_model, model_title, ratings_of
from bot.answers.common.scope import (
    Scope,
    last_day_start,
    offered,
    period_choices,
    scope_of,
    season_choices,
    seat_choices,
    view_of,
)
from bot.chat.command import BY_PERIOD, Ask, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Table
from bot.draw import glyphs, style
from bot.draw.layout import EDGE, Area, Scale, Section, Titled, titled
from bot.draw.names import distinct_names
from bot.draw.paper import Paper
from bot.league.balances import balance_worth
from rating.standings import History, places
from rating.tallies import totals

RATING = "rating"
POINTS = 20  # days of play that are drawn, evenly chosen, the first and the last among them
TITLE = "順位推移"
# pixels of the names
NAME = 44
LEAST_NAME = 43
# pixels between places
ROW = 100
LEAST_ROW = 46
COLOURED = 12  # with more members only some lines have their colour
# at the sheet's edge, and for ▲12
_RIGHT = 22
_MOVE = 96


def answer(question: Question) -> Reply:
    """A picture of the places after each day of play; the same places in a table where it can't be
    sent.
    """
    scope = scope_of(question)
    people = people_of(question)
    check_members(people, scope.games)
    games: Sequence[Any] = scope.games
    ratings = None
    what = "収支"
    if question.option("by") == RATING:
        ratings = ratings_of(question, scope, course_model(question.snapshot.league.model))
        history = ratings.history
        games = ratings.games
        what = model_title(ratings.model)
    else:
        chip = balance_worth(question.snapshot)
        history = totals(games, lambda seat, game: seat.score + chip(seat, game))
    lines = {
        player: line for player, line in history.items() if player in people.order and line.games
    }
    title = f"{what}の{TITLE}　{scope.title}"
    closing = chosen(list(view_of(games, scope=scope).closing))
    ranks = ranks_after(lines, closing, people.order)
    before = ranks_after(
        lines,
        [last_day_start(games) - 1, len(games) - 1],
        people.order,
    )
    # The places won on the last day, less those lost; 0 for somebody who is new.
    moved = {}
    for player, (first, last) in before.items():
        moved[player] = 0
        if first and last:
            moved[player] = first - last
    order = sorted(lines, key=lambda p: ranks[p][-1] or 0)
    subtitle = scope.subtitle
    if not ratings and (alone := chips_left_out(people.snapshot, scope.games).short):
        subtitle += f"　{alone}"
    days = []
    for last_game in closing:
        day = texts.short_day(games[last_game].day, scope.years)
        days.append(day or f"{last_game + 1}戦")
    note = ""
    if games[-1].day and any(moved.values()):
        note = f"▲▼は{texts.short_day(games[-1].day)}の動き"
    rows = []
    drawn = []
    last_values = [lines[player].last for player in order]
    for place, player, value in zip(places(last_values), order, last_values, strict=True):
        words = ratings.words(value) if ratings else texts.points(value)
        steps = moved[player]
        arrow = ""
        if steps:
            arrow = f"{'▲' if steps > 0 else '▼'}{abs(steps)}"
        rows.append(people.row(player, words, place, (arrow,)))
        drawn.append(
            RankLine(
                people.shown(player),
                tuple(ranks[player]),
                colour=people.colour(player),
                dash=people.dash(player),
                asker=people.is_asker(player),
                moved=steps,
            )
        )
    chart = RankCurves(title, subtitle, tuple(days), tuple(drawn), note)
    table = Table(title, tuple(rows), (what, ""), subtitle)
    shown: Table | Picture = table
    if len(closing) > 1:
        shown = Picture(chart, draw, table.notification, (table,))
    return Reply((shown,), _choices(question, scope, by_rating=ratings is not None))


def _choices(question: Question, scope: Scope, by_rating: bool) -> tuple[Choice, ...]:
    """The places by the other value, in other games, and other answers of the same games."""
    here = {**scope.options, "seats": question.option("seats")}
    other = choice("レートの順位", Ask.RANKS, **here, by=RATING)
    same = {"by": ""}
    if by_rating:
        other = choice("収支の順位", Ask.RANKS, **here)
        same = {"by": RATING}
    return offered(
        other,
        choice("ランキング", Ask.RANKING, **here),
        choice("レーティング", Ask.RATING, **here),
        *period_choices(question, scope, **same),
        *season_choices(question, scope, **same),
        *seat_choices(question, scope, **same),
        choice("収支", Ask.SUM, **here),
    )


def chosen(closing: list[int]) -> list[int]:
    """At most POINTS of the games after which places are drawn, evenly, the first and the last
    among them.
    """
    if len(closing) <= POINTS:
        return closing
    last = len(closing) - 1
    return [closing[round(n * last / (POINTS - 1))] for n in range(POINTS)]


def ranks_after(
    lines: History, closing: Sequence[int], order: Sequence[str]
) -> Mapping[str, list[int | None]]:
    """Each player's place after each of the `closing` games (numbers from 0), None before the first
    game; of equal values the league's order decides."""
    found: dict[str, list[int | None]] = {player: [] for player in lines}
    for number in closing:
        played = {player: bisect_right(line.games, number) for player, line in lines.items()}
        values = {
            player: lines[player].values[count - 1] for player, count in played.items() if count
        }
        ranked = sorted(
            values,
            key=lambda p: (-values[p], order.index(p)),
        )
        for player in lines:
            found[player].append(ranked.index(player) + 1 if player in values else None)
    return found


@dataclass(frozen=True)
class RankLine:
    """A member's places on the days shown, None before the first game; `moved`: places won the last
    day.
    """

    name: str
    places: Sequence[int | None]
    colour: str = style.INK
    dash: style.Dash = ()
    asker: bool = False
    moved: int = 0


@dataclass(frozen=True)
class RankCurves(Titled):
    """The lines, the best now first; `days` are the labels of the days, `note` says what moved
    when.
    """

    days: Sequence[str]
    lines: Sequence[RankLine]
    note: str = ""


def draw(chart: RankCurves) -> bytes:
    """A PNG, 1200 pixels wide and as high as its places need, 1200 at most for nine."""
    count = len(chart.lines)
    row = ROW if count <= 10 else max(LEAST_ROW, ROW * 10 // count)
    plot = []
    if count and chart.days:
        plot = [Section(40 + row * count + 90, partial(_plot, chart, row))]
    return titled(chart.title, chart.subtitle, plot)


def _plot(chart: RankCurves, row: int, area: Area) -> None:
    """Draw the lines, a `row` of pixels for each place, between the places' numbers and the
    names.
    """
    paper = area.paper
    area = area.inset(right=_RIGHT - EDGE)
    count = len(chart.lines)
    area.text(chart.note, style.SMALL + 4, style.MUTED, "right", down=14)
    names = distinct_names(line.name for line in chart.lines)
    size = min(NAME, max(LEAST_NAME, int(row * 0.8)))
    labels = min(
        max(glyphs.width(name, size) for name in names.values()),
        0.3 * paper.width,
    )
    moves = 20
    if any(line.moved for line in chart.lines):
        moves += _MOVE
    widths = (56, 0, 14 + labels, moves)
    body = area.inset(top=40, bottom=area.height - 40 - row * count)
    frame = body.columns(*widths)[1]
    up = Scale(1, count, body.top + row / 2, body.bottom - row / 2)
    across = Scale(
        0,
        max(1, len(chart.days) - 1),
        frame.left + 10,
        frame.right - 20,
    )
    _draw_days(paper, chart.days, across, up(count) + 70)
    coloured = chart.lines
    if count > COLOURED:  # the asker with both neighbours, or the first three
        own = next((place for place, line in enumerate(chart.lines) if line.asker), 1)
        first = min(max(own - 1, 0), count - 3)
        coloured = (chart.lines[0], *chart.lines[first : first + 3])
    shown = {line.name for line in coloured}
    areas = zip(chart.lines, body.rows(row), strict=False)
    cells = [(line, line_area.columns(*widths)) for line, line_area in areas]
    for place, (_, (digits, plot, _, _)) in enumerate(cells, 1):
        paper.across(plot.y, plot.left, plot.right, style.GRID, style.GRID_COLOUR)
        digits.inset(-16, right=16).text(
            str(place), style.LABEL, style.INK if place == 1 else style.MUTED, "right"
        )
    asker_last = sorted(chart.lines, key=lambda line: (line.asker, line.name in shown))
    for line in asker_last:
        _draw_line(paper, line, across, up, coloured=line.name in shown)
    for line, (_, _, name, move) in cells:
        colour = style.readable(line.colour) if line.name in shown else style.FAINT
        name.inset(14).text(
            names[line.name],
            size,
            colour,
            bold=line.asker,
            least=LEAST_NAME,
        )
        if line.moved:
            _draw_move(line.moved, move)


def _draw_move(moved: int, area: Area) -> None:
    """Draw ▲2 or ▼1 at the right edge."""
    y = area.y
    colour = style.UP
    tip = y - 13
    if moved < 0:
        colour = style.DOWN
        tip = y + 13
    width = area.text(str(abs(moved)), style.AXIS + 2, colour, "right")
    left = area.right - width - 34
    base = 2 * y - tip
    area.paper.shape(
        [(left, base), (left + 26, base), (left + 13, tip)],
        colour,
    )


def _draw_days(paper: Paper, days: Sequence[str], across: Scale, y: float) -> None:
    """Write the days at the height `y`; one too near to the one before is left out."""
    end = -1e9
    widths = [glyphs.width(word, style.AXIS) for word in days]
    last = across(len(days) - 1) - widths[-1] / 2
    for number, (word, width) in enumerate(zip(days, widths, strict=True)):
        x = across(number)
        final = number == len(days) - 1
        if number and word == days[number - 1]:
            continue  # another game of the same day
        start = x - width / 2
        if not final and (start < end + 24 or x + width / 2 > last - 24):
            continue
        paper.text(
            max(x, width / 2 + 4),
            y,
            word,
            style.AXIS,
            style.MUTED,
            "middle",
        )
        end = x + width / 2


def _draw_line(
    paper: Paper,
    line: RankLine,
    across: Scale,
    up: Scale,
    coloured: bool,
) -> None:
    days = [day for day, place in enumerate(line.places) if place is not None]
    if not days:
        return
    xs = [across(day) for day in days]
    ys = [up(place) for place in line.places if place is not None]
    at = list(zip(xs, ys, strict=True))
    thick = style.CONTEXT_LINE
    if line.asker:
        thick = style.ASKER_LINE
    elif coloured:
        thick = style.LINE
    colour = line.colour if coloured else style.CONTEXT
    if len(at) > 1:
        if line.asker:
            paper.line(xs, ys, thick + 6, style.WHITE)
        paper.line(xs, ys, thick, colour, line.dash if coloured else ())
    for x, y in {at[0], at[-1]}:
        paper.dot(x, y, thick + 5, colour, edge=style.WHITE, thick=3)


SPECS = (
    Spec(
        name=Ask.RANKS,
        title=TITLE,
        help="順位の動きをグラフで出します",
        answer=answer,
        words=f"{TITLE} じゅんいすいい 順位の推移 順位変動",
        shortcuts={"レートの順位": {"by": RATING}, "収支の順位": {}},
        takes=BY_PERIOD,
    ),
)
