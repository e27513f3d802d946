"""A tiny bot for the console's tests, which talks to the console over real HTTP with the real SDK."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from flask import Flask, request
from linebot.v3 import WebhookParser
from linebot.v3.exceptions import InvalidSignatureError
from linebot.v3.messaging import ApiClient, Configuration, MessagingApi, MessagingApiBlob, ReplyMessageRequest
from werkzeug.serving import make_server

from bot.console.page import create_console, line_api_url
from bot.demo_chat import DEMO_ACCESS_TOKEN, DEMO_CHANNEL_SECRET
from tests.fakes.platform import Platform

Json = dict[str, Any]
Answerer = Callable[[Any], list[Json]]


class TinyBot:
    """Checks the signature, answers 200, then replies to each event with what `answer` returns."""

    def __init__(self, base: str) -> None:
        self.configuration = Configuration(host=line_api_url(base), access_token=DEMO_ACCESS_TOKEN)
        self.parser = WebhookParser(DEMO_CHANNEL_SECRET)
        self.answer: Answerer = lambda event: [{"type": "text", "text": f"ok {event.type}"}]
        self.silent = False
        self.heard: list[Any] = []
        self.problems: list[Exception] = []
        self.pool = ThreadPoolExecutor(2)

    def callback(self) -> tuple[str, int]:
        try:
            events = self.parser.parse(request.get_data(as_text=True), request.headers["X-Line-Signature"])
        except InvalidSignatureError:
            return "bad signature", 400
        for event in events:
            self.heard.append(event)
            if getattr(event, "reply_token", None) and not self.silent:
                self.pool.submit(self.reply, event)
        return "OK", 200

    def reply(self, event: Any) -> None:
        try:
            body = ReplyMessageRequest.from_dict(
                {"replyToken": event.reply_token, "messages": self.answer(event)}
            )
            with ApiClient(self.configuration) as client:
                MessagingApi(client).reply_message(body, _request_timeout=10)
        except Exception as error:
            self.problems.append(error)


class World:
    """One werkzeug server with the console and the tiny bot in it."""

    def __init__(self, **options: Any) -> None:
        self.app = Flask(__name__)
        self.server = make_server("127.0.0.1", 0, self.app, threaded=True)
        self.base = f"http://127.0.0.1:{self.server.server_port}"
        self.platform = Platform(self.base + "/callback", webhook_timeout=20, **options)
        self.bot = TinyBot(self.base)
        self.app.register_blueprint(create_console(self.platform))
        self.app.add_url_rule("/callback", "callback", self.bot.callback, methods=["POST"])
        self.client = ApiClient(self.bot.configuration)
        self.api = MessagingApi(self.client)
        self.blob = MessagingApiBlob(self.client)
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05})
        self.thread.start()

    def close(self) -> None:
        self.platform.close()
        self.bot.pool.shutdown()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
        self.client.close()
