"""点数推移 and チップ推移: everybody's running total, as lines and as a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot import texts
from bot.answers.common.curves import DRAWN, change_today, curves_of, day_word, last_day_start, view_of
from bot.answers.common.figures import UNITS
from bot.answers.common.members import check_members, people_of
from bot.answers.common.scope import Scope, offered, period_choices, scope_of, season_choices, seat_choices
from bot.chat.command import BY_PERIOD, Ask, MenuGroup, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Table, UserError
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


POINTS = Kind("point", "点数推移", "点数", points_of, UNITS["points"])
CHIPS = Kind("tip", "チップ推移", "チップ", chips_of, UNITS["chips"])


def points(question: Question) -> Reply:
    """`点数推移`: everybody's running total of points (in thousands)."""
    return _answer(question, POINTS)


def chips(question: Question) -> Reply:
    """`チップ推移`: everybody's running total of chips."""
    return _answer(question, CHIPS)


def _answer(question: Question, kind: Kind) -> Reply:
    scope, people = scope_of(question), people_of(question)
    check_members(people, scope.games)
    lines = {p: line for p, line in totals(scope.games, kind.value).items() if p in people.order}
    if not lines:
        raise UserError(*_without_chips(question, scope))
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
    top = "、".join(f"{row.rank}位 {row.name} {row.value}" for row in rows[:3])
    alone = kind is POINTS and has_chips(scope.games)
    note = texts.POINTS_ALONE * alone + scope.until
    heads = (kind.head, day_word(scope.games, scope.years), "対局")
    table = Table(title, tuple(rows), heads, scope.subtitle, note, alt=f"{title}：{top}")
    view = view_of(scope.games, question.option("axis"), scope=scope)
    curves = curves_of(people, lines, order, view, {})
    subtitle = view.subtitle + f"　{texts.ALONE}" * alone
    chart = Lines(title, subtitle, curves, baseline=0, axis=view.axis, signed=True)
    picture = Picture(chart, line_charts.draw, table.alt, instead=(table,))
    shown = (table, picture) if len(scope.games) >= DRAWN else (table,)
    return Reply(shown, _choices(question, scope, kind))


def _without_chips(question: Question, scope: Scope) -> tuple[str, tuple[Choice, ...]]:
    """What is said where no game has chips: the seasons with chips as buttons, and the points."""
    games = question.snapshot.games
    seasons = [s for s in reversed(question.snapshot.seasons) if has_chips(games[s.number])]
    ways = [choice(texts.season_title(season), CHIPS.name, season=season.number) for season in seasons[:3]]
    sentence = NO_CHIPS.format(scope.title) + (SEASONS_WITH if ways else LATER)
    points = choice(POINTS.title, POINTS.name, **scope.options)
    return sentence, offered(*ways, points, choice("収支", Ask.SUM, **scope.options))


def _choices(question: Question, scope: Scope, kind: Kind) -> tuple[Choice, ...]:
    """The other axis, other seasons, and related answers."""
    by_date = question.option("axis") == "date"
    axis = choice(
        "対局順で見る" if by_date else "日付で見る",
        kind.name,
        **scope.options,
        axis="" if by_date else "date",
    )
    other = CHIPS if kind is POINTS else POINTS
    return offered(
        axis,
        choice("収支", Ask.SUM, **scope.options),
        *(
            (choice(other.title, other.name, **scope.options),)
            if other is POINTS or has_chips(scope.games)
            else ()
        ),
        *period_choices(question, scope),
        *season_choices(question, scope),
        *seat_choices(question, scope),
        choice("レーティング", Ask.RATING, **scope.options),
    )


SPECS = (
    Spec(
        name=Ask.POINT,
        title=POINTS.title,
        help="点数の合計の動きをグラフで出します",
        answer=points,
        words=("点数推移", "点数", "ポイント", "てんすう"),
        takes=BY_PERIOD,
        group=MenuGroup.EVERYBODY,
        place=2,
    ),
    Spec(
        name=Ask.TIP,
        title=CHIPS.title,
        help="チップの合計の動きをグラフで出します",
        answer=chips,
        words=("チップ推移", "チップ"),
        takes=BY_PERIOD,
        group=MenuGroup.EVERYBODY,
        place=2,
    ),
)
