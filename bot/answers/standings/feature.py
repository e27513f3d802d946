"""Where everybody stands: ratings, points, placings and boards, and the season's summary."""

from bot.answers.standings import balance, compare, ranking, ranks, ratings, summary, totals
from bot.chat.feature import Feature

FEATURE = Feature(
    name="standings",
    specs=(
        *balance.SPECS,
        *compare.SPECS,
        *ranking.SPECS,
        *ranks.SPECS,
        *ratings.SPECS,
        *summary.SPECS,
        *totals.SPECS,
    ),
)
