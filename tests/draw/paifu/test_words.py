"""The words of a paifu's report: how a round ended, yaku, luck; a riichi's waits opened."""

from dataclasses import replace
from typing import Any

import pytest

from bot.answers.common.figures import luck_words
from bot.answers.common.rounds import result, wind, yaku_words
from bot.answers.paifu.analysis import points_words, shanten_words
from bot.answers.paifu.game_page import luck_lines
from bot.answers.paifu.hands import lost_words
from bot.answers.paifu.round_pages import count_words, end_sections, mark_of
from bot.draw.layout import Area
from bot.draw.paper import Paper
from rating.paifu.luck import Luck
from tests.draw.paifu.analyses import of_script
from tests.rating.paifu.script import NAMES, Script

WAITING = "123m456p789s2355s"  # waits for 1s and 4s
Said = list[str]


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> Said:
    found: Said = []

    def note_text(
        paper: Paper,
        x: float,
        y: float,
        text: str,
        *_: Any,
        **__: Any,
    ) -> float:
        found.append(text)
        return 0.0

    monkeypatch.setattr(Paper, "text", note_text)
    return found


def riichi(*others: str, **more: str) -> Script:
    """The dealer declares riichi with its first discard, an east."""
    return Script(WAITING, *others, keep="14s1567z", **more).go("1z", riichi=True)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (riichi("1s").go(throw="1s").ron(0, value=7700), "東野 ロン 7,700点（南原から）"),
        (
            riichi("1s").around(3).tsumo("4s", limit=1, value=8000),
            "東野 ツモ 満貫 8,000点",
        ),
        (Script().go().end(tenpai=(0, 2)), "流局（テンパイ 東野・西田）"),
        (
            Script()
            .go()
            .end(
                tenpai=(
                    0,
                    1,
                    2,
                    3,
                )
            ),
            "流局（全員テンパイ）",
        ),
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
    script = Script(WAITING, "34m", WAITING, keep="14s1567z")
    both = script.go("1z", riichi=True).go().go().go("1s").ron(0).ron(2)
    assert result(both.round(), NAMES) == "東野 ロン 3,900点、西田 ロン 3,900点（北山から）"


def test_who_is_liable_is_named() -> None:
    played = riichi("1s").go(throw="1s").ron(0, value=32000, limit=5).round()
    (win,) = played.wins
    liable = replace(played, endings=(win._replace(liable=2),))
    assert result(liable, NAMES) == "東野 ロン 役満 32,000点（南原から、西田の責任払い）"
    played = riichi("1s").around(3).tsumo("4s", value=48000, limit=5).round()
    (win,) = played.wins
    liable = replace(played, endings=(win._replace(liable=3),))
    assert result(liable, NAMES) == "東野 ツモ 役満 48,000点（北山の責任払い）"


def test_yaku_are_short() -> None:
    thrown = riichi("1s").go(throw="1s")
    yaku = (
        (1, 1),
        (7, 1),
        (10, 1),
        (52, 2),
        (53, 0),
        (54, 1),
    )
    (win,) = thrown.ron(0, yaku=yaku).round().wins
    assert yaku_words(win) == ["リーチ", "平和", "東", "ドラ2", "赤1"]
    thrown = riichi("1s").go(throw="1s")
    (win,) = thrown.ron(0, yaku=(), yakuman=(40,)).round().wins
    assert yaku_words(win) == ["四暗刻"]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "－"),
        (0.99, "ふつう"),
        (-0.99, "ふつう"),
        (1.0, "幸運"),
        (-1.2, "不運"),
        (1.97, "幸運"),
        (-2.3, "不運"),
        (2.31, "とても幸運"),
        (-2.4, "とても不運"),
    ],
)
def test_luck_in_a_word(value: float | None, words: str) -> None:
    assert luck_words(value) == words


