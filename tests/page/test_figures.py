"""The page has what the chat has: each question's tables and lines, by a reading of both; and
quickly.
"""

import gzip
import hashlib
import html as markup
import json
import random
import re
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple, cast
from urllib.parse import parse_qsl, urlencode

import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient

from bot.answers.catalogue import CATALOGUE
from bot.answers.common.members import member_id, members
from bot.chat.replies import Reply, Table, UserError
from bot.league.paifu_log import entry_of, keep_paifu
from bot.league.repository import LeagueRepository
from bot.page.figures import question_of
from bot.page.html import FILES
from bot.page.replay import game
from bot.page.views import SHOWN, TABS
from bot.service import Service
from bot.web import create_web
from rating.models import MODELS
from rating.paifu.formats import parse
from storage.folder import FolderLogs
from tests.cli.running import commands
from tests.page.conftest import ASKER, NOW
from tests.rating.paifu.records import made
from tests.real import DATA

DIGESTS = {
    "uPlot.iife.min.js": "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
    "uPlot.min.css": "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
    "uPlot.LICENSE": "8f989229699b4fe2f1a0432d0e9edc338a8a911e250e2d1b01ecd770a5f5b1bd",
}
Json = dict[str, Any]


class Site(NamedTuple):
    """The page of a league in this process, as the asker got it."""

    client: FlaskClient
    token: str
    league: LeagueRepository
    asker: str
    service: Service


@pytest.fixture(scope="module")
def site(service: Service) -> Site:
    """The demo league's page."""
    app = Flask(__name__)
    app.register_blueprint(create_web(service))
    asker = members(service.registry.league().snapshot())[ASKER]
    token = service.links.url("", member_id(asker)).rpartition("/")[2]
    return Site(app.test_client(), token, service.registry.league(), asker, service)


def figures(site: Site, query: str) -> Any:
    return json.loads(site.client.get(f"/league/{site.token}/figures{query}").data)


def rows_of(table: Json) -> list[Json]:
    return [row for _, rows in table["groups"] for row in rows]


def cells(table: Json) -> list[list[str]]:
    return [[r["rank"], r["name"], r["value"], *r["extra"], r["detail"]] for r in rows_of(table)]


def tables_of(parts: list[Json]) -> list[Json]:
    return [part for part in parts if part["kind"] == "table"]


def plain(words: str) -> float:
    return float(words.replace("−", "-").replace(",", "").lstrip("±+"))


def test_the_page_has_the_figures_of_the_chat(site: Site) -> None:
    """Follow the page's own addresses at random; the chat gets the same question."""
    chance = random.Random(30)
    waiting = [f"?{urlencode({'ask': data.removeprefix('request_')})}" for _, data in TABS]
    waiting += [
        f"?ask=rating&season={season}&model={model}" for model in MODELS for season in ("all", "2")
    ]
    queries: set[str] = set()
    tables = 0
    while len(queries) < 80:
        query = waiting.pop(chance.randrange(len(waiting)))
        if query in queries or "ask=compare" in query:
            continue
        queries.add(query)
        report = figures(site, query)
        waiting += [link for _, link in report["ways"] if link.startswith("?ask")]
        question = question_of(
            site.league,
            dict(parse_qsl(query[1:])),
            NOW,
            member_id(site.asker),
        )
        if question.command.name not in CATALOGUE:
            continue
        try:
            reply: Reply = (CATALOGUE[question.command.name].answer or (lambda _: Reply(())))(
                question
            )
        except UserError as error:
            reply = error.reply
        chat_tables = [part for part in reply.parts if isinstance(part, Table)]
        page_tables = tables_of(report["parts"])
        for table in chat_tables:
            groups = table.rows, *(group for _, group in table.more)
            rows = [
                [r.rank, r.name, r.value, *r.extra, r.detail] for group in groups for r in group
            ]
            page_rows = [cells(page_table) for page_table in page_tables]
            brief = [
                [row[:-1] for row in page_table] for page_table in page_rows
            ]  # a fuller table has the details too
            without = not any(row[-1] for row in rows) and [row[:-1] for row in rows] in brief
            assert rows in page_rows or without, query
            tables += 1
        page = site.client.get(f"/league/{site.token}{query}").text
        words = re.sub(r"<[^>]+>", "\n", page)
        for name in (row[1] for page_table in page_tables for row in cells(page_table)):
            assert name in markup.unescape(words)
    assert tables > 40


