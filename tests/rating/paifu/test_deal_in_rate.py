from collections import Counter

import pytest
from hypothesis import given, strategies as st

from rating.paifu import deal_in
from rating.paifu.danger import CLASSES, danger, tile_class
from rating.paifu.reference import DEAL_IN_PERCENT, turn_factor
from rating.paifu.tiles import parse as hand
from tests.rating.paifu.records import record_of
from tests.real import RECORDS, worked_figures

LIVE = [4] * 34
NOTHING = [False] * 34


def kind(tile: str) -> int:
    return hand(tile)[0] // 4


def safe(river: str) -> list[bool]:
    safe_kinds = {tile // 4 for tile in hand(river)}
    return [kind in safe_kinds for kind in range(34)]


def chances(
    unseen: list[int],
    safe_kinds: list[bool],
    seats: int = 4,
) -> tuple[deal_in.DealInRate, ...]:
    return deal_in.threat(unseen, [safe_kinds], seats, rates=deal_in.class_rates(seats)).chance


@pytest.mark.parametrize(
    ("tile", "river", "name", "percent"),
    [
        ("5m", "", "456", 11.56),
        ("5m", "2m", "456 one suji", 7.1),
        ("4m", "7m", "456 one suji", 7.1),
        ("5m", "28m", "456 both", 2.81),
        ("6m", "39m", "456 both", 2.81),
        ("3p", "", "37", 8.42),
        ("7m", "", "37", 8.42),
        ("3p", "6p", "37 suji", 4.62),
        ("2s", "", "28", 7.72),
        ("8m", "", "28", 7.72),
        ("8s", "5s", "28 suji", 3.5),
        ("1m", "", "19", 6.65),
        ("9m", "6m", "19 suji", 2.02),
        ("1z", "", "z fresh", 4.29),
        ("1z", "1z", "", 0),
    ],
)
def test_tile_has_the_rate_of_its_class(tile: str, river: str, name: str, percent: float) -> None:
    rate = chances(LIVE, safe(river))[kind(tile)]
    assert rate == deal_in.DealInRate(*[pytest.approx(percent / 100)] * 3, own=False)
    assert not name or tile_class(kind(tile), LIVE, safe(river)) == name


def test_walls_and_ends_of_man_have_their_class() -> None:
    assert tuple(deal_in.SOURCE_PERCENT) == CLASSES
    assert worked_figures("danger")["tenhou_2019_percent"] == deal_in.SOURCE_PERCENT
    walled = [0 if number == kind("5m") else 4 for number in range(34)]
    assert deal_in.rate_class(kind("3m"), walled, NOTHING) == "37 suji"
    assert deal_in.rate_class(kind("6m"), walled, NOTHING) == "456 one suji"
    assert deal_in.rate_class(kind("6m"), walled, safe("9m")) == "456 both"
    assert deal_in.rate_class(kind("3m"), LIVE, NOTHING) == "37"
    walled[kind("3m")] = walled[kind("1m")] = walled[kind("2m")] = 0
    assert chances(walled, NOTHING)[kind("3m")] == deal_in.SAFE
    three = chances(LIVE, NOTHING, 3)
    fresh = deal_in.class_rates(3)["z fresh"]
    assert three[kind("1m")] == three[kind("9m")] == fresh
    assert three[1:8] == (deal_in.SAFE,) * 7


State = tuple[list[int], list[bool]]
STATES = st.tuples(
    st.lists(st.integers(0, 4), min_size=34, max_size=34),
    st.lists(st.booleans(), min_size=34, max_size=34),
)


@given(STATES, st.sampled_from((3, 4)))
def test_chance_is_positive_where_danger_is(state: State, seats: int) -> None:
    for points, chance in zip(
        danger(*state, seats),
        chances(*state, seats),
        strict=True,
    ):
        assert (points > 0) == (chance.rate > 0)
        assert chance.rate <= 0.21


@given(STATES)
def test_class_is_that_of_the_table(state: State) -> None:
    unseen = [max(1, copies) for copies in state[0]]
    _, safe_kinds = state
    for number in range(34):
        assert deal_in.rate_class(number, unseen, safe_kinds) == tile_class(
            number, unseen, safe_kinds
        )


def test_enough_records_of_three_give_their_own_rates() -> None:
    discards = {"456": deal_in.ENOUGH, "19": deal_in.ENOUGH - 1}
    counted = deal_in.DealIns(Counter(discards), Counter({"456": 30, "19": 2}))
    rates = deal_in.class_rates(3, counted)
    assert rates["456"].rate == 30 / deal_in.ENOUGH
    assert rates["456"].low == pytest.approx(0.1071, abs=1e-4)
    assert rates["456"].high == pytest.approx(0.2061, abs=1e-4)
    assert rates["456"].own
    assert rates["19"] == deal_in.class_rates(3)["19"]
    assert rates["19"] == (*[pytest.approx(0.1237)] * 3, False)
    assert deal_in.class_rates(4, counted) == dict(deal_in.SOURCE_RATES)


@pytest.mark.parametrize(
    ("seats", "percents"),
    [
        (3, (12.13, 28.37, 36.61)),
        (4, (9.59, 13.41, 19.54)),
    ],
)
def test_later_discards_deal_in_more_often(seats: int, percents: tuple[float, ...]) -> None:
    rate = deal_in.class_rates(seats)["456"]
    five = kind("5p")
    rates = {**deal_in.class_rates(seats)}
    chances_by_turn = []
    for turn in (0, 6, 15, 16):
        threat = deal_in.threat(LIVE, [NOTHING], seats, rates=rates, turn=turn)
        chances_by_turn.append(threat.chance[five].rate)
    expected = [rate.rate, *(percent / 100 for percent in percents)]
    assert chances_by_turn == pytest.approx(expected, abs=1e-4)
    for name, row in DEAL_IN_PERCENT.items():
        if not row[0]:
            assert turn_factor(3, name, 1) == 1
    assert deal_in.DealInRate(0.9, 0.8, 0.95).times(1.3)[:3] == pytest.approx(
        (1, 1, 1),
        abs=0.05,
    )


def test_chances_of_several_opponents_add_up() -> None:
    together = deal_in.threat(LIVE, [NOTHING, safe("2m")], costs=[5000, 10000])
    five = kind("5m")
    assert together.largest[five] == 26
    assert together.chance[five].rate == pytest.approx(1 - (1 - 0.1156) * (1 - 0.071))
    assert together.loss[five] == pytest.approx(0.1156 * 5000 + 0.071 * 10000)
    assert deal_in.threat(LIVE, [NOTHING]).loss[five] == pytest.approx(
        0.1156 * deal_in.MEAN_LOSS[4]
    )
    rate = deal_in.DealInRate(0.1, 0.05, 0.2, True)
    assert deal_in.together([deal_in.SAFE, rate]) == pytest.approx(tuple(rate))


def test_sum_of_chances_is_near_the_deal_ins() -> None:
    """Over four seats' discards into a riichi: within two deviations of what came, and nearer than
    before.
    """
    expected = variance = deal_ins = slope = 0.0
    for path in RECORDS:
        for played in record_of(path).rounds if record_of(path).seats == 4 else ():
            for facing in deal_in.facings(played):
                winners = {ron.winner for ron in facing.rons if ron.to_riichi}
                for opponent, safe_kinds in zip(facing.opponents, facing.safe, strict=True):
                    rate = chances(facing.unseen, safe_kinds)[facing.kind].rate
                    expected += rate
                    variance += rate * (1 - rate)
                    if opponent in winners:
                        deal_ins += 1
                    slope += 0.0045 * danger(facing.unseen, safe_kinds)[facing.kind]
    assert deal_ins == 38
    assert abs(expected - deal_ins) < 2 * variance**0.5
    assert abs(expected - deal_ins) < abs(slope - deal_ins)
