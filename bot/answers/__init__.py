"""The answers, one file a question; SPECS lists them in the order of the menu."""

from __future__ import annotations

from bot.answers import enrol, ratings
from bot.answers import help as help_answers
from bot.commands import Spec

SPECS: dict[str, Spec] = {
    spec.name: spec for module in (ratings, help_answers, enrol) for spec in module.SPECS
}
