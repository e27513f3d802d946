"""収支: the sum of each member's points and of what the chips are worth in points."""

from __future__ import annotations

from dataclasses import replace

from bot import texts
from bot.answers.common.figures import GUESTS, by_total, chips_left_out, written
from bot.answers.common.members import People, check_members, people_of
from bot.answers.common.scope import Scope, offered, period_choices, scope_of, season_choices, seat_choices
from bot.chat.command import BY_PERIOD, Ask, MenuGroup, Question, Spec, choice
from bot.chat.replies import Choice, Reply, Row, Table
from rating.careers import Career
from rating.standings import PROVISIONAL_GAMES, places
from rating.tallies import tallies

PARTS = "parts"  # of a postback's `show`


def answer(question: Question) -> Reply:
    """The table of the members' 収支, or of what it is made of."""
    scope, people = scope_of(question), people_of(question)
    check_members(people, scope.games)
    made = parts_table if question.option("show") == PARTS else balance_table
    return Reply((made(people, scope),), _choices(question, scope))


def balance_table(people: People, scope: Scope) -> Table:
    """The members' 収支, best first, without guests, and how far each is behind the one above."""
    own, rows = by_total(people, scope), []
    for rank, found, above in zip(places([b.total for b in own]), own, (None, *own), strict=False):
        gap = f"{above.total - found.total:,.1f}" if above else ""
        played = texts.played(found.tally.games, found.tally.games < PROVISIONAL_GAMES)
        rows.append(people.row(found.player, written("total", found.total), rank, (gap, played)))
    table = _table(people, scope, f"収支　{scope.title}", own, rows, ("収支", "上との差", "対局"))
    top = "、".join(f"{row.rank}位 {row.name} {row.value}" for row in rows[:3])
    return replace(table, alt=f"{table.title}：{top}")


def parts_table(people: People, scope: Scope) -> Table:
    """What the members' 収支 are made of: points, chips, and the mean of a game."""
    own, rows = by_total(people, scope), []
    chips = any(found.tally.chip_games for found in own)
    for rank, found in zip(places([b.total for b in own]), own, strict=True):
        # The chips as −8枚, with what they are worth where that is known: −8枚（−16.0）.
        won = written("won_chips", found.tally.chips) if found.tally.chip_games else ""
        won += f"（{texts.points(found.worth)}）" * bool(won and found.worth)
        extra = (*[won] * chips, written("average", found.total / found.tally.games))
        rows.append(people.row(found.player, written("points", found.tally.points), rank, extra))
    heads = ("点数", *["チップ"] * chips, "1戦平均")
    table = _table(people, scope, f"収支の内訳　{scope.title}", own, rows, heads)
    top = "、".join(f"{row.name} 点数{row.value}" for row in rows[:3])
    return replace(table, alt=f"{table.title}：{top}")


def _table(
    people: People, scope: Scope, title: str, own: list[Career], rows: list[Row], heads: tuple[str, ...]
) -> Table:
    note = [GUESTS] if len(own) < len(tallies(scope.games)) else []
    if any(b.worth for b in own):
        note.append("収支は、点数とチップの合計です。")
    note += [chips_left_out(people.snapshot, scope.games).sentence, scope.until]
    note += [f"{texts.SIGN_MEANS}。"] * any(texts.SIGN in cell for row in rows for cell in row.extra)
    return Table(title, tuple(rows), heads, scope.subtitle, "".join(note))


def _choices(question: Question, scope: Scope) -> tuple[Choice, ...]:
    season, here, parts = scope.option, scope.options, question.option("show") == PARTS
    return offered(
        choice("収支", Ask.SUM, **here) if parts else choice("内訳", Ask.SUM, **here, show=PARTS),
        choice("優勝確率", Ask.FORECAST, season=season),
        choice("着順", Ask.RANK, **here),
        *period_choices(question, scope),
        *season_choices(question, scope),
        *seat_choices(question, scope),
        choice("ランキング", Ask.RANKING, **here),
        choice("点数推移", Ask.POINT, **here),
        choice("チーム", Ask.TEAM, **here),
        choice("今日", Ask.TODAY),
    )


SPECS = (
    Spec(
        name=Ask.SUM,
        title="収支",
        help="点数・対局数・チップの合計を出します",
        answer=answer,
        words=("収支", "しゅうし", "しゅうけい", "集計", "合計"),
        takes=BY_PERIOD,
        group=MenuGroup.EVERYBODY,
    ),
)
