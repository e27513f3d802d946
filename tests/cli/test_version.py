"""`flask version`, and the --version of the virtual environment's own flask command."""

import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO

import pytest

from bot.cli.version import main
from bot.runtime.version import VERSION, release
from tests.cli.running import Run, json_of
from tests.fakes.process import ROOT, clean_env


def test_the_command_says_the_version(run: Run) -> None:
    assert run("version").stdout == f"Janroku {release()}\n"
    assert json_of(run("version", "--json"))["version"] == VERSION


def test_the_environments_flask_says_it_beside_its_own() -> None:
    command = [sys.executable, "-m", "bot.cli.version", "--version"]
    told = subprocess.check_output(command, cwd=ROOT, env=clean_env(), text=True, timeout=60)
    first, *others = told.splitlines()
    assert first.startswith(f"Janroku {VERSION}")
    assert any(line.startswith("Flask ") for line in others)


def test_the_environments_flask_begins_its_help_with_our_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLASK_RUN_FROM_CLI", "true")  # Flask sets it and leaves it
    for language, words in (("en", "Janroku (雀録) keeps"), ("ja", "雀録（Janroku）は、")):
        monkeypatch.setenv("LANGUAGE", language)
        monkeypatch.setattr(sys, "argv", ["flask", "--help"])
        with redirect_stdout(StringIO()) as told, pytest.raises(SystemExit):
            main()
        assert told.getvalue().splitlines()[2].strip().startswith(words)
