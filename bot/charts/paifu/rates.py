"""The rates of one paifu, or of many (牌譜成績): those of each player, and how often each class of tile dealt in."""

from __future__ import annotations

from collections.abc import Sequence

from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import DOWN, FAINT, GRID_COLOUR, INK, MUTED, UP, readable
from bot.charts.canvas.unique_names import told_apart
from bot.charts.paifu.parts import WIDTH, draw_band
from bot.charts.parts.header import BELOW, EDGE, draw_header
from rating.paifu.record import Record
from rating.paifu.statistics import Statistics, of_record
from rating.paifu.tally import WIN, PaifuTally, shares

TITLE = "和了率・放銃率"
_ROW, _LINE = 92, 74
_HEADS = ("和了", "放銃", "リーチ", "副露", "平均和了", "局収支")
_COLUMNS = (450, 560, 690, 805, 990, WIDTH - EDGE)

# Class, its label, and its deal-in rate in per cent in 171,650 games on Tenhou, from koba::blog
# 「牌の危険度計算アルゴリズム」 (https://blog.kobalab.net/entry/2021/01/22/204805).
CLASSES = (
    ("z fresh", "字牌 生牌", 4.29),
    ("z 1 seen", "字牌 1枚切れ", 2.11),
    ("z 2 seen", "字牌 2枚切れ", 0.28),
    ("19", "19 無スジ", 6.65),
    ("19 suji", "19 スジ", 2.02),
    ("28", "28 無スジ", 7.72),
    ("28 suji", "28 スジ", 3.5),
    ("37", "37 無スジ", 8.42),
    ("37 suji", "37 スジ", 4.62),
    ("456", "456 無スジ", 11.56),
    ("456 one suji", "456 片スジ", 7.1),
    ("456 both", "456 両スジ", 2.81),
)


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
    height = BELOW + 50 + _ROW * len(rows) + 40 + 70 + 56 + _LINE * len(CLASSES) + 30
    paper = Paper(WIDTH, height)
    draw_header(paper, title, subtitle)
    for x, words in zip(_COLUMNS, _HEADS, strict=True):
        paper.text(x, BELOW + 22, words, 32, colour=FAINT, anchor="right")
    top = BELOW + 50.0
    names = told_apart(name for name, _ in rows)
    for name, tally in rows:
        top = _player(paper, names[name], tally, top)
    top = draw_band(paper, top + 40, "牌ごとの放銃率", "リーチに対して")
    _deal_ins(paper, statistics, top)
    return paper.png()


def _player(paper: Paper, name: str, tally: PaifuTally, top: float) -> float:
    figures = tally.figures()
    y = top + _ROW / 2
    paper.text(EDGE, y, name, 38, INK, room=300, least=26)
    words = [f"{figures[key]:.0%}" for key in ("win", "deal_in", "riichi", "call")]
    words += [f"{tally.mean_win:,.0f}" if tally.endings[WIN] else "－"]
    words += [f"{tally.mean_change:+,.0f}".replace("-", "−")]
    for x, word in zip(_COLUMNS, words, strict=True):
        paper.text(x, y, word, 36, colour=INK, anchor="right")
    paper.across(top + _ROW, EDGE, WIDTH - EDGE, 2, GRID_COLOUR)
    return top + _ROW


def _deal_ins(paper: Paper, statistics: Statistics, top: float) -> None:
    """Draw a line for each class: its deal-ins and discards, and a bar of its rate in `CLASSES` for comparison."""
    table = statistics.all_deal_ins().by_class()
    left, right = 660.0, WIDTH - EDGE - 140.0
    paper.text(580, top + 28, "放銃 / 打牌", 32, colour=FAINT, anchor="right")
    paper.text(left, top + 28, "天鳳全体での放銃率", 32, FAINT)
    top += 56
    for name, words, usual in CLASSES:
        row, y = table[name], top + _LINE / 2
        paper.text(EDGE, y, words, 36, INK)
        ink = readable(DOWN) if row["deal_ins"] else INK if row["discards"] else FAINT
        paper.text(580, y, f"{row['deal_ins']:.0f} / {row['discards']:.0f}", 36, colour=ink, anchor="right")
        paper.pill(left, y - 13, left + (right - left) * usual / 12, y + 13, radius=6, colour=UP)
        paper.text(WIDTH - EDGE, y, f"{usual:.1f}%", 34, colour=MUTED, anchor="right")
        top += _LINE
