import random
from collections import defaultdict
from datetime import date, timedelta

import pytest

from rating.games import Game, Seat
from rating.standings import Line
from rating.statistics import BOARD, STATISTICS, qualifying_games, ranking, shown_on
from rating.tallies import Career, careers

NAMES = ("甲", "乙", "丙", "丁", "戊")


def season(
    games: int = 90,
    seats: int = 3,
    seed: int = 7,
) -> list[Game]:
    rng = random.Random(seed)
    made = []
    for number in range(games):
        table = rng.sample(NAMES, seats)
        scores = sorted(
            (float(rng.randrange(-60, 60)) for _ in table),
            reverse=True,
        )
        seated = []
        for player, score in zip(table, scores, strict=True):
            chips = rng.randrange(-3, 4)
            seated.append(Seat(player, score, chips))
        day = date(2026, 1, 1) + timedelta(days=number // 6)
        made.append(Game(tuple(seated), day))
    return made


def runs(flags: list[bool]) -> int:
    return max(
        map(len, "".join("x" if flag else " " for flag in flags).split()),
        default=0,
    )


@pytest.mark.parametrize("seats", [3, 4])
def test_every_board_counts_what_it_says(seats: int) -> None:
    games = season(seats=seats)
    rated = {
        name: Line(1700.0, [0, 1], [1600.0 + number, 1500.0 + number])
        for number, name in enumerate(NAMES)
    }
    records = {"甲": {"busts": 2, "games": 8}}

    def chip_worth(seat: Seat, game: Game) -> float:
        return 2.0 * (seat.chips or 0)

    actual = careers(games, NAMES, worth=chip_worth, lines=rated, records=lambda: records)
    for name in NAMES:
        own_games = [game for game in games if name in game.players]
        placed = [(game, game.players.index(name)) for game in own_games]
        scores = [game.seats[place].score for game, place in placed]
        chips = [game.seats[place].chips or 0 for game, place in placed]
        days: dict[date | None, float] = defaultdict(float)
        for game, place in placed:
            days[game.day] += game.seats[place].score
        places = [place for _, place in placed]
        total = sum(scores) + 2 * sum(chips)
        players_behind = sum(seats - 1 - place for place in places)
        expected = {
            "mean": sum(places) / len(placed) + 1,
            "total": total,
            "average": total / len(placed),
            "first": places.count(0) / len(placed),
            "upper": sum(1 for place in places if place < 2) / len(placed),
            "last": places.count(seats - 1) / len(placed),
            "ahead": players_behind / ((seats - 1) * len(placed)),
            "best": max(scores),
            "worst": min(scores),
            "day": max(days.values()),
            "firsts": runs([place == 0 for place in places]),
            "not_lasts": runs([place < seats - 1 for place in places]),
            "uppers": runs([place < 2 for place in places]),
            "lasts": runs([place == seats - 1 for place in places]),
            "rating": rated[name].values[1],
            "peak": rated[name].values[0],
            "games": len(placed),
            "chips": sum(chips) / len(placed),
            "busts": 0.25 if name == "甲" else None,
        }
        assert set(expected) == set(shown_on(BOARD))
        for key, wanted in expected.items():
            value = STATISTICS[key].value(actual[name])
            if wanted == 1 and key in ("firsts", "not_lasts", "uppers", "lasts"):
                wanted = None  # one game in a row is no streak
            assert value == (pytest.approx(wanted) if wanted is not None else None), key


def test_a_figure_of_records_ranks_those_with_thirty_records() -> None:
    records = {
        "甲": {"busts": 6, "games": 30},
        "乙": {"busts": 0, "games": 29},
    }
    actual = careers(season(), NAMES, records=lambda: records)
    assert ranked_places("busts", actual) == "甲 1, 乙 0"


def ranked_places(key: str, by_player: dict[str, Career]) -> str:
    """The players by a figure, each with the place, where a rate needs 30 games."""
    ranked = ranking(STATISTICS[key], by_player, qualifying=30)
    return ", ".join(f"{player.player} {player.place}" for player in ranked)


def figures(**games: int) -> dict[str, Career]:
    """Careers of players with so many games each, the later named the better."""
    by_player = {}
    for rank, (name, count) in enumerate(games.items(), 1):
        played = [
            Game(
                (
                    Seat(name, float(rank)),
                    Seat("x", 0.0),
                    Seat("y", -1.0),
                )
            )
            for _ in range(count)
        ]
        by_player[name] = careers(played, name)[name]
    return by_player


def test_rates_rank_players_with_enough_games() -> None:
    by_player = figures(a=30, b=29, c=40)
    assert ranked_places("average", by_player) == "c 1, a 2, b 0"
    assert ranked_places("total", by_player) == "c 1, b 2, a 3"
    assert ranked_places("first", figures(a=30, b=35, c=40)) == "c 1, b 1, a 1"
    assert ranking(STATISTICS["mean"], {}, qualifying_games(None, {})) == ()


def test_lower_values_rank_first_where_less_is_better() -> None:
    games = season()
    by_player = careers(games, NAMES)
    values = [ranked.value for ranked in ranking(STATISTICS["mean"], by_player, 0)]
    assert values == sorted(values)
    values = [ranked.value for ranked in ranking(STATISTICS["first"], by_player, 0)]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize(
    ("required", "most_games", "needed"),
    [
        (None, 40, 30),
        (None, 29, 15),
        (None, 1, 1),
        (50, 60, 50),
        (50, 20, 10),
        (0, 5, 0),
    ],
)
def test_qualifying_games(required: int | None, most_games: int, needed: int) -> None:
    assert qualifying_games(required, figures(a=most_games)) == needed
