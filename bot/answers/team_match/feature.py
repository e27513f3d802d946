"""2対2: matches of two against two, kept by taps."""

from bot.answers.team_match import record
from bot.chat.feature import Feature

FEATURE = Feature(
    name="team_match",
    specs=(*record.SPECS,),
)
