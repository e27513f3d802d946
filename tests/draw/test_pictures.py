"""Every picture but the ratings: drawn for nobody, one, nine and twenty players, with long names
and odd figures."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from bot.answers.forecast import chances_picture as chances, skill
from bot.answers.paifu.report import pages
from bot.answers.players import card_picture as player, pair
from bot.answers.standings import calibration, report_picture as season
from bot.answers.standings.report_picture import total_rows
from bot.draw import lines, matrix, rows as row_charts
from bot.draw.layout import BELOW
from bot.draw.lines import Curve, Lines
from bot.draw.parts import Fact
from bot.draw.rich_menu import HEIGHT, SYMBOLS, WIDTH, RichMenuTab, areas, draw as draw_menu
from bot.draw.rows import (
    Interval,
    IntervalColumn,
    NameColumn,
    PlacingColumn,
    RowName,
    RowPicture,
    Rows,
    WordColumn,
    Words,
    row_height,
)
from bot.draw.style import AXIS, LABEL, SMALLEST, colours
from rating.forecast.skill import SkillAndLuck
from rating.paifu.formats import parse
from rating.study.compare import ForecastBin, ModelScore
from tests.draw.leagues import NINE, TWENTY, rating_curves
from tests.draw.pngs import opened
from tests.draw.writing import overlaps, watched, written
from tests.rating.paifu.records import made

WORDS = (
    "とても長い題名のある第12シーズンの成績のまとめ",
    "2019/10/5〜2020/12/4・1,301戦・12/4 23:50現在",
)
LONG = "夏海里伽子（本人ではない）名"
SENTENCE = "夏海里伽子（本人ではない）の成績のうち、実力の分は16〜67%。実力が半分になるのは、約50〜500戦打ったころです。"
LEAGUES: dict[str, tuple[str, ...]] = {
    "nobody": (),
    "one": (LONG,),
    "nine": NINE,
    "twenty": TWENTY,
}
Drawn = Callable[[], bytes]


def _interval_picture(
    cells: Sequence[Interval],
    names: Sequence[RowName],
    values: Sequence[Words],
    baseline: float | None = 1500,
    decimals: int = 0,
    note: str = "",
) -> bytes:
    columns = (
        NameColumn(names, signed=True),
        IntervalColumn(cells, baseline, decimals, "← 弱い", "強い →"),
        WordColumn(values),
    )
    rows = Rows(columns, row_height(len(names), 96, 92))
    return row_charts.draw(RowPicture(*WORDS, rows, note=note))


def _row_names(names: tuple[str, ...]) -> list[RowName]:
    """The names in their colours; the third is the asker's, every third is provisional."""
    return [
        RowName(name, colour, asker=i == 2, provisional=i % 3 == 1)
        for i, (name, colour) in enumerate(colours(names).items())
    ]


def _intervals(names: tuple[str, ...]) -> bytes:
    cells = []
    values = []
    row_names = _row_names(names)
    for i, name in enumerate(row_names):
        value = 1500 + 7.5 * i
        cells.append(
            Interval(
                value,
                low=value - 50,
                high=value + 60,
                colour=name.colour,
                asker=name.asker,
                provisional=name.provisional,
            )
        )
        values.append(Words(f"{value:.0f}", "1500（1450〜1560）", bold=name.asker))
    return _interval_picture(cells, row_names, values, note="線は95%の区間です。" * 6)


def _matrix(names: tuple[str, ...]) -> bytes:
    def cell(row: int, column: int) -> float | None:
        if row == column or (row + column) % 5 == 0:
            return None
        return 123.4 * (row - column)

    places = range(len(names))
    chart = matrix.MatrixChart(
        *WORDS,
        names,
        [[cell(row, column) for column in places] for row in places],
        signed=True,
        notes=[["104戦"] * len(names)] * len(names),
        colours=list(colours(names).values()),
    )
    return matrix.draw(chart)


def _calibration(names: tuple[str, ...]) -> bytes:
    bins = tuple(ForecastBin(0.03 * i + 0.2, 0.3, 0.1, 0.55, 9 + i * i) for i in range(len(names)))
    score = ModelScore("tenhou", *[0.0] * 8, False, bins, bins[:3])
    return calibration.draw_calibration(score, WORDS[1])


