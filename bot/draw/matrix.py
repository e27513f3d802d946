"""Heat map of everyone against everyone (相性 and matchups): blue above the even value, orange
below it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import isfinite

from bot.draw import glyphs, style
from bot.draw.layout import EDGE, WIDTH, Area, Section, Titled, name_column, number, space, titled
from bot.draw.names import distinct_names

# Players up to which a plus is written; with more there is no room, and the colour shows the
# sign.
_SIGNED = 12
_NOBODY = "#DDDDDD"
_NOTED = 88  # least side of a cell with a second line
_PALE = 0.7  # the part of white in a cell of few games
# of a name above a column: most letters, and pixels for each
_UPRIGHT_LETTERS = 8
_STEP = 46
NO_PAIRS = "まだ同卓した2人がいません"
# Signs that lie down when their word stands upright.
_UPRIGHT = str.maketrans(dict(zip("ー－-−|（）()「」…", "｜｜｜｜―︵︶︵︶﹁﹂︙", strict=True)))


@dataclass(frozen=True)
class MatrixChart(Titled):
    """`cells[row][column]`: the row's player against the column's, or None. `centre` is the even
    value; the value farthest from it has the full colour. `notes` are second lines of the cells,
    cells of `few` games are pale; `key` says what a number means."""

    names: Sequence[str]
    cells: Sequence[Sequence[float | None]]
    centre: float = 0.0
    decimals: int = 0
    signed: bool = False
    notes: Sequence[Sequence[str]] = ()
    colours: Sequence[str] = ()
    key: str = ""
    few: Sequence[Sequence[bool]] = ()


def draw(chart: MatrixChart) -> bytes:
    """A PNG, 1200 pixels wide, for 2 to 20 players; with fewer an empty picture."""
    count = len(chart.names)
    if count < 2:
        return titled(chart.title, chart.subtitle, [], 800, (NO_PAIRS, ""))
    shown = distinct_names(chart.names)
    names = [shown[name] for name in chart.names]
    letters = min(max(map(len, names)), _UPRIGHT_LETTERS)
    side = min(160, int((WIDTH - 2 * EDGE - name_column(names)) / count))
    figures = _figure_size(chart, side)
    known = [v for row in chart.cells for v in row if v is not None and isfinite(v)]
    reach = max((abs(value - chart.centre) for value in known), default=1.0) or 1.0
    size = min(style.LABEL, int(side * 0.8))
    inks = [style.readable(colour) for colour in chart.colours] or [style.INK] * count
    widths = (0, *[side] * count)

    def heads(area: Area) -> None:
        """Write the names upright above the columns, the last letter of each at the same height."""
        _, *cells = area.columns(*widths)
        for cell, name, ink in zip(cells, names, inks, strict=True):
            upright = _upright(name, letters)
            for place, letter in enumerate(reversed(upright)):
                y = area.bottom - 20 - (place + 0.5) * _STEP
                area.paper.text(cell.x, y, letter, size, ink, "middle")

    def draw_row(row: int, area: Area) -> None:
        name, *cells = area.columns(*widths)
        name.inset(-8, right=20).text(
            names[row], size, inks[row], "right", least=min(style.LOOKED_FOR, size)
        )
        for column, cell in enumerate(cells):
            if row == column:
                area.paper.across(
                    cell.y,
                    cell.x - side * 0.08,
                    cell.x + side * 0.08,
                    4,
                    _NOBODY,
                )
                continue
            value = chart.cells[row][column]
            ground = style.PANEL
            if value is not None and isfinite(value):
                ground = _ground(value - chart.centre, reach)
            if chart.few and chart.few[row][column]:
                ground = style.blend(ground, style.WHITE, _PALE)
            cell.inset(1, 1, 1, 1).fill(ground)
            note = ""
            if chart.notes and side >= _NOTED:
                note = chart.notes[row][column]
            ink = style.on(ground)
            down = side * (0.36 if note else 0.5)
            area.paper.text(
                cell.x,
                cell.top + down,
                _words(chart, value),
                figures,
                ink,
                "middle",
            )
            soft = style.blend(ink, ground, 0.25)
            cell.inset(2, right=2).text(
                note,
                style.SMALLEST,
                soft,
                "middle",
                down=side * 0.74,
            )

    key = Section(
        64 if chart.key else 16,
        lambda area: area.text(chart.key, style.SMALL, style.MUTED, down=24),
    )
    rows = [Section(side, partial(draw_row, row)) for row in range(count)]
    sections = [key, Section(letters * _STEP + 20, heads), *rows, space(EDGE)]
    return titled(chart.title, chart.subtitle, sections, 0)


def _figure_size(chart: MatrixChart, side: int) -> int:
    """The size of the figures, with which the widest fits into a cell."""
    texts = [_words(chart, value) for row in chart.cells for value in row]
    widest = max((glyphs.width(text, 40) for text in texts), default=40) or 40
    margin = 12 if side > 60 else 2
    fitting = int(40 * (side - margin) / widest)
    return max(12, min(44, int(side * 0.5), fitting))


def _upright(name: str, letters: int) -> str:
    """A name to be written upright. The last two letters of a longer one stay, so that names with
    the same beginning differ."""
    upright = name.translate(_UPRIGHT)
    if len(upright) <= letters:
        return upright
    start = upright[: max(0, letters - 3)].rstrip("︙")
    return start + "︙" + upright[-2:]


def _ground(distance: float, reach: float) -> str:
    """The colour of a value at this distance from the even one; `reach` has the full colour."""
    if not distance:
        return style.WHITE
    part = 0.06 + 0.84 * min(1.0, abs(distance) / reach)
    return style.blend(style.WHITE, style.UP if distance > 0 else style.DOWN, part)


def _words(chart: MatrixChart, value: float | None) -> str:
    if value is None or not isfinite(value):
        return ""
    return number(value, chart.decimals, chart.signed and len(chart.names) <= _SIGNED)
