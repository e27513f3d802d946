"""牌譜成績: rates, placings and points per round from the league's paifu, for 3 or for 4 seats; and
how often each class of tile dealt in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot import texts
from bot.answers.common.figures import RECORD_WORDS
from bot.answers.common.members import People, asked_members, people_of, token
from bot.answers.common.scope import offered, seats_of
from bot.answers.paifu import figure_pages
from bot.answers.paifu.analysis import deal_ins
from bot.answers.paifu.figure_pages import FEW_CASES, PAGES, PaifuStanding, standing, value_words
from bot.answers.paifu.hands import band
from bot.chat.command import Ask, Question, Spec, choice, data_of
from bot.chat.replies import Choice, Part, Picture, Reply, Row, Table, UserError
from bot.draw.layout import Area, Section, Titled, line, space, titled
from bot.draw.names import distinct_names
from bot.draw.parts import Fact
from bot.draw.style import DOWN, FAINT, INK, LOOKED_FOR, MUTED, SMALLEST, UP, readable
from rating.paifu.deal_in import DealIns, source_percent
from rating.paifu.record import Record
from rating.paifu.recordlog import total
from rating.paifu.reference import TOP_TABLE
from rating.paifu.statistics import Statistics, of_record
from rating.paifu.tally import PaifuTally, RoundEnding, shares

_LINE = 74
_HEADS = ("アガリ", "放銃", "リーチ", "副露", "平均打点", "局収支")
# The figures below the heads: 1 where more is better, -1 where less is.
_FIGURES = {
    "win": 1,
    "deal_in": -1,
    "riichi": 0,
    "call": 0,
    "mean_win": 1,
    "mean": 1,
}
_RATES = ("win", "deal_in", "riichi", "call")
MARKS = f"青い字：いちばんよい　橙の字：いちばん悪い（{FEW_CASES}局以上の人で）"
_COLUMNS = (270, 132, 110, 130, 115, 185, 0)  # pixels of the name and the figures
_COUNTED = 532  # pixels of a class and its deal-ins

SOURCES = {3: "天鳳最上位卓の放銃率", 4: "天鳳の四人打ちの放銃率"}
LABELS = {
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


def draw_rates(record: Record, subtitle: str) -> bytes:
    """A PNG of the rates of one paifu, with a row for each seat (guests may share a name)."""
    rows = tuple((name, PaifuTally()) for name in record.players)
    for played in record.rounds:
        for (_, tally), share in zip(rows, shares(played), strict=True):
            tally.count(share)
    return draw(
        StatisticsChart("アガリ率・放銃率", subtitle, rows, of_record(record), record.seats)
    )


@dataclass(frozen=True)
class StatisticsChart(Titled):
    """The data of the picture; `rows` are names shown and tallies, `colours` those of the names."""

    rows: tuple[tuple[str, PaifuTally], ...]
    statistics: Statistics
    seats: int
    colours: tuple[str, ...] = ()
    asker: str = ""


def draw(chart: StatisticsChart) -> bytes:
    """A PNG, 1200 pixels wide: the rates of the players, and the table of deal-ins."""
    names = distinct_names(name for name, _ in chart.rows)
    counted = chart.statistics.all_deal_ins()
    marked = _marks([tally for _, tally in chart.rows])
    top = [*(f"{TOP_TABLE[key]:.0%}" for key in _RATES), f"{TOP_TABLE['mean_win']:,.0f}", ""]

    def heads(area: Area) -> None:
        cells = area.columns(*_COLUMNS)[1:]
        for cell, words in zip(cells, _HEADS, strict=True):
            cell.text(words, SMALLEST, FAINT, "right", down=22)

    def top_table(area: Area) -> None:
        label, *cells = area.columns(*_COLUMNS)
        label.text("天鳳最上位卓", LOOKED_FOR, MUTED, down=44)
        for cell, words in zip(cells, top, strict=True):
            cell.text(words, LOOKED_FOR, MUTED, "right", down=44)

    def player(row: int, area: Area) -> None:
        name, tally = chart.rows[row]
        if name == chart.asker:
            area.band()
        colour = readable(chart.colours[row]) if chart.colours else INK
        area.columns(*_COLUMNS)[0].text(
            names[name], LOOKED_FOR, colour, bold=name == chart.asker, down=44
        )
        _player(tally, marked[row], area)

    def class_heads(area: Area) -> None:
        counts, source = area.columns(_COUNTED, 0, gap=80)
        counts.text("放銃 / 打牌", SMALLEST, FAINT, "right")
        source.text(SOURCES[chart.seats], SMALLEST, FAINT)

    def totals(area: Area) -> None:
        counts, rest = area.columns(_COUNTED, 0, gap=80)
        counts.text("合計", 36, bold=True)
        counts.text(
            f"{counted.deal_ins.total()} / {counted.discards.total()}",
            36,
            anchor="right",
            bold=True,
        )
        rest.text(f"ほかに槍槓で{counted.robbed}" if counted.robbed else "", SMALLEST, MUTED)

    numbers = range(len(chart.rows))
    sections = [Section(50, heads)]
    sections += [Section(128, partial(player, number)) for number in numbers]
    if chart.seats == 3:
        sections.append(Section(84, top_table))
    sections += [
        line(MARKS) if any(marked) else space(40),
        band("牌ごとの放銃率", "リーチに対して", air=0),
        Section(56, class_heads),
        *(
            Section(_LINE, partial(_deal_ins, chart.seats, counted, *label))
            for label in LABELS.items()
        ),
        Section(_LINE, totals),
        space(30),
    ]
    return titled(chart.title, chart.subtitle, sections)


def _marks(tallies: Sequence[PaifuTally]) -> list[dict[str, str]]:
    """By player the colours of the figures that are the best or the worst of those with FEW_CASES
    rounds.
    """
    marks: list[dict[str, str]] = [{} for _ in tallies]
    for key, sign in _FIGURES.items():
        values: list[float | None] = []
        for tally in tallies:
            value = None
            if tally.rounds >= FEW_CASES and (tally.endings[RoundEnding.WIN] or key != "mean_win"):
                value = sign * tally.figures()[key]
            values.append(value)
        known = {value for value in values if value is not None}
        for mark, value in zip(marks, values, strict=True):
            if len(known) > 1 and value in (max(known), min(known)):
                mark[key] = readable(UP if value == max(known) else DOWN)
    return marks


def _player(tally: PaifuTally, marked: Mapping[str, str], area: Area) -> None:
    figures = tally.figures()
    words = [
        *(f"{figures[key]:.0%}" for key in _RATES),
        f"{figures['mean_win']:,.0f}" if tally.endings[RoundEnding.WIN] else "－",
        f"{figures['mean']:+,.0f}".replace("-", "−"),
    ]
    cells = area.columns(*_COLUMNS)[1:]
    for cell, word, key in zip(cells, words, _FIGURES, strict=True):
        cell.text(
            word,
            LOOKED_FOR,
            marked.get(key, INK),
            "right",
            bold=key in marked,
            down=44,
        )
    area.text(f"{tally.rounds}局", SMALLEST, MUTED, down=96)
    area.text(f"放銃{deal_in_words(tally)}", SMALLEST, MUTED, "right", down=96)
    area.underline()


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


def _deal_ins(
    seats: int,
    counted: DealIns,
    name: str,
    words: str,
    area: Area,
) -> None:
    row = counted.by_class()[name]
    usual = source_percent(seats, name)
    counts, bar, percent = area.columns(_COUNTED, 0, 60, gap=80)
    counts.text(words, LOOKED_FOR)
    ink = FAINT
    if row["deal_ins"]:
        ink = readable(DOWN)
    elif row["discards"]:
        ink = INK
    counts.text(f"{row['deal_ins']:.0f} / {row['discards']:.0f}", 36, ink, "right")
    longest = 12 if seats == 4 else 21
    right = bar.width * (1 - usual / longest)
    bar.inset(top=24, right=right, bottom=24).plate(UP, 6)
    percent.inset(-60).text(f"{usual:.1f}%", SMALLEST, MUTED, "right")


PARTS = {word: {"show": page.name} for page in PAGES.values() for word in page.words}
RATES = {
    RECORD_WORDS[key][0].replace("リーチ", word): {"show": page.name}
    for page in PAGES.values()
    for key in page.every
    if RECORD_WORDS[key][0].endswith("率")
    for word in ("リーチ", "立直")
} | {
    word: {"show": show}
    for show, words in (
        ("wins", "平均打点 平均和了点 打点"),
        ("deal_ins", "振り込み 振り込み率 振り込みすぎ ほうじゅう率 ほうじゅうりつ 平均放銃点"),
    )
    for word in words.split()
}
FEW = 100  # with fewer rounds the rates are marked as rough
NO_RECORDS = "まだ牌譜がありません。天鳳の牌譜のURLか牌譜ファイルをこのトークに送ると、ここに加わっていきます。"
NOBODY = "送られた牌譜には、まだリーグのメンバーがいません。メンバーの対局の牌譜を送ってください。"
NOT_HIM = "{}さんの牌譜はまだありません。対局の牌譜のURLかファイルを送ると、ここに加わります。"
NOTE = "送られた牌譜だけの成績です。放銃の相手は、ダブロンでは2人と数えます。"
DEALT_IN = "{rounds}局"
DEALT_IN_TO = "{rounds}局：{winners}"
DEALT_IN_DOUBLE = "{rounds}局：{winners}（ダブロン{double}局）"
PALE = f"{FEW}局に満たない数字は、めやすです。"


def answer(question: Question) -> Reply:
    """The figures of all members as picture and table, of the member named, or a page of them."""
    show = question.option("show")
    player = next(iter(asked_members(question)), "")
    both = [standing(question.snapshot, seats) for seats in (4, 3)]
    known = [sums for sums in both if sums.entries]
    if not known:
        raise UserError(NO_RECORDS, offered(choice("牌譜の送り方", Ask.RECORD_REPORT)))
    # The standing of the number of seats asked for, else of the one with more paifu.
    wanted = seats_of(question)
    chosen = max(
        known,
        key=lambda each: (each.seats == wanted, len(each.entries)),
    )
    if not chosen.tallies and not player:
        raise UserError(NOBODY, _choices(question, chosen))
    people = people_of(question)
    facts = facts_of(chosen, player)
    if player and not facts:
        raise UserError(NOT_HIM.format(people.shown(player)), _choices(question, chosen))
    page: tuple[Part, ...]
    if show == "luck" and player:
        page = figure_pages.luck_of_one(people, chosen, player)
    elif show == "luck":
        page = figure_pages.luck_of_all(people, chosen)
    elif show == "yaku":
        page = figure_pages.yaku_page(people, chosen, player)
    elif show in PAGES and player:
        page = figure_pages.page_of_one(people, chosen, PAGES[show], player)
    elif show in PAGES:
        page = figure_pages.page_of_all(people, chosen, PAGES[show])
    elif player:  # one member's figures, one per row
        tally = chosen.tallies[player]
        shown = people.shown(player)
        rows = tuple(Row(fact.label, fact.value, detail=fact.detail) for fact in facts)
        alt = f"{shown}の牌譜成績：" + "、".join(f"{fact.label} {fact.value}" for fact in facts[:3])
        note = NOTE
        if tally.rounds < FEW:
            note += PALE
        subtitle = f"牌譜{tally.games}戦・{tally.rounds}局"
        show = ""
        page = (Table(f"{shown}　{chosen.title}", rows, (), subtitle, note, alt),)
    else:
        show = ""
        page = _of_all(people, chosen)
    return Reply(page, _choices(question, chosen, player, show))


def _of_all(people: People, chosen: PaifuStanding) -> tuple[Part, ...]:
    """A row for each member by points per round, best first; the picture has the details."""
    order = sorted(
        chosen.tallies.items(),
        key=lambda item: (-item[1].mean("mean"), item[0]),
    )
    rows = []
    for player, tally in order:
        figures = tally.rates()
        rates = {key: texts.percent(figure.value or 0.0) for key, figure in figures.items()}
        mean = f"平均着順 {tally.mean('mean_placing'):.2f}" if tally.games else ""
        details = (f"{tally.rounds}局", mean, f"リーチ {rates['riichi']}", f"副露 {rates['call']}")
        tap = data_of(Ask.PAIFU, player=token(player), seats=chosen.seats)
        value = texts.number(tally.mean("mean"), 0, True)
        extra = (rates["win"], rates["deal_in"])
        rows.append(
            people.row(
                player,
                value,
                0,
                extra,
                "　".join(filter(None, details)),
                tap,
            )
        )
    note = NOTE
    if any(tally.rounds < FEW for _, tally in order):
        note += PALE
    table = Table(
        chosen.title,
        tuple(rows),
        ("局収支", "アガリ", "放銃"),
        chosen.subtitle,
        note,
    )
    shown = tuple((people.shown(player), tally) for player, tally in order)
    colours = tuple(people.colour(player) for player, _ in order)
    every = total(chosen.entries)
    asker = people.shown(people.asker) if people.asker else ""
    chart = StatisticsChart(
        chosen.title, chosen.subtitle, shown, every, chosen.seats, colours, asker
    )
    brief = replace(table, rows=tuple(replace(row, detail="") for row in rows))
    return brief, Picture(chart, draw, table.notification, (table,))


def luck_answer(question: Question) -> Reply:
    """The page of luck and tile efficiency."""
    options = dict(question.command.options) | {"show": "luck"}
    return answer(replace(question, command=replace(question.command, options=options)))


def facts_of(chosen: PaifuStanding, player: str) -> tuple[Fact, ...]:
    """One member's figures; empty when the member is in no paifu."""
    tally = chosen.tallies.get(player)
    if tally is None or not tally.rounds:
        return ()
    wins = tally.endings[RoundEnding.WIN]
    details = {
        "win": f"平均 {tally.mean('mean_win'):,.0f}点" if wins else f"{tally.rounds}局",
        "deal_in": f"{tally.rounds}局中{deal_in_words(tally)}",
        "riichi": f"{tally.riichis}回",
        "call": f"{tally.called}局",
    }
    rates = tally.rates()
    facts = [
        Fact(
            RECORD_WORDS[key][0],
            value_words(
                key,
                rates[key].value,
            ),
            details[key],
        )
        for key in details
    ]
    change = texts.number(tally.mean("mean"), 0, True)
    return (*facts, Fact("局収支", f"{change}点", "1局あたり"))