def _cumulative(names: tuple[str, ...]) -> bytes:
    curves = []
    if names:
        for curve in rating_curves(names):
            curves.append(
                replace(
                    curve,
                    ys=[(y - 1500) * 20 for y in curve.ys],
                )
            )
    return lines.draw(Lines(*WORDS, curves, 0, "date", 1, True))


def _placings(names: tuple[str, ...]) -> bytes:
    columns = (
        NameColumn(_row_names(names), signed=True),
        PlacingColumn(
            [(3 * i, 40, 0, 5) for i in range(len(names))],
        ),
        WordColumn([Words("2.31")] * len(names), head="平均"),
    )
    rows = Rows(columns, row_height(len(names)))
    return row_charts.draw(RowPicture(*WORDS, rows))


def _player(names: tuple[str, ...]) -> bytes:
    count = len(names)
    if not names:
        return player.draw(player.PlayerCard("", WORDS[1]))
    values = [1500.0 + 37 * (i * i % 7) for i in range(count)]
    course = player.CardCourse(
        range(count),
        values,
        values.index(max(values)),
        "最高 1722（10/3）",
        ("9/1", "11/5"),
        1500,
    )
    axes = [
        player.RadarAxis(f"軸の名前{i}", "+12.3", 20 + 9.0 * i)
        for i in range(
            min(
                count,
                6,
            )
        )
    ]
    rival = player.Rival(LONG, "#332288", count // 2, count, "先着率 50%（1234戦）")
    return player.draw(
        player.PlayerCard(
            "".join(names)[:40],
            WORDS[1],
            "#CC6677",
            player.Honour(
                "とても長い称号の持ち主", "その日の自分の1戦目のトップ率 40.0%（次点 39.9%）"
            ),
            "20位",
            "レート",
            "20人中",
            [Fact("レーティング", "1,234,567", "± 40")] * min(3, count),
            course,
            [i % 3 + 1 for i in range(count)],
            (3, 0, 1),
            axes,
            count < 9,
            count < 9,
            rival,
            [
                Fact(
                    "得意な相手",
                    "・".join(names[:2]),
                    "先着率 61%（41戦）",
                    names=names[:2],
                )
            ]
            * 2,
        )
    )


def _pair(names: tuple[str, ...]) -> bytes:
    rows = [
        pair.PairRow("レーティング（暫定）", "1672 ± 40", "−12,345.6", i % 3 - 1 if i % 3 else None)
        for i in range(len(names))
    ]
    curves = rating_curves(names)[:2] if names else ()
    return pair.draw(
        pair.PairChart(
            *WORDS,
            (LONG, "#DDCC77"),
            ("白發中", "#332288"),
            rows,
            (len(names), 3 * len(names) // 20),
            last=[i % 2 for i in range(min(10, len(names)))],
            between="点数の差はいま +1,234.5（みどり）",
            curves=curves,
            axis="date",
        )
    )


def _season(names: tuple[str, ...]) -> bytes:
    totals = total_rows(
        _row_names(names),
        [400.0 - 60 * i for i in range(len(names))],
    )
    champion = None
    if names:
        champion = Fact("優勝", LONG, "+812.4・平均着順 1.83・158戦", "#88CCEE")
    facts = [Fact("最長連勝", name, "7連勝") for name in names[:7]]
    report = season.SeasonReport(*WORDS, champion, totals, facts)
    return season.draw(report)


def _skill_picture(
    names: Sequence[RowName], members: Sequence[SkillAndLuck], sentence: str = SENTENCE
) -> bytes:
    rows = skill.skill_rows(names, members)
    return row_charts.draw(RowPicture(*WORDS, rows, sentence, legend=skill.LEGEND))


def _skill(names: tuple[str, ...]) -> bytes:
    members = []
    for i, name in enumerate(names):
        skill_points = 300.0 - 70 * i
        luck = 90.0 * (i % 3 - 1)
        members.append(SkillAndLuck(name, 30, 0.0, skill_points, luck))
    return _skill_picture(_row_names(names), members)


def _place_chance(members: int, member: int, place: int) -> float:
    if members == 1:
        return 1.0
    if member == place:
        return 0.6
    return 0.4 / (members - 1)


def _chances(names: tuple[str, ...], over: bool = False) -> bytes:
    """With `over`, without the chances of the places."""
    count = len(names)
    chart = chances.ChancesChart("優勝確率　第2シーズン", "5/24〜6/30　474戦　残り50戦", ())
    if not names:
        return chances.draw(chart)
    curves = []
    for curve in rating_curves(names, dated=False):
        percents = [(rating - 1000) / 10 for rating in curve.ys]
        curves.append(replace(curve, ys=percents))
    chart = replace(chart, curves=curves)
    if over:
        return chances.draw(chart)
    rows = []
    for member in range(count):
        rows.append([_place_chance(count, member, place) for place in range(count)])
    places = chances.place_rows(_row_names(names), rows)
    turn = chances.Turn(400.0, f"流れが変わった日 6/14（{names[0]} 32%→63%）", "#0072B2")
    return chances.draw(replace(chart, places=places, turn=turn))


PICTURES = [
    *(_intervals, _matrix, _calibration, _cumulative, _placings),
    *(_player, _pair, _season, _skill, _chances),
]


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.__name__)
@pytest.mark.parametrize("names", LEAGUES.values(), ids=LEAGUES.keys())
def test_every_picture_for_every_league(
    picture: Callable[[tuple[str, ...]], bytes], names: tuple[str, ...]
) -> None:
    with watched() as texts:
        data = picture(names)
    drawn = opened(data)
    assert drawn.size[0] == 1200
    assert 500 <= drawn.size[1] <= 3600
    assert _edges_are_free(np.asarray(drawn))
    assert overlaps(texts) == []
    if names == NINE:
        assert picture(names) == data


@pytest.mark.parametrize(
    "names",
    [NINE[:3], NINE, TWENTY, tuple(name * 5 for name in NINE)],
)
def test_skill_and_chances_are_written_in_sizes_that_a_phone_shows(names: tuple[str, ...]) -> None:
    texts = written(lambda: _skill(names))
    assert overlaps(texts) == []
    assert min(text.size for text in texts) >= AXIS
    skills = [text.text for text in texts[2:] if text.text.startswith("実力")]
    assert sum("運" in text for text in skills) == len(names)
    texts = written(lambda: _chances(names))
    assert overlaps(texts) == []
    places = next(text.y for text in texts if text.text == chances.PLACES)
    assert min(text.size for text in texts if text.y > places) >= AXIS


@pytest.mark.parametrize("points", [691.0, -1_234.0, 12_345.0])
def test_skill_and_luck_of_many_points_are_written_whole(points: float) -> None:
    names = [RowName(name, asker=name == "東風") for name in NINE]
    members = [SkillAndLuck(name, 30, 0.0, 1.5 * points, -points) for name in NINE]
    texts = written(lambda: _skill_picture(names, members))
    skills = [text.text for text in texts if text.text.startswith("実力")]
    assert sum("…" not in text for text in skills) == len(NINE)
    assert overlaps(texts) == []


def test_chances_without_places_are_curves_and_without_curves_a_sentence() -> None:
    over = written(lambda: _chances(NINE, over=True))
    assert chances.PLACES not in [text.text for text in over]
    assert (
        opened(
            _chances(
                NINE,
                over=True,
            )
        ).size[1]
        < opened(_chances(NINE)).size[1]
    )
    assert "まだ対局がありません" in [text.text for text in written(lambda: _chances(()))]


@pytest.mark.parametrize(
    "places",
    [1, 2, 3, 9, 10, 11, 12, 13, 20, 37, 300],
)
def test_columns_hold_each_place_once_and_no_more_than_fit(places: int) -> None:
    texts = chances.place_ranges(places)
    assert [place for first, last in texts for place in range(first, last + 1)] == [
        *range(1, places + 1)
    ]
    assert len(texts) <= 10
    assert texts[0] == (1, 1)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.0, "0%"),
        (0.3, "<1%"),
        (0.5, "0%"),
        (41.4, "41%"),
        (99.4, "99%"),
        (99.7, ">99%"),
        (100.0, "100%"),
    ],
)
def test_a_chance_that_is_not_sure_is_not_told_as_sure(value: float, words: str) -> None:
    assert (
        chances.ChanceLines("", "", ()).last(
            Curve(
                "",
                (0.0,),
                (value,),
            )
        )
        == words
    )


