"""The rating systems under the Japanese names that members know."""

from __future__ import annotations

from typing import NamedTuple

from bot.chat.command import normal
from rating.models import MODELS
from rating.models.base import Sequential


class ModelWords(NamedTuple):
    """A system's title, and what its numbers mean."""

    title: str
    meaning: str


MODEL_WORDS = {
    "tenhou": ModelWords("レーティング", "天鳳の式にならった計算です。1500から始まり、着順で動きます。"),
    "jansou": ModelWords("得点レート", "1500から始まり、得点で動きます。"),
    "team_elo": ModelWords("2対2レート", "2対2の対局だけで計算しています。"),
    "bradley_terry": ModelWords("対戦の強さ", "同卓した相手より上の順位になる強さです。0が平均です。"),
    "plackett_luce": ModelWords("着順の強さ", "着順から見た強さです。0が平均です。"),
    "plackett_luce_drift": ModelWords("着順の強さ（調子）", "着順から見た、いまの強さです。0が平均です。"),
    "btr": ModelWords("実力（推定）", "相手1人につき、1戦で何千点ぶん強いかです。0が平均です。"),
    "bayesian_btr": ModelWords("実力（誤差つき）", "相手1人につき、1戦で何千点ぶん強いかです。0が平均です。"),
    "blade_chest": ModelWords("相性つきの強さ", "人ごとの相性も入れた強さです。0が平均です。"),
}


def words_of(model: str) -> ModelWords:
    """A system's words; one that has none here goes by its name."""
    return MODEL_WORDS.get(model) or ModelWords(model, "")


def model_title(model: str) -> str:
    """A system's Japanese title; the name itself when it is unknown."""
    return words_of(model).title


def baseline(model: str) -> float:
    """The value everybody starts from (1500), or the mean of all (0)."""
    return MODELS[model].baseline


def signed(model: str) -> bool:
    """Whether values lie around 0, so that they are shown with a sign."""
    return baseline(model) == 0


def course_model(model: str) -> str:
    """The model itself if it learns game by game, else the first that does. For answers that draw a line over
    time."""
    return model if model in _COURSES else _COURSES[0]


_COURSES = [name for name, kind in MODELS.items() if kind.plays == "games" and issubclass(kind, Sequential)]
_FORMER_TITLES = {"得点の強さ": "btr", "得点の強さ（誤差）": "bayesian_btr"}  # they keep working when typed
BY_WORD = {normal(word): model for model in MODELS for word in (model, model_title(model))} | {
    normal(word): model for word, model in _FORMER_TITLES.items()
}
"""The words a system can be asked for with, as they are compared."""
