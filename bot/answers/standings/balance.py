"""収支: the sum of each member's points and of what the chips are worth in points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from bot import texts
from bot.answers.common.members import People, people_of
from bot.answers.common.scope import Scope, offered, period_choices, scope_of, season_choices, seat_choices
from bot.chat.command import Question, Spec, choice
from bot.chat.replies import Choice, Reply, Row, Table
from bot.league.season_past import chip_worth
from bot.league.snapshot import LeagueSnapshot
from rating.games import Game
from rating.standings import PROVISIONAL_GAMES, places
from rating.tallies import Tally, tallies

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
    """The table of the members' 収支."""
    scope, people = scope_of(question), people_of(question)
    return Reply((balance_table(people, scope),), _choices(question, scope))


def balance_table(people: People, scope: Scope) -> Table:
    """The members' 収支, best first, without guests."""
    everyone = balances(people.snapshot, scope)
    own = [b for b in everyone if b.player in people.order]
    ranked = zip(places([b.total for b in own]), own, strict=True)
    rows = tuple(_row(people, place, b) for place, b in ranked)
    title = f"収支　{scope.title}"
    top = "、".join(f"{row.rank}位 {row.name} {row.value}" for row in rows[:3])
    note = [GUESTS] if len(own) < len(everyone) else []
    if any(b.worth for b in own):
        note.append("収支は、点数とチップの合計です。")
    note.append(chips_left_out(people.snapshot, scope.games).sentence)
    return Table(
        title,
        rows,
        heads=("収支", "対局"),
        subtitle=scope.subtitle,
        note="".join(note),
        alt=f"{title}：{top}",
    )


def _row(people: People, place: int, found: Balance) -> Row:
    tally = found.tally
    details = [f"1戦平均 {texts.points(found.total / tally.games)}"]
    if found.worth:
        details.insert(0, f"点数 {texts.points(tally.points)}")
        details.insert(1, f"チップ {texts.signed(tally.chips)}枚（{texts.points(found.worth)}）")
    elif tally.chip_games:
        details.append(f"チップ {texts.signed(tally.chips)}枚")
    few = ("\n暫定" if found.worth else "　暫定") * (tally.games < PROVISIONAL_GAMES)  # a line holds no more
    return people.row(
        found.player, texts.points(found.total), place, (f"{tally.games}戦",), "　".join(details) + few
    )


def _choices(question: Question, scope: Scope) -> tuple[Choice, ...]:
    season, here = scope.option, scope.options
    return offered(
        *period_choices(question, scope),
        *season_choices(question, scope),
        *seat_choices(question, scope),
        choice("優勝確率", "forecast", season=season),
        choice("ランキング", "ranking", **here),
        choice("着順", "rank", **here),
        choice("点数推移", "point", **here),
        choice("チーム", "team", **here),
        choice("今日", "today"),
    )


SPECS = (
    Spec(
        name="sum",
        title="収支",
        help="点数・対局数・チップの合計を出します",
        answer=answer,
        words=("収支", "しゅうし", "しゅうけい", "集計", "合計"),
        plain=True,
        periods=True,
    ),
)
