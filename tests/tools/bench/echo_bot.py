"""A bare echo bot like the SDK's example, for engine.py: check, parse, reply, then answer 200."""

import os

from flask import Flask, request
from linebot.v3 import WebhookParser
from linebot.v3.exceptions import InvalidSignatureError
from linebot.v3.messaging import (
    ApiClient,
    Configuration,
    MessagingApi,
    ReplyMessageRequest,
    TextMessage,
)

app = Flask("echo")
parser = WebhookParser(os.environ.get("LINE_CHANNEL_SECRET", "none"))
configuration = Configuration(
    host=os.environ.get("LINE_API_URL", ""),
    access_token=os.environ.get("LINE_CHANNEL_ACCESS_TOKEN", ""),
)


@app.get("/healthz")
def healthz() -> str:
    return "ok"


@app.post("/callback")
def callback() -> tuple[str, int]:
    try:
        events = parser.parse(request.get_data(as_text=True), request.headers["X-Line-Signature"])
    except InvalidSignatureError:
        return "bad signature", 400
    with ApiClient(configuration) as client:
        for event in events:
            message = TextMessage(text=event.postback.data)
            MessagingApi(client).reply_message(
                ReplyMessageRequest(reply_token=event.reply_token, messages=[message])
            )
    return "OK", 200
