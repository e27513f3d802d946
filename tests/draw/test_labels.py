from itertools import pairwise

from hypothesis import given, strategies as st

from bot.draw.lines import separate

heights = st.lists(st.floats(-1e6, 1e6), max_size=30).map(sorted)


@given(heights, st.floats(1, 60))
def test_labels_keep_order_distance_and_frame(wanted: list[float], gap: float) -> None:
    low, high = 180.0, 1110.0
    places = separate(wanted, gap, low, high)
    room = min(gap, (high - low) / max(1, len(wanted) - 1))
    assert len(places) == len(wanted)
    assert all(b - a >= room - 1e-6 for a, b in pairwise(places))
    assert all(low - 1e-6 <= place <= high + 1e-6 for place in places)


@given(st.lists(st.integers(0, 20), max_size=20))
def test_labels_with_room_stay_where_they_wish(steps: list[int]) -> None:
    wanted = [200.0 + sum(steps[:i]) + 46 * i for i in range(len(steps))]
    places = separate(wanted, 46, 0, 5000)
    assert all(abs(a - b) < 1e-6 for a, b in zip(wanted, places, strict=True))


def test_a_pile_spreads_evenly_about_its_wish() -> None:
    assert separate([500.0, 500.0, 500.0], 40, 0, 1000) == [460.0, 500.0, 540.0]


def test_equal_wishes_at_the_edge_stay_inside() -> None:
    assert separate([0.0, 0.0], 40, 10, 1000) == [10.0, 50.0]
