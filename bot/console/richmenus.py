"""Keep the channel's rich menus: their images and aliases, the default, and those linked to single users."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bot.console import ids

Json = dict[str, Any]


@dataclass
class RichMenu:
    """A rich menu: the body of the call that made it, and its image once it is uploaded."""

    id: str
    body: Json
    image: bytes | None = None
    mimetype: str = ""

    def as_json(self) -> Json:
        return {"richMenuId": self.id} | self.body


class RichMenus:
    """All menus by id; aliases, links (by user) and the default hold a menu's id.

    Not safe in threads without the platform's lock.
    """

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
        """Delete a menu, its links, and the default if it is this one. Aliases stay and name no menu, as at
        LINE."""
        del self.all[menu_id]
        self.links = {user: linked for user, linked in self.links.items() if linked != menu_id}
        if self.default == menu_id:
            self.default = None

    def shown_to(self, user: str) -> RichMenu | None:
        """Return the menu on a user's phone: the one linked to the user, else the default."""
        return self.all.get(self.links.get(user) or self.default or "")
