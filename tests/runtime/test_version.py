"""Which Janroku it is: said the same by the command, the routes and the documents."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from bot.runtime.version import SHORT, VERSION, checked_out, release
from bot.settings import read_commit
from tests.tools.house import ROOT


def test_the_documents_say_the_same_version() -> None:
    newest = re.search(r"^## (\d\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert newest is not None
    assert newest[1] == VERSION
    assert tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"] == VERSION


def test_the_commit_that_heroku_names_comes_first() -> None:
    assert release("0123456789abcdef") == f"{VERSION} (0123456)"


@pytest.mark.parametrize("name", ["HEROKU_BUILD_COMMIT", "HEROKU_SLUG_COMMIT"])
def test_heroku_says_the_commit(name: str) -> None:
    assert read_commit({name: "a" * 40}) == "a" * 40
    assert read_commit({name: "not a commit\n"}) == ""


def test_a_folder_without_git_has_no_commit(tmp_path: Path) -> None:
    assert checked_out(tmp_path) == ""
    (tmp_path / ".git").mkdir()
    assert checked_out(tmp_path) == ""


def test_a_checkout_has_one(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        who = ["-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", "-C", str(tmp_path), *who, *words], check=True, capture_output=True)

    git("init")
    git("commit", "--allow-empty", "-m", "one")
    assert re.fullmatch(f"[0-9a-f]{{{SHORT},}}", checked_out(tmp_path))
