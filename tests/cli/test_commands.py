"""The commands: the figures programs read, one clear line for bad input, never a traceback."""

import os
import pty
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from bot.league.demo import demo_files
from rating.models import MODELS
from tests.cli.running import League, Run, Runner, Table, json_of, refused
from tests.fakes.process import ROOT
from tests.real import DATA

pytestmark = pytest.mark.any_backend(
    "commands read the logs; what the database keeps is tested with the stores"
)

GAME = "C1234 | 20:00 | 三般南喰赤－ | あ(+30.0) い(0.0) う(-30.0)\n"
HEAD = "p1,p2,p3,s1,s2,s3\n"


def test_standings_as_json(run: Run) -> None:
    report = json_of(run("standings", "--model", "tenhou", "--json"))
    assert report["model"] == "tenhou"
    lines = b"\n".join(demo_files().values()).splitlines()
    assert report["games"] == sum(line.startswith(b"C") for line in lines)
    ratings = [row["rating"] for row in report["standings"]]
    assert ratings == sorted(ratings, reverse=True)
    assert len(ratings) == 9
    assert sum(row["games"] for row in report["standings"]) == 3 * report["games"]
    assert report["problems"] == []


@pytest.mark.parametrize(
    "model",
    [name for name in MODELS if MODELS[name].plays == "games"],
)
def test_every_model_has_standings_and_a_chart(run: Run, tmp_path: Path, model: str) -> None:
    report = json_of(run("standings", "--model", model, "--season", "2", "--json"))
    assert len(report["standings"]) == 9
    file = tmp_path / "chart.png"
    assert run("chart", "--model", model, "--season", "2", "-o", str(file)).exit_code == 0
    assert file.read_bytes().startswith(b"\x89PNG")


def test_a_problem_is_reported_with_file_line_and_text(league: League) -> None:
    teams = "2026-11-03 | 東 南 西 北 | o x o\n2026-11-04 | 東 南 西 | o\n"
    run = league({"logvol4.txt": "第4シーズン\n\nだれ？\n", "teamlog.txt": teams})
    report = json_of(run("standings", "--json"))
    assert report["games"] == 0
    problem = report["problems"][0]
    assert problem["file"] == "logvol4.txt"
    assert problem["line"] == 3
    assert problem["text"] == "だれ？"
    report = json_of(run("standings", "--model", "team_elo", "--json"))
    assert report["games"] == 3
    places = [(problem["file"], problem["line"]) for problem in report["problems"]]
    assert ("teamlog.txt", 2) in places


BAD_CALLS = (DATA / "bad_calls.tsv").read_text("utf-8").splitlines()


@pytest.mark.parametrize("row", BAD_CALLS)
def test_bad_input_ends_with_one_line_and_status_2(run: Run, table: Table, row: str) -> None:
    file = table(f"{HEAD}a,b,c,1,0,-1\nb,a,c,2,0,-2\n")
    words, _, says = row.replace("TABLE", file).partition("\t")
    line = refused(run(*words.split()))
    assert says in line
    assert line.isascii()  # messages at the terminal are in English


def test_a_group_alone_shows_its_help(run: Run) -> None:
    assert "Commands:" in run("league").output


def _warn(*_: Any, **__: Any) -> None:
    warnings.warn_explicit(
        "divide by zero", RuntimeWarning, "btr.py", 1, module="rating.models.btr"
    )


CANT = "the figures can't be worked out"
NO_NUMBER = {"model": "", "games": float("nan"), "as_of": "", "order": "date", "standings": []}


@pytest.mark.parametrize(
    ("work", "says"),
    [
        (Mock(side_effect=OverflowError("Result too large")), f"{CANT} (Result too large)"),
        (Mock(side_effect=ZeroDivisionError()), f"{CANT} (ZeroDivisionError)"),
        (Mock(side_effect=np.linalg.LinAlgError("Singular matrix")), f"{CANT} (Singular matrix)"),
        (_warn, f"{CANT} (divide by zero)"),
        (Mock(return_value=NO_NUMBER), "a figure is no number (NaN or Infinity)"),
    ],
)
def test_broken_arithmetic_is_one_line(
    run: Run, monkeypatch: pytest.MonkeyPatch, work: Callable[..., Any], says: str
) -> None:
    monkeypatch.setattr("bot.cli.standings.standings_report", work)
    assert refused(run("standings", "--json")).startswith(f"Error: {says}")


def test_a_rating_below_the_floor_is_played_from_the_floor(league: League) -> None:
    run = league({"teamlog.txt": "2026-11-03 | A B C D | o x o\n", "rating.txt": "A -2000 0\n"})
    report = json_of(run("standings", "--model", "team_elo", "--json"))
    assert {row["name"] for row in report["standings"]} == set("ABCD")
    assert all(row["rating"] >= 0 for row in report["standings"])


