"""The rich menu as data: two tabs of six large buttons, and the taps they make.

A menu's name holds the hash of all it shows and does, so that nothing is made anew where nothing changed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
TAB = "richmenu-tab"
"""Postback data of a tap that turns the menu's page: LINE does that by itself, the bot has nothing to say."""

PREFIX = "janroku-"
BAR = "メニュー"
PAGES: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    (
        "成績",
        (
            ("rating", "レーティング"),
            ("points", "収支"),
            ("placings", "着順"),
            ("today", "今日"),
            ("player", "個人"),
            ("matrix", "相性"),
        ),
    ),
    (
        "推移・まとめ",
        (
            ("rating", "点数推移"),
            ("chips", "チップ推移"),
            ("team", "チーム"),
            ("season", "まとめ"),
            ("compare", "比較"),
            ("help", "ヘルプ"),
        ),
    ),
)
"""Each tab's label and buttons: a symbol of `bot.charts.parts.symbols`, and the word that asks, which is the label too."""


@dataclass(frozen=True)
class Page:
    """One tab's menu, ready to be made. `alias` is what the other tab switches to."""

    alias: str
    body: Json
    picture: bytes

    @property
    def name(self) -> str:
        return str(self.body["name"])


def pages() -> list[Page]:
    """The menu's tabs, drawn."""
    from bot.charts import rich_menu as chart

    tabs = tuple(label for label, _ in PAGES)
    return [
        _page(chart.Menu(buttons, tabs, active), active, chart) for active, (_, buttons) in enumerate(PAGES)
    ]


def _page(menu: Any, active: int, chart: Any) -> Page:
    buttons, tabs = chart.areas(menu)
    areas = [_area(place, _tap(word)) for place, (_, word) in zip(buttons, menu.buttons, strict=True)]
    for tab, place in enumerate(tabs):
        switch = {"type": "richmenuswitch", "richMenuAliasId": _alias(tab), "data": TAB}
        if tab != active:
            areas.append(_area(place, switch))
    body = {
        "size": {"width": chart.WIDTH, "height": chart.HEIGHT},
        "selected": True,
        "chatBarText": BAR,
        "areas": areas,
    }
    picture: bytes = chart.draw(menu)
    digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode() + picture).hexdigest()
    return Page(_alias(active), body | {"name": f"{_alias(active)} {digest[:16]}"}, picture)


def _alias(tab: int) -> str:
    return f"{PREFIX}{tab + 1}"


def _area(place: Sequence[int], action: Json) -> Json:
    return {"bounds": dict(zip(("x", "y", "width", "height"), place, strict=True)), "action": action}


def _tap(word: str) -> Json:
    from bot.chat.command import from_words, specs

    command = from_words(word)
    if command is None:
        raise ValueError(f"the rich menu's button {word} asks nothing")
    data = specs()[command.name].data
    return {"type": "postback", "label": word[:20], "data": data, "displayText": word}
