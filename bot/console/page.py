"""The console as a Flask blueprint: the page at /console/ and its calls, LINE's API, and the evening's."""

import base64
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, request, send_file

from bot.console.evening import DemoEvening
from bot.console.line_api import LineApi
from bot.console.platform import Delivery, Platform
from bot.draw.glyphs import FONT
from storage.addresses import LOOPBACK

Json = dict[str, Any]

URL_PREFIX = "/console"
LINE_PATH = "/line"
LONGEST_WAIT = 20.0  # seconds until the page asks again
CSP = (
    "default-src 'self'; img-src 'self' https: http://127.0.0.1:* http://localhost:* data: blob:; "
    "media-src 'self' https: http://127.0.0.1:* http://localhost:*; "
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def create_console(
    platform: Platform, url_prefix: str = URL_PREFIX, *, evening: DemoEvening | None = None
) -> Blueprint:
    """Return the blueprint that serves the platform, and with `evening` the room of the demo league, too. The
    console's secrets are public, so it answers only to this machine."""
    blueprint = Blueprint("console", __name__, "static", "/static", url_prefix=url_prefix)
    blueprint.before_request(admit_local)
    _Page(platform, evening).register(blueprint)
    LineApi(platform, LINE_PATH).register(blueprint)
    if evening is not None:
        evening.room.register(blueprint)
    return blueprint


def line_api_url(base: str, url_prefix: str = URL_PREFIX) -> str:
    """Return the LINE_API_URL for a service at `base`, such as http://127.0.0.1:5000."""
    return base.rstrip("/") + url_prefix + LINE_PATH


def admit_local() -> None:
    """Refuse (403) another machine, or a host name that is not loopback: a proxy's, or a stranger's for this
    one."""
    if request.remote_addr not in LOOPBACK or urlsplit(request.host_url).hostname not in LOOPBACK:
        abort(403)


class _Page:
    def __init__(self, platform: Platform, evening: DemoEvening | None) -> None:
        self.platform, self.evening = platform, evening

    def register(self, blueprint: Blueprint) -> None:
        blueprint.add_url_rule("/", "page", lambda: blueprint.send_static_file("console.html"))
        blueprint.add_url_rule("/font.ttf", "font", self.font)
        blueprint.add_url_rule("/state", "state", self.state)
        blueprint.add_url_rule("/updates", "updates", self.updates)
        blueprint.add_url_rule("/menu-image/<menu_id>", "menu_image", self.menu_image)
        blueprint.add_url_rule("/events", "events", self.act, methods=["POST"])
        blueprint.add_url_rule("/evening", "evening", self.evening_state)
        blueprint.add_url_rule("/evening", "begin_evening", self.begin_evening, methods=["POST"])
        blueprint.after_request(guard)

    def font(self) -> Response:
        return send_file(FONT, mimetype="font/ttf")

    def state(self) -> Response:
        platform, menus = self.platform, self.platform.menus
        with platform.condition:
            groups = [{"id": g.id, "name": g.name, "members": g.members} for g in platform.groups.values()]
            shown = {user: menus.shown_to(user) for user in platform.users}
            return as_json(
                bot={"id": platform.bot.id, "name": platform.bot.name},
                groups=groups,
                users=[{"id": user.id, "name": user.name} for user in platform.users.values()],
                menus={user: menu.id for user, menu in shown.items() if menu and menu.image},
                richmenus={menu.id: menu.body for menu in menus.all.values()},
                aliases=menus.aliases,
            )

    def updates(self) -> Response:
        """Answer with the entries after `after`, as soon as there is one; to a page of an earlier start, with
        all."""
        feed = self.platform.feed
        after = request.args.get("after", 0, int) if request.args.get("epoch") == feed.epoch else 0
        entries = feed.updates(after, LONGEST_WAIT)
        return as_json(epoch=feed.epoch, entries=[entry.as_json() for entry in entries])

    def menu_image(self, menu_id: str) -> Response:
        menu = self.platform.menus.all.get(menu_id)
        if menu is None or menu.image is None:
            abort(404)
        return Response(menu.image, mimetype="image/png")

    def act(self) -> Response:
        asked = request.get_json()
        deed = DEEDS.get(str(asked.get("do")))
        chat, user = asked.get("chat"), asked.get("user")
        group = self.platform.groups.get(chat)
        speaks_there = chat == user or (group is not None and user in group.members)
        if deed is None or user not in self.platform.users or not speaks_there:
            abort(400)
        if not self.platform.callback_url:
            self.platform.callback_url = request.host_url + "callback"
        try:
            done = deed(self.platform, asked)
        except (KeyError, ValueError, AttributeError):
            abort(400)
        return as_json(status=done.status, error=done.error, event=done.event["webhookEventId"])

    def evening_state(self) -> Response:
        return as_json(here=self.evening is not None, **(self.evening.state() if self.evening else {}))

    def begin_evening(self) -> Response | tuple[str, int]:
        if self.evening is None:
            return "no demo league", 404
        return self.evening_state() if self.evening.start() else ("an evening is played", 409)


def _tap(platform: Platform, asked: Json) -> Delivery:
    shown, params = asked.get("displayText"), asked.get("params")
    return platform.tap(asked["chat"], asked["user"], asked["data"], params=params, display_text=shown)


def _switch(platform: Platform, asked: Json) -> Delivery:
    """Tap a richmenuswitch area: the other menu is shown at once, and the bot gets a postback."""
    alias, user = asked["alias"], asked["user"]
    target = platform.menus.aliases.get(alias)
    if found := target in platform.menus.all:
        platform.menus.links[user] = str(target)
        platform.feed.add("menu")
    params = {"newRichMenuAliasId": alias, "status": ("SUCCESS" if found else "RICHMENU_ALIAS_ID_NOTFOUND")}
    return platform.tap(asked["chat"], user, asked["data"], params=params)


def _say(platform: Platform, asked: Json) -> Delivery:
    return platform.say(asked["chat"], asked["user"], asked["text"], quoted=asked.get("quoted") or "")


def _file(platform: Platform, asked: Json) -> Delivery:
    data = base64.b64decode(asked["content"], validate=True)
    return platform.send_file(asked["chat"], asked["user"], asked["name"], data)


def _enter(platform: Platform, asked: Json) -> Delivery:
    return platform.follow(asked["user"]) if asked["chat"] == asked["user"] else platform.join(asked["chat"])


DEEDS: dict[str, Callable[[Platform, Json], Delivery]] = {
    "tap": _tap,
    "switch": _switch,
    "say": _say,
    "file": _file,
    "enter": _enter,
    "redeliver": lambda platform, asked: platform.redeliver(),
}


def as_json(**fields: Any) -> Response:
    return Response(json.dumps(fields, ensure_ascii=False), content_type="application/json")


def guard(response: Response) -> Response:
    response.headers["Content-Security-Policy"] = CSP
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cache-Control"] = "max-age=86400" if response.mimetype == "font/ttf" else "no-store"
    return response
