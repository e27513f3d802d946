import gzip
import re
from dataclasses import replace
from itertools import permutations
from math import exp, tanh

import numpy as np
import pytest
from hypothesis import given, strategies as st

from rating.paifu import chances
from rating.paifu.chances import AS_MUCH, RoundState, fitted, places, report, turning_of
from rating.paifu.mjlog import parse
from tests.rating.paifu.records import walled
from tests.real import RECORDS

scores = st.integers(-300, 900).map(lambda hundreds: 100 * hundreds)


def state(
    points: tuple[int, ...], step: int, dealer: int = 0, honba: int = 0, sticks: int = 0
) -> RoundState:
    seats = len(points)
    return RoundState(
        step, 2 * seats - 1, honba, sticks, dealer, points, {3: 40_000, 4: 30_000}[seats]
    )


def by_loops(now: RoundState) -> list[list[float]]:
    """The chances before the last round from the seven weights, order by order and pair by pair."""
    seats, (w, _) = len(now.scores), fitted(len(now.scores))
    left = now.last - now.step + 1
    odds = {}
    for order in permutations(range(seats)):
        total = 0.0
        for place, better in enumerate(order):
            for worse in order[place + 1 :]:
                lead = (now.scores[better] - now.scores[worse]) / 10_000
                deals = [
                    sum(s % seats == x for s in range(now.step + 1, now.last + 1))
                    for x in (better, worse)
                ]
                total += (w[0] + (w[6] if place == 0 else 0)) * lead / left**0.5 + w[
                    1
                ] * lead / left
                total += w[2] * tanh(lead) / left + w[3] * (deals[0] - deals[1]) / left**0.5
                total += w[4] * ((better == now.dealer) - (worse == now.dealer)) / left**0.5
                total += w[5] * (worse - better) / seats / left
        odds[order] = exp(total)
    every = sum(odds.values())
    return [
        [
            sum(v for order, v in odds.items() if order[place] == seat) / every
            for place in range(seats)
        ]
        for seat in range(seats)
    ]


@given(st.one_of(st.tuples(*[scores] * 3), st.tuples(*[scores] * 4)), st.data())
def test_rows_and_columns_sum_to_one(points: tuple[int, ...], data: st.DataObject) -> None:
    step = data.draw(st.integers(0, 3 * len(points)))
    now = state(
        points, step, step % len(points), data.draw(st.integers(0, 9)), data.draw(st.integers(0, 4))
    )
    found = places(now)
    assert found.min() >= 0
    assert found.sum(axis=0) == pytest.approx(1, abs=1e-9)
    assert found.sum(axis=1) == pytest.approx(1, abs=1e-9)


@given(st.one_of(st.tuples(*[scores] * 3), st.tuples(*[scores] * 4)), st.integers(0, 4))
def test_the_odds_are_those_of_plain_loops(points: tuple[int, ...], step: int) -> None:
    now = state(points, step, step % len(points))
    assert places(now).tolist() == [pytest.approx(row, abs=1e-9) for row in by_loops(now)]


def test_the_ends_of_the_last_round_are_counted() -> None:
    """Two ends: the first dealer's tsumo of 4,000 all, and a ron of 8,000 by the next seat from the
    last.
    """
    ends = chances.RoundEnds(
        np.array([[8_000, -4_000, -4_000], [0, 8_000, -8_000]]),
        np.array([True, False]),
        np.array([True, True]),
        np.array([3, 1]),
    )
    now = RoundState(5, 5, 1, 1, 2, (38_000, 36_000, 31_000), 40_000)
    # Seat 2 deals. Its tsumo, a honba and a stick give it 40,200 and the lead, so the game is
    # over; the ron is seat 0's, from seat 1.
    found = chances.by_ends(now, fitted(3)[0], ends)
    assert found.tolist() == [[0.25, 0.75, 0], [0, 0, 1], [0.75, 0.25, 0]]


def test_a_lead_that_nothing_takes_is_certain_and_nothing_turns() -> None:
    assert places(state((90_000, 10_000, 5_000), 5, dealer=0))[0, 0] == pytest.approx(1, abs=1e-12)
    assert places(state((90_000, 10_000, 5_000, -5_000), 7, dealer=0))[0, 0] == pytest.approx(
        1, abs=1e-12
    )
    same, other = np.array([[0.5, 0.5], [0.5, 0.5]]), np.array([[0.4, 0.6], [0.6, 0.4]])
    assert turning_of([same, same]) is None
    assert turning_of([other, same, other]).round == 0  # type: ignore[union-attr]


