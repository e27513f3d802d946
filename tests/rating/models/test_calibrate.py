import numpy as np
import pytest
from hypothesis import given, strategies as st

from bot.cli.simulate import render_simulate
from rating.games import GameError, game_of
from rating.study import calibrate as study
from rating.study.calibrate import calibrate, exact_factors, factors, k_of, simulate_report
from rating.study.simulate import Simulation, simulate, theory
from tests.rating.models.leagues import random_league
from tests.real import worked_figures

# 4-player East with chips: k from the slope 0.0213, l from the standard deviation 53.642
# (thousands)
K = 1 / (4 * 0.0213)
L = 53.642**2 / 20


def test_worked_factors() -> None:
    f, g = factors(K, L)
    assert (round(f, 5), round(g, 4)) == (0.08158, 0.9575)
    exact_f, exact_g = exact_factors(K, L)
    assert exact_f == pytest.approx(f, rel=1e-3)
    assert exact_g == pytest.approx(g, rel=1e-3)
    worked = worked_figures("jansou")
    k = k_of(0.0213, 4)
    assert k == pytest.approx(worked["k_from_m"], rel=1e-12)
    assert factors(k, 53.6**2 / 20) == pytest.approx(worked["f_g_from_m_and_sd_53_6"], rel=1e-12)
    assert factors(k, 53.642**2 / 20) == pytest.approx(
        worked["f_g_from_m_and_sd_53_642"], rel=1e-12
    )
    exact = exact_factors(k, 53.642**2 / 20)
    assert exact == pytest.approx(worked["f_g_exact_without_approximation"], rel=1e-12)
    three = worked["extension_santo5"][0]
    k = k_of(float(three["m"]), 3)
    assert k == pytest.approx(three["k"], rel=1e-12)
    f, g = factors(three["k"], three["l"])
    assert f == pytest.approx(three["f"], rel=1e-12)
    assert g == pytest.approx(three["g"], rel=1e-12)


def test_line_against_numpy() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=30)
    y = 2.5 - 0.3 * x + rng.normal(0, 0.05, 30)
    (slope, _), covariance = np.polyfit(x, y, 1, cov=True)
    m, error, r2 = study.fitted_line(x, y)
    assert m == pytest.approx(-slope)
    assert error == pytest.approx(np.sqrt(covariance[0, 0]))
    assert r2 == pytest.approx(np.corrcoef(x, y)[0, 1] ** 2)


def test_simulated_league_gives_its_factors_within_errors() -> None:
    games = random_league(1, 40, 3000, 4, skill=15.0)
    calibration = calibrate(games)
    assert calibration.players == 40
    assert not calibration.sufficient
    assert calibration.r2 > 0.9
    half = calibrate(games[:1500])
    other = calibrate(games[1500:])
    for name in ("k", "l", "f", "g"):
        difference = getattr(half, name) - getattr(other, name)
        error = np.hypot(getattr(half, f"{name}_error"), getattr(other, f"{name}_error"))
        assert abs(difference) < 4 * error, name
        assert getattr(calibration, f"{name}_error") < getattr(half, f"{name}_error")
    assert calibration.totsugeki_f == pytest.approx(calibration.f, rel=0.15)
    scores = np.array(
        [
            [60.0, 20.0, -20.0, -60.0],
            [60.0, 20.0, -20.0, -60.0],
        ]
    )
    assert study.totsugeki(scores) == pytest.approx(0.1)


def test_too_few_games_are_refused() -> None:
    with pytest.raises(GameError, match="only 0 players have 50"):
        calibrate(random_league(1, 5, 20))
    with pytest.raises(GameError, match="no games"):
        calibrate([])
    upside = [game_of(("A", "B", "C"), [1.0, 0.0, -1.0])] * 60
    upside += [game_of(("B", "C", "A"), [900.0, 0.0, -900.0])] * 30
    upside += [game_of(("C", "A", "B"), [50.0, 10.0, -60.0])] * 30
    scores = [10.0, 0.0, -10.0]
    flat = [game_of(names, scores) for names in ("ABC", "BCA", "CAB")] * 20
    for games in (upside, flat):
        with pytest.raises(GameError, match="do not bring better placings"):
            calibrate(games, 10)


@pytest.mark.parametrize(
    "chip",
    [1.1e9, -1.1e9, 1e308, float("inf"), float("nan")],
)
def test_unusual_worth_of_a_chip_is_refused(chip: float) -> None:
    with pytest.raises(
        GameError, match=r"a chip's worth must be a number from -1e\+09 to 1e\+09, not "
    ):
        calibrate(random_league(1, 5, 200), 2, chip)


FIGURES = (
    ("mean", "theory_mean"),
    ("variance", "theory_variance"),
    ("south_mean", "theory_mean"),
    ("south_variance", "theory_south_variance"),
    ("ratio", "theory_ratio"),
)


