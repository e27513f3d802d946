"""The commands, files and settings that the documents name exist."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import click
import pytest

from app import create_app
from bot.answers.common.ratings import model_title
from bot.settings import read_settings
from rating.models import MODELS

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
COMMAND = re.compile(r"(?:^ {4}|`)(?:heroku run )?flask ([a-z]+)(?: ([a-z]+))?", re.M)
FILE = re.compile(r"`((?:bot|rating|storage|tests)/[\w/]+\.py)(?::([\w.]+))?`")


def test_commands_are_there() -> None:
    commands = create_app(read_settings({})).cli.commands
    for page in PAGES:
        for name, word in COMMAND.findall(page.read_text("utf-8")):
            command = commands[name]
            assert not (isinstance(command, click.Group) and word) or word in command.commands, (
                page,
                name,
            )


def test_named_files_and_functions_are_there() -> None:
    """`bot/web.py` is a file, `bot/web.py:_Routes.callback` a function or class in it."""
    parsed = cache(lambda file: ast.parse((ROOT / file).read_text("utf-8")))
    for page in PAGES:
        for file, name in FILE.findall(page.read_text("utf-8")):
            if page.name == "extending.md" and not (ROOT / file).exists():
                continue  # its example, see tests/test_extending.py
            found: ast.AST = parsed(file)
            for part in filter(None, name.split(".")):
                inner = [
                    node
                    for node in ast.iter_child_nodes(found)
                    if getattr(node, "name", "") == part
                ]
                assert inner, (page.name, file, name)
                found = inner[0]


WAYS = {"A tap": 10, "A sync": 10, "A game from a league's own room": 6, "A paifu": 10}
"""The sections of how-it-works.md that list steps, and how many each has."""


@pytest.mark.parametrize("title", WAYS)
def test_each_way_has_numbered_steps_with_code(title: str) -> None:
    text = (ROOT / "docs" / "how-it-works.md").read_text("utf-8")
    (section,) = re.findall(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.S | re.M)
    steps = re.findall(r"^(\d+)\. (.*?)(?=^\d|\Z)", section, re.S | re.M)
    assert [int(number) for number, _ in steps] == list(range(1, WAYS[title] + 1))
    assert all("`" in step or "above" in step for _, step in steps)


@cache
def layers() -> list[set[str]]:
    """The rooms of each layer of pyproject.toml's import contract, from the top down."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    (lines,) = [
        contract["layers"]
        for contract in config["contracts"]
        if contract["type"] == "layers" and "bot.service" in contract["layers"]
    ]
    return [{room.strip().removeprefix("bot.") for room in line.split("|")} for line in lines]


def test_rooms_in_the_text_picture_are_the_layers() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    (drawn,) = re.findall(r"```\n(.*?)```", text, re.S)
    rooms = [re.split(r" {4,}", line.strip())[0] for line in drawn.splitlines()]
    shown = [{name.strip("/") for name in line.split()} for line in rooms]
    assert shown == layers()


def test_arrows_of_the_mermaid_picture_go_down() -> None:
    text = (ROOT / "docs" / "how-it-works.md").read_text("utf-8")
    (drawn,) = re.findall(r"```mermaid\nflowchart TD\n(.*?)```", text, re.S)
    floor = {room: number for number, rooms in enumerate(layers()) for room in rooms}
    arrows = re.findall(r"^    (\w+)(?:\[.*\])? --> (\w+)", drawn, re.M)
    assert len(arrows) == len(drawn.splitlines())
    assert all(floor[upper] < floor[lower] for upper, lower in arrows)


def test_heroku_gets_the_same_python_from_both_files() -> None:
    version = (ROOT / ".python-version").read_text().strip()
    assert (ROOT / "runtime.txt").read_text().strip() == f"python-{version}"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["requires-python"] == f">={version}"


def test_the_index_names_every_page_in_a_line() -> None:
    text = (ROOT / "docs" / "README.md").read_text("utf-8")
    rows = "".join(re.findall(r"^\| \[.*", text, re.M))
    named = re.findall(r"\]\(([^)]+)\)", rows)
    pages = {page.name for page in (ROOT / "docs").glob("*.md")}
    assert sorted(named) == sorted(pages - {"README.md"})


@pytest.mark.parametrize("page", ["asking", "recaps", "titles"])
def test_the_tables_of_both_languages_have_the_same_figures(page: str) -> None:
    def cells(name: str) -> list[list[str]]:
        text = (ROOT / "docs" / name).read_text("utf-8")
        first = "title|称号|trophy|賞|typed|打つ|on the poster|ポスターにある"
        tables = re.findall(rf"^\| (?:{first}).*\n\|[-|]+\n((?:\|.*\n)+)", text, re.M)
        rows = re.findall(r"^\| (.+) \|$", "".join(tables), re.M)
        assert rows
        return [same_words(row.split(" | ")) for row in rows]

    def same_words(row: list[str]) -> list[str]:
        """What both languages write alike: the first cell, and the figures of the last two."""
        words = [row[0]]
        if page == "titles":
            words += re.findall(r"[+−]?\d+\.?\d*%?", " ".join(row[-2:]))
        return [word for word in words if not re.search("[a-z]|ポスターにある|の横の", word)]

    assert cells(f"{page}.md") == cells(f"{page}.ja.md")


@pytest.mark.parametrize("page", ["ratings.md", "ratings.ja.md"])
def test_the_ratings_page_tells_of_every_system(page: str) -> None:
    """Each has a row of the table, and a section with formula, source, LINE, command and
    interval.
    """
    text = (ROOT / "docs" / page).read_text("utf-8")
    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", text, re.M | re.S))
    assert list(sections) == list(MODELS)
    for name, model in MODELS.items():
        (row,) = re.findall(rf"^\| .*\(#{name}\).*\|$", text, re.M)
        said = sections[name]
        title = model_title(name)
        assert title in row
        assert f"**{title}" in said
        assert re.search(r"^    \S", said, re.M), "a formula"
        assert f"`flask standings --model {name}" in said
        source, line, interval = re.findall(
            r"^- (?:Source|LINE|Interval|出典|誤差)(?:: |：)(.*)", said, re.M
        )
        assert source
        assert title in line
        assert ("95" in row) == ("95" in interval) == (model.baseline == 0), (
            "those from 1500 have none"
        )