@pytest.mark.parametrize(
    "picture",
    [_intervals, _matrix, _cumulative, _placings, _season],
    ids=lambda picture: picture.__name__,
)
def test_no_two_members_look_alike(picture: Callable[[tuple[str, ...]], bytes]) -> None:
    names = ("🐼", "🐯", "𠮷野家", "吉野家", "สมชาย", "✨みどり✨", "みどり")
    seen = [text.text for text in written(lambda: picture(names))]
    for shown in ("〓1", "〓2", "〓3", "吉野家", "吉野家(2)", "✧みどり✧", "みどり"):
        assert any(shown in text.replace("　", " ").split(" ") for text in seen), shown


def test_a_forests_axis_and_an_interval_in_words_are_as_large_as_a_phone_needs() -> None:
    """Values of many decimals take fewer ticks, not smaller ones."""
    cells = [Interval(-0.004, -0.0079, 0.0025)]
    names = [RowName("a" * 20)]
    values = [Words("−0.0040")]
    texts = written(lambda: _interval_picture(cells, names, values, 0, 3))
    ticks = [
        text for text in texts if text.text.startswith(("0", "−0.00")) and text.text != "−0.0040"
    ]
    assert {text.size for text in ticks} == {AXIS}
    words = "−1.00〜+3.00"
    cells = [Interval(i, i - 1, i + 3) for i in range(20)]
    names = [RowName(f"{i}") for i in range(20)]
    values = [Words(f"+{i}.00", words) for i in range(20)]
    texts = written(lambda: _interval_picture(cells, names, values, 0, 2))
    assert [text.size for text in texts if text.text == words] == [AXIS] * 20


