"""The replay's states in the page's own JavaScript are those of a second reading of the record."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from bot.page.replay import round_json
from rating.paifu.formats import parse
from rating.paifu.melds import Meld
from rating.paifu.record import Away, Riichi, Round
from rating.paifu.table import WallCount, replay
from tests.browser import needs_chromium
from tests.real import RECORDS

STATES = """
const [rounds, done] = arguments;
const digest = async (states) => {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(states)));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};
import("/page/round_state.js").then(({ dealtState, play }) => Promise.all(rounds.map((round) => {
  const state = dealtState(round);
  return digest(round.events.map((event) => {
    play(state, event);
    return [
      state.hands.map((hand) => [...hand].sort((a, b) => a - b)),
      state.rivers.map((river) => river.map((one) => [one.tile, one.drawn, one.riichi])),
      state.melds.map((melds) => melds.map((meld) => [meld.type, meld.tiles, meld.called])),
      [...state.indicators], [...state.scores], state.sticks, state.drawn, state.replaced,
    ];
  }));
}))).then(done);
"""
pytestmark = [needs_chromium, pytest.mark.xdist_group("league page")]


class Seen(NamedTuple):
    """What is on the table after an event, in the order of the script's own list."""

    hands: list[list[int]]
    rivers: list[list[list[Any]]]
    melds: list[list[list[Any]]]
    indicators: list[int]
    scores: list[int]
    sticks: int
    drawn: int
    replaced: int


def states_of(played: Round) -> list[Seen]:
    """The states after the events that the page shows, read by the table's own rules."""
    count = WallCount()
    states = []
    scores = list(played.start[: played.seats])
    sticks = played.sticks
    for event, table in replay(played):
        count.apply(event)
        if isinstance(event, Riichi) and event.step == 2:
            scores[event.seat] -= 1000
            sticks += 1
        if isinstance(event, Away):
            continue
        state = Seen(
            hands=[sorted(hand) for hand in table.hands],
            rivers=[list(map(list, river)) for river in table.rivers],
            melds=[list(map(meld_parts, melds)) for melds in table.melds],
            indicators=list(table.indicators),
            scores=list(scores),
            sticks=sticks,
            drawn=count.drawn,
            replaced=count.taken,
        )
        states.append(state)
    return states


def meld_parts(meld: Meld) -> list[Any]:
    return [meld.type, list(meld.tiles), meld.called]


def digest(states: list[Seen]) -> str:
    text = json.dumps(states, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_the_script_plays_each_event_as_the_table(url: str, browser: Chrome, path: Path) -> None:
    if not browser.current_url.startswith(url):
        browser.get(url)
    record = parse(path.read_bytes())
    names = [f"{seat}" for seat in range(record.seats)]
    rounds = [round_json(played, names, None) for played in record.rounds]
    digests = [digest(states_of(played)) for played in record.rounds]
    assert browser.execute_async_script(STATES, rounds) == digests


class ReplayPage:
    """The page of a replay, as a reader uses it."""

    def __init__(self, browser: Chrome) -> None:
        self.browser = browser
        self.body = browser.find_element(By.TAG_NAME, "body")

    def elements(self, selector: str) -> list[WebElement]:
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    @property
    def caption(self) -> str:
        return self.browser.find_element(By.CSS_SELECTOR, ".said").text

    def press(self, key: str) -> None:
        self.body.send_keys(key)

    def button(self, text: str) -> WebElement:
        return next(each for each in self.elements("#replay button") if each.text == text)


def open_replay(url: str, browser: Chrome) -> ReplayPage:
    """The replay of a game of the demo league, which has three seats."""
    browser.get(f"{url}?ask=recent")
    browser.find_element(By.CSS_SELECTOR, 'th a[href*="game="]').click()
    WebDriverWait(browser, 10).until(lambda shown: shown.find_elements(By.CSS_SELECTOR, ".seat"))
    return ReplayPage(browser)


def test_keys_move_and_hands_can_be_hidden(url: str, browser: Chrome) -> None:
    browser.get(f"{url}?ask=recent")
    browser.get_log("browser")
    browser.find_element(By.CSS_SELECTOR, 'th a[href*="game="]').click()
    browser.implicitly_wait(10)
    page = ReplayPage(browser)
    assert len(page.elements(".seat")) == 3
    assert page.caption == "配牌"
    page.press(Keys.ARROW_RIGHT)
    assert "ツモ" in page.caption
    page.press(Keys.ARROW_LEFT)
    assert page.caption == "配牌"
    browser.find_element(By.CSS_SELECTOR, '[aria-label="手牌"]').send_keys(Keys.ARROW_DOWN)
    assert len(page.elements('.hand use[href="#back"]')) == 26
    browser.implicitly_wait(0)
    assert page.elements(".next") == []
    assert browser.get_log("browser") == []


def test_bars_show_the_top_table_until_they_are_switched_off(url: str, browser: Chrome) -> None:
    page = open_replay(url, browser)
    page.press(Keys.ARROW_RIGHT)
    bars = page.elements(".hand .share")
    assert len(bars) == 14
    labels = [bar.get_attribute("aria-label") for bar in bars]
    assert all(re.fullmatch(r"上位卓 (<1|\d+)%", label) for label in labels)
    assert len(page.elements(".hand .taken")) == 1
    switch = page.button("上位卓")
    switch.click()
    assert page.elements(".share") == []
    switch.click()
    assert len(page.elements(".hand .share")) == 14


def test_bars_are_hidden_with_the_hand(url: str, browser: Chrome) -> None:
    page = open_replay(url, browser)
    page.press(Keys.ARROW_RIGHT)
    dealer = page.elements(".seat.acts h2")[0].text
    choice = browser.find_element(By.CSS_SELECTOR, '[aria-label="手牌"]')
    for option in choice.find_elements(By.TAG_NAME, "option")[1:]:
        option.click()
        name = option.text.removesuffix("だけ")
        expected = 14 if name in dealer else 0
        assert len(page.elements(".share")) == expected


def test_a_key_or_a_tap_goes_to_the_next_unusual_discard(url: str, browser: Chrome) -> None:
    page = open_replay(url, browser)
    page.press("n")
    (share,) = page.elements(".taken .share")
    assert share.get_attribute("aria-label") in {f"上位卓 {n}%" for n in ("<1", 1, 2, 3, 4, 5)}
    first = page.caption
    browser.find_element(By.CSS_SELECTOR, '[aria-label="次の珍しい打牌"]').click()
    assert page.elements(".taken .share")
    page.press("p")
    assert page.caption == first
