"""From a tap in Chromium to the picture in the chat, on the embedded defaults as `make run` starts them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from tests.browser import Phone, chromium, needs_chromium
from tests.fakes.process import Running, service
from tests.fakes.servers import free_port

pytestmark = [needs_chromium, pytest.mark.xdist_group("page")]


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The service with nothing set but where its files go."""
    home = tmp_path_factory.mktemp("home")
    env = {
        "IMAGES_URL": f"file:{home / 'images'}",
        "DATABASE_URL": f"sqlite:///{home / 'state.sqlite3'}",
    }
    with service(free_port(), env) as running:
        yield running


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with chromium(tmp_path_factory.mktemp("chromium")) as made:
        yield made


@pytest.fixture
def phone(embedded: Running, browser: Chrome) -> Iterator[Phone]:
    browser.get_log("browser")
    yield Phone(embedded.url, browser)
    problems = [entry for entry in browser.get_log("browser") if "ERR_" not in entry["message"]]
    browser.get("about:blank")
    assert problems == []


def test_a_tap_on_the_rating_button_shows_the_chart(phone: Phone, tmp_path: Path) -> None:
    phone.postback("request_rating")
    picture = phone.one(".message.theirs .picture img")
    phone.until(lambda: picture.get_property("naturalWidth") == 1200)
    assert phone.one(".flex-bubble.size-giga").is_displayed()
    assert "みどり" in phone.one(".flex-bubble.size-giga").text


def test_the_menu_word_brings_buttons_that_answer(phone: Phone) -> None:
    phone.say("メニュー")
    before = len(phone.all(".message.theirs"))
    phone.tap(".flex-bubble .flex-text", "レーティング")
    phone.until(lambda: len(phone.all(".message.theirs")) > before)
    assert phone.one(".message.mine .bubble", "レーティング")
