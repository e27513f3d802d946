"""A riichi's waits opened: where each copy lay, in a word, and what would have come after the round's end."""

from typing import Any

import pytest

from bot.answers.paifu.round_pages import count_words, end_sections, mark_of
from bot.draw.layout import Area
from bot.draw.paper import Paper
from tests.draw.paifu.analyses import of_script
from tests.rating.paifu.script import Script

WAITING = "123m456p789s2355s"  # waits for 1s and 4s
Said = list[str]


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> Said:
    found: Said = []
    monkeypatch.setattr(Paper, "text", lambda *args, **_: found.append(args[3]) or 0.0)
    return found


def riichi(*others: str, **more: str) -> Script:
    """The dealer declares riichi with its first discard, an east."""
    return Script(WAITING, *others, keep="14s1567z", **more).go("1z", riichi=True)


def marks(script: Script, walls: Any = None) -> list[str]:
    story = of_script(script, walls).stories[0]
    (one,) = story.riichi
    return [" ".join(filter(None, mark_of(story, one, copy)[:2])) for copy in one.copies]


def test_copies_that_were_drawn_and_that_were_not() -> None:
    script = riichi("1s", "", "4s", indicator="1s").around(2).go("4s").go().end()
    found = marks(script, script.wall(coming="5z1s"))
    known = {"3枚先 北ツモ", "6枚先 西の番", "南家 手の中", "北家 手の中", "場に 見え"}
    assert known <= set(found)
    rest = [mark for mark in found if mark not in known]
    assert len(rest) == 3
    assert all(int(mark.partition("枚先")[0]) > 6 for mark in rest)


def test_the_winning_copy_and_the_own_ones() -> None:
    script = Script("123m456p789s1444s", keep="1s567z").go("1z", riichi=True).go(throw="", draw="1s").ron(0)
    found = marks(script, script.wall())
    assert "アガリ 1枚先" in found
    assert found.count("自分の 手の中") == 1


def test_without_a_wall_what_nobody_showed_is_hidden() -> None:
    script = riichi("1s").around(3).end()
    assert marks(script).count("山か 王牌") == 7
    (one,) = of_script(script).stories[0].riichi
    assert count_words(one) == "見えない当たり牌 8枚"
    assert end_sections(of_script(script), 0) == []


def test_how_many_lay_in_the_wall() -> None:
    script = riichi("1111s4444s").around(3).end()
    (one,) = of_script(script, script.wall()).stories[0].riichi
    assert count_words(one).startswith("山に0枚（平均0.0枚）")


def words_of_the_end(script: Script, walls: Any, said: Said) -> Said:
    for section in end_sections(of_script(script, walls), 0):
        section.draw(Area(Paper(1200, 1200), 48, 0, 1152, section.height))
    return said


def test_the_next_draws_are_told_by_name(said: Said) -> None:
    script = riichi().go().end()
    words = words_of_the_end(script, script.wall(coming="5z6z4s"), said)
    assert "東野（リーチ）は3枚先を自分でツモ" in words
    assert words.count("西") >= 1


def test_anothers_draw_comes_first(said: Said) -> None:
    script = riichi().go().end()
    words = words_of_the_end(script, script.wall(coming="5z4s"), said)
    assert "東野（リーチ）の当たり牌は2枚先、北山のツモ番" in words


def test_ura_and_rinshan_that_nobody_took(said: Said) -> None:
    script = riichi().around(3).end()
    words = words_of_the_end(script, script.wall(ura="4s", rinshan="1s"), said)
    assert "東野に裏2枚が乗っていた" in words
    assert "嶺上牌は東野の当たり牌だった" in words
    assert "裏ドラ表示" in words


def test_without_a_riichi_no_ura_is_told(said: Said) -> None:
    script = Script(WAITING, keep="14s1567z").go("1z").around(3).end()
    assert "裏ドラ表示" not in words_of_the_end(script, script.wall(ura="4s"), said)
