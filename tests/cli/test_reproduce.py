"""docs/reproduce.md is true: each command prints the row's figures, which are the source's unless the
row has a reason.
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
    """A row of the page's tables, unchanged."""

    subject: str
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
    rows = []
    for line in re.findall(r"^\|.*\|$", text, re.M):
        cells = line.strip("|").split(" | ")
        if len(cells) > 1:
            rows.append(Row(*map(str.strip, cells)))
    return [row for row in rows if row.subject != "the source prints"]


def output(runner: Runner, command: str, league: Path, home: Path) -> str:
    """What a command prints, with one blank for each space; `league` is read without LOGS_URL."""
    line, _, file = command.partition(" < ")
    variable, _, words = line.partition("flask ")
    if variable:  # a copy, because a league's folder stores its history next to the logs
        sample = variable.strip().removeprefix("LOGS_URL=file:")
        league = home / Path(sample).name
        shutil.copytree(ROOT / sample, league, dirs_exist_ok=True)
    arguments = []
    for word in words.split():
        if word.startswith(("docs/", "bot/")):
            arguments.append(str(ROOT / word))
        elif word.endswith(".png"):
            arguments.append(str(home / word))
        else:
            arguments.append(word)
    typed = (ROOT / file).read_text() if file else None
    result = runner(league, home)(*arguments, input=typed)
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


def figures(text: str) -> set[float]:
    return {float(number.replace(",", "")) for number in FIGURE.findall(text)}


def test_every_source_has_its_rows() -> None:
    sections = re.split(r"^## \d\. .*$", PAGE.read_text("utf-8"), flags=re.M)[1:]
    counts = [len(re.findall(r"^\|", section, re.M)) - 2 for section in sections]
    assert counts == [2, 2, 7, 14, 5]
    assert len(rows()) == 30


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.subject[:40])
def test_the_command_prints_what_the_row_says(
    row: Row, runner: Runner, demo: Path, tmp_path: Path
) -> None:
    if "duplicate" in row.command:
        pytest.importorskip("riichienv", reason="riichienv is not installed")
    small = SLOW in row.command
    commands = [command.replace(SLOW, QUICK) for command in row.commands]
    printed = " ".join(output(runner, command, demo, tmp_path) for command in commands)
    for words in row.printed:
        if small:
            words = re.sub(r" ?-?\d[\d.e-]* ?", "", words)
        assert words in printed, printed
    if row.why == SAME:
        assert row.printed
        assert figures(row.source) <= figures(" ".join(row.printed))
    else:
        assert len(row.why) > 7
