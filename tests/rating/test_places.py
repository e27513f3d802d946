from collections import Counter

from hypothesis import given, strategies as st

from rating.standings import GroupPlace, Rating, Standings, places, places_of
from rating.tallies import groups

TABLES = st.lists(
    st.permutations("ABCDEFGHIJ").map(lambda names: tuple(names[:3])),
    max_size=6,
)


def test_equal_values_share_a_place_and_lower_may_be_better() -> None:
    assert places([]) == []
    values = [5.0, 5.0, 3.0, 1.0, 1.0, 0.0]
    assert places(values) == [1, 1, 3, 4, 4, 6]
    assert places([0.1 + 0.2, 0.3, 0.2]) == [1, 1, 3]
    assert places([100.1, 100.0]) == [1, 2]
    assert places([1.5, 1.5, 2.0]) == [1, 1, 3]


@given(st.lists(st.integers(-20, 20)))
def test_a_place_counts_those_who_are_better(numbers: list[int]) -> None:
    ranked = sorted(map(float, numbers), reverse=True)
    for place, value in zip(places(ranked), ranked, strict=True):
        assert place == 1 + sum(1 for other in ranked if other > value)


def test_each_group_has_its_own_places() -> None:
    ratings = {"a": 3.0, "b": 2.0, "c": 2.0, "d": 1.0, "e": 1.0}
    standings = Standings({player: Rating(value, 40) for player, value in ratings.items()})
    actual = places_of(
        standings,
        {"a": 2, "b": 1, "c": 1, "d": 1, "e": 2},
    )
    assert list(actual.items()) == [
        ("b", GroupPlace(1, 1)),
        ("c", GroupPlace(1, 1)),
        ("d", GroupPlace(1, 3)),
        ("a", GroupPlace(2, 1)),
        ("e", GroupPlace(2, 2)),
    ]
    actual = places_of(standings)
    assert [place.place for place in actual.values()] == [1, 2, 2, 4, 4]


def test_groups_are_joined_by_games_but_not_by_nameless_guests() -> None:
    numbers = groups(
        [
            ("x", "y", "z"),
            ("a", "b", "c"),
            ("c", "d", "e"),
            ("d", "f", "g"),
        ]
    )
    assert numbers == {**dict.fromkeys("abcdefg", 1), **dict.fromkeys("xyz", 2)}
    numbers = groups([("a", "b", "NoName"), ("c", "NoName", "NoName#2")])
    assert numbers == {"a": 1, "b": 1, "c": 2}


@given(TABLES)
def test_groups_are_those_a_search_from_each_player_finds(tables: list[tuple[str, ...]]) -> None:
    numbers = groups(tables)
    assert set(numbers) == {player for table in tables for player in table}
    for start in numbers:
        reached = {start}
        for _ in tables:
            reached |= {p for table in tables if reached & set(table) for p in table}
        assert reached == {player for player in numbers if numbers[player] == numbers[start]}
    counts = Counter(numbers.values())
    sizes = [counts[number] for number in sorted(counts)]
    assert sizes == sorted(sizes, reverse=True)
