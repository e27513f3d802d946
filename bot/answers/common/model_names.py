"""The rating systems by the names members know them by."""

from __future__ import annotations

from bot.chat.command import normal
from rating.models import MODELS
from rating.models.base import Sequential

TITLES = {
    "tenhou": "レーティング",
    "jansou": "得点レート",
    "team_elo": "2対2レート",
    "bradley_terry": "対戦の強さ",
    "plackett_luce": "着順の強さ",
    "plackett_luce_drift": "着順の強さ（調子）",
    "btr": "得点の強さ",
    "bayesian_btr": "得点の強さ（誤差）",
    "blade_chest": "相性つきの強さ",
}
MEANINGS = {
    "tenhou": "天鳳と同じ計算です。1500から始まり、着順で動きます。",
    "jansou": "1500から始まり、得点で動きます。",
    "team_elo": "2対2の対局だけで計算しています。",
    "bradley_terry": "同卓した相手より上の順位になる強さです。0が平均です。",
    "plackett_luce": "着順から見た強さです。0が平均です。",
    "plackett_luce_drift": "着順から見た、いまの強さです。0が平均です。",
    "btr": "相手1人につき、1戦で何千点ぶん強いかです。0が平均です。",
    "bayesian_btr": "相手1人につき、1戦で何千点ぶん強いかです。0が平均です。",
    "blade_chest": "人ごとの相性も入れた強さです。0が平均です。",
}
"""What a number says, in a sentence below the table."""


def model_title(model: str) -> str:
    return TITLES.get(model, model)


def baseline(model: str) -> float:
    """The value everybody starts from, or the mean of all."""
    return 1500 if model in ("tenhou", "jansou", "team_elo") else 0


def signed(model: str) -> bool:
    """Whether a value is about nothing, so that it carries its sign."""
    return baseline(model) == 0


def course_model(model: str) -> str:
    """The league's own rating where it learns game by game, else Tenhou's: for what tells a course."""
    kind = MODELS[model]
    return model if kind.plays == "games" and issubclass(kind, Sequential) else "tenhou"


BY_WORD = {normal(word): model for model in MODELS for word in (model, model_title(model))}
"""The words a system can be asked for with, as they are compared."""