def first_places(*chances: float) -> list[np.ndarray]:
    """Chances of first and second of two seats at each deal and at the end."""
    return [np.array([[chance, 1 - chance], [1 - chance, chance]]) for chance in chances]


def test_an_earlier_round_that_decided_as_much_is_the_turning_point() -> None:
    close = first_places(0.3, 0.76, 0.5, 1.0)  # 46 points, then the last round's 50
    assert turning_of(close).round == 2  # type: ignore[union-attr]
    turning = turning_of(close, AS_MUCH)
    assert turning is not None
    assert turning.round == 0
    assert turning.swing == pytest.approx((0.46, -0.46))
    clear = first_places(0.3, 0.7, 0.5, 1.0)
    assert turning_of(clear, AS_MUCH).round == 2  # type: ignore[union-attr]


WALLED = [
    (f"{seats} seats, {seed}", walled(seed, seats).xml()) for seats in (3, 4) for seed in (1, 2)
]
GAMES = [(path.name, gzip.decompress(path.read_bytes())) for path in RECORDS] + WALLED
EAST = [
    (f"{name}, east", re.sub(rb'(<GO type=")\d+', rb"\g<1>%d" % bits, data))
    for bits, (name, data) in zip((17, 17, 1, 1), WALLED, strict=True)
]


@pytest.mark.parametrize(("name", "data"), GAMES + EAST, ids=[name for name, _ in GAMES + EAST])
def test_a_record(name: str, data: bytes) -> None:
    """Rows and columns sum to 1, the changes add up, and a record that is cut tells the same until
    there.
    """
    record = parse(data)
    whole = report(record)
    *deals, end = whole["chances"]
    assert [row["round"] for row in deals] == list(range(len(record.rounds)))
    assert [row["scores"] for row in deals] == [list(played.start) for played in record.rounds]
    assert (end["round"], end["scores"]) == (None, list(record.final))
    assert [row.index(1.0) for row in end["places"]] == list(record.placings())
    told = np.array([each["places"] for each in whole["chances"]])
    assert told.min() >= 0
    assert told.sum(axis=1) == pytest.approx(1, abs=1e-9)
    assert told.sum(axis=2) == pytest.approx(1, abs=1e-9)
    swings = np.diff(told[:, :, 0], axis=0)
    assert swings.sum(axis=0) == pytest.approx(told[-1, :, 0] - told[0, :, 0])
    largest = max(range(len(swings)), key=lambda number: (sum(map(abs, swings[number])), -number))
    assert whole["turning"] == {"round": largest, "swing": tuple(swings[largest])}
    for number, cut in enumerate(re.finditer(rb"<INIT ", data)):
        if number:
            assert report(parse(data[: cut.start()] + b"</mjloggm>"))["chances"] == deals[:number]


def test_unknown_scores_games_of_east_alone_and_other_starts() -> None:
    data = WALLED[0][1]
    for broken in (
        re.sub(rb' ten="[^"]*"', b"", data, count=1),
        re.sub(rb'(?s)(.*<INIT.*? ten=")[^"]*', rb"\g<1>1", data),
    ):
        assert broken != data
        assert report(parse(broken)) == {"chances": None, "turning": None}
    unread = re.sub(
        rb' sc="[^"]*"', b"", data, count=1
    )  # the round is lost, but where it began is known
    assert len(parse(unread).rounds) < len(parse(data).rounds)
    assert report(parse(unread)) == report(parse(data))
    south, east = (chances.deals_of(parse(data))[0][1] for data in (WALLED[2][1], EAST[2][1]))
    assert (south.last, east.last) == (7, 3)
    lead = (31_000, 23_000, 23_000, 23_000)
    assert (
        places(east._replace(scores=lead))[0, 0] > places(south._replace(scores=lead))[0, 0] + 0.03
    )
    record = parse(WALLED[0][1])
    shift = [
        replace(each, start=tuple(score + 15_000 for score in each.start)) for each in record.rounds
    ]
    goals = [
        chances.deals_of(one)[-1][1].goal for one in (record, replace(record, rounds=tuple(shift)))
    ]
    assert goals == [40_000, 55_000]
