"""Every row of docs/threats.md names a test, and each named test exists and is collected by
pytest.
"""

import re
from pathlib import Path

import pytest

from tests.fakes.process import ROOT

LINES = re.findall(
    r"^\| (?!threat)(.*) \|$", (ROOT / "docs" / "threats.md").read_text("utf-8"), re.M
)
ROWS = [line.split(" | ") for line in LINES]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_threats_tests_are_there(row: list[str]) -> None:
    threat, defence, tests = row
    path = ""
    named = re.findall(r"`([^`]*)`", tests)
    assert all((threat, defence, named))
    for name in named:
        file, _, function = name.partition("::")
        path = file or path  # `::name` alone is in the file named last
        assert Path(path).name.startswith("test_"), f"{path} is not collected"
        source = (ROOT / path).read_text("utf-8")
        assert not function or f"\ndef {function}(" in source, name
