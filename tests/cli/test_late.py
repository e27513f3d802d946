"""The flask command: commands load when they are called, `--version` prints the version, and the
help has our texts.
"""

import re
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO

import pytest

from app import create_app
from bot.cli.base import LateCommand
from bot.cli.commands import COMMANDS
from bot.cli.version import main
from bot.runtime.version import VERSION, release
from bot.settings import read_settings
from tests.cli.running import Run, json_of
from tests.fakes.process import ROOT, clean_env

PATHS: list[tuple[str, str]] = []
for module_name, paths_of_module in COMMANDS.items():
    PATHS += [(module_name, path) for path in paths_of_module]


@pytest.mark.parametrize(("module", "path"), PATHS)
def test_a_command_has_its_name_in_its_module(module: str, path: str) -> None:
    *groups, name = path.split()
    group = create_app(read_settings({})).cli
    for step in groups:
        group = group.commands[step]  # type: ignore[assignment]
    late = group.commands[name]
    assert isinstance(late, LateCommand)
    assert late.load().callback.__module__ == f"bot.cli.{module}"


def test_help_loads_no_service() -> None:
    code = (
        "import sys; from bot.cli.version import main; sys.argv = ['flask', '--help']\n"
        "try: main()\n"
        "finally: print([m for m in ('numpy', 'bot.service', 'bot.answers', 'sqlalchemy', 'linebot') if m in sys.modules])"
    )
    output = subprocess.check_output(
        [sys.executable, "-c", code], cwd=ROOT, env=clean_env(), text=True
    )
    assert output.rstrip().endswith("[]")
    listed = re.findall(r"^  (\w+) ", output.partition("Commands:")[2], re.M)
    made = create_app(read_settings({})).cli.commands
    visible = {name for name, command in made.items() if not command.hidden}
    assert set(listed[:-3]) == visible
    assert listed[:3] == ["standings", "chart", "forecast"]
    assert listed[-4:] == ["lab", "routes", "run", "shell"]


@pytest.mark.parametrize(
    "name", ["compare", "calibrate", "simulate", "duplicate", "danger", "efficiency"]
)
def test_a_command_of_the_lab_has_its_old_name_too(name: str) -> None:
    made = create_app(read_settings({})).test_cli_runner()
    old = made.invoke(args=[name, "--help"]).output
    new = made.invoke(args=["lab", name, "--help"]).output
    assert new.replace("flask lab", "flask").replace(" lab ", " ") == old.replace(" lab ", " ")
    assert "Usage:" in old


def test_the_command_says_the_version(run: Run) -> None:
    assert run("version").stdout == f"Janroku {release()}\n"
    assert json_of(run("version", "--json"))["version"] == VERSION


def test_the_environments_flask_says_it_beside_its_own() -> None:
    command = [sys.executable, "-m", "bot.cli.version", "--version"]
    output = subprocess.check_output(command, cwd=ROOT, env=clean_env(), text=True, timeout=60)
    first, *others = output.splitlines()
    assert first.startswith(f"Janroku {VERSION}")
    assert any(line.startswith("Flask ") for line in others)


def test_the_environments_flask_begins_its_help_with_our_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FLASK_RUN_FROM_CLI", "true")  # Flask sets it and leaves it
    for language, words in (("en", "Janroku (雀録) keeps"), ("ja", "雀録（Janroku）は、")):
        monkeypatch.setenv("LANGUAGE", language)
        monkeypatch.setattr(sys, "argv", ["flask", "--help"])
        with redirect_stdout(StringIO()) as output, pytest.raises(SystemExit):
            main()
        assert output.getvalue().splitlines()[2].strip().startswith(words)
