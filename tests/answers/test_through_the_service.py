"""Answers of the whole service: who asks, which messages ask nothing, and the files behind
links.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from flask import Flask

from bot.answers.standings.race import RaceChart, RaceLine, draw
from bot.chat.access import Access
from bot.chat.replies import Animation, Reply, Table
from bot.cli.chart import chart_png
from bot.cli.games import GameChoice
from bot.cli.standings import standings_report
from bot.dispatch.pictures import with_addresses
from bot.dispatch.responder import Tap
from bot.line.messages import messages
from bot.line.webhook import Event
from bot.service import Service
from bot.settings import read_settings
from bot.web import create_web
from rating.models import MODELS
from tests.answers.leagues import LEAGUES, ROUTER
from tests.answers.world import away
from tests.backend import Backend, close

GROUP = "C" + "a" * 32
USER = "U" + "b" * 32


@pytest.fixture
def service(tmp_path: Path, backend: Backend) -> Iterator[Service]:
    (tmp_path / "logs").mkdir()
    for name, data in LEAGUES["nine"].items():
        (tmp_path / "logs" / name).write_bytes(data)
    env = {
        "LOGS_URL": f"file:{tmp_path / 'logs'}",
        "IMAGES_URL": f"file:{tmp_path / 'images'}",
        **backend.env(tmp_path),
        "PUBLIC_URL": "http://127.0.0.1:5000",
        "LEAGUE_CHATS": GROUP,
    }
    made = Service(read_settings(env))
    yield made
    close(made)


def ask(service: Service, what: str, user: str = USER) -> Reply:
    command = ROUTER.from_postback(what) or ROUTER.from_words(what)
    assert command is not None
    tap = Tap(Event("", "postback", GROUP, user, "", 0.0))
    tap.command = command
    tap.access = Access("", False)
    for step in service.responder.answering[1:]:
        if not step(tap):
            break
    return tap.reply


def mine(reply: Reply) -> list[str]:
    tables = [part for part in reply.parts if isinstance(part, Table)]
    return [row.name for table in tables for row in table.rows if row.mine]


def test_once_said_the_own_row_is_marked(service: Service) -> None:
    assert mine(ask(service, "収支")) == []
    ask(service, "自分 東風")
    assert mine(ask(service, "収支")) == ["東風"]
    assert mine(ask(service, "収支", "U" + "c" * 32)) == []


def test_the_files_open_in_excel(service: Service) -> None:
    sent = messages(service.pictures.stored(ask(service, "書き出し")))
    contents = sent[0]["contents"]["body"]["contents"]
    rows = [row for row in contents if row["type"] == "box"]
    app = Flask(__name__)
    app.register_blueprint(create_web(service))
    assert len(rows) == 2
    for row in rows:
        link = row["contents"][0]["action"]["uri"]
        answer = app.test_client().get(urlsplit(link).path)
        assert answer.status_code == 200
        assert answer.content_type == "text/csv; charset=utf-8"
        _, _, name = answer.headers["Content-Disposition"].partition("filename*=UTF-8''")
        assert re.fullmatch(r"雀録_(対局|成績)_全シーズン_\d{4}-\d\d-\d\d\.csv", unquote(name))
        assert answer.data.startswith(b"\xef\xbb\xbf")


def test_an_animation_is_served_as_it_was_drawn(service: Service) -> None:
    lines = (
        RaceLine(
            "みどり",
            "#C00054",
            (1.0, 9.0),
        ),
        RaceLine("東風", "#00B4B4", (2.0, -9.0)),
    )
    chart = RaceChart("収支レース", ("9/1", "9/2"), lines)
    race = Animation(chart, draw, chart.size)
    reply = Reply((Table("題", (), hero=race),))
    sent = messages(service.pictures.stored(reply))
    app = Flask(__name__)
    app.register_blueprint(create_web(service))
    link = sent[0]["contents"]["hero"]["url"]
    answer = app.test_client().get(urlsplit(link).path)
    data = answer.data
    assert answer.content_type == "image/png"
    assert data == race.render()
    assert (
        data.index(b"acTL") < data.index(b"IDAT") < data.index(b"fcTL")
    )  # the image before is no frame


def test_a_store_that_is_down_and_a_link_too_long_for_a_button(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = ask(service, "書き出し")
    monkeypatch.setattr(service.stores.images, "url", away)
    kinds = [message["type"] for message in messages(service.pictures.stored(export))]
    assert kinds == ["text"]
    card = messages(service.pictures.stored(ask(service, "個人 みどり")))
    assert [message["type"] for message in card] == ["flex", "flex"]
    long = with_addresses(export, lambda part: "https://example.com/" + "a" * 1500)
    (sent,) = messages(long)[:1]
    assert sent["type"] == "text"
    assert sent["text"].count("https://") == 2


def test_the_commands_know_every_model(service: Service) -> None:
    for model in MODELS:
        report = standings_report(service, GameChoice(), model)
        assert report["standings"]
        assert chart_png(service, GameChoice(), model).startswith(b"\x89PNG")
        if model in (
            "bradley_terry",
            "bayesian_btr",
            "plackett_luce",
            "plackett_luce_drift",
            "btr",
        ):
            assert all(row["low"] < row["rating"] < row["high"] for row in report["standings"])
