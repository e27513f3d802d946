"""Types of the functions that run commands, commands on a test's own service, a reader of their
JSON.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click
from click.testing import Result
from flask import Flask

from bot.cli.base import CommandContext
from bot.cli.commands import add_commands
from bot.settings import SettingFault

Run = Callable[..., Result]
Runner = Callable[..., Run]
League = Callable[[Mapping[str, str]], Run]
Table = Callable[..., str]


def commands(service: Any, faults: Sequence[SettingFault] = ()) -> click.Group:
    """All commands, on a service or what a test puts in its place, or on the environment's
    faults.
    """
    made = Flask("test")
    context = CommandContext(lambda: service)
    if faults:
        context = CommandContext(faults=faults)
    add_commands(made, context)
    group: click.Group = made.cli
    return group


def refused(result: Result) -> str:
    """The one line on standard error that bad input ends with; exit status 2, no traceback."""
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    (line,) = result.stderr.strip().splitlines()
    return line


def json_of(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)
