"""Plant wrong formulas one by one in a copy of the code, and see each killed: `python -m tests.rating.mutants
[WORD …]`.

Each line is a file below rating/, what stands there, what is planted, and the test that must fail. With
words, only lines whose file, change or test holds one of them.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
MUTANTS = [
    line.split(" ¦ ")
    for line in """
models/tenhou.py ¦ FLOOR = 1500 ¦ FLOOR = 1400 ¦ test_tenhou.py::test_single_games_and_a_sequence_to_the_last_digits
models/tenhou.py ¦ 1 - 0.002 * games ¦ 1 - 0.001 * games ¦ test_tenhou.py::test_single_games_and_a_sequence_to_the_last_digits
models/tenhou.py ¦ 3: (30, 0, -30) ¦ 3: (30, 5, -35) ¦ test_tenhou.py::test_single_games_and_a_sequence_to_the_last_digits
models/tenhou.py ¦ 4: (30, 10, -10, -30) ¦ 4: (30, 5, -5, -30) ¦ test_tenhou.py::test_first_game
models/tenhou.py ¦ (average - rating) / 40 ¦ (average - rating) / 50 ¦ test_tenhou.py::test_single_games_and_a_sequence_to_the_last_digits
models/tenhou.py ¦ * 1.0, 3) ¦ * 1.0, 2) ¦ test_tenhou.py::test_single_games_and_a_sequence_to_the_last_digits
models/tenhou.py ¦ len(ratings), 3), FLOOR ¦ len(ratings), 2), FLOOR ¦ test_tenhou.py::test_single_games_and_a_sequence_to_the_last_digits
models/tenhou.py ¦ extra = int(self.count_this_game) ¦ extra = 0 ¦ test_tenhou.py::test_options_that_move_a_rating
models/jansou.py ¦ (1 / 5) ** ¦ (1 / 4) ** ¦ test_jansou.py::test_corrections_and_updates_by_hand
models/jansou.py ¦ F, G = 0.08158, 0.9575 ¦ F, G = 0.08258, 0.9575 ¦ test_jansou.py::test_corrections_and_updates_by_hand
models/jansou.py ¦ F, G = 0.08158, 0.9575 ¦ F, G = 0.08158, 0.9675 ¦ test_jansou.py::test_corrections_and_updates_by_hand
models/jansou.py ¦ sum(state.rating for state in before) / len(before) ¦ max(sum(state.rating for state in before) / len(before), 1500) ¦ test_jansou.py::test_the_tables_average_has_no_floor
models/jansou.py ¦ seat.score + chip * (seat.chips or 0) ¦ seat.score ¦ test_jansou.py::test_corrections_and_updates_by_hand
models/jansou.py ¦ correct(games) * (5 * self.f ¦ correct(games) * (4 * self.f ¦ test_jansou.py::test_corrections_and_updates_by_hand
study/simulate.py ¦ 4: 3 / 800 ¦ 4: 3 / 600 ¦ test_calibrate.py::test_worked_factors
study/simulate.py ¦ 3: 1 / 300 ¦ 3: 1 / 200 ¦ test_calibrate.py::test_a_ranked_player_settles_where_theory_says
study/simulate.py ¦ (6.0, 2.0, -2.0, -6.0) ¦ (6.0, 3.0, -3.0, -6.0) ¦ test_calibrate.py::test_a_made_up_league_gives_its_own_factors_within_errors
study/simulate.py ¦ 3: 24.0, 4: 20.0 ¦ 3: 20.0, 4: 20.0 ¦ test_calibrate.py::test_a_ranked_player_settles_where_theory_says
study/simulate.py ¦ 3: 6.0, 4: 4.0} ¦ 3: 6.0, 4: 5.0} ¦ test_calibrate.py::test_worked_factors
study/simulate.py ¦ 3: 6.0, 4: 4.0} ¦ 3: 4.0, 4: 4.0} ¦ test_calibrate.py::test_worked_factors
study/calibrate.py ¦ return k / l, k * k / l ¦ return k / (2 * l), k * k / l ¦ test_calibrate.py::test_worked_factors
study/calibrate.py ¦ return k / l, k * k / l ¦ return k / l, k / l ¦ test_calibrate.py::test_worked_factors
study/calibrate.py ¦ (k * k) * (2 - w) + w) ¦ (k * k) * (2 - w)) ¦ test_calibrate.py::test_worked_factors
study/calibrate.py ¦ np.linalg.norm(by_placing) ¦ np.abs(by_placing).sum() ¦ test_calibrate.py::test_a_made_up_league_gives_its_own_factors_within_errors
study/simulate.py ¦ v * (1 - left * left) / (w * (2 - w)) ¦ v * (1 - left * left) / (w * 2) ¦ test_calibrate.py::test_worked_theory_and_its_errors
study/simulate.py ¦ e * (1 - left) / w ¦ e * (1 - left * left) / w ¦ test_calibrate.py::test_worked_theory_and_its_errors
study/simulate.py ¦ sqrt(2) * points + 2 * e ¦ 2 * points + 2 * e ¦ test_calibrate.py::test_a_ranked_player_settles_where_theory_says
study/simulate.py ¦ theory_ratio=(2 - w) / (2 - 2 * w) ¦ theory_ratio=(2 - w) / 2 ¦ test_calibrate.py::test_worked_theory_and_its_errors
models/team_elo.py ¦ (winners - losers) / 800 ¦ (winners - losers) / 400 ¦ test_team_elo.py::test_variation
models/team_elo.py ¦ return 64 / ¦ return 32 / ¦ test_team_elo.py::test_variation
models/team_elo.py ¦ return 32 / (_power ¦ return 16 / (_power ¦ test_team_elo.py::test_bonuses
models/team_elo.py ¦ _power((3 * rating - 3 * average) / 800) ¦ _power((rating - average) / 800) ¦ test_team_elo.py::test_bonuses
models/team_elo.py ¦ ((rating + 2000) / 1000) ¦ ((rating + 1000) / 1000) ¦ test_team_elo.py::test_bonuses
models/team_elo.py ¦ return (streak - 1) * bonus ¦ return (streak - 0) * bonus ¦ test_team_elo.py::test_bonuses
models/team_elo.py ¦ max(state.rating + gain, 0.0) ¦ state.rating + gain ¦ test_team_elo.py::test_session_and_floor
models/team_elo.py ¦ return base + results.count(True) ¦ return natural_streak(base, results) ¦ test_team_elo.py::test_all_streak_states_in_both_modes
models/bradley_terry.py ¦ axis=1) + alpha * s ¦ axis=1) + alpha / 2 * s ¦ test_orderings.py::test_bradley_terry_equals_choix
models/btr.py ¦ sums.xx + alpha * sums.games * ¦ sums.xx + alpha * ¦ test_btr.py::test_equals_dense_least_squares
models/btr.py ¦         k * laplacian, ¦         laplacian, ¦ test_btr.py::test_worked_ridge_and_bayes
columns.py ¦ (sums[above + equal] - sums[above]) / equal ¦ sums[above + 1] - sums[above] ¦ test_btr.py::test_rank_points_are_taken_out_and_shared
models/bayesian_btr.py ¦ lam = (gamma + 2 * TINY) ¦ lam = (gamma + 1 + 2 * TINY) ¦ test_btr.py::test_worked_ridge_and_bayes
models/bayesian_btr.py ¦ alpha = (sums.rows - gamma + ¦ alpha = (sums.rows + ¦ test_btr.py::test_worked_ridge_and_bayes
models/blade_chest.py ¦ s[None, :] + self.matchups ¦ s[None, :] - self.matchups ¦ test_orderings.py::test_matchups_are_found_where_they_are_and_else_it_is_bradley_terry
models/blade_chest.py ¦ s[None, :] + a) - wins ¦ s[None, :] - a) - wins ¦ test_orderings.py::test_gradients
models/plackett_luce.py ¦ gradient, hessian = alpha * s - ¦ gradient, hessian = alpha / 2 * s - ¦ test_orderings.py::test_plackett_luce_equals_choix
models/plackett_luce.py ¦ block.players[:, -seats:] ¦ block.players[:, :seats] ¦ test_orderings.py::test_plackett_luce_equals_choix
models/plackett_luce.py ¦ eigenvalues / (eigenvalues + alpha) ¦ eigenvalues / (eigenvalues + 2 * alpha) ¦ test_orderings.py::test_evidence_is_at_rest
study/compare.py ¦ BURN_IN = 100 ¦ BURN_IN = 50 ¦ test_compare.py::test_default_systems_are_all_that_rate_games_if_there_are_enough
study/compare.py ¦ uniform=log(factorial(seats)) ¦ uniform=log(seats) ¦ test_compare.py::test_comparison_is_reproducible_and_tells_its_progress
study/compare.py ¦ calibration(last(logits), logits.shape[1] - 1) ¦ calibration(last(logits), 0) ¦ test_compare.py::test_skill_is_seen_where_it_is_and_chance_called_chance
study/forecasts.py ¦ stages.scale(int(start), scale) ¦ stages.scale(int(stop), scale) ¦ test_compare.py::test_predictions_know_only_the_past
study/days_drawn.py ¦ np.unique(days, return_inverse=True)[1] ¦ np.arange(len(days)) ¦ test_compare.py::test_few_days_say_nothing
""".strip().splitlines()
]


def failed(file: str, before: str, after: str, test: str) -> list[str]:
    with TemporaryDirectory() as made:
        copy = Path(made)
        for part in ("bot", "rating", "storage", "tests", "app.py", "pyproject.toml"):
            (shutil.copytree if (ROOT / part).is_dir() else shutil.copy)(ROOT / part, copy / part)
        text = (copy / "rating" / file).read_text("utf-8")
        assert text.count(before) == 1, (file, before, text.count(before))
        (copy / "rating" / file).write_text(text.replace(before, after), "utf-8")
        command = [
            sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rf", "--tb=no",
            f"tests/rating/models/{test}",
        ]  # fmt: skip
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith("FAILED ")]
    assert done.returncode == bool(lines), done.stdout
    return [line.split("::")[1].split(" - ")[0] for line in lines]


def main() -> None:
    survivors = 0
    for mutant in MUTANTS:
        if not sys.argv[1:] or any(word in " ".join(mutant) for word in sys.argv[1:]):
            found = failed(*mutant)
            survivors += not found
            print(" ¦ ".join(mutant), "->", " ".join(found) or "SURVIVES", flush=True)
    sys.exit(bool(survivors))


if __name__ == "__main__":
    main()
