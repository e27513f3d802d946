"""The menu comes for a word and for a mention. Each of its buttons gets an answer."""

from __future__ import annotations

import pytest

from bot.answers.catalogue import CATALOGUE
from bot.demo_chat import DEMO_GROUP
from tests.answers.world import ADMIN, MEMBER, World, taps, words_of

pytestmark = pytest.mark.any_backend("offers what there is; nothing is kept")


@pytest.mark.parametrize("chat", [DEMO_GROUP, MEMBER])
def test_every_question_is_in_the_menu_and_answers(world: World, chat: str) -> None:
    buttons = taps(world.say("メニュー", MEMBER, chat))
    shown = [spec for spec in CATALOGUE.values() if not (spec.hidden or spec.admin)]
    assert buttons == {spec.title: spec.data for spec in shown}
    for data in buttons.values():
        assert world.tap(data, MEMBER, chat)


def test_a_mention_brings_it(world: World) -> None:
    menu = world.say("メニュー")
    assert world.say("@雀録 ") == menu
    assert menu[0]["altText"] == "雀録杯のメニュー"


def test_help_names_the_admin_s_commands_to_admins_only(world: World) -> None:
    assert "新シーズン" not in words_of(world.say("ヘルプ"))
    assert "新シーズン" in words_of(world.say("ヘルプ", ADMIN))
    assert "新シーズン" not in taps(world.say("メニュー", ADMIN))
