"""The luck and the play of one game as PNG: everybody's luck about a zero in the middle, and how well tiles were discarded."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from bot import texts
from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import (
    ASKER_ROW,
    BASELINE_COLOUR,
    DOWN,
    FAINT,
    GRID_COLOUR,
    INK,
    MUTED,
    UP,
    on,
    readable,
)
from bot.charts.canvas.wrap import paragraph
from bot.charts.paifu.analysis import Analysis
from bot.charts.paifu.parts import SMALLEST, WIDTH, draw_band, draw_title
from bot.charts.paifu.words import luck_words, subtitle
from bot.charts.parts.header import BELOW, EDGE
from rating.paifu.luck import DEAL_SHANTEN, Luck
from rating.paifu.tile_choices import EfficiencyRating

TITLE = "運と打牌"
MEANING = "ツモは手を進める牌（テンパイなら当たり牌）、裏は裏ドラが、予想より何枚多く来たか。配牌は平均のシャンテン数です。"
GRADES = "牌効率は、リーチが入るまでの打牌を受け入れ枚数で見たものです。S〜Dは、実戦の219人のどこにあたるか（上位10・30・60・85%）。"
GRADE_COLOURS = {"S": UP, "A": "#4A9BD0", "B": "#8A8A8A", "C": "#E3A368", "D": DOWN}
_LINE, _PLAYER, _SKILL = 54, 190, 116
_VALUE = 43  # font size in pixels: nine points in a thread
_LABELS, _LEFT, _RIGHT, _WORD = 334, 412, 764, 988
_ZERO, _UNIT = (_LEFT + _RIGHT) / 2, (_RIGHT - _LEFT) / 5  # pixels of one standard deviation, or one ura dora
_HEADS = ((430, "牌効率", "middle"), (640, "最善手", "right"), (880, "押し引き一致", "right"))


class LuckLine(NamedTuple):
    """One kind of luck of a player: how long its bar is, in standard deviations or ura dora, and its value in words."""

    label: str
    value: float | None
    words: str


def luck_lines(luck: Luck, seats: int) -> tuple[LuckLine, ...]:
    """配牌, ツモ and 裏 of a player."""
    mean, deviation = DEAL_SHANTEN[seats]
    dealt = mean - deviation * luck.deal / sqrt(luck.rounds) if luck.rounds else mean
    ura = luck.ura if abs(luck.ura) >= 0.05 else 0.0
    return (
        LuckLine("配牌", luck.deal, f"{dealt:.1f}向聴"),
        LuckLine("ツモ", luck.z, "" if luck.z is None else f"{texts.number(luck.draws, 1, True)}枚"),
        LuckLine("裏", ura, f"{texts.number(ura, 1, True)}枚"),
    )


def draw_game(analysis: Analysis, when: str = "") -> bytes:
    """A PNG, 1200 pixels wide: a block of bars for each player, best placing first, then their discards."""
    players = len(analysis.order)
    height = BELOW + 70 + 56 + _PLAYER * players + 130 + 70 + 56 + _SKILL * players + 130
    paper = Paper(WIDTH, height)
    draw_title(paper, TITLE, "　".join(filter(None, (when, subtitle(analysis.record)))))
    top = draw_band(paper, BELOW, "運", "まん中が平均")
    paper.text(_ZERO - 16, top + 28, "← 不運", SMALLEST, readable(DOWN), "right")
    paper.text(_ZERO + 16, top + 28, "幸運 →", SMALLEST, readable(UP))
    top += 56
    for seat in analysis.order:
        _luck(paper, analysis, seat, top)
        top += _PLAYER
    top += 12
    paragraph(paper, EDGE, top + 24, MEANING, SMALLEST, MUTED, WIDTH - 2 * EDGE, 2)
    top = draw_band(paper, top + 118, "打牌", "牌効率と押し引き")
    for x, words, anchor in _HEADS:
        paper.text(x, top + 28, words, SMALLEST, FAINT, anchor)  # type: ignore[arg-type]
    paper.text(WIDTH - EDGE, top + 28, "余計なリスク", SMALLEST, FAINT, "right")
    top += 56
    for seat in analysis.order:
        _skill(paper, analysis, seat, top)
        top += _SKILL
    paragraph(paper, EDGE, top + 36, GRADES, SMALLEST, MUTED, WIDTH - 2 * EDGE, 2)
    return paper.png()


def _name(paper: Paper, analysis: Analysis, seat: int, y: float, room: float) -> None:
    colour = analysis.colours[seat]
    if colour:
        paper.pill(EDGE - 24, y - 26, EDGE - 14, y + 26, radius=5, colour=colour)
    paper.text(EDGE, y, analysis.names[seat], 44, INK, bold=seat == analysis.seat, room=room, least=SMALLEST)


def _luck(paper: Paper, analysis: Analysis, seat: int, top: float) -> None:
    """Draw a player's block: a bar for each kind of luck, to the right for good luck."""
    if seat == analysis.seat:
        paper.box(0, top, WIDTH, top + _PLAYER, ASKER_ROW)
    _name(paper, analysis, seat, top + _PLAYER / 2, _LABELS - EDGE - 16)
    for step in (-2, -1, 1, 2):
        paper.down(_ZERO + step * _UNIT, top, top + _PLAYER, 2, GRID_COLOUR)
    for place, line in enumerate(luck_lines(analysis.luck[seat], analysis.record.seats)):
        y = top + 14 + _LINE * (place + 0.5)
        paper.text(_LABELS, y, line.label, SMALLEST, MUTED)
        word = luck_words(line.value)
        ink = MUTED if word in ("ふつう", "－") else readable(UP if (line.value or 0) > 0 else DOWN)
        _bar(paper, y, line.value or 0.0)
        paper.text(_WORD, y, word, _VALUE, ink, "right")
        paper.text(WIDTH - EDGE, y, line.words, _VALUE, INK, "right", room=152, least=SMALLEST)
    paper.down(_ZERO, top, top + _PLAYER, 4, BASELINE_COLOUR)
    paper.across(top + _PLAYER, EDGE, WIDTH - EDGE, 2, GRID_COLOUR)


