from datetime import date

from hypothesis import given, strategies as st

from rating import tallies as counts
from rating.games import Game, Seat
from rating.standings import Line
from rating.statistics import STATISTICS
from rating.tallies import (
    Meeting,
    Tally,
    careers,
    current,
    is_first,
    is_last,
    longest,
    meetings,
    tallies,
    totals,
)

GAMES = [
    Game(
        (
            Seat("A", 50.0, 2),
            Seat("B", -10.0, -1),
            Seat("C", -40.0, -1),
        ),
        date(2026, 1, 1),
    ),
    Game(
        (Seat("B", 30.0), Seat("A", 5.0), Seat("C", -35.0)),
        date(2026, 1, 1),
    ),
    Game(
        (
            Seat("A", 20.0, 0),
            Seat("D", 0.0, 3),
            Seat("B", -20.0, -3),
        ),
        date(2026, 1, 2),
    ),
    Game(
        (
            Seat("A", 41.0, 0),
            Seat("B", 0.0, 0),
            Seat("C", -41.0, 0),
        )
    ),
]


def test_sums_by_hand() -> None:
    a = tallies(GAMES)["A"]
    assert a == Tally(
        4,
        116.0,
        chips=2,
        chip_games=3,
        placings=(
            3,
            1,
            0,
        ),
    )
    career = careers(GAMES, "A")["A"]
    wanted = {"mean": 1.25, "first": 0.75, "last": 0.0, "not_last": 1.0}
    assert {key: STATISTICS[key].value(career) for key in wanted} == wanted
    lines = totals(GAMES)
    assert lines["B"] == Line(
        0.0,
        [0, 1, 2, 3],
        [
            -10.0,
            20.0,
            0.0,
            0.0,
        ],
    )
    assert lines["D"] == Line(0.0, [2], [0.0])
    chips = totals(GAMES, lambda seat, game: seat.chips)
    assert chips["A"] == Line(
        0.0,
        [0, 2, 3],
        [
            2.0,
            2.0,
            2.0,
        ],
    )
    teams = counts.grouped(totals(GAMES), {"team": ["A", "D", "nobody"]})
    assert teams["team"] == Line(
        0.0,
        [0, 1, 2, 3],
        [
            50.0,
            55.0,
            75.0,
            116.0,
        ],
    )
    pairs = meetings(GAMES)
    assert pairs["A", "B"] == Meeting(4, 3, 5, 116.0, 116.0)
    assert pairs["A", "B"].share == 0.75
    assert list(counts.against(pairs, "A")) == ["B", "C", "D"]
    assert ("C", "D") not in pairs


def test_runs_and_days_by_hand() -> None:
    results = counts.results_by_player(GAMES, "A")["A"]
    assert [run.length for run in counts.streaks(results, is_first)] == [1, 2]
    assert longest(results, is_first).last is GAMES[3]
    runs = (is_first, is_last, counts.STREAKS["not_lasts"])
    assert [current(results, run) for run in runs] == [2, 0, 4]
    assert longest(results, is_last).length == 0
    by_player = careers(GAMES, "ABCD")
    days = {
        player: [[result.number for result in day] for day in career.days]
        for player, career in by_player.items()
    }
    assert days == {
        "A": [[0, 1], [2]],
        "B": [[0, 1], [2]],
        "C": [[0, 1]],
        "D": [[2]],
    }
    best = STATISTICS["day"].counted(by_player["A"])
    assert (best.value, best.cases) == (55.0, 2)
    assert best.first is GAMES[0]
    assert best.last is GAMES[1]
    assert tallies([]) == meetings([]) == totals([]) == {}
    assert counts.results_by_player([], "A") == {"A": []}
    assert careers([], "A") == {}


@st.composite
def some_games(draw: st.DrawFn) -> list[Game]:
    seats = draw(st.sampled_from([3, 4]))
    games = []
    for _ in range(draw(st.integers(0, 12))):
        players = draw(st.permutations("ABCDEF"))[:seats]
        won = draw(
            st.lists(
                st.integers(-60, 60),
                min_size=seats - 1,
                max_size=seats - 1,
            )
        )
        scores = map(float, sorted([*won, -sum(won)], reverse=True))
        won_chips = draw(
            st.lists(
                st.integers(-5, 5),
                min_size=seats - 1,
                max_size=seats - 1,
            )
        )
        chips: list[int | None] = [*won_chips, -sum(won_chips)]
        if not draw(st.booleans()):
            chips = [None] * seats
        games.append(Game(tuple(map(Seat, players, scores, chips))))
    return games


@given(some_games())
def test_sums_agree_with_a_second_count(games: list[Game]) -> None:
    actual = tallies(games)
    assert sum(t.points for t in actual.values()) == 0
    assert sum(t.chips for t in actual.values()) == 0
    assert all(sum(t.placings) == t.games for t in actual.values())
    for place in range(len(games[0].seats) if games else 0):
        assert sum(t.placings[place] for t in actual.values()) == len(games)
    lines = totals(games)
    last_totals = {player: line.last for player, line in lines.items()}
    assert last_totals == {player: tally.points for player, tally in actual.items()}
    pairs = meetings(games)
    for (player_a, other), meeting in pairs.items():
        back = pairs[other, player_a]
        assert meeting.games == back.games == meeting.ahead + back.ahead
        assert meeting.gap == -back.gap
    for player, tally in actual.items():
        opponents = counts.against(pairs, player)
        expected = tally.games * (len(games[0].seats) - 1)
        assert sum(meeting.games for meeting in opponents.values()) == expected
