"""The picture of 牌譜成績: the rates of the players, and how often each class of tile dealt in."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from bot.answers.paifu import texts as paifu_texts
from bot.answers.paifu.analysis import deal_ins
from bot.answers.paifu.figure_pages import FEW_CASES
from bot.answers.paifu.hands import band
from bot.draw.layout import Area, Section, Titled, line, space, titled
from bot.draw.names import distinct_names
from bot.draw.style import DOWN, FAINT, INK, LOOKED_FOR, MUTED, SMALLEST, UP, readable
from rating.paifu.deal_in import DealIns, source_percent
from rating.paifu.record import Record
from rating.paifu.reference import TOP_TABLE
from rating.paifu.statistics import Statistics, of_record
from rating.paifu.tally import PaifuTally, RoundEnding, shares

TITLE_OF_RECORD = "アガリ率・放銃率"
MARKS = f"青い字：いちばんよい　橙の字：いちばん悪い（{FEW_CASES}局以上の人で）"
TOP_TABLE_ROW = "天鳳最上位卓"
DEAL_INS = "放銃{rounds}"
DEALT_IN = "{rounds}局"
DEALT_IN_TO = "{rounds}局：{winners}"
DEALT_IN_DOUBLE = "{rounds}局：{winners}（ダブロン{double}局）"
CLASSES = "牌ごとの放銃率"
TO_RIICHI = "リーチに対して"
COUNTS = "放銃 / 打牌"
SOURCES = {3: "天鳳最上位卓の放銃率", 4: "天鳳の四人打ちの放銃率"}
TOTAL = "合計"
ROBBED = "ほかに槍槓で{count}"
CLASS_LABELS = {
    "z fresh": "字牌 生牌",
    "z 1 seen": "字牌 1枚切れ",
    "z 2 seen": "字牌 2枚切れ",
    "z 3 seen": "字牌 3枚切れ",
    "19": "19 無スジ",
    "19 suji": "19 スジ",
    "28": "28 無スジ",
    "28 suji": "28 スジ",
    "37": "37 無スジ",
    "37 suji": "37 スジ",
    "456": "456 無スジ",
    "456 one suji": "456 片スジ",
    "456 both": "456 両スジ",
}


class _Column(NamedTuple):
    """A figure of the picture. `better`: 1 where more is better, -1 where less is, else 0."""

    key: str
    head: str
    better: int


_COLUMNS = (
    _Column("win", "アガリ", 1),
    _Column("deal_in", "放銃", -1),
    _Column("riichi", "リーチ", 0),
    _Column("call", "副露", 0),
    _Column("mean_win", "平均打点", 1),
    _Column("mean", "局収支", 1),
)
_RATES = ("win", "deal_in", "riichi", "call")
_WIDTHS = (270, 132, 110, 130, 115, 185, 0)  # pixels of the name and the figures
_COUNTED = 532  # pixels of a class and its deal-ins
_LINE = 74
_LONGEST_BAR = {3: 21, 4: 12}  # per cent across the bar of a class, by seats
_Marks = Mapping[str, str]
"""The colours of a player's best and worst figures, by key."""


class PlayerTally(NamedTuple):
    name: str
    tally: PaifuTally


@dataclass(frozen=True)
class StatisticsChart(Titled):
    """The data of the picture; `colours` are those of the `rows`, () for a record's players."""

    rows: tuple[PlayerTally, ...]
    statistics: Statistics
    seats: int
    colours: tuple[str, ...] = ()
    asker: str = ""


def draw_rates(record: Record, subtitle: str) -> bytes:
    """A PNG of the rates of one paifu, with a row for each seat (guests may share a name)."""
    rows = tuple(PlayerTally(name, PaifuTally()) for name in record.players)
    for played in record.rounds:
        for row, share in zip(rows, shares(played), strict=True):
            row.tally.count(share)
    chart = StatisticsChart(TITLE_OF_RECORD, subtitle, rows, of_record(record), record.seats)
    return draw(chart)


def draw(chart: StatisticsChart) -> bytes:
    """A PNG, 1200 pixels wide: the rates of the players, and the table of deal-ins."""
    return titled(chart.title, chart.subtitle, [*_player_sections(chart), *_class_sections(chart)])


def _player_sections(chart: StatisticsChart) -> Iterator[Section]:
    names = distinct_names(row.name for row in chart.rows)
    marks = _marks([row.tally for row in chart.rows])
    yield Section(50, _draw_heads)
    for number, row in enumerate(chart.rows):
        ink = INK
        if chart.colours:
            ink = readable(chart.colours[number])
        is_asker = row.name == chart.asker
        draw_row = partial(
            _draw_player, row.tally, names[row.name], marks[number], ink=ink, is_asker=is_asker
        )
        yield Section(128, draw_row)
    if chart.seats == 3:
        yield Section(84, _draw_top_table)
    if any(marks):
        yield line(MARKS)
    else:
        yield space(40)


def _draw_heads(area: Area) -> None:
    _, *cells = area.columns(*_WIDTHS)
    for cell, column in zip(cells, _COLUMNS, strict=True):
        cell.text(column.head, SMALLEST, FAINT, "right", down=22)


