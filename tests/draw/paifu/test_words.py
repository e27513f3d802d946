"""The words of a paifu's report: how a round ended, a hand's yaku, and luck."""

import pytest

from bot.answers.common.figures import luck_words
from bot.answers.paifu.analysis import points_words, result, shanten_words, wind, yaku_words
from bot.answers.paifu.game_page import luck_lines
from bot.answers.paifu.hands import lost_words
from rating.paifu.luck import Luck
from tests.draw.paifu.analyses import of_script
from tests.rating.paifu.script import NAMES, Script

WAITING = "123m456p789s2355s"


def riichi() -> Script:
    return Script(WAITING, "1s", keep="14s1567z").go("1z", riichi=True)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (riichi().go(throw="1s").ron(0, value=7700), "東野 ロン 7,700点（南原から）"),
        (riichi().around(3).tsumo("4s", limit=1, value=8000), "東野 ツモ 満貫 8,000点"),
        (Script().go().end(shown=(0, 2)), "流局（テンパイ 東野・西田）"),
        (Script().go().end(shown=(0, 1, 2, 3)), "流局（全員テンパイ）"),
        (Script().go().end(), "流局（全員ノーテンパイ）"),
        (Script().go().end("nm"), "流し満貫"),
        (Script().go().end("yao9"), "九種九牌"),
        (Script().go().end("ron3"), "三家和"),
        (Script().go().end("?"), "流局"),
    ],
)
def test_how_a_round_ended(script: Script, words: str) -> None:
    assert result(script.round(), NAMES) == words


def test_a_double_ron() -> None:
    script = Script(WAITING, "34m", WAITING, keep="14s1567z").go("1z", riichi=True).go().go().go("1s")
    both = script.ron(0).ron(2)
    assert result(both.round(), NAMES) == "東野 ロン 3,900点、西田 ロン 3,900点（北山から）"


def test_yaku_are_short() -> None:
    script = riichi().go(throw="1s").ron(0, yaku=((1, 1), (7, 1), (10, 1), (52, 2), (53, 0), (54, 1)))
    assert yaku_words(script.round().wins[0]) == ["リーチ", "平和", "東", "ドラ2", "赤1"]
    script = riichi().go(throw="1s").ron(0, yaku=(), yakuman=(40,))
    assert yaku_words(script.round().wins[0]) == ["四暗刻"]


def test_winds_go_round_from_the_dealer() -> None:
    played = Script(seats=3).go().end().round()
    assert [wind(played, seat) for seat in range(3)] == ["東", "南", "西"]


@pytest.mark.parametrize(
    ("value", "words"),
    [(None, "－"), (0.99, "ふつう"), (-0.99, "ふつう"), (1.0, "幸運"), (-1.2, "不運"), (1.97, "とても幸運"), (-2.0, "とても不運")],
)  # fmt: skip
def test_luck_in_a_word(value: float | None, words: str) -> None:
    assert luck_words(value) == words


def test_the_lines_of_luck_have_units_a_player_knows() -> None:
    lines = luck_lines(Luck(draws=2.44, variance=4.0, dealt=4.0, rounds=16, ura=-0.04, ura_variance=0.16), 4)
    assert [line.label for line in lines] == ["配牌", "ツモ", "裏"]
    assert [line.words for line in lines] == ["3.4シャンテン", "+2.4枚", "±0.0枚"]
    assert [line.value for line in lines] == pytest.approx([1.0, 1.22, -0.1])
    assert luck_lines(Luck(), 3)[1] == ("ツモ", None, "")


def test_points_and_shanten() -> None:
    assert [points_words(change) for change in (8000, -1000, 0)] == ["+8,000", "−1,000", "±0"]
    assert [shanten_words(number) for number in (-1, 0, 1, 4)] == [
        "アガリ",
        "テンパイ",
        "イーシャンテン",
        "4シャンテン",
    ]


@pytest.mark.parametrize(
    ("hand", "draw", "throw", "words"),
    [
        ("123m456p789s2355s", "1z", "5s", "テンパイ取らず"),
        ("123m456p789s1158s", "2z", "1m", "シャンテン戻し"),
        ("123m456p12355s67m", "5m", "6m", "受け入れ 4枚の損"),
    ],
)
def test_what_a_discard_cost(hand: str, draw: str, throw: str, words: str) -> None:
    story = of_script(Script(hand).go(draw, throw).end()).stories[0]
    assert words in lost_words(story.choices[0])
