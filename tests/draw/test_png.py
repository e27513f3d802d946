from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from bot.draw.paper import Paper, encode
from bot.draw.style import palette
from tests.draw.pngs import opened


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 300), st.integers(1, 40), st.integers(1, 120), st.integers(0, 2**32 - 1))
def test_up_to_127_colours_come_back_as_they_were(height: int, width: int, colours: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    table = np.full((colours + 1, 4), 255, np.uint8)
    bins = random.choice(32 * 32 * 32 - 1, colours, replace=False)
    table[1:, :3] = np.stack([bins % 32 * 8, bins // 32 % 32 * 8, bins // 1024 * 8], axis=1) + 3
    pixels = table[random.integers(0, colours + 1, (height, width))]
    assert (np.asarray(opened(encode(pixels))) == pixels[:, :, :3]).all()


def test_soft_edges_come_back_nearly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine crossing lines with text in their colours: no pixel differs visibly after encoding."""
    drawn = []

    def noted(pixels: np.ndarray, exact: Iterable[tuple[int, int, int]]) -> bytes:
        drawn.append(pixels[:, :, :3].astype(int))
        return encode(pixels, exact)

    monkeypatch.setattr("bot.draw.paper.encode", noted)
    paper = Paper(600, 600)
    for place, colour in enumerate(palette(9)):
        paper.line((20, 580), (40 + 60 * place, 560 - 60 * place), 6, colour)
        paper.text(300, 40 + 60 * place, "烏龍茶(黒)", 40, colour)
    error = np.abs(np.asarray(opened(paper.png())).astype(int) - drawn[0])
    assert error.max() < 64
    assert (error.max(axis=2) > 24).mean() < 0.003


def test_named_colours_stay_exact_among_their_neighbours() -> None:
    pixels = np.full((4, 4, 4), 255, np.uint8)
    pixels[0, :, :3], pixels[1:, :, :3] = (200, 100, 50), (201, 101, 51)
    back = opened(encode(pixels, [(200, 100, 50)]))
    assert back.getpixel((0, 0)) == back.getpixel((0, 3)) == (200, 100, 50)
