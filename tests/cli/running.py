"""Types of the functions that run commands in tests, the commands on a test's own service, and a reader of
the JSON they print."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import click
from click.testing import Result
from flask import Flask

from bot.cli.base import CommandContext
from bot.cli.commands import add_commands
from bot.settings import SettingFault

Run = Callable[..., Result]
Runner = Callable[..., Run]


def commands(service: Any, faults: Sequence[SettingFault] = ()) -> click.Group:
    """All commands, which work on a service or what a test puts in its place, or on the environment's
    faults."""
    made = Flask("test")
    add_commands(made, CommandContext(faults=faults) if faults else CommandContext(lambda: service))
    group: click.Group = made.cli
    return group


def json_of(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)
