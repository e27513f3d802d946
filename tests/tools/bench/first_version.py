"""The baseline: a tap answered the way the first version did, with the same SDKs.

Each tap downloads every log, replays every game, draws 640x480 with a marker a game and a legend,
uploads, presigns, replies. It has the same Flask and gunicorn settings as the product and is
configured by the same variables.
"""

import io
import os
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import boto3
import dropbox
import matplotlib as mpl
from botocore.config import Config

mpl.use("Agg")
import matplotlib.pyplot as plt
from flask import Flask, request
from linebot.v3 import WebhookParser
from linebot.v3.messaging import (
    ApiClient,
    Configuration,
    ImageMessage,
    MessagingApi,
    ReplyMessageRequest,
)
from matplotlib_fontja import get_font_ttf_path

app = Flask(__name__)
pool = ThreadPoolExecutor(8)
parser = WebhookParser(os.environ["LINE_CHANNEL_SECRET"])
line = Configuration(
    host=os.environ["LINE_API_URL"], access_token=os.environ["LINE_CHANNEL_ACCESS_TOKEN"]
)
folder = os.environ["LOGS_URL"].removeprefix("dropbox:")
bucket = os.environ["IMAGES_URL"].removeprefix("s3://").partition("/")[0]
drawing = threading.Lock()  # pyplot is not safe in threads
mpl.font_manager.fontManager.addfont(get_font_ttf_path())
mpl.rcParams["font.family"] = "IPAexGothic"
PLAYER = re.compile(r"(\S+)\([^()]*\)")


def replay(lines: list[str]) -> dict[str, list[float]]:
    """Each player's rating after each of their games."""
    rating: dict[str, float] = {}
    games: dict[str, int] = {}
    history: dict[str, list[float]] = {}
    for text in lines:
        if text.count("|") < 3:
            continue
        names = PLAYER.findall(text.split("|", 3)[3])
        if len(names) != 3:
            continue
        mean = sum(rating.get(name, 1500.0) for name in names) / 3
        average = max(round(mean, 3), 1500)
        new = []
        for name, points in zip(names, (30, 0, -30), strict=True):
            n = games.get(name, 0)
            r = rating.get(name, 1500.0)
            c = 1 - 0.002 * n if n < 400 else 0.2
            change = c * (points + (average - r) / 40) * 1.0
            new.append(r + round(change, 3))
        for name, r in zip(names, new, strict=True):
            rating[name] = r
            games[name] = games.get(name, 0) + 1
            history.setdefault(name, [1500.0]).append(r)
    return history


def draw(history: dict[str, list[float]]) -> bytes:
    with drawing:
        figure, axes = plt.subplots()
        for name, values in history.items():
            axes.plot(values, marker=".", label=name)
        axes.set_title("レーティング")
        axes.legend()
        axes.grid()
        out = io.BytesIO()
        figure.savefig(out)
        plt.close(figure)
        return out.getvalue()


@cache
def clients() -> tuple[dropbox.Dropbox, Any, MessagingApi]:
    """The clients of Dropbox, S3 and LINE, made once so that making them slows no tap down."""
    app = {name: os.environ[f"DROPBOX_{name.upper()}"] for name in ("app_key", "app_secret")}
    box = dropbox.Dropbox(**app, oauth2_refresh_token=os.environ["DROPBOX_REFRESH_TOKEN"])
    config = Config(signature_version="s3v4", s3={"addressing_style": "path"})
    return box, boto3.client("s3", config=config), MessagingApi(ApiClient(line))


def answer(token: str) -> None:
    box, s3, api = clients()
    names = [e.path_display for e in box.files_list_folder(folder).entries if "logvol" in e.name]
    lines: list[str] = []
    for name in sorted(names):
        lines += box.files_download(name)[1].content.decode().splitlines()
    png = draw(replay(lines))
    s3.put_object(Bucket=bucket, Key="rating.png", Body=png, ContentType="image/png")
    url = s3.generate_presigned_url("get_object", {"Bucket": bucket, "Key": "rating.png"}, 600)
    message = ImageMessage(originalContentUrl=url, previewImageUrl=url, quickReply=None)
    api.reply_message(
        ReplyMessageRequest(replyToken=token, messages=[message], notificationDisabled=None)
    )


@app.post("/callback")
def callback() -> str:
    for event in parser.parse(request.get_data(as_text=True), request.headers["X-Line-Signature"]):
        pool.submit(answer, event.reply_token)
    return "OK"


@app.get("/healthz")
def healthz() -> str:
    return "OK"
