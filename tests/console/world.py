"""A small bot for the console's tests, which calls the console over real HTTP with the real SDK."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from flask import Flask, request
from linebot.v3 import WebhookParser, messaging
from linebot.v3.exceptions import InvalidSignatureError
from werkzeug.serving import make_server

from bot.console.page import create_console, line_api_url
from bot.demo_chat import DEMO_ACCESS_TOKEN, DEMO_CHANNEL_SECRET
from tests.fakes.http import serving
from tests.fakes.platform import Platform

Json = dict[str, Any]
Answerer = Callable[[Any], list[Json]]


class TinyBot:
    """Checks the signature, answers 200, then replies to each event with what `answer` returns."""

    def __init__(self, base: str) -> None:
        self.configuration = messaging.Configuration(
            host=line_api_url(base), access_token=DEMO_ACCESS_TOKEN
        )
        self.parser = WebhookParser(DEMO_CHANNEL_SECRET)
        self.answer: Answerer = lambda event: [{"type": "text", "text": f"ok {event.type}"}]
        self.silent = False
        self.events: list[Any] = []
        self.problems: list[Exception] = []
        self.pool = ThreadPoolExecutor(2)

    def callback(self) -> tuple[str, int]:
        try:
            events = self.parser.parse(
                request.get_data(as_text=True), request.headers["X-Line-Signature"]
            )
        except InvalidSignatureError:
            return "bad signature", 400
        for event in events:
            self.events.append(event)
            if getattr(event, "reply_token", None) and not self.silent:
                self.pool.submit(self.reply, event)
        return "OK", 200

    def reply(self, event: Any) -> None:
        try:
            sent = {"replyToken": event.reply_token, "messages": self.answer(event)}
            body = messaging.ReplyMessageRequest.from_dict(sent)
            with messaging.ApiClient(self.configuration) as client:
                messaging.MessagingApi(client).reply_message(body, _request_timeout=10)
        except Exception as error:
            self.problems.append(error)


@contextmanager
def refusal(status: int) -> Iterator[None]:
    """Check that the SDK's call in it is refused with this status."""
    with pytest.raises(messaging.ApiException) as refused:
        yield
    assert refused.value.status == status


class ConsoleWorld:
    """One werkzeug server with the console and the tiny bot in it."""

    def __init__(self, **options: Any) -> None:
        self.app = Flask(__name__)
        self.server = make_server("127.0.0.1", 0, self.app, threaded=True)
        self.base = f"http://127.0.0.1:{self.server.server_port}"
        self.platform = Platform(self.base + "/callback", webhook_timeout=20, **options)
        self.bot = TinyBot(self.base)
        self.app.register_blueprint(create_console(self.platform))
        self.app.add_url_rule("/callback", "callback", self.bot.callback, methods=["POST"])
        self.client = messaging.ApiClient(self.bot.configuration)
        self.api = messaging.MessagingApi(self.client)
        self.blob = messaging.MessagingApiBlob(self.client)
        self.ends = ExitStack()
        self.ends.callback(self.client.close)
        self.ends.enter_context(serving(self.server))

    def close(self) -> None:
        self.platform.close()
        self.bot.pool.shutdown()
        self.ends.close()
