"""The replay's states in the page's own JavaScript are those of a second reading of the record."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from bot.page.replay import round_json
from rating.paifu.formats import parse
from rating.paifu.record import Riichi, Round
from rating.paifu.table import WallCount, replay
from tests.browser import needs_chromium
from tests.real import RECORDS

STATES = """
const [rounds, done] = arguments;
const digest = async (states) => {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(states)));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};
import("/page/replay.js").then(({ begin, play }) => Promise.all(rounds.map((round) => {
  const state = begin(round);
  return digest(round.events.map((event) => {
    play(state, event);
    return [
      state.hands.map((hand) => [...hand].sort((a, b) => a - b)),
      state.rivers.map((river) => river.map((one) => [one.tile, one.drawn, one.riichi])),
      state.melds.map((melds) => melds.map((meld) => [meld.type, meld.tiles, meld.called])),
      [...state.indicators], [...state.scores], state.sticks, state.drawn, state.taken,
    ];
  }));
}))).then(done);
"""
pytestmark = [needs_chromium, pytest.mark.xdist_group("league page")]


def read(played: Round) -> list[Any]:
    """The states after the events that the page is told, read by the table's own rules."""
    count = WallCount()
    states = []
    scores = list(played.start[: played.seats])
    sticks = played.sticks
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
            [
                hands,
                rivers,
                melds,
                list(table.indicators),
                list(scores),
                sticks,
                count.drawn,
                count.taken,
            ]
        )
    return states


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_state_is_that_of_a_second_reading(url: str, browser: Chrome, path: Path) -> None:
    if not browser.current_url.startswith(url):
        browser.get(url)
    record = parse(path.read_bytes())
    names = [f"{seat}" for seat in range(record.seats)]
    told = [round_json(played, names, None) for played in record.rounds]
    states = [json.dumps(read(played), separators=(",", ":")).encode() for played in record.rounds]
    shown = browser.execute_async_script(STATES, told)
    assert shown == [hashlib.sha256(each).hexdigest() for each in states]


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
    browser.implicitly_wait(0)
    assert not browser.find_elements(By.CSS_SELECTOR, ".next")
    assert browser.get_log("browser") == []
