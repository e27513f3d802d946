"""The rating systems, by name. A model joins the league by its file and its line in MODELS."""

from __future__ import annotations

from rating.models.base import Batch, Sequential
from rating.models.tenhou import Tenhou

MODELS: dict[str, type[Sequential] | type[Batch]] = {  # type: ignore[type-arg]
    model.name: model for model in (Tenhou,)
}
