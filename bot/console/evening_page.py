"""Serve the evening's two calls of the page: begin one, and what is played."""

from __future__ import annotations

import json
from collections.abc import Callable

from flask import Blueprint, Response

from bot.console.evening import DemoEvening


def register(blueprint: Blueprint, evening: DemoEvening | None) -> None:
    """Add the routes. Without an evening (another league than the demo's) they tell that there is none."""
    begin = _begin(evening)
    blueprint.add_url_rule("/evening", "evening", lambda: _state(evening))
    blueprint.add_url_rule("/evening", "begin_evening", begin, methods=["POST"])
    if evening is not None:
        evening.room.register(blueprint)


def _begin(evening: DemoEvening | None) -> Callable[[], Response | tuple[str, int]]:
    def begin() -> Response | tuple[str, int]:
        if evening is None:
            return "no demo league", 404
        if not evening.start():
            return "an evening is played", 409
        return _state(evening)

    return begin


def _state(evening: DemoEvening | None) -> Response:
    told = {"here": evening is not None, **(evening.state() if evening else {})}
    return Response(json.dumps(told, ensure_ascii=False), content_type="application/json")
