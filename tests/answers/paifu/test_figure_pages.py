"""The pages of 牌譜成績: every figure with its cases and interval, counted again from the
records.
"""

import re
from datetime import date
from functools import cache
from itertools import pairwise

import pytest

from bot.answers.common.figures import RECORD_WORDS, luck_words
from bot.answers.paifu import figure_pages, statistics
from bot.answers.paifu.figure_pages import PAGES, value_words
from bot.answers.paifu.figure_picture import FigurePanels, FigureRow, PanelValue, draw
from bot.league.files import PAIFU_LOG
from bot.league.paifu_log import entry_of
from rating.paifu.efficiency import tile_choices
from rating.paifu.luck import luck_of
from rating.paifu.play_figures import MEANS, SHARES, PlayFigure
from rating.paifu.record import Discard, Riichi
from rating.paifu.recordlog import log_bytes
from rating.paifu.reference import TOP_TABLE
from tests.answers.paifu.world import LEAGUE, RecordWorld
from tests.answers.world import taps, words_of
from tests.draw.writing import overlaps, watched
from tests.rating.paifu.records import made, read
from tests.schema import assert_messages_pass

pytestmark = pytest.mark.any_backend(
    "figures of records that test_statistics keeps on every backend"
)

SEEDS = (1, 2, 3)
NAMES = {"東野": "東野", "南原": "南原さん", "西田": "西田"}


@cache
def a_log() -> bytes:
    """Three games of four seats and one of three, in a record log."""
    records = [*(read(seed) for seed in SEEDS), read(5, 3)]
    return log_bytes([entry_of(record, "", date(2026, 4, 1)) for record in records])


@pytest.fixture
def filled(world: RecordWorld) -> RecordWorld:
    (world.logs / PAIFU_LOG).write_bytes(a_log())
    world.look()
    return world


def test_every_figure_of_the_library_is_on_a_page_once() -> None:
    shown = [name for page in PAGES.values() for name in page.every]
    assert len(shown) == len(set(shown))
    every = {*SHARES, *MEANS, "win", "deal_in", "riichi", "call", "mean_win"}
    assert set(shown) == set(RECORD_WORDS) == set(TOP_TABLE) == every


def test_a_page_of_all_and_of_one(filled: RecordWorld) -> None:
    for page, shown in PAGES.items():
        messages = filled.tap(f"request_paifu?show={page}")
        assert_messages_pass(messages)
        kinds = [message["type"] for message in messages]
        assert kinds == (["flex"] if page == "yaku" else ["image", "flex"])
        others = {each.title for each in PAGES.values() if each.name != page}
        assert others <= set(taps(messages)), "the other pages are a tap away"
        one = filled.tap(f"request_paifu?show={page}&player=%E6%9D%B1%E9%87%8E")
        assert_messages_pass(one)
        words = words_of(one)
        assert shown.title in words
        assert "ひがし" in words
        assert [name for name in shown.every if RECORD_WORDS[name][0] not in words] == []
        three = words_of(filled.tap(f"request_paifu?show={page}&player=%E6%9D%B1%E9%87%8E&seats=3"))
        assert three.count("最上位卓") == len(shown.every)
        assert "最上位卓" not in words


TYPED = {
    "牌譜成績 リーチ": "リーチ",
    "牌譜成績 鳴き みなみ": "みなみ　副露・流局",
    "牌効率": "運・牌効率",
    "牌譜成績 三麻 役": "役　牌譜成績　三人打ち",
    "ツモ運 みなみ": "みなみ　運・牌効率",
}


def test_pages_are_typed_too(filled: RecordWorld) -> None:
    for words, title in TYPED.items():
        messages = filled.say(words)
        assert_messages_pass(messages)
        assert title in words_of(messages)


def test_without_paifu_it_says_how_to_send_them(world: RecordWorld) -> None:
    assert words_of(world.say("牌効率")) == statistics.NO_RECORDS
    assert words_of(world.tap("request_paifu?show=riichi")) == statistics.NO_RECORDS
    world.write("league.toml", LEAGUE + '[player."海底"]\nname = "うみ"\n')
    world.send("a.mjlog", made(1).xml())
    assert words_of(world.say("牌効率 うみ")) == statistics.NOT_HIM.format(player="うみ")


def test_riichi_turn_and_luck_by_another_count(filled: RecordWorld) -> None:
    turns: dict[str, list[int]] = {}
    losses: dict[str, list[float]] = {}
    draws: dict[str, float] = {}
    for seed in SEEDS:
        record = read(seed)
        for played in record.rounds:
            thrown = [0] * 4
            for before, event in pairwise(played.events):
                if isinstance(event, Discard):
                    thrown[event.seat] += 1
                    if isinstance(before, Riichi) and before.step == 1:
                        player = record.players[event.seat]
                        turns.setdefault(player, []).append(thrown[event.seat])
        for choice in tile_choices(record):
            losses.setdefault(record.players[choice.seat], []).append(choice.loss)
        for name, luck in zip(record.players, luck_of(record), strict=True):
            draws[name] = draws.get(name, 0.0) + luck.draws
    found = figure_pages.standing(filled.service.registry.league().snapshot(), 4)
    for name, player in NAMES.items():
        figures = found.tallies[player].all_figures()
        mine = turns.get(name, [])
        assert figures["riichi_turn"].cases == len(mine)
        if mine:
            assert figures["riichi_turn"].value == pytest.approx(sum(mine) / len(mine))
        efficiency = found.tallies[player].efficiency
        assert efficiency.mean_loss == pytest.approx(
            sum(losses[name]) / len(losses[name]), abs=1e-6
        )
        assert found.tallies[player].luck.draws == pytest.approx(draws[name], abs=1e-6)
        assert len(found.games[player]) == len(SEEDS)
        assert f"{draws[name]:+.1f}枚".replace("-", "−") in words_of(filled.say(f"牌効率 {player}"))


