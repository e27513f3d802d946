"""A feature is a folder that can be deleted: in copies of the tree without some of them everything
else works, and nothing leads to what is gone.

Each feature is removed alone for the import rules and the types. The tests of a running bot take
six seconds of processor time a copy, so each of six copies lacks half of the features.
"""

import shutil
import subprocess
import sys
from collections.abc import Collection
from itertools import combinations, permutations
from pathlib import Path

import pytest

from tests.test_architecture import lint
from tests.tools.house import ROOT

FOLDERS = sorted(path.parent.name for path in (ROOT / "bot/answers").glob("*/feature.py"))
REMOVABLE = [name for name in FOLDERS if name != "common"]
"""All but what every bot has: menu, help, greeting, and what features share."""
COPIES = 6
COPIES_WITHOUT = dict(zip(REMOVABLE, combinations(range(COPIES), COPIES // 2), strict=False))
"""Feature -> the copies without it. No two features lack in the same ones."""
CATALOGUE = Path("bot/answers/catalogue.py")
SUITE = "tests/features/test_any_features.py"
TYPES = ROOT / ".mypy_cache"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree, with what is compiled of it."""
    copy = tmp_path_factory.mktemp("features") / "whole"
    for name in ("bot", "rating", "storage", "tests"):
        shutil.copytree(ROOT / name, copy / name)
    for name in ("app.py", "pyproject.toml"):
        shutil.copy2(ROOT / name, copy)
    return copy


def without(features: Collection[str], whole: Path, copy: Path) -> Path:
    """A copy of the tree without the features' folders and their lines in the catalogue."""
    shutil.copytree(whole, copy)
    for name in features:
        shutil.rmtree(copy / "bot/answers" / name)
    path = copy / CATALOGUE
    lines = path.read_text("utf-8").splitlines(keepends=True)
    of_features = {f"from bot.answers.{name} import feature as {name}" for name in features}
    of_features |= {f"{name}.FEATURE," for name in features}
    others = [line for line in lines if line.strip() not in of_features]
    assert len(others) == len(lines) - len(of_features)
    path.write_text("".join(others), "utf-8")
    return copy


def assert_succeeds(tree: Path, *command: str) -> None:
    arguments = [sys.executable, "-m", *command]
    result = subprocess.run(arguments, cwd=tree, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout[-6000:] + result.stderr[-3000:]


def test_each_feature_is_absent_where_each_other_is_present() -> None:
    assert list(COPIES_WITHOUT) == REMOVABLE
    for removed, present in permutations(REMOVABLE, 2):
        assert set(COPIES_WITHOUT[removed]) - set(COPIES_WITHOUT[present])


# Six seconds: the program is loaded and gives every answer.
@pytest.mark.parametrize("number", range(COPIES))
def test_the_rest_works_without_features(number: int, whole: Path, tmp_path: Path) -> None:
    removed = [name for name, numbers in COPIES_WITHOUT.items() if number in numbers]
    tree = without(removed, whole, tmp_path / "tree")
    assert_succeeds(tree, "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", SUITE)
    shutil.rmtree(tree)


@pytest.mark.parametrize("removed", REMOVABLE)
def test_imports_keep_their_contracts_without_a_feature(
    removed: str, whole: Path, tmp_path: Path
) -> None:
    tree = without([removed], whole, tmp_path / "tree")
    result = lint(tree)
    assert result.returncode == 0, result.stdout
    shutil.rmtree(tree)


# A second for each, and twenty where `make check` has left no cache: mypy looks at what changes.
def test_types_fit_without_each_feature(whole: Path, tmp_path: Path) -> None:
    cache = tmp_path / "types"
    if TYPES.is_dir():
        shutil.copytree(TYPES, cache)
    for name in REMOVABLE:
        tree = without([name], whole, tmp_path / "tree")
        assert_succeeds(tree, "mypy", "--no-error-summary", f"--cache-dir={cache}")
        shutil.rmtree(tree)
