"""Answer a bot's calls about rich menus, without HTTP: JSON in, JSON out, `Refusal` when LINE would refuse.

The API: https://developers.line.biz/en/reference/messaging-api/#rich-menu
"""

from __future__ import annotations

from typing import Any

from bot.console import checks
from bot.console.lineapi import NOT_FOUND, Refusal, refuse_if
from bot.console.platform import Platform
from bot.console.richmenu_checks import ALIAS_UPDATE
from bot.console.richmenus import RichMenu

Json = dict[str, Any]


class MenuCalls:
    """The calls that make, show and remove rich menus."""

    def __init__(self, platform: Platform) -> None:
        self.platform = platform
        self.menus = platform.menus

    def menu(self, menu_id: str) -> RichMenu:
        found = self.menus.all.get(menu_id)
        if found is None:
            raise Refusal(404, "richmenu not found")
        return found

    def create(self, body: Any) -> Json:
        refuse_if(checks.rich_menu_problems(body))
        with self.platform.condition:
            return {"richMenuId": self.menus.create(body).id}

    def validate(self, body: Any) -> Json:
        refuse_if(checks.rich_menu_problems(body))
        return {}

    def every(self) -> Json:
        return {"richmenus": [menu.as_json() for menu in self.menus.all.values()]}

    def one(self, menu_id: str) -> Json:
        return self.menu(menu_id).as_json()

    def delete(self, menu_id: str) -> Json:
        with self.platform.condition:
            self.menu(menu_id)
            self.menus.delete(menu_id)
        return self._changed()

    def upload(self, menu_id: str, data: bytes, mimetype: str) -> Json:
        menu = self.menu(menu_id)
        if menu.image is not None:
            raise Refusal(400, "An image has already been uploaded to the richmenu")
        problems = checks.image_problems(data, mimetype, menu.body["size"])
        if problems:
            raise Refusal(400, problems[0].message)
        menu.image, menu.mimetype = data, mimetype
        return {}

    def download(self, menu_id: str) -> tuple[bytes, str]:
        menu = self.menu(menu_id)
        if menu.image is None:
            raise Refusal(404, NOT_FOUND)
        return menu.image, menu.mimetype

    def set_default(self, menu_id: str) -> Json:
        self._pictured(menu_id)
        self.menus.default = menu_id
        return self._changed()

    def default(self) -> Json:
        if self.menus.default is None:
            raise Refusal(404, "no default richmenu")
        return {"richMenuId": self.menus.default}

    def clear_default(self) -> Json:
        self.menus.default = None
        return self._changed()

    def link(self, user: str, menu_id: str) -> Json:
        self._known(user)
        self._pictured(menu_id)
        with self.platform.condition:
            self.menus.links[user] = menu_id
        return self._changed()

    def linked(self, user: str) -> Json:
        found = self.menus.links.get(user)
        if found is None:
            raise Refusal(404, "the user has no richmenu")
        return {"richMenuId": found}

    def unlink(self, user: str) -> Json:
        self._known(user)
        with self.platform.condition:
            self.menus.links.pop(user, None)
        return self._changed()

    def create_alias(self, body: Any) -> Json:
        refuse_if(checks.alias_problems(body))
        self._aliased(body["richMenuId"])
        with self.platform.condition:
            if body["richMenuAliasId"] in self.menus.aliases:
                raise Refusal(400, "conflict richmenu alias id")
            self.menus.aliases[body["richMenuAliasId"]] = body["richMenuId"]
        return self._changed()

    def update_alias(self, alias: str, body: Any) -> Json:
        refuse_if(list(ALIAS_UPDATE(body, "")))
        self.alias(alias)
        self._aliased(body["richMenuId"])
        with self.platform.condition:
            self.menus.aliases[alias] = body["richMenuId"]
        return self._changed()

    def delete_alias(self, alias: str) -> Json:
        with self.platform.condition:
            self.alias(alias)
            del self.menus.aliases[alias]
        return self._changed()

    def alias(self, alias: str) -> Json:
        found = self.menus.aliases.get(alias)
        if found is None:
            raise Refusal(404, "richmenu alias not found")
        return {"richMenuAliasId": alias, "richMenuId": found}

    def aliases(self) -> Json:
        return {"aliases": [self.alias(alias) for alias in list(self.menus.aliases)]}

    def _pictured(self, menu_id: str) -> None:
        if self.menu(menu_id).image is None:
            raise Refusal(400, "must upload richmenu image before applying it to user")

    def _aliased(self, menu_id: str) -> None:
        found = self.menus.all.get(menu_id)
        if found is None or found.image is None:
            raise Refusal(400, "richmenu not found or without an image")

    def _known(self, user: str) -> None:
        if not self.platform.is_user(user):
            raise Refusal(404, NOT_FOUND)

    def _changed(self) -> Json:
        self.platform.feed.add("menu")
        return {}
