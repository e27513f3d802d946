import gzip
import json
import random
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from rating.paifu import chances, playout
from rating.paifu.chances import AS_MUCH, report, turning_of
from rating.paifu.formats import parse
from rating.paifu.playout import RoundState, chances_at, end_table
from tests.rating.paifu.records import walled
from tests.real import RECORDS
from tests.tools.chances import Deal, round_ends

scores = st.integers(-300, 900).map(lambda hundreds: 100 * hundreds)


def state(
    points: tuple[int, ...],
    step: int,
    dealer: int = 0,
    honba: int = 0,
    sticks: int = 0,
) -> RoundState:
    seats = len(points)
    return RoundState(
        step=step,
        last=2 * seats - 1,
        honba=honba,
        sticks=sticks,
        dealer=dealer,
        scores=points,
        goal={3: 40_000, 4: 30_000}[seats],
    )


End = tuple[tuple[int, ...], bool, bool]  # changes from the dealer on, again, won


def next_deal(now: RoundState, end: End) -> RoundState:
    """The deal after a round, by plain loops."""
    changes, again, won = end
    seats = len(now.scores)
    points = list(now.scores)
    losers = [place for place in range(seats) if changes[place] < 0]
    for place, change in enumerate(changes):
        points[(now.dealer + place) % seats] += change
    if won:
        winner = max(range(seats), key=lambda place: changes[place])
        payers = losers
        if len(losers) < seats - 1:
            payers = [min(losers, key=lambda place: changes[place])]
        honba_points = 100 * now.honba * (seats - 1)
        for payer in payers:
            points[(now.dealer + payer) % seats] -= honba_points // len(payers)
        points[(now.dealer + winner) % seats] += honba_points
        points[(now.dealer + winner) % seats] += 1_000 * now.sticks
    return now._replace(
        step=now.step if again else now.step + 1,
        honba=now.honba + 1 if again or not won else 0,
        sticks=0 if won else now.sticks - sum(changes) // 1_000,
        dealer=now.dealer if again else (now.dealer + 1) % seats,
        scores=tuple(points),
    )


def is_over(now: RoundState, after: RoundState, again: bool) -> bool:
    first = max(after.scores)
    if min(after.scores) < 0:
        return True
    if now.step >= now.last and first >= now.goal:
        return not again or after.scores.index(first) == now.dealer
    return now.step >= now.last + len(now.scores) and not again


def ranking(points: tuple[int, ...]) -> list[int]:
    return sorted(
        range(len(points)),
        key=lambda seat: (-points[seat], seat),
    )


def simulated(
    now: RoundState,
    ends: list[End],
    weights: list[float],
    games: int,
) -> list[float]:
    """How often each seat comes first in simulated games."""
    random_ends = random.Random(1)
    wins = [0] * len(now.scores)
    for _ in range(games):
        deal = now
        while True:
            (end,) = random_ends.choices(ends, weights)
            after = next_deal(deal, end)
            if is_over(deal, after, end[1]):
                break
            deal = after
        wins[ranking(after.scores)[0]] += 1
    return [count / games for count in wins]


def counted(seats: int) -> tuple[list[End], list[float]]:
    """The ends of rounds in round_ends.json, with their weights."""
    text = Path(playout.__file__).with_name("round_ends.json").read_text("utf-8")
    ends = []
    weights = []
    for *hundreds, again, won, weight in json.loads(text)[str(seats)]:
        changes = tuple(100 * change for change in hundreds)
        ends.append((changes, again == 1, won == 1))
        weights.append(weight)
    return ends, weights


@given(
    st.one_of(
        st.tuples(*[scores] * 3),
        st.tuples(*[scores] * 4),
    ),
    st.data(),
)
def test_rows_and_columns_sum_to_one(points: tuple[int, ...], data: st.DataObject) -> None:
    step = data.draw(st.integers(0, 3 * len(points)))
    now = state(
        points,
        step,
        step % len(points),
        data.draw(st.integers(0, 9)),
        data.draw(st.integers(0, 4)),
    )
    places = chances_at([now])[0]
    assert places.min() >= 0
    assert places.sum(axis=0) == pytest.approx(1, abs=1e-9)
    assert places.sum(axis=1) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize(
    "now",
    [
        state((18_300, 36_900, 15_700, 29_100), 6, dealer=2),
        state(
            (30_100, 12_800, 23_000, 34_100),
            7,
            dealer=3,
            honba=1,
            sticks=2,
        ),
        state((46_500, 34_800, 1_200, 17_500), 5, dealer=1, sticks=1),
        state((45_100, 48_400, 11_500), 4, dealer=1),
        state((35_000, 35_000, 35_000), 0),
    ],
)
def test_chances_equal_those_of_simulated_games(now: RoundState) -> None:
    ends, weights = counted(len(now.scores))
    wanted = simulated(now, ends, weights, games=6_000)
    of_first = chances_at([now])[0][:, 0]
    for chance, share in zip(of_first, wanted, strict=True):
        error = (share * (1 - share) / 6_000) ** 0.5
        assert chance == pytest.approx(share, abs=0.012 + 3 * error)


