"""Commands are loaded when they are called."""

import re
import subprocess
import sys

import pytest

from app import create_app
from bot.cli.base import LateCommand
from bot.cli.commands import COMMANDS
from bot.settings import read_settings
from tests.fakes.process import ROOT, clean_env


@pytest.mark.parametrize(
    ("module", "path"), [(module, path) for module, paths in COMMANDS.items() for path in paths]
)
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
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=clean_env(), capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.rstrip().endswith("[]")
    listed = re.findall(r"^  (\w+) ", run.stdout.partition("Commands:")[2], re.M)
    made = create_app(read_settings({})).cli.commands
    assert set(listed[:-3]) == {name for name, command in made.items() if not command.hidden}
    assert listed[:3] == ["standings", "chart", "forecast"]
    assert listed[-4:] == ["lab", "routes", "run", "shell"]


@pytest.mark.parametrize("name", ["compare", "calibrate", "simulate", "duplicate", "danger", "efficiency"])
def test_a_command_of_the_lab_has_its_old_name_too(name: str) -> None:
    made = create_app(read_settings({})).test_cli_runner()
    old, new = (made.invoke(args=[*group, name, "--help"]).output for group in ((), ("lab",)))
    assert new.replace("flask lab", "flask").replace(" lab ", " ") == old.replace(" lab ", " ")
    assert "Usage:" in old
