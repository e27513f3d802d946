"""ページ: the link to the league's page."""

from bot.answers.page import link
from bot.chat.feature import Feature

FEATURE = Feature(
    name="page",
    specs=(*link.SPECS,),
)
