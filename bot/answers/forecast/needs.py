"""条件: what each member needs to become champion: over the games left, and before a last game at one
table."""

from __future__ import annotations

from collections.abc import Sequence

from bot import texts
from bot.answers.common.members import People, asked_members, people_of
from bot.answers.common.outlooks import (
    SeasonOutlook,
    known,
    left_choices,
    other_seasons,
    season_outlook,
)
from bot.answers.common.scope import offered
from bot.answers.forecast.last_games import last_game_table
from bot.chat.command import BY_SEASON, Ask, MenuGroup, Question, Spec, choice
from bot.chat.replies import Choice, Reply, Row, Table, UserError
from rating.forecast.needs import Need, needs
from rating.forecast.seasons import simulate_seasons
from rating.standings import places

OVER = "{}はもう終わっています。優勝は{}です。"
RARE = 0.01  # with a chance below, or above 1 less it, a member's need is not told as points
LONG = 80  # characters of the example of a typed table, at most
LAST, TOP, RECENT = "last", "top", "recent"
MEANING = (
    "「必要」は、残りの対局でそれだけ増やせば優勝する見込みが五分を超える収支です。"
    "戦数は、最近の参加のしかたから見込んだ本人の対局数です。"
)
TABLE_OF = "最終戦の条件は、卓を囲む{}人を名前で続けて送っても見られます（例：{}）。"
WRONG_TABLE = "最終戦の条件は、このシーズンのメンバー{}人の名前を続けて送ると見られます（例：{}）。"


def answer(question: Question) -> Reply:
    """What everybody needs over the games left; with names or by a button, what those at the table need in
    one last game."""
    season, people = season_outlook(question), people_of(question)
    if season.over:
        raise UserError(_over(people, season), _choices(question, season))
    table = _named_table(question, people, season) or _offered_table(question, season)
    if table or season.left == 1:
        shown = last_game_table(people, season, table or tables(season)[TOP])
        return Reply((shown,), _choices(question, season))
    return Reply((_table(people, season, _needs(question, season)),), _choices(question, season))


def _over(people: People, season: SeasonOutlook) -> str:
    totals = season.past.totals[: season.past.members]
    best = [name for name, total in zip(season.past.names, totals, strict=False) if total == totals.max()]
    return OVER.format(season.scope.title, people.named(best))


def tables(season: SeasonOutlook) -> dict[str, tuple[str, ...]]:
    """The tables of a last game that buttons offer: the members with the most points, and those of the latest
    game of members."""
    past = season.past
    order = sorted(past.names[: past.members], key=lambda p: (-past.totals[past.names.index(p)], p))
    found = {TOP: tuple(order[: past.seats])} if past.members >= past.seats else {}
    for game in reversed(past.season_games):
        if set(game.players) <= set(order):
            if set(game.players) != set(found.get(TOP, ())):
                found[RECENT] = tuple(sorted(game.players, key=order.index))
            break
    if TOP not in found:
        found[TOP] = (*order, *sorted(set(past.season_games[-1].players) - set(order)))[: past.seats]
    return found


def _named_table(question: Question, people: People, season: SeasonOutlook) -> tuple[str, ...]:
    """The members typed after the word, as many as a game has seats. Raises UserError for other names or
    another number."""
    past = season.past
    found = asked_members(question)
    here = [player for player in found if player in past.names[: past.members]]
    if not found:
        return ()
    if len(found) != past.seats or len(here) != past.seats:
        raise UserError(WRONG_TABLE.format(past.seats, _example(people, season)), _choices(question, season))
    return tuple(found)


def _offered_table(question: Question, season: SeasonOutlook) -> tuple[str, ...]:
    return tables(season).get(question.option("table"), ()) if question.option("show") == LAST else ()


def _example(people: People, season: SeasonOutlook) -> str:
    return " ".join(("条件", *map(people.shown, tables(season)[TOP])))


def _needs(question: Question, season: SeasonOutlook) -> tuple[Need, ...]:
    return known(question, season, "needs", lambda: needs(simulate_seasons(season.past, season.left)))


def _table(people: People, season: SeasonOutlook, found: Sequence[Need]) -> Table:
    past = season.past
    points = {name: float(total) for name, total in zip(past.names, past.totals, strict=True)}
    ranks = places([points[need.player] for need in found])
    rows = tuple(_row(people, season, rank, need) for rank, need in zip(ranks, found, strict=True))
    asker = next((need for need in found if people.is_asker(need.player)), None)
    told = asker or min(found, key=lambda need: abs(need.chance - 0.3))
    example = TABLE_OF.format(past.seats, _example(people, season)) if past.members >= past.seats else ""
    return Table(
        f"優勝の条件　{season.scope.title}",
        rows,
        heads=("必要", "残り", "首位差", "優勝"),
        subtitle=f"{past.played}戦　{season.count}",
        note=season.sentence + MEANING + example * (len(example) <= LONG),
        alt=f"優勝の条件（{season.count}）：{people.shown(told.player)}は{in_words(told)}",
    )


def _row(people: People, season: SeasonOutlook, rank: int, need: Need) -> Row:
    told = told_gain(need) and need.gain is not None
    value = texts.signed(round(need.gain)) if told and need.gain is not None else "―"
    games = f"約{max(1, round(need.own_games))}戦" if told else ""
    return people.row(
        need.player, value, rank, (games, texts.points(-need.behind), season.percent(need.chance))
    )


def told_gain(need: Need) -> bool:
    """Whether the points a member needs are known well enough to be told."""
    return need.gain is not None and RARE <= need.chance <= 1 - RARE


def in_words(need: Need) -> str:
    """What a member needs in a few words: あと約12戦で+85."""
    if need.gain is None or not told_gain(need):
        return "ほぼ優勝" if need.chance > 0.5 else "届く見込みがわずか"
    games, gain = f"あと約{max(1, round(need.own_games))}戦で", round(need.gain)
    return games + texts.signed(gain) + ("まで減っても優位" if gain < 0 else "")


def _choices(question: Question, season: SeasonOutlook) -> tuple[Choice, ...]:
    options = season.options
    running: list[Choice] = []
    if not season.over:
        running = [choice("もしも", Ask.IF, **options), *left_choices(question, season)]
        shown, words = tables(season), {TOP: "最終戦：上位の卓", RECENT: "最終戦：前回の卓"}
        running += [choice(words[which], Ask.NEEDS, **options, show=LAST, table=which) for which in shown]
    return offered(
        choice("優勝確率", Ask.FORECAST, **options),
        *running,
        *other_seasons(question, season.scope),
        choice("収支", Ask.SUM, season=season.scope.option),
    )


SPECS = (
    Spec(
        name=Ask.NEEDS,
        title="条件",
        help="優勝に必要な収支と、最終戦の条件を出します",
        answer=answer,
        words=("条件", "じょうけん", "優勝条件"),
        talk=True,
        takes=BY_SEASON,
        names=5,
        group=MenuGroup.TITLE,
        daily=True,
    ),
)
