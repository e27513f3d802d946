"""The rating systems by name. A new model needs its file and its line in MODELS."""

from dataclasses import fields
from typing import Any, get_args, get_type_hints

from rating.models.base import Batch, ModelError, Sequential
from rating.models.bayesian_btr import BayesianBtr
from rating.models.blade_chest import BladeChest
from rating.models.bradley_terry import BradleyTerry
from rating.models.btr import Btr
from rating.models.drifting import Drifting
from rating.models.jansou import Jansou
from rating.models.plackett_luce import PlackettLuce
from rating.models.team_elo import TeamElo
from rating.models.tenhou import Tenhou

MODELS: dict[str, type[Sequential[Any]] | type[Batch]] = {
    model.name: model
    for model in (
        Tenhou,
        Jansou,
        TeamElo,
        BradleyTerry,
        PlackettLuce,
        Drifting,
        Btr,
        BayesianBtr,
        BladeChest,
    )
}


LEAGUES_OWN = ("starts", "season_chip")  # fields of models that the league's files fill


def options_of(name: str) -> dict[str, Any]:
    """A model's options and their defaults, without the fields that the league's files fill. Raises
    ModelError, which lists the models, when there is none of that name."""
    if name not in MODELS:
        raise ModelError(f"no rating system {name}; there are {', '.join(MODELS)}")
    model = MODELS[name]()
    names = [field.name for field in fields(model)]  # type: ignore[arg-type]
    return {option: getattr(model, option) for option in names if option not in LEAGUES_OWN}


def make(name: str, **options: Any) -> Sequential[Any] | Batch:
    """A rating system by name with its options; an option given as text is converted to its
    default's type. Raises ModelError, which lists what exists, for an unknown name or option, or
    for an invalid value."""
    defaults = options_of(name)
    values = {}
    for option, value in options.items():
        if option not in defaults:
            existing = ", ".join(defaults) or "none"
            raise ModelError(f"{name} has no option {option}; it has {existing}")
        if isinstance(value, str):
            value = _converted(name, option, value, defaults[option])
        values[option] = value
    return MODELS[name](**values)


_TRUTHS = {
    "1": True,
    "true": True,
    "yes": True,
    "0": False,
    "false": False,
    "no": False,
}


def _converted(name: str, option: str, text: str, default: Any) -> Any:
    if isinstance(default, bool):
        if text.lower() not in _TRUTHS:
            raise ModelError(f"{name}: {option} is true or false, not {text}")
        return _TRUTHS[text.lower()]
    try:
        if isinstance(default, tuple):
            return tuple(float(part) for part in text.split(",") if part)
        return int(text) if isinstance(default, int) else float(text)
    except ValueError:
        option_type = get_type_hints(MODELS[name])[option]
        if str not in (option_type, *get_args(option_type)):  # else a word, such as alpha=cv
            raise ModelError(f"{name}: {option} is a number, not {text}") from None
        return text