def _draw_top_table(area: Area) -> None:
    """Draw the figures of Tenhou's top table; a mean of points a round has no meaning there."""
    name, *cells = area.columns(*_WIDTHS)
    name.text(TOP_TABLE_ROW, LOOKED_FOR, MUTED, down=44)
    figures = [f"{TOP_TABLE[key]:.0%}" for key in _RATES]
    figures += [f"{TOP_TABLE['mean_win']:,.0f}", ""]
    for cell, text in zip(cells, figures, strict=True):
        cell.text(text, LOOKED_FOR, MUTED, "right", down=44)


def _draw_player(
    tally: PaifuTally, name: str, marks: _Marks, area: Area, *, ink: str, is_asker: bool
) -> None:
    if is_asker:
        area.band()
    label, *cells = area.columns(*_WIDTHS)
    label.text(name, LOOKED_FOR, ink, bold=is_asker, down=44)
    figures = tally.figures()
    mean_win = paifu_texts.UNKNOWN
    if tally.endings[RoundEnding.WIN]:
        mean_win = f"{figures['mean_win']:,.0f}"
    shown = [f"{figures[key]:.0%}" for key in _RATES]
    shown += [mean_win, f"{figures['mean']:+,.0f}".replace("-", "−")]
    for cell, text, column in zip(cells, shown, _COLUMNS, strict=True):
        is_marked = column.key in marks
        colour = marks.get(column.key, INK)
        cell.text(text, LOOKED_FOR, colour, "right", bold=is_marked, down=44)
    rounds = paifu_texts.ROUNDS.format(count=tally.rounds)
    area.text(rounds, SMALLEST, MUTED, down=96)
    dealt_in = DEAL_INS.format(rounds=deal_in_words(tally))
    area.text(dealt_in, SMALLEST, MUTED, "right", down=96)
    area.underline()


def _marks(tallies: Sequence[PaifuTally]) -> list[dict[str, str]]:
    """By player the colours of the figures that are the best or the worst of those with FEW_CASES
    rounds.
    """
    marks: list[dict[str, str]] = [{} for _ in tallies]
    for column in _COLUMNS:
        values = [_comparable(tally, column) for tally in tallies]
        compared = {value for value in values if value is not None}
        if len(compared) < 2:
            continue
        for mark, value in zip(marks, values, strict=True):
            if value == max(compared):
                mark[column.key] = readable(UP)
            elif value == min(compared):
                mark[column.key] = readable(DOWN)
    return marks


def _comparable(tally: PaifuTally, column: _Column) -> float | None:
    """A player's figure, more being better; None where too few cases are behind it."""
    if tally.rounds < FEW_CASES:
        return None
    if column.key == "mean_win" and not tally.endings[RoundEnding.WIN]:
        return None
    figure: float = tally.figures()[column.key]
    return column.better * figure


def deal_in_words(tally: PaifuTally) -> str:
    """The rounds with a deal-in, and by who won: `12局：リーチに7・リーチ以外に6（ダブロン1局）`.

    Both winners of a double ron count, so it is named where the parts exceed the rounds."""
    rounds = tally.endings[RoundEnding.DEAL_IN]
    if not rounds or tally.split is None:
        return DEALT_IN.format(rounds=rounds)
    winners = deal_ins(tally.split)
    double = tally.split.total - rounds
    if double > 0:
        return DEALT_IN_DOUBLE.format(rounds=rounds, winners=winners, double=double)
    return DEALT_IN_TO.format(rounds=rounds, winners=winners)


def _class_sections(chart: StatisticsChart) -> Iterator[Section]:
    counted = chart.statistics.all_deal_ins()
    yield band(CLASSES, TO_RIICHI, air=0)
    yield Section(56, partial(_draw_class_heads, chart.seats))
    for name, label in CLASS_LABELS.items():
        yield Section(_LINE, partial(_draw_class, chart.seats, counted, name, label))
    yield Section(_LINE, partial(_draw_totals, counted))
    yield space(30)


def _draw_class_heads(seats: int, area: Area) -> None:
    counts, source = area.columns(_COUNTED, 0, gap=80)
    counts.text(COUNTS, SMALLEST, FAINT, "right")
    source.text(SOURCES[seats], SMALLEST, FAINT)


def _draw_class(
    seats: int,
    counted: DealIns,
    name: str,
    label: str,
    area: Area,
) -> None:
    """Draw a class of tiles: its deal-ins and discards, and Tenhou's rate as a bar."""
    row = counted.by_class()[name]
    counts, bar, percent = area.columns(_COUNTED, 0, 60, gap=80)
    counts.text(label, LOOKED_FOR)
    ink = FAINT
    if row["deal_ins"]:
        ink = readable(DOWN)
    elif row["discards"]:
        ink = INK
    counts.text(f"{row['deal_ins']:.0f} / {row['discards']:.0f}", 36, ink, "right")
    usual = source_percent(seats, name)
    right = bar.width * (1 - usual / _LONGEST_BAR[seats])
    bar.inset(top=24, right=right, bottom=24).plate(UP, 6)
    percent.inset(-60).text(f"{usual:.1f}%", SMALLEST, MUTED, "right")


def _draw_totals(counted: DealIns, area: Area) -> None:
    counts, note = area.columns(_COUNTED, 0, gap=80)
    counts.text(TOTAL, 36, bold=True)
    total = f"{counted.deal_ins.total()} / {counted.discards.total()}"
    counts.text(total, 36, anchor="right", bold=True)
    if counted.robbed:
        note.text(ROBBED.format(count=counted.robbed), SMALLEST, MUTED)
