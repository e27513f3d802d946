"""The rates of one paifu, or of many (牌譜成績): those of each player, and how often each class of tile dealt
in."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from bot.answers.paifu.pictures.parts import band
from bot.answers.paifu.pictures.words import deal_ins
from bot.draw.glyphs import told_apart
from bot.draw.layout import Area, Section, space, titled
from bot.draw.style import DOWN, FAINT, INK, LOOKED_FOR, MUTED, SMALLEST, UP, readable
from rating.paifu.deal_in import SOURCE_PERCENT, DealIns
from rating.paifu.record import Record
from rating.paifu.statistics import Statistics, of_record
from rating.paifu.tally import DEAL_IN, WIN, PaifuTally, shares

TITLE = "和了率・放銃率"
_LINE = 74
_HEADS = ("和了", "放銃", "リーチ", "副露", "平均和了", "局収支")
_COLUMNS = (270, 132, 110, 130, 115, 185, 0)  # pixels of the name and the figures
_COUNTED = 532  # pixels of a class and its deal-ins

LABELS = {
    "z fresh": "字牌 生牌", "z 1 seen": "字牌 1枚切れ", "z 2 seen": "字牌 2枚切れ",
    "z 3 seen": "字牌 3枚切れ", "19": "19 無スジ", "19 suji": "19 スジ", "28": "28 無スジ",
    "28 suji": "28 スジ", "37": "37 無スジ", "37 suji": "37 スジ", "456": "456 無スジ",
    "456 one suji": "456 片スジ", "456 both": "456 両スジ",
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
    """A PNG, 1200 pixels wide: the rates of the players (name, tally), and the deal-in table of
    `statistics`."""
    names = told_apart(name for name, _ in rows)
    counted = statistics.all_deal_ins()
    sections = [
        Section(50, _heads),
        *(Section(128, partial(_player, names[name], tally)) for name, tally in rows),
        space(40),
        band("牌ごとの放銃率", "リーチに対して", air=0),
        Section(56, _class_heads),
        *(Section(_LINE, partial(_deal_ins, counted, name, words)) for name, words in LABELS.items()),
        Section(_LINE, partial(_sum, counted)),
        space(30),
    ]
    return titled(title, subtitle, sections)


def _heads(area: Area) -> None:
    for cell, words in zip(area.columns(*_COLUMNS)[1:], _HEADS, strict=True):
        cell.text(words, SMALLEST, FAINT, "right", down=22)


def _player(name: str, tally: PaifuTally, area: Area) -> None:
    figures = tally.figures()
    words = [f"{figures[key]:.0%}" for key in ("win", "deal_in", "riichi", "call")]
    words += [f"{tally.mean_win:,.0f}" if tally.endings[WIN] else "－"]
    words += [f"{tally.mean_change:+,.0f}".replace("-", "−")]
    first, *cells = area.columns(*_COLUMNS)
    first.text(name, LOOKED_FOR, down=44)
    for cell, word in zip(cells, words, strict=True):
        cell.text(word, LOOKED_FOR, anchor="right", down=44)
    area.text(_split(tally), SMALLEST, MUTED, "right", down=96)
    area.underline()


def _split(tally: PaifuTally) -> str:
    """The deal-ins by who won; without that where a record log of version 0.1 does not tell it."""
    return f"放銃の相手：{deal_ins(tally.split)}" if tally.split else f"放銃 {tally.endings[DEAL_IN]}局"


def _class_heads(area: Area) -> None:
    counts, source = area.columns(_COUNTED, 0, gap=80)
    counts.text("放銃 / 打牌", SMALLEST, FAINT, "right")
    source.text("天鳳の四人打ちの放銃率", SMALLEST, FAINT)


def _deal_ins(counted: DealIns, name: str, words: str, area: Area) -> None:
    """Draw a line for a class: its deal-ins and discards, and a bar of its rate in the source."""
    row, usual = counted.by_class()[name], SOURCE_PERCENT[name]
    counts, bar, percent = area.columns(_COUNTED, 0, 60, gap=80)
    counts.text(words, LOOKED_FOR)
    ink = readable(DOWN) if row["deal_ins"] else INK if row["discards"] else FAINT
    counts.text(f"{row['deal_ins']:.0f} / {row['discards']:.0f}", 36, ink, "right")
    bar.inset(top=24, right=bar.width * (1 - usual / 12), bottom=24).plate(UP, 6)
    percent.inset(-60).text(f"{usual:.1f}%", SMALLEST, MUTED, "right")


def _sum(counted: DealIns, area: Area) -> None:
    counts, rest = area.columns(_COUNTED, 0, gap=80)
    counts.text("合計", 36, bold=True)
    counts.text(f"{counted.deal_ins.total()} / {counted.discards.total()}", 36, anchor="right", bold=True)
    if counted.robbed:
        rest.text(f"ほかに槍槓で{counted.robbed}", SMALLEST, MUTED)
