"""The command line in Japanese: its catalogue is whole and compiled; JSON is the same in every
language.
"""

import ast
import re
import string
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import click
import polib
import pytest

from app import create_app
from bot.cli.base import LateCommand, help_text
from bot.cli.commands import COMMANDS, GROUPS
from bot.runtime.translation import DOMAIN, LOCALE
from bot.settings import read_settings
from rating.league_file import KINDS, WORDS
from tests.cli.running import Run, Runner
from tests.fakes.process import ROOT, clean_env

pytestmark = pytest.mark.any_backend("says words; nothing is kept")

CLICKS = {
    "Usage:",
    "Options",
    "Commands",
    "Show this message and exit.",
    "required",
    "default: {default}",
    "Error: {message}",
    "Aborted!",
    "No such option {name!r}.",
    "No such command {name!r}.",
    "Missing argument",
    "Missing option",
    "Invalid value: {message}",
    "Invalid value for {param_hint}: {message}",
}
"""Of click's own words those that a reader of ours meets."""
PO = LOCALE / "ja" / "LC_MESSAGES" / f"{DOMAIN}.po"


def marked(*folders: Path) -> Iterator[str]:
    """Yield every text in a call of `_`, as modules import `gettext`, `message` and
    `translated`.
    """
    for path in chain.from_iterable(folder.rglob("*.py") for folder in folders):
        text = path.read_text("utf-8")
        if not re.search(r"(gettext|message|translated) as _", text):
            continue
        for node in ast.walk(ast.parse(text)):
            match node:
                case ast.Call(func=ast.Name(id="_"), args=[first, *_]):
                    # A ValueError is a mark on more than a literal string.
                    yield ast.literal_eval(first)


def helped(command: click.Command) -> Iterator[str]:
    """Yield the help of a command, of its options and of the commands in it, but for the
    summaries.
    """
    if isinstance(command, LateCommand):
        command = command.load()
    for part in (command, *command.params):
        text = getattr(part, "help", None)
        if text:
            yield help_text(text)
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            yield from helped(inner)


def messages() -> set[str]:
    """Return the English texts of the command line."""
    ours = {*WORDS.values(), *KINDS.values(), *GROUPS.values()}
    ours.update(marked(ROOT / "bot", ROOT / "rating", ROOT / "storage"))
    for summaries in COMMANDS.values():
        ours.update(summaries.values())
    for command in create_app(read_settings({})).cli.commands.values():
        ours.update(helped(command))
    return ours


def fields(text: str) -> set[tuple[str, str | None, str | None]]:
    """Return the placeholders with how they are written."""
    return {
        (name, form, kind)
        for _, name, form, kind in string.Formatter().parse(text)
        if name is not None
    }


def test_every_message_has_its_japanese_and_no_other_is_there() -> None:
    there = {entry.msgid for entry in polib.pofile(str(PO)) if entry.msgstr}
    assert there == messages() | CLICKS


def test_placeholders_are_the_same() -> None:
    for entry in polib.pofile(str(PO)):
        assert fields(entry.msgid) == fields(entry.msgstr), entry.msgid


def test_the_catalogue_is_compiled() -> None:
    """`make messages` does it."""
    compiled = polib.mofile(str(PO.with_suffix(".mo")))
    source = polib.pofile(str(PO))
    texts = {entry.msgid: entry.msgstr for entry in source}
    assert {entry.msgid: entry.msgstr for entry in compiled} == texts


@pytest.fixture
def flawed(runner: Runner, tmp_path: Path) -> Run:
    """Run a command on a folder with a fault of each kind that one log can have."""
    (tmp_path / "league.toml").write_text('model = "elo"\n', encoding="utf-8")
    lines = (
        "#13/40",
        "L1 | x",
        "C1234 | 21:05 | 三般南喰赤－ | A(+10.0) B(0.0) C(-5.0)20200518",
        "?",
    )
    (tmp_path / "logvol1.txt").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "rating.txt").write_text("A\n", encoding="utf-8")
    return runner(tmp_path, tmp_path)


WAYS: tuple[tuple[str, ...], ...] = (
    ("league", "check"),
    ("league", "history"),
    ("standings",),
    ("version",),
    ("forecast",),
    ("sync",),
    ("sweep",),
)


@pytest.mark.parametrize("call", WAYS, ids="-".join)
def test_languages_differ_in_words_alone(flawed: Run, call: tuple[str, ...]) -> None:
    """JSON is the same in both, and so is the exit status; an error has its one line."""
    english = flawed(*call, "--json", env={"LANGUAGE": "en"})
    japanese = flawed(*call, "--json", env={"LANGUAGE": "ja"})
    assert (japanese.stdout, japanese.exit_code) == (english.stdout, english.exit_code)
    english = flawed(*call, env={"LANGUAGE": "en"})
    japanese = flawed(*call, env={"LANGUAGE": "ja"})
    assert japanese.exit_code == english.exit_code
    assert japanese.output.count("\n") == english.output.count("\n")


def test_findings_and_their_mends_are_in_japanese(flawed: Run) -> None:
    output = flawed("league", "check", env={"LANGUAGE": "ja"}).stdout
    lines = [line.strip() for line in output.splitlines()]
    assert all("。" in line or "ください" in line for line in lines if line.startswith("->"))
    findings = [line for line in lines if line.startswith(("logvol1.txt:", "league.toml:"))]
    assert len(findings) > 5
    for finding in findings:
        _, _, reason = finding.partition(": ")
        assert re.search("[ぁ-ん]", reason), finding


def test_help_is_in_japanese_to_the_last_option(run: Run) -> None:
    for call in ("", "league", "league check", "sync", "sweep"):
        output = run(*call.split(), "--help", env={"LANGUAGE": "ja"}).stdout
        assert output.startswith("使い方:")
        assert "この説明を表示します" in output
        assert "Exit status" not in output
    assert "使い方" not in run("league", "--help").stdout


@pytest.mark.parametrize(
    ("language", "words"), [("ja_JP.UTF-8", "始めてください"), ("C.UTF-8", "must begin with")]
)
def test_a_process_takes_its_language_from_lang(language: str, words: str) -> None:
    env = clean_env(LANGUAGE="", LC_ALL="", LC_MESSAGES="", LANG=language, IMAGES_URL="ftp://x")
    code = "import sys; from bot.cli.version import main; sys.argv = ['flask', 'standings']; main()"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True
    )
    assert run.returncode == 2
    assert words in run.stderr
    assert run.stderr.count("\n") == 1
