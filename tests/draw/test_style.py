import subprocess
import sys
from itertools import combinations

import pytest

from bot.draw.style import (
    FAINT,
    INK,
    MUTED,
    PANEL,
    colours,
    contrast,
    dash,
    dashes,
    ink,
    pale,
    palette,
    placing_colour,
    readable,
    rgb,
)
from tests.draw.leagues import NINE, TWENTY
from tests.tools import palette as eyes
from tests.tools.palette import VISIONS, ciede2000, lab, linear


def test_no_two_members_have_the_same_line() -> None:
    for players in range(1, 41):
        looks = [(colour, dash(place)) for place, colour in enumerate(palette(players))]
        assert len(set(looks)) == players


def test_colours_belong_to_members_by_league_order_and_stay_when_others_join() -> None:
    first = list(colours(NINE).values())
    assert list(colours(TWENTY).values())[:9] == first
    assert list(colours(NINE)) == list(NINE)
    assert len(set(first)) == 9
    assert not any(dashes(TWENTY)[name] for name in TWENTY[:12])
    assert all(dashes(TWENTY)[name] for name in TWENTY[12:])


@pytest.mark.parametrize("vision", VISIONS)
def test_no_two_of_twenty_members_look_alike_to_any_eyes(vision: str) -> None:
    """Two lines differ in their dashes, or their colours do (CIEDE2000) as these eyes see them."""
    assert eyes.least_difference(palette(12), vision)[0] >= 12
    seen = []
    for colour in palette(20):
        light = eyes.times(VISIONS[vision], linear(colour))
        seen.append(lab(light))
    for a, b in combinations(range(20), 2):
        if ciede2000(seen[a], seen[b]) < 12:
            assert dash(a) != dash(b)


@pytest.mark.parametrize("colour", palette(12))
def test_members_colours_stand_out_from_white_and_are_not_near_black(colour: str) -> None:
    assert eyes.contrast_with_white(colour) >= 2.2
    assert ciede2000(lab(linear(colour)), lab(linear("#000000"))) >= 18
    assert ciede2000(lab(linear(colour)), lab(linear(INK))) >= 12
    # Names in it read on white.
    assert contrast(readable(colour)) >= 4.5
    assert contrast(ink(colour, provisional=True)) >= 4.5
    assert rgb(pale(colour)) >= rgb(colour)
    assert contrast(colour) > contrast(pale(colour)) >= 1.45


def test_the_greys_of_words_read_on_white_and_on_panels() -> None:
    assert all(contrast(grey) >= 4.5 for grey in (INK, MUTED, FAINT))
    assert all(contrast(grey, PANEL) >= 4.3 for grey in (INK, MUTED, FAINT))
    # And the last place has one colour for three and four seats.
    assert placing_colour(3, 3) == placing_colour(4, 4)
    assert placing_colour(3, 3) != placing_colour(3, 4)


def test_naming_colours_and_answers_does_not_load_the_drawing_library() -> None:
    code = (
        "import sys, bot.draw.style, bot.answers.catalogue; sys.exit('matplotlib' in sys.modules)"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", code],
            check=False,
            timeout=60,
        ).returncode
        == 0
    )
