from itertools import permutations
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from rating.forecast.needs import champions, last_game, needs
from rating.forecast.past import Past, past_of
from rating.forecast.seasons import RECENT, simulate_seasons
from rating.forecast.strengths import residuals_of, skills_of
from rating.games import GameError, game_of
from tests.rating.models.leagues import random_league


def test_needs_cover_the_games_left() -> None:
    past = past_of(random_league(8, 5, 30, skill=2.0))
    simulated = simulate_seasons(past, 12, seasons=600)
    all_needs = needs(simulated)
    totals = dict(zip(past.names, past.totals, strict=True))
    won = champions(simulated.finals)
    ranked = sorted(totals, key=lambda name: -totals[name])
    assert [need.player for need in all_needs] == ranked
    for need in all_needs:
        i = past.names.index(need.player)
        best_other = max(points for name, points in totals.items() if name != need.player)
        assert need.behind == pytest.approx(best_other - totals[need.player])
        assert need.chance == pytest.approx(won[:, i].mean())
        gains = simulated.gains[:, i]
        first = won[:, i]
        wrong = {}
        for cut in gains:
            lost_above = (1 - first[gains >= cut]).sum()
            wrong[float(cut)] = first[gains < cut].sum() + lost_above
        if need.gain is not None:
            assert wrong[need.gain] == pytest.approx(min(wrong.values()))
    assert all_needs[0].behind < 0 < all_needs[1].behind
    assert sum(need.own_games for need in all_needs) == pytest.approx(3 * 12, rel=0.05)


def test_decided_title_needs_no_points() -> None:
    assert needs(simulate_seasons(past_of(random_league(8, 5, 30)), 0)) == ()
    past = past_of([game_of("abc", (90, 0, -90))] * 20)
    all_needs = needs(simulate_seasons(past, 2, seasons=200))
    assert [need.gain for need in all_needs] == [None] * 3


def past_with(totals: list[int]) -> Past:
    """Four members, and a fifth who does not play last, with these totals."""
    games = [
        game_of("abcd", totals[:4]),
        game_of("abce", [0, 0, 0, totals[4]]),
        game_of("bcde", [0] * 4),
        game_of("cdea", [0] * 4),
    ]
    return past_of(games)


UMA = (20.0, 10.0, -10.0, -20.0)


@settings(max_examples=60)
@given(
    st.lists(st.integers(-60, 60), min_size=5, max_size=5),
    st.lists(
        st.integers(-40, 40),
        min_size=4,
        max_size=4,
        unique=True,
    ),
    st.booleans(),
)
def test_needs_equal_those_of_every_result(
    totals: list[int], scores: list[int], ranked: bool
) -> None:
    """A member whose score and placing meet the conditions is champion alone, and nobody else
    is.
    """
    past = past_with(totals)
    uma = UMA if ranked else ()
    members = {member.player: member for member in last_game(past, "abcd", uma)}
    order = sorted(range(4), key=lambda seat: -scores[seat])
    placing = {"abcd"[seat]: place for place, seat in enumerate(order)}
    mean = sum(scores) / 4
    raw = {name: score - mean for name, score in zip("abcd", scores, strict=True)}
    final = dict(zip(past.names, past.totals, strict=True))
    for name, place in placing.items():
        final[name] += raw[name]
        if ranked:
            final[name] += UMA[place]
    for name, place in placing.items():
        alone = all(final[name] > final[other] for other in final if other != name)
        need = members[name].placings[place]
        met = raw[name] > need.least_score and all(
            raw[name] - raw[rival.rival] > rival.least
            for rival in need.against
            if rival.placing == placing[rival.rival]
        )
        assert met == alone
        if need.certain:
            assert alone
        if alone:
            assert need.possible


def test_chances_of_a_last_game_are_counted_over_all_results() -> None:
    past = past_of(random_league(5, 4, 12, skill=4.0))
    table = past.names[:3]
    members = last_game(past, table)
    means = skills_of(past).means
    count = {name: [0] * 3 for name in table}
    won = {name: [0.0] * 3 for name in table}
    rows = [
        order for row in residuals_of(past, means, RECENT) for order in permutations(row.tolist())
    ]
    for order in rows:
        points = [3 * means[i] - sum(means[:3]) + order[i] for i in range(3)]
        final = past.totals.tolist()
        for i in range(3):
            final[i] += points[i]
        for i, name in enumerate(table):
            place = sum(1 for other in points if other > points[i])
            count[name][place] += 1
            if final[i] == max(final):
                won[name][place] += 1
    for member in members:
        assert member.chance == pytest.approx(sum(won[member.player]) / len(rows))
        for place, need in enumerate(member.placings):
            assert need.placing == place
            assert need.chance == pytest.approx(
                won[member.player][place] / count[member.player][place]
            )


def test_placing_can_decide_and_guests_are_no_rivals() -> None:
    members = last_game(past_with([100, 0, -50, -50, 0]), "abcd", UMA)
    assert members[0].placings[0].certain
    assert members[0].placings[0].chance == 1
    assert not members[0].placings[3].certain
    assert members[1].placings[0].against[0] == ("a", 1, 90.0)
    assert members[1].placings[1].against[0] == ("a", 0, inf)
    assert not members[1].placings[3].possible
    games = random_league(2, 4, 10)
    past = past_of(games, is_guest=lambda name: name == "p3")
    members = last_game(past, ("p0", "p1", "p3"))
    assert [member.player for member in members] == ["p0", "p1"]
    needed = [need for member in members for need in member.placings]
    assert {rival.rival for need in needed for rival in need.against} == {"p0", "p1"}


@pytest.mark.parametrize(
    ("table", "uma"),
    [
        ("abc", ()),
        ("abcc", ()),
        ("abcx", ()),
        ("abcd", (1.0,)),
    ],
)
def test_wrong_table_is_refused(table: str, uma: tuple[float, ...]) -> None:
    with pytest.raises(GameError):
        last_game(past_with([0] * 5), table, uma)


def test_equals_share_the_title() -> None:
    finals = [
        [3.0, 3.0, 1.0],
        [0.0, 2.0, 1.0],
    ]
    assert champions(np.array(finals)).tolist() == [
        [0.5, 0.5, 0],
        [0, 1, 0],
    ]
