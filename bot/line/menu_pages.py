"""The pages of the rich menu: two tabs of six large buttons
(https://developers.line.biz/en/reference/messaging-api/#rich-menu). A menu's name contains a hash
of its picture and actions, so that an unchanged one is not created again.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.chat.command import Catalogue, data_of, normal
from bot.draw import rich_menu as chart

TAB = "richmenu-tab"
"""Postback data of a tap that turns the menu's page. LINE does that by itself, and the bot sends no
answer.
"""

Json = dict[str, Any]
PREFIX = "janroku-"
BAR = "メニュー"
PAGES: tuple[tuple[str, Mapping[str, str]], ...] = (
    (
        "よく見る",
        {
            "今日": "today",
            "自分": "me",
            "収支": "points",
            "レーティング": "rating",
            "対決": "pair",
            "もっと": "more",
        },
    ),
    (
        "ほか",
        {
            "着順": "placings",
            "ランキング": "records",
            "ほかの人": "player",
            "相性": "matrix",
            "月報・まとめ": "season",
            "牌譜": "paifu",
        },
    ),
)
"""Each tab's label and buttons: the command's word, and a symbol of `bot.draw.rich_menu`."""


@dataclass(frozen=True)
class MenuPage:
    """One tab's menu:

    LINE's rich menu object, a PNG, and the alias that the other tab switches to.
    """

    alias: str
    body: Json
    picture: bytes

    @property
    def name(self) -> str:
        return str(self.body["name"])


def pages(catalogue: Catalogue) -> list[MenuPage]:
    """The menus of all tabs with their pictures, with buttons for the commands of the catalogue."""
    labels = tuple(label for label, _ in PAGES)
    aliases = [f"{PREFIX}{number}" for number in range(1, len(labels) + 1)]
    menus = []
    for active, (_, symbols) in enumerate(PAGES):
        buttons = {word: symbol for word, symbol in symbols.items() if catalogue.by_word(word)}
        tab = chart.RichMenuTab(
            [(symbol, word) for word, symbol in buttons.items()],
            labels,
            active,
        )
        button_bounds, tab_bounds = chart.areas(tab)
        areas = []
        for bounds, word in zip(button_bounds, buttons, strict=True):
            areas.append(_area(bounds, _command_action(catalogue, word)))
        for bounds, alias in zip(tab_bounds, aliases, strict=True):
            if alias != aliases[active]:
                switch = {"type": "richmenuswitch", "richMenuAliasId": alias, "data": TAB}
                areas.append(_area(bounds, switch))
        menus.append(_menu_page(aliases[active], areas, chart.draw(tab)))
    return menus


def _area(bounds: Sequence[int], action: Json) -> Json:
    sides = ("x", "y", "width", "height")
    return {"bounds": dict(zip(sides, bounds, strict=True)), "action": action}


def _command_action(catalogue: Catalogue, word: str) -> Json:
    spec, options = catalogue.words[normal(word)]
    return {
        "type": "postback",
        "label": word,
        "data": data_of(spec.name, **options),
        "displayText": word,
    }


def _menu_page(alias: str, areas: list[Json], picture: bytes) -> MenuPage:
    body = {
        "size": {"width": chart.WIDTH, "height": chart.HEIGHT},
        "selected": True,
        "chatBarText": BAR,
        "areas": areas,
    }
    layout = json.dumps(body, sort_keys=True).encode()
    digest = hashlib.sha256(layout + picture).hexdigest()
    return MenuPage(alias, body | {"name": f"{alias} {digest[:16]}"}, picture)
