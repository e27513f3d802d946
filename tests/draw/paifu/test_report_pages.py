"""The report's pictures: sizes a phone can show, words that can be read and lie on the page, and
what is chosen for them."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from bot.answers.paifu import danger
from bot.answers.paifu.analysis import LEAST, Analysis
from bot.answers.paifu.game_page import draw_game, draw_story, overpush_words
from bot.answers.paifu.hands import choice_sections, hand_sections, push_sections, push_strips
from bot.answers.paifu.report import pages
from bot.answers.paifu.round_pages import (
    MOST_PAGES,
    draw_round,
    end_sections,
    pages_of,
    riichi_sections,
)
from bot.draw.layout import EDGE, Area, Section
from bot.draw.paper import Paper
from bot.draw.tiles import HONOURS, NUMBERS, draw_tile
from rating.paifu.situation import situation
from rating.paifu.tiles import TILES
from tests.draw.paifu.analyses import of_made, of_real, of_script
from tests.draw.pngs import opened
from tests.draw.writing import Written, watched
from tests.rating.paifu.records import read
from tests.rating.paifu.script import Script

# pixels of 1200: 11 points of 390, and 9 of 253
SMALLEST = 34
SMALLEST_FACE = 30
IN_THREAD = 43
FACES = {*NUMBERS, "萬", *(sign for sign, _ in HONOURS)}
LONG_NAMES = ("みどり一色王者決定", "ＷＷＷＷＷＷＷＷ", "東風(本人)です", "まん|がん大好き")


@pytest.fixture
def written() -> Iterator[list[Written]]:
    with watched() as found:
        yield found


def pictures(analysis: Analysis) -> Iterator[bytes]:
    yield draw_story(analysis, "2026年5月4日")
    yield draw_game(analysis, "2026年5月4日")
    for number in analysis.by_weight[:5]:
        for page in range(pages_of(analysis, number)):
            yield draw_round(analysis, number, page)


def check(analysis: Analysis, written: list[Written], whole: bool) -> None:
    for data in pictures(analysis):
        assert opened(data).width == 1200
    small = {each for each in written if each.size < SMALLEST and each.text not in FACES}
    assert small == set()
    assert min(each.size for each in written) >= SMALLEST_FACE
    assert [each for each in written if each.left < 0 or each.right > 1200] == []
    if whole:
        cut = [each.text for each in written if each.text.endswith("…")]
        assert cut == []


@pytest.mark.parametrize(
    ("analysis", "whole"),
    [
        (lambda: of_made(2, 3), True),
        (lambda: of_made(5, 4), True),
        (lambda: of_made(7, 3, LONG_NAMES), False),
        (lambda: of_made(7, 4, LONG_NAMES), False),
        (lambda: of_real("three-plain-1.mjlog"), True),
        (lambda: of_real("four-plain-3.mjlog"), True),
    ],
)
def test_every_page_can_be_read(
    written: list[Written], analysis: Callable[[], Analysis], whole: bool
) -> None:
    check(analysis(), written, whole)


def test_names_values_and_titles_can_be_read_in_the_thread(written: list[Written]) -> None:
    draw_game(of_made(7, 4))
    draw_story(of_made(7, 4))
    sizes = {each.text: each.size for each in written}
    for name in ("東野", "南原", "西田", "北山", "運と打牌", "トップになる確率"):
        assert sizes[name] >= IN_THREAD
    words = [
        each
        for each in written
        if each.text in ("幸運", "不運", "とても幸運", "とても不運", "ふつう", "－")
    ]
    assert len(words) >= 12
    assert {each.size for each in words} == {IN_THREAD}


def test_a_column_of_luck_and_play_keeps_its_meaning(written: list[Written]) -> None:
    """What is below a head is of its kind: discards in the upper table, luck in the lower one."""
    draw_game(of_made(7, 4))
    by_text = {each.text: each for each in written}
    assert [each.text for each in written].count("東野") == 2
    heights = [by_text[text].y for text in ("打牌", "最善打率", "運", "予想との差")]
    assert heights == sorted(set(heights))
    heads = {
        "最善打率": r"\d+%",
        "ロス": r"[\d.]+%",
        "押しすぎ": r"\d+/\d+打",
        "余計なリスク": r"[\d,]+点",
    }
    for head, form in heads.items():
        right = by_text[head].right
        top = by_text[head].y
        column = [each for each in written if abs(each.right - right) < 1]
        below = [each.text for each in column if each.y > top]
        values = [text for text in below[:4] if text != "－"]
        assert [text for text in values if not re.fullmatch(form, text)] == [], head
    differences = [each for each in written if each.y > by_text["予想との差"].y]
    units = [each.text for each in differences if each.text.endswith(("シャンテン", "枚"))]
    assert len(units) == 12
    assert {text[0] for text in units} <= set("+−±")


def test_pushing_is_counted_without_a_mark() -> None:
    """86 % for a player who dealt in three times would read as a good mark."""
    rating = of_made(7, 4).review.ratings[0]
    assert overpush_words(replace(rating, choices=7, agreed=6)) == "1/7打"
    assert overpush_words(replace(rating, choices=0, agreed=0)) == "－"


def test_a_round_takes_a_few_pages() -> None:
    for seats in (3, 4):
        analysis = of_made(5, seats)
        for number in range(len(analysis.record.rounds)):
            assert 1 <= pages_of(analysis, number) <= MOST_PAGES
    crowded = Script("123m456p789s2355s", "123m456p789s2355s", keep="14s567z")
    crowded = crowded.go("1z", riichi=True).go("1z", riichi=True).around(8).end()
    assert pages_of(of_script(crowded), 0) <= MOST_PAGES


def sections(analysis: Analysis, number: int) -> Iterator[Section]:
    yield from hand_sections(analysis, number, range(analysis.record.seats))
    yield from riichi_sections(analysis, number)
    yield from end_sections(analysis, number)
    yield from choice_sections(analysis, number, 2)
    yield from push_sections(analysis, number)
    yield from push_strips(analysis, number)


@pytest.mark.parametrize("seats", [3, 4])
def test_no_part_is_higher_than_it_says(seats: int) -> None:
    analysis = of_made(5, seats)
    kinds = set()
    for number in range(len(analysis.record.rounds)):
        for section in sections(analysis, number):
            high = round(section.height)
            paper = Paper(1200, high + 150)
            section.draw(Area(paper, EDGE, 0, 1200 - EDGE, section.height))
            below = opened(paper.png()).convert("L").crop((0, high, 1200, high + 150))
            assert below.getextrema() == (255, 255), section
            kinds.add(getattr(section.draw, "func", section.draw))
    assert len(kinds) >= 7


def test_the_same_game_is_drawn_the_same_and_another_mark_differently() -> None:
    analysis = of_made(5, 4)
    assert draw_story(analysis) == draw_story(analysis)
    assert draw_game(replace(analysis, seat=None)) != draw_game(analysis)


def test_the_worst_discards_are_those_of_the_marked_seat_first() -> None:
    analysis = of_made(7, 4)
    for number in range(len(analysis.record.rounds)):
        choices = analysis.worst_choices(number)
        own = [
            c
            for c in analysis.stories[number].choices
            if c.seat == analysis.seat and c.loss >= LEAST
        ]
        assert sum(choice.seat == analysis.seat for choice in choices) == min(2, len(own))
        assert all(choice.loss >= LEAST for choice in choices)
        assert [choice.turn for choice in choices] == sorted(choice.turn for choice in choices)
        anybody = replace(analysis, seat=None).worst_choices(number)
        lost = sorted((choice.loss for choice in analysis.stories[number].choices), reverse=True)
        worst = sorted((choice.loss for choice in anybody), reverse=True)
        assert worst == [loss for loss in lost[:2] if loss >= LEAST]
    # A round with nothing to see has no weight.
    assert of_script(Script().go().end()).by_weight == ()


def test_a_record_becomes_a_few_pages_whatever_the_names() -> None:
    for seats in (3, 4):
        drawn = pages(read(1, seats))
        assert len(drawn) == 3
        assert {opened(page).width for page in drawn} == {1200}
    assert drawn == pages(read(1))
    assert len(pages(replace(read(1), lost=1))) == 2, "whose scores are unknown has no story"
    for name in ("", "🀄" * 40, "$x$", "\\frac{1}{2}", "とても長い名前のプレイヤー" * 4):
        record = replace(read(3), players=(name,) * 4)
        assert opened(pages(record)[0]).width == 1200


def test_every_kind_of_tile_has_its_own_face() -> None:
    faces: dict[bytes, set[object]] = {}
    for tile in range(TILES):
        paper = Paper(84, 110)
        draw_tile(paper, 4, 4, 72, tile)
        kind = "red" if tile in (16, 52, 88) else tile // 4
        faces.setdefault(paper.png(), set()).add(kind)
    assert [len(kinds) for kinds in faces.values()] == [1] * (34 + 3)


def test_the_danger_picture() -> None:
    seen = situation("123m406p789s1155z", ["1z9m4p2s"], dora="4p")
    chart = danger.DangerChart("リーチ1人", seen.hand, seen.chance, 4)
    assert opened(danger.draw(chart)).width == 1200
