"""The commands: the figures programs read, one clear line for bad input, never a traceback."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from app import create_app
from bot.demo import demo_files
from bot.settings import read_settings
from rating.models import MODELS

Run = Callable[..., Result]


def runner(folder: Path, state: Path) -> Run:
    env = {
        "LOGS_URL": f"file:{folder}",
        "DATABASE_URL": f"sqlite:///{state / 'state.sqlite3'}",
        "IMAGES_URL": f"file:{state / 'images'}",
    }
    run = create_app(read_settings(env)).test_cli_runner()
    return lambda *args, **options: run.invoke(args=[*args], **options)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("league")
    for name, data in demo_files().items():
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture
def run(demo: Path, tmp_path: Path) -> Run:
    return runner(demo, tmp_path)


def json_of(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_standings_as_json(run: Run) -> None:
    report = json_of(run("standings", "--model", "tenhou", "--json"))
    assert report["model"] == "tenhou"
    assert report["games"] == sum(
        1 for data in demo_files().values() for x in data.splitlines() if b" | C" in b" | " + x
    )
    ratings = [row["rating"] for row in report["standings"]]
    assert ratings == sorted(ratings, reverse=True)
    assert len(ratings) == 9
    assert sum(row["games"] for row in report["standings"]) == 3 * report["games"]
    assert report["problems"] == []


@pytest.mark.parametrize("model", [name for name in MODELS if MODELS[name].plays == "games"])
def test_every_model_has_standings_and_a_chart(run: Run, tmp_path: Path, model: str) -> None:
    report = json_of(run("standings", "--model", model, "--season", "2", "--json"))
    assert len(report["standings"]) == 9
    file = tmp_path / "chart.png"
    assert run("chart", "--model", model, "--season", "2", "-o", str(file)).exit_code == 0
    assert file.read_bytes().startswith(b"\x89PNG")


def test_a_problem_is_reported_with_file_line_and_text(tmp_path: Path) -> None:
    folder = tmp_path / "league"
    folder.mkdir()
    (folder / "logvol4.txt").write_text("第4シーズン\n\nだれ？\n", "utf-8")
    report = json_of(runner(folder, tmp_path)("standings", "--json"))
    assert report["games"] == 0
    (problem,) = report["problems"]
    assert (problem["file"], problem["line"], problem["text"]) == ("logvol4.txt", 3, "だれ？")


def test_a_team_logs_odd_line_is_reported(tmp_path: Path) -> None:
    folder = tmp_path / "league"
    folder.mkdir()
    (folder / "teamlog.txt").write_text(
        "2026-11-03 | 東 南 西 北 | o x o\n2026-11-04 | 東 南 西 | o\n", "utf-8"
    )
    report = json_of(runner(folder, tmp_path)("standings", "--model", "team_elo", "--json"))
    assert report["games"] == 3
    assert [(p["file"], p["line"]) for p in report["problems"]] == [("teamlog.txt", 2)]


@pytest.mark.parametrize(
    "args",
    [
        ("standings", "--model", "elo9000"),
        ("standings", "--season", "99"),
        ("standings", "--season", "x"),
        ("standings", "--games", "/no/such/file.csv"),
        ("standings", "--model", "btr", "-O", "alpha"),
        ("standings", "--model", "btr", "-O", "nope=1"),
        ("standings", "--model", "team_elo", "--games", "TABLE"),
        ("chart", "--model", "elo9000", "-o", "x.png"),
        ("calibrate", "--season", "99"),
        ("compare", "--burn-in", "100000"),
        ("compare", "--uma", "a,b", "--games", "TABLE"),
        ("compare", "--raw", "--uma", "20,0,-20"),
        ("standings", "--raw", "--uma", "20,0,-20"),
        ("standings", "--model", "btr", "--count-this-game"),
        ("calibrate", "--chip", "nan"),
        ("simulate", "--weight", "1e-300"),
        ("simulate", "--mean", "nan"),
    ],
)
def test_bad_input_ends_with_one_line_and_status_2(run: Run, tmp_path: Path, args: tuple[str, ...]) -> None:
    table = tmp_path / "table.csv"
    table.write_text("p1,p2,p3,s1,s2,s3\na,b,c,1,0,-1\n")
    result = run(*(str(table) if arg == "TABLE" else arg for arg in args))
    assert result.exit_code == 2
    assert len(result.stderr.strip().splitlines()) == 1 or result.stderr.startswith("Usage:")
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ("a,a,c,1,0,-1", "a sits twice"),
        ("a,b,c,1,0,nan", "not a number"),
        ("a,b,c,1,0,x", "x is no number"),
        ("", "no games"),
        ("a,b,c,0,0,0\nb,c,a,0,0,0", "same"),
        ("a,b,c,1,0,-1", "only game"),
    ],
)
def test_a_bad_table_is_one_clear_error_naming_the_game(
    run: Run, tmp_path: Path, rows: str, says: str
) -> None:
    table = tmp_path / "table.csv"
    table.write_text(f"p1,p2,p3,s1,s2,s3\n{rows}\n")
    result = run("standings", "--model", "btr", "--games", str(table))
    assert result.exit_code == 2
    assert "table.csv" in result.stderr
    assert says in result.stderr


def test_rank_points_are_taken_out(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("p1,p2,p3,p4,s1,s2,s3,s4\na,b,c,d,65,10,-20,-55\nb,a,d,c,50,20,-20,-50\n")
    args = ("standings", "--model", "btr", "--games", str(table), "--json")
    kept = json_of(run(*args))["standings"]
    raw = json_of(run(*args, "--raw", "--uma", "45,5,-15,-35"))["standings"]
    assert kept[0]["rating"] > raw[0]["rating"]


def test_calibrate_simulate_and_compare_as_json(run: Run, tmp_path: Path) -> None:
    assert {"k", "l", "f", "g", "players", "r2", "sufficient"} <= json_of(run("calibrate", "--json")).keys()
    simulated = json_of(run("simulate", "--json"))
    assert abs(simulated["variance"] / simulated["theory_variance"] - 1) < 0.01
    files = [tmp_path / "losses.png", tmp_path / "calibration.png"]
    report = json_of(
        run("compare", "--season", "3", "--json", "-o", str(files[0]), "--calibration", str(files[1]))
    )
    assert report["burn_in"] == 100
    assert abs(report["uniform"] - 1.791759) < 1e-6
    assert {"model", "log_loss", "difference", "low", "high"} <= report["models"][0].keys()
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in files)


def test_doctor_finds_a_healthy_set_up(run: Run) -> None:
    result = run("doctor")
    assert result.exit_code == 0, result.output
    assert "MEND" not in result.output


def test_doctor_names_what_to_mend(tmp_path: Path) -> None:
    (tmp_path / "league").mkdir()
    result = runner(tmp_path / "league", tmp_path)("doctor", "--json")
    assert result.exit_code == 1
    bad = [finding["what"] for finding in json.loads(result.stdout) if not finding["ok"]]
    assert bad == ["league"]
    assert runner(tmp_path / "league", tmp_path)("doctor", "--release").exit_code == 0


def test_doctor_names_every_line_that_cannot_be_read(tmp_path: Path) -> None:
    folder = tmp_path / "league"
    folder.mkdir()
    (folder / "logvol1.txt").write_text("だれ？\nC1 | x\n", "utf-8")
    (folder / "league.toml").write_text("rooms = 3\n")
    result = runner(folder, tmp_path)("doctor")
    assert result.exit_code == 1
    for place in ("logvol1.txt:1", "logvol1.txt:2", "league.toml"):
        assert place in result.stdout


def test_the_real_seasons(shared: Path, tmp_path: Path) -> None:
    report = json_of(runner(shared, tmp_path)("standings", "--model", "tenhou", "--json"))
    assert report["games"] == 1301
    assert len(report["standings"]) == 10
    assert report["problems"] == []
