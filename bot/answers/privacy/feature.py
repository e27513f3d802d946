"""Hidden names, and the deletion of what is stored of a user."""

from bot.answers.privacy import forgetting
from bot.chat.feature import Feature

FEATURE = Feature(
    name="privacy",
    specs=(*forgetting.SPECS,),
)
