"""The rich menu as data: two tabs of six large buttons, and the action of each button.

A menu's name holds a hash of its picture and actions, so that an unchanged menu is not made again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.chat.command import Spec
from bot.draw import rich_menu as chart

Json = dict[str, Any]
TAB = "richmenu-tab"
"""Postback data of a tap that turns the menu's page: LINE does that by itself, the bot has nothing to say."""

PREFIX = "janroku-"
BAR = "メニュー"
PAGES: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    (
        "成績",
        (
            ("rating", "rating"),
            ("points", "sum"),
            ("placings", "rank"),
            ("today", "today"),
            ("recent", "recent"),
            ("player", "player"),
        ),
    ),
    (
        "対決・まとめ",
        (
            ("pair", "pair"),
            ("matrix", "matchup"),
            ("records", "ranking"),
            ("season", "summary"),
            ("me", "me"),
            ("more", "menu"),
        ),
    ),
)
"""Each tab's label and buttons: a symbol of `bot.draw.rich_menu`, and the command that gives the label."""


@dataclass(frozen=True)
class MenuPage:
    """The menu of one tab: `body` is LINE's rich menu object, `picture` a PNG, `alias` what the other tab
    switches to."""

    alias: str
    body: Json
    picture: bytes

    @property
    def name(self) -> str:
        return str(self.body["name"])


def pages(catalogue: Mapping[str, Spec]) -> list[MenuPage]:
    """The menus of all tabs with their pictures; the buttons ask commands of the catalogue."""
    tabs = tuple(label for label, _ in PAGES)
    made = []
    for active, (_, buttons) in enumerate(PAGES):
        specs = [catalogue[name] for _, name in buttons]
        labels = tuple((symbol, spec.title) for (symbol, _), spec in zip(buttons, specs, strict=True))
        made.append(_page(chart.RichMenuTab(labels, tabs, active), specs))
    return made


def _page(menu: chart.RichMenuTab, specs: Sequence[Spec]) -> MenuPage:
    buttons, tabs = chart.areas(menu)
    areas = [_area(place, _tap(spec)) for place, spec in zip(buttons, specs, strict=True)]
    for tab, place in enumerate(tabs):
        switch = {"type": "richmenuswitch", "richMenuAliasId": _alias(tab), "data": TAB}
        if tab != menu.active:
            areas.append(_area(place, switch))
    body = {
        "size": {"width": chart.WIDTH, "height": chart.HEIGHT},
        "selected": True,
        "chatBarText": BAR,
        "areas": areas,
    }
    picture = chart.draw(menu)
    digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode() + picture).hexdigest()
    alias = _alias(menu.active)
    return MenuPage(alias, body | {"name": f"{alias} {digest[:16]}"}, picture)


def _alias(tab: int) -> str:
    return f"{PREFIX}{tab + 1}"


def _area(place: Sequence[int], action: Json) -> Json:
    return {"bounds": dict(zip(("x", "y", "width", "height"), place, strict=True)), "action": action}


def _tap(spec: Spec) -> Json:
    return {"type": "postback", "label": spec.title[:20], "data": spec.data, "displayText": spec.title}
