"""One game as PNG: luck and how well tiles were discarded, and its story by everybody's chance of
first.
"""

from functools import partial
from math import sqrt
from typing import NamedTuple

from bot import texts
from bot.answers.common.figures import luck_words
from bot.answers.common.story import TITLE as STORY, curves, story_lines, swing_of, turning_line
from bot.answers.paifu.analysis import Analysis, result, subtitle
from bot.draw import style
from bot.draw.layout import EDGE, Area, Section, prose, titled
from rating.paifu.chances import Turning, deals_of
from rating.paifu.luck import DEAL_SHANTEN, Luck
from rating.paifu.record import Round
from rating.paifu.reference import GRADE_SEATS

TITLE = "運と打牌"
MEANING = (
    "ツモは手を進める牌（テンパイなら当たり牌）、裏は裏ドラが、予想より何枚多く来たか。"
    "牌効率はリーチが入るまでの受け入れ枚数で、S〜Dは天鳳の{:,}席の上位10・30・60・85%が境です。"
)
GRADE_COLOURS = {"S": style.UP, "A": "#4A9BD0", "B": "#8A8A8A", "C": "#E3A368", "D": style.DOWN}
_LINE, _SKILL = 50, 72
_BLOCK = _SKILL + 3 * _LINE + 6
_SKILLS = (312, 140, 140, 240, 0)  # pixels of name, grade, best discards, push and fold, risk
_LABELS, _LEFT, _RIGHT = 190, 240, 630
_ZERO, _UNIT = (_LEFT + _RIGHT) / 2, (_RIGHT - _LEFT) / 5  # pixels of one standard deviation


class LuckLine(NamedTuple):
    """One kind of luck: the bar's length in standard deviations, and its value in words."""

    label: str
    value: float | None
    words: str


def luck_lines(luck: Luck, seats: int) -> tuple[LuckLine, ...]:
    """配牌, ツモ and 裏 of a player."""
    mean, deviation = DEAL_SHANTEN[seats]
    dealt = mean - deviation * luck.deal / sqrt(luck.rounds) if luck.rounds else mean
    ura = luck.ura if abs(luck.ura) >= 0.05 else 0.0
    return (
        LuckLine("配牌", luck.deal, f"{dealt:.1f}シャンテン"),
        LuckLine(
            "ツモ", luck.z, "" if luck.z is None else f"{texts.number(luck.draws, 1, True)}枚"
        ),
        LuckLine("裏", luck.ura_z, f"{texts.number(ura, 1, True)}枚"),
    )


def draw_game(analysis: Analysis, when: str = "") -> bytes:
    """A PNG, 1200 pixels wide: a block for each player, best placing first: discards above, luck
    below.
    """

    def sides(area: Area) -> None:
        left, right = area.columns(_ZERO - area.left - 16, 0, gap=32)
        left.text("← 不運", style.SMALLEST, style.readable(style.DOWN), "right")
        right.text("幸運 →", style.SMALLEST, style.readable(style.UP))

    def heads(area: Area) -> None:
        _, grade, *cells = area.columns(*_SKILLS)
        grade.text("牌効率", style.SMALLEST, style.FAINT, "middle")
        for cell, words in zip(cells, ("最善打率", "押し引き", "余計なリスク"), strict=True):
            cell.text(words, style.SMALLEST, style.FAINT, "right")

    def block(seat: int, area: Area) -> None:
        if seat == analysis.seat:
            area.band()
        _skill(analysis, seat, area.inset(bottom=area.height - _SKILL))
        _luck(analysis, seat, area.inset(top=_SKILL))
        area.underline()

    sections = [
        Section(44, heads),
        *(Section(_BLOCK, partial(block, seat)) for seat in analysis.order),
        Section(44, sides),
        prose(MEANING.format(GRADE_SEATS[analysis.record.seats]), air=4, most=3),
    ]
    return titled(TITLE, "　".join(filter(None, (when, subtitle(analysis.record)))), sections)


