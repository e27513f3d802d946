"""The answers, one file a question; SPECS lists them in the order of the menu."""

from __future__ import annotations

from bot.answers import (
    admin,
    balance,
    compare,
    danger,
    enrol,
    export,
    games,
    league_edit,
    matchup,
    me,
    paifu,
    pair,
    placings,
    player,
    ratings,
    record,
    record_report,
    roster,
    summary,
    teams,
    totals,
)
from bot.answers import help as help_answers
from bot.commands import Spec

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
    paifu,
    record_report,
    danger,
    export,
    record,
    me,
    help_answers,
    enrol,
    league_edit,
    roster,
    admin,
)
SPECS: dict[str, Spec] = {spec.name: spec for module in _MODULES for spec in module.SPECS}
