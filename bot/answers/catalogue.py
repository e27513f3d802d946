"""All commands in the order of the menu. A new answer is one file with its SPECS, and one line here."""

from __future__ import annotations

from bot.answers import greeting
from bot.answers import help as help_answers
from bot.answers.admin import confirm, enrol, ident, log_files, settings, status
from bot.answers.admin import members as admin_members
from bot.answers.forecast import chances, needs, skill, what_if
from bot.answers.games import export, games, period
from bot.answers.paifu import danger, gallery, records
from bot.answers.paifu import report as paifu_report
from bot.answers.paifu import statistics as paifu_statistics
from bot.answers.players import matchup, me, pair, player
from bot.answers.recaps import poster, recap
from bot.answers.standings import (
    balance,
    compare,
    placings,
    ranking,
    ranks,
    ratings,
    summary,
    teams,
    totals,
)
from bot.answers.team_match import record
from bot.chat.command import Ask, Catalogue

CATALOGUE = Catalogue()
for _specs in (
    ratings.SPECS,
    balance.SPECS,
    placings.SPECS,
    ranking.SPECS,
    ranks.SPECS,
    totals.SPECS,
    games.SPECS,
    poster.SPECS,
    player.SPECS,
    matchup.SPECS,
    pair.SPECS,
    teams.SPECS,
    summary.SPECS,
    recap.SPECS,
    chances.SPECS,
    needs.SPECS,
    what_if.SPECS,
    skill.SPECS,
    compare.SPECS,
    paifu_statistics.SPECS,
    gallery.SPECS,
    records.SPECS,
    paifu_report.SPECS,
    danger.SPECS,
    export.SPECS,
    period.specs_of(CATALOGUE),
    record.SPECS,
    me.SPECS,
    greeting.SPECS,
    help_answers.specs_of(CATALOGUE),
    enrol.SPECS,
    settings.SPECS,
    admin_members.SPECS,
    confirm.SPECS,
    log_files.SPECS,
    status.SPECS,
    ident.SPECS,
):
    CATALOGUE.add(_specs)
CATALOGUE.check(name for word, name in vars(Ask).items() if word.isupper())