def test_a_chart_and_its_figures_as_json(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "chart.png"
    options = ("--model", "btr", "--season", "2")
    report = json_of(run("chart", *options, "-o", str(file), "--json"))
    assert report["path"] == str(file)
    assert report["bytes"] == file.stat().st_size
    assert report["model"] == "btr"
    assert report["season"] == 2
    assert report["seats"] == 3
    assert report.items() >= json_of(run("standings", *options, "--json")).items()


def test_a_chart_of_nothing_says_where_there_is_something(run: Run, tmp_path: Path) -> None:
    out = str(tmp_path / "chart.png")
    assert refused(run("chart", "--season", "9", "-o", out)).endswith(
        "no season 9; there are: 1, 2, 3"
    )
    assert "no game of 4 to draw" in refused(run("chart", "--seats", "4", "-o", out))
    assert not (tmp_path / "chart.png").exists()


def test_a_chart_of_too_few_games_says_so_in_english(league: League, tmp_path: Path) -> None:
    run = league({"logvol1.txt": f"20260901\n{GAME}", "logvol2.txt": ""})
    out = str(tmp_path / "chart.png")
    assert "team_elo: there are no games" in refused(run("chart", "--model", "team_elo", "-o", out))
    assert "the only game; at least two are needed" in refused(
        run("chart", "--model", "btr", "-o", out)
    )
    line = refused(run("chart", "--season", "2", "-o", out))
    assert line.endswith("season 2 has no game to draw; there are some in: 1")


def test_simulate_shows_a_bar_on_a_terminal_only() -> None:
    command = [sys.executable, "-m", "flask", "simulate", "--chains", "100"]
    ours, theirs = pty.openpty()
    with open(ours, "rb", 0) as screen, open(theirs, "wb", 0) as terminal:
        ran = subprocess.run(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=terminal, check=True, timeout=120
        )
        assert b"simulating" in screen.read(65536)
    quiet = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=120)
    assert (quiet.stdout, quiet.stderr) == (ran.stdout, b"")


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
@pytest.mark.parametrize("path_in_folder", ["logvol1.txt", "."])
def test_nothing_is_written_where_nobody_may_write(
    league: League, tmp_path: Path, path_in_folder: str
) -> None:
    run = league({"logvol1.txt": f"20260901\n{GAME * 2}"})
    folder = tmp_path / "league"
    before = (folder / "logvol1.txt").read_bytes()
    (folder / path_in_folder).chmod(0o555 if path_in_folder == "." else 0o444)
    try:
        assert "read-only" in refused(run("league", "check", "--fix", "--yes", "--json"))
        assert [path.name for path in folder.iterdir()] == ["logvol1.txt"]
        assert (folder / "logvol1.txt").read_bytes() == before
    finally:
        (folder / path_in_folder).chmod(0o755)


BAD_TABLES = [
    ("a,a,c,1,0,-1", "a sits twice"),
    ("a,b,c,1,0,nan", "not a number"),
    ("a,b,c,1,0,x", "x is no number"),
    ("", "no games"),
    ("a,b,c,0,0,0\nb,c,a,0,0,0", "same"),
    ("a,b,c,1,0,-1", "only game"),
]


@pytest.mark.parametrize(("rows", "says"), BAD_TABLES)
def test_a_bad_table_is_one_clear_error_naming_the_game(
    run: Run, table: Table, rows: str, says: str
) -> None:
    line = refused(run("standings", "--model", "btr", "--games", table(f"{HEAD}{rows}\n")))
    assert "table.csv" in line
    assert says in line


def test_rank_points_are_taken_out(run: Run, table: Table) -> None:
    file = table("p1,p2,p3,p4,s1,s2,s3,s4\na,b,c,d,65,10,-20,-55\nb,a,d,c,50,20,-20,-50\n")
    args = ("standings", "--model", "btr", "--games", file, "--json")
    standings = json_of(run(*args))["standings"]
    raw = json_of(run(*args, "--raw", "--uma", "45,5,-15,-35"))["standings"]
    assert standings[0]["rating"] > raw[0]["rating"]


def test_calibrate_simulate_and_compare_as_json(run: Run, tmp_path: Path) -> None:
    calibrated = json_of(run("calibrate", "--json"))
    assert {"k", "l", "f", "g", "players", "r2", "sufficient"} <= calibrated.keys()
    simulated = json_of(run("simulate", "--json"))
    assert abs(simulated["variance"] / simulated["theory_variance"] - 1) < 0.01
    losses = tmp_path / "losses.png"
    calibration = tmp_path / "calibration.png"
    pictures = ("-o", str(losses), "--calibration", str(calibration))
    report = json_of(run("compare", "--season", "3", "--json", *pictures))
    assert report["burn_in"] == 100
    assert abs(report["uniform"] - 1.791759) < 1e-6
    first, second = report["models"][:2]
    keys = "model log_loss difference low high beats_chance behind behind_low behind_high"
    assert set(keys.split()) <= first.keys()
    assert [first["behind"], first["behind_low"], first["behind_high"]] == [0, 0, 0]
    assert second["behind"] == pytest.approx(second["log_loss"] - first["log_loss"], abs=1e-12)
    copies = {entry["model"]: entry["same_as"] for entry in report["models"] if "same_as" in entry}
    assert copies["blade_chest"] == "bradley_terry"
    assert first["model"] not in copies
    for file in (losses, calibration):
        assert file.read_bytes().startswith(b"\x89PNG")


def test_the_real_seasons(runner: Runner, tmp_path: Path) -> None:
    # What runs on a league writes there.
    copy = shutil.copytree(DATA / "seasons", tmp_path / "league")
    report = json_of(runner(copy, tmp_path)("standings", "--model", "tenhou", "--json"))
    assert report["games"] == 1301
    assert len(report["standings"]) == 10
    assert report["problems"] == []