@pytest.mark.parametrize("spread", [0.004, 1, 6.3, 9.9, 14, 40, 333])
@pytest.mark.parametrize(
    ("count", "baseline"),
    [
        (1, 0),
        (1, None),
        (3, 1500),
        (3, 25),
        (30, 0),
        (30, None),
    ],
)
def test_a_forests_axis_has_values_that_can_be_read(
    spread: float, count: int, baseline: float | None
) -> None:
    centre = baseline or 0.0
    cells = []
    for i in range(count):
        value = centre + spread * (i / count - 0.5)
        cells.append(Interval(value, value - spread / 3, value + spread / 2))
    names = [RowName(f"選手{i}") for i in range(count)]
    texts = written(
        lambda: _interval_picture(cells, names, [Words("")] * count, baseline, 2),
    )
    lowest = max(text.y for text in texts)
    marks = [text for text in texts if text.y == lowest]
    assert len({text.text for text in marks}) == len(marks)
    assert len(marks) >= (3 if spread > 1 and count < 30 else 1)
    assert all(text.size >= SMALLEST for text in marks)
    values = {float(text.text.translate({ord("−"): "-", ord(","): ""})) for text in marks}
    assert baseline is None or baseline in values
    assert overlaps(marks) == []


def test_few_games_stand_at_the_right_of_the_form_where_the_newest_is() -> None:
    card = player.PlayerCard(
        *WORDS,
        form=[3, 1],
        counts=(1, 0, 1),
    )
    texts = written(lambda: player.draw(card))
    marks = [text for text in texts if text.text in ("3", "1")]
    assert [text.text for text in marks] == ["3", "1"]
    assert marks[0].left < marks[1].left
    assert marks[1].right > 1120


def test_a_long_title_keeps_its_season_and_a_long_subtitle_takes_two_lines() -> None:
    chart = Lines(LONG * 5 + "　第2シーズン", WORDS[1], ())
    title, *_ = written(lambda: lines.draw(chart))
    assert title.text.endswith("…　第2シーズン")
    assert title.right <= 1152
    parts = ("2019/12/27〜2020/11/30", "1301戦（うち33戦は日付なし）", "一部のチップ別")
    for draw in (
        lambda: lines.draw(Lines("名前", "　".join(parts), ())),
        lambda: player.draw(player.PlayerCard("名前", "　".join(parts))),
    ):
        texts = {text.text: text for text in written(draw)}
        last = texts[parts[2]]
        assert "　".join(parts[:2]) in texts
        assert overlaps(list(texts.values())) == []
        assert last.y + last.size / 2 < BELOW + 10


