"""Where everybody stands: ratings, points, placings and boards, and the season's summary."""

from bot.answers.standings import (
    balance,
    calibration,
    compare,
    placings,
    ranking,
    ranks,
    ratings,
    season_report,
    summary,
    teams,
    totals,
)
from bot.chat.feature import Feature, Unasked, UnaskedWhen

FEATURE = Feature(
    name="standings",
    specs=(
        *balance.SPECS,
        *compare.SPECS,
        *placings.SPECS,
        *ranking.SPECS,
        *ranks.SPECS,
        *ratings.SPECS,
        *summary.SPECS,
        *teams.SPECS,
        *totals.SPECS,
    ),
    drawings={"losses": compare.draw_losses, "calibration": calibration.draw_best_calibration},
    unasked=(Unasked("season report", UnaskedWhen.GAMES_CAME, season_report.season_report),),
)
