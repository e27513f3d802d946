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
    last_day_start,
    offered,
    period_choices,
    scope_of,
    season_choices,
    seat_choices,
    view_of,
)
from bot.chat.command import BY_PERIOD, Ask, Question, Spec, choice
from bot.chat.replies import Picture, Reply, Table
from bot.draw import glyphs, style
from bot.draw.glyphs import told_apart
from bot.draw.layout import EDGE, Area, Scale, Section, Titled, titled
from bot.draw.paper import Paper
from bot.league.snapshot import balance_worth
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
    moved = {p: first - last if first and last else 0 for p, (first, last) in before.items()}
    order = sorted(lines, key=lambda p: ranks[p][-1] or 0)
    subtitle = scope.subtitle
    if not ratings and (alone := chips_left_out(people.snapshot, scope.games).short):
        subtitle += f"　{alone}"
    days = tuple(texts.short_day(games[n].day, scope.years) or f"{n + 1}戦" for n in closing)
    note = (
        f"▲▼は{texts.short_day(games[-1].day)}の動き"
        if games[-1].day and any(moved.values())
        else ""
    )
    rows = []
    drawn = []
    for place, p in zip(places([lines[p].last for p in order]), order, strict=True):
        value = ratings.words(lines[p].last) if ratings else texts.points(lines[p].last)
        arrow = f"{'▲' if moved[p] > 0 else '▼'}{abs(moved[p])}" if moved[p] else ""
        rows.append(people.row(p, value, place, (arrow,)))
        looks = people.colour(p), people.dash(p), people.is_asker(p), moved[p]
        drawn.append(RankLine(people.shown(p), tuple(ranks[p]), *looks))
    chart = RankCurves(title, subtitle, days, tuple(drawn), note)
    table = Table(title, tuple(rows), (what, ""), subtitle)
    shown = table if len(closing) < 2 else Picture(chart, draw, table.notification, (table,))
    here = {**scope.options, "seats": question.option("seats")}
    by = [
        choice("レートの順位", Ask.RANKS, **here, by=RATING),
        choice("収支の順位", Ask.RANKS, **here),
    ]
    same = {"by": RATING if ratings else ""}
    choices = offered(
        by[ratings is not None],
        choice("ランキング", Ask.RANKING, **here),
        choice("レーティング", Ask.RATING, **here),
        *period_choices(question, scope, **same),
        *season_choices(question, scope, **same),
        *seat_choices(question, scope, **same),
        choice("収支", Ask.SUM, **here),
    )
    return Reply((shown,), choices)


def chosen(closing: list[int]) -> list[int]:
    """At most POINTS of the games after which places are drawn, evenly, the first and the last
    among them.
    """
    if len(closing) <= POINTS:
        return closing
    return [closing[round(n * (len(closing) - 1) / (POINTS - 1))] for n in range(POINTS)]


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
    plot = (
        [
            Section(
                40 + row * count + 90,
                partial(_plot, chart, row),
            )
        ]
        if count and chart.days
        else []
    )
    return titled(chart.title, chart.subtitle, plot)


def _plot(chart: RankCurves, row: int, area: Area) -> None:
    """Draw the lines, a `row` of pixels for each place, between the places' numbers and the
    names.
    """
    area, paper, count = area.inset(right=_RIGHT - EDGE), area.paper, len(chart.lines)
    area.text(chart.note, style.SMALL + 4, style.MUTED, "right", down=14)
    names = told_apart(line.name for line in chart.lines)
    size = min(NAME, max(LEAST_NAME, int(row * 0.8)))
    labels = min(
        max(glyphs.width(name, size) for name in names.values()),
        0.3 * paper.width,
    )
    widths = 56, 0, 14 + labels, 20 + _MOVE * any(line.moved for line in chart.lines)
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
    cells = list(
        zip(
            chart.lines,
            (each.columns(*widths) for each in body.rows(row)),
            strict=False,
        )
    )
    for place, (_, (digits, plot, _, _)) in enumerate(cells, 1):
        paper.across(plot.y, plot.left, plot.right, style.GRID, style.GRID_COLOUR)
        digits.inset(-16, right=16).text(
            str(place), style.LABEL, style.INK if place == 1 else style.MUTED, "right"
        )
    for line in sorted(chart.lines, key=lambda line: (line.asker, line.name in shown)):
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
        if line.moved:  # ▲2 or ▼1 at the right edge
            y, colour, tip = (
                (move.y, style.UP, move.y - 13)
                if line.moved > 0
                else (move.y, style.DOWN, move.y + 13)
            )
            left = (
                move.right - move.text(str(abs(line.moved)), style.AXIS + 2, colour, "right") - 34
            )
            paper.shape(
                [
                    (left, 2 * y - tip),
                    (left + 26, 2 * y - tip),
                    (left + 13, tip),
                ],
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
        if not final and (x - width / 2 < end + 24 or x + width / 2 > last - 24):
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
    at = [(across(day), up(place)) for day, place in enumerate(line.places) if place is not None]
    if not at:
        return
    xs = [x for x, _ in at]
    ys = [y for _, y in at]
    thick = style.ASKER_LINE if line.asker else style.LINE if coloured else style.CONTEXT_LINE
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
