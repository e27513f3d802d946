"""危険度 in the chat reads a hand, discards and dora in the usual notation; anything else gets a help sentence."""

from __future__ import annotations

import pytest

from bot.answers.paifu import danger
from bot.answers.paifu.danger import Asked, read
from bot.answers.paifu.tile_words import tile_name
from bot.chat.replies import UserError
from bot.demo_chat import DEMO_GROUP
from tests.answers.paifu.world import RecordWorld
from tests.answers.world import taps
from tests.schema import assert_messages_pass

HAND = "123m406p789s1123z"


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        (f"{HAND} 19m4p2z", Asked(HAND, ("19m4p2z",))),
        (f"{HAND} 19m4p2z 5s 1z", Asked(HAND, ("19m4p2z", "5s", "1z"))),
        (f"{HAND} 19m ドラ3m", Asked(HAND, ("19m",), "3m")),
        (f"{HAND} 19m ドラ 3m 5p", Asked(HAND, ("19m",), "3m5p")),
        (f"{HAND} ドラ3m 19m 4p", Asked(HAND, ("19m", "4p"), "3m")),
        (f"{HAND} 河 19m 4p 2z 河 5s どら3m", Asked(HAND, ("19m4p2z", "5s"), "3m")),
        ("手牌 123m 406p 789s 河 19m 4p 2z 河 5s 6s ドラ表示 3m", Asked("123m406p789s", ("19m4p2z", "5s6s"), "3m")),
        ("１２３ｍ４０６ｐ 河：１９ｍ ドラ：３ｍ", Asked("123m406p", ("19m",), "3m")),
        ("123M406P 19M", Asked("123m406p", ("19m",))),
        (HAND, Asked(HAND)),
        ("", Asked()),
        ("たかい ね", None),
        (f"{HAND} 8z", None),
        (f"{HAND} 19", None),
        (f"{HAND} m", None),
    ],
)  # fmt: skip
def test_notation(words: str, asked: Asked | None) -> None:
    if asked is None:
        with pytest.raises(UserError):
            read(words.split())
    else:
        assert read(words.split()) == asked


def test_a_picture_and_the_safest_discards(world: RecordWorld) -> None:
    messages = world.say(f"危険度 {HAND} 19m4p2z ドラ3m")
    assert_messages_pass(messages)
    assert [message["type"] for message in messages] == ["image", "text"]
    assert messages[1]["text"].startswith("安全：1萬、4筒、南\n通りやすい順：東 1.3%、")
    assert "いちばん危ない：6筒 11.7%" in messages[1]["text"]
    assert "めやす" in messages[1]["text"]


def test_nothing_is_safe(world: RecordWorld) -> None:
    assert "安全：ありません" in world.say("危険度 456p 1z")[1]["text"]


def test_everything_is_safe(world: RecordWorld) -> None:
    assert world.say("危険度 11z 1z")[1]["text"] == "安全：東"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("", danger.HOW),
        (HAND, danger.NO_RIVER),
        ("河 123m", danger.NO_HAND),
        (f"{HAND} 1m 2m 3m 4m", danger.MANY_RIVERS),
        ("123456789m123456p 1z", danger.MANY_TILES.format(15)),
        ("1111m 1m", "1萬の枚数が多すぎます。"),
        ("00m 1z", "赤5萬の枚数が多すぎます。"),
        ("5555m 0m", "5萬の枚数が多すぎます。"),
        (f"{HAND} 8z", danger.ODD.format("8z")),
    ],
)
def test_what_is_wrong_comes_with_an_example(world: RecordWorld, words: str, sentence: str) -> None:
    messages = world.say(f"危険度 {words}")
    assert_messages_pass(messages)
    text = messages[0]["text"]
    assert text.startswith(sentence)
    assert text.count(danger.HOW) == 1


def test_the_example_of_the_help_works(world: RecordWorld) -> None:
    messages = world.tap(taps(world.tap("request_danger"))["例を見る"])
    assert messages[0]["type"] == "image"
    assert danger.EXAMPLE in danger.HOW


def test_talk_about_danger_is_left_alone(world: RecordWorld) -> None:
    said = world.platform.say(
        DEMO_GROUP, world.platform.directory.groups[DEMO_GROUP].members[0], "危険 だったね"
    )
    world.tap("request_menu")
    assert not world.platform.replied(said)


def test_tiles_in_words() -> None:
    assert [tile_name(tile) for tile in (0, 16, 17, 52, 88, 107, 108, 132)] == [
        "1萬", "赤5萬", "5萬", "赤5筒", "赤5索", "9索", "東", "中",
    ]  # fmt: skip