def test_small_chances_equal_those_of_simulated_games() -> None:
    now = state((18_300, 36_900, 15_700, 29_100), 6, dealer=2)
    ends, weights = counted(4)
    share = simulated(now, ends, weights, games=10_000)[2]
    assert chances_at([now])[0, 2, 0] == pytest.approx(share, rel=0.25)


def test_chances_of_a_deal_do_not_depend_on_others() -> None:
    deals = []
    for n in range(0, 9_000, 700):
        points = (35_000 - n, 35_000, 35_000 + n)
        deals.append(state(points, step=n % 6, dealer=n % 3))
    together = chances_at(deals)
    for deal, places in zip(deals, together, strict=True):
        assert chances_at([deal])[0].tolist() == places.tolist()


def test_end_below_zero_ends_the_game() -> None:
    """Two rounds in five put somebody below 0 in half of the deals, where no next deal shows it."""
    deals = []
    for game in range(400):
        poor = game % 2 == 0
        start = (38_000, 32_000, 5_000) if poor else (30_000, 20_000, 55_000)
        loses_much = game // 2 % 5 < 2
        change = (8_000, 0, -8_000) if loses_much else (2_000, 0, -2_000)
        deals.append(Deal(f"{game}", state(start, 0), (0, 1, 2)))
        if not (poor and loses_much):
            after = tuple(points + more for points, more in zip(start, change, strict=True))
            deals.append(Deal(f"{game}", state(after, 6), (0, 1, 2)))
    ends = round_ends(deals)
    shares = ends.weights / ends.weights.sum()
    is_large = ends.changes[:, 0] == 8_000
    assert shares[is_large].sum() == pytest.approx(0.4, abs=0.001)


def test_every_end_of_the_last_round_counts() -> None:
    """Two ends: the first dealer's tsumo of 4,000 all, and a ron of 8,000 by the next seat from the
    last.
    """
    ends = playout.RoundEnds(
        np.array(
            [
                [
                    8_000,
                    -4_000,
                    -4_000,
                ],
                [0, 8_000, -8_000],
            ]
        ),
        np.array([True, False]),
        np.array([True, True]),
        np.array([3.0, 1.0]),
    )
    now = RoundState(5, 5, 1, 1, 2, (38_000, 36_000, 31_000), 40_000)
    # Seat 2 deals. Its tsumo, a honba and a stick give it 40,200 and the lead, so the game is
    # over; the ron is seat 0's, from seat 1.
    places = chances_at([now], end_table(ends))[0]
    assert places.tolist() == [
        [0.25, 0.75, 0],
        [0, 0, 1],
        [0.75, 0.25, 0],
    ]


def test_certain_lead_has_no_turning_point() -> None:
    three = state((90_000, 10_000, 5_000), 5, dealer=0)
    four = state((90_000, 10_000, 5_000, -5_000), 7, dealer=0)
    assert chances_at([three])[0, 0, 0] == pytest.approx(1, abs=1e-12)
    assert chances_at([four])[0, 0, 0] == pytest.approx(1, abs=1e-12)
    same = np.array([[0.5, 0.5], [0.5, 0.5]])
    other = np.array([[0.4, 0.6], [0.6, 0.4]])
    assert turning_of([same, same]) is None
    assert turning_of([other, same, other]).round == 0  # type: ignore[union-attr]


def first_places(*chances: float) -> list[np.ndarray]:
    """Chances of first and second of two seats at each deal and at the end."""
    rows = [(chance, 1 - chance) for chance in chances]
    return [np.array([row, row[::-1]]) for row in rows]


