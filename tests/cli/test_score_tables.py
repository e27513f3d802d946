"""Score tables (`--games`): taken by date in every command, in the file's order only without
dates.
"""

from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.draw import lines, matrix, rows as row_charts
from tests.cli.running import Run, Table, json_of, refused
from tests.fakes.process import ROOT

pytestmark = pytest.mark.any_backend("reads a table; nothing is kept")

HEAD = "date,p1,p2,p3,s1,s2,s3\n"
DAYS = 16


def rows(dated: bool = True) -> list[str]:
    """Rows of three games a day, oldest first; players get better or worse with time."""
    random = Random(3)
    made = []
    for number in range(3 * DAYS):
        day = date(2026, 1, 1) + timedelta(number // 3) if dated else ""
        players = random.sample("abcde", 3)
        scores = [random.randint(1, 90) + ord(player) * number // 9 for player in players[:2]]
        last, first = sorted(scores)
        made.append(f"{day},{','.join(players)},{first},{last - first},{-last}\n")
    return made


@pytest.fixture
def newest_first(table: Table) -> str:
    """The games of `rows`, the newest day at the top; the games of one day in the same order."""
    lines = rows()
    starts = range(0, len(lines), 3)
    days = ["".join(lines[start : start + 3]) for start in starts]
    return table(HEAD + "".join(reversed(days)), "newest.csv")


STANDINGS = [
    ("standings", "--model", name) for name in ("tenhou", "jansou", "plackett_luce_drift", "btr")
]
STUDIES = [("calibrate", "--min-games", "10"), ("compare", "--burn-in", "30")]


@pytest.mark.parametrize("args", STANDINGS + STUDIES)
def test_the_newest_first_is_the_oldest_first(
    run: Run, table: Table, newest_first: str, args: tuple[str, ...]
) -> None:
    oldest_first = table(HEAD + "".join(rows()), "oldest.csv")
    report = json_of(run(*args, "--games", newest_first, "--json"))
    assert report == json_of(run(*args, "--games", oldest_first, "--json"))
    assert report["order"] == "date"


def test_as_of_is_the_latest_date(run: Run, newest_first: str) -> None:
    latest = str(date(2026, 1, 1) + timedelta(DAYS - 1))
    assert json_of(run("standings", "--games", newest_first, "--json"))["as_of"] == latest
    text = run("standings", "--games", newest_first).stdout
    assert latest in text.splitlines()[0]
    assert "order" not in text


@pytest.mark.parametrize("args", STANDINGS[:1] + STUDIES)
def test_without_dates_the_order_is_the_files_and_said(
    run: Run, table: Table, args: tuple[str, ...]
) -> None:
    undated = table(HEAD + "".join(rows(dated=False)))
    report = json_of(run(*args, "--games", undated, "--json"))
    assert report["order"] == "file"
    assert report.get("as_of") is None
    lines = run(*args, "--games", undated).stdout.splitlines()
    notes = [line for line in lines if "order" in line]
    assert notes == ["The table has no dates: its games are taken in the order of the file."]


def test_without_dates_another_order_is_another_rating(run: Run, table: Table) -> None:
    lines = rows(dated=False)
    forwards = table(HEAD + "".join(lines), "forwards.csv")
    backwards = table(HEAD + "".join(reversed(lines)), "backwards.csv")
    first = json_of(run("standings", "--games", forwards, "--json"))
    second = json_of(run("standings", "--games", backwards, "--json"))
    assert first["standings"] != second["standings"]


def test_the_logs_have_no_order_of_a_table(run: Run) -> None:
    assert "order" not in json_of(run("standings", "--json"))


@pytest.mark.parametrize("command", ["standings", "calibrate", "compare"])
def test_a_row_without_a_date_is_named(run: Run, table: Table, command: str) -> None:
    lines = rows()
    lines[6] = "," + lines[6].partition(",")[2]
    line = refused(run(command, "--games", table(HEAD + "".join(lines))))
    assert line == "Error: table.csv:8: no date, but other rows have one"


NAMES = "東風 南枝 西陣 北斗 白雪 發田 中野 春霞"
SAMPLE = str(ROOT / "docs/samples/notebook.txt")


def test_the_sample_of_a_notebooks_table_is_rated_and_drawn(run: Run, tmp_path: Path) -> None:
    def of(command: str, *words: str) -> Any:
        return json_of(run(command, "--games", SAMPLE, "--json", "--model", *words))

    report = of("standings", "btr")
    raw = of("standings", "btr", "--raw", "--uma", "45,5,-15,-35")
    assert report["games"] == 24
    assert len(report["standings"]) == 8
    assert report["order"] == "file"
    assert raw["standings"][0]["rating"] < report["standings"][0]["rating"]
    picture = tmp_path / "chart.png"
    for model in ("btr", "tenhou"):
        drawn = of("chart", model, "-o", str(picture))
        assert drawn["bytes"] == picture.stat().st_size
        assert drawn["standings"] == of("standings", model)["standings"]


def test_a_chart_of_a_table_has_its_own(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests = []
    draw = lines.draw
    monkeypatch.setattr(lines, "draw", lambda chart: requests.append(chart) or draw(chart))
    options = ("--model", "tenhou", "-o", str(tmp_path / "a.png"))
    assert run("chart", "--games", SAMPLE, *options).exit_code == 0
    (chart,) = requests
    assert chart.title == "レーティング　notebook"
    assert {curve.name for curve in chart.curves} == set(NAMES.split())


def test_matchups_of_a_table_are_drawn_where_they_exist(
    run: Run, table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """a beats b, b c, and c a; x is always second.

    The sample's matchups do not differ from chance.
    """
    drawn = []
    for kind in (matrix, row_charts):
        draw = kind.draw
        monkeypatch.setattr(
            kind, "draw", lambda chart, draw=draw: drawn.append(chart) or draw(chart)
        )
    circle = table("p1,p2,p3,s1,s2,s3\n" + "a,x,b,50,0,-50\nb,x,c,50,0,-50\nc,x,a,50,0,-50\n" * 60)
    for file in (circle, SAMPLE):
        options = ("--model", "blade_chest", "-o", str(tmp_path / "a.png"))
        assert run("chart", "--games", file, *options).exit_code == 0
    first, second = drawn
    assert isinstance(first, matrix.MatrixChart)
    names = list(first.names)
    assert first.cells[names.index("a")][names.index("b")] > 60
    assert isinstance(second, row_charts.RowPicture)
