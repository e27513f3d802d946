"""The page says what the chat says: each question's tables and lines, by a reading of both; and quickly."""

from __future__ import annotations

import gzip
import hashlib
import html as markup
import json
import random
import re
from datetime import datetime
from pathlib import Path
from time import perf_counter
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from flask import Flask

from bot.answers.catalogue import CATALOGUE
from bot.chat.replies import Reply, Table, UserError
from bot.demo_chat import DEMO_GROUP
from bot.league.demo import demo_files
from bot.page.figures import SHOWN, TABS, question_of
from bot.page.html import FILES
from bot.service import Service
from bot.settings import read_settings
from bot.web import create_web
from rating.logdates import JST
from rating.models import MODELS

NOW = datetime(2026, 11, 23, 15, 0, tzinfo=JST)
DIGESTS = {
    "uPlot.iife.min.js": "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
    "uPlot.min.css": "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
    "uPlot.LICENSE": "8f989229699b4fe2f1a0432d0e9edc338a8a911e250e2d1b01ecd770a5f5b1bd",
}
Json = dict[str, Any]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The demo league's page in this process: (client, token, league)."""
    home = tmp_path_factory.mktemp("page")
    (home / "logs").mkdir()
    for name, data in demo_files().items():
        path = home / "logs" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    where = {"LOGS_URL": f"file:{home / 'logs'}", "DATABASE_URL": f"sqlite:///{home / 's.sqlite3'}"}
    service = Service(
        read_settings({**where, "LEAGUE_CHATS": DEMO_GROUP, "PUBLIC_URL": "http://127.0.0.1:9"}), lambda: NOW
    )
    app = Flask(__name__)
    app.register_blueprint(create_web(service))
    yield app.test_client(), service.links.url("").rpartition("/")[2], service.registry.league()
    service.state.close()


def figures(site: Any, query: str) -> Json:
    client, token, _ = site
    return json.loads(client.get(f"/league/{token}/figures{query}").data)


def cells(table: Json) -> list[list[str]]:
    return [
        [r["rank"], r["name"], r["value"], *r["extra"], r["detail"]]
        for _, rows in table["groups"]
        for r in rows
    ]


def test_two_hundred_questions_give_the_chats_own_figures(site: Any) -> None:
    """Follow the page's own addresses at random; the same question is asked of the chat's answers."""
    league, chance = site[2], random.Random(30)
    waiting = [f"?{urlencode({'ask': data.removeprefix('request_')})}" for _, data in TABS]
    waiting += [f"?ask=rating&season={season}&model={model}" for model in MODELS for season in ("all", "2")]
    asked: set[str] = set()
    tables = 0
    while len(asked) < 200:
        query = waiting.pop(chance.randrange(len(waiting)))
        if query in asked or "ask=compare" in query:
            continue
        asked.add(query)
        told = figures(site, query)
        waiting += [way for _, way in told["ways"] if way.startswith("?ask")]
        question = question_of(league, dict(parse_qsl(query[1:])), NOW)
        if question.command.name not in CATALOGUE:
            continue
        try:
            reply: Reply = (CATALOGUE[question.command.name].answer or (lambda _: Reply(())))(question)
        except UserError as error:
            reply = error.reply
        said = [part for part in reply.parts if isinstance(part, Table)]
        shown = [part for part in told["parts"] if part["kind"] == "table"]
        for table in said:
            rows = [
                [r.rank, r.name, r.value, *r.extra, r.detail]
                for _, own in (("", table.rows), *table.more)
                for r in own
            ]
            assert rows in [cells(each) for each in shown], query
            tables += 1
        page = site[0].get(f"/league/{site[1]}{query}").text
        words = re.sub(r"<[^>]+>", "\n", page)
        for name in (row[1] for each in shown for row in cells(each)):
            assert name in markup.unescape(words)
    assert tables > 100


def test_no_name_on_tenhou_and_no_question_that_changes_anything_is_on_the_page(site: Any) -> None:
    snapshot = site[2].snapshot()
    hidden = {p for p in snapshot.league.players if snapshot.league.shown(p) != p}
    assert hidden
    told = json.dumps(
        [figures(site, f"?ask={name}") for name in sorted(SHOWN - {"forecast"})], ensure_ascii=False
    )
    assert not [
        name for name in hidden if re.search(f"(?<![一-龠ぁ-ヶ]){re.escape(name)}(?![一-龠ぁ-ヶ])", told)
    ]
    assert all(CATALOGUE[name].answer and not CATALOGUE[name].admin for name in SHOWN if name in CATALOGUE)
    assert figures(site, "?ask=remove") == figures(site, "")


def test_the_running_balance_ends_at_the_chats_sums(site: Any) -> None:
    """The lines' last values are those of the table, reckoned from the words of both."""
    lines, table = figures(site, "?ask=sum&season=2")["parts"][:2]
    ends = {curve["name"]: curve["y"][-1] for curve in lines["curves"]}
    sums = {row[1]: float(row[2].replace("−", "-").replace(",", "").replace("±", "")) for row in cells(table)}
    assert ends == pytest.approx(sums, abs=0.051)


def test_the_seasons_curve_ends_at_the_chats_chances(site: Any) -> None:
    curve, table = figures(site, "?ask=forecast&season=3")["parts"][:2]
    ends = {c["name"]: f"{c['y'][-1]:.0f}%" for c in curve["curves"]}
    said = {row[1]: row[2] for row in cells(table)}
    assert curve["unit"] == "%"
    assert {name: ends[name] for name, value in said.items() if value[0].isdecimal() and name in ends} == {
        name: value for name, value in said.items() if value[0].isdecimal() and name in ends
    }


def test_the_grid_has_the_boards_figures_and_keeps_few_games_apart(site: Any) -> None:
    (grid,) = figures(site, "?ask=figures")["parts"]
    keys = [key for key, _ in grid["heads"]]
    board = figures(site, "?ask=ranking&by=first")["parts"][0]
    own = {row["name"]: row["cells"][keys.index("first")][1] for _, rows in grid["groups"] for row in rows}
    assert own == {row[1]: row[2] for row in cells(board)}
    assert [head for head, _ in grid["groups"]] == [head for head, _ in board["groups"]]


def test_an_unchanged_answer_is_not_sent_again_and_comes_compressed_and_fast(site: Any) -> None:
    client, token, _ = site
    url = f"/league/{token}/figures?ask=rating&season=all"
    packed = client.get(url, headers={"Accept-Encoding": "gzip"})
    assert json.loads(gzip.decompress(packed.data)) == figures(site, "?ask=rating&season=all")
    etag = packed.headers["ETag"]
    assert client.get(url, headers={"If-None-Match": etag}).status_code == 304
    assert client.get(url.replace("all", "2")).headers["ETag"] != etag
    began = perf_counter()
    for _ in range(20):
        client.get(url, headers={"Accept-Encoding": "gzip"})
    assert (perf_counter() - began) / 20 < 0.05
    sent = sum(len(gzip.compress(path.read_bytes())) for path in FILES.iterdir())
    assert (
        len(client.get(f"/league/{token}", headers={"Accept-Encoding": "gzip"}).data)
        + len(packed.data)
        + sent
        < 300_000
    )


def test_the_vendored_files_are_those_of_uplot() -> None:
    """uPlot 1.6.32, as `npm pack uplot@1.6.32` gives it."""
    digests = {
        name: hashlib.sha256((Path(FILES) / name).read_bytes()).hexdigest()
        for name in ("uPlot.iife.min.js", "uPlot.min.css", "uPlot.LICENSE")
    }
    assert digests == DIGESTS
