from dataclasses import replace

import pytest

from bot.answers.paifu import danger
from bot.answers.paifu.report import pages
from bot.draw.paper import Paper
from bot.draw.tiles import draw_tile
from rating.paifu.record import Record
from rating.paifu.situation import situation
from rating.paifu.tiles import TILES
from tests.draw.pngs import opened
from tests.rating.paifu.records import read


@pytest.mark.parametrize("seats", [3, 4])
def test_a_record_becomes_a_few_pages_for_a_phone(seats: int) -> None:
    drawn = pages(read(1, seats))
    assert len(drawn) == 3
    assert {opened(page).width for page in drawn} == {1200}
    if seats == 4:
        assert drawn == pages(read(1))


def test_a_record_whose_scores_are_unknown_has_no_story() -> None:
    assert len(pages(replace(read(1), lost=1))) == 2


@pytest.mark.parametrize("name", ["", "🀄" * 40, "$x$", "\\frac{1}{2}", "とても長い名前のプレイヤー" * 4])
def test_any_name_can_be_drawn(name: str) -> None:
    record: Record = replace(read(3), players=(name,) * 4)
    assert opened(pages(record)[0]).width == 1200


def test_every_kind_of_tile_has_its_own_face() -> None:
    faces = {}
    for tile in range(TILES):
        paper = Paper(84, 110)
        draw_tile(paper, 4, 4, 72, tile)
        faces[tile] = paper.png()
    looks = {}
    for tile, face in faces.items():
        looks.setdefault(face, set()).add("red" if tile in (16, 52, 88) else tile // 4)
    assert len(looks) == 34 + 3


def test_the_danger_picture() -> None:
    seen = situation("123m406p789s1155z", ["1z9m4p2s"], dora="4p")
    assert opened(danger.draw(danger.DangerChart("リーチ1人", seen.hand, seen.chance, 4))).width == 1200
