import re
from math import inf, isfinite, nan
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from rating.games import GameError, game_of
from rating.models import MODELS, make, options_of
from rating.models.base import Batch, ModelError, Sequential, replay, standings
from rating.models.jansou import Jansou
from rating.models.team_elo import TeamElo
from rating.teamlog import TeamGame
from tests.rating.models.leagues import FIRST_DAY, NAMES, leagues, random_league, rate, team_leagues

ROOM = settings(max_examples=12)
SEQUENTIAL = [name for name, model in MODELS.items() if issubclass(model, Sequential)]
BATCH = [name for name, model in MODELS.items() if issubclass(model, Batch)]


def games_for(name: str) -> st.SearchStrategy[list[Any]]:
    return team_leagues() if MODELS[name].plays == "teams" else leagues()


def renamed(game: Any, names: dict[str, str]) -> Any:
    if isinstance(game, TeamGame):
        first, second = ((names[a], names[b]) for a, b in (game.first, game.second))
        return TeamGame(first, second, game.first_won, game.session, game.number)
    return game_of(
        [names[p] for p in game.players],
        [s.score for s in game.seats],
        day=game.day,
    )


@pytest.mark.parametrize("name", list(MODELS))
@ROOM
@given(data=st.data())
def test_renaming_players_renames_ratings(name: str, data: st.DataObject) -> None:
    games = data.draw(games_for(name))
    names = dict(zip(NAMES, data.draw(st.permutations(NAMES)), strict=True))
    before = rate(name, games)
    after = rate(name, [renamed(game, names) for game in games])
    assert {names[p] for p in before} == set(after)
    for player, rating in before.items():
        assert after[names[player]].value == pytest.approx(rating.value, abs=1e-6)
        assert after[names[player]].games == rating.games


@pytest.mark.parametrize("name", SEQUENTIAL)
@ROOM
@given(data=st.data())
def test_history_ends_in_standings_and_grows_at_its_end(name: str, data: st.DataObject) -> None:
    games = data.draw(games_for(name))
    model: Any = make(name)
    whole = replay(model, games)
    cut = data.draw(st.integers(0, len(games)))
    part = replay(model, games[:cut])
    for player, line in whole.history.items():
        assert line.last == standings(model, whole)[player].value
        assert line.games == [i for i, game in enumerate(games) if player in game.players]
        if player in part.history:
            count = len(part.history[player].values)
            assert line.values[:count] == part.history[player].values
    assert replay(model, games[cut:], part).history == whole.history


@pytest.mark.parametrize("name", SEQUENTIAL)
@ROOM
@given(data=st.data())
def test_only_the_seats_of_a_game_move(name: str, data: st.DataObject) -> None:
    games = data.draw(games_for(name))
    if not games:
        return
    model: Any = make(name)
    before = replay(model, games[:-1]).states
    after = replay(model, games).states
    away = set(before) - set(games[-1].players)
    assert all(before[player] == after[player] for player in away)


@pytest.mark.parametrize("name", BATCH)
@ROOM
@given(games=leagues(), data=st.data())
def test_batch_systems_ignore_the_order_of_games(name: str, games: list[Any], data: Any) -> None:
    before = rate(name, games)
    after = rate(name, data.draw(st.permutations(games)))
    for player, rating in before.items():
        assert after[player].value == pytest.approx(rating.value, abs=1e-6)
        assert rating.error >= 0
        assert rating.low <= rating.likely <= rating.high
    if MODELS[name].zero_sum:
        values = [rating.value for rating in before.values()]
        scale = max(map(abs, values))
        assert abs(sum(values)) <= 1e-9 * (1 + scale)


@pytest.mark.parametrize(
    "name",
    [name for name in MODELS if MODELS[name].plays == "games"],
)
@pytest.mark.parametrize("seats", [3, 4])
def test_ties_and_both_numbers_of_seats_are_rated(name: str, seats: int) -> None:
    tied = game_of("ABCD"[:seats], [0.0] * seats)
    other = game_of(
        "ABCD"[:seats],
        [30.0, *[0.0] * (seats - 2), -30.0],
    )
    table = rate(name, [tied, other])
    assert set(table) == set("ABCD"[:seats])
    assert all(rating.games == 2 for rating in table.values())
    assert table["A"].value > table["ABCD"[seats - 1]].value

    games = [
        game_of("ABC", [30.0, 0.0, -30.0]),
        game_of("ABCD", [30.0, 10.0, -10.0, -30.0]),
    ] * 3
    assert set(rate(name, games)) == set("ABCD")


@pytest.mark.parametrize("name", list(MODELS))
def test_player_twice_in_a_game_is_refused(name: str) -> None:
    bad: Any = game_of("ABA", [30.0, 0.0, -30.0], source="log", line=7)
    if MODELS[name].plays == "teams":
        bad = TeamGame(
            ("A", "B"),
            ("A", "C"),
            True,
            source="log",
            line=7,
        )
    with pytest.raises(GameError, match=r"^log:7: A sits twice"):
        rate(name, [bad])