@pytest.mark.parametrize("season", ["1", "2", "3", "all"])
def test_the_commands_print_the_pages_figures(site: Site, season: str) -> None:
    """Of all systems and of the forecast: `--json` to the digits that the page shows."""
    group = commands(site.service)

    def printed(*words: str) -> Json:
        result = CliRunner().invoke(group, [*words, "--season", season, "--json"])
        assert result.exit_code == 0, result.output
        return cast(Json, json.loads(result.stdout))

    for model in MODELS:
        printed_report = printed("standings", "--model", model)
        table = tables_of(figures(site, f"?ask=rating&season={season}&model={model}")["parts"])[0]
        shown_rows = {row["name"]: row for row in rows_of(table)}
        assert shown_rows.keys() == {row["name"] for row in printed_report["standings"]}
        for row in printed_report["standings"]:
            value = plain(shown_rows[row["name"]]["value"])
            assert value == pytest.approx(
                row["rating"], abs=0.5 * 10 ** -printed_report["decimals"] + 1e-9
            )
            assert shown_rows[row["name"]]["extra"][-1].rstrip("※") == f"{row['games']}戦"
    if season != "all":
        table = figures(site, f"?ask=sum&season={season}")["parts"][-1]
        sums = {row[1]: plain(row[2]) for row in cells(table)}
        names = {row["player"]: row["name"] for row in printed_report["standings"]}
        players = printed("forecast", "--left", "0")["players"]
        points = {names[player["player"]]: player["points"] for player in players}
        assert points == pytest.approx(sums, abs=0.051)


def test_a_figure_of_few_records_has_its_cases_and_no_rank(site: Site) -> None:
    (grid,) = figures(site, "?ask=figures")["parts"]
    at = [key for key, _ in grid["heads"]].index("busts")
    cells = [row["cells"][at] for _, rows in grid["groups"] for row in rows if row["cells"][at][1]]
    assert cells
    for value, words in cells:
        assert value is None
        assert re.fullmatch(r"[0-9.]+%（\d+戦中\d+回）", words)
    assert "<td class=few>" in site.client.get(f"/league/{site.token}?ask=figures").text


@pytest.mark.parametrize("query", ["", "?ask=sum", "?ask=point&season=all", "?ask=player"])
def test_lines_know_the_days_of_their_games(site: Site, query: str) -> None:
    report = figures(site, query)
    season = site.league.snapshot().seasons[-1].number
    games = site.league.snapshot().all_games(None if "all" in query else season)
    if "player" in query:
        games = tuple(game for game in games if site.asker in game.players)
    last = {str(game.day): number for number, game in enumerate(games, 1)}
    assert {day: number for number, day in report["days"]} == last


def test_lines_without_a_period_have_no_days(site: Site) -> None:
    for query in ("?ask=forecast", "?ask=rating&model=team_elo"):
        assert figures(site, query)["days"] == []


def test_the_reader_is_marked_and_games_are_of_member_and_day(site: Site) -> None:
    lines, table = figures(site, "")["parts"][:2]
    name = site.league.snapshot().league.shown(site.asker)
    assert [curve["name"] for curve in lines["curves"] if curve["asker"]] == [name]
    assert [row["name"] for row in rows_of(table) if row["mine"]] == [name]
    all_games = site.league.snapshot().all_games()
    days = [game.day for game in all_games if site.asker in game.players and game.day]
    day = days[-1]
    menu, games = figures(site, f"?ask=recent&from={day}&player=~{member_id(site.asker)}")["parts"]
    assert name in [label for label, _ in menu["ways"]]
    member_games = [game for game in all_games if game.day == day and site.asker in game.players]
    rows = rows_of(games)
    assert len(rows) == min(len(member_games), 10)
    assert {row["name"] for row in rows} == {name}
    records = site.league.snapshot().paifu_of
    assert sum("game=" in row["way"] for row in rows) == sum(
        game in records for game in member_games[-10:]
    )
    assert figures(site, "?ask=recent&from=junk")["parts"][-1]["kind"] == "text"


def test_a_members_view_has_all_answers_about_the_member(site: Site) -> None:
    query = f"&player=~{member_id(site.asker)}&season=3"
    parts = figures(site, f"?ask=player{query}")["parts"]
    chart = next(part for part in parts if part["kind"] == "lines")
    season_games = site.league.snapshot().all_games(3)
    games = [game for game in season_games if site.asker in game.players]
    placings = [game.players.index(site.asker) + 1 for game in games]
    ends = {curve["name"]: curve["y"][-1] for curve in chart["curves"]}
    means = {
        "通算": sum(placings) / len(placings),
        "直近20戦": sum(placings[-20:]) / 20,
    }
    assert ends == pytest.approx(means)
    assert chart["down"]
    for also in ("matchup", "recent", "gallery", "paifu&show=wins"):
        assert all(
            part in parts
            for part in tables_of(figures(site, f"?ask={also}{query}&seats=3")["parts"])
        )
    assert any("95%区間" in row["detail"] for part in tables_of(parts) for row in rows_of(part))


