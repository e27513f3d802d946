"""Drive the console's page in a Chromium with a phone's screen size."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

CHROMIUM = shutil.which("chromium")
DRIVER = shutil.which("chromedriver")
QUIET = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-prefers-reduced-motion",
]
needs_chromium = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="no Chromium here")


@contextmanager
def chromium(profile: Path, width: int = 390, height: int = 844) -> Iterator[Chrome]:
    """A browser with a phone's screen and a profile of its own."""
    options = ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for argument in [*QUIET, f"--user-data-dir={profile}"]:
        options.add_argument(argument)
    metrics = {"width": width, "height": height, "pixelRatio": 2.0}
    options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    made = Chrome(options=options, service=Service(DRIVER))
    try:
        yield made
    finally:
        made.quit()


class Phone:
    """What a member sees and does on the console's page."""

    def __init__(self, base: str, browser: Chrome) -> None:
        self.browser = browser
        browser.get(base + "/console/")
        browser.execute_script("sessionStorage.clear()")
        browser.refresh()
        self.until(lambda: self.all("#asker option"))

    def until(self, ready: Callable[[], Any]) -> Any:
        redrawn = [StaleElementReferenceException]
        return WebDriverWait(self.browser, 60, 0.05, redrawn).until(lambda _: ready())

    def all(self, selector: str) -> list[WebElement]:
        return list(self.browser.find_elements(By.CSS_SELECTOR, selector))

    def one(self, selector: str, text: str | None = None) -> WebElement:
        """The last element that matches, once there is one."""

        def found() -> WebElement | None:
            drawn = [each for each in self.all(selector) if text is None or each.text == text]
            return drawn[-1] if drawn else None

        element: WebElement = self.until(found)
        return element

    def tap(self, selector: str, text: str | None = None) -> None:
        element = self.one(selector, text)
        self.until(element.is_displayed)
        element.click()

    def postback(self, data: str) -> None:
        self.tap("#open-tray")
        self.tap("#postbacks button", data)

    def say(self, text: str) -> None:
        self.one("#text").send_keys(text, Keys.ENTER)
