"""The rates of one paifu, or of many (牌譜成績): those of each player, and how often each class of tile dealt in."""

from __future__ import annotations

from collections.abc import Sequence

from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import DOWN, FAINT, GRID_COLOUR, INK, LOOKED_FOR, MUTED, SMALLEST, UP, readable
from bot.charts.canvas.unique_names import told_apart
from bot.charts.paifu.parts import WIDTH, draw_band
from bot.charts.paifu.words import deal_ins
from bot.charts.parts.header import BELOW, EDGE, draw_header
from rating.paifu.deal_in import DealIns
from rating.paifu.deal_in_rate import SOURCE_PERCENT
from rating.paifu.record import Record
from rating.paifu.statistics import Statistics, of_record
from rating.paifu.tally import DEAL_IN, WIN, PaifuTally, shares

TITLE = "和了率・放銃率"
_ROW, _LINE = 128, 74
_HEADS = ("和了", "放銃", "リーチ", "副露", "平均和了", "局収支")
_COLUMNS = (450, 560, 690, 805, 990, WIDTH - EDGE)

LABELS = {
    "z fresh": "字牌 生牌", "z 1 seen": "字牌 1枚切れ", "z 2 seen": "字牌 2枚切れ", "z 3 seen": "字牌 3枚切れ",
    "19": "19 無スジ", "19 suji": "19 スジ", "28": "28 無スジ", "28 suji": "28 スジ", "37": "37 無スジ", "37 suji": "37 スジ",
    "456": "456 無スジ", "456 one suji": "456 片スジ", "456 both": "456 両スジ",
}  # fmt: skip


def draw_rates(record: Record, subtitle: str) -> bytes:
    """A PNG of the rates of one paifu, with a row for each seat (guests may share a name)."""
    tallies = [PaifuTally() for _ in record.players]
    for played in record.rounds:
        for tally, share in zip(tallies, shares(played), strict=True):
            tally.count(share)
    rows = list(zip(record.players, tallies, strict=True))
    return draw_statistics(TITLE, subtitle, rows, of_record(record))


def draw_statistics(
    title: str, subtitle: str, rows: Sequence[tuple[str, PaifuTally]], statistics: Statistics
) -> bytes:
    """A PNG, 1200 pixels wide: the rates of the players (name, tally), and the deal-in table of `statistics`."""
    height = BELOW + 50 + _ROW * len(rows) + 40 + 70 + 56 + _LINE * (len(LABELS) + 1) + 30
    paper = Paper(WIDTH, height)
    draw_header(paper, title, subtitle)
    for x, words in zip(_COLUMNS, _HEADS, strict=True):
        paper.text(x, BELOW + 22, words, SMALLEST, colour=FAINT, anchor="right")
    top = BELOW + 50.0
    names = told_apart(name for name, _ in rows)
    for name, tally in rows:
        top = _player(paper, names[name], tally, top)
    top = draw_band(paper, top + 40, "牌ごとの放銃率", "リーチに対して")
    _deal_ins(paper, statistics.all_deal_ins(), top)
    return paper.png()


def _player(paper: Paper, name: str, tally: PaifuTally, top: float) -> float:
    figures = tally.figures()
    y = top + 44
    paper.text(EDGE, y, name, LOOKED_FOR, INK, room=270, least=SMALLEST)
    words = [f"{figures[key]:.0%}" for key in ("win", "deal_in", "riichi", "call")]
    words += [f"{tally.mean_win:,.0f}" if tally.endings[WIN] else "－"]
    words += [f"{tally.mean_change:+,.0f}".replace("-", "−")]
    for x, word in zip(_COLUMNS, words, strict=True):
        paper.text(x, y, word, LOOKED_FOR, colour=INK, anchor="right")
    paper.text(WIDTH - EDGE, top + 96, _split(tally), 34, MUTED, anchor="right", room=WIDTH - 2 * EDGE)
    paper.across(top + _ROW, EDGE, WIDTH - EDGE, 2, GRID_COLOUR)
    return top + _ROW


def _split(tally: PaifuTally) -> str:
    """The deal-ins by who won; without that where a record log of version 0.1 does not tell it."""
    return f"放銃の相手：{deal_ins(tally.split)}" if tally.split else f"放銃 {tally.endings[DEAL_IN]}局"


def _deal_ins(paper: Paper, counted: DealIns, top: float) -> None:
    """Draw a line for each class: its deal-ins and discards, and a bar of its rate in the source; then their sum."""
    table = counted.by_class()
    left, right = 660.0, WIDTH - EDGE - 140.0
    paper.text(580, top + 28, "放銃 / 打牌", SMALLEST, colour=FAINT, anchor="right")
    paper.text(left, top + 28, "天鳳の四人打ちの放銃率", SMALLEST, FAINT, room=WIDTH - EDGE - left)
    top += 56
    for name, words in LABELS.items():
        row, y, usual = table[name], top + _LINE / 2, SOURCE_PERCENT[name]
        paper.text(EDGE, y, words, LOOKED_FOR, INK)
        ink = readable(DOWN) if row["deal_ins"] else INK if row["discards"] else FAINT
        paper.text(580, y, f"{row['deal_ins']:.0f} / {row['discards']:.0f}", 36, colour=ink, anchor="right")
        paper.pill(left, y - 13, left + (right - left) * usual / 12, y + 13, radius=6, colour=UP)
        paper.text(WIDTH - EDGE, y, f"{usual:.1f}%", 34, colour=MUTED, anchor="right")
        top += _LINE
    y = top + _LINE / 2
    paper.text(EDGE, y, "合計", 36, INK, bold=True)
    both = f"{counted.deal_ins.total()} / {counted.discards.total()}"
    paper.text(580, y, both, 36, colour=INK, anchor="right", bold=True)
    if counted.robbed:
        paper.text(left, y, f"ほかに槍槓で{counted.robbed}", 34, MUTED)
