"""The page at `/`: each step of the set-up, in both languages, and nothing that is not for
everybody.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser
from typing import Any

import pytest

from bot import web
from bot.chat.access import ChatAccess
from bot.runtime.translation import Message, japanese
from bot.settings import Settings, read_settings
from bot.web import AWAY, CALLED, CONSOLE, LANGUAGES, NONE, SetUp, start_page as page
from storage.ports import StorageError
from storage.results import ReadMark
from storage.state import State

pytestmark = pytest.mark.any_backend("reads what is kept; nothing is kept")

GROUP = "C" + "1" * 32
WEBHOOK, ENROL, ROOM = web.STEPS.values()
DATABASE = AWAY
READ = {
    "": ReadMark(
        date(2026, 5, 1),
        date(2026, 5, 4),
        frozenset({"C1234"}),
    )
}
STEPS = [CONSOLE, NONE, WEBHOOK, ENROL, ROOM, DATABASE]


@pytest.fixture
def settings() -> Settings:
    line = {"LINE_CHANNEL_SECRET": "s" * 32, "LINE_CHANNEL_ACCESS_TOKEN": "t" * 40}
    return read_settings(line | {"LOGS_URL": "file:logs"})


def set_up(settings: Settings, state: State) -> tuple[SetUp, ChatAccess]:
    access = ChatAccess(
        state.chats, lambda chat, user: False, settings.league_chats, settings.admin_user_ids
    )
    return SetUp(settings, state, access), access


def test_step_by_step_to_the_first_tap(settings: Settings, state: State) -> None:
    setup, access = set_up(settings, state)
    assert setup.next_step() is WEBHOOK
    state.values.put(CALLED, "1")
    assert (
        setup.next_step() is set_up(settings, state)[0].next_step() is ENROL
    )  # so in another process
    access.enrol(GROUP)
    assert setup.next_step() is ROOM
    ticks = re.findall(r"<li( class=\w+)?>", page(ROOM, "ja", "1", "https://x"))
    assert ticks == [" class=done", " class=done", " class=next"]
    state.results.set_read_marks(READ)
    assert setup.next_step() is NONE
    assert page(NONE, "ja", "1", "https://x").count("<li class=done>") == 3


def test_chats_that_the_settings_let_in_need_no_enrolment(settings: Settings, state: State) -> None:
    setup, _ = set_up(replace(settings, league_chats=frozenset({GROUP})), state)
    state.values.put(CALLED, "1")
    assert setup.next_step() is ROOM


def test_what_is_done_is_not_asked_for_again(
    settings: Settings, state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions: list[object] = []
    rows = state.database.rows

    def counted(query: object, *more: Any) -> Sequence[Any]:
        questions.append(query)
        if len(questions) == 1:
            raise StorageError("away")
        return rows(query, *more)

    _, access = set_up(settings, state)
    state.values.put(CALLED, "1")
    access.enrol(GROUP)
    state.results.set_read_marks(READ)
    setup, _ = set_up(settings, state)
    monkeypatch.setattr(state.database, "rows", counted)
    assert setup.next_step() is DATABASE
    assert [setup.next_step() for _ in range(5)] == [NONE] * 5
    assert len(questions) == 5


class Elements(HTMLParser):
    """Checks that every element is closed, and collects the text outside the style."""

    VOID = ("meta", "!doctype")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.words.append(data.strip())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("step", STEPS)
def test_every_page_is_whole(step: Message, language: str) -> None:
    elements = Elements()
    elements.feed(page(step, language, "0.2.0", "https://x.example"))
    assert elements.open == ["html"]
    words = " ".join(elements.words)
    assert step.said(japanese() if language == "ja" else str) in words
    assert ("https://x.example/callback" in words) == (step is WEBHOOK)
    assert bool(re.search("[ぁ-ん]", words)) == (language == "ja")


def test_an_address_of_whoever_asks_makes_no_markup() -> None:
    assert "<script>" not in page(STEPS[-1], "en", "0.2.0", 'https://"><script>alert(1)</script>')
