from dataclasses import replace

import numpy as np
import pytest

from rating.forecast import review
from rating.forecast.past import Past, Plan, past_of
from rating.forecast.review import CurvePoint, curve
from rating.forecast.stakes import stakes, title_shares_moved, usual_share_moved
from tests.rating.models.leagues import random_league


def league(seed: int) -> Past:
    """Ten evenings of four games of four members."""
    return past_of(random_league(seed, 4, 40, days=10))


def point(**chances: float) -> CurvePoint:
    return CurvePoint(None, 0, 0, chances, (0, 0))


def test_share_of_the_title_that_changes_hands() -> None:
    points = [
        point(a=0.5, b=0.5),
        point(a=0.8, b=0.2),
        point(a=0.1, b=0.2, c=0.7),
    ]
    assert title_shares_moved(points) == pytest.approx([0.3, 0.7])


def test_last_evening_matters_more_in_a_close_season() -> None:
    past = league(9)
    points = curve(past, Plan(games=44))
    last = stakes(past, 4, points)
    assert 0 < last.low <= last.mean <= 1
    assert last.surely_more
    leader = int(np.argmax(past.totals))
    ahead = past.points.copy()
    ahead[past.players == leader] += 400
    decided = stakes(replace(past, points=ahead), 4, points)
    assert decided.mean < 0.02
    assert not decided.surely_more
    assert stakes(past, 0, points) is None
    assert stakes(past, 4, points[:8]) is None


def test_stakes_agree_with_the_evenings_that_followed() -> None:
    """The mean differs from that of the evenings that followed, over leagues, by chance only."""
    predictions = []
    real = []
    for seed in range(4):
        past = league(seed)
        points = curve(past, Plan(games=40))
        so_far = past.until(points[8].played)
        to_come = Plan(games=40).left_after(so_far)
        predictions.append(stakes(so_far, to_come, points[:9]).mean)
        real.append(title_shares_moved(points[8:10])[0])
    deviation = np.std(np.subtract(predictions, real), ddof=1)
    error = float(deviation) / len(predictions) ** 0.5
    assert np.mean(predictions) == pytest.approx(np.mean(real), abs=2.5 * error)


def test_sparse_points_do_not_raise_the_usual_share(monkeypatch: pytest.MonkeyPatch) -> None:
    past = past_of(random_league(1, 4, 40, days=40))
    plan = Plan(games=44)
    points = curve(past, plan)
    monkeypatch.setattr(review, "MOST_DAYS", 10)
    sparse_points = curve(past, plan)
    assert (len(points), len(sparse_points)) == (40, 10)
    usual = stakes(past, 4, points).usual
    assert stakes(past, 4, sparse_points).usual == pytest.approx(usual, rel=0.25)


def test_two_evenings_between_points_move_more_than_one() -> None:
    points = [CurvePoint(None, games, 0, {"a": games / 10}, (0, 0)) for games in (0, 2, 4, 6)]
    assert usual_share_moved(points, [2, 4, 6]) == pytest.approx(0.1)
    assert usual_share_moved(points, [1, 2, 3, 4, 5, 6]) == pytest.approx(0.1 / 2**0.5)
