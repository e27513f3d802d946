"""One game as PNG: luck and how well tiles were discarded, and its story by everybody's chance of
first.
"""

from collections.abc import Sequence
from functools import partial
from math import sqrt
from typing import NamedTuple

from bot import texts
from bot.answers.common.figures import luck_words
from bot.answers.common.rounds import result
from bot.answers.common.story import TITLE as STORY, curves, story_lines, swing_of, turning_line
from bot.answers.paifu.analysis import Analysis, final_points, subtitle
from bot.draw import style
from bot.draw.layout import Area, Section, heading, prose, space, titled
from bot.draw.paper import Anchor
from rating.paifu.chances import Turning, deals_of
from rating.paifu.luck import DEAL_SHANTEN, Luck
from rating.paifu.record import Round
from rating.paifu.review import PushRating

TITLE = "運と打牌"
PLAY_HEADS = ("最善打率", "ロス", "押しすぎ", "余計なリスク")
PLAY_MEANING = (
    "最善打率とロスは、リーチが入るまでの打牌の受け入れ枚数から。"
    "押しすぎは、リーチへの打牌のうち基準ならやめたもの。"
)
SIDES = "不運　幸運"  # of the bars, about their middle
LUCK_HEADS = ("", "", SIDES, "", "予想との差")
LUCK_MEANING = (
    "＋が幸運。配牌はテンパイへの近さ（1局平均）、ツモは手を進める牌（テンパイなら当たり牌）、"
    "裏は裏ドラの枚数。"
)
_LINE = 50
_PLAY = 72
_HEADS = 50
_LUCK = 3 * _LINE + 12
_PLAY_COLUMNS = (312, 170, 150, 200, 0)  # pixels of the name and of PLAY_HEADS
_LUCK_COLUMNS = (254, 76, 240, 220, 0)  # pixels of name, kind of luck, bar, words, difference
_UNITS = 5  # standard deviations across a bar


class LuckLine(NamedTuple):
    """One kind of luck: the bar's length in standard deviations, its value in words, which is the
    difference from what was to be expected: more is luckier."""

    label: str
    value: float | None
    words: str


def luck_lines(luck: Luck, seats: int) -> tuple[LuckLine, ...]:
    """配牌, ツモ and 裏 of a player."""
    _, deviation = DEAL_SHANTEN[seats]
    nearer = deviation * luck.deal / sqrt(luck.rounds) if luck.rounds else 0.0
    ura = luck.ura if abs(luck.ura) >= 0.05 else 0.0
    draws = "" if luck.z is None else f"{texts.number(luck.draws, 1, True)}枚"
    return (
        LuckLine("配牌", luck.deal, f"{texts.number(nearer, 1, True)}シャンテン"),
        LuckLine("ツモ", luck.z, draws),
        LuckLine("裏", luck.ura_z, f"{texts.number(ura, 1, True)}枚"),
    )


def draw_game(analysis: Analysis, when: str = "") -> bytes:
    """A PNG, 1200 pixels wide: how well everybody discarded, then everybody's luck, the best
    placing first."""

    def play_row(seat: int, area: Area) -> None:
        if seat == analysis.seat:
            area.band()
        _play(analysis, seat, area)
        area.underline()

    def luck_row(seat: int, area: Area) -> None:
        if seat == analysis.seat:
            area.band()
        _luck(analysis, seat, area.inset(bottom=12))
        area.underline()

    sections = [
        heading("打牌"),
        Section(_HEADS, partial(_heads, _PLAY_COLUMNS, ("", *PLAY_HEADS))),
        *(Section(_PLAY, partial(play_row, seat)) for seat in analysis.order),
        prose(PLAY_MEANING, air=4),
        space(20),
        heading("運"),
        Section(_HEADS, partial(_heads, _LUCK_COLUMNS, LUCK_HEADS)),
        *(Section(_LUCK, partial(luck_row, seat)) for seat in analysis.order),
        prose(LUCK_MEANING, air=4),
    ]
    if analysis.absent:
        sections.append(prose(analysis.absent_note, air=4, most=3))
    return titled(
        TITLE,
        "　".join(filter(None, (when, subtitle(analysis.record)))),
        sections,
    )


def _heads(columns: Sequence[float], heads: Sequence[str], area: Area) -> None:
    """The head of each column of figures at its right, that of the bars in their middle."""
    for cell, words in zip(area.columns(*columns), heads, strict=True):
        anchor: Anchor = "middle" if words == SIDES else "right"
        cell.text(words, style.SMALLEST, style.FAINT, anchor)