def _bar(paper: Paper, y: float, value: float) -> None:
    """Draw a bar from the middle, at most to the edge of the chart."""
    long = max(-2.5, min(2.5, value)) * _UNIT
    if abs(long) >= 2:
        left, right = sorted((_ZERO, _ZERO + long))
        paper.box(left, y - 15, right, y + 15, UP if value > 0 else DOWN)


def _skill(paper: Paper, analysis: Analysis, seat: int, top: float) -> None:
    """Draw a player's row: the grade of tile efficiency and the best discards, then push and fold."""
    if seat == analysis.seat:
        paper.box(0, top, WIDTH, top + _SKILL, ASKER_ROW)
    y = top + _SKILL / 2
    _name(paper, analysis, seat, y, 300)
    _draw_grade(paper, 430, y, analysis.efficiency[seat])
    best = analysis.efficiency[seat]
    _share(paper, 640, y, best.best, best.decisions)
    rating = analysis.review.ratings[seat]
    _share(paper, 880, y, rating.agreed, rating.choices)
    spare = f"{rating.spare:,.0f}点" if rating.choices else "－"
    paper.text(WIDTH - EDGE, y, spare, _VALUE, INK if rating.choices else FAINT, "right")
    paper.across(top + _SKILL, EDGE, WIDTH - EDGE, 2, GRID_COLOUR)


def _draw_grade(paper: Paper, x: float, y: float, rating: EfficiencyRating) -> None:
    grade = rating.grade
    if grade is None:
        paper.text(x, y, "－", 40, FAINT, "middle")
        return
    colour = GRADE_COLOURS[grade]
    paper.pill(x - 36, y - 36, x + 36, y + 36, radius=16, colour=colour)
    paper.text(x, y - 1, grade, 50, on(colour), "middle", bold=True)


def _share(paper: Paper, right: float, y: float, good: int, every: int) -> None:
    """Draw a share in per cent, and below it of how many discards."""
    if not every:
        paper.text(right, y, "打牌なし", SMALLEST, FAINT, "right")
        return
    paper.text(right, y - 20, f"{good / every:.0%}", _VALUE, INK, "right", bold=True)
    paper.text(right, y + 26, f"{good}/{every}打", SMALLEST, MUTED, "right")
