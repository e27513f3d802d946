"""The rating systems by the names members know them by."""

from __future__ import annotations

from bot.chat.command import normal
from rating.models import MODELS
from rating.models.base import Sequential


def model_title(model: str) -> str:
    """A system's title; the name itself for a peer that is none of ours."""
    return MODELS[model].title if model in MODELS else model


def baseline(model: str) -> float:
    """The value everybody starts from, or the mean of all."""
    return MODELS[model].baseline


def signed(model: str) -> bool:
    """Whether a value is about nothing, so that it carries its sign."""
    return baseline(model) == 0


def course_model(model: str) -> str:
    """The league's own rating where it learns game by game, else the first that does: for what tells a course."""
    return model if model in _COURSES else _COURSES[0]


_COURSES = [name for name, kind in MODELS.items() if kind.plays == "games" and issubclass(kind, Sequential)]
BY_WORD = {normal(word): model for model in MODELS for word in (model, model_title(model))}
"""The words a system can be asked for with, as they are compared."""
