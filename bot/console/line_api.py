"""LINE's Messaging API (https://developers.line.biz/en/reference/messaging-api/) as far as it is used."""

import json
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, Response, request

from bot.console.checks import picture_problem, problems
from bot.console.platform import Platform, Refusal, RichMenu
from storage.addresses import is_safe

Json = dict[str, Any]
Answer = Json | tuple[bytes, str]
Handler = Callable[..., Answer]

CHANNEL_ID = "1600000000"
MONTHLY_PUSHES = 200
RETRY_KEYS_KEPT = 1000
ACCEPTED = "/v2/bot/chat/loading/start"  # answered with 202


def read_body(model: str, chat_of: Callable[[Any], str | None] = lambda body: None) -> Any:
    """Return the request's JSON, which is to be one of the SDK's models, or raise Refusal (400). `chat_of`
    tells where its messages would have gone."""
    try:
        body = json.loads(request.get_data())
    except ValueError as error:
        raise Refusal(400, "The request body could not be parsed as JSON") from error
    if found := problems(body, model):
        chat = chat_of(body) if isinstance(body, dict) else None
        raise Refusal(400, f"The request body has {len(found)} error(s)", found, chat)
    return body


class LineApi:
    """The routes: method, path as LINE has it, and the function that answers with JSON, or bytes and their
    type."""

    def __init__(self, platform: Platform, prefix: str) -> None:
        self.platform, self.menus, self.prefix = platform, platform.menus, prefix
        self._accepted: OrderedDict[str, None] = OrderedDict()

    def register(self, blueprint: Blueprint) -> None:
        for method, path, handler in self._table():
            endpoint = f"line {method} {path}".replace(".", "_")
            blueprint.add_url_rule(self.prefix + path, endpoint, self._view(handler), methods=[method])

        def nothing(rest: str) -> Answer:
            raise Refusal(404)

        every, rest = ["GET", "POST", "PUT", "DELETE"], f"{self.prefix}/<path:rest>"
        blueprint.add_url_rule(rest, "line nothing", self._view(nothing), methods=every)

    def _table(self) -> list[tuple[str, str, Handler]]:
        bot = self.platform.bot
        names = {"userId": bot.id, "basicId": "@janroku", "displayName": bot.name}
        webhook, menu, everybody = "/v2/bot/channel/webhook", "/v2/bot/richmenu", "/v2/bot/user/all/richmenu"
        return [
            ("POST", "/v2/oauth/verify", self.verify_token),
            ("POST", "/oauth2/v3/token", self.issue_token),
            ("POST", "/v2/bot/message/reply", self.reply),
            ("POST", "/v2/bot/message/push", self.push),
            ("POST", ACCEPTED, self.loading),
            ("GET", "/v2/bot/message/quota", lambda: {"type": "limited", "value": MONTHLY_PUSHES}),
            ("GET", "/v2/bot/message/quota/consumption", lambda: {"totalUsage": self.platform.pushed}),
            ("GET", "/v2/bot/message/<message_id>/content", self.content),
            ("GET", "/v2/bot/info", lambda: names | {"chatMode": "bot", "markAsReadMode": "auto"}),
            ("GET", "/v2/bot/profile/<user>", self.profile),
            (
                "GET",
                "/v2/bot/group/<group>/members/count",
                lambda group: {"count": len(self._members(group))},
            ),
            ("GET", "/v2/bot/group/<group>/member/<user>", self.group_member),
            ("GET", f"{webhook}/endpoint", self.endpoint),
            ("PUT", f"{webhook}/endpoint", self.set_endpoint),
            ("POST", f"{webhook}/test", self.test_endpoint),
            ("POST", menu, self.create_menu),
            ("GET", f"{menu}/list", lambda: {"richmenus": [m.shown() for m in self.menus.all.values()]}),
            ("DELETE", f"{menu}/<menu_id>", self.delete_menu),
            ("POST", f"{menu}/<menu_id>/content", self.upload),
            ("GET", f"{menu}/<menu_id>/content", self.download),
            ("POST", f"{everybody}/<menu_id>", self.set_default),
            ("GET", everybody, self.default),
            ("DELETE", everybody, self.clear_default),
            ("POST", f"{menu}/alias", self.create_alias),
            ("GET", f"{menu}/alias/list", self.aliases),
            ("POST", f"{menu}/alias/<alias>", self.update_alias),
            ("DELETE", f"{menu}/alias/<alias>", self.delete_alias),
        ]

    def _view(self, handler: Handler) -> Callable[..., Response]:
        def view(**arguments: str) -> Response:
            path = request.path.split(self.prefix, 1)[1]
            started = time.monotonic()
            chat: str | None = None
            answer: Answer
            try:
                self.platform.admit(path, request.headers.get("Authorization"))
                status, answer = 202 if path == ACCEPTED else 200, handler(**arguments)
            except Refusal as refusal:
                status, answer, chat = refusal.status, refusal.body, refusal.chat
            self._log(path, status, answer, chat, time.monotonic() - started)
            if isinstance(answer, tuple):
                response = Response(answer[0], status, mimetype=answer[1])
            else:
                text = json.dumps(answer, ensure_ascii=False)
                response = Response(text, status, content_type="application/json")
            response.headers["X-Line-Request-Id"] = str(uuid.uuid4())
            return response

        return view

    def _log(self, path: str, status: int, answer: Answer, chat: str | None, seconds: float) -> None:
        data, asked = request.get_data(), None
        if data and request.mimetype == "application/json":
            try:
                asked = json.loads(data)
            except ValueError:
                asked = data.decode("utf-8", "replace")
        elif data:
            asked = f"<{request.mimetype}, {len(data)} bytes>"
        heard = f"<{answer[1]}, {len(answer[0])} bytes>" if isinstance(answer, tuple) else answer
        call = {"at": self.platform.clock(), "status": status, "request": asked, "response": heard}
        ms, add = round(seconds * 1000), self.platform.feed.add
        add("api", chat, method=request.method, path=path, ms=ms, **call)
        if status >= 400 and path.startswith("/v2/bot/message/") and request.method == "POST":
            add("refused", chat, **call)

    # Access tokens: whose one is, and a new one for a secret

    def verify_token(self) -> Json:
        if request.form.get("access_token") != self.platform.access_token:
            raise Refusal(400, "invalid_request")
        return {"client_id": CHANNEL_ID, "expires_in": 2591659, "scope": "profile"}

    def issue_token(self) -> Json:
        given = tuple(request.form.get(name) for name in ("grant_type", "client_id", "client_secret"))
        if given != ("client_credentials", CHANNEL_ID, self.platform.channel_secret):
            raise Refusal(400, "invalid_client")
        return {"token_type": "Bearer", "access_token": "stateless", "expires_in": 900}

    # Messages, and who there is

    def reply(self) -> Json:
        with self.platform.condition:
            chat_of = self.platform.chat_of
            body = read_body("ReplyMessageRequest", lambda body: chat_of(body.get("replyToken")))
            token, messages = body["replyToken"], body["messages"]
            chat = chat_of(token)
            self.platform.check_quotes(messages, chat)
            self.platform.use(token)
            return self.platform.deliver(chat or "", messages, token)

    def push(self) -> Json:
        """A push costs one message of the month's quota for each person it reaches."""
        with self.platform.condition:
            body = read_body("PushMessageRequest", lambda body: str(body.get("to")))
            key, to, messages = request.headers.get("X-Line-Retry-Key"), body["to"], body["messages"]
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
                self._accepted[key] = None
                while len(self._accepted) > RETRY_KEYS_KEPT:
                    self._accepted.popitem(last=False)
            return self.platform.deliver(to, messages)

    def loading(self) -> Json:
        body = read_body("ShowLoadingAnimationRequest")
        if body["chatId"] not in self.platform.users:
            raise Refusal(400, "The value for the 'chatId' parameter is invalid")
        self.platform.feed.add("loading", body["chatId"], seconds=body.get("loadingSeconds", 20))
        return {}

    def content(self, message_id: str) -> Answer:
        data = self.platform.contents.get(message_id)
        if data is None:
            raise Refusal(404)
        return data, "application/octet-stream"

    def profile(self, user: str) -> Json:
        known = self.platform.users.get(user)
        if known is None:
            raise Refusal(404)
        return {"userId": known.id, "displayName": known.name}

    def group_member(self, group: str, user: str) -> Json:
        if user not in self._members(group):
            raise Refusal(404)
        return self.profile(user)

    def _members(self, group: str) -> list[str]:
        known = self.platform.groups.get(group)
        if known is None or not known.bot_inside:
            raise Refusal(404)
        return known.members

    # The webhook's address; https is demanded but for loopback, where the console is

    def endpoint(self) -> Json:
        if not self.platform.callback_url:
            raise Refusal(404)
        return {"endpoint": self.platform.callback_url, "active": self.platform.webhook_active}

    def set_endpoint(self) -> Json:
        self.platform.callback_url = self._given_address()
        return {}

    def test_endpoint(self) -> Json:
        """Send a request without events. LINE answers 200 however that ends, and tells it in the body."""
        url = self._given_address() if request.get_data() else self.platform.callback_url
        if not url:
            raise Refusal(404)
        answer = self.platform.post([], None, url)
        reason = {"request_timeout": "REQUEST_TIMEOUT", "error_status_code": "ERROR_STATUS_CODE", None: "OK"}
        return {
            "success": answer.error is None,
            "timestamp": datetime.fromtimestamp(self.platform.clock(), UTC).isoformat(),
            "statusCode": answer.status or 0,
            "reason": reason.get(answer.error, "COULD_NOT_CONNECT"),
            "detail": str(answer.status or answer.error),
        }

    def _given_address(self) -> str:
        url = (request.get_json(silent=True) or {}).get("endpoint")
        parts = urlsplit(url) if isinstance(url, str) and len(url) <= 500 else urlsplit("")
        if not isinstance(url, str) or not is_safe(parts.scheme, parts.hostname):
            raise Refusal(400, "Invalid webhook endpoint URL")
        return url

    # Rich menus

    def create_menu(self) -> Json:
        menu = RichMenu(f"richmenu-{uuid.uuid4().hex}", read_body("RichMenuRequest"))
        with self.platform.condition:
            self.menus.all[menu.id] = menu
        return {"richMenuId": menu.id}

    def delete_menu(self, menu_id: str) -> Json:
        with self.platform.condition:
            self._menu(menu_id)
            self.menus.delete(menu_id)
        return self._changed()

    def upload(self, menu_id: str) -> Json:
        menu = self._menu(menu_id)
        if menu.image is not None:
            raise Refusal(400, "An image has already been uploaded to the richmenu")
        if problem := picture_problem(request.get_data(), request.mimetype, menu.body["size"]):
            raise Refusal(400, problem)
        menu.image = request.get_data()
        return {}

    def download(self, menu_id: str) -> Answer:
        image = self._menu(menu_id).image
        if image is None:
            raise Refusal(404)
        return image, "image/png"

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
        known = list(self.menus.aliases.items())
        return {"aliases": [{"richMenuAliasId": alias, "richMenuId": menu} for alias, menu in known]}

    def _menu(self, menu_id: str) -> RichMenu:
        found = self.menus.all.get(menu_id)
        if found is None:
            raise Refusal(404, "richmenu not found")
        return found

    def _alias(self, alias: str, menu_id: str) -> Json:
        found = self.menus.all.get(menu_id)
        if found is None or found.image is None:
            raise Refusal(400, "richmenu not found or without an image")
        with self.platform.condition:
            self.menus.aliases[alias] = menu_id
        return self._changed()

    def _changed(self) -> Json:
        self.platform.feed.add("menu")
        return {}
