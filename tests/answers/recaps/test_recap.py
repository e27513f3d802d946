"""週報 and 月報: period, podium and trophies; 最高スコア, キラー賞 and 1戦平均, reckoned a second
time.
"""

import random
import re
from collections import Counter, defaultdict
from datetime import date, datetime

import pytest

from bot.answers.recaps.recap_picture import Recap
from bot.chat.replies import Row, Table
from rating.logdates import JST
from rating.paifu.efficiency import EfficiencyRating
from rating.paifu.luck import Luck
from rating.paifu.recordlog import PaifuEntry, log_bytes
from rating.paifu.statistics import Statistics
from tests.answers.leagues import LeagueWorld, game, world

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


def recap(league: LeagueWorld, what: str = "週報") -> tuple[Table, Recap]:
    asked = league.ask(what)
    return asked.table, asked.chart


def won(table: Table) -> dict[str, tuple[str, str, str]]:
    trophies = {}
    for row in table.rows:
        trophies[row.name] = (row.value, row.extra[0], row.detail)
    return trophies


def test_a_week_in_figures() -> None:
    table, chart = recap(world(*WEEK, toml=RULES))
    assert chart.title == table.title == "週報　6/1〜6/7"
    assert chart.subtitle == table.subtitle == "5戦　3日"
    rows = [f"{row.place} {row.name} {row.points} {row.counted}" for row in chart.rows]
    assert rows == ["1 甲 +172.4 5戦", "2 丁 +41.0 2戦", "3 丙 −72.0 3戦", "4 乙 −141.4 5戦"]
    assert won(table) == {
        "最高スコア": ("甲", "+60.0", "6/3　対丙・乙"),
        "最接戦": ("丁", "600点差", "6/3　対甲・乙"),
        "連続トップ": ("甲", "3戦", ""),
        "連続ラス回避": ("甲", "5戦", ""),
        "キラー賞": ("甲", "5勝0敗", "対乙"),
        "成長株": ("甲", chart.rows[0].change, ""),
        "皆勤賞": ("甲 ほか2人", "全3日", ""),
    }
    assert table.notification.startswith("週報　6/1〜6/7　5戦：1位 甲 +172.4、2位 丁 +41.0")


def test_a_trophy_opens_its_holders_card_of_the_period() -> None:
    league = world(*WEEK, toml=RULES)
    row: Row = recap(league)[0].rows[0]
    assert row.said == "甲"
    assert "2026年6月1日〜6月7日" in league.ask(row.data).words


PERIODS = {
    **dict.fromkeys(("週報", "まとめ 先週", "request_recap?season=1"), "週報　6/1〜6/7"),
    **dict.fromkeys(("月報", "まとめ 今月", "まとめ 2026年6月"), "月報　2026年6月（途中経過）"),
    "まとめ 先月": "2026年5月の対局はありません。",
    "まとめ 今週": "2026年6月8日〜6月14日の対局はありません。",
    "まとめ 6/2〜6/3": "まとめ　2026年6月2日〜6月3日",
    "まとめ 6/3": "まとめ　2026年6月3日",
}


@pytest.mark.parametrize(("asked", "title"), PERIODS.items())
def test_the_period(asked: str, title: str) -> None:
    assert title in world(*WEEK).ask(asked).words


def test_the_way_back_of_a_day() -> None:
    back = [game("乙(+20.0)", "丙(+16.0)", "甲(-36.0)"), game("甲(+38.0)", "丙(-8.0)", "乙(-30.0)")]
    table, _ = recap(world("20260602", *back, game("甲(+30.0)", "丙(-10.0)", "乙(-20.0)")))
    assert won(table)["1日の大逆転"] == ("甲", "+68.0", "6/2　−36.0から+32.0へ")
    assert won(table)["最接戦"][1] == "差 4.0"


def test_the_records_tell_who_was_unlucky() -> None:
    def entry(key: str, day: int, draws: dict[str, float]) -> PaifuEntry:
        told = Statistics(records=1)
        for name, value in draws.items():
            told.players[name, 3].watch(
                Counter(),
                Luck(value, 4.0, 0.0, 8),
                EfficiencyRating(),
            )
        return PaifuEntry(
            key,
            f"file-{key}",
            "",
            date(2026, 6, day),
            seats=3,
            statistics=told,
        )

    draws = {"甲": -1.0, "こうた": -3.0, "丙": 2.0}  # こうた is a name that 乙 had
    entries = [entry(f"{n:020}", 2 + n % 2, draws) for n in range(3)]
    entries.append(entry("9" * 20, 20, {"甲": -90.0}))  # on another day
    toml = '[player."乙"]\naliases = ["こうた"]\n'
    table, _ = recap(
        world(
            *WEEK,
            toml=toml,
            **{"recordlog.txt": log_bytes(entries).decode()},
        )
    )
    assert won(table)["不運王"] == ("乙", "とても不運", "")


