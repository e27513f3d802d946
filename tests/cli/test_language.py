"""The command line in Japanese: the catalogue is whole and compiled, and JSON is the same in every language."""

from __future__ import annotations

import ast
import string
from pathlib import Path

import polib

from bot.cli.language import DOMAIN, LOCALE
from tests.cli.running import Run
from tests.fakes.process import ROOT

PO = LOCALE / "ja" / "LC_MESSAGES" / f"{DOMAIN}.po"


def marked() -> set[str]:
    """Every text in a call of `_`, which is how modules import gettext. It must be one literal string."""
    texts = set()
    for path in (path for room in ("bot", "rating", "storage") for path in Path(ROOT, room).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        for call in (call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "_"):
            assert isinstance(call.args[0], ast.Constant), f"{path}:{call.lineno} marks more than a string"
            texts.add(str(call.args[0].value))
    return texts


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_every_marked_message_has_its_japanese_and_no_other_is_there() -> None:
    assert marked() == {entry.msgid for entry in polib.pofile(str(PO)) if entry.msgstr}


def test_placeholders_are_the_same() -> None:
    for entry in polib.pofile(str(PO)):
        assert fields(entry.msgid) == fields(entry.msgstr), entry.msgid


def test_the_catalogue_is_compiled() -> None:
    """`make messages` does it."""
    compiled = {entry.msgid: entry.msgstr for entry in polib.mofile(str(PO.with_suffix(".mo")))}
    assert compiled == {entry.msgid: entry.msgstr for entry in polib.pofile(str(PO))}


def test_the_environment_chooses_the_language(run: Run) -> None:
    assert "findings in" in run("league", "check").stdout
    assert "問題は" in run("league", "check", env={"LANGUAGE": "ja"}).stdout


def test_json_is_the_same_in_every_language(run: Run) -> None:
    japanese = run("league", "check", "--json", env={"LANGUAGE": "ja"})
    assert japanese.stdout == run("league", "check", "--json").stdout
