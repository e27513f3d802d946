"""Where everybody stands: ratings, points, placings and boards, and the season's summary."""

from bot.answers.standings import (
    balance,
    compare,
    ranking,
    ranks,
    ratings,
    season_report,
    summary,
    totals,
)
from bot.chat.feature import Feature, Unasked, UnaskedWhen

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
    drawings={"losses": compare.draw_losses, "calibration": compare.draw_best_calibration},
    unasked=(Unasked("season report", UnaskedWhen.GAMES_CAME, season_report.season_report),),
)