def _luck(analysis: Analysis, seat: int, area: Area) -> None:
    name, _, bars, *_ = area.columns(*_LUCK_COLUMNS)
    _name(analysis, seat, name)
    unit = bars.width / _UNITS
    for step in (-2, -1, 1, 2):
        area.paper.down(
            bars.x + step * unit,
            area.top,
            area.bottom,
            2,
            style.GRID_COLOUR,
        )
    lines = luck_lines(analysis.luck[seat], analysis.record.seats)
    for luck, row in zip(lines, area.rows(_LINE), strict=False):
        _luck_line(luck, row, unit)
    area.paper.down(bars.x, area.top, area.bottom, 4, style.BASELINE_COLOUR)


def _luck_line(luck: LuckLine, row: Area, unit: float) -> None:
    _, label, bar, words, difference = row.columns(*_LUCK_COLUMNS)
    value = luck.value or 0.0
    word = luck_words(luck.value)
    colour = style.UP if value > 0 else style.DOWN
    long = max(-_UNITS / 2, min(_UNITS / 2, value)) * unit
    if abs(long) >= 2:
        row.paper.box(
            bar.x,
            row.y - 13,
            bar.x + long,
            row.y + 13,
            colour,
        )
    ink = style.MUTED if word in ("ふつう", "－") else style.readable(colour)
    label.text(luck.label, style.SMALLEST, style.MUTED, "right")
    words.text(word, style.LOOKED_FOR, ink, "right")
    difference.text(luck.words, style.LOOKED_FOR, anchor="right")


def _name(analysis: Analysis, seat: int, area: Area) -> None:
    """A player's name; left of it a bar in the colour of a member."""
    colour = analysis.colours[seat]
    if colour:
        area.paper.pill(
            area.left - 24,
            area.y - 26,
            area.left - 14,
            area.y + 26,
            radius=5,
            colour=colour,
        )
    area.text(analysis.names[seat], style.LOOKED_FOR, bold=seat == analysis.seat)


def _play(analysis: Analysis, seat: int, area: Area) -> None:
    name, *cells = area.columns(*_PLAY_COLUMNS)
    _name(analysis, seat, name)
    efficiency = analysis.efficiency[seat]
    pushes = analysis.review.ratings[seat]
    best = "－"
    loss = "－"
    if efficiency.share is not None and efficiency.mean_loss is not None:
        best = f"{efficiency.share:.0%}"
        loss = texts.percent(efficiency.mean_loss)
    risk = f"{pushes.spare:,.0f}点" if pushes.choices else "－"
    values = (best, loss, overpush_words(pushes), risk)
    for cell, words in zip(cells, values, strict=True):
        cell.text(words, style.LOOKED_FOR, style.FAINT if words == "－" else style.INK, "right")


def overpush_words(pushes: PushRating) -> str:
    """The discards into a riichi that the rule would not have made, of all: 1/7打."""
    if not pushes.choices:
        return "－"
    return f"{pushes.choices - pushes.agreed}/{pushes.choices}打"


_HIGH = 400


def turned_round(analysis: Analysis) -> tuple[Round, Turning] | None:
    """The round of the turning point; None where nothing changes or the chances are unknown."""
    turning = analysis.turning
    return None if turning is None else (deals_of(analysis.record)[turning.round][0], turning)


def swing_words(analysis: Analysis, turning: Turning) -> tuple[int, str]:
    """The seat whose chance of first the round changed the most, and how: 31%→78%."""
    assert analysis.chances is not None
    return swing_of(
        [places[:, 0].tolist() for places in analysis.chances],
        turning,
        analysis.order,
    )


def draw_story(analysis: Analysis, when: str = "") -> bytes:
    """A PNG, 1200 pixels wide: the turning point in words, and the curves; the chances are
    known.
    """
    assert analysis.chances is not None
    final = [final_points(analysis.record, seat) for seat in range(analysis.record.seats)]
    chart = story_lines(
        [places[:, 0].tolist() for places in analysis.chances],
        [deal.name for deal, _ in deals_of(analysis.record)],
        list(zip(analysis.names, analysis.colours, final, strict=False)),
        analysis.turning,
        analysis.order,
        analysis.seat,
    )
    sections = turning_line(chart)
    if (turned := turned_round(analysis)) and turned[0].endings:
        sections.append(prose(result(turned[0], analysis.names), air=6))
    subtitles = filter(None, (when, subtitle(analysis.record)))
    return titled(STORY, "　".join(subtitles), [*sections, curves(chart, _HIGH)])