def test_the_card_has_luck_and_efficiency(filled: RecordWorld) -> None:
    row = "C1934 | 20:00 | 四般南喰赤－ | 東野(+50.0) 西田(+2.0) 南原さん(-12.0) 北山(-40.0)\n"
    filled.write("logvol1.txt", f"20260401\n{row}")
    snapshot = filled.service.registry.league().snapshot()
    facts = figure_pages.conduct_facts(figure_pages.standing(snapshot, 4), "東野")
    assert [fact.label for fact in facts] == ["ツモ運", "最善打率"]
    assert facts[1].value.endswith("%")
    assert figure_pages.conduct_facts(figure_pages.standing(snapshot, 4), "だれか") == ()
    messages = filled.say("個人 ひがし")
    assert_messages_pass(messages)


def test_tile_efficiency_is_figures_without_a_grade(filled: RecordWorld) -> None:
    """By the bounds of Tenhou's records all members of a league may have the same grade."""
    (table,) = [message for message in filled.say("牌効率") if message["type"] == "flex"]
    losses = re.findall(r" ロス([0-9.]+)%", table["altText"])
    assert len(losses) == 3
    assert sorted(losses, key=float) == losses
    assert len(set(losses)) > 1
    assert "最善打率" in words_of(table["contents"])
    for player in NAMES.values():
        words = words_of(filled.say(f"牌効率 {player}")).split("\n")
        assert {"最善打率", "1打あたりのロス"} <= set(words)
        assert not set("SABCD") & set(words)


def test_values_in_words() -> None:
    assert value_words("win", 0.241) == "24.1%"
    assert value_words("riichi_balance", -1234.4) == "−1,234点"
    assert value_words("win_turn", 11.94) == "11.9巡"
    assert value_words("deal_shanten", 3.581) == "3.58"
    assert value_words("ura", None) == "－"
    assert (
        figure_pages.interval_words("win", PlayFigure(10, 3, 0.3, 0.108, 0.603))
        == "95%区間 10.8〜60.3%"
    )
    assert figure_pages.interval_words("mean_win", PlayFigure(1, None, 3900, None, None)) == ""
    said = [luck_words(z) for z in (-2.5, -1.2, 0.3, 1.5, 2.4)]
    assert said == ["とても不運", "不運", "ふつう", "幸運", "とても幸運"]


SHOWN = [
    ("riichi_win", PlayFigure(99, 25, 0.252, 0.17, 0.33)),
    ("riichi_deal_in", PlayFigure(536, 135, 0.252, 0.2, 0.3)),
    ("mean_deal_in", PlayFigure(12345, None, 5812.0, 5700.0, 5900.0)),
]


@pytest.mark.parametrize("members", [1, 9, 20])
def test_the_panels_can_be_read(members: int) -> None:
    values = tuple(figure_pages.panel_value(name, figure) for name, figure in SHOWN)
    assert [one.cases for one in values if one] == ["25/99", "536回", "12千"]
    heads = ("流局聴牌率", "リーチ放銃率", "平均放銃")
    rows = [FigureRow(f"さくら{place}", "#AA4499", place == 0, values) for place in range(members)]
    rows.append(FigureRow("だれか", "#332288", False, (None, None, None)))
    chart = FigurePanels(
        "リーチ　牌譜成績　四人打ち",
        "牌譜54戦・542局",
        heads,
        (0.3, None, 5000.0),
        rows,
        figure_pages.CASES_NOTE,
    )
    readable(chart)


def test_the_panels_of_luck_can_be_read() -> None:
    unlucky, usual = (PanelValue(z, z, z, luck_words(z), "") for z in (-4.0, 0.3))
    values = (unlucky, usual, None, PanelValue(-0.07, -0.09, -0.05, "11.3%", ""))
    rows = [FigureRow("みどり", "#AA4499", True, values)] * 3
    heads = figure_pages.HEADS
    middle = (0.0, 0.0, 0.0, -0.08)
    note = figure_pages.PICTURE_NOTE
    title = "運・牌効率　牌譜成績　三人打ち"
    bands = (1.96, 1.96, 1.96, 0.0)
    readable(FigurePanels(title, "牌譜54戦・542局", heads, middle, rows, note, bands=bands))


def readable(chart: FigurePanels) -> None:
    """Nothing overlaps, nothing is cut, and the smallest text is 11 points full screen."""
    with watched() as texts:
        assert draw(chart).startswith(b"\x89PNG")
    assert overlaps(texts) == []
    assert min(text.size for text in texts) >= 34
    assert not [text.text for text in texts if "…" in text.text]