def test_few_games_win_no_trophies() -> None:
    table, chart = recap(world(*WEEK[:2]))
    assert table.rows == ()
    assert "トロフィーはまだありません。" in table.note
    assert len(chart.rows) == 3
    # Guests are in no picture.
    league = world("20260602", game("NoName(+40.0)", "NoName(0.0)", "NoName(-40.0)"))
    assert league.ask("週報").table.rows == ()
    assert (
        "日付のある対局がない" in world(game("甲(+1.0)", "乙(0.0)", "丙(-1.0)")).ask("週報").words
    )


def test_the_other_number_of_seats_is_a_button() -> None:
    four = game("甲(+30.0)", "乙(+10.0)", "丙(-10.0)", "丁(-30.0)")
    league = world(*WEEK, four)
    assert recap(league)[1].subtitle == "三人打ち5戦（ほかに四人打ち1戦）　3日"
    other = league.ask("週報").taps["四人打ち"]
    assert recap(league, other)[1].subtitle == "四人打ち1戦（ほかに三人打ち5戦）　1日"


Seats = list[tuple[str, int, int]]


def games_of(seed: int) -> list[Seats]:
    """Thirty games of a week, in few different scores, so that much is equal; with chips."""
    rng = random.Random(seed)
    found = []
    for _ in range(30):
        first, second = rng.choice(
            [
                (40, 0),
                (40, 10),
                (50, -10),
            ]
        )
        chips = rng.choice(
            [
                (2, -1, -1),
                (0, 0, 0),
                (1, 1, -2),
            ]
        )
        scores = (first, second, -first - second)
        found.append(
            list(
                zip(
                    rng.sample("甲乙丙丁", 3),
                    scores,
                    chips,
                    strict=True,
                )
            )
        )
    return found


def league_of(games: list[Seats]) -> LeagueWorld:
    lines = []
    for number, seats in enumerate(games):
        if number % 10 == 0:
            lines.append(f"2026060{2 + number // 10}")
        lines.append(game(*(f"{name}({score:+.1f},{chips:+d}枚)" for name, score, chips in seats)))
    return world(*lines, toml="[rules]\nchip = 2.0\n")


@pytest.fixture(params=range(12))
def games(request: pytest.FixtureRequest) -> list[Seats]:
    return games_of(request.param)


def test_all_with_the_best_score_are_named(games: list[Seats]) -> None:
    night = [seat for seats in games[20:] for seat in seats]
    best = max(score for _, score, _ in night)
    holders = {name for name, score, _ in night if score == best}
    poster = league_of(games).ask("ポスター").chart
    (said,) = [fact.value for fact in poster.facts if fact.label.endswith("最高スコア")]
    named, _, more = said.partition(" ほか")
    assert set(named.split("・")) <= holders
    others = int(more.removesuffix("人") or 0)
    assert len(named.split("・")) + others == len(holders)


def ahead_of_one_another(games: list[Seats]) -> dict[tuple[str, str], tuple[int, int]]:
    """The games won and lost against an opponent: of five games at least, and more won."""
    met = defaultdict[tuple[str, str], list[int]](lambda: [0, 0])
    for seats in games:
        for place, (player, _, _) in enumerate(seats):
            for opponent, _, _ in seats[place + 1 :]:
                met[player, opponent][0] += 1
                met[opponent, player][1] += 1
    ahead = {}
    for pair, (wins, losses) in met.items():
        if wins + losses >= 5 and wins > losses:
            ahead[pair] = (wins, losses)
    return ahead


