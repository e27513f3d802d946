"""The console's evening: its games, its fake of Tenhou's room, and the bot that requests it over
HTTP.
"""

import json
import random
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from bot.console.evening import DEMO_ROOM, PLAYED, TenhouRoom, plan
from bot.league.demo import GAMES, STRENGTH, played
from bot.tenhou.client import TenhouClient, TenhouNotFound, is_paifu_id
from bot.tenhou.room import games_of, read_rows
from rating.paifu.checked_walls import open_walls
from rating.paifu.formats import parse
from rating.paifu.recordlog import read as read_log
from rating.roomlog import parse as parse_log
from tests.answers.world import opened, taps, words_of
from tests.backend import Backend
from tests.browser import Phone, needs_chromium
from tests.console.evenings import EveningWorld

pytestmark = pytest.mark.any_backend(
    "the bot's own room client; what it keeps is tested in tests/sync"
)
on_the_page = pytest.mark.xdist_group("page")
START = datetime(2026, 8, 10, 21, 0)


@pytest.mark.parametrize("number", range(GAMES))
def test_a_game_is_whole_and_its_walls_open(number: int) -> None:
    game = played(number)
    record = parse(game.record(("みどり一色", "ぽん&ちー", "m9(-Д-)")))
    assert record.problems == ()
    assert record.players == ("みどり一色", "ぽん&ちー", "m9(-Д-)")
    assert record.rules.name == "三般南喰赤－"
    assert abs(sum(game.scores)) < 0.05
    walls = open_walls(record)
    assert len(walls.rounds) == len(record.rounds)
    assert walls.problem == ""
    for deal in record.rounds:
        assert sum(deal.start) + 1000 * deal.sticks == 105000
    assert sum(record.final) == 105000


@pytest.mark.parametrize("seed", range(30))
def test_nobody_sits_at_two_tables(seed: int) -> None:
    plays = plan(START, random.Random(seed))
    assert len(plays) == PLAYED
    assert len({id(play.played) for play in plays}) == PLAYED
    assert max(play.end for play in plays) - START < timedelta(hours=3)
    for play in plays:
        assert len(set(play.names)) == 3
        assert set(play.names) <= set(STRENGTH)
        assert is_paifu_id(play.id)
        for other in plays:
            if play is not other and play.start < other.end and other.start < play.end:
                assert not set(play.names) & set(other.names)


def test_the_room_s_rows_are_read_as_the_games_that_were_played() -> None:
    now = START
    room = TenhouRoom(lambda: now)
    plays = plan(START, random.Random(3))
    room.open(plays)
    for now in (START + timedelta(minutes=40), START + timedelta(hours=3)):
        games = games_of(read_rows(room.rows(START), DEMO_ROOM.lobby).rows)
        over = [play for play in plays if play.end <= now]
        assert {
            game.paifu: (game.result.names, game.result.scores, game.begin)
            for game in games.finished
        } == {play.id: (play.names, play.played.scores, play.start) for play in over}
        assert len(games.running) == sum(play.start <= now < play.end for play in plays)
        for play in plays:
            assert (room.record(play.id) is not None) == (play in over)
    assert room.rows(now) == ""


