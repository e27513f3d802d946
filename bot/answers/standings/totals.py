"""点数推移 and チップ推移: everybody's running total, as lines and as a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bot import texts
from bot.answers.common.curves import DRAWN, change_today, curves_of, day_word, last_day_start, view_of
from bot.answers.common.figures import UNITS
from bot.answers.common.members import WHOLE, beside_picture, check_members, people_of, table_way
from bot.answers.common.scope import below, offered, scope_of
from bot.chat.command import BY_PERIOD, Ask, Below, Question, Spec, choice
from bot.chat.replies import Picture, Reply, Table, UserError
from bot.draw import lines as line_charts
from bot.draw.lines import Lines
from rating.games import Game, Seat
from rating.standings import places
from rating.tallies import chips_of, has_chips, points_of, totals

NO_CHIPS = "{}にはチップの記録がありません。"
SEASONS_WITH = "チップのあるシーズンを下のボタンから選んでください。"
LATER = "チップのある対局が記録されると、ここに出ます。"


@dataclass(frozen=True)
class Kind:
    """A total that is drawn: its command, its title, its column's head, how it is summed, and how it is
    written."""

    name: str
    title: str
    head: str
    value: Callable[[Seat, Game], float | None]
    words: Callable[[float], str]


POINTS = Kind(Ask.POINT, "点数推移", "点数", points_of, UNITS["points"])
CHIPS = Kind(Ask.TIP, "チップ推移", "チップ", chips_of, UNITS["chips"])


def answer(kind: Kind, question: Question) -> Reply:
    """Everybody's running total of the kind: of points (in thousands), or of chips."""
    scope, people = scope_of(question), people_of(question)
    check_members(people, scope.games)
    lines = {p: line for p, line in totals(scope.games, kind.value).items() if p in people.order}
    if not lines:
        games = question.snapshot.games
        seasons = [s for s in reversed(question.snapshot.seasons) if has_chips(games[s.number])]
        ways = [choice(texts.season_title(s), CHIPS.name, season=s.number) for s in seasons[:3]]
        sentence = NO_CHIPS.format(scope.title) + (SEASONS_WITH if ways else LATER)
        course = choice(POINTS.title, POINTS.name, **scope.options)
        raise UserError(sentence, offered(*ways, course, choice("収支", Ask.SUM, **scope.options)))
    order = sorted(lines, key=lambda p: (-lines[p].last, p))
    first = last_day_start(scope.games)
    rows = []
    shared = places([lines[player].last for player in order])
    for place, player in zip(shared, order, strict=True):
        line = lines[player]
        moved = change_today(line, first)
        change = "" if moved is None else texts.change(kind.words(moved))
        rows.append(people.row(player, kind.words(line.last), place, (change, f"{len(line.games)}戦")))
    title = f"{kind.title}　{scope.title}"
    alone = kind is POINTS and has_chips(scope.games)
    note = texts.POINTS_ALONE * alone + scope.until
    heads = (kind.head, day_word(scope.games, scope.years), "対局")
    table = Table(title, tuple(rows), heads, scope.subtitle, note)
    view = view_of(scope.games, question.option("axis"), scope=scope)
    curves = curves_of(people, lines, order, view, {})
    subtitle = view.subtitle + f"　{texts.ALONE}" * alone
    chart = Lines(title, subtitle, curves, baseline=0, axis=view.axis, signed=True)
    picture = Picture(chart, line_charts.draw, table.alt, instead=(table,))
    whole = question.option("show") == WHOLE or len(scope.games) < DRAWN
    values = [lines[player].last for player in order]
    shown = (table,) if whole else (beside_picture(table, values, kind.words), picture)
    by_date = question.option("axis") == "date"
    label = "対局順で見る" if by_date else "日付で見る"
    axis = choice(label, kind.name, **scope.options, axis="" if by_date else "date")
    beside = POINTS if kind is CHIPS else CHIPS
    other = choice(beside.title, beside.name, **scope.options)
    own = (
        table_way(question),
        axis,
        choice("収支", Ask.SUM, **scope.options),
        *[other] * has_chips(scope.games),
    )
    return Reply(shown, below(question, scope, *own))


SPECS = (
    Spec(
        name=Ask.POINT,
        title=POINTS.title,
        help="点数の合計の動きをグラフで出します",
        answer=partial(answer, POINTS),
        words=("点数推移", "点数", "ポイント", "てんすう", "推移", "収支推移", "収支の推移"),
        takes=BY_PERIOD,
        figure="points",
        below=(Below.OWN, Below.AGAIN, Ask.RATING),
    ),
    Spec(
        name=Ask.TIP,
        title=CHIPS.title,
        help="チップの合計の動きをグラフで出します",
        answer=partial(answer, CHIPS),
        words=("チップ推移", "チップ"),
        takes=BY_PERIOD,
        figure="won_chips",
        below=(Below.OWN, Below.AGAIN, Ask.RATING),
    ),
)