def test_the_lines_of_luck_are_differences_where_more_is_luckier() -> None:
    luck = Luck(
        draws=2.44,
        variance=4.0,
        dealt=4.0,
        rounds=16,
        ura=-0.04,
        ura_variance=0.16,
    )
    lines = luck_lines(luck, 4)
    assert [line.label for line in lines] == ["配牌", "ツモ", "裏"]
    assert [line.words for line in lines] == ["+0.2シャンテン", "+2.4枚", "±0.0枚"]
    assert [line.value for line in lines] == pytest.approx([1.0, 1.22, -0.1])
    assert luck_lines(Luck(), 3)[1] == ("ツモ", None, "")
    unlucky = Luck(draws=-2.44, variance=4.0, dealt=-4.0, rounds=16)
    assert [line.words for line in luck_lines(unlucky, 4)][:2] == ["−0.2シャンテン", "−2.4枚"]


def test_points_shanten_and_winds() -> None:
    played = Script(seats=3).go().end().round()
    assert [wind(played, seat) for seat in range(3)] == ["東", "南", "西"]
    assert list(map(points_words, (8000, -1000, 0))) == ["+8,000", "−1,000", "±0"]
    said = [shanten_words(number) for number in (-1, 0, 1, 4)]
    assert said == ["アガリ", "テンパイ", "イーシャンテン", "4シャンテン"]


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


def marks(script: Script, walls: Any = None) -> list[str]:
    story = of_script(script, walls).stories[0]
    (one,) = story.riichi
    signs = [mark_of(story, one, copy)[:2] for copy in one.copies]
    return [" ".join(filter(None, pair)) for pair in signs]


def test_copies_that_were_drawn_and_that_were_not() -> None:
    script = riichi("1s", "", "4s", indicator="1s").around(2).go("4s").go().end()
    found = marks(script, script.wall(coming="5z1s"))
    known = {"3枚先 北ツモ", "6枚先 西の番", "南家 手の中", "北家 手の中", "場に 見え"}
    assert known <= set(found)
    rest = [mark for mark in found if mark not in known]
    assert len(rest) == 3
    assert all(int(mark.partition("枚先")[0]) > 6 for mark in rest)


def test_the_winning_copy_and_the_own_ones() -> None:
    script = (
        Script("123m456p789s1444s", keep="1s567z")
        .go("1z", riichi=True)
        .go(throw="", draw="1s")
        .ron(0)
    )
    found = marks(script, script.wall())
    assert "アガリ 1枚先" in found
    assert found.count("自分の 手の中") == 1


def test_without_a_wall_what_nobody_showed_is_hidden() -> None:
    script = riichi("1s").around(3).end()
    assert marks(script).count("山か 王牌") == 7
    (one,) = of_script(script).stories[0].riichi
    assert count_words(one) == "見えない当たり牌 8枚"
    assert end_sections(of_script(script), 0) == []
    # And how many lay in the wall.
    script = riichi("1111s4444s").around(3).end()
    (one,) = of_script(script, script.wall()).stories[0].riichi
    assert count_words(one).startswith("山に0枚（平均0.0枚）")


def words_of_the_end(script: Script, walls: Any, said: Said) -> Said:
    for section in end_sections(of_script(script, walls), 0):
        section.draw(Area(Paper(1200, 1200), 48, 0, 1152, section.height))
    return said


def test_the_next_draws_are_told_by_name_and_anothers_draw_comes_first(said: Said) -> None:
    script = riichi().go().end()
    words = words_of_the_end(script, script.wall(coming="5z6z4s"), said)
    assert "東野（リーチ）は3枚先を自分でツモ" in words
    assert words.count("西") >= 1
    script = riichi().go().end()
    words = words_of_the_end(script, script.wall(coming="5z4s"), said)
    assert "東野（リーチ）の当たり牌は2枚先、北山のツモ番" in words


def test_ura_and_rinshan_that_nobody_took(said: Said) -> None:
    script = riichi().around(3).end()
    words = words_of_the_end(script, script.wall(ura="4s", rinshan="1s"), said)
    assert "東野に裏2枚が乗っていた" in words
    assert "嶺上牌は東野の当たり牌だった" in words
    assert "裏ドラ表示" in words
    said.clear()  # without a riichi no ura is told
    script = Script(WAITING, keep="14s1567z").go("1z").around(3).end()
    assert "裏ドラ表示" not in words_of_the_end(script, script.wall(ura="4s"), said)
