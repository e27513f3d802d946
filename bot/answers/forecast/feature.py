"""How the season may end, and how much of it is skill."""

from bot.answers.forecast import chances, needs, skill
from bot.chat.feature import Feature

FEATURE = Feature(
    name="forecast",
    specs=(
        *chances.SPECS,
        *needs.SPECS,
        *skill.SPECS,
    ),
)
