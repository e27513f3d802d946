"""The answers, one file a question; SPECS lists them in the order of the menu."""

from __future__ import annotations

from bot.answers import help as help_answers
from bot.answers.admin import confirm, enrol, settings
from bot.answers.admin import members as admin_members
from bot.answers.games import export, games
from bot.answers.paifu import danger
from bot.answers.paifu import report as paifu_report
from bot.answers.paifu import statistics as paifu_statistics
from bot.answers.players import matchup, me, pair, player
from bot.answers.standings import balance, compare, placings, ratings, summary, teams, totals
from bot.answers.team_match import record
from bot.chat.command import Spec

_MODULES = (
    ratings,
    balance,
    placings,
    totals,
    games,
    player,
    matchup,
    pair,
    teams,
    summary,
    compare,
    paifu_statistics,
    paifu_report,
    danger,
    export,
    record,
    me,
    help_answers,
    enrol,
    settings,
    admin_members,
    confirm,
)
SPECS: dict[str, Spec] = {spec.name: spec for module in _MODULES for spec in module.SPECS}
