"""The scripts of the league's page and of the console: small modules, checked by `make check`."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from deno import find_deno_bin

from bot.page.html import FILES, IMPORTED_MODULES

ROOT = Path(__file__).parents[2]
CONSOLE = ROOT / "bot/console/static"
VENDORED = "uPlot.iife.min.js"
SCRIPTS = [
    path for path in [*FILES.glob("*.js"), *CONSOLE.glob("js/*.js")] if path.name != VENDORED
]
CODE_IN_TEXT = re.compile(
    r"""\beval\(|new Function\(|javascript:|\son\w+=["'{]|setTimeout\(["'`]"""
)
IMPORT = re.compile(r'^import [^;]*?"\./(.+?)";$', re.M)


def imports(script: Path) -> set[str]:
    """The modules that a script imports, directly or not."""
    names: set[str] = set()
    waiting = [script.name]
    while waiting:
        text = (script.parent / waiting.pop()).read_text("utf-8")
        direct = set(IMPORT.findall(text))
        waiting += direct - names
        names |= direct
    return names


@pytest.mark.parametrize("entry", IMPORTED_MODULES)
def test_a_view_loads_all_imports_of_its_script_at_once(entry: str) -> None:
    assert set(IMPORTED_MODULES[entry]) == imports(FILES / entry)


def test_every_module_is_used() -> None:
    league_page = set(IMPORTED_MODULES).union(*IMPORTED_MODULES.values())
    console = {"main.js"} | imports(CONSOLE / "js/main.js")
    assert {script.name for script in FILES.glob("*.js")} == league_page | {VENDORED}
    assert {script.name for script in CONSOLE.glob("js/*.js")} == console


def test_no_code_is_in_texts() -> None:
    html = (CONSOLE / "console.html").read_text("utf-8")
    python = [path.read_text("utf-8") for path in ROOT.glob("bot/[pc]*/*.py")]
    for text in [html, *python, *(script.read_text("utf-8") for script in SCRIPTS)]:
        assert CODE_IN_TEXT.findall(text) == []


def test_modules_are_short() -> None:
    lines = {script.name: script.read_text("utf-8").count("\n") for script in SCRIPTS}
    assert {name: count for name, count in lines.items() if count > 320} == {}


FAULTS = {
    "a misspelt field": ("state.sticks += 1;", "state.stick += 1;"),
    "a value of another type": ("state.fresh = tile;", 'state.fresh = "tile";'),
    "a missing argument": ("sorted(hand.filter(", "sorted(hand, hand.filter("),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_type_check_reports(fault: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "bot/page", tmp_path / "bot/page")
    shutil.copy(ROOT / "tests/tools/deno.json", tmp_path)
    module = tmp_path / "bot/page/static/round_state.js"
    right, wrong = FAULTS[fault]
    text = module.read_text("utf-8")
    assert right in text
    module.write_text(text.replace(right, wrong), "utf-8")
    options = ["--quiet", "--no-remote", "--config", tmp_path / "deno.json"]
    environment = {"DENO_DIR": str(tmp_path / "deno"), "DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1"}
    checked = subprocess.run(
        [find_deno_bin(), "check", *options, module],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 1
    assert "round_state.js:" in checked.stderr