def _edges_are_free(pixels: np.ndarray) -> bool:
    """Whether nothing is cut off: the outermost columns hold only bands from edge to edge, and the
    last rows are empty."""
    for side in (pixels[20:, :12], pixels[20:, -12:]):
        if not (side == side[:, :1]).all():
            return False
    return bool((pixels[-12:] == 255).all())


def test_the_whole_verdict_is_on_the_picture() -> None:
    rows = Rows((NameColumn([RowName("a")] * 9),), height=84)
    short = RowPicture(*WORDS, rows, note="短い")
    long = replace(short, note="この計算はどれも運より当たるとは言えません。" * 4)
    assert opened(row_charts.draw(long)).height > opened(row_charts.draw(short)).height


def test_equal_values_and_no_spread_are_drawn() -> None:
    cells = [Interval(1500, 1500, 1500), Interval(1500, float("-inf"), float("inf"))]
    names = [RowName("同"), RowName("点")]
    opened(_interval_picture(cells, names, [Words("1500")] * 2, baseline=None))
    opened(
        matrix.draw(
            matrix.MatrixChart(
                *WORDS,
                NINE[:2],
                [[None, 0.0], [0.0, None]],
            )
        )
    )
    members = [SkillAndLuck(name, 30, 0.0, 0.0, 0.0) for name in "ab"]
    opened(_skill_picture([RowName("a"), RowName("b")], members, ""))


def test_upright_names_that_begin_alike_keep_their_ends() -> None:
    names = ("Mahjong二二", "Mahjong四四")
    chart = matrix.MatrixChart(*WORDS, names, [[None, 1.0], [2.0, None]])
    texts = written(lambda: matrix.draw(chart))
    heads: defaultdict[int, str] = defaultdict(str)
    for text in reversed(texts):
        if len(text.text) == 1 and text.size == LABEL and not text.text.isdigit():
            heads[round((text.left + text.right) / 2)] += text.text
    assert set(heads.values()) == {"Mahjo︙二二", "Mahjo︙四四"}


def test_players_of_a_game_record_never_look_alike() -> None:
    record = replace(
        parse(made(1, 4).xml()),
        players=("🐼", "🐯", "NoName", "NoName"),
    )
    with watched() as texts:
        pages(record)
    seen = {text.text for text in texts}
    points = {f"{each:,}" for each in record.final}
    assert {"〓1", "〓2", "西家", "北家"} | points <= seen
    assert not {"〓", "NoName"} & seen


NAMES = list(SYMBOLS)
SIX = [(name, "レーティング") for name in NAMES[:6]]


@pytest.mark.parametrize("first", range(0, len(NAMES), 6))
def test_every_symbol_is_drawn(first: int) -> None:
    buttons = [(name, "名前") for name in NAMES[first : first + 6]]
    menu = RichMenuTab(buttons, ["成績", "くわしく"], 1)
    data = draw_menu(menu)
    assert opened(data).size == (2500, 1686)
    assert draw_menu(menu) == data


def test_symbols_differ() -> None:
    menus = {draw_menu(RichMenuTab([(name, "")])) for name in NAMES}
    assert len(menus) == len(NAMES)


@pytest.mark.parametrize(
    "tabs",
    [(), ("成績", "くわしく"), ("一", "二", "三")],
)
def test_tap_areas_cover_the_picture_without_overlap(tabs: tuple[str, ...]) -> None:
    buttons, heads = areas(RichMenuTab(SIX, tabs))
    every = buttons + heads
    assert sum(wide * high for _, _, wide, high in every) == WIDTH * HEIGHT
    for x, y, wide, high in every:
        assert 0 <= x <= WIDTH - wide
        assert 0 <= y <= HEIGHT - high
    assert len(every) <= 20


def test_a_seventh_button_is_refused() -> None:
    with pytest.raises(ValueError, match="6 buttons, not 7"):
        draw_menu(RichMenuTab([*SIX, ("help", "使い方")]))
