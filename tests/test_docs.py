"""The commands, files and settings that the documents name exist."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import click
import pytest

from app import create_app
from bot.settings import read_settings
from rating.league_file import parse_league

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text("utf-8")
    links = [*re.findall(r"\]\(([^)#]+)\)", text), *re.findall(r'src="([^"]+)"', text)]
    for link in links:
        assert link.startswith("http") or (page.parent / link).exists(), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_are_there(page: Path) -> None:
    app = create_app(read_settings({}))
    for words in re.findall(
        r"(?:^ {4}|`)(?:heroku run )?flask ([a-z]+)(?: ([a-z]+))?", page.read_text("utf-8"), re.M
    ):
        command = app.cli.commands[words[0]]
        if isinstance(command, click.Group) and words[1]:
            assert words[1] in command.commands, words


def test_the_readmes_league_can_be_read() -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.S)
    assert parse_league(text).players["みどり一色"].name == "みどり"


def test_heroku_gets_the_same_python_from_both_files() -> None:
    version = (ROOT / ".python-version").read_text().strip()
    assert (ROOT / "runtime.txt").read_text().strip() == f"python-{version}"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["requires-python"] == f">={version}"


def test_the_deploy_button_asks_for_variables_there_are() -> None:
    asked = json.loads((ROOT / "app.json").read_text("utf-8"))["env"]
    example = (ROOT / ".env.example").read_text("utf-8")
    assert [name for name in asked if name not in example] == []


def test_every_requirement_is_pinned() -> None:
    for name in ("requirements.txt", "tests/requirements.txt"):
        for line in (ROOT / name).read_text().splitlines():
            assert not line or line.startswith(("#", "-r ")) or "==" in line, line
