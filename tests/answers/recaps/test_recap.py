"""週報 and 月報: which period, the podium, and the trophies as members read them."""

from collections import Counter
from datetime import date, datetime

import pytest

from bot.answers.recaps.recap import Recap
from bot.chat.replies import Row, Table
from rating.logdates import JST
from rating.paifu.efficiency import EfficiencyRating
from rating.paifu.luck import Luck
from rating.paifu.recordlog import PaifuEntry, write
from rating.paifu.statistics import Statistics
from tests.answers.leagues import World, game, world

WEEK = [
    "20260602",
    game("甲(+40.0)", "乙(+10.0)", "丙(-50.0)"),
    "20260603",
    game("丁(+41.0)", "甲(+20.4)", "乙(-61.4)"),
    game("甲(+30.0)", "丁(0.0)", "乙(-30.0)"),
    game("甲(+60.0)", "丙(0.0)", "乙(-60.0)"),
    "20260605",
    game("甲(+22.0)", "乙(0.0)", "丙(-22.0)"),
]
RULES = "[rules]\numa = [20, 0, -20]\n"


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.answers.leagues.NOW", datetime(2026, 6, 10, 21, 0, tzinfo=JST))


def recap(league: World, what: str = "週報") -> tuple[Table, Recap]:
    asked = league.ask(what)
    return asked.table, asked.chart


def won(table: Table) -> dict[str, tuple[str, str, str]]:
    return {row.name: (row.value, row.extra[0], row.detail) for row in table.rows}


def test_a_week_in_figures() -> None:
    table, chart = recap(world(*WEEK, toml=RULES))
    assert chart.title == table.title == "週報　6/1〜6/7"
    assert chart.subtitle == table.subtitle == "5戦　3日"
    assert [(row.place, row.name, row.points, row.counted) for row in chart.rows] == [
        ("1", "甲", "+172.4", "5戦"),
        ("2", "丁", "+41.0", "2戦"),
        ("3", "丙", "−72.0", "3戦"),
        ("4", "乙", "−141.4", "5戦"),
    ]
    assert won(table) == {
        "最高スコア": ("甲", "+60.0", "6/3　対丙・乙"),
        "最接戦": ("丁", "600点差", "6/3　対甲・乙"),
        "連続トップ": ("甲", "3戦", ""),
        "連続ラス回避": ("甲", "5戦", ""),
        "キラー賞": ("甲", "5勝0敗", "対乙"),
        "成長株": ("甲", chart.rows[0].change, ""),
        "皆勤賞": ("甲 ほか2人", "全3日", ""),
    }
    assert table.alt.startswith("週報　6/1〜6/7　5戦：1位 甲 +172.4、2位 丁 +41.0")


def test_a_trophy_opens_its_holders_card_of_the_period() -> None:
    league = world(*WEEK, toml=RULES)
    row: Row = recap(league)[0].rows[0]
    assert row.said == "甲"
    assert "2026年6月1日〜6月7日" in league.ask(row.data).words


@pytest.mark.parametrize(
    ("asked", "title"),
    [
        ("週報", "週報　6/1〜6/7"),
        ("月報", "月報　2026年6月（途中経過）"),
        ("先週のまとめ", "週報　6/1〜6/7"),
        ("先月のまとめ", "2026年5月の対局はありません。"),
        ("今週のまとめ", "2026年6月8日〜6月14日の対局はありません。"),
        ("今月のまとめ", "月報　2026年6月（途中経過）"),
        ("2026年6月のまとめ", "月報　2026年6月（途中経過）"),
        ("まとめ 6/2〜6/3", "まとめ　2026年6月2日〜6月3日"),
        ("まとめ 6/3", "まとめ　2026年6月3日"),
        ("request_recap?season=1", "週報　6/1〜6/7"),
    ],
)
def test_the_period(asked: str, title: str) -> None:
    league = world(*WEEK)
    if asked.startswith(("週", "月", "まとめ", "request")):
        assert title in league.ask(asked).words
    else:
        assert title in league.ask(f"まとめ {asked.removesuffix('のまとめ')}").words


def test_the_way_back_of_a_day() -> None:
    back = [game("乙(+20.0)", "丙(+16.0)", "甲(-36.0)"), game("甲(+38.0)", "丙(-8.0)", "乙(-30.0)")]
    table, _ = recap(world("20260602", *back, game("甲(+30.0)", "丙(-10.0)", "乙(-20.0)")))
    assert won(table)["大逆転"] == ("甲", "▲68.0", "6/2　−36.0から+32.0へ")
    assert won(table)["最接戦"][1] == "差 4.0"


def test_the_records_tell_who_was_unlucky() -> None:
    def entry(key: str, day: int, draws: dict[str, float]) -> PaifuEntry:
        told = Statistics(records=1)
        for name, value in draws.items():
            told.players[name, 3].watch(Counter(), Luck(value, 4.0, 0.0, 8), EfficiencyRating())
        return PaifuEntry(key, f"file-{key}", "", date(2026, 6, day), seats=3, statistics=told)

    draws = {"甲": -1.0, "こうた": -3.0, "丙": 2.0}  # こうた is a name that 乙 had
    entries = [entry(f"{n:020}", 2 + n % 2, draws) for n in range(3)]
    entries.append(entry("9" * 20, 20, {"甲": -90.0}))  # on another day
    toml = '[player."乙"]\naliases = ["こうた"]\n'
    table, _ = recap(world(*WEEK, toml=toml, **{"recordlog.txt": write(entries).decode()}))
    assert won(table)["不運王"] == ("乙", "とても不運", "")


def test_few_games_win_no_trophies() -> None:
    table, chart = recap(world(*WEEK[:2]))
    assert table.rows == ()
    assert "トロフィーはまだありません。" in table.note
    assert len(chart.rows) == 3
    # Guests are in no picture.
    league = world("20260602", game("NoName(+40.0)", "NoName(0.0)", "NoName(-40.0)"))
    assert league.ask("週報").table.rows == ()
    assert "日付のある対局がない" in world(game("甲(+1.0)", "乙(0.0)", "丙(-1.0)")).ask("週報").words


def test_the_other_number_of_seats_is_a_button() -> None:
    four = game("甲(+30.0)", "乙(+10.0)", "丙(-10.0)", "丁(-30.0)")
    league = world(*WEEK, four)
    assert recap(league)[1].subtitle == "三人打ち5戦（ほかに四人打ち1戦）　3日"
    other = league.ask("週報").taps["四人打ち"]
    assert recap(league, other)[1].subtitle == "四人打ち1戦（ほかに三人打ち5戦）　1日"
