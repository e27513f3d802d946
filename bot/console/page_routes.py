"""Serve the page at /console/ and its calls: the state, what happened since, and what a member does."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, abort, request, send_file

from bot.console.lineapi import Refusal
from bot.console.menuapi import MenuCalls
from bot.console.platform import Delivery, Platform
from bot.draw.glyphs import FONT

Json = dict[str, Any]

LONGEST_WAIT = 20.0
CSP = (
    "default-src 'self'; img-src 'self' https: http://127.0.0.1:* http://localhost:* data: blob:; "
    "media-src 'self' https: http://127.0.0.1:* http://localhost:*; "
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class PageRoutes:
    """The routes of the page."""

    def __init__(self, platform: Platform) -> None:
        self.platform = platform
        self.menus = MenuCalls(platform)

    def register(self, blueprint: Blueprint) -> None:
        blueprint.add_url_rule("/", "page", lambda: blueprint.send_static_file("console.html"))
        blueprint.add_url_rule("/font.ttf", "font", font)
        blueprint.add_url_rule("/state", "state", self.state)
        blueprint.add_url_rule("/updates", "updates", self.updates)
        blueprint.add_url_rule("/menu-image/<menu_id>", "menu_image", self.menu_image)
        blueprint.add_url_rule("/events", "events", self.act, methods=["POST"])
        blueprint.after_request(guard)

    def state(self) -> Response:
        """Answer with the users, the groups, and the rich menu on each user's phone."""
        directory, menus = self.platform.directory, self.platform.menus
        with self.platform.condition:
            groups = [
                {"id": group.id, "name": group.name, "members": group.members}
                for group in directory.groups.values()
            ]
            users = [{"id": user.id, "name": user.name} for user in directory.users.values()]
            shown = {user: menus.shown_to(user) for user in directory.users}
            return as_json(
                bot={"id": self.platform.bot.id, "name": self.platform.bot.name},
                groups=groups,
                users=users,
                menus={user: menu.id for user, menu in shown.items() if menu and menu.image},
                richmenus={menu.id: menu.body for menu in menus.all.values()},
                aliases=menus.aliases,
            )

    def updates(self) -> Response:
        """Answer with the entries after number `after`, as soon as there is one.

        A page that was opened before the server's last start gets all entries.
        """
        feed = self.platform.feed
        after = request.args.get("after", 0, int) if request.args.get("epoch") == feed.epoch else 0
        entries = feed.updates(after, LONGEST_WAIT)
        return as_json(epoch=feed.epoch, entries=[entry.as_json() for entry in entries])

    def menu_image(self, menu_id: str) -> Response:
        try:
            data, mimetype = self.menus.download(menu_id)
        except Refusal as refusal:
            abort(refusal.status)
        return Response(data, mimetype=mimetype)

    def act(self) -> Response:
        """Do what a member did on the page: `{"do": "tap", "chat": ..., "user": ..., ...}`."""
        asked = request.get_json()
        deed = DEEDS.get(str(asked.get("do")))
        chat, user = asked.get("chat"), asked.get("user")
        if deed is None or not self._speaks_there(chat, user):
            abort(400)
        if not self.platform.callback_url:
            self.platform.callback_url = request.host_url + "callback"
        try:
            done = deed(self.platform, asked)
        except (KeyError, ValueError, AttributeError):
            abort(400)
        return as_json(status=done.status, error=done.error, event=done.event["webhookEventId"])

    def _speaks_there(self, chat: Any, user: Any) -> bool:
        group = self.platform.directory.groups.get(chat)
        return self.platform.is_user(user) and (chat == user or (group is not None and user in group.members))


def _tap(platform: Platform, asked: Json) -> Delivery:
    shown = asked.get("displayText")
    return platform.tap(
        asked["chat"], asked["user"], asked["data"], params=asked.get("params"), display_text=shown
    )


def _switch(platform: Platform, asked: Json) -> Delivery:
    """Tap a richmenuswitch area: the other menu is shown at once, and the bot gets a postback."""
    alias, user = asked["alias"], asked["user"]
    target = platform.menus.aliases.get(alias)
    found = target in platform.menus.all
    if found and target:
        platform.menus.links[user] = target
        platform.feed.add("menu")
    status = "SUCCESS" if found else "RICHMENU_ALIAS_ID_NOTFOUND"
    params = {"newRichMenuAliasId": alias, "status": status}
    return platform.tap(asked["chat"], user, asked["data"], params=params)


def _membership(platform: Platform, asked: Json) -> Delivery:
    return platform.follow(asked["user"]) if asked["chat"] == asked["user"] else platform.join(asked["chat"])


DEEDS: dict[str, Callable[[Platform, Json], Delivery]] = {
    "tap": _tap,
    "switch": _switch,
    "say": lambda platform, asked: platform.say(
        asked["chat"], asked["user"], asked["text"], quoted=asked.get("quoted") or ""
    ),
    "file": lambda platform, asked: platform.send_file(
        asked["chat"], asked["user"], asked["name"], base64.b64decode(asked["content"], validate=True)
    ),
    "enter": _membership,
    "redeliver": lambda platform, asked: platform.redeliver(),
}


def as_json(**fields: Any) -> Response:
    """Return the fields as JSON in their order, so that the log shows a message's fields as the bot wrote
    them."""
    return Response(json.dumps(fields, ensure_ascii=False), content_type="application/json")


def font() -> Response:
    """Answer with the font of the charts, for a machine without a Japanese font."""
    return send_file(FONT, mimetype="font/ttf")


def guard(response: Response) -> Response:
    """Add the headers that keep foreign scripts, frames and caches away."""
    response.headers["Content-Security-Policy"] = CSP
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cache-Control"] = "max-age=86400" if response.mimetype == "font/ttf" else "no-store"
    return response