def record_facts(
    question: Question,
    player: str,
    seats: int,
) -> tuple[Fact, ...]:
    """A member's rates, luck and tile efficiency for the card."""
    chosen = standing(question.snapshot, seats)
    if player not in chosen.tallies:
        return ()
    return (*facts_of(chosen, player)[:4], *figure_pages.conduct_facts(chosen, player))


def _choices(
    question: Question, chosen: PaifuStanding, player: str = "", show: str = ""
) -> tuple[Choice, ...]:
    name = token(player) if player else ""
    other = 7 - chosen.seats
    pages = {page.name: page.title for page in PAGES.values() if chosen.tallies}
    pages |= {"": "牌譜成績"}
    found = [
        choice(title, Ask.PAIFU, seats=chosen.seats, player=name, show=page)
        for page, title in pages.items()
        if page != show
    ]
    if standing(question.snapshot, other).entries:
        found.append(
            choice(
                texts.SEATS[other],
                Ask.PAIFU,
                seats=other,
                player=name,
                show=show,
            )
        )
    if player:
        found.append(choice("全員の牌譜成績", Ask.PAIFU, seats=chosen.seats, show=show))
        found.append(choice("個人", Ask.PLAYER, player=name))
    return offered(
        *found,
        choice("名場面集", Ask.GALLERY, seats=chosen.seats, player=name),
        choice("牌譜の送り方", Ask.RECORD_REPORT),
        choice("危険度", Ask.DANGER),
    )


PLAY_WORDS = (
    "牌譜成績 はいふせいせき 和了率 放銃率 アガリ率 牌譜の成績 牌譜の統計 牌譜せいせき "
    "一番アガってる 一番和了ってる よくアガる 一番振り込んでる 一番放銃してる"
)
LUCK_WORDS = (
    "牌効率 ツモ運 配牌運 裏運 はいこうりつ 運がいい人 運いい人 運がいいの 運いいの 運の良さ "
    "運の悪い人 運悪い人 運悪い 運悪すぎ 運悪すぎん"
)

SPECS = (
    Spec(
        name=Ask.PAIFU,
        title="牌譜成績",
        help="送られた牌譜から、アガリ率・放銃率などを出します",
        answer=answer,
        words=PLAY_WORDS,
        shortcuts=RATES,
        talk=True,
        takes=("seats",),
        names=1,
        parts=PARTS,
    ),
    Spec(
        name=Ask.PAIFU_LUCK,
        title=figure_pages.TITLE,
        help="送られた牌譜から、ツモ運・配牌運・裏運と牌効率を出します",
        answer=luck_answer,
        words=LUCK_WORDS,
        talk=True,
        takes=("seats",),
        names=1,
        parts=PARTS,
    ),
)
