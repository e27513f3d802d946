"""The page's button plays an evening of the demo league, and its line tells how far it is."""

from contextlib import closing
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from tests.answers.world import opened
from tests.backend import Backend
from tests.browser import Phone, needs_chromium
from tests.console.evenings import EveningWorld

pytestmark = [
    needs_chromium,
    pytest.mark.xdist_group("page"),
    pytest.mark.any_backend("the page; what the bot keeps is tested in tests/sync"),
]


def test_an_evening_is_played(
    tmp_path: Path, backend: Backend, browser: Chrome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.console.evening.PLAYED", 3)
    monkeypatch.setattr("bot.sync.league_job.BETWEEN", 0.0)
    with closing(EveningWorld(tmp_path, backend)) as world:
        phone = Phone(world.base, browser)
        phone.tap("#open-tray")
        phone.tap("#begin-evening")
        phone.until(lambda: "卓が対局中" in phone.one("#evening-words").text)
        assert not phone.one("#begin-evening").is_enabled()
        phone.until(lambda: phone.one("#evening-words").text.startswith("3戦が終わりました。"))
        world.look()
        phone.say("今日の対局")
        phone.until(lambda: len([e for e in phone.all(".flex-text") if e.text == "牌譜 ›"]) == 3)
        phone.tap(".flex-text", "牌譜 ›")
        phone.until(lambda: "牌譜" in phone.all(".message.mine")[-1].text)
        phone.until(lambda: "牌譜レポート" in phone.one("#thread").text)
        phone.tap("#close-evening")
        assert not phone.one("#evening-line").is_displayed()
        assert phone.one("#begin-evening").is_enabled()
        assert phone.all(".refused") == []
        browser.get("about:blank")
        assert [entry for entry in browser.get_log("browser") if "ERR_" not in entry["message"]] == []


def test_another_league_has_no_button(tmp_path: Path, backend: Backend, browser: Chrome) -> None:
    with opened(tmp_path, backend) as world:
        phone = Phone(world.base, browser)
        phone.tap("#open-tray")
        phone.until(lambda: phone.one("#redeliver").is_displayed())
        assert not phone.one("#begin-evening").is_displayed()
        assert not phone.one("#evening-line").is_displayed()
        browser.get("about:blank")
