"""All commands in the order of the menu. A new answer is one file with its SPECS, and one line here."""

from __future__ import annotations

from bot.answers import help as help_answers
from bot.answers import page
from bot.answers.admin import confirm, enrol, ident, log_files, privacy, rooms, settings, status
from bot.answers.admin import members as admin_members
from bot.answers.forecast import chances, needs, skill
from bot.answers.games import export, games
from bot.answers.paifu import danger, gallery, quiz, records
from bot.answers.paifu import report as paifu_report
from bot.answers.paifu import statistics as paifu_statistics
from bot.answers.players import figure, matchup, pair, player, year
from bot.answers.recaps import poster, recap
from bot.answers.standings import balance, compare, ranking, ranks, ratings, summary, totals
from bot.answers.table_game import fine, rules
from bot.answers.table_game import record as table_game
from bot.answers.team_match import record
from bot.answers.tonight import room, signup
from bot.chat.command import Ask, Catalogue

CATALOGUE = Catalogue()
for _specs in (
    ratings.SPECS,
    balance.SPECS,
    ranking.SPECS,
    ranks.SPECS,
    totals.SPECS,
    games.SPECS,
    poster.SPECS,
    player.SPECS,
    matchup.SPECS,
    pair.SPECS,
    figure.SPECS,
    balance.TEAM_SPECS,
    summary.SPECS,
    recap.SPECS,
    year.SPECS,
    chances.SPECS,
    needs.SPECS,
    skill.SPECS,
    compare.SPECS,
    paifu_statistics.SPECS,
    gallery.SPECS,
    records.SPECS,
    paifu_report.SPECS,
    danger.SPECS,
    quiz.SPECS,
    export.SPECS,
    page.SPECS,
    games.PERIOD_SPECS,
    record.SPECS,
    room.SPECS,
    signup.SPECS,
    table_game.SPECS,
    fine.SPECS,
    rules.SPECS,
    player.OWN_SPECS,
    help_answers.SPECS,
    enrol.SPECS,
    settings.SPECS,
    rooms.SPECS,
    admin_members.SPECS,
    confirm.SPECS,
    log_files.SPECS,
    status.SPECS,
    ident.SPECS,
    privacy.SPECS,
):
    CATALOGUE.add(_specs)
CATALOGUE.check(name for word, name in vars(Ask).items() if word.isupper())
