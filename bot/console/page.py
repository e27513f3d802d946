"""The console as a Flask blueprint: the page at /console/ and its calls, the evening's, and LINE's
Messaging API (https://developers.line.biz/en/reference/messaging-api/) as far as it is used."""

import base64
import json
import time
import uuid
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, request, send_file

from bot.console.checks import picture_problem, problems
from bot.console.evening import DemoEvening
from bot.console.platform import Delivery, EntryKind, Platform, Refusal, RichMenu
from bot.draw.glyphs import FONT
from storage.addresses import LOOPBACK, allowed_address

Json = dict[str, Any]


class Content(NamedTuple):
    data: bytes
    mimetype: str


Answer = Json | Content
Handler = Callable[..., Answer]


class Route(NamedTuple):
    method: str
    path: str  # as LINE has it
    handler: Handler


CHANNEL_ID = "1600000000"
MONTHLY_PUSHES = 200
RETRY_KEYS_KEPT = 1000
ACCEPTED = "/v2/bot/chat/loading/start"  # answered with 202
URL_PREFIX = "/console"
LINE_PATH = "/line"
LONGEST_WAIT = 20.0  # seconds until the page asks again
CSP = (
    "default-src 'self'; img-src 'self' https: http://127.0.0.1:* http://localhost:* data: blob:; "
    "media-src 'self' https: http://127.0.0.1:* http://localhost:*; "
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def no_chat(body: Any) -> str | None:
    """Where a request has no messages."""
    return None


def read_body(
    model: str,
    chat_of: Callable[[Any], str | None] = no_chat,
) -> Any:
    """Return the request's JSON. Raises Refusal (400) if it is not the SDK's model. `chat_of`
    returns the chat that its messages are for."""
    try:
        body = json.loads(request.get_data())
    except ValueError as error:
        raise Refusal(400, "The request body could not be parsed as JSON") from error
    faults = problems(body, model)
    if faults:
        chat = chat_of(body) if isinstance(body, dict) else None
        raise Refusal(400, f"The request body has {len(faults)} error(s)", faults, chat)
    return body


class LineApi:
    """LINE's API: the routes, whose handlers answer with JSON or with content of a type."""

    def __init__(self, platform: Platform, prefix: str) -> None:
        self.platform = platform
        self.menus = platform.menus
        self.prefix = prefix
        self._accepted: deque[str] = deque(maxlen=RETRY_KEYS_KEPT)

    def register(self, blueprint: Blueprint) -> None:
        for route in self._table():
            endpoint = f"line {route.method} {route.path}".replace(".", "_")
            blueprint.add_url_rule(
                self.prefix + route.path,
                endpoint,
                self._view(route.handler),
                methods=[route.method],
            )

        def nothing(path: str) -> Answer:
            raise Refusal(404)

        methods = ["GET", "POST", "PUT", "DELETE"]
        other_path = f"{self.prefix}/<path:path>"
        blueprint.add_url_rule(other_path, "line nothing", self._view(nothing), methods=methods)

    def _table(self) -> list[Route]:
        webhook = "/v2/bot/channel/webhook"
        menu = "/v2/bot/richmenu"
        everybody = "/v2/bot/user/all/richmenu"
        return [
            Route("POST", "/v2/oauth/verify", self.verify_token),
            Route("POST", "/oauth2/v3/token", self.issue_token),
            Route("POST", "/v2/bot/message/reply", self.reply),
            Route("POST", "/v2/bot/message/push", self.push),
            Route("POST", ACCEPTED, self.loading),
            Route("GET", "/v2/bot/message/quota", self.quota),
            Route("GET", "/v2/bot/message/quota/consumption", self.quota_consumption),
            Route("GET", "/v2/bot/message/<message_id>/content", self.content),
            Route("GET", "/v2/bot/info", self.bot_info),
            Route("GET", "/v2/bot/profile/<user>", self.profile),
            Route("GET", "/v2/bot/group/<group>/members/count", self.members_count),
            Route("GET", "/v2/bot/group/<group>/member/<user>", self.group_member),
            Route("GET", f"{webhook}/endpoint", self.endpoint),
            Route("PUT", f"{webhook}/endpoint", self.set_endpoint),
            Route("POST", f"{webhook}/test", self.test_endpoint),
            Route("POST", menu, self.create_menu),
            Route("GET", f"{menu}/list", self.list_menus),
            Route("DELETE", f"{menu}/<menu_id>", self.delete_menu),
            Route("POST", f"{menu}/<menu_id>/content", self.upload),
            Route("GET", f"{menu}/<menu_id>/content", self.download),
            Route("POST", f"{everybody}/<menu_id>", self.set_default),
            Route("GET", everybody, self.default),
            Route("DELETE", everybody, self.clear_default),
            Route("POST", f"{menu}/alias", self.create_alias),
            Route("GET", f"{menu}/alias/list", self.aliases),
            Route("POST", f"{menu}/alias/<alias>", self.update_alias),
            Route("DELETE", f"{menu}/alias/<alias>", self.delete_alias),
        ]

    def _view(self, handler: Handler) -> Callable[..., Response]:
        def view(**arguments: str) -> Response:
            path = request.path.split(self.prefix, 1)[1]
            started = time.monotonic()
            chat: str | None = None
            answer: Answer
            try:
                self.platform.admit(path, request.headers.get("Authorization"))
                status = 202 if path == ACCEPTED else 200
                answer = handler(**arguments)
            except Refusal as refusal:
                status = refusal.status
                answer = refusal.body
                chat = refusal.chat
            self._log(path, status, answer, chat, time.monotonic() - started)
            return _response(status, answer)

        return view

    def _log(
        self, path: str, status: int, answer: Answer, chat: str | None, seconds: float
    ) -> None:
        """Add a call to the feed, and a refusal of messages also as such."""
        response: Json | str
        if isinstance(answer, Content):
            response = f"<{answer.mimetype}, {len(answer.data)} bytes>"
        else:
            response = answer
        call = {
            "at": self.platform.clock(),
            "status": status,
            "request": _logged_body(),
            "response": response,
        }
        ms = round(seconds * 1000)
        add = self.platform.feed.add
        add(EntryKind.API, chat, method=request.method, path=path, ms=ms, **call)
        if status >= 400 and path.startswith("/v2/bot/message/") and request.method == "POST":
            add(EntryKind.REFUSED, chat, **call)

    # Access tokens: their channel, and a new one for a secret

    def verify_token(self) -> Json:
        if request.form.get("access_token") != self.platform.access_token:
            raise Refusal(400, "invalid_request")
        return {"client_id": CHANNEL_ID, "expires_in": 2591659, "scope": "profile"}

    def issue_token(self) -> Json:
        expected = {
            "grant_type": "client_credentials",
            "client_id": CHANNEL_ID,
            "client_secret": self.platform.channel_secret,
        }
        for name, value in expected.items():
            if request.form.get(name) != value:
                raise Refusal(400, "invalid_client")
        return {"token_type": "Bearer", "access_token": "stateless", "expires_in": 900}

    # Messages, and the users and groups

    def reply(self) -> Json:
        with self.platform.condition:
            body = read_body("ReplyMessageRequest", self._chat_of_reply)
            token = body["replyToken"]
            messages = body["messages"]
            chat = self.platform.chat_of(token)
            self.platform.check_quotes(messages, chat)
            self.platform.use(token)
            return self.platform.deliver(chat or "", messages, token)

    def _chat_of_reply(self, body: Json) -> str | None:
        return self.platform.chat_of(body.get("replyToken"))

    def push(self) -> Json:
        """A push costs one message of the month's quota for each person it reaches."""
        with self.platform.condition:
            body = read_body("PushMessageRequest", _receiver)
            key = request.headers.get("X-Line-Retry-Key")
            to = body["to"]
            messages = body["messages"]
            if key in self._accepted:
                raise Refusal(409, "The retry key is already accepted", chat=to)
            self.platform.check_quotes(messages, to)
            if to not in self.platform.groups and to not in self.platform.users:
                raise Refusal(400, "The property, 'to', in the request body is invalid", chat=to)
            people = len(self._members(to)) if to in self.platform.groups else 1
            if self.platform.pushed + people > MONTHLY_PUSHES:
                raise Refusal(429, "You have reached your monthly limit.")
            self.platform.pushed += people
            if key:
                self._accepted.append(key)
            return self.platform.deliver(to, messages)

    def loading(self) -> Json:
        body = read_body("ShowLoadingAnimationRequest")
        if body["chatId"] not in self.platform.users:
            raise Refusal(400, "The value for the 'chatId' parameter is invalid")
        self.platform.feed.add(
            EntryKind.LOADING,
            body["chatId"],
            seconds=body.get("loadingSeconds", 20),
        )
        return {}

    def quota(self) -> Json:
        return {"type": "limited", "value": MONTHLY_PUSHES}

    def quota_consumption(self) -> Json:
        return {"totalUsage": self.platform.pushed}

    def content(self, message_id: str) -> Answer:
        data = self.platform.contents.get(message_id)
        if data is None:
            raise Refusal(404)
        return Content(data, "application/octet-stream")

    def bot_info(self) -> Json:
        bot = self.platform.bot
        return {
            "userId": bot.id,
            "basicId": "@janroku",
            "displayName": bot.name,
            "chatMode": "bot",
            "markAsReadMode": "auto",
        }

    def profile(self, user: str) -> Json:
        account = self.platform.users.get(user)
        if account is None:
            raise Refusal(404)
        return {"userId": account.id, "displayName": account.name}

    def group_member(self, group: str, user: str) -> Json:
        if user not in self._members(group):
            raise Refusal(404)
        return self.profile(user)

    def members_count(self, group: str) -> Json:
        return {"count": len(self._members(group))}

    def _members(self, group_id: str) -> list[str]:
        group = self.platform.groups.get(group_id)
        if group is None or not group.bot_inside:
            raise Refusal(404)
        return group.members

    # The webhook's address; https is demanded but for loopback, where the console is

    def endpoint(self) -> Json:
        if not self.platform.callback_url:
            raise Refusal(404)
        return {"endpoint": self.platform.callback_url, "active": self.platform.webhook_active}

    def set_endpoint(self) -> Json:
        self.platform.callback_url = self._given_address()
        return {}

    def test_endpoint(self) -> Json:
        """Send a request without events.

        LINE answers 200 however that ends, and reports it in the body.
        """
        url = self._given_address() if request.get_data() else self.platform.callback_url
        if not url:
            raise Refusal(404)
        answer = self.platform.post([], None, url)
        reason = {
            "request_timeout": "REQUEST_TIMEOUT",
            "error_status_code": "ERROR_STATUS_CODE",
            None: "OK",
        }
        return {
            "success": answer.error is None,
            "timestamp": datetime.fromtimestamp(self.platform.clock(), UTC).isoformat(),
            "statusCode": answer.status or 0,
            "reason": reason.get(answer.error, "COULD_NOT_CONNECT"),
            "detail": str(answer.status or answer.error),
        }

    def _given_address(self) -> str:
        url = (request.get_json(silent=True) or {}).get("endpoint")
        if not isinstance(url, str) or len(url) > 500 or not allowed_address(url):
            raise Refusal(400, "Invalid webhook endpoint URL")
        return url

    # Rich menus

    def create_menu(self) -> Json:
        menu = RichMenu(f"richmenu-{uuid.uuid4().hex}", read_body("RichMenuRequest"))
        with self.platform.condition:
            self.menus.all[menu.id] = menu
        return {"richMenuId": menu.id}

    def list_menus(self) -> Json:
        return {"richmenus": [menu.shown() for menu in self.menus.all.values()]}

    def delete_menu(self, menu_id: str) -> Json:
        with self.platform.condition:
            self._menu(menu_id)
            self.menus.delete(menu_id)
        return self._changed()

    def upload(self, menu_id: str) -> Json:
        menu = self._menu(menu_id)
        if menu.image is not None:
            raise Refusal(400, "An image has already been uploaded to the richmenu")
        problem = picture_problem(request.get_data(), request.mimetype, menu.body["size"])
        if problem:
            raise Refusal(400, problem)
        menu.image = request.get_data()
        return {}

    def download(self, menu_id: str) -> Answer:
        image = self._menu(menu_id).image
        if image is None:
            raise Refusal(404)
        return Content(image, "image/png")

    def set_default(self, menu_id: str) -> Json:
        if self._menu(menu_id).image is None:
            raise Refusal(400, "must upload richmenu image before applying it to user")
        self.menus.default = menu_id
        return self._changed()

    def default(self) -> Json:
        if self.menus.default is None:
            raise Refusal(404, "no default richmenu")
        return {"richMenuId": self.menus.default}

    def clear_default(self) -> Json:
        self.menus.default = None
        return self._changed()

    def create_alias(self) -> Json:
        body = read_body("CreateRichMenuAliasRequest")
        if body["richMenuAliasId"] in self.menus.aliases:
            raise Refusal(400, "conflict richmenu alias id")
        return self._alias(body["richMenuAliasId"], body["richMenuId"])

    def update_alias(self, alias: str) -> Json:
        body = read_body("UpdateRichMenuAliasRequest")
        if alias not in self.menus.aliases:
            raise Refusal(404, "richmenu alias not found")
        return self._alias(alias, body["richMenuId"])

    def delete_alias(self, alias: str) -> Json:
        with self.platform.condition:
            if self.menus.aliases.pop(alias, None) is None:
                raise Refusal(404, "richmenu alias not found")
        return self._changed()

    def aliases(self) -> Json:
        aliases = list(self.menus.aliases.items())  # a copy: other threads may change them
        return {
            "aliases": [{"richMenuAliasId": alias, "richMenuId": menu} for alias, menu in aliases]
        }

    def _menu(self, menu_id: str) -> RichMenu:
        menu = self.menus.all.get(menu_id)
        if menu is None:
            raise Refusal(404, "richmenu not found")
        return menu

    def _alias(self, alias: str, menu_id: str) -> Json:
        menu = self.menus.all.get(menu_id)
        if menu is None or menu.image is None:
            raise Refusal(400, "richmenu not found or without an image")
        with self.platform.condition:
            self.menus.aliases[alias] = menu_id
        return self._changed()

    def _changed(self) -> Json:
        self.platform.feed.add(EntryKind.MENU)
        return {}


def _receiver(body: Json) -> str | None:
    return str(body.get("to"))


def _response(status: int, answer: Answer) -> Response:
    if isinstance(answer, Content):
        response = Response(answer.data, status, mimetype=answer.mimetype)
    else:
        text = json.dumps(answer, ensure_ascii=False)
        response = Response(text, status, content_type="application/json")
    response.headers["X-Line-Request-Id"] = str(uuid.uuid4())
    return response


def _logged_body() -> Any:
    """Return the request's body for the feed: JSON, or the type and size of other data."""
    data = request.get_data()
    if not data:
        return None
    if request.mimetype != "application/json":
        return f"<{request.mimetype}, {len(data)} bytes>"
    try:
        return json.loads(data)
    except ValueError:
        return data.decode("utf-8", "replace")


def create_console(
    platform: Platform, url_prefix: str = URL_PREFIX, *, evening: DemoEvening | None = None
) -> Blueprint:
    """Return the blueprint that serves the platform, and with `evening` the room of the demo
    league, too. The console's secrets are public, so it answers only to this machine."""
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
    """Refuse (403) another machine, or a host name that is not loopback: a proxy's, or a stranger's
    for this one."""
    if request.remote_addr not in LOOPBACK or urlsplit(request.host_url).hostname not in LOOPBACK:
        abort(403)


class _Page:
    def __init__(self, platform: Platform, evening: DemoEvening | None) -> None:
        self.platform = platform
        self.evening = evening

    def register(self, blueprint: Blueprint) -> None:
        send_page = partial(blueprint.send_static_file, "console.html")
        blueprint.add_url_rule("/", "page", send_page)
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
        platform = self.platform
        menus = self.platform.menus
        with platform.condition:
            groups = [
                {"id": group.id, "name": group.name, "members": group.members}
                for group in platform.groups.values()
            ]
            users = [{"id": user.id, "name": user.name} for user in platform.users.values()]
            menu_of_user: dict[str, str] = {}
            for user in platform.users:
                menu = menus.shown_to(user)
                if menu and menu.image:
                    menu_of_user[user] = menu.id
            return as_json(
                bot={"id": platform.bot.id, "name": platform.bot.name},
                groups=groups,
                users=users,
                menus=menu_of_user,
                richmenus={menu.id: menu.body for menu in menus.all.values()},
                aliases=menus.aliases,
            )

    def updates(self) -> Response:
        """Answer with the entries after `after`, as soon as there is one; with all entries for a
        page of an earlier start of the server."""
        feed = self.platform.feed
        after = 0
        if request.args.get("epoch") == feed.epoch:
            after = request.args.get("after", 0, int)
        entries = feed.updates(after, LONGEST_WAIT)
        return as_json(epoch=feed.epoch, entries=[entry.as_json() for entry in entries])

    def menu_image(self, menu_id: str) -> Response:
        menu = self.platform.menus.all.get(menu_id)
        if menu is None or menu.image is None:
            abort(404)
        return Response(menu.image, mimetype="image/png")

    def act(self) -> Response:
        body = request.get_json()
        action = ACTIONS.get(str(body.get("do")))
        chat = body.get("chat")
        user = body.get("user")
        group = self.platform.groups.get(chat)
        speaks_there = chat == user or (group is not None and user in group.members)
        if action is None or user not in self.platform.users or not speaks_there:
            abort(400)
        if not self.platform.callback_url:
            self.platform.callback_url = request.host_url + "callback"
        try:
            delivery = action(self.platform, body)
        except (KeyError, ValueError, AttributeError):
            abort(400)
        return as_json(
            status=delivery.status,
            error=delivery.error,
            event=delivery.event["webhookEventId"],
        )

    def evening_state(self) -> Response:
        if self.evening is None:
            return as_json(here=False)
        return as_json(here=True, **self.evening.state())

    def begin_evening(self) -> Response:
        if self.evening is None:
            return Response("no demo league", 404)
        if not self.evening.start():
            return Response("an evening is played", 409)
        return self.evening_state()


def _tap(platform: Platform, body: Json) -> Delivery:
    display_text = body.get("displayText")
    params = body.get("params")
    return platform.tap(
        body["chat"],
        body["user"],
        body["data"],
        params=params,
        display_text=display_text,
    )


def _switch(platform: Platform, body: Json) -> Delivery:
    """Tap a richmenuswitch area: the other menu is shown at once, and the bot gets a postback."""
    alias = body["alias"]
    user = body["user"]
    target = platform.menus.aliases.get(alias)
    status = "RICHMENU_ALIAS_ID_NOTFOUND"
    if target in platform.menus.all:
        status = "SUCCESS"
        platform.menus.links[user] = str(target)
        platform.feed.add(EntryKind.MENU)
    params = {"newRichMenuAliasId": alias, "status": status}
    return platform.tap(body["chat"], user, body["data"], params=params)


def _say(platform: Platform, body: Json) -> Delivery:
    return platform.say(
        body["chat"],
        body["user"],
        body["text"],
        quoted=body.get("quoted") or "",
    )


def _file(platform: Platform, body: Json) -> Delivery:
    data = base64.b64decode(body["content"], validate=True)
    return platform.send_file(body["chat"], body["user"], body["name"], data)


def _enter(platform: Platform, body: Json) -> Delivery:
    if body["chat"] == body["user"]:
        return platform.follow(body["user"])
    return platform.join(body["chat"])


def _redeliver(platform: Platform, body: Json) -> Delivery:
    return platform.redeliver()


ACTIONS: dict[str, Callable[[Platform, Json], Delivery]] = {
    "tap": _tap,
    "switch": _switch,
    "say": _say,
    "file": _file,
    "enter": _enter,
    "redeliver": _redeliver,
}


def as_json(**fields: Any) -> Response:
    return Response(json.dumps(fields, ensure_ascii=False), content_type="application/json")


def guard(response: Response) -> Response:
    response.headers["Content-Security-Policy"] = CSP
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cache-Control"] = (
        "max-age=86400" if response.mimetype == "font/ttf" else "no-store"
    )
    return response
