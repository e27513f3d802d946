"""最高スコア, キラー賞 and 1戦平均, reckoned a second time from the games as they were drawn."""

import random
import re
from collections import defaultdict
from datetime import datetime

import pytest

from rating.logdates import JST
from tests.answers.leagues import World, game, world

Seats = list[tuple[str, int, int]]


def games_of(seed: int) -> list[Seats]:
    """Thirty games of a week, in few different scores, so that much is equal; with chips."""
    rng, found = random.Random(seed), []
    for _ in range(30):
        first, second = rng.choice([(40, 0), (40, 10), (50, -10)])
        chips = rng.choice([(2, -1, -1), (0, 0, 0), (1, 1, -2)])
        found.append(
            list(zip(rng.sample("甲乙丙丁", 3), (first, second, -first - second), chips, strict=True))
        )
    return found


def league_of(games: list[Seats]) -> World:
    lines = []
    for number, seats in enumerate(games):
        if number % 10 == 0:
            lines.append(f"2026060{2 + number // 10}")
        lines.append(game(*(f"{name}({score:+.1f},{chips:+d}枚)" for name, score, chips in seats)))
    return world(*lines, toml="[rules]\nchip = 2.0\n")


@pytest.fixture(params=range(12))
def games(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> list[Seats]:
    monkeypatch.setattr("tests.answers.leagues.NOW", datetime(2026, 6, 10, 21, 0, tzinfo=JST))
    return games_of(request.param)


def test_all_with_the_best_score_are_named(games: list[Seats]) -> None:
    night = [seat for seats in games[20:] for seat in seats]
    best = max(score for _, score, _ in night)
    holders = {name for name, score, _ in night if score == best}
    poster = league_of(games).ask("ポスター").chart
    (said,) = [fact.value for fact in poster.facts if fact.label.endswith("最高スコア")]
    named, _, more = said.partition(" ほか")
    assert set(named.split("・")) <= holders
    assert len(named.split("・")) + int(more.removesuffix("人") or 0) == len(holders)


def test_each_who_holds_a_trophy_has_an_own_opponent(games: list[Seats]) -> None:
    met: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for seats in games:
        for place, (one, _, _) in enumerate(seats):
            for other, _, _ in seats[place + 1 :]:
                met[one, other][0] += 1
                met[other, one][1] += 1
    often = {pair: (won, lost) for pair, (won, lost) in met.items() if won + lost >= 5 and won > lost}
    best = max(won - lost for won, lost in often.values())
    holders = {one for (one, _), (won, lost) in often.items() if won - lost == best}
    rows = [row for row in league_of(games).ask("週報").table.rows if row.name == "キラー賞"]
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
    ranked = {row.name: row.value for row in (*board.rows, *(row for _, more in board.more for row in more))}
    for row in parts.rows:
        assert row.extra[-1] == ranked[row.name]
        assert abs(float(row.extra[-1].replace("−", "-").replace("±", "")) - means[row.name]) <= 0.0501


def test_what_is_between_two_members(games: list[Seats]) -> None:
    """Their last meetings, the streak and the points, in the picture of 対決."""
    both = [{name: (place, score) for place, (name, score, _) in enumerate(seats)} for seats in games]
    met = [(each["甲"], each["乙"]) for each in both if {"甲", "乙"} <= set(each)]
    last = [int(other[0] < one[0]) for one, other in met]
    gap = sum(one[1] - other[1] for one, other in met)
    streak = len(re.search(r"(.)\1*$", "".join(map(str, last)))[0])  # type: ignore[index]
    chart = league_of(games).ask("対決 甲 乙").chart
    assert list(chart.last) == last[-10:]
    said = f"同卓の点数差　{'甲' if gap >= 0 else '乙'} {f'+{abs(gap):.1f}' if gap else '±0.0'}"
    said += f"　{'甲乙'[last[-1]]}が{streak}戦連続先着中" * (streak > 1)
    assert chart.between == said


def test_what_each_is_best_at_is_in_the_better_half(games: list[Seats]) -> None:
    """Place and value of the figures that placings alone tell."""
    placed: dict[str, list[int]] = defaultdict(list)
    for seats in games:
        for place, (name, _, _) in enumerate(seats):
            placed[name].append(place)
    reckoned = {
        "トップ率": ({p: -own.count(0) / len(own) for p, own in placed.items()}, "{:.1%}", -1),
        "ラス率": ({p: own.count(2) / len(own) for p, own in placed.items()}, "{:.1%}", 1),
        "先着率": ({p: sum(own) / 2 / len(own) - 1 for p, own in placed.items()}, "{:.1%}", -1),
        "平均着順": ({p: sum(own) / len(own) + 1 for p, own in placed.items()}, "{:.2f}", 1),
        "対局数": ({p: -float(len(own)) for p, own in placed.items()}, "{:.0f}戦", -1),
    }
    rows = league_of(games).ask("まとめ").chart.table
    assert {row.name for row in rows} == set(placed)
    for row in rows:
        name, place, value = re.match(r"(\D+)(\d*)位?　(\S+)", row.detail).groups()  # type: ignore[union-attr]
        if name in reckoned:
            values, written, sign = reckoned[name]
            own = values[row.name]
            assert int(place) == 1 + sum(other < own - 1e-9 for other in values.values())
            assert sum(other < own + 1e-9 for other in values.values()) <= (len(values) + 1) // 2
            assert value == written.format(sign * own)
        else:
            best = max(score for seats in games for player, score, _ in seats if player == row.name)
            assert "レート" in name or value == f"{best:+.1f}"
