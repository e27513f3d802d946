"""The channel's rich menus: made, pictured, aliased, set as the default or linked to a user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bot.console import ids

Json = dict[str, Any]


@dataclass
class RichMenu:
    id: str
    body: Json
    image: bytes | None = None
    mimetype: str = ""

    def as_json(self) -> Json:
        return {"richMenuId": self.id} | self.body


class RichMenus:
    """Not safe in threads by itself: the platform's lock guards it."""

    def __init__(self) -> None:
        self.all: dict[str, RichMenu] = {}
        self.aliases: dict[str, str] = {}
        self.links: dict[str, str] = {}
        self.default: str | None = None

    def create(self, body: Json) -> RichMenu:
        menu = RichMenu(ids.rich_menu_id(), body)
        self.all[menu.id] = menu
        return menu

    def delete(self, menu_id: str) -> None:
        """Its links and the default go with it; aliases stay and lead nowhere, as LINE's do."""
        del self.all[menu_id]
        self.links = {user: linked for user, linked in self.links.items() if linked != menu_id}
        if self.default == menu_id:
            self.default = None

    def shown_to(self, user: str) -> RichMenu | None:
        """The menu on that user's phone: the user's own beats the default."""
        return self.all.get(self.links.get(user) or self.default or "")
