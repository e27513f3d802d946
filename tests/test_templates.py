"""Sentences for members are templates with names: tests/tools/sentences.py lists them all, and
reports the Japanese strings that are none.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tools import sentences
from tests.tools.sentences import (
    IN_FUNCTION,
    NO_CONSTANT,
    UNNAMED_PLACE,
    JapaneseString,
    ModuleStrings,
)


def templates_in(source: str) -> dict[str, str]:
    templates = ModuleStrings("a.py", source).templates
    return {template.name: template.text for template in templates}


def strings_in(source: str) -> list[JapaneseString]:
    return ModuleStrings("a.py", source).strings


def test_no_folder_has_more_japanese_outside_templates() -> None:
    allowed = json.loads(sentences.RATCHET.read_text("utf-8"))
    modules = sentences.read_strings(sentences.PRODUCT)
    assert list(sentences.faults(modules, allowed)) == []


def test_every_template_is_filled_with_its_own_places() -> None:
    assert list(sentences.wrong_places()) == []


def test_constants_and_their_parts_are_templates() -> None:
    source = """
NOT_YET = "{day}の対局はまだありません"
SEATS = {3: "三人打ち", 4: "四人打ち"}
SPECS = (Spec(name="today", title="今日"),)
class Card:
    empty: str = "まだ空です"
"""
    assert templates_in(source) == {
        "NOT_YET": "{day}の対局はまだありません",
        "SEATS[3]": "三人打ち",
        "SEATS[4]": "四人打ち",
        "SPECS title": "今日",
        "Card.empty": "まだ空です",
    }
    assert strings_in(source) == []


@pytest.mark.parametrize(
    ("source", "text", "reason"),
    [
        ("def f():\n    return '対局'", "対局", IN_FUNCTION),
        ("def f(n):\n    return f'{n}戦'", "{…}戦", IN_FUNCTION),
        ("def f(word='対局'): ...", "対局", IN_FUNCTION),
        ("key = lambda n: f'{n}戦'", "{…}戦", IN_FUNCTION),
        ("class A:\n    def f(self):\n        g('対局')", "対局", IN_FUNCTION),
        ("GAMES = '{}戦'", "{}戦", UNNAMED_PLACE),
        ("GAMES = '{0}戦'", "{0}戦", UNNAMED_PLACE),
        ("print('対局')", "対局", NO_CONSTANT),
    ],
)
def test_other_japanese_is_reported(source: str, text: str, reason: str) -> None:
    (string,) = strings_in(source)
    assert string.text == text
    assert string.reason == reason


@pytest.mark.parametrize(
    "source",
    [
        '"""対局 in a docstring."""',
        'def f():\n    """対局 in a docstring."""',
        "def f(text):\n    return text == '対局' or text in ('戦', '局')",
        "def f(text):\n    return re.fullmatch('対局[!！]*', text)",
        "def f(text):\n    return text.removesuffix('さん')",
        "WORDS = frozenset('対局 戦'.split())",
        "PATTERN = r'\\d{1,3}戦'",
        "SPECS = (Spec(words='収支 しゅうし'),)",
        "def f(names):\n    return '・'.join(names)",
    ],
)
def test_words_that_members_type_are_no_sentences(source: str) -> None:
    assert strings_in(source) == []
    assert templates_in(source) == {}


def test_more_strings_than_allowed_are_refused_with_their_places() -> None:
    modules = [ModuleStrings("bot/answers/games/a.py", "def f():\n    return '対局'")]
    (problem,) = sentences.faults(modules, {})
    assert problem == (
        "bot/answers/games: 1 Japanese strings without template, more than 0:\n"
        "  bot/answers/games/a.py:2: '対局' (inside a function)"
    )
    assert list(sentences.faults(modules, {"bot/answers/games": 1})) == []


@pytest.mark.parametrize(
    ("call", "is_wrong"),
    [
        ("GAMES.format(count=1)", False),
        ("GAMES.format(**values)", False),
        ("GAMES.format(number=1)", True),
        ("GAMES.format()", True),
        ("words.GAMES.format(number=1)", True),
        ("COUNT.format(number=1)", True),
        ("OTHER.format(number=1)", False),
    ],
)
def test_a_call_with_other_places_is_reported(tmp_path: Path, call: str, is_wrong: bool) -> None:
    words = tmp_path / "bot" / "words.py"
    words.parent.mkdir()
    words.write_text("GAMES = '{count}戦'\n", "utf-8")
    imports = "from bot import words\nfrom bot.words import GAMES, GAMES as COUNT\n"
    (tmp_path / "bot" / "answer.py").write_text(f"{imports}text = {call}\n", "utf-8")
    expected = []
    if is_wrong:
        expected = ["bot/answer.py:3: '{count}戦'"]
    assert list(sentences.wrong_places(root=tmp_path)) == expected


def test_the_listing_has_every_template_under_its_feature(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert sentences.main(["bot/answers/games"]) == 0
    listing = capsys.readouterr().out
    assert "== bot/answers/games\n" in listing
    assert "  NOT_YET\n      今日の対局はまだありません\n" in listing


def test_the_wording_for_a_day_without_games_is_in_one_place() -> None:
    wording = "今日の対局はまだありません"
    names: list[str] = []
    for module in sentences.read_strings(sentences.PRODUCT):
        assert wording not in str(module.strings)
        names += [template.name for template in module.templates if wording in template.text]
    assert names == ["NOT_YET"]