def off(simulation: Simulation) -> list[float]:
    """How many of its errors each simulated figure lies from theory."""
    distances = []
    for figure, theory_figure in FIGURES:
        difference = getattr(simulation, figure) - getattr(simulation, theory_figure)
        distances.append(difference / getattr(simulation, f"{figure}_error"))
    return distances


@pytest.mark.parametrize(
    ("seats", "w", "v"),
    [(3, 1 / 300, 24), (4, 3 / 800, 20)],
)
def test_ranked_player_settles_as_in_theory(seats: int, w: float, v: float) -> None:
    simulation = simulate(seats, chains=4000)
    assert (simulation.w, simulation.v) == (w, v)
    assert max(map(abs, off(simulation))) < 3
    assert simulation.mean_error < 0.005 * simulation.mean
    assert simulation.variance_error < 0.01 * simulation.variance
    assert simulation.theory_ratio == pytest.approx(
        simulation.theory_south_variance / simulation.theory_variance
    )


@pytest.mark.parametrize(
    ("seats", "w"),
    [(3, 0.3), (4, 0.45)],
)
def test_monte_carlo_errors_cover_the_truth(seats: int, w: float) -> None:
    simulations = [simulate(seats, e=2.0, w=w, chains=100, seed=seed) for seed in range(200)]
    distances = np.array(list(map(off, simulations)))
    held = (np.abs(distances) < 2).mean(axis=0)
    assert ((held >= 0.9) & (held <= 0.99)).all(), held
    assert np.abs(distances.mean(axis=0)).max() < 0.25


@pytest.mark.parametrize(
    "w",
    [0.0, -0.1, 9e-5, 0.5, 1.0, float("nan")],
)
def test_weight_out_of_range_is_refused(w: float) -> None:
    with pytest.raises(ValueError, match=r"the weight lies from 0\.0001 to below 0\.5"):
        simulate(w=w, chains=2)


def test_worked_theory_and_its_errors() -> None:
    worked = worked_figures("jansou")
    _, variance = theory(0, 20, 3 / 800)
    assert variance == pytest.approx(worked["V_inf"], rel=1e-12)
    for case in worked["E_over_w"]:
        mean, _ = theory(case["e"], 20, 3 / 800)
        assert mean == pytest.approx(case["E"], rel=1e-12)
    for case in worked["finite_n"]:
        mean, variance = theory(1, 20, 3 / 800, case["n"])
        assert mean == pytest.approx(case["E_for_e_1"], rel=1e-10)
        assert variance == pytest.approx(case["V_for_v_20"], rel=1e-10)
    assert simulate(chains=2, w=0.375, e=0.0).theory_ratio == pytest.approx(
        (2 - 0.375) / (2 - 0.75)
    )
    ratio = (2 - 3 / 800) / (2 - 6 / 800)
    assert ratio == pytest.approx(worked["tonnan"]["V_ratio"], rel=1e-12)
    few = simulate(w=0.2, chains=400)
    precise = simulate(w=0.2, chains=6400)
    for name, _ in FIGURES:
        few_error = getattr(few, f"{name}_error")
        many_error = getattr(precise, f"{name}_error")
        assert few_error / many_error == pytest.approx(4, rel=0.25)


@given(
    st.floats(-2, 2),
    st.floats(0.001, 0.4),
    st.integers(0, 300),
)
def test_theory_steps_like_a_rating(e: float, w: float, n: int) -> None:
    mean, variance = theory(e, 20, w, n)
    stepped = mean * (1 - w) + e, variance * (1 - w) ** 2 + 20
    assert theory(e, 20, w, n + 1) == pytest.approx(stepped, rel=1e-9)


def test_simulate_report_options_and_progress() -> None:
    reports: list[tuple[int, int]] = []
    simulation = simulate(
        chains=2,
        progress=lambda done, total: reports.append((done, total)),
    )
    assert simulation == simulate(chains=2)
    assert reports == sorted(reports)
    assert 50 < len(reports) <= 101
    done, total = reports[-1]
    assert done == total
    assert total > simulation.games
    report = simulate_report(chains=500, w=0.05)
    assert {"mean", "variance", "theory_mean", "theory_variance"} <= set(report)
    assert {"mean_error", "variance_error", "south_variance_error", "ratio_error"} <= set(report)
    heads, *rows = [line.split("  ") for line in render_simulate(report).splitlines()]
    assert [head.strip() for head in heads if head] == [
        "simulated",
        "error",
        "theory",
        "ratio",
        "error",
    ]
    cells = {name: [cell.strip() for cell in row] for name, *row in rows}
    assert f"{report['variance_error']:.2g}" in cells["variance"]
    assert (
        f"{report['ratio_error'] / report['theory_ratio']:.2g}" in cells["variance, South / East"]
    )
    assert "nan" not in render_simulate(
        simulate_report(chains=10, w=0.2, e=0.0)
    )  # no ratio to a mean of 0
    with pytest.raises(ValueError, match="seats are 3 or 4"):
        simulate(seats=5)
