"""A feature is a folder that can be deleted: in a copy of the tree without each of them in turn
everything else works, and nothing leads to what is gone."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_architecture import lint
from tests.tools.house import ROOT

FOLDERS = sorted(path.parent.name for path in (ROOT / "bot/answers").glob("*/feature.py"))
REMOVABLE = [name for name in FOLDERS if name != "common"]
"""All but what every bot has: menu, help, greeting, and what features share."""
CATALOGUE = Path("bot/answers/catalogue.py")
SUITE = "tests/features/test_any_features.py"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree's code, and of the tests that hold for any features."""
    copy = tmp_path_factory.mktemp("features") / "whole"
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("bot", "rating", "storage", "tests"):
        shutil.copytree(ROOT / name, copy / name, ignore=ignored)
    for name in ("app.py", "pyproject.toml"):
        shutil.copy2(ROOT / name, copy)
    return copy


def without(whole: Path, name: str, copy: Path) -> None:
    """A copy of the tree without a feature's folder and its lines in the catalogue."""
    shutil.copytree(whole, copy, symlinks=True)
    shutil.rmtree(copy / "bot/answers" / name)
    path = copy / CATALOGUE
    lines = path.read_text("utf-8").splitlines(keepends=True)
    others = [
        line
        for line in lines
        if line.strip()
        not in (f"from bot.answers.{name} import feature as {name}", f"{name}.FEATURE,")
    ]
    assert len(others) == len(lines) - 2
    path.write_text("".join(others), "utf-8")


@pytest.fixture
def tree(whole: Path, removed: str, tmp_path: Path) -> Iterator[Path]:
    copy = tmp_path / "tree"
    without(whole, removed, copy)
    yield copy
    shutil.rmtree(copy)


def ran(tree: Path, *command: str) -> None:
    result = subprocess.run(
        [
            sys.executable,
            "-m",
            *command,
        ],
        cwd=tree,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout[-6000:] + result.stderr[-3000:]


@pytest.mark.parametrize("removed", REMOVABLE)
def test_the_rest_works_without_a_feature(tree: Path) -> None:
    ran(tree, "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", SUITE)


@pytest.mark.parametrize("removed", REMOVABLE)
def test_imports_keep_their_contracts_without_a_feature(tree: Path) -> None:
    result = lint(tree)
    assert result.returncode == 0, result.stdout


@pytest.mark.xdist_group("types without a feature")  # they share mypy's cache
def test_types_fit_without_each_feature(whole: Path, tmp_path: Path) -> None:
    cache = tmp_path / "types"
    for name in REMOVABLE:
        copy = tmp_path / "tree"
        without(whole, name, copy)
        ran(copy, "mypy", "--no-error-summary", f"--cache-dir={cache}")
        shutil.rmtree(copy)