def _luck(analysis: Analysis, seat: int, area: Area) -> None:
    for step in (-2, -1, 1, 2):
        area.paper.down(_ZERO + step * _UNIT, area.top, area.bottom - 6, 2, style.GRID_COLOUR)
    lines = luck_lines(analysis.luck[seat], analysis.record.seats)
    for luck, line in zip(lines, area.rows(_LINE), strict=False):
        value, word = luck.value or 0.0, luck_words(luck.value)
        ink = (
            style.MUTED
            if word in ("ふつう", "－")
            else style.readable(style.UP if value > 0 else style.DOWN)
        )
        long = max(-2.5, min(2.5, value)) * _UNIT
        if abs(long) >= 2:
            area.paper.box(
                _ZERO, line.y - 13, _ZERO + long, line.y + 13, style.UP if value > 0 else style.DOWN
            )
        label, _, words, figure = line.columns(_LABELS - EDGE, _RIGHT - _LABELS, 0, 300, gap=0)
        label.text(luck.label, style.SMALLEST, style.MUTED, "right")
        words.text(word, style.LOOKED_FOR, ink, "right")
        figure.text(luck.words, style.LOOKED_FOR, anchor="right")
    area.paper.down(_ZERO, area.top, area.bottom - 6, 4, style.BASELINE_COLOUR)


def _skill(analysis: Analysis, seat: int, area: Area) -> None:
    name, grade, best, agreed, risk = area.columns(*_SKILLS)
    if colour := analysis.colours[seat]:
        area.paper.pill(
            name.left - 24, name.y - 26, name.left - 14, name.y + 26, radius=5, colour=colour
        )
    name.text(analysis.names[seat], style.LOOKED_FOR, bold=seat == analysis.seat)
    efficiency, rating = analysis.efficiency[seat], analysis.review.ratings[seat]
    letter = efficiency.grade(analysis.record.seats)
    if letter is None:
        grade.text("－", 40, style.FAINT, "middle")
    else:
        colour = GRADE_COLOURS[letter]
        area.paper.pill(
            grade.x - 34, grade.y - 28, grade.x + 34, grade.y + 28, radius=14, colour=colour
        )
        grade.inset(bottom=2).text(letter, style.LOOKED_FOR, style.on(colour), "middle", bold=True)
    shares = (efficiency.best, efficiency.decisions), (rating.agreed, rating.choices)
    values = [f"{good / every:.0%}" if every else "－" for good, every in shares]
    values.append(f"{rating.spare:,.0f}点" if rating.choices else "－")
    for cell, words in zip((best, agreed, risk), values, strict=True):
        cell.text(words, style.LOOKED_FOR, style.FAINT if words == "－" else style.INK, "right")


_HIGH = 400


def turned_round(analysis: Analysis) -> tuple[Round, Turning] | None:
    """The round of the turning point; None where nothing changes or the chances are unknown."""
    turning = analysis.turning
    return None if turning is None else (deals_of(analysis.record)[turning.round][0], turning)


def swing_words(analysis: Analysis, turning: Turning) -> tuple[int, str]:
    """The seat whose chance of first the round changed the most, and how: 31%→78%."""
    assert analysis.chances is not None
    return swing_of([places[:, 0].tolist() for places in analysis.chances], turning, analysis.order)


def draw_story(analysis: Analysis, when: str = "") -> bytes:
    """A PNG, 1200 pixels wide: the turning point in words, and the curves; the chances are
    known.
    """
    assert analysis.chances is not None
    final = [f"{points:,}".replace("-", "−") for points in analysis.record.points()]
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
        sections += [prose(result(turned[0], analysis.names), air=6)]
    subtitles = filter(None, (when, subtitle(analysis.record)))
    return titled(STORY, "　".join(subtitles), [*sections, curves(chart, _HIGH)])
