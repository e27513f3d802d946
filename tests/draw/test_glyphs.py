"""Names and words as they are drawn: in glyphs that exist, cut and wrapped."""

import os
import warnings

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from bot.draw import glyphs
from bot.draw.glyphs import MISSING, drawable, fit, has, stamp, width, wrap
from tests.draw.leagues import NINE, TWENTY

ODD_NAMES = ("①♪★♡☆♨", "Ⅲ々〆ヶ", "ﾊﾝｶｸ", "€£", "$x_1$", "a\\b", "𠮷野家", "髙橋﨑")


def test_names_are_drawn_in_glyphs_that_exist() -> None:
    for name in (*NINE, *TWENTY, *ODD_NAMES):
        shown = drawable(name)
        assert shown
        assert all(has(char) for char in shown if char not in " \u3000")
        assert stamp(shown, 40, False).mask.max() == 255
    assert [drawable(name) for name in TWENTY] == list(TWENTY)


SHOWN = {
    "🐼発": MISSING + "発",
    "a\u202eb\u200bc": "abc",
    "が": "が",
    "x\u0301\u0301\u0301\u0301": "x",
    "": "",
    "行\n替え\t": "行 替え",
    "\ufffe\ue000": MISSING,
    "👨\u200d👩": MISSING,
    "a🐼b🐯": f"a{MISSING}b{MISSING}",
    "𠮷野家": "吉野家",
    "🀄🀇🀐🀙🀀": "中一１①東",
    "✨みどり💕": "✧みどり♥",
    "🅰🄱🇯🇵𝓐": "ABJPA",
    "김철수": "gimcheolsu",
    "\u1100\u1175\u11b7": "gim",
    "ㅋㅋ": "kk",
    "🈴格": "合格",
    "👍🏽": MISSING,
}


@pytest.mark.parametrize(("text", "shown"), SHOWN.items())
def test_what_no_font_holds_becomes_what_is_like_it(text: str, shown: str) -> None:
    assert drawable(text) == shown


def test_every_stand_in_has_glyphs() -> None:
    tables = (glyphs._USUAL, glyphs._SIGNS, glyphs._TILES)
    assert all(has(char) for table in tables for shown in table.values() for char in shown)
    assert not any(has(char) for table in tables for char in table)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=12))
def test_any_text_is_drawn_without_a_missing_glyph(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shown = drawable(text)
        assert drawable(shown) == shown
        if shown.strip():
            stamp(shown, 40, True)


@settings(max_examples=100, deadline=None)
@given(
    st.text("あ漢aW１|)(", min_size=1, max_size=20),
    st.integers(40, 400),
)
def test_fitted_text_stays_within_its_room(text: str, room: int) -> None:
    shown, size = fit(text, 40, room, 28)
    assert 28 <= size <= 40
    assert width(shown, size) <= room
    assert shown == text or shown.endswith(glyphs.ELLIPSIS) or not shown


def test_dollar_and_backslash_are_plain_signs_and_the_baseline_is_the_same_for_every_text() -> None:
    """The lowest row of an H is at the same height, with or without a g beside it."""
    letters = sum(width(letter, 40) for letter in r"$\alpha$")
    assert width(r"$\alpha$", 40) == pytest.approx(letters, abs=8)
    flat = stamp("H", 40, False)
    deep = stamp("Hg", 40, False)
    lowest_deep = np.flatnonzero(deep.mask[:, 4] > 127)[-1]
    lowest_flat = np.flatnonzero(flat.mask[:, 4] > 127)[-1]
    assert lowest_deep - deep.baseline == lowest_flat - flat.baseline


def test_a_process_that_forks_shares_no_open_font() -> None:
    """With one file in common they would read each other's glyphs; masks drawn anew are the
    same.
    """
    text = "戦績表"
    mine = stamp(text, 31, False)
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        opened = glyphs._faces.cache_info().currsize
        os.write(
            writer,
            bytes(
                [
                    opened,
                    np.array_equal(
                        stamp.__wrapped__(text, 31, False).mask,
                        mine.mask,
                    ),
                ]
            ),
        )
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reader, 2) == bytes([0, 1])
    os.close(reader)
    os.close(writer)


def test_words_stay_whole_and_no_line_begins_with_a_full_stop() -> None:
    lines = wrap("運を確かに上回ったのは bayesian_btr と plackett_luce です。", 34, 500, 5)
    assert any("bayesian_btr" in line for line in lines)
    assert not any(line[0] in "。、" for line in lines)


@settings(max_examples=50, deadline=None)
@given(st.text("あ漢。、A ", max_size=80), st.integers(1, 4))
def test_no_more_lines_than_asked(text: str, most: int) -> None:
    assert len(wrap(text, 34, 200, most)) <= most
