"""条件 and もしも: what each member needs to become champion, over the games left or in a last game at one
table; and how the chances change if a member finishes the next game first (or elsewhere)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import NamedTuple

from bot import texts
from bot.answers.common.members import People, asked_members, people_of, token
from bot.answers.common.outlooks import (
    NO_FORECAST,
    SeasonOutlook,
    forecast_now,
    known,
    left_choices,
    other_seasons,
    percent_of,
    season_outlook,
)
from bot.answers.common.scope import ask_who, offered
from bot.chat.command import BY_SEASON, Ask, MenuGroup, Question, Spec, choice
from bot.chat.replies import Choice, Reply, Row, Table, UserError
from rating.forecast.needs import Against, LastGame, Need, PlacingNeed, last_game, needs
from rating.forecast.outlook import Forecast, forecast_of
from rating.forecast.past import Past
from rating.forecast.seasons import simulate_seasons, what_if
from rating.games import GameError
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


RAW = "差は、順位点を除いた素点の差（千点）です。"
WHOLE = "差は、順位点を含む得点の差（千点）です。"
EXPLAINED = "ほかの人の対局がもうない、最後の1戦としての条件です。"
ENOUGH, HOPELESS, NEARLY, NEARLY_HOPELESS = "優勝", "届かない", "ほぼ優勝", "ほぼ届かない"


class Reach(NamedTuple):
    """What one game can bring (thousands): the least score, and by how much two players can be apart."""

    least: float
    apart: float
    seats: int


def last_game_table(people: People, season: SeasonOutlook, table: Sequence[str]) -> Table:
    """The needs of each member at the table, in its order. Raises UserError when they can't be told."""
    uma = people.snapshot.league.rules.uma
    uma = uma if len(uma) == season.past.seats else ()
    try:
        found = last_game(season.past, table, uma)
    except GameError:
        raise UserError(NO_FORECAST, offered(choice("優勝確率", Ask.FORECAST, **season.options))) from None
    names = "・".join(map(people.shown, table))
    reach = reach_of(season.past, uma)
    groups = tuple((_head(people, season, one), _last_rows(people, one, reach)) for one in found)
    best = max(found, key=lambda one: one.chance)
    return Table(
        f"最終戦の条件　{season.scope.title}",
        (),
        subtitle=names,
        note=EXPLAINED + (RAW if uma else WHOLE),
        alt=f"最終戦の条件：{people.shown(best.player)}の優勝 {season.percent(best.chance)}（{names}）",
        more=groups,
    )


def reach_of(past: Past, uma: Sequence[float]) -> Reach:
    """The bounds of the season's own games, with room for the rank points, which may be inside or outside of
    a difference."""
    points, rank = past.points[past.season], max(uma, default=0.0) - min(uma, default=0.0)
    apart = points.max(axis=1) - points.min(axis=1)
    return Reach(float(points.min()) - rank, float(apart.max()) + rank, past.seats)


def _head(people: People, season: SeasonOutlook, one: LastGame) -> str:
    total = float(season.past.totals[season.past.names.index(one.player)])
    return f"{people.shown(one.player)}　{texts.points(total)}　優勝 {season.percent(one.chance)}"


def _last_rows(people: People, one: LastGame, reach: Reach) -> tuple[Row, ...]:
    return tuple(
        Row(
            texts.placing(need.placing + 1, reach.seats),
            verdict(need),
            detail=conditions(people.shown, need, reach),
        )
        for need in one.placings
    )


def verdict(need: PlacingNeed) -> str:
    """The chance at a placing in words; 優勝 where it is enough by itself."""
    if need.certain:
        return ENOUGH
    if not need.possible:
        return HOPELESS
    if need.chance is None:
        return "条件つき"
    return {0.0: NEARLY_HOPELESS, 1.0: NEARLY}.get(need.chance, percent_of(need.chance))


def conditions(shown: Callable[[str], str], need: PlacingNeed, reach: Reach) -> str:
    """What must come true at this placing, in words; "" where it is enough, or out of reach."""
    if need.certain or not need.possible or need.chance in (0.0, 1.0):
        return ""
    parts = []
    if need.least_score > reach.least:
        parts.append(f"自分の得点が{texts.points(need.least_score)}より上")
    for rival in dict.fromkeys(one.rival for one in need.against):
        parts += _against(
            shown(rival), [one for one in need.against if one.rival == rival], need.placing, reach
        )
    return "、".join(parts)


def _against(name: str, against: Sequence[Against], placing: int, reach: Reach) -> list[str]:
    """The need against one rival: said once where it is the same at all placings of the rival, else for each
    of them."""
    found: dict[str, list[int]] = {}
    for one in against:
        found.setdefault(_margin(one.least, reach, ahead=placing < one.placing), []).append(one.placing)
    if len(found) == 1:
        words = next(iter(found))
        return [f"{name}{'に' if words.endswith('つける') else 'と'}{words}"] if words else []
    parts = []
    for words, others in found.items():
        where = "か".join(texts.placing(other + 1, reach.seats) for other in others)
        if words:
            parts.append(f"{name}が{where}なら{words}")
    return parts


def _margin(least: float, reach: Reach, ahead: bool) -> str:
    """By how much the own score must exceed a rival's; "" where the placings are enough, or nearly always
    are."""
    if least < -reach.apart:
        return ""
    if least == inf or least > reach.apart:
        return HOPELESS
    if least < 0 and not ahead:
        return f"{-least:,.1f}差未満"
    return f"{max(0.0, least):,.1f}より大きい差をつける"


OVER = "{}はもう終わっているので、もしもの計算はありません。"
ABSENT = "{}さんは、このシーズンの対局がまだありません。"
EXPLAINED = "▲▼は、いまの優勝確率からの変化（ポイント）です。"


def show_if(question: Question) -> Reply:
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
        (_table_if(people, season, now, then, _if(people, season, player, placing)),),
        _choices_if(question, season, player, placing),
    )


def _placing(question: Question, season: SeasonOutlook) -> int:
    """The placing asked for, 0 for the first, which is the default."""
    asked = question.option("placing")
    return int(asked) - 1 if asked in map(str, range(1, season.past.seats + 1)) else 0


def _if(people: People, season: SeasonOutlook, player: str, placing: int) -> str:
    return f"{people.shown(player)}が次に{texts.placing(placing + 1, season.past.seats)}なら"


def _table_if(people: People, season: SeasonOutlook, now: Forecast, then: Forecast, title: str) -> Table:
    everyone = sorted(then.members, key=lambda m: (-m.first, -m.expected, m.player))
    ranks = places([m.first for m in everyone])
    changes = {m.player: m.first - now.member(m.player).first for m in everyone}
    rows = tuple(
        _row_if(people, season, rank, m.player, m.first, changes[m.player])
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


def _row_if(
    people: People, season: SeasonOutlook, rank: int, player: str, chance: float, change: float
) -> Row:
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


def _choices_if(question: Question, season: SeasonOutlook, player: str, placing: int) -> tuple[Choice, ...]:
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
    Spec(
        name=Ask.IF,
        title="もしも",
        help="だれかが次にトップなら、優勝確率がどう変わるかを出します",
        answer=show_if,
        words=("もしも", "仮定", "かてい"),
        takes=BY_SEASON,
        names=1,
        group=MenuGroup.TITLE,
        daily=True,
    ),
)
