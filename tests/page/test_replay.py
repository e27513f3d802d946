"""The replay's state, played by the page's own JavaScript in Chromium, is that of a second reading of the
record after every event; the game's page in the browser."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from werkzeug.serving import make_server

from bot.demo_chat import DEMO_GROUP
from bot.league.demo import ensure_demo
from bot.page.replay import round_json
from bot.service import Service
from bot.settings import read_settings
from bot.web import create_web
from rating.paifu.mjlog import parse
from rating.paifu.record import Riichi, Round
from rating.paifu.table import WallCount, replay
from tests.browser import chromium, needs_chromium
from tests.real import RECORDS

STATES = """
const [rounds, done] = arguments;
import("/page/replay.js").then(({ begin, play }) => done(rounds.map((round) => {
  const state = begin(round);
  return round.events.map((event) => {
    play(state, event);
    return [
      state.hands.map((hand) => [...hand].sort((a, b) => a - b)),
      state.rivers.map((river) => river.map((one) => [one.tile, one.drawn, one.riichi])),
      state.melds.map((melds) => melds.map((meld) => [meld.type, meld.tiles, meld.called])),
      [...state.indicators], [...state.scores], state.sticks, state.drawn, state.taken,
    ];
  });
})));
"""
pytestmark = [needs_chromium, pytest.mark.xdist_group("league page")]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the demo league's page."""
    home = tmp_path_factory.mktemp("replay")
    ensure_demo(home / "logs")
    app = Flask(__name__)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    base = f"http://127.0.0.1:{server.server_port}"
    where = {"LOGS_URL": f"file:{home / 'logs'}", "DATABASE_URL": f"sqlite:///{home / 's.sqlite3'}"}
    service = Service(read_settings({**where, "LEAGUE_CHATS": DEMO_GROUP, "PUBLIC_URL": base}))
    app.register_blueprint(create_web(service))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield service.links.url("")
    server.shutdown()
    thread.join()
    server.server_close()
    service.state.close()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with chromium(tmp_path_factory.mktemp("chromium")) as made:
        made.set_script_timeout(60)
        yield made


def read(played: Round) -> list[Any]:
    """The states after the events that the page is told, read by the table's own rules."""
    count, states = WallCount(), []
    scores, sticks = list(played.start[: played.seats]), played.sticks
    for event, table in replay(played):
        count.apply(event)
        if isinstance(event, Riichi) and event.step == 2:
            scores[event.seat] -= 1000
            sticks += 1
        if type(event).__name__ == "Away":
            continue
        melds = [[[m.type, list(m.tiles), m.called] for m in own] for own in table.melds]
        rivers = [[list(tile) for tile in river] for river in table.rivers]
        hands = [sorted(hand) for hand in table.hands]
        states.append(
            [hands, rivers, melds, list(table.indicators), list(scores), sticks, count.drawn, count.taken]
        )
    return states


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_state_is_that_of_a_second_reading(url: str, browser: Chrome, path: Path) -> None:
    if not browser.current_url.startswith(url):
        browser.get(url)
    record = parse(path.read_bytes())
    names = [f"{seat}" for seat in range(record.seats)]
    told = json.loads(json.dumps([round_json(played, names, None) for played in record.rounds]))
    shown = browser.execute_async_script(STATES, told)
    assert shown == json.loads(json.dumps([read(played) for played in record.rounds]))


def test_a_game_is_played_with_keys_and_each_hand_can_be_hidden(url: str, browser: Chrome) -> None:
    browser.get(f"{url}?ask=recent")
    browser.get_log("browser")
    browser.find_element(By.CSS_SELECTOR, 'th a[href*="game="]').click()
    panels = lambda: browser.find_elements(By.CSS_SELECTOR, ".seat")  # noqa: E731
    said = lambda: browser.find_element(By.CSS_SELECTOR, ".said").text  # noqa: E731
    browser.implicitly_wait(10)
    assert len(panels()) == 3
    assert said() == "配牌"
    body = browser.find_element(By.TAG_NAME, "body")
    body.send_keys(Keys.ARROW_RIGHT)
    assert "ツモ" in said()
    body.send_keys(Keys.ARROW_LEFT)
    assert said() == "配牌"
    hands = browser.find_elements(By.TAG_NAME, "select")[1]
    hands.send_keys(Keys.ARROW_DOWN)
    assert len(browser.find_elements(By.CSS_SELECTOR, '.hand use[href="#back"]')) == 26
    assert not browser.find_elements(By.CSS_SELECTOR, ".next")
    assert browser.get_log("browser") == []


@pytest.mark.parametrize(
    "query", ["", "?ask=sum", "?ask=figures", "?ask=player", "?ask=recent", "?ask=paifu"]
)
def test_a_view_fits_every_screen_without_a_fault(url: str, browser: Chrome, query: str) -> None:
    browser.get_log("browser")
    for width in (320, 390, 1280):
        screen = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        browser.get(url + query)
        wide = browser.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1]
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert browser.get_log("browser") == []


def test_a_line_goes_and_comes_and_a_head_sorts(url: str, browser: Chrome) -> None:
    browser.implicitly_wait(10)
    browser.get(url)
    name = browser.find_element(By.CSS_SELECTOR, ".names button")
    name.send_keys(Keys.ENTER)
    assert name.get_attribute("aria-pressed") == "false"
    browser.get(f"{url}?ask=figures")
    browser.find_element(By.CSS_SELECTOR, '[data-key="total"] button').send_keys(Keys.ENTER)
    column = "[...document.querySelectorAll('.grid tbody:first-of-type tr')].map((row) => Number(row.cells[2].dataset.value))"
    sums = browser.execute_script(f"return {column}")
    assert sums == sorted(sums, reverse=True)
    assert len(sums) > 5
