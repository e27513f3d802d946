"""`flask calibrate` and `simulate`: what they say, and the options they refuse."""

from __future__ import annotations

import pytest

from tests.cli.running import Run, json_of

CHAINS = ("--chains", "200", "--weight", "0.2")


@pytest.mark.parametrize(("seats", "w", "v"), [("3", 1 / 300, 24), ("4", 3 / 800, 20)])
def test_simulate_has_the_pull_of_its_seats(run: Run, seats: str, w: float, v: float) -> None:
    found = json_of(run("simulate", "--seats", seats, "--chains", "100", "--json"))
    assert (found["w"], found["v"]) == (w, v)
    assert found["theory_mean"] == pytest.approx(0.5 / w)


def test_simulate_shows_its_errors(run: Run) -> None:
    found = json_of(run("simulate", *CHAINS, "--json"))
    lines = run("simulate", *CHAINS).stdout.splitlines()
    assert lines[0].split() == ["simulated", "error", "theory", "ratio", "error"]
    for name, label in (
        ("mean", "mean "),
        ("variance", "variance "),
        ("south_variance", "variance, South "),
        ("ratio", "variance, South / East "),
    ):
        line = next(line for line in lines if line.startswith(label))
        assert f"{found[f'{name}_error']:.2g}" in line.split()
        assert found[f"{name}_error"] > 0


def test_a_weight_may_be_a_fraction(run: Run) -> None:
    whole = json_of(run("simulate", *CHAINS, "--json"))
    assert json_of(run("simulate", "--chains", "200", "--weight", "1/5", "--json")) == whole


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("--weight", v) for v in ("0", "1", "0.5", "-0.1", "nan", "1e-300", "x", "1/0", "3/", "9/10")),
        *(("--mean", v) for v in ("nan", "1e7", "inf", "x")),
        ("--seats", "5"),
        ("--chains", "1"),
    ],
)
def test_simulate_refuses_by_the_options_name(run: Run, option: str, value: str) -> None:
    result = run("simulate", option, value)
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.strip().splitlines()
    assert f"'{option}'" in line


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("simulate", ("3/800 with 4 seats, 1/300 with 3", "from 0.0001 to below 0.5")),
        ("compare", ("in order of date", "predicted before it is learned")),
        ("standings", ("in order of date", "YYYY-MM-DD")),
    ],
)
def test_help_says_what_is_done(run: Run, command: str, words: tuple[str, ...]) -> None:
    text = " ".join(run(command, "--help").stdout.split())
    assert all(word in text for word in words), text
