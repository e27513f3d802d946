"""The picture of a 何切る: the hand, the dora indicators and the player's own river."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from bot.answers.paifu.top_table import BarPlace, bars_height, draw_share
from bot.draw.layout import Area, Section, Titled, space, titled
from bot.draw.style import INK, MUTED, SMALL, UP
from bot.draw.tiles import HIGH, draw_tile

INDICATORS = "ドラ表示"
RIVER = "自分の河"
NO_KIND = -1
# widths of tiles in pixels
_TILE = 68
_SMALL_TILE = 52


@dataclass(frozen=True)
class QuizPicture(Titled):
    """`hand` is drawn with the tile `drawn` at a distance. `best` is the kind to mark, or
    NO_KIND. `shares` are those of the top table by kind (34), drawn as bars below the tiles, that
    of the kind `taken` dark; () draws none.
    """

    hand: tuple[int, ...]
    drawn: int
    river: tuple[int, ...]
    indicators: tuple[int, ...]
    best: int = NO_KIND
    taken: int = NO_KIND
    shares: tuple[float, ...] = ()


def draw(chart: QuizPicture) -> bytes:
    """A PNG, 1200 pixels wide."""
    height = int(_TILE * HIGH) + 34
    if chart.shares:
        height += int(bars_height(chart.shares))
    hand = Section(height, partial(_draw_hand, chart))
    lines = _small_lines(chart)
    return titled(
        chart.title,
        chart.subtitle,
        [space(20), hand, *lines, space(10)],
        least=0,
    )


def _draw_hand(chart: QuizPicture, area: Area) -> None:
    x = area.left
    tiles = [tile for tile in chart.hand if tile != chart.drawn]
    for tile in (*tiles, chart.drawn):
        if tile == chart.drawn:
            x += 26
        if tile // 4 == chart.best:
            right = x + _TILE + 5
            bottom = area.top + _TILE * HIGH + 5
            area.paper.pill(
                x - 5,
                area.top - 5,
                right,
                bottom,
                radius=12,
                colour=UP,
            )
        draw_tile(area.paper, x, area.top, _TILE, tile)
        if chart.shares:
            _draw_share(chart, tile // 4, BarPlace(area.paper, x, area.top + _TILE * HIGH, _TILE))
        x += _TILE + 6


def _draw_share(chart: QuizPicture, kind: int, place: BarPlace) -> None:
    is_taken = kind == chart.taken
    colour = UP
    if is_taken:
        colour = INK
    draw_share(place, chart.shares[kind], colour, is_taken)


def _small_lines(chart: QuizPicture) -> Iterator[Section]:
    height = int(_SMALL_TILE * HIGH) + 16
    for label, tiles in ((INDICATORS, chart.indicators), (RIVER, chart.river)):
        if tiles:
            yield Section(height, partial(_draw_small_tiles, label, tiles))


def _draw_small_tiles(label: str, tiles: Sequence[int], area: Area) -> None:
    area.text(label, SMALL, MUTED, down=_SMALL_TILE * HIGH / 2)
    for place, tile in enumerate(tiles):
        x = area.left + 190 + place * (_SMALL_TILE + 4)
        draw_tile(area.paper, x, area.top, _SMALL_TILE, tile)
