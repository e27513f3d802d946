"""Single games: 今日, 直近, and the export; the menu of periods."""

from bot.answers.games import export, games
from bot.chat.feature import Feature

FEATURE = Feature(
    name="games",
    specs=(
        *export.SPECS,
        *games.SPECS,
    ),
)
