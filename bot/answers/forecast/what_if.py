"""もしも: how the chances change if a member finishes the next game first (or elsewhere)."""

from __future__ import annotations

from bot import texts
from bot.answers.common.members import People, asked_members, people_of, token
from bot.answers.common.outlooks import (
    SeasonOutlook,
    forecast_now,
    known,
    left_choices,
    season_outlook,
)
from bot.answers.common.pick_player import ask_who
from bot.answers.common.scope import offered
from bot.chat.command import BY_SEASON, Ask, MenuGroup, Question, Spec, choice
from bot.chat.replies import Choice, Reply, Row, Table, UserError
from rating.forecast.outlook import Forecast, forecast_of
from rating.forecast.seasons import what_if
from rating.standings import places

OVER = "{}はもう終わっているので、もしもの計算はありません。"
ABSENT = "{}さんは、このシーズンの対局がまだありません。"
EXPLAINED = "▲▼は、いまの優勝確率からの変化（ポイント）です。"


def answer(question: Question) -> Reply:
    """The chances after the next game ended so; asks for a member where none is named."""
    season, people = season_outlook(question), people_of(question)
    if season.over:
        raise UserError(OVER.format(season.scope.title), _ways_on(season))
    players = asked_members(question)
    if not players:
        return ask_who(question, "もしも、次にトップを取るなら", **season.options)
    player = players[0]
    if player not in season.past.names[: season.past.members]:
        raise UserError(ABSENT.format(people.shown(player)), _ways_on(season))
    placing = _placing(question, season)
    now = forecast_now(question, season)
    then = known(
        question,
        season,
        f"if {placing} {player}",
        lambda: forecast_of(what_if(season.past, season.left, player, placing)),
    )
    return Reply(
        (_table(people, season, now, then, _if(people, season, player, placing)),),
        _choices(question, season, player, placing),
    )


def _placing(question: Question, season: SeasonOutlook) -> int:
    """The placing asked for, 0 for the first, which is the default."""
    asked = question.option("placing")
    return int(asked) - 1 if asked in map(str, range(1, season.past.seats + 1)) else 0


def _if(people: People, season: SeasonOutlook, player: str, placing: int) -> str:
    return f"{people.shown(player)}が次に{texts.placing(placing + 1, season.past.seats)}なら"


def _table(people: People, season: SeasonOutlook, now: Forecast, then: Forecast, title: str) -> Table:
    everyone = sorted(then.members, key=lambda m: (-m.first, -m.expected, m.player))
    ranks = places([m.first for m in everyone])
    changes = {m.player: m.first - now.member(m.player).first for m in everyone}
    rows = tuple(
        _row(people, season, rank, m.player, m.first, changes[m.player])
        for rank, m in zip(ranks, everyone, strict=True)
    )
    top = "、".join(
        f"{row.name} {row.value}{change_words(changes[m.player])}"
        for row, m in zip(rows[:3], everyone, strict=False)
    )
    return Table(
        f"もしも {title}",
        rows,
        heads=("優勝", "変化"),
        subtitle=f"{season.scope.title}　{season.count}",
        note=season.sentence + EXPLAINED,
        alt=f"もしも{title}：{top}",
    )


def _row(people: People, season: SeasonOutlook, rank: int, player: str, chance: float, change: float) -> Row:
    return people.row(player, season.percent(chance), rank, (change_words(change) or "±0",))


def change_words(change: float) -> str:
    """A change of a chance in points of per cent: ▲12, ▼3, "" for none."""
    points = round(100 * change)
    return f"▲{points}" if points > 0 else f"▼{-points}" if points < 0 else ""


def _ways_on(season: SeasonOutlook) -> tuple[Choice, ...]:
    return offered(
        choice("優勝確率", Ask.FORECAST, **season.options),
        choice("まとめ", Ask.SUMMARY, season=season.scope.option),
    )


def _choices(question: Question, season: SeasonOutlook, player: str, placing: int) -> tuple[Choice, ...]:
    options, seats = season.options, season.past.seats
    shown = question.snapshot.league.shown
    placings = [p for p in range(seats) if p != placing]
    own = [
        choice(
            f"次に{texts.placing(p + 1, seats)}なら", Ask.IF, **options, player=token(player), placing=p + 1
        )
        for p in placings
    ]
    leaders = sorted(
        season.past.names[: season.past.members],
        key=lambda p: -season.past.totals[season.past.names.index(p)],
    )
    others = [
        choice(f"{shown(p)[:14]}がトップ", Ask.IF, **options, player=token(p)) for p in leaders if p != player
    ][:4]
    return offered(
        *own,
        *others,
        *left_choices(question, season, player=token(player)),
        choice("優勝確率", Ask.FORECAST, **options),
        choice("条件", Ask.NEEDS, **options),
    )


SPECS = (
    Spec(
        name=Ask.IF,
        title="もしも",
        help="だれかが次にトップなら、優勝確率がどう変わるかを出します",
        answer=answer,
        words=("もしも", "仮定", "かてい"),
        takes=BY_SEASON,
        names=1,
        group=MenuGroup.TITLE,
        daily=True,
    ),
)
