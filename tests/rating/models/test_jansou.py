from typing import Any

import pytest

from rating.games import Game, GameError, Seat, game_of
from rating.models.base import ModelError, Rated, replay, standings
from rating.models.jansou import Jansou, exponential_correction
from tests.real import worked_figures


def test_corrections_and_updates_by_hand() -> None:
    for case in worked_figures("jansou")["games_correction"]:
        assert exponential_correction(case["n"]) == pytest.approx(case["value"], rel=1e-14)
    assert exponential_correction(10**400) == exponential_correction(400) == 0.2
    case = worked_figures("jansou")["update"]
    game = game_of("ABCD", case["shushi_thousand"])
    states = [Rated(float(r), 400) for r in case["ratings"]]
    after = Jansou().play(game, states)
    pairs = zip(after, states, strict=True)
    changes = [now.rating - before.rating for now, before in pairs]
    assert changes == pytest.approx(case["delta_5_4"], abs=1e-10)
    assert changes == pytest.approx(case["delta_eq1"], abs=1e-10)
    game = game_of("ABC", [50.0, 0.0, -50.0])
    table = standings(Jansou(), replay(Jansou("linear"), [game, game]))
    first = 0.4079 * 50
    second = 0.998 * (first - first * 0.0239375)
    assert table["A"].value == pytest.approx(1500 + first + second)
    plain = Game(
        (
            Seat("A", 60.0),
            Seat("B", 0.0),
            Seat("C", -60.0),
        )
    )
    chips = Game(
        (
            Seat("A", 50.0, 5),
            Seat("B", 0.0),
            Seat("C", -50.0, -5),
        )
    )
    model = Jansou(chip=2.0)
    assert replay(model, [plain]).states == replay(model, [chips]).states


def test_average_of_the_table_has_no_floor() -> None:
    """Unlike Tenhou's: at a table of 1350 on average each is pulled to 1350, by a fifth of 0.9575 /
    40.
    """
    states = [Rated(rating, 400) for rating in (1300.0, 1400.0, 1500.0, 1200.0)]
    after = Jansou().play(game_of("ABCD", [0.0] * 4), states)
    wanted = [1300.239375, 1399.760625, 1499.281875, 1200.718125]
    assert [state.rating for state in after] == pytest.approx(wanted)


@pytest.mark.parametrize(
    "options",
    [{"correction": "none"}, {"f": -1.0}, {"g": float("nan")}],
)
def test_options_are_checked(options: dict[str, Any]) -> None:
    with pytest.raises(ModelError, match="jansou"):
        Jansou(**options)


def test_error_names_the_runaway_rating() -> None:
    with pytest.raises(GameError, match=r"log:3: the rating of A runs away"):
        replay(
            Jansou(f=1e5),
            [game_of("ABC", [9e8, 0.0, -9e8], source="log", line=3)],
        )
