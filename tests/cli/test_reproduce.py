"""docs/reproduce.md is true: each command prints the row's figures, the source's unless it says why
not.
"""

import re
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.running import Runner
from tests.fakes.process import ROOT

pytestmark = pytest.mark.any_backend("reckons with samples; nothing is kept")
PAGE = ROOT / "docs" / "reproduce.md"
# its figures are then others
SLOW = "--games 1000"
QUICK = "--games 2"
SAME = "–"  # nothing differs
FIGURE = re.compile(r"(?<![\w.])-?\d+(?:,\d{3})*(?:\.\d+)?")


class Row(NamedTuple):
    """A row of the page's tables, as it stands."""

    what: str
    source: str
    command: str
    here: str
    why: str

    @property
    def commands(self) -> list[str]:
        return re.findall(r"`([^`]*)`", self.command)

    @property
    def printed(self) -> list[str]:
        return re.findall(r"`([^`]*)`", self.here)


def rows() -> list[Row]:
    text = PAGE.read_text("utf-8")
    lines = [line.strip("|").split(" | ") for line in re.findall(r"^\|.*\|$", text, re.M)]
    found = [Row(*map(str.strip, cells)) for cells in lines if len(cells) > 1]
    return [row for row in found if row.what != "the source prints"]


def output(runner: Runner, command: str, league: Path, home: Path) -> str:
    """What a command prints, with one blank for each space; `league` is read without LOGS_URL."""
    line, _, file = command.partition(" < ")
    variable, _, words = line.partition("flask ")
    if variable:  # a copy, because a league's folder keeps its history beside the logs
        sample = variable.strip().removeprefix("LOGS_URL=file:")
        league = Path(
            shutil.copytree(
                ROOT / sample,
                home / Path(sample).name,
                dirs_exist_ok=True,
            )
        )
    shown = [str(ROOT / w) if w.startswith(("docs/", "bot/")) else w for w in words.split()]
    shown = [str(home / w) if w.endswith(".png") else w for w in shown]
    result = runner(league, home)(
        *shown,
        input=(ROOT / file).read_text() if file else None,
    )
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


def figures(text: str) -> set[float]:
    return {float(number.replace(",", "")) for number in FIGURE.findall(text)}


def test_every_source_has_its_rows() -> None:
    sections = re.split(r"^## \d\. .*$", PAGE.read_text("utf-8"), flags=re.M)[1:]
    assert [len(re.findall(r"^\|", section, re.M)) - 2 for section in sections] == [2, 2, 7, 14, 5]
    assert len(rows()) == 30


@pytest.mark.parametrize(
    "row",
    rows(),
    ids=lambda row: row.what[:40],
)
def test_the_command_prints_what_the_row_says(
    row: Row, runner: Runner, demo: Path, tmp_path: Path
) -> None:
    if "duplicate" in row.command:
        pytest.importorskip("riichienv", reason="riichienv is not installed")
    small = SLOW in row.command
    printed = " ".join(output(runner, c.replace(SLOW, QUICK), demo, tmp_path) for c in row.commands)
    for words in row.printed:
        assert (re.sub(r" ?-?\d[\d.e-]* ?", "", words) if small else words) in printed, printed
    if row.why == SAME:
        assert row.printed
        assert figures(row.source) <= figures(" ".join(row.printed))
    else:
        assert len(row.why) > 7