def test_the_page_has_no_tenhou_names_and_changes_nothing(site: Site) -> None:
    snapshot = site.league.snapshot()
    hidden = {p for p in snapshot.league.players if snapshot.league.shown(p) != p}
    assert hidden
    reports = [figures(site, f"?ask={name}") for name in sorted(SHOWN - {"forecast"})]
    names = "|".join(map(re.escape, hidden))
    assert not re.search(
        f"(?<![一-龠ぁ-ヶ])({names})(?![一-龠ぁ-ヶ])", json.dumps(reports, ensure_ascii=False)
    )
    assert all(
        CATALOGUE[name].answer and not CATALOGUE[name].admin for name in SHOWN if name in CATALOGUE
    )
    assert figures(site, "?ask=remove") == figures(site, "")


def test_the_running_balance_ends_at_the_chats_sums(site: Site) -> None:
    """The lines' last values are those of the table, computed from the texts of both."""
    lines, table = figures(site, "?ask=sum&season=2")["parts"][:2]
    ends = {curve["name"]: curve["y"][-1] for curve in lines["curves"]}
    sums = {row[1]: plain(row[2]) for row in cells(table)}
    assert ends == pytest.approx(sums, abs=0.051)


def test_the_seasons_curve_ends_at_the_chats_chances(site: Site) -> None:
    curve, table = figures(site, "?ask=forecast&season=3")["parts"][:2]
    ends = {c["name"]: f"{c['y'][-1]:.0f}%" for c in curve["curves"]}
    finals = {row[1]: row[2] for row in cells(table) if row[2][0].isdecimal() and row[1] in ends}
    assert curve["unit"] == "%"
    assert {name: ends[name] for name in finals} == finals


def test_the_grid_has_the_boards_figures_in_two_groups(site: Site) -> None:
    (grid,) = figures(site, "?ask=figures")["parts"]
    keys = [key for key, _ in grid["heads"]]
    board = figures(site, "?ask=ranking&by=first")["parts"][0]
    place = keys.index("first")
    values = {row["name"]: row["cells"][place][1] for row in rows_of(grid)}
    assert values == {row[1]: row[2] for row in cells(board)}
    headings = [heading for heading, _ in board["groups"]]
    assert [heading for heading, _ in grid["groups"]] == headings


def test_an_unchanged_answer_is_not_sent_again(site: Site) -> None:
    client = site.client
    token = site.token
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
    files = [path.read_bytes() for path in FILES.iterdir()]
    sent = sum(len(gzip.compress(data)) for data in files)
    page = client.get(f"/league/{token}", headers={"Accept-Encoding": "gzip"})
    assert len(page.data) + len(packed.data) + sent < 300_000


def test_the_vendored_files_are_those_of_uplot() -> None:
    """uPlot 1.6.32, as `npm pack uplot@1.6.32` gives it."""
    for name, digest in DIGESTS.items():
        data = (FILES / name).read_bytes()
        assert hashlib.sha256(data).hexdigest() == digest, name


def test_guests_with_one_name_are_seats_in_a_replay(tmp_path: Path) -> None:
    data = re.sub(rb'\bn([23])="[^"]*"', rb'n\1="NoName"', made(1).xml())
    logs = FolderLogs(tmp_path)
    entry = entry_of(parse(data))
    keep_paifu(logs, data, entry, NOW)
    replayed = game(logs, LeagueRepository(logs).snapshot(), entry.file)
    assert replayed["players"][2:] == ["西家", "北家"]
    assert "NoName" not in str(replayed["moments"])


def league_of(count: int, folder: Path) -> FolderLogs:
    """A league with so many members, none of whom plays in the made records."""
    names = "".join(f'[player."会員{number}"]\n' for number in range(count))
    (folder / "league.toml").write_text(f"members_only = true\n{names}", "utf-8")
    return FolderLogs(folder)


@pytest.mark.parametrize("count", [9, 12, 30])
def test_record_without_members_is_replayed(tmp_path: Path, count: int) -> None:
    data = made(1).xml()
    logs = league_of(count, tmp_path)
    entry = entry_of(parse(data))
    keep_paifu(logs, data, entry, NOW)
    snapshot = LeagueRepository(logs).snapshot()
    assert len(members(snapshot)) == count
    colours = game(logs, snapshot, entry.file)["colours"]
    assert len(set(colours)) == 4


def test_replay_of_an_unknown_record_is_not_found(site: Site) -> None:
    for query in ("", "?game=", "?game=unknown", "?game=../league"):
        assert site.client.get(f"/league/{site.token}/record{query}").status_code == 404


def test_replay_names_who_is_liable(tmp_path: Path) -> None:
    data = gzip.decompress((DATA / "records/four-pao.mjlog").read_bytes())
    logs = FolderLogs(tmp_path)
    record = parse(data)
    entry = entry_of(record)
    keep_paifu(logs, data, entry, NOW)
    replay = game(logs, LeagueRepository(logs).snapshot(), entry.file)
    ends = replay["rounds"][-1]["ends"]
    assert ends.endswith(f"（{record.players[0]}の責任払い）")
