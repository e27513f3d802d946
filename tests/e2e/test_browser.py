"""A tap in Chromium brings a picture into the chat, with the service as `make run` starts it."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from bot.answers.common.help import FIRST
from bot.answers.standings.race import WIDTH
from bot.line.menu_pages import PAGES
from tests.backend import Backend
from tests.browser import Phone, needs_chromium
from tests.fakes.process import Running, service, web_command
from tests.fakes.servers import free_port

PRESS = "[...document.querySelectorAll('.flex-bubble .flex-text')].find(e => e.innerText === arguments[0]).click()"

pytestmark = [needs_chromium, pytest.mark.xdist_group("page")]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, backend: Backend) -> Iterator[Running]:
    """The service with only its stores of pictures and state set, and a worker on the cloud
    backend.
    """
    home = tmp_path_factory.mktemp("home")
    port = free_port()
    env = {"IMAGES_URL": f"file:{home / 'images'}", **backend.env(home)}
    with ExitStack() as stack:
        if backend.kind == "workers":
            stack.enter_context(service(port, env, web_command("worker")))
        yield stack.enter_context(service(port, env))


@pytest.fixture
def phone(running: Running, browser: Chrome) -> Iterator[Phone]:
    browser.get_log("browser")
    yield Phone(running.url, browser)
    problems = [entry for entry in browser.get_log("browser") if "ERR_" not in entry["message"]]
    browser.get("about:blank")
    assert problems == []


def test_a_tap_on_the_rating_button_shows_the_chart(phone: Phone, tmp_path: Path) -> None:
    phone.postback("request_rating")
    picture = phone.one(".message.theirs .picture img")
    phone.until(lambda: picture.get_property("naturalWidth") == 1200)
    assert phone.one(".flex-bubble.size-giga").is_displayed()
    assert "みどり" in phone.all(".flex-bubble.size-giga")[-2].text  # above the buttons' bubble


def wait_for_answer(phone: Phone, answered: int) -> None:
    """Wait until the bot has sent more than `answered` messages."""
    phone.until(lambda: len(phone.all(".message.theirs")) > answered)


def test_the_race_of_a_season_plays(phone: Phone) -> None:
    """A group reads that a slow answer is coming; once it is made, the same word brings it."""
    for _ in range(5):
        answered = len(phone.all(".message.theirs"))
        phone.say("まとめ")
        wait_for_answer(phone, answered)
        if phone.all(".flex-picture"):
            break
    race = phone.one(".flex-picture")
    phone.until(lambda: race.get_property("naturalWidth") == WIDTH)
    first = race.screenshot_as_png
    phone.until(lambda: race.screenshot_as_png != first)


def test_the_menu_word_brings_buttons_that_answer(phone: Phone) -> None:
    """Each button of the Flex menu is tapped in turn.

    Each gets an answer that LINE would accept.
    """
    phone.say("メニュー")
    phone.one(".flex-bubble .flex-text", "レーティング")
    shown = {text.text for text in phone.all(".flex-bubble .flex-text")}
    assert shown > set(FIRST) - {"牌譜"}
    for label in [*filter(shown.__contains__, FIRST), "募集"]:
        answered = len(phone.all(".message.theirs"))
        phone.browser.execute_script(PRESS, label)
        wait_for_answer(phone, answered)
    assert phone.all(".refused") == []


def test_the_rich_menus_buttons_answer(phone: Phone) -> None:
    """In the 1:1 chat each tab of the rich menu has six buttons that answer and one for the other
    tab.
    """
    phone.tap("#in-private")
    areas = "#rich-menu button.area"
    for _ in PAGES:
        phone.until(lambda: len(phone.all(areas)) == 7)
        shown = phone.one("#rich-menu img").get_attribute("src")
        for place in range(6):
            answered = len(phone.all(".message.theirs"))
            phone.browser.execute_script("arguments[0].click()", phone.all(areas)[place])
            wait_for_answer(phone, answered)
        phone.browser.execute_script("arguments[0].click()", phone.all(areas)[6])
        phone.until(lambda old=shown: phone.one("#rich-menu img").get_attribute("src") != old)
    assert phone.all(".refused") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_start_page_leads_to_the_console(
    running: Running, browser: Chrome, scheme: str
) -> None:
    """On a phone it fits the screen, in the colours the phone asks for; the browser refuses nothing
    of it.
    """
    browser.get_log("browser")
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    try:
        browser.get(running.url + "/")
        paper = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        _, _, colours = paper.partition("(")
        red, *_ = colours.split(",")
        assert (int(red) < 128) == (scheme == "dark")
        assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        assert browser.find_element(By.TAG_NAME, "h1").text in ("雀録", "Janroku")
        browser.find_element(By.TAG_NAME, "a").click()
        assert browser.current_url == running.url + "/console/"
        assert [
            entry for entry in browser.get_log("browser") if "Content Security" in entry["message"]
        ] == []
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        browser.get("about:blank")
