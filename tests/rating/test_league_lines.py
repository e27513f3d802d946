"""Every fault in league.toml names the line that it is on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rating.league_file import LeagueError, Place, line_of, parse_league, strange_keys

GOOD = """name = "雀録杯"
rooms = ["C1234"]

[[season]]
name = "1"
log = "logvol1.txt"

[[ season ]]
log = "logvol2.txt"
start = 2020-07-01
games = 120
end = 2020-12-31

[player."みどり一色"]
rating = 1500
aliases = []

[player . white]
guest = false

[team."東家"]
members = ["みどり一色"]

[rules]
chip = 2.0
"""


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('rooms = ["C1234"]', "rooms = 3", 2),
        ('rooms = ["C1234"]', 'rooms = ["C12"]', 2),
        ('rooms = ["C1234"]', 'wooms = ["C1234"]', 2),
        ('rooms = ["C1234"]', "rooms = [", 4),
        ('name = "1"', "name = 1", 5),
        ('log = "logvol2.txt"', 'log = "second.txt"', 9),
        ('log = "logvol2.txt"', 'log = "logvol1.txt"', 9),
        ("start = 2020-07-01", 'start = "July"', 10),
        ("games = 120", "games = -1", 11),
        ("end = 2020-12-31", "end = 2020-06-30", 12),
        ("rating = 1500", "rating = nan", 15),
        ("aliases = []", "aliases = [3]", 16),
        ("guest = false", "guest = 1", 19),
        ('members = ["みどり一色"]', "members = 1", 22),
        ("chip = 2.0", "uma = [1]", 25),
    ],
)
def test_a_fault_is_named_with_its_line(old: str, new: str, line: int) -> None:
    text = GOOD.replace(old, new)
    with pytest.raises(LeagueError) as caught:
        parse_league(text)
    assert line_of(caught.value, text) == line


def test_a_good_file_has_no_strange_key() -> None:
    parse_league(GOOD)
    assert strange_keys(GOOD) == []


places = st.builds(
    Place,
    st.sampled_from(["player", "team", "rules"]),
    st.text(max_size=20),
    st.text(max_size=20),
) | st.builds(Place, st.just("season"), st.integers(1, 5), st.text(max_size=20))


@given(places | st.builds(Place, key=st.text(max_size=20)), st.text(max_size=200))
def test_any_place_and_text_give_a_line_of_the_text_or_none(place: Place, text: str) -> None:
    assert 0 <= line_of(LeagueError("not_a_table", place), text) <= text.count("\n") + 1
    strange_keys(text)
