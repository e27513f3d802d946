"""Pictures of the systems that rate all games at once: strengths with intervals, and matchups."""

from __future__ import annotations

from bot.answers.common.members import People
from bot.answers.common.model_names import baseline
from bot.answers.common.ratings import APART, Ratings
from bot.answers.standings.forest_picture import ForestChart, Interval
from bot.draw.matrix import MatrixChart
from rating.models import MODELS
from rating.models.blade_chest import BladeChest

MARKS = "丸と上の数字はレート、縦線と下の数字は見込み、帯とかっこは95%の範囲です。"
NO_MATCHUPS = "相性の差は、まだ偶然と見分けられません。ここでは強さだけを示します。"
MOST = 10  # players in a matrix; if there are more, those with the most games


def forest_chart(people: People, found: Ratings) -> ForestChart:
    """Each member's strength with its 95 % interval, or alone when the system gives no interval.

    Members who never met, directly or through others, stand apart.
    """
    rows = tuple(
        Interval(
            people.shown(player),
            rating.value,
            low=rating.low if rating.low is not None else rating.value,
            high=rating.high if rating.high is not None else rating.value,
            likely=rating.likely,
            colour=people.colour(player),
            provisional=rating.provisional,
            asker=people.is_asker(player),
            words=found.words(rating.value),
            spread=found.interval(rating),
            group=found.places[player].group,
        )
        for player, rating in found.standings.items()
    )
    note = (
        MARKS * any(row.spread for row in rows)
        + NO_MATCHUPS * MODELS[found.model].has_matchups
        + APART * found.apart
    )
    decimals = MODELS[found.model].decimals
    return ForestChart(
        found.title,
        found.subtitle,
        rows=rows,
        baseline=baseline(found.model),
        decimals=decimals,
        left="← 弱い",
        right="強い →",
        note=note,
    )


def shows_matchups(found: Ratings) -> bool:
    """Whether matchups are shown: they must predict left-out days better than the strengths alone."""
    return len(found.standings) > 1 and BladeChest().worth_showing(found.games)


def matchup_chart(people: People, found: Ratings) -> MatrixChart:
    """The chance (per cent) that the row's member finishes above the column's, n x n.

    None on the diagonal, and for two members who never met, directly or through others.
    """
    matchups = BladeChest().matchups(found.games)
    number = {name: place for place, name in enumerate(matchups.names)}
    players = most_games(found)
    chances = matchups.probabilities
    cells = tuple(
        tuple(
            None
            if one == other or found.places[one].group != found.places[other].group
            else round(100 * float(chances[number[one], number[other]]), 1)
            for other in players
        )
        for one in players
    )
    return MatrixChart(
        found.title,
        found.subtitle,
        tuple(map(people.shown, players)),
        cells,
        50,
        colours=tuple(map(people.colour, players)),
        key="左の人が上の人に先着する見込み（%）　青＝有利　橙＝不利",
    )


def most_games(found: Ratings) -> list[str]:
    """Up to MOST members, those with the most games, in the order of the standings."""
    kept = sorted(found.standings, key=lambda p: -found.standings[p].games)[:MOST]
    return [player for player in found.places if player in set(kept)]
