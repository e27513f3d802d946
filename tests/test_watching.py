"""The examples of docs/watching.md run on a log and find what is in it."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import get_args

import pytest

from bot.runtime.finding import Code
from tests.real import DATA

PAGE = Path(__file__).parents[1] / "docs" / "watching.md"


def test_the_codes_of_doctor_are_described() -> None:
    _, _, table = PAGE.read_text("utf-8").partition("| code |")
    rows = re.findall(r"^\| (`[a-z_`, ]+`) \|", table, re.M)
    codes = re.findall("[a-z_]+", " ".join(rows[:5]))
    assert sorted(codes) == sorted(get_args(Code))


def examples() -> dict[str, str]:
    (block,) = re.findall(r"```sh\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    return dict(re.findall(r"# (.*)\n(.*)\n", block))


def test_the_fields_of_the_example_are_explained() -> None:
    text = PAGE.read_text("utf-8")
    (line,) = re.findall(r"```json\n(.*?)```", text, re.S)
    fields = json.loads(line)
    named = set(re.findall(r"`(\w+)`", text))
    assert fields.keys() - {"time", "logger", "message"} <= named
    assert fields["steps"].keys() <= named


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
def test_the_examples_find_what_is_there(tmp_path: Path) -> None:
    log = (DATA / "log.jsonl").read_text("utf-8")
    wanted = json.loads((DATA / "log_found.json").read_text("utf-8"))
    (tmp_path / "log").write_text(log, "utf-8")
    outputs = {}
    for words, command in examples().items():
        result = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
        assert result.stderr == "", command
        outputs[words] = result.stdout.strip()
    last = outputs.pop(next(words for words in outputs if words.startswith("everything of")))
    lines = [json.loads(line) for line in log.splitlines()]
    assert [json.loads(line) for line in last.splitlines()] == lines[-2:]
    assert len(outputs) == len(wanted)
    for beginning, lines in wanted.items():
        assert [output for words, output in outputs.items() if words.startswith(beginning)] == [
            lines
        ]
