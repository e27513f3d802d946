"""All features, in the order in which they are asked whether a text or a file is theirs.

A new feature is a folder with its FEATURE, and two lines here: one imports it, one lists it.
"""

from bot.answers.admin import feature as admin
from bot.answers.common import feature as common
from bot.answers.forecast import feature as forecast
from bot.answers.games import feature as games
from bot.answers.page import feature as page
from bot.answers.paifu import feature as paifu
from bot.answers.players import feature as players
from bot.answers.privacy import feature as privacy
from bot.answers.recaps import feature as recaps
from bot.answers.standings import feature as standings
from bot.answers.table_game import feature as table_game
from bot.answers.team_match import feature as team_match
from bot.answers.tonight import feature as tonight
from bot.chat.feature import Features

FEATURES = Features(
    (
        common.FEATURE,
        admin.FEATURE,
        paifu.FEATURE,
        table_game.FEATURE,
        tonight.FEATURE,
        games.FEATURE,
        standings.FEATURE,
        recaps.FEATURE,
        players.FEATURE,
        forecast.FEATURE,
        team_match.FEATURE,
        page.FEATURE,
        privacy.FEATURE,
    )
)
CATALOGUE = FEATURES.catalogue
