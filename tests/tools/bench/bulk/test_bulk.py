"""The bulk versions, compiled and plain, give the same results as the models in rating/."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rating.columns import columns_of
from rating.games import Game, GameError, game_of
from rating.models.base import replay
from rating.models.bayesian_btr import posterior
from rating.models.btr import sums_of
from rating.models.jansou import Jansou
from rating.models.tenhou import Tenhou
from tests.rating.models.leagues import random_league
from tests.tools.bench.bulk import btr as bulk_btr
from tests.tools.bench.bulk.btr import btr, btr_sums
from tests.tools.bench.bulk.compiled import has_numba
from tests.tools.bench.bulk.replay import loop_of, replay_jansou, replay_tenhou, round3

WAYS = [False, *([True] if has_numba() else [])]


def columns(games: list[Game]) -> tuple[np.ndarray, np.ndarray, list[str]]:
    names = sorted({p for game in games for p in game.players})
    players = np.array([[names.index(p) for p in game.players] for game in games])
    scores = np.array([[seat.score for seat in game.seats] for game in games])
    return players, scores, names


@pytest.mark.parametrize("use", WAYS)
@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("extra", [False, True])
def test_tenhou_is_bit_equal(use: bool, seats: int, extra: bool) -> None:
    games = random_league(1, 7, 2500, seats)
    players, _, names = columns(games)
    found = replay_tenhou(players, count_this_game=extra, history=True, compiled=use)
    known = replay(Tenhou(count_this_game=extra), games)
    assert found.ratings.tolist() == [known.states[name].rating for name in names]
    assert found.games.tolist() == [known.states[name].games for name in names]
    assert found.after is not None
    for name in names:
        assert found.after[players == names.index(name)].tolist() == known.history[name].values


@pytest.mark.parametrize("use", WAYS)
def test_jansou_is_equal(use: bool) -> None:
    games = random_league(2, 7, 1500, 4)
    players, scores, names = columns(games)
    for correction in ("exponential", "linear"):
        found = replay_jansou(players, scores, correction=correction, compiled=use)
        known = replay(Jansou(correction), games)
        expected = [known.states[name].rating for name in names]
        assert found.ratings.tolist() == pytest.approx(expected, rel=1e-13)


@pytest.mark.skipif(not has_numba(), reason="numba is not installed")
def test_compiled_and_plain_are_the_same_to_the_bit() -> None:
    players, scores, _ = columns(random_league(3, 9, 800, 3))
    for one, other in (
        (replay_tenhou(players, compiled=True), replay_tenhou(players, compiled=False)),
        (replay_jansou(players, scores, compiled=True), replay_jansou(players, scores, compiled=False)),
    ):
        assert one.ratings.tolist() == other.ratings.tolist()
        assert one.games.tolist() == other.games.tolist()


def test_replay_goes_on_from_where_it_was() -> None:
    players, _, _ = columns(random_league(4, 6, 900, 3))
    half = replay_tenhou(players[:450], start=np.full(6, 1500.0), compiled=False)
    whole = replay_tenhou(players[450:], start=half.ratings, games=half.games, compiled=False)
    assert whole.ratings.tolist() == replay_tenhou(players, compiled=False).ratings.tolist()


TIES = st.integers(-4_000_000, 4_000_000).map(lambda n: (2 * n + 1) / 2000)
SIXTEENTHS = st.integers(-100_000, 100_000).map(lambda n: n / 16)


@settings(max_examples=1000)
@given(st.one_of(TIES, SIXTEENTHS, st.floats(-1e6, 1e6), TIES.map(lambda x: float(np.nextafter(x, 0)))))
def test_rounding_is_pythons(x: float) -> None:
    assert repr(round3(x)) == repr(round(x, 3))


@pytest.mark.parametrize("x", [0.0, -0.0, -0.0001, 0.0005, 0.0625, 0.1875, 2.675, 1499.9995, 5e-324])
def test_rounding_of_odd_numbers(x: float) -> None:
    assert repr(round3(x)) == repr(round(x, 3))


def test_the_loop_is_made_for_its_seats() -> None:
    ratings, games = [1500.0] * 3, [0] * 3
    loop_of(3, round3)([0, 1, 2], [30.0, 0.0, -30.0], ratings, games, [], [1.0] * 401, 0.025, True, 0)
    assert ratings == [1530.0, 1500.0, 1470.0]


@pytest.mark.parametrize("use", WAYS)
@pytest.mark.parametrize("seats", [3, 4])
def test_sums_are_the_models(use: bool, seats: int) -> None:
    games = random_league(5, 8, 300, seats)
    players, scores, _ = columns(games)
    found, expected = btr_sums(players, scores, 8, use), sums_of(columns_of(games))
    for one, other in zip(found, expected, strict=True):
        assert one == pytest.approx(other, rel=1e-9, abs=1e-9)
    assert posterior(found).mean == pytest.approx(posterior(expected).mean, abs=1e-9)


@pytest.mark.parametrize("use", WAYS)
@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint8])
def test_gradients_find_what_elimination_finds(use: bool, kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    players, scores, _ = columns(random_league(6, 30, 400, 4))
    table = players.astype(kind)
    exact = btr(table, scores, 31, 1e-3, use=use)
    monkeypatch.setattr(bulk_btr, "DENSE", 10)
    close = btr(table, scores, 31, 1e-3, tolerance=1e-13, use=use)
    assert close == pytest.approx(exact, abs=1e-9)
    assert exact[30] == 0


@pytest.mark.parametrize("use", WAYS)
@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([1, 2, 1], "^game 2: player 1 sits twice"),
        ([1, 2, 9], "^game 2: there is no player 9, they are numbered 0 to 3"),
        ([1, -2, 0], "^game 2: there is no player -2"),
    ],
)
def test_bad_rows_are_named(use: bool, row: list[int], message: str) -> None:
    players = np.array([[0, 1, 2], [3, 1, 2], row, [0, 1, 2]])
    with pytest.raises(GameError, match=message):
        replay_tenhou(players, start=np.full(4, 1500.0), compiled=use)
    with pytest.raises(GameError, match=message):
        btr(players, np.zeros((4, 3)), 4, use=use)


@pytest.mark.parametrize("use", WAYS)
def test_bad_columns_are_refused(use: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    players = np.array([[0, 1, 2], [3, 1, 2]])
    scores = np.array([[1.0, 0.0, -1.0], [1.0, np.nan, 0.0]])
    for call in (replay_jansou, btr):
        with pytest.raises(GameError, match=r"^game 1: a score is not a number"):
            call(players, scores)
        with pytest.raises(GameError, match="scores are"):
            call(players, scores[:, :2])
    monkeypatch.setattr(bulk_btr, "DENSE", 1)
    with pytest.raises(GameError, match=r"^game 1: a score is not a number"):
        btr(players, scores, use=use)
    with pytest.raises(GameError, match="whole numbers"):
        replay_tenhou(players[:0])
    with pytest.raises(GameError, match="whole numbers"):
        replay_tenhou(players * 0.5)
    with pytest.raises(GameError, match="alpha must be positive"):
        btr(players, np.zeros((2, 3)), alpha=0)


def test_one_game_by_name() -> None:
    game = game_of("ABC", [30.0, 0.0, -30.0])
    players, _, _ = columns([game])
    assert replay_tenhou(players, compiled=False).ratings.tolist() == [1530.0, 1500.0, 1470.0]
