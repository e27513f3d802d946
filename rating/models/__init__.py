"""The rating systems by name. A new model needs its file and its line in MODELS."""

from dataclasses import fields
from typing import Any

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
    """A rating system by name with its options; an option given as text is read as its default's
    type. Raises ModelError, which says what there is, for an unknown name or option, or an unfit
    value."""
    known = options_of(name)
    for option in options:
        if option not in known:
            raise ModelError(f"{name} has no option {option}; it has {', '.join(known) or 'none'}")
    values = {}
    for option, value in options.items():
        values[option] = _read(name, option, value, known[option])
    return MODELS[name](**values)


def _read(name: str, option: str, value: Any, default: Any) -> Any:
    if not isinstance(value, str):
        return value
    if isinstance(default, bool):
        words = {
            "1": True,
            "true": True,
            "yes": True,
            "0": False,
            "false": False,
            "no": False,
        }
        if value.lower() not in words:
            raise ModelError(f"{name}: {option} is true or false, not {value}")
        return words[value.lower()]
    try:
        if isinstance(default, tuple):
            return tuple(float(part) for part in value.split(",") if part)
        return int(value) if isinstance(default, int) else float(value)
    except ValueError:
        kinds = {field.name: str(field.type) for field in fields(MODELS[name])}  # type: ignore[arg-type]
        if "str" not in kinds[option].split(" | "):  # else it may be a word, such as alpha=cv
            raise ModelError(f"{name}: {option} is a number, not {value}") from None
        return value
