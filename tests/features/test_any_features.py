"""A bot with any of its features works: nothing leads to what it does not have.

These tests know no feature but the common one. test_removed.py runs them again in copies of the
tree, each without one feature.
"""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from bot.answers.catalogue import CATALOGUE, FEATURES
from bot.chat.command import DATA, Command, Question
from bot.chat.reach import reachable
from bot.chat.replies import Reply, UserError
from bot.demo_chat import DEMO_GROUP
from bot.line import menu_pages
from bot.page import figures as page
from bot.page.views import FIGURES, TABS
from bot.texts import BROKEN
from tests.answers import leagues
from tests.answers.leagues import NINE, log_of
from tests.answers.world import ADMIN, LEAGUE, LOG, BotWorld, opened, taps, words_of
from tests.backend import Backend, app
from tests.fakes.line import fake_line
from tests.fakes.tenhou import FakeTenhou
from tests.sync.worlds import ROOM, month, show

FIRST_DAY = date(2020, 5, 15)
TYPED = (
    "レーティング",
    "今日",
    "いま",
    "21時から",
    "結果 みどり 52000 東風 31000 白發中 22000",
    "https://tenhou.net/0/?log=2026050100gm-0089-0000-01234567&tw=0",
    "みどり 白發中",
    "俺の今年のまとめ",
    "今年の収支",
    "みどりの成績どう？",
    "先月",
    "期間",
)
"""Texts of every form. The asker is a member, so that own figures can be requested."""

OPTIONS: tuple[dict[str, str], ...] = (
    {},
    {"season": "all"},
    {"player": NINE[0]},
    {"from": "2026-01-03"},
)


@pytest.fixture
def world(tmp_path: Path, backend: Backend, tenhou: FakeTenhou) -> Iterator[BotWorld]:
    with opened(tmp_path, backend, {"TENHOU_URL": tenhou.url}) as made:
        made.write("league.toml", LEAGUE)
        made.write("logvol1.txt", LOG)
        yield made


def data_in(part: Any) -> Iterator[str]:
    """All postback data in a reply."""
    if isinstance(part, str):
        if part.startswith(DATA):
            yield part
    elif isinstance(part, tuple | list):
        for inner in part:
            yield from data_in(inner)
    elif is_dataclass(part):
        for field in fields(part):
            yield from data_in(getattr(part, field.name))


def absent_commands(data: Iterator[str]) -> set[str]:
    names = {text.removeprefix(DATA).partition("?")[0] for text in data}
    return names - set(CATALOGUE)


def answer_to(world: leagues.LeagueWorld, question: Question) -> Reply:
    try:
        if question.spec.answer is not None:
            return question.spec.answer(question)
        return question.spec.act(question, world.tools)
    except UserError as error:
        return error.reply


@pytest.fixture(scope="module")
def worlds() -> tuple[leagues.LeagueWorld, leagues.LeagueWorld]:
    """A member in the group, and an admin in the 1:1 chat, of a small league with teams."""
    files = {
        **leagues.LEAGUES["nine"],
        "logvol1.txt": log_of(NINE, 40, chips=False, first=date(2026, 1, 3)),
        "logvol2.txt": log_of(NINE, 32),
    }
    group = leagues.LeagueWorld(files, NINE[0])
    alone = leagues.LeagueWorld(files, NINE[0], group=False, repository=group.repository)
    alone.asker = replace(alone.asker, admin=True)
    return group, alone


@pytest.mark.parametrize("name", CATALOGUE)
def test_an_answer_leads_to_commands_of_the_bot(
    name: str, worlds: tuple[leagues.LeagueWorld, leagues.LeagueWorld]
) -> None:
    if CATALOGUE[name].slow and CATALOGUE[name].action is not None:
        pytest.skip("asks Tenhou or LINE")
    for world in worlds:
        for options in OPTIONS:
            question = world.question(Command(name, options))
            reply = reachable(answer_to(world, question), CATALOGUE)
            assert absent_commands(data_in(reply)) == set(), options


def test_the_bot_answers_texts_of_every_form(world: BotWorld) -> None:
    world.say("自分 みどり", ADMIN, ADMIN)
    for words in TYPED:
        answer = world.say(words, ADMIN, ADMIN)
        assert answer, words
        assert absent_commands(iter(taps(answer).values())) == set(), words
        assert BROKEN not in words_of(answer), words


def test_rating_and_menu_are_answered(world: BotWorld) -> None:
    menu = taps(world.say("メニュー"))
    assert menu
    more = taps(world.tap("request_menu?more=1"))
    assert absent_commands(iter(menu.values())) == set()
    assert absent_commands(iter(more.values())) == set()
    listed = str(world.say("ヘルプ"))
    assert [spec.name for spec in CATALOGUE.values() if spec.help and spec.help in listed]
    if "rating" in CATALOGUE:
        assert "みどり" in str(world.say("レーティング"))


def test_the_rich_menu_leads_to_commands_of_the_bot() -> None:
    for tab in menu_pages.pages(CATALOGUE):
        data = [area["action"]["data"] for area in tab.body["areas"]]
        assert absent_commands(text for text in data if text.startswith(DATA)) == set()


def test_the_page_asks_commands_of_the_bot(world: BotWorld) -> None:
    repository = world.service.registry.league("")
    for _, data in TABS:
        name = data.removeprefix(DATA)
        assert name == FIGURES or name in CATALOGUE
        question = page.question_of(repository, {"ask": name}, world.now)
        assert question.command.name == name
        assert page.answered(question).parts


def test_a_sync_takes_games_in_and_tells_the_group(
    tmp_path: Path, backend: Backend, tenhou: FakeTenhou
) -> None:
    games = month(40, FIRST_DAY, 3)
    show(tenhou, games)
    toml = f'rooms = ["{ROOM}"]\ndigest = true\n'
    with fake_line("http://127.0.0.1:9/callback") as (line, env):
        ours = {"TENHOU_URL": tenhou.url, "PUBLIC_URL": "https://janroku.example"}
        ours |= backend.files(tmp_path) | backend.env(tmp_path)
        with app(env | ours, tenhou.clock) as served:
            folder = backend.logs(tmp_path)
            folder.mkdir()
            (folder / "league.toml").write_text(toml, "utf-8")
            result = served.test_cli_runner().invoke(args=["sync"])
            assert result.exit_code == 0, result.output
            assert "|" in (folder / "logvol1.txt").read_text("utf-8")
            pushed = line.messages(DEMO_GROUP)
            assert bool(pushed) == any(feature.name == "games" for feature in FEATURES.features)
            assert absent_commands(iter(taps(pushed).values())) == set()
