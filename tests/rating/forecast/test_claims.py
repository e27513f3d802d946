import numpy as np
import pytest

from tests.tools.claims import (
    CLAIMS,
    WORLDS,
    Claims,
    SimulatedLeagues,
    claims_about,
    outcomes,
    share_coverage,
)


def leagues(tau: float, games: int, count: int) -> list[Claims]:
    return [claims_about(SimulatedLeagues("", tau, games=games), seed) for seed in range(count)]


@pytest.mark.parametrize("tau", [0.0, 1.0, 9.0])
def test_interval_of_skill_share_covers_and_is_narrow(
    tau: float,
) -> None:
    leagues = [share_coverage(tau, 60, seed) for seed in range(60)]
    assert np.mean([league.held for league in leagues]) >= 0.84
    assert 0 < np.mean([league.null for league in leagues]) < 1
    assert all(league.is_consistent for league in leagues)
    width = np.mean([league.width for league in leagues])
    assert width <= 1.25 * np.mean([league.test_width for league in leagues])
    assert width <= 1.25 * np.mean([league.likelihood_width for league in leagues])


def test_league_of_equals_yields_no_claim() -> None:
    results = leagues(0.0, 60, 60)
    wrong = [league for league in results if any(getattr(league, claim) for claim in CLAIMS)]
    assert len(wrong) <= 7
    assert sum(1 for league in results if league.held) >= 54


def test_great_skill_yields_right_claims() -> None:
    results = leagues(9.0, 300, 15)
    assert sum(1 for result in results if result.pairs) >= 11
    assert sum(result.right for result in results) >= sum(result.chance for result in results)


@pytest.mark.parametrize("name", ["change", "tau 9"])
def test_intervals_of_final_points_cover_them(name: str) -> None:
    (world,) = (world for world in WORLDS if world.name == name)
    held = [outcome.held for seed in range(8) for outcome in outcomes(world, seed)]
    assert np.concatenate(held).mean() >= 0.84
