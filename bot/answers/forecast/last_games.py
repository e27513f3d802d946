"""What those at one table need in a last game: for each placing, the points against each rival."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import NamedTuple

from bot import texts
from bot.answers.common.members import People
from bot.answers.common.outlooks import NO_FORECAST, SeasonOutlook, percent_of
from bot.answers.common.scope import offered
from bot.chat.command import Ask, choice
from bot.chat.replies import Row, Table, UserError
from rating.forecast.needs import Against, LastGame, PlacingNeed, last_game
from rating.forecast.past import Past
from rating.games import GameError

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
    groups = tuple((_head(people, season, one), _rows(people, one, reach)) for one in found)
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


def _rows(people: People, one: LastGame, reach: Reach) -> tuple[Row, ...]:
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
