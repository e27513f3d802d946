"""着順: how often each member had each placing, as bars and as a table."""

from __future__ import annotations

from bot import texts
from bot.answers.common.curves import DRAWN
from bot.answers.common.figures import careers_of, placing_counts, written
from bot.answers.common.members import check_members, people_of
from bot.answers.common.scope import Scope, offered, period_choices, scope_of, season_choices, seat_choices
from bot.answers.standings.placings_picture import PlacingChart, PlacingRow, draw
from bot.chat.command import BY_PERIOD, Ask, MenuGroup, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Table
from rating.standings import PROVISIONAL_GAMES
from rating.statistics import STATISTICS, ranking

BARS = 3  # members from which bars say more than a table
HEADS = ("平均着順", "トップからラス", "対局")


def answer(question: Question) -> Reply:
    """A table of the members' placings, lowest mean placing first and 暫定 where the games are few, and as
    bars."""
    scope, people = scope_of(question), people_of(question)
    check_members(people, scope.games)
    own, rows, bars = careers_of(people, scope), [], []
    for player, place, mean in ranking(STATISTICS["mean"], own, 0):
        tally = own[player].tally
        few = tally.games < PROVISIONAL_GAMES
        extra = (placing_counts(tally), texts.played(tally.games, few))
        rows.append(people.row(player, written("mean", mean), place, extra))
        name, asker = people.shown(player), people.is_asker(player)
        bars.append(PlacingRow(name, tally.placings, people.colour(player), few, asker))
    title = f"着順　{scope.title}"
    top = "、".join(f"{row.name} {row.value}" for row in rows[:3])
    note = scope.until + f"{texts.SIGN_MEANS}。" * any(bar.provisional for bar in bars)
    table = Table(title, tuple(rows), HEADS, scope.subtitle, note, alt=f"{title}：平均着順 {top}")
    if len(rows) < BARS or len(scope.games) < DRAWN:
        return Reply((table,), _choices(question, scope))
    picture = Picture(PlacingChart(title, scope.subtitle, tuple(bars)), draw, table.alt, (table,))
    return Reply((table, picture), _choices(question, scope))


def _choices(question: Question, scope: Scope) -> tuple[Choice, ...]:
    here = scope.options
    return offered(
        choice("収支", Ask.SUM, **here),
        choice("相性", Ask.MATCHUP, **here),
        choice("ランキング", Ask.RANKING, **here),
        *period_choices(question, scope),
        *season_choices(question, scope),
        *seat_choices(question, scope),
        choice("レーティング", Ask.RATING, **here),
        choice("個人", Ask.PLAYER),
    )


SPECS = (
    Spec(
        name=Ask.RANK,
        title="着順",
        help="着順の割合と平均を出します",
        answer=answer,
        words=("着順", "順位", "ちゃくじゅん", "平均着順"),
        takes=BY_PERIOD,
        group=MenuGroup.EVERYBODY,
    ),
)
