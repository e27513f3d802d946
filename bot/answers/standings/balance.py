"""収支: the sums of the members' points and of what the chips are worth in points."""

from collections.abc import Sequence
from dataclasses import replace

from bot import texts
from bot.answers.common.figures import (
    GUESTS,
    by_total,
    careers_of,
    chips_left_out,
    name_of,
    written,
)
from bot.answers.common.members import People, check_members, people_of
from bot.answers.common.scope import Scope, below, scope_of
from bot.chat.command import BY_PERIOD, Ask, Below, Question, Spec, choice
from bot.chat.replies import Reply, Row, Table
from bot.league.balances import fines_by_player
from rating.roomlog import FINE
from rating.standings import NOISE, PROVISIONAL_GAMES, places
from rating.tallies import Career, has_chips, tallies

PARTS = "parts"  # of a postback's `show`


def answer(question: Question) -> Reply:
    """The table of the members' 収支, or of what it is made of."""
    scope = scope_of(question)
    people = people_of(question)
    check_members(people, scope.games)
    if question.option("show") != PARTS and question.command.name == Ask.SUM:
        other = choice("内訳", Ask.SUM, **scope.options, show=PARTS)
        table = balance_table(people, scope, by_total(careers_of(people, scope)))
        return Reply((table,), below(question, scope, other))
    table = parts_table(people, scope)
    ways = [choice("収支", Ask.SUM, **scope.options)]
    if has_chips(scope.games):
        ways.append(choice(name_of("chips"), Ask.RANKING, **scope.options, by="chips"))
    elif question.command.name == Ask.TIP:
        table = replace(table, note=f"{scope.title}にはチップの記録がありません。{table.note}")
    return Reply((table,), below(question, scope, *ways))


def balance_table(people: People, scope: Scope, own: Sequence[Career]) -> Table:
    """The members' 収支, best first, without guests, and how far each is behind the one above."""
    rows = []
    ranks = places([career.total for career in own])
    for rank, career, above in zip(ranks, own, (None, *own), strict=False):
        gap = f"{above.total - career.total:,.1f}" if above else ""
        games = career.tally.games
        played = texts.played(games, games < PROVISIONAL_GAMES)
        total = written("total", career.total)
        rows.append(people.row(career.player, total, rank, (gap, played)))
    return _table(people, scope, f"収支　{scope.title}", own, rows, ("収支", "上との差", "対局"))


def parts_table(people: People, scope: Scope) -> Table:
    """What the members' 収支 are made of: points, chips, and the mean of a game."""
    own = by_total(careers_of(people, scope))
    ranks = places([career.total for career in own])
    rows = []
    chips = any(career.tally.chip_games for career in own)
    fines = fines_by_player(people.snapshot, scope.games)
    for rank, career in zip(ranks, own, strict=True):
        tally = career.tally
        # The chips as −8枚, with what they are worth where that is known: −8枚（−16.0）.
        won = written("won_chips", tally.chips) if tally.chip_games else ""
        fine = fines.get(career.player, 0.0)
        worth = career.worth - fine
        if won and abs(worth) > NOISE:
            won += f"（{texts.points(worth)}）"
        cells = []
        if chips:
            cells.append(won)
        cells.append(written("average", career.total / tally.games))
        detail = f"{FINE} {texts.points(fine)}" if fine else ""
        points = written("points", tally.points)
        rows.append(people.row(career.player, points, rank, tuple(cells), detail))
    heads: tuple[str, ...] = ("点数", "1戦平均")
    if chips:
        heads = ("点数", "チップ", "1戦平均")
    table = _table(people, scope, f"収支の内訳　{scope.title}", own, rows, heads)
    top = "、".join(f"{row.name} 点数{row.value}" for row in rows[:3])
    return replace(table, alt=f"{table.title}：{top}")


def _table(
    people: People,
    scope: Scope,
    title: str,
    own: Sequence[Career],
    rows: list[Row],
    heads: tuple[str, ...],
) -> Table:
    note = [GUESTS] if len(own) < len(tallies(scope.games)) else []
    if any(career.worth for career in own):
        fines = fines_by_player(people.snapshot, scope.games)
        chip_values = [career.worth - fines.get(career.player, 0.0) for career in own]
        parts = ["点数"]
        if any(abs(value) > NOISE for value in chip_values):
            parts.append("チップ")
        if fines:
            parts.append(FINE)
        note.append(f"収支は、{'と'.join(parts)}の合計です。")
    note += [chips_left_out(people.snapshot, scope.games).sentence, scope.until]
    if any(texts.SIGN in cell for row in rows for cell in row.extra):
        note.append(f"{texts.SIGN_MEANS}。")
    return Table(title, tuple(rows), heads, scope.subtitle, "".join(note))


SPECS = (
    Spec(
        name=Ask.SUM,
        title="収支",
        help="点数・対局数・チップの合計を出します",
        answer=answer,
        words="収支 しゅうし しゅうけい 集計 合計",
        shortcuts={
            word: {"show": PARTS} for word in ("内訳", "収支の内訳", "チップ抜き", "チップ込み")
        }
        | {f"{n}位{who}": {} for n in range(2, 10) for who in ("は誰", "誰")},
        takes=BY_PERIOD,
        figure="total",
        below=(
            Below.OWN,
            Ask.FORECAST,
            Ask.RANK,
            Below.AGAIN,
            Ask.RANKING,
            Ask.POINT,
            Ask.TEAM,
            choice("今日", Ask.TODAY),
        ),
    ),
    Spec(
        name=Ask.TIP,
        title="チップ推移",
        help="収支の内訳（点数とチップ）を出します",
        answer=answer,
        words="チップ推移 チップ",
        takes=BY_PERIOD,
        figure="won_chips",
        below=(Below.OWN, Below.AGAIN, Ask.POINT),
        hidden=True,
    ),
)
