"""The rating system that a command is about, and its options."""

from typing import Any

from bot.runtime.translation import translated as _
from rating.models import MODELS, make


def model_name(name: str | None, default: str) -> str:
    """Raises ValueError, with the models there are, for an unknown one."""
    if name is not None and name not in MODELS:
        message = _("there is no model {name!r}; there are: {models}")
        raise ValueError(message.format(name=name, models=", ".join(MODELS)))
    return name or default


def model_options(model: str, pairs: tuple[str, ...]) -> dict[str, Any]:
    """The options in `pairs` (NAME=VALUE), each of its own type. Raises ValueError for an option or
    value that the model does not have.
    """
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise ValueError(_("--option takes NAME=VALUE, not {pair!r}", pair=pair))
        options[name] = value
    system = make(model, **options)
    return {name: getattr(system, name) for name in options}
