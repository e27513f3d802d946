"""点数推移: everybody's running total of points, as lines and as a table."""

from bot import texts
from bot.answers.common.figures import left_out_of_points
from bot.answers.common.members import WHOLE, beside_picture, check_members, people_of, table_way
from bot.answers.common.scope import (
    DRAWN,
    below,
    curves_of,
    day_word,
    last_day_start,
    scope_of,
    view_of,
)
from bot.answers.standings.balance import PARTS
from bot.chat.command import BY_PERIOD, Ask, Below, Question, Spec, choice
from bot.chat.replies import Picture, Reply, Table
from bot.draw import lines as line_charts
from bot.draw.lines import Lines
from rating.standings import places
from rating.tallies import points_of, totals

TITLE = "点数推移"


def answer(question: Question) -> Reply:
    scope = scope_of(question)
    people = people_of(question)
    check_members(people, scope.games)
    history = totals(scope.games, points_of)
    lines = {p: line for p, line in history.items() if p in people.order}
    order = sorted(lines, key=lambda p: (-lines[p].last, p))
    first = last_day_start(scope.games)
    rows = []
    values = [lines[player].last for player in order]
    for place, player in zip(places(values), order, strict=True):
        line = lines[player]
        moved = line.since(first)
        change = "" if moved is None else texts.points(moved)
        rows.append(
            people.row(player, texts.points(line.last), place, (change, f"{len(line.games)}戦"))
        )
    title = f"{TITLE}　{scope.title}"
    left_out = left_out_of_points(people.snapshot, scope.games)
    note = left_out.sentence + scope.until
    day = day_word(scope.games, scope.years)
    table = Table(title, tuple(rows), ("点数", day, "対局"), scope.subtitle, note)
    view = view_of(scope.games, question.option("axis"), scope=scope)
    curves = curves_of(people, lines, order, view, {})
    subtitle = "　".join(filter(None, (view.subtitle, left_out.short)))
    chart = Lines(title, subtitle, curves, baseline=0, axis=view.axis, signed=True)
    picture = Picture(chart, line_charts.draw, table.notification, instead=(table,))
    whole = question.option("show") == WHOLE or len(scope.games) < DRAWN
    shown = (table,) if whole else (beside_picture(table, values), picture)
    axis = ("対局順で見る", "") if question.option("axis") == "date" else ("日付で見る", "date")
    ways = (
        choice(axis[0], Ask.POINT, **scope.options, axis=axis[1]),
        choice("収支", Ask.SUM, **scope.options),
    )
    parts = choice("内訳", Ask.SUM, **scope.options, show=PARTS)
    return Reply(shown, below(question, scope, table_way(question), *ways, parts))


SPECS = (
    Spec(
        name=Ask.POINT,
        title=TITLE,
        help="点数の合計の動きをグラフで出します",
        answer=answer,
        words="点数推移 点数 ポイント てんすう 推移 すいい 変動 曲線 収支推移 収支の推移 折れ線",
        takes=BY_PERIOD,
        figure="points",
        below=(Below.OWN, Below.AGAIN, Ask.RATING),
    ),
)
