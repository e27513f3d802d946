"""The rating systems under the Japanese names that members know."""

from __future__ import annotations

from bot.chat.command import normal
from rating.models import MODELS
from rating.models.base import Sequential


def model_title(model: str) -> str:
    """A system's Japanese title; the name itself when it is not in MODELS."""
    return MODELS[model].title if model in MODELS else model


def baseline(model: str) -> float:
    """The value everybody starts from (1500), or the mean of all (0)."""
    return MODELS[model].baseline


def signed(model: str) -> bool:
    """Whether values lie around 0, so that they are shown with a sign."""
    return baseline(model) == 0


def course_model(model: str) -> str:
    """The model itself if it learns game by game, else the first that does. For answers that draw a line over time."""
    return model if model in _COURSES else _COURSES[0]


_COURSES = [name for name, kind in MODELS.items() if kind.plays == "games" and issubclass(kind, Sequential)]
_FORMER_TITLES = {"得点の強さ": "btr", "得点の強さ（誤差）": "bayesian_btr"}  # they keep working when typed
BY_WORD = {normal(word): model for model in MODELS for word in (model, model_title(model))} | {
    normal(word): model for word, model in _FORMER_TITLES.items()
}
"""The words a system can be asked for with, as they are compared."""