@pytest.fixture
def world(
    tmp_path: Path, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> Iterator[EveningWorld]:
    monkeypatch.setattr("bot.console.evening.PLAYED", 3)
    monkeypatch.setattr("bot.sync.paifu_collector.BETWEEN", 0.0)
    with closing(EveningWorld(tmp_path, backend)) as made:
        yield made


def test_games_arrive_while_one_looks(world: EveningWorld) -> None:
    """Ratings, 今日 and 牌譜成績 move; every game is once in the log, with its record."""
    before = words_of(world.tap("request_rating"))
    status, body = world.ask("evening", "POST")
    assert (status, json.loads(body)["running"]) == (200, True)
    assert world.ask("evening", "POST")[0] == 409

    def over() -> bool:
        entries = world.platform.feed.entries("evening")
        if not entries:
            return False
        data = entries[-1].data
        return data["games"] == 3 and not data["running"]

    assert world.platform.wait_for(over, 60), world.played.state()
    states = [entry.data for entry in world.platform.feed.entries("evening")]
    assert states[-1]["done"] == 3
    assert states[-1]["problem"] == ""
    assert any(state["tables"] and state["running"] for state in states)
    log = parse_log("logvol3.txt", (world.logs / "logvol3.txt").read_bytes())
    evening = [game for game in log.games if game.rule == "三般南喰赤－"]
    assert len(evening) == 3
    entries = read_log((world.logs / "recordlog.txt").read_bytes())
    assert len(entries) == 3
    world.look()
    assert words_of(world.say("今日の対局")).count("牌譜 ›") == 3
    assert words_of(world.tap("request_rating")) != before
    assert "牌譜3戦" in words_of(world.say("牌譜成績"))
    assert "押しすぎ" in words_of(world.say("さっきの")) or taps(world.say("牌譜"))
    data = [entry.data for entry in world.platform.feed.entries()]
    assert DEMO_ROOM.secrets[1] not in str(data)


def test_a_second_evening_follows_the_first(world: EveningWorld) -> None:
    for number in (1, 2):
        assert world.played.start()
        assert world.platform.wait_for(lambda: not world.played.state()["running"], 60)
        games = parse_log("logvol3.txt", (world.logs / "logvol3.txt").read_bytes()).games
        assert sum(game.rule == "三般南喰赤－" for game in games) == 3 * number
    assert len(read_log((world.logs / "recordlog.txt").read_bytes())) == 6


def test_the_room_answers_its_own_questions_only(world: EveningWorld) -> None:
    url = f"{world.base}/console/tenhou"
    now = datetime(2026, 8, 10)
    log = "tenhou/cs/edit/cmd_get_log.cgi"
    for body in (
        b"",
        b"L=C193400001234567&T=2026/08/10 04:00:00",
        b"L=%b&T=2026/13/10 04:00:00",
        b"x" * 500,
    ):
        body = body.replace(b"%b", DEMO_ROOM.text.encode())
        assert world.ask(log, "POST", body)[0] in (400, 413)
    with TenhouClient(url) as client:
        assert client.room_log(DEMO_ROOM, now) == ""
        with pytest.raises(TenhouNotFound):
            client.paifu("2026081021gm-0019-11934-00000001")


def test_another_league_has_no_evening(tmp_path: Path, backend: Backend) -> None:
    with opened(tmp_path, backend) as world:
        with urllib.request.urlopen(f"{world.base}/console/evening", timeout=10) as answer:
            assert json.loads(answer.read()) == {"here": False}
        begin = urllib.request.Request(f"{world.base}/console/evening", b"", method="POST")
        with pytest.raises(urllib.error.HTTPError, match="404") as refused:
            urllib.request.urlopen(begin, timeout=10)
        refused.value.close()


@needs_chromium
@on_the_page
def test_the_pages_button_plays_an_evening(world: EveningWorld, browser: Chrome) -> None:
    phone = Phone(world.base, browser)
    phone.tap("#open-tray")
    phone.tap("#begin-evening")
    phone.until(lambda: "卓が対局中" in phone.one("#evening-words").text)
    assert not phone.one("#begin-evening").is_enabled()
    phone.until(lambda: phone.one("#evening-words").text.startswith("3戦が終わりました。"))
    world.look()
    phone.say("今日の対局")
    phone.until(lambda: [text.text for text in phone.all(".flex-text")].count("牌譜 ›") == 3)
    phone.tap(".flex-text", "牌譜 ›")
    phone.until(lambda: "牌譜" in phone.all(".message.mine")[-1].text)
    phone.until(lambda: "牌譜レポート" in phone.one("#thread").text)
    phone.tap("#close-evening")
    assert not phone.one("#evening-line").is_displayed()
    assert phone.one("#begin-evening").is_enabled()
    assert phone.all(".refused") == []
    browser.get("about:blank")
    assert [entry for entry in browser.get_log("browser") if "ERR_" not in entry["message"]] == []


@needs_chromium
@on_the_page
def test_another_league_has_no_button(tmp_path: Path, backend: Backend, browser: Chrome) -> None:
    with opened(tmp_path, backend) as world:
        phone = Phone(world.base, browser)
        phone.tap("#open-tray")
        phone.until(lambda: phone.one("#redeliver").is_displayed())
        assert not phone.one("#begin-evening").is_displayed()
        assert not phone.one("#evening-line").is_displayed()
        browser.get("about:blank")
