"""The files of requirements: pinned whole, with hashes and the day, in step with what they are made
from.
"""

import json
import re
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from bot.runtime.version import VERSION
from tests.tools.release import main, notes

ROOT = Path(__file__).parents[1]
FILES = ("requirements.txt", "tests/requirements.txt")
PINNED = re.compile(
    r"^([\w.-]+)(?:\[\w+\])?==([\w.]+)(?: ; (.*?))? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)",
    re.M,
)


def test_a_release_has_notes_and_a_bill_of_every_pin(tmp_path: Path) -> None:
    main(["--dry-run", str(tmp_path)])
    made = json.loads((tmp_path / f"janroku-{VERSION}.cdx.json").read_text("utf-8"))
    assert {plain(part["name"]): part["version"] for part in made["components"]} == {
        name: number for name, (number, _) in pinned("requirements.txt").items()
    }
    hashes = [digest for part in made["components"] for digest in part["hashes"]]
    assert all(len(digest["content"]) == 64 for digest in hashes)
    assert (tmp_path / f"janroku-{VERSION}.md").read_text("utf-8").startswith("###")
    with pytest.raises(SystemExit, match=r"has no section 9\.9\.9"):
        notes("## 0.2.0\n\n- x\n", "9.9.9")


def plain(name: str) -> str:
    """Return a package's name as PEP 503 compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(file: str) -> dict[str, tuple[str, str]]:
    """Return version and environment marker of each package, by name."""
    text = (ROOT / file).read_text("utf-8")
    packages = {}
    for match in PINNED.finditer(text):
        name, version, marker = match.group(1, 2, 3)
        packages[plain(name)] = (version, marker or "")
    return packages


def wanted(file: str) -> set[str]:
    """Return the names in the file that another is made from."""
    lines = (ROOT / file).read_text("utf-8").splitlines()
    wanted_lines = [line for line in lines if re.match(r"\w", line)]
    return {plain(re.split(r"[\[<>=! #]", line)[0]) for line in wanted_lines}


@pytest.mark.parametrize("file", FILES)
def test_every_package_is_pinned_with_hashes(file: str) -> None:
    text = (ROOT / file).read_text("utf-8")
    left = [
        line
        for line in PINNED.sub("", text).splitlines()
        if line and not line.lstrip().startswith("#")
    ]
    assert left == []
    day = re.match(r"# (\d{4}-\d\d-\d\d): ", text)
    assert day is not None
    assert date(2026, 1, 1) < date.fromisoformat(day[1])
    assert "://" not in text


def test_they_are_in_step_with_what_they_are_made_from() -> None:
    service, tests = (pinned(file) for file in FILES)
    assert wanted("requirements.in") <= set(service)
    assert wanted("tests/requirements.in") <= set(tests)
    assert {name: tests[name][0] for name in service} == {
        name: pin for name, (pin, _) in service.items()
    }
    assert not wanted("tests/requirements.in") & set(service)


def test_what_is_installed_is_what_is_pinned() -> None:
    """Packages for other Pythons and systems are passed over by their markers."""
    for name, (pin, marker) in pinned("tests/requirements.txt").items():
        try:
            assert version(name) == pin, name
        except PackageNotFoundError:
            assert marker, name


def test_installations_ask_for_hashes() -> None:
    for file in ("Containerfile", "Makefile"):
        lines = [
            line
            for line in (ROOT / file).read_text("utf-8").splitlines()
            if re.search(r"-r (tests/)?requirements.txt", line)
        ]
        installs = [line for line in lines if "install" in line.lower()]
        assert installs
        assert all("--require-hashes" in line or "$(INSTALL)" in line for line in installs)
