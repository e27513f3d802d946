"""Score tables (`--games`): taken in order of date by every command, and in the file's order only without dates."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from random import Random

import pytest

from tests.cli.running import Run, json_of

pytestmark = pytest.mark.any_backend("reads a table; nothing is kept")

HEAD = "date,p1,p2,p3,s1,s2,s3"
DAYS = 16


def rows(dated: bool = True) -> list[str]:
    """Rows of three games a day, oldest first; players get better or worse with time."""
    random, made = Random(3), []
    for number in range(3 * DAYS):
        day = date(2026, 1, 1) + timedelta(number // 3) if dated else ""
        players = random.sample("abcde", 3)
        first, last = sorted(
            (random.randint(1, 90) + ord(p) * number // 9 for p in players[:2]), reverse=True
        )
        made.append(f"{day},{','.join(players)},{first},{last - first},{-last}")
    return made


def table(folder: Path, name: str, lines: list[str]) -> str:
    path = folder / name
    path.write_text("\n".join([HEAD, *lines]))
    return str(path)


@pytest.fixture
def oldest_first(tmp_path: Path) -> str:
    return table(tmp_path, "oldest.csv", rows())


@pytest.fixture
def newest_first(tmp_path: Path) -> str:
    """The same games, the newest day at the top; the games of one day in the same order as in `oldest_first`."""
    lines = rows()
    days = [lines[number : number + 3] for number in range(0, len(lines), 3)]
    return table(tmp_path, "newest.csv", [line for day in reversed(days) for line in day])


@pytest.mark.parametrize(
    "args",
    [
        *(("standings", "--model", name) for name in ("tenhou", "jansou", "plackett_luce_drift", "btr")),
        ("calibrate", "--min-games", "10"),
        ("compare", "--burn-in", "30"),
    ],
)
def test_the_newest_first_is_the_oldest_first(
    run: Run, oldest_first: str, newest_first: str, args: tuple[str, ...]
) -> None:
    found = json_of(run(*args, "--games", newest_first, "--json"))
    assert found == json_of(run(*args, "--games", oldest_first, "--json"))
    assert found["order"] == "date"


def test_as_of_is_the_latest_date(run: Run, newest_first: str) -> None:
    latest = str(date(2026, 1, 1) + timedelta(DAYS - 1))
    assert json_of(run("standings", "--games", newest_first, "--json"))["as_of"] == latest
    text = run("standings", "--games", newest_first).stdout
    assert latest in text.splitlines()[0]
    assert "order" not in text


@pytest.mark.parametrize(
    "args",
    [("standings", "--model", "tenhou"), ("calibrate", "--min-games", "10"), ("compare", "--burn-in", "30")],
)
def test_without_dates_the_order_is_the_files_and_said(
    run: Run, tmp_path: Path, args: tuple[str, ...]
) -> None:
    undated = table(tmp_path, "undated.csv", rows(dated=False))
    found = json_of(run(*args, "--games", undated, "--json"))
    assert found["order"] == "file"
    assert found.get("as_of") is None
    says = [line for line in run(*args, "--games", undated).stdout.splitlines() if "order" in line]
    assert says == ["The table has no dates: its games are taken in the order of the file."]


def test_without_dates_another_order_is_another_rating(run: Run, tmp_path: Path) -> None:
    files = [table(tmp_path, f"{step}.csv", rows(dated=False)[::step]) for step in (1, -1)]
    forwards, backwards = (json_of(run("standings", "--games", file, "--json")) for file in files)
    assert forwards["standings"] != backwards["standings"]


def test_the_logs_have_no_order_of_a_table(run: Run) -> None:
    assert "order" not in json_of(run("standings", "--json"))


@pytest.mark.parametrize("command", ["standings", "calibrate", "compare"])
def test_a_row_without_a_date_is_named(run: Run, tmp_path: Path, command: str) -> None:
    lines = rows()
    lines[6] = "," + lines[6].partition(",")[2]
    result = run(command, "--games", table(tmp_path, "table.csv", lines))
    assert result.exit_code == 2
    assert result.stderr == "Error: table.csv:8: no date, but other rows have one\n"
    assert result.stdout == ""


@pytest.mark.parametrize("command", ["standings", "calibrate", "compare"])
def test_a_season_of_a_table_is_refused(run: Run, oldest_first: str, command: str) -> None:
    result = run(command, "--games", oldest_first, "--season", "2")
    assert result.exit_code == 2
    assert result.stderr == "Error: --season is for the season logs: a score table (--games) has no seasons\n"
