import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from bot.runtime.version import SHORT, VERSION, checked_out, release
from bot.settings import read_commit
from tests.tools.house import ROOT


def test_version_and_commit_are_those_of_documents_heroku_or_git(tmp_path: Path) -> None:
    newest = re.search(r"^## (\d\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert newest[1] == VERSION
    assert (
        tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"] == VERSION
    )
    assert release("0123456789abcdef") == f"{VERSION} (0123456)"
    assert checked_out(tmp_path) == ""
    (tmp_path / "empty" / ".git").mkdir(parents=True)
    assert checked_out(tmp_path / "empty") == ""

    there = tmp_path / "there"

    def git(*words: str) -> None:
        author = [
            "-c",
            "user.name=x",
            "-c",
            "user.email=x@example.com",
            "-c",
            "commit.gpgsign=false",
        ]
        subprocess.run(
            ["git", "-C", str(there), *author, *words],
            check=True,
            capture_output=True,
        )

    there.mkdir()
    git("init")
    git("commit", "--allow-empty", "-m", "one")
    assert re.fullmatch(f"[0-9a-f]{{{SHORT},}}", checked_out(there))


@pytest.mark.parametrize("name", ["HEROKU_BUILD_COMMIT", "HEROKU_SLUG_COMMIT"])
def test_the_commit_comes_from_heroku(name: str) -> None:
    assert read_commit({name: "a" * 40}) == "a" * 40
    assert read_commit({name: "not a commit\n"}) == ""
