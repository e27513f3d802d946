"""The pictures of a paifu's report: luck and play, the rounds with most to see, and the pages of one
round."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from bot import texts
from bot.answers.paifu.pictures.analysis import Analysis
from bot.answers.paifu.pictures.game_page import draw_game
from bot.answers.paifu.pictures.round_pages import draw_highlights, draw_round, highlights, pages_of
from bot.answers.paifu.report_table import Reviewed

GAME, HIGHLIGHTS, ROUND = "game", "highlights", "round"


@dataclass(frozen=True)
class ReportPicture:
    """One picture of the report. `mark` is a hash of all that can be drawn; `round` and `page` count from 0.

    `when` is the game's day in words.
    """

    mark: str
    kind: str
    when: str = ""
    round: int = 0
    page: int = 0
    analysis: Analysis | None = field(default=None, repr=False, compare=False)


def draw(picture: ReportPicture) -> bytes:
    """The picture as PNG."""
    assert picture.analysis is not None
    if picture.kind == GAME:
        return draw_game(picture.analysis, picture.when)
    if picture.kind == HIGHLIGHTS:
        return draw_highlights(picture.analysis)
    return draw_round(picture.analysis, picture.round, picture.page)


def report_pictures(reviewed: Reviewed) -> Iterator[ReportPicture]:
    """Yield the pictures below the table: luck and play, and, where there is any, the rounds with most to
    see."""
    analysis, mark = reviewed.analysis, mark_of(reviewed.analysis)
    yield ReportPicture(mark, GAME, texts.day_with_year(reviewed.day), analysis=analysis)
    if highlights(analysis):
        yield ReportPicture(mark, HIGHLIGHTS, analysis=analysis)


def round_pictures(analysis: Analysis, number: int) -> Iterator[ReportPicture]:
    """Yield the pages of the round at index `number`."""
    mark = mark_of(analysis)
    for page in range(pages_of(analysis, number)):
        yield ReportPicture(mark, ROUND, round=number, page=page, analysis=analysis)


def mark_of(analysis: Analysis) -> str:
    """A hash of what an analysis is made of."""
    made_of = (analysis.record, analysis.review.rates, analysis.seat, analysis.colours)
    return hashlib.sha256(repr(made_of).encode("utf-8", "replace")).hexdigest()
