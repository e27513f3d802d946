import subprocess
import sys

import pytest

from bot.charts.canvas.style import (
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
from tests.charts.leagues import NINE, TWENTY


@pytest.mark.parametrize("players", range(1, 41))
def test_no_two_members_have_the_same_line(players: int) -> None:
    looks = [(colour, dash(place)) for place, colour in enumerate(palette(players))]
    assert len(set(looks)) == players


def test_colours_belong_to_members_by_league_order() -> None:
    assert list(colours(NINE)) == list(NINE)
    assert len(set(colours(NINE).values())) == 9
    assert not any(dashes(NINE)[name] for name in NINE[:7])
    assert all(dashes(TWENTY)[name] for name in TWENTY[7:])


@pytest.mark.parametrize("colour", palette(7) + palette(9) + palette(12))
def test_names_in_a_members_colour_read_on_white(colour: str) -> None:
    assert contrast(readable(colour)) >= 4.5
    assert contrast(ink(colour, provisional=True)) >= 4.5
    assert rgb(pale(colour)) >= rgb(colour)
    assert contrast(colour) > contrast(pale(colour)) >= 1.45


def test_the_greys_of_words_read_on_white_and_on_panels() -> None:
    assert all(contrast(grey) >= 4.5 for grey in (INK, MUTED, FAINT))
    assert all(contrast(grey, PANEL) >= 4.3 for grey in (INK, MUTED, FAINT))


def test_the_last_place_has_one_colour_for_three_and_four_seats() -> None:
    assert placing_colour(3, 3) == placing_colour(4, 4) != placing_colour(3, 4)


@pytest.mark.parametrize("module", ["bot.charts", "bot.charts.canvas.style"])
def test_naming_colours_does_not_load_the_drawing_library(module: str) -> None:
    code = f"import sys, {module}; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
