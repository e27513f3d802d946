"""`flask calibrate` and `simulate`: what they print, and the options they refuse."""

import re
from pathlib import Path

import pytest

from tests.cli.running import Run, Runner, json_of

pytestmark = pytest.mark.any_backend("reckons with logs; nothing is kept")

CHAINS = ("--chains", "200", "--weight", "0.2")


def test_calibrate_shows_k_of_shuffled_names_and_split_halves(run: Run) -> None:
    report = json_of(run("calibrate", "--json"))
    assert {"within_game", "split_k_error", "corrected_k"} <= report.keys()
    assert not report["sufficient"]
    lines = run("calibrate").stdout.splitlines()
    (shuffled,) = (line for line in lines if line.startswith("k, names shuffled"))
    assert f"{report['shuffled_k']:.5g}" in shuffled
    assert f"{report['shuffled_r2']:.3f}" in shuffled
    (split,) = (line for line in lines if line.startswith("k, split halves   "))
    assert f"{report['split_k']:.5g}" in split or report["split_k"] is None
    assert lines[-1] == report["verdict"]
    assert not [line for line in lines if "left out" in line]
    report = json_of(run("calibrate", "--chip", "0", "--json"))
    assert report["chips_left_out"] > 0
    sentence = f"The chips of {report['chips_left_out']} games are left out"
    assert sentence in run("calibrate", "--chip", "0").stdout


# 我打麻将, 天鳳雀荘戦における収支制レーティングシステムへの提言, version 3, sections 5.1 to 5.4
# and the factors by hand.
PAPER = {
    ("4", "0", "40.5", "0.0213"): (11.737, 82.01),
    ("4", "2", "45.4", "0.0213"): (11.737, 103.06),
    ("4", "5", "53.6", "0.0213"): (11.737, 143.65),
    ("3", "0", "50.0", "0.0129"): (12.920, 104.17),
    ("3", "2", "54.7", "0.0129"): (12.920, 124.67),
    ("3", "5", "62.2", "0.0129"): (12.920, 161.20),
}


@pytest.mark.parametrize(("seats", "chip", "sd", "slope"), PAPER)
def test_the_papers_figures_give_its_factors(
    run: Run, seats: str, chip: str, sd: str, slope: str
) -> None:
    options = ("--sd", sd, "--slope", slope, "--seats", seats, "--chip", chip)
    report = json_of(run("calibrate", *options, "--json"))
    k, l = PAPER[seats, chip, sd, slope]  # noqa: E741
    assert report["k"] == pytest.approx(
        k,
        abs=5e-4,
    )
    assert report["l"] == pytest.approx(l, abs=5e-3)
    assert report["f"] == pytest.approx(k / l, abs=2e-5)
    assert report["g"] == pytest.approx(k * k / l, abs=2e-4)
    assert 0 < abs(report["exact_f"] / report["f"] - 1) < 2e-3
    sentence = run("calibrate", *options).stdout
    assert f"= games correction x ({report['scale']:.4f} x " in sentence
    assert (f"+ {chip} x chips" in sentence) == (chip != "0")
    # It prints 53.6 and (0.08158, 0.9575), 0.4079: those of sd 53.642.
    report = json_of(run("calibrate", "--sd", "53.642", "--slope", "0.0213", "--json"))
    assert round(report["f"], 5) == 0.08158
    assert round(report["g"], 4) == 0.9575
    assert (
        round(
            report["scale"],
            4,
        )
        == 0.4079
    )


def variance(run: Run, *args: str) -> float:
    return json_of(run("calibrate", "--json", *args))["variance"]


def test_every_season_counts_with_its_own_chip(
    run: Run, runner: Runner, demo: Path, tmp_path: Path
) -> None:
    def with_chips(logs: list[str]) -> Run:
        """The demo league, where a chip is worth 50 in the seasons of these logs and 2 in the
        others.
        """
        folder = tmp_path / f"dear{len(logs)}"
        folder.mkdir()
        for file in (file for file in demo.iterdir() if file.is_file()):
            (folder / file.name).write_bytes(file.read_bytes())
        text = (demo / "league.toml").read_text("utf-8")
        for log in logs:
            text = text.replace(log, f"{log}\nchip = 50.0")
        (folder / "league.toml").write_text(text, "utf-8")
        return runner(folder, folder)

    logs = re.findall(r'log = "logvol\d\.txt"', (demo / "league.toml").read_text("utf-8"))
    last = with_chips(logs[-1:])
    usual = variance(run)
    dear = variance(run, "--chip", "50")
    mixed = variance(last)
    assert len({usual, dear, mixed}) == 3
    assert variance(with_chips(logs)) == dear
    assert variance(last, "--chip", "2") == usual  # the option is for all seasons


@pytest.mark.parametrize(
    ("seats", "w", "v"),
    [("3", 1 / 300, 24), ("4", 3 / 800, 20)],
)
def test_simulate_has_the_pull_of_its_seats(run: Run, seats: str, w: float, v: float) -> None:
    report = json_of(run("simulate", "--seats", seats, "--chains", "100", "--json"))
    assert (report["w"], report["v"]) == (w, v)
    assert report["theory_mean"] == pytest.approx(0.5 / w)


def test_simulate_shows_its_errors(run: Run) -> None:
    report = json_of(run("simulate", *CHAINS, "--json"))
    lines = run("simulate", *CHAINS).stdout.splitlines()
    assert lines[0].split() == ["simulated", "error", "theory", "ratio", "error"]
    assert json_of(run("simulate", "--chains", "200", "--weight", "1/5", "--json")) == report, (
        "a fraction"
    )
    labels = {"south_variance": "variance, South", "ratio": "variance, South / East"}
    for name in ("mean", "variance", *labels):
        line = next(line for line in lines if line.startswith(f"{labels.get(name, name)} "))
        assert f"{report[f'{name}_error']:.2g}" in line.split()
        assert report[f"{name}_error"] > 0


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("simulate", ("3/800 with 4 seats, 1/300 with 3", "from 0.0001 to below 0.5")),
        (
            "calibrate",
            ("names shuffled within games", "split halves", "for each season", "in order of date"),
        ),
        ("compare", ("in order of date", "predicted before it is learned")),
        ("standings", ("in order of date", "YYYY-MM-DD")),
    ],
)
def test_help_says_what_is_done(run: Run, command: str, words: tuple[str, ...]) -> None:
    text = " ".join(run(command, "--help").stdout.split())
    assert all(word in text for word in words), text
