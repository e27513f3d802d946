"""All commands in the order of the menu.

A new answer is one file with its SPECS, and one line here.
"""

from bot.answers import help as help_answers, page, privacy
from bot.answers.admin import (
    confirm,
    enrol,
    ident,
    log_files,
    losses,
    members as admin_members,
    rooms,
    settings,
    status,
)
from bot.answers.forecast import chances, needs, skill
from bot.answers.games import export, games
from bot.answers.paifu import (
    danger,
    gallery,
    quiz,
    records,
    report as paifu_report,
    statistics as paifu_statistics,
)
from bot.answers.players import figure, matchup, pair, player, year
from bot.answers.recaps import poster, recap
from bot.answers.standings import balance, compare, ranking, ranks, ratings, summary, totals
from bot.answers.table_game import fine, record as table_game, rules
from bot.answers.team_match import record
from bot.answers.tonight import room, signup
from bot.chat.command import Ask, Catalogue

# In the order of help.
_SEASON = (
    ratings,
    balance,
    ranking,
    ranks,
    totals,
    games,
    poster,
    player,
    matchup,
    pair,
    figure,
)
_LONGER = (
    summary,
    recap,
    year,
    chances,
    needs,
    skill,
    compare,
)
_RECORDS = (
    paifu_statistics,
    gallery,
    records,
    paifu_report,
    danger,
    quiz,
    export,
    page,
)
_TABLES = (
    record,
    room,
    signup,
    table_game,
    fine,
    rules,
)
_ADMIN = (
    help_answers,
    enrol,
    settings,
    rooms,
    admin_members,
    confirm,
    log_files,
    status,
    losses,
    ident,
    privacy,
)
CATALOGUE = Catalogue()
for _specs in (
    *(module.SPECS for module in _SEASON),
    balance.TEAM_SPECS,
    *(module.SPECS for module in (*_LONGER, *_RECORDS)),
    games.PERIOD_SPECS,
    *(module.SPECS for module in _TABLES),
    player.OWN_SPECS,
    *(module.SPECS for module in _ADMIN),
):
    CATALOGUE.add(_specs)
CATALOGUE.check(name for word, name in vars(Ask).items() if word.isupper())
