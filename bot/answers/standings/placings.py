"""着順: how often each member had each placing, as bars and as a table."""

from __future__ import annotations

from bot import texts
from bot.answers.common.curves import DRAWN
from bot.answers.common.members import People, check_members, people_of
from bot.answers.common.scope import Scope, offered, period_choices, scope_of, season_choices, seat_choices
from bot.charts.placings import PlacingChart, PlacingRow, draw
from bot.chat.command import BY_PERIOD, Ask, MenuGroup, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Table
from rating.standings import PROVISIONAL_GAMES, places
from rating.tallies import Tally, tallies

BARS = 3  # members from which bars say more than a table
HEADS = ("平均着順", "トップからラス", "対局")


def answer(question: Question) -> Reply:
    """A picture and a table of the members' placings."""
    scope, people = scope_of(question), people_of(question)
    check_members(people, scope.games)
    table = placing_table(people, scope)
    if len(table.rows) < BARS or len(scope.games) < DRAWN:
        return Reply((table,), _choices(question, scope))
    return Reply((table, placing_picture(people, scope, table)), _choices(question, scope))


def ranked(people: People, scope: Scope) -> dict[str, Tally]:
    """The members' tallies, lowest mean placing first."""
    own = {p: t for p, t in tallies(scope.games).items() if p in people.order}
    return dict(sorted(own.items(), key=lambda item: (item[1].mean_placing, -item[1].games, item[0])))


def placing_table(people: People, scope: Scope) -> Table:
    """Each member's mean placing (from 1), games, and counts of placings; below 暫定 where the games are few."""
    found = ranked(people, scope)
    shared = places([tally.mean_placing for tally in found.values()])
    rows = tuple(
        people.row(
            player,
            f"{tally.mean_placing:.2f}",
            place,
            (counts(tally), texts.played(tally.games, tally.games < PROVISIONAL_GAMES)),
        )
        for place, (player, tally) in zip(shared, found.items(), strict=True)
    )
    title = f"着順　{scope.title}"
    top = "、".join(f"{row.name} {row.value}" for row in rows[:3])
    few = any(tally.games < PROVISIONAL_GAMES for tally in found.values())
    note = scope.until + f"{texts.SIGN_MEANS}。" * few
    return Table(title, rows, HEADS, scope.subtitle, note, alt=f"{title}：平均着順 {top}")


def counts(tally: Tally) -> str:
    """How often each placing came: `120-110-98`."""
    return "-".join(map(str, tally.placings))


def words(tally: Tally) -> str:
    """`120-110-98　トップ36.6%　ラス29.9%`"""
    return f"{counts(tally)}　トップ{texts.percent(tally.first_rate)}　ラス{texts.percent(tally.last_rate)}"


def placing_picture(people: People, scope: Scope, table: Table) -> Picture:
    """The placings as bars; `table` is shown instead when no picture can be sent."""
    rows = tuple(
        PlacingRow(
            people.shown(player),
            tally.placings,
            people.colour(player),
            tally.games < PROVISIONAL_GAMES,
            people.is_asker(player),
        )
        for player, tally in ranked(people, scope).items()
    )
    return Picture(PlacingChart(table.title, scope.subtitle, rows), draw, table.alt, (table,))


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
