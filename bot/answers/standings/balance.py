"""収支: the sum of each member's points and of what the chips are worth in points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from bot import texts
from bot.answers.common.members import People, check_members, people_of
from bot.answers.common.scope import Scope, offered, period_choices, scope_of, season_choices, seat_choices
from bot.chat.command import BY_PERIOD, Ask, MenuGroup, Question, Spec, choice
from bot.chat.replies import Choice, Reply, Row, Table
from bot.league.season_past import chip_worth
from bot.league.snapshot import LeagueSnapshot
from rating.games import Game
from rating.standings import PROVISIONAL_GAMES, places
from rating.tallies import Tally, tallies

PARTS = "parts"  # of a postback's `show`
GUESTS = "ゲストは表に入れていません。"


@dataclass(frozen=True)
class Balance:
    """One player's 収支: the tally, and what the chips are worth (`worth`, points in thousands)."""

    player: str
    tally: Tally
    worth: float

    @property
    def total(self) -> float:
        return round(self.tally.points + self.worth, 6)


def balances(snapshot: LeagueSnapshot, scope: Scope) -> list[Balance]:
    """The 収支 of everybody, guests included, best first."""
    found = tallies(scope.games)
    worth = dict.fromkeys(found, 0.0)
    chip = chip_worth(snapshot)
    for game in scope.games:
        for seat in game.seats:
            worth[seat.player] += chip(seat, game)
    made = [Balance(player, tally, round(worth[player], 6)) for player, tally in found.items()]
    return sorted(made, key=lambda b: (-b.total, b.player))


class LeftOut(NamedTuple):
    """What a total of 収支 leaves out, as a sentence for a table and in short for a picture; "" where nothing is."""

    sentence: str
    short: str


def chips_left_out(snapshot: LeagueSnapshot, games: Iterable[Game]) -> LeftOut:
    """Which chips of the games 収支 leaves out, because league.toml does not say what a chip is worth."""
    chip = chip_worth(snapshot)
    counted = [bool(chip(seat, game)) for game in games for seat in game.seats if seat.chips]
    if all(counted):
        return LeftOut("", "")
    if any(counted):
        return LeftOut(texts.BALANCE_PARTLY, texts.PARTLY)
    return LeftOut(texts.BALANCE_ALONE, texts.ALONE)


def answer(question: Question) -> Reply:
    """The table of the members' 収支, or of what it is made of."""
    scope, people = scope_of(question), people_of(question)
    check_members(people, scope.games)
    made = parts_table if question.option("show") == PARTS else balance_table
    return Reply((made(people, scope),), _choices(question, scope))


def balance_table(people: People, scope: Scope) -> Table:
    """The members' 収支, best first, without guests, and how far each is behind the one above."""
    own = _members(people, scope)
    ranks = places([b.total for b in own])
    rows = []
    for rank, found, above in zip(ranks, own, (None, *own), strict=False):
        gap = f"{above.total - found.total:,.1f}" if above else ""
        rows.append(
            people.row(found.player, texts.points(found.total), rank, (gap, texts.played(*_games(found))))
        )
    table = _table(people, scope, f"収支　{scope.title}", tuple(rows), ("収支", "上との差", "対局"))
    top = "、".join(f"{row.rank}位 {row.name} {row.value}" for row in rows[:3])
    return replace(table, alt=f"{table.title}：{top}")


def parts_table(people: People, scope: Scope) -> Table:
    """What the members' 収支 are made of: points, chips, and the mean of a game."""
    own = _members(people, scope)
    chips = any(found.tally.chip_games for found in own)
    rows = tuple(
        people.row(
            found.player,
            texts.points(found.tally.points),
            rank,
            (*[_chips(found)] * chips, texts.points(found.total / found.tally.games)),
        )
        for rank, found in zip(places([b.total for b in own]), own, strict=True)
    )
    heads = ("点数", *["チップ"] * chips, "1戦平均")
    table = _table(people, scope, f"収支の内訳　{scope.title}", rows, heads)
    top = "、".join(f"{row.name} 点数{row.value}" for row in rows[:3])
    return replace(table, alt=f"{table.title}：{top}")


def _members(people: People, scope: Scope) -> list[Balance]:
    return [found for found in balances(people.snapshot, scope) if found.player in people.order]


def _games(found: Balance) -> tuple[int, bool]:
    """The number of games, and whether they are few."""
    return found.tally.games, found.tally.games < PROVISIONAL_GAMES


def _chips(found: Balance) -> str:
    """The chips as −8枚, with what they are worth where that is known: −8枚（−16.0）."""
    words = f"{texts.signed(found.tally.chips)}枚" if found.tally.chip_games else ""
    return words + f"（{texts.points(found.worth)}）" * bool(words and found.worth)


def _table(people: People, scope: Scope, title: str, rows: tuple[Row, ...], heads: tuple[str, ...]) -> Table:
    own, seen = _members(people, scope), tallies(scope.games)
    note = [GUESTS] if len(own) < len(seen) else []
    if any(b.worth for b in own):
        note.append("収支は、点数とチップの合計です。")
    note += [chips_left_out(people.snapshot, scope.games).sentence, scope.until]
    note += [f"{texts.SIGN_MEANS}。"] * any(texts.SIGN in cell for row in rows for cell in row.extra)
    return Table(title, rows, heads, scope.subtitle, "".join(note))


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