def test_first_round_that_decided_enough_is_the_turning() -> None:
    close = first_places(0.3, 0.76, 0.5, 1.0)  # 46 points, then the last round's 50
    assert turning_of(close).round == 2  # type: ignore[union-attr]
    turning = turning_of(close, AS_MUCH)
    assert turning is not None
    assert turning.round == 0
    assert turning.swing == pytest.approx((0.46, -0.46))
    clear = first_places(0.3, 0.7, 0.5, 1.0)
    assert turning_of(clear, AS_MUCH).round == 2  # type: ignore[union-attr]


WALLED = [
    ("3 seats, 1", walled(1, 3).xml()),
    ("3 seats, 2", walled(2, 3).xml()),
    ("4 seats, 1", walled(1, 4).xml()),
    ("4 seats, 2", walled(2, 4).xml()),
]
REAL = [(path.name, gzip.decompress(path.read_bytes())) for path in RECORDS]
GAMES = REAL + WALLED
EAST = [
    (f"{name}, east", re.sub(rb'(<GO type=")\d+', rb"\g<1>%d" % bits, data))
    for bits, (name, data) in zip(
        (17, 17, 1, 1),
        WALLED,
        strict=True,
    )
]


@pytest.mark.parametrize(
    ("name", "data"),
    GAMES + EAST,
    ids=[name for name, _ in GAMES + EAST],
)
def test_chances_of_a_record(name: str, data: bytes) -> None:
    """Rows and columns sum to 1, the changes add up, and a cut record has the same chances up to
    the cut.
    """
    record = parse(data)
    whole = report(record)
    *deals, end = whole["chances"]
    assert [row["round"] for row in deals] == list(range(len(record.rounds)))
    starts = [list(played.start) for played in record.rounds]
    assert [row["scores"] for row in deals] == starts
    assert (end["round"], end["scores"]) == (None, list(record.final))
    assert [row.index(1.0) for row in end["places"]] == list(record.placings())
    places = np.array([deal["places"] for deal in whole["chances"]])
    assert places.min() >= 0
    assert places.sum(axis=1) == pytest.approx(1, abs=1e-9)
    assert places.sum(axis=2) == pytest.approx(1, abs=1e-9)
    swings = np.diff(places[:, :, 0], axis=0)
    of_first = places[:, :, 0]
    assert swings.sum(axis=0) == pytest.approx(of_first[-1] - of_first[0])
    largest = max(
        range(len(swings)),
        key=lambda number: (sum(map(abs, swings[number])), -number),
    )
    assert whole["turning"] == {"round": largest, "swing": tuple(swings[largest])}
    for number, cut in enumerate(re.finditer(rb"<INIT ", data)):
        if number:
            cut_record = parse(data[: cut.start()] + b"</mjloggm>")
            assert report(cut_record)["chances"] == deals[:number]


@pytest.mark.parametrize(
    ("pattern", "replacement"),
    [
        (rb' ten="[^"]*"', b""),
        (rb'(?s)(.*<INIT.*? ten=")[^"]*', rb"\g<1>1"),
    ],
)
def test_chances_are_null_where_a_score_is_unknown(pattern: bytes, replacement: bytes) -> None:
    data = WALLED[0][1]
    broken = re.sub(pattern, replacement, data, count=1)
    assert broken != data
    assert report(parse(broken)) == {"chances": None, "turning": None}


def test_chances_know_the_deal_of_an_unread_round() -> None:
    data = WALLED[0][1]
    unread = re.sub(rb' sc="[^"]*"', b"", data, count=1)
    assert len(parse(unread).rounds) < len(parse(data).rounds)
    assert report(parse(unread)) == report(parse(data))


def test_same_lead_is_safer_in_a_game_of_east_alone() -> None:
    _, south = chances.deals_of(parse(WALLED[2][1]))[0]
    _, east = chances.deals_of(parse(EAST[2][1]))[0]
    assert (south.last, east.last) == (7, 3)
    lead = (31_000, 23_000, 23_000, 23_000)
    states = [east._replace(scores=lead), south._replace(scores=lead)]
    of_east, of_south = chances_at(states)
    assert of_east[0, 0] > of_south[0, 0] + 0.03


def test_goal_follows_from_the_scores_at_the_start() -> None:
    record = parse(WALLED[0][1])
    rounds = []
    for played in record.rounds:
        start = tuple(score + 15_000 for score in played.start)
        rounds.append(replace(played, start=start))
    shifted = replace(record, rounds=tuple(rounds))
    assert chances.deals_of(record)[-1].state.goal == 40_000
    assert chances.deals_of(shifted)[-1].state.goal == 55_000