def test_each_who_holds_a_trophy_has_an_own_opponent(games: list[Seats]) -> None:
    often = ahead_of_one_another(games)
    margins = {pair: wins - losses for pair, (wins, losses) in often.items()}
    best = max(margins.values())
    holders = {player for (player, _), margin in margins.items() if margin == best}
    table = league_of(games).ask("週報").table
    rows = [row for row in table.rows if row.name == "キラー賞"]
    if len(holders) > 2:
        assert rows == []
        return
    (row,) = rows
    alone = f"{row.value} {row.extra[0]}（{row.detail}）"
    told = re.findall(r"(\w) (\d+)勝(\d+)敗（対(\w)）", alone if len(holders) == 1 else row.detail)
    assert {one for one, *_ in told} == holders
    for one, won, lost, other in told:
        assert often[one, other] == (int(won), int(lost))
        assert int(won) - int(lost) == best


def test_the_mean_of_a_game_is_one_figure(games: list[Seats]) -> None:
    """収支 with what the chips are worth, in 内訳 as in the ranking."""
    sums: dict[str, list[float]] = defaultdict(list)
    for name, score, chips in (seat for seats in games for seat in seats):
        sums[name].append(score + 2.0 * chips)
    means = {name: sum(own) / len(own) for name, own in sums.items()}
    league = league_of(games)
    parts, board = (league.ask(words).table for words in ("内訳", "1戦平均"))
    unranked = [row for _, rows in board.more for row in rows]
    ranked = {row.name: row.value for row in (*board.rows, *unranked)}
    for row in parts.rows:
        assert row.extra[-1] == ranked[row.name]
        mean = float(row.extra[-1].replace("−", "-").replace("±", ""))
        assert abs(mean - means[row.name]) <= 0.0501


def test_what_is_between_two_members(games: list[Seats]) -> None:
    """Their last meetings, the streak and the points, in the picture of 対決."""
    met = []
    for seats in games:
        table = {name: (place, score) for place, (name, score, _) in enumerate(seats)}
        if {"甲", "乙"} <= set(table):
            met.append((table["甲"], table["乙"]))
    last = [int(other[0] < one[0]) for one, other in met]
    gap = sum(one[1] - other[1] for one, other in met)
    run = re.search(r"(.)\1*$", "".join(map(str, last)))
    streak = len(run[0])  # type: ignore[index]
    chart = league_of(games).ask("対決 甲 乙").chart
    assert list(chart.last) == last[-10:]
    said = f"同卓の点数差　{'甲' if gap >= 0 else '乙'} {f'+{abs(gap):.1f}' if gap else '±0.0'}"
    if streak > 1:
        said += f"　{'甲乙'[last[-1]]}が{streak}戦連続先着中"
    assert chart.between == said


def figures_of_placings(games: list[Seats]) -> dict[str, dict[str, float]]:
    """By figure and player the values that placings alone tell, the best of each the lowest."""
    placed: dict[str, list[int]] = defaultdict(list)
    for seats in games:
        for place, (name, _, _) in enumerate(seats):
            placed[name].append(place)
    figures = defaultdict[str, dict[str, float]](dict)
    for player, places in placed.items():
        count = len(places)
        figures["トップ率"][player] = -places.count(0) / count
        figures["ラス率"][player] = places.count(2) / count
        figures["先着率"][player] = sum(places) / 2 / count - 1
        figures["平均着順"][player] = sum(places) / count + 1
        figures["対局数"][player] = -float(count)
    return figures


def test_what_each_is_best_at_is_in_the_better_half(games: list[Seats]) -> None:
    """Place and value of the figures that placings alone tell."""
    figures = figures_of_placings(games)
    forms = {
        "トップ率": ("{:.1%}", -1),
        "ラス率": ("{:.1%}", 1),
        "先着率": ("{:.1%}", -1),
        "平均着順": ("{:.2f}", 1),
        "対局数": ("{:.0f}戦", -1),
    }
    totals = league_of(games).ask("まとめ").chart.totals
    assert set(totals.names()) == set(figures["対局数"])
    for player, detail in zip(totals.names(), totals.details, strict=True):
        name, place, value = re.match(r"(\D+)(\d*)位?　(\S+)", detail.left).groups()  # type: ignore[union-attr]
        if name in forms:
            values = list(figures[name].values())
            own = figures[name][player]
            assert int(place) == 1 + sum(other < own - 1e-9 for other in values)
            assert sum(other < own + 1e-9 for other in values) <= (len(values) + 1) // 2
            form, sign = forms[name]
            assert value == form.format(sign * own)
        else:
            best = max(score for seats in games for seated, score, _ in seats if seated == player)
            assert "レート" in name or value == f"{best:+.1f}"
