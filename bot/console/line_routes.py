"""Serve LINE's Messaging API over HTTP: check the bearer token, apply the faults ordered, log every call."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, request

from bot.console import ids
from bot.console.lineapi import NOT_FOUND, Messages, Refusal, Tokens
from bot.console.menuapi import MenuCalls
from bot.console.platform import Platform
from bot.console.webhookapi import WebhookCalls

Json = dict[str, Any]
Answer = Json | tuple[bytes, str]
Handler = Callable[..., Answer]

UNAUTHORISED = "Authentication failed. Confirm that the access token in the authorization header is valid."
ACCEPTED = {"/v2/bot/chat/loading/start"}
OPEN = {"/v2/oauth/verify", "/oauth2/v3/token"}  # calls without a bearer token
FAULTS = {429: "The API rate limit has been exceeded. Try again later.", 500: "Internal Server Error"}


def nothing(rest: str) -> Answer:
    """Refuse a path that is not served."""
    raise Refusal(404, NOT_FOUND)


def body() -> Any:
    """Return the request's body from JSON. Raises Refusal (400) when it is not JSON."""
    try:
        return json.loads(request.get_data())
    except ValueError as error:
        raise Refusal(400, "The request body could not be parsed as JSON") from error


class LineRoutes:
    """The routes: each is an HTTP method, a path as LINE has it, and the function that answers."""

    def __init__(self, platform: Platform, prefix: str) -> None:
        self.platform = platform
        self.prefix = prefix

    def table(self) -> list[tuple[str, str, Handler]]:
        return [
            *self._messages(Messages(self.platform)),
            *self._tokens(Tokens(self.platform)),
            *self._webhook(WebhookCalls(self.platform)),
            *self._menus(MenuCalls(self.platform)),
        ]

    def _messages(self, line: Messages) -> list[tuple[str, str, Handler]]:
        return [
            ("POST", "/v2/bot/message/reply", lambda: line.reply(body())),
            (
                "POST",
                "/v2/bot/message/push",
                lambda: line.push(body(), request.headers.get("X-Line-Retry-Key")),
            ),
            ("POST", "/v2/bot/message/multicast", lambda: line.multicast(body())),
            ("POST", "/v2/bot/message/validate/<_kind>", lambda _kind: line.validate(body())),
            ("POST", "/v2/bot/chat/loading/start", lambda: line.loading(body())),
            ("GET", "/v2/bot/message/quota", line.quota),
            ("GET", "/v2/bot/message/quota/consumption", line.consumption),
            ("GET", "/v2/bot/message/<message_id>/content", line.content),
            ("GET", "/v2/bot/info", line.bot_info),
            ("GET", "/v2/bot/profile/<user>", line.profile),
            ("GET", "/v2/bot/group/<group>/summary", line.group_summary),
            ("GET", "/v2/bot/group/<group>/members/count", line.group_count),
            ("GET", "/v2/bot/group/<group>/members/ids", line.group_member_ids),
            ("GET", "/v2/bot/group/<group>/member/<user>", line.group_member),
            ("POST", "/v2/bot/group/<group>/leave", line.leave_group),
        ]

    def _tokens(self, tokens: Tokens) -> list[tuple[str, str, Handler]]:
        return [
            ("POST", "/v2/oauth/verify", lambda: tokens.verify(request.form)),
            ("POST", "/oauth2/v3/token", lambda: tokens.stateless(request.form)),
        ]

    def _webhook(self, webhook: WebhookCalls) -> list[tuple[str, str, Handler]]:
        path = "/v2/bot/channel/webhook"
        return [
            ("GET", f"{path}/endpoint", webhook.endpoint),
            ("PUT", f"{path}/endpoint", lambda: webhook.set_endpoint(body())),
            ("POST", f"{path}/test", lambda: webhook.test(body() if request.get_data() else None)),
        ]

    def _menus(self, menus: MenuCalls) -> list[tuple[str, str, Handler]]:
        def upload(menu_id: str) -> Answer:
            return menus.upload(menu_id, request.get_data(), request.mimetype)

        return [
            ("POST", "/v2/bot/richmenu", lambda: menus.create(body())),
            ("POST", "/v2/bot/richmenu/validate", lambda: menus.validate(body())),
            ("GET", "/v2/bot/richmenu/list", menus.every),
            ("GET", "/v2/bot/richmenu/<menu_id>", menus.one),
            ("DELETE", "/v2/bot/richmenu/<menu_id>", menus.delete),
            ("POST", "/v2/bot/richmenu/<menu_id>/content", upload),
            ("GET", "/v2/bot/richmenu/<menu_id>/content", menus.download),
            ("POST", "/v2/bot/user/all/richmenu/<menu_id>", menus.set_default),
            ("GET", "/v2/bot/user/all/richmenu", menus.default),
            ("DELETE", "/v2/bot/user/all/richmenu", menus.clear_default),
            ("POST", "/v2/bot/user/<user>/richmenu/<menu_id>", menus.link),
            ("GET", "/v2/bot/user/<user>/richmenu", menus.linked),
            ("DELETE", "/v2/bot/user/<user>/richmenu", menus.unlink),
            ("POST", "/v2/bot/richmenu/alias", lambda: menus.create_alias(body())),
            ("GET", "/v2/bot/richmenu/alias/list", menus.aliases),
            ("GET", "/v2/bot/richmenu/alias/<alias>", menus.alias),
            ("POST", "/v2/bot/richmenu/alias/<alias>", lambda alias: menus.update_alias(alias, body())),
            ("DELETE", "/v2/bot/richmenu/alias/<alias>", menus.delete_alias),
        ]

    def register(self, blueprint: Blueprint) -> None:
        for method, path, handler in self.table():
            endpoint = f"line {method} {path}".replace(".", "_")
            blueprint.add_url_rule(self.prefix + path, endpoint, self._view(handler), methods=[method])
        every = ["GET", "POST", "PUT", "DELETE"]
        blueprint.add_url_rule(
            self.prefix + "/<path:rest>", "line nothing", self._view(nothing), methods=every
        )

    def _view(self, handler: Handler) -> Callable[..., Response]:
        def view(**arguments: str) -> Response:
            return self._answer(handler, arguments)

        return view

    def _answer(self, handler: Handler, arguments: dict[str, str]) -> Response:
        path = request.path.split(self.prefix, 1)[1]
        started = time.monotonic()
        chat: str | None = None
        answer: Answer
        try:
            if path not in OPEN:
                self._admit()
            self._meet_fault(path)
            status, answer = 202 if path in ACCEPTED else 200, handler(**arguments)
        except Refusal as refusal:
            status, answer, chat = refusal.status, refusal.body, refusal.chat
        self._log(path, status, answer, chat, time.monotonic() - started)
        return self._response(status, answer)

    def _admit(self) -> None:
        if request.headers.get("Authorization") != f"Bearer {self.platform.access_token}":
            raise Refusal(401, UNAUTHORISED)

    def _meet_fault(self, path: str) -> None:
        fault = self.platform.faults.take(path)
        if fault is not None:
            fault.hold()
            if fault.status is not None:
                raise Refusal(fault.status, FAULTS.get(fault.status, "fault"))

    def _response(self, status: int, answer: Answer) -> Response:
        if isinstance(answer, tuple):
            response = Response(answer[0], status, mimetype=answer[1])
        else:
            text = json.dumps(answer, ensure_ascii=False)
            response = Response(text, status, content_type="application/json")
        response.headers["X-Line-Request-Id"] = ids.request_id()
        return response

    def _log(self, path: str, status: int, answer: Answer, chat: str | None, seconds: float) -> None:
        asked = loggable(request.get_data(), request.mimetype)
        heard = f"<{answer[1]}, {len(answer[0])} bytes>" if isinstance(answer, tuple) else answer
        at = self.platform.clock()
        ms = round(seconds * 1000)
        call: Json = {"method": request.method, "path": path, "status": status, "ms": ms, "at": at}
        self.platform.feed.add("api", chat, **call, request=asked, response=heard)
        sending = path.startswith("/v2/bot/message/") and request.method == "POST"
        if status >= 400 and sending:
            self.platform.feed.add("refused", chat, at=at, status=status, request=asked, response=heard)


def loggable(data: bytes, mimetype: str) -> Any:
    """Return a request's body as it is logged: its JSON, or else its type and length. None for an empty
    body."""
    if not data:
        return None
    if mimetype == "application/json":
        try:
            return json.loads(data)
        except ValueError:
            return data.decode("utf-8", "replace")
    return f"<{mimetype}, {len(data)} bytes>"
