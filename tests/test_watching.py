"""The examples of docs/watching.md run on a log and find what is in it."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, get_args

import pytest

from bot.runtime.finding import Code

PAGE = Path(__file__).parents[1] / "docs" / "watching.md"


def test_the_codes_of_doctor_are_said() -> None:
    rows = re.findall(r"^\| (`[a-z_`, ]+`) \|", PAGE.read_text("utf-8").partition("| code |")[2], re.M)
    assert sorted(" ".join(rows[:5]).replace("`", "").replace(",", "").split()) == sorted(get_args(Code))


def tap(number: int, command: str, ms: float, **more: Any) -> dict[str, Any]:
    return {
        "time": f"2026-11-22T12:00:{number:02d}.000+00:00", "level": "info", "message": "postback answered",
        "logger": "bot.dispatch.dispatcher", "event": f"E{number}", "who": f"member{number % 2}",
        "command": command, "league": "", "result": "answered", "steps": {"read": 1.5, "draw": 80.0}, "ms": ms,
        **more,
    }  # fmt: skip


BEGUN, DOWN = "2026-11-22T12:00:00.000+00:00", "2026-11-22T12:00:04.000+00:00"
LINES = [
    {"time": BEGUN, "level": "info", "logger": "gunicorn.error", "message": "Listening"},
    tap(1, "rating", 120.5),
    tap(2, "sum", 30.5, steps={"read": 1.0}),
    tap(3, "rating", 90.5),
    {"time": DOWN, "level": "error", "message": "no logs", "event": "E4", "command": "sum"},
    tap(4, "sum", 5.5, result="failed", error="Denied", cause="Dropbox refuses", store="dropbox", steps={}),
]
FOUND = {
    "the taps": "12:00:01 rating 120.5 answered\n12:00:02 sum 30.5 answered\n"
    "12:00:03 rating 90.5 answered\n12:00:04 sum 5.5 failed",
    "what cost": "12:00:04 sum dropbox: Denied Dropbox refuses",
    "which commands": "rating 120.5\nsum 30.5",
    "where the time": '{"draw":160,"read":4}',
    "how many": "2",
}


def examples() -> dict[str, str]:
    (block,) = re.findall(r"```sh\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    return dict(re.findall(r"# (.*)\n(.*)\n", block))


def test_the_fields_of_the_example_are_explained() -> None:
    text = PAGE.read_text("utf-8")
    (line,) = re.findall(r"```json\n(.*?)```", text, re.S)
    shown = json.loads(line)
    named = set(re.findall(r"`(\w+)`", text))
    assert shown.keys() - {"time", "logger", "message"} <= named
    assert shown["steps"].keys() <= named


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
def test_the_examples_find_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("".join(json.dumps(line) + "\n" for line in LINES), "utf-8")
    found = {}
    for words, command in examples().items():
        done = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=20, check=False
        )
        assert done.stderr == "", command
        found[words] = done.stdout.strip()
    last = found.pop(next(words for words in found if words.startswith("everything of")))
    assert [json.loads(line) for line in last.splitlines()] == LINES[-2:]
    assert len(found) == len(FOUND)
    for beginning, wanted in FOUND.items():
        assert [got for words, got in found.items() if words.startswith(beginning)] == [wanted]
