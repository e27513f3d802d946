"""Commands are loaded when they are called, and `flask --help` says of each what it says itself."""

from __future__ import annotations

import subprocess
import sys

import pytest

from app import create_app
from bot.cli.usage import LateCommand
from bot.settings import read_settings
from tests.fakes.process import ROOT, clean_env

COMMANDS = create_app(read_settings({})).cli.commands


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_the_summary_is_the_command_s_own(name: str) -> None:
    late = COMMANDS[name]
    assert isinstance(late, LateCommand)
    made = late.make()
    assert made.name == name
    for limit in (20, 45, 60, 80, 300):
        assert late.get_short_help_str(limit) == made.get_short_help_str(limit)


def test_each_family_is_told_whole() -> None:
    from bot.cli.commands import FAMILIES

    for family, words in FAMILIES.items():
        assert {command.name for command in family(lambda: None, [])} == set(words)  # type: ignore[arg-type,return-value]


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
    assert all(f"  {name} " in run.stdout for name in COMMANDS)
