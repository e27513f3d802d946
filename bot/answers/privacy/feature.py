"""What is kept of a user: hidden names, and forgetting."""

from bot.answers.privacy import forgetting
from bot.chat.feature import Feature

FEATURE = Feature(
    name="privacy",
    specs=(*forgetting.SPECS,),
)
