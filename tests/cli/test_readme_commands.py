"""Each command of the README's list takes what the list says; those that need no account and no minute are run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.running import Run
from tests.fakes.process import ROOT

NOT_RUN = {
    "sync": "asks Tenhou",
    "league restore": "takes a version's name",
    "league room": "takes a room's id",
    "duplicate": "takes a minute",
    "calibrate": "takes seconds, tests/cli/test_study.py",
    "compare": "takes seconds, tests/cli/test_study.py",
    "simulate": "takes seconds, tests/cli/test_study.py",
    "richmenu install": "needs a channel",
    "richmenu show": "needs a channel",
    "richmenu remove": "needs a channel",
    "setup": "asks for what only an admin has",
    "doctor": "tries every service",
}
INPUT = {
    "efficiency": {"hand": [0] * 20 + [2] * 7 + [0] * 7, "calls": 0, "unseen": [2] * 34},
    "danger": {"unseen": [4] * 34, "safe": [0] * 34},
}
NOT_ALONE = ("--fix", "--lifecycle", "--dry-run")  # options that change what the line is an example of


def lines() -> list[str]:
    """Return the left side of the README's list."""
    text = (ROOT / "README.md").read_text("utf-8")
    listed = text[text.index("## Commands") : text.index("Every command has `--help`")]
    return [re.split(r" {2,}", line)[0] for line in re.findall(r"^ {4}flask (.*)$", listed, re.M)]


def examples(line: str) -> list[list[str]]:
    """Return the calls that a line shows: options in brackets with it where they are no placeholders."""

    def kept(found: re.Match[str]) -> str:
        words = found[1].strip()
        return "" if re.search(r"[A-Z…|]", words) or words in NOT_ALONE else f" {words}"

    while (shorter := re.sub(r" ?\[([^\[\]]*)\]", kept, line)) != line:
        line = shorter
    first, *others = line.split(" | ")
    before = first.rsplit(" ", 1)[0]
    return [call.split() for call in (first, *(f"{before} {other}" for other in others))]


def name_of(call: list[str]) -> str:
    return " ".join(call[: 2 if call[0] in ("league", "richmenu") else 1])


CALLS = [call for line in lines() for call in examples(line)]


@pytest.mark.parametrize("line", lines())
def test_the_options_are_there(run: Run, line: str) -> None:
    for call in examples(line):
        said = run(*name_of(call).split(), "--help").output
        if call[0] not in ("league", "richmenu"):
            assert all(option in said for option in re.findall(r"--[\w-]+", line)), said


def test_what_is_not_run_is_in_the_list() -> None:
    assert set(NOT_RUN) <= {name_of(call) for call in CALLS}


@pytest.mark.parametrize(
    "call",
    [call for call in CALLS if name_of(call) not in NOT_RUN and not re.search("[A-Z…]{2}|…", " ".join(call))],
    ids=" ".join,
)
def test_it_runs(run: Run, call: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [
        "date,p1,s1,p2,s2,p3,s3,p4,s4",
        "2026-09-01,a,75,b,15,c,-25,d,-65",
        "2026-09-02,b,75,c,15,d,-25,a,-65",
    ]
    (tmp_path / "table.csv").write_text("\n".join(rows))
    result = run(*call, input=json.dumps(INPUT.get(call[0])))
    assert result.exit_code == (1 if call == ["league", "check"] else 0), (
        result.output
    )  # the demo league has findings
    if "--json" in call:
        json.loads(result.stdout)