@pytest.mark.parametrize("name", BATCH)
@pytest.mark.parametrize(
    ("games", "message"),
    [
        ([], "no games"),
        (
            [
                game_of(
                    "ABC",
                    [30.0, 0.0, -30.0],
                    source="log",
                    line=1,
                )
            ],
            "^log:1: the only game",
        ),
        (
            [
                game_of(
                    "ABC",
                    [0.0] * 3,
                    source="log",
                    line=4,
                )
            ]
            * 2,
            "^log:4: all scores are the same",
        ),
        ([game_of("ABC", [float("nan"), 0.0, 0.0])] * 2, "^A B C: a score is not a number"),
        ([game_of("ABC", [float("inf"), 0.0, 0.0])] * 2, "^A B C: a score of inf is out of range"),
        ([game_of("AB", [1.0, -1.0])] * 2, "^A B: a game has 3 or 4 players"),
    ],
)
def test_error_names_the_bad_game(name: str, games: list[Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        rate(name, games)


WITH_STARTS = ("tenhou", "jansou", "team_elo")


def test_error_lists_models_and_options() -> None:
    faults: list[tuple[str, str, dict[str, Any]]] = [
        ("no rating system elo; there are tenhou, jansou, team_elo", "elo", {}),
        ("btr has no option beta; it has alpha, uma", "btr", {"beta": 1}),
        ("f is a number, not many", "jansou", {"f": "many"}),
        ("alpha is a positive number", "btr", {"alpha": "much"}),
        ("true or false", "tenhou", {"count_this_game": "perhaps"}),
        ("alpha is a number, not cv", "bradley_terry", {"alpha": "cv"}),
        *(
            (f"^{name} has no option starts; it has ", name, {"starts": "1"})
            for name in WITH_STARTS
        ),
    ]
    for says, name, options in faults:
        with pytest.raises(ModelError, match=says):
            make(name, **options)
    assert not any(
        isinstance(default, dict) for name in WITH_STARTS for default in options_of(name).values()
    )


BOUNDS = [
    ("bradley_terry", "alpha", 1e-6, 1e9),
    ("plackett_luce", "alpha", 1e-6, 1e9),
    ("plackett_luce_drift", "prior", 1e-6, 1e3),
    ("plackett_luce_drift", "drift", 0.0, 10.0),
    ("btr", "alpha", 1e-9, 1e9),
    ("blade_chest", "alpha", 1e-6, 1e9),
    ("blade_chest", "penalty", 1e-6, 1e9),
    ("jansou", "f", 0.0, 1e6),
    ("jansou", "g", 0.0, 1e6),
    ("jansou", "chip", -1e9, 1e9),
]


@pytest.mark.parametrize(("name", "option", "low", "high"), BOUNDS)
def test_error_names_the_option_out_of_bounds(
    name: str, option: str, low: float, high: float
) -> None:
    message = re.escape(f"{name}: {option} must be a number from {low:g} to {high:g}, not ")
    for bad in (low - 1.0, -1e308, high * 1.001, 1e308, inf, nan):
        with pytest.raises(ModelError, match=message):
            make(name, **{option: bad})


# With jansou's largest factors the ratings diverge, which is a GameError.
@pytest.mark.parametrize(
    ("name", "option", "low", "high"), [row for row in BOUNDS if row[0] != "jansou"]
)
def test_options_at_their_bounds_give_numbers(
    name: str, option: str, low: float, high: float
) -> None:
    same = [game_of("ABC", [30.0, 0.0, -30.0], day=FIRST_DAY)] * 40  # nobody ever beats A
    two_groups = [
        game_of("ABC", [30.0, 0.0, -30.0]),
        game_of("DEFG", [30.0, 10.0, -10.0, -30.0]),
    ] * 2
    for value in (low, high):
        for games in (same, two_groups, random_league(1, 8, 60)):
            for rating in rate(name, games, **{option: value}).values():
                figures = (rating.value, rating.error or 0.0, rating.low or 0.0, rating.high or 0.0)
                assert all(map(isfinite, figures))


def test_options_that_are_words_are_read_from_text() -> None:
    assert make("team_elo", streaks="sheet") == TeamElo(streaks="sheet")
    assert make("jansou", correction="linear") == Jansou(correction="linear")


def test_options_are_read_from_text() -> None:
    assert make("btr", uma="45,5,-15,-35", alpha="cv") == make(
        "btr", uma=(45, 5, -15, -35), alpha="cv"
    )
    assert make("tenhou", count_this_game="true") == make("tenhou", count_this_game=True)
    numbers = make("blade_chest", dimensions=3, penalty=0.5)
    assert make("blade_chest", dimensions="3", penalty="0.5") == numbers
    assert options_of("btr") == {"alpha": 1e-6, "uma": ()}
