"""Ticks, numbers and the places of labels along an axis."""

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from bot.draw.layout import Scale, days, number, ticks, ticks_about
from bot.draw.lines import separate


@given(
    st.floats(-1e9, 1e9),
    st.floats(1e-3, 1e9),
    st.integers(2, 10),
)
def test_ticks_are_few_and_inside(low: float, span: float, most: int) -> None:
    marks = ticks(low, low + span, most)
    assert len(marks) <= most + 1
    assert all(low - span * 1e-6 - 1e-6 <= mark <= low + span * 1.000001 + 1e-6 for mark in marks)


@given(
    st.floats(-1e4, 1e4),
    st.floats(1e-3, 1e6),
    st.floats(0, 1),
    st.integers(2, 6),
)
def test_at_least_three_ticks_about_a_centre(
    low: float, span: float, where: float, most: int
) -> None:
    centre = low + span * where
    marks = ticks_about(centre, low, low + span, most)
    assert 3 <= len(marks) <= most + 8
    assert centre in marks
    assert all(low - span * 1e-6 <= mark <= low + span * 1.000001 for mark in marks)


@given(
    st.dates(date(1990, 1, 1), date(2090, 1, 1)),
    st.integers(0, 9000),
    st.integers(2, 8),
)
def test_days_are_few_ascending_and_inside(first: date, span: int, most: int) -> None:
    start = first.toordinal()
    marks = days(start, start + span, most)
    assert len(marks) <= most + 1
    assert all(start <= day <= start + span for day, _ in marks)
    assert all(a < b for (a, _), (b, _) in pairwise(marks))


def day_labels(low: float, high: float, most: int) -> list[str]:
    return [label for _, label in days(low, high, most)]


def test_dates_are_said_as_people_say_them() -> None:
    start = date(2019, 12, 20).toordinal()
    assert day_labels(start, start + 130, 6) == ["2020年", "2月", "3月", "4月"]
    assert day_labels(start, start + 70, 4) == ["2020年", "1/15", "2月", "2/15"]
    assert day_labels(start, start + 4, 6) == [
        "12/20",
        "12/21",
        "12/22",
        "12/23",
        "12/24",
    ]


NUMBERS = [
    (1672.4, 0, False, "1672"),
    (-9876, 0, False, "−9876"),
    (1752.0, 1, True, "+1,752.0"),
    (-1752, 0, True, "−1,752"),
    (12345.6, 0, False, "12,346"),
    (1234567, 0, False, "1,234,567"),
    (-4.04, 1, False, "−4.0"),
    (-0.04, 1, True, "0.0"),
    (0, 0, True, "0"),
]


@pytest.mark.parametrize(("value", "decimals", "signed", "words"), NUMBERS)
def test_numbers_read_well(value: float, decimals: int, signed: bool, words: str) -> None:
    assert number(value, decimals, signed) == words


def test_a_single_value_stands_in_the_middle_and_a_pile_spreads_evenly_about_its_wish() -> None:
    assert Scale(5, 5, 0, 100)(5) == 50
    assert separate([500.0, 500.0, 500.0], 40, 0, 1000) == [460.0, 500.0, 540.0]
    assert separate([0.0, 0.0], 40, 10, 1000) == [10.0, 50.0]


heights = st.lists(st.floats(-1e6, 1e6), max_size=30).map(sorted)


@given(heights, st.floats(1, 60))
def test_labels_keep_order_distance_and_frame(wanted: list[float], gap: float) -> None:
    low = 180.0
    high = 1110.0
    places = separate(wanted, gap, low, high)
    room = min(gap, (high - low) / max(1, len(wanted) - 1))
    assert len(places) == len(wanted)
    assert all(b - a >= room - 1e-6 for a, b in pairwise(places))
    assert all(low - 1e-6 <= place <= high + 1e-6 for place in places)


@given(st.lists(st.integers(0, 20), max_size=20))
def test_labels_with_room_stay_where_they_wish(steps: list[int]) -> None:
    wanted = [200.0 + sum(steps[:i]) + 46 * i for i in range(len(steps))]
    places = separate(wanted, 46, 0, 5000)
    assert places == pytest.approx(wanted, abs=1e-6, rel=0)
