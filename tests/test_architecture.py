"""The code's structure: measures of tests/tools/house.py, and pyproject.toml's import contracts."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

from tests.tools.house import ROOT, measure

LAYERS = "Arrows go one way, from the processes down to the domain"


def test_the_measures_of_the_house() -> None:
    """In one test, as measuring takes seconds and other processes of the run would measure
    again.
    """
    house = measure()
    assert house.loose <= 10, "few files lie loose"
    assert house.circles(typed=True) == [], "no circle, not even in a function or for a type"
    assert max(house.floors.values()) <= 11
    assert house.inner_share <= 3, house.inner
    assert house.twice == {}, "a name is one thing"
    assert {name: lines for name, lines in house.modules.items() if lines > 700} == {}
    assert {name: lines for name, lines in house.functions.items() if lines > 80} == {}
    # The contract would not check a room that no layer names.
    config = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    (layers,) = [
        contract["layers"] for contract in config["contracts"] if contract["name"] == LAYERS
    ]
    named = {name.strip() for layer in layers for name in layer.split("|")}
    assert {room for room in house.rooms if room not in ("bot", "app")} <= named


def lint(tree: Path) -> subprocess.CompletedProcess[str]:
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    command = [sys.executable, "-c", code, "--no-logo", "--no-cache"]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True)


PLANTED = (
    ("rating/games.py", "from bot import texts", "bot.texts"),
    ("storage/files.py", "import rating.games", "rating.games"),
    (
        "bot/runtime/cache.py",
        "def late():\n    from bot.league.files import change",
        "bot.league.files",
    ),
    ("bot/league/files.py", "from bot.chat.replies import Reply", "bot.chat.replies"),
    ("bot/tenhou/client.py", "from bot.league.files import PAIFU_LOG", "bot.league.files"),
    ("bot/answers/common/help.py", "from bot.dispatch.router import Router", "bot.dispatch.router"),
    (
        "bot/line/messages.py",
        "from bot.answers.catalogue import CATALOGUE",
        "bot.answers.catalogue",
    ),
    (
        "bot/answers/games/games.py",
        "from bot.answers.recaps import poster",
        "bot.answers.recaps.poster",
    ),
    ("bot/dispatch/pending.py", "from bot.answers.tonight import room", "bot.answers.tonight.room"),
    ("bot/notify/groups.py", "import bot.answers.games.digest", "bot.answers.games.digest"),
    ("bot/page/figures.py", "from bot.answers.paifu.hands import band", "bot.answers.paifu.hands"),
    ("bot/dispatch/router.py", "if typing.TYPE_CHECKING:\n    import bot.service", "bot.service"),
    ("bot/answers/common/help.py", "import linebot", "linebot"),
    ("bot/sync/run.py", "import dropbox", "dropbox"),
    ("bot/sync/run.py", "from sqlalchemy import select", "sqlalchemy"),
    ("bot/answers/players/pair.py", "from matplotlib.path import Path", "matplotlib"),
    ("bot/service.py", "from app import app", "app"),
    (
        "bot/league/paifu_log.py",
        "from rating.paifu.formats.mjlog import read",
        "rating.paifu.formats.mjlog",
    ),
    ("rating/paifu/wall.py", "import rating.paifu.formats.mjlog", "rating.paifu.formats.mjlog"),
)


def test_the_house_keeps_its_contracts_and_every_planted_import_is_found(tmp_path: Path) -> None:
    """In a copy of the code without its tests, which gets forbidden imports."""
    for name in ("bot", "rating", "storage"):
        shutil.copytree(
            ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "static")
        )
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    result = lint(tmp_path)
    assert result.returncode == 0, result.stdout
    lines = []
    for file, planted, target in PLANTED:
        path = tmp_path / file
        text = f"{path.read_text('utf-8')}\n\n{planted}\n"
        path.write_text(text, "utf-8")
        module = file.removesuffix(".py").replace("/", ".")
        lines.append(f"{module} -> {target} (l.{text.count(chr(10))})")
    result = lint(tmp_path)
    assert result.returncode == 1
    assert [line for line in lines if line not in result.stdout] == [], result.stdout


def test_product_code_imports_no_tests_and_a_module_gives_a_name_once() -> None:
    for path in (
        path for folder in ("bot", "rating", "storage") for path in (ROOT / folder).rglob("*.py")
    ):
        text = path.read_text("utf-8")
        assert not re.search(r"^\s*(?:from|import)\s+tests\b", text, re.M), path
        constants = re.findall(r"^([A-Z_, ]+?)(?::.*?)? = ", text, re.M)
        names = Counter(name for given in constants for name in given.split(", "))
        assert [name for name, count in names.items() if count > 1] == [], path


def test_the_top_level_is_the_clients() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    folders = {name.partition("/")[0] for name in listed.splitlines() if "/" in name}
    assert folders <= {"bot", "rating", "storage", "tests", "docs", ".ci"}
    code = {name for name in listed.splitlines() if "/" not in name and name.endswith(".py")}
    assert code == {"app.py"}
