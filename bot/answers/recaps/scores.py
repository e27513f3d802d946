"""The rows of a poster or a recap: place, name, points, and what changed."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.draw.layout import Section
from bot.draw.rows import (
    MANY,
    Column,
    Detail,
    NameColumn,
    RowName,
    Rows,
    SwatchColumn,
    WordColumn,
    Words,
    change_colour,
    row_height,
)
from bot.draw.style import FAINT, LABEL, MUTED, SMALL

_PLACE = 50  # pixels for the place
_NAME = 92  # pixels from a row's left edge to its name
_REMARK = 36  # pixels for the remark below a row
_MOVED = re.compile(r"(?P<place>[^▲▼]*)(?P<move>.*)")


@dataclass(frozen=True)
class MemberScore:
    """A result in words: `counted` placings or games, the rating's `change` (▲12), the `rank` by
    rating (2位▲1), and a `remark` in a line of its own.
    """

    place: str
    name: str
    colour: str
    points: str
    counted: str = ""
    rating: str = ""
    change: str = ""
    rank: str = ""
    remark: str = ""


class ScoreHeads(NamedTuple):
    """The heads of the columns right of the name."""

    counted: str
    points: str
    rating: str
    rank: str = ""


def score_rows(scores: Sequence[MemberScore], heads: ScoreHeads) -> Rows:
    """A row for each member; more than MANY have neither heads nor ranks by rating."""
    places = [Words(score.place, colour=FAINT) for score in scores]
    names = [RowName(score.name, score.colour) for score in scores]
    columns: list[Column] = [
        WordColumn(places, SMALL + 4, width=_PLACE),
        SwatchColumn([score.colour for score in scores]),
        NameColumn(names, bold=True, width=0),
    ]
    columns += value_columns(scores, heads)
    height = row_height(len(scores), roomy=78, narrow=70)
    details: list[Detail] = []
    if any(score.remark for score in scores):
        details = [Detail(score.remark) for score in scores]
        height += _REMARK
    return Rows(columns, height, details, indent=_NAME, ruled=True)


def value_columns(scores: Sequence[MemberScore], heads: ScoreHeads) -> list[WordColumn]:
    """The columns right of the name that have any text."""
    if len(scores) > MANY:
        heads = ScoreHeads("", "", "")
    counted = []
    points = []
    ratings = []
    changes = []
    ranks = []
    for score in scores:
        counted.append(Words(score.counted, colour=MUTED))
        points.append(Words(score.points, colour=change_colour(score.points), bold=True))
        ratings.append(Words(score.rating))
        changes.append(Words(score.change, colour=change_colour(score.change), bold=True))
        ranks.append(_rank_of(score))
    columns = [
        WordColumn(counted, SMALL, head=heads.counted),
        WordColumn(points, LABEL, head=heads.points),
        WordColumn(ratings, SMALL + 4, head=heads.rating),
        WordColumn(changes, SMALL),
    ]
    if len(scores) <= MANY:
        columns.append(WordColumn(ranks, SMALL, head=heads.rank))
    return [column for column in columns if any(cell.text for cell in column.cells)]


def _rank_of(score: MemberScore) -> Words:
    """The place by rating, and the places won or lost next to it."""
    moved = _MOVED.match(score.rank)
    assert moved is not None
    return Words(moved["place"], change=moved["move"])


def score_sections(
    scores: Sequence[MemberScore], heads: ScoreHeads, shown: Mapping[str, str]
) -> list[Section]:
    """The rows as a part of a picture, nothing without any; `shown` has the names as drawn."""
    if not scores:
        return []
    return [score_rows(scores, heads).section(shown)]
