"""Register the flask commands. Bad input ends with one line on standard error and exit status 2.

With JANROKU_DEBUG set, the error is raised instead, with its traceback.
"""

from __future__ import annotations

import functools
import os
import warnings
from collections.abc import Callable
from typing import Any

import click
from flask import Flask

from bot.cli import doctor, forecast, hosting, league, paifu, ratings, rich_menu, study, version
from bot.cli.context import context_of
from bot.cli.errors import Failure
from bot.cli.usage import Commands, brief
from bot.service import Service
from rating.games import GameError
from storage.ports import StorageError

# Modules whose RuntimeWarning means that a figure is not a number.
NUMBERS = r"(rating|bot|numpy|matplotlib)\b"


def add_commands(app: Flask, service: Service | None, faults: list[str]) -> None:
    """Register every command.

    Without a service, because the environment has faults, every command reports these; `doctor` lists them one by one.
    """

    def get() -> Service:
        if service is None:
            raise Failure("; ".join(faults))
        return service

    ours = (
        *ratings.commands(get),
        *study.commands(get),
        *forecast.commands(get),
        *paifu.commands(paifu.fetch_with(get)),
        *_folder_commands(get),
        *rich_menu.commands(get),
        *doctor.commands(get, faults),
        *version.commands(),
    )
    app.cli = Commands(app.name, params=[version.VERSION_OPTION])
    for command in ours:
        app.cli.add_command(guarded(command))


def _folder_commands(get: Callable[[], Service]) -> list[click.Command]:
    """Return `sync` and the group `league`, with the commands of bot/cli/hosting.py in it."""
    sync, group = league.commands(lambda: context_of(get()))
    assert isinstance(group, click.Group)
    for command in hosting.commands(get):
        group.add_command(command)
    return [sync, group]


def guarded(command: click.Command) -> click.Command:
    """Return the same command, which reports every expected error in one line. A closed pipe ends it as usual."""
    brief(command)
    if isinstance(command, click.Group):
        for name, inner in list(command.commands.items()):
            command.commands[name] = guarded(inner)
    if command.callback is not None:
        command.callback = _clear(command.callback)
    return command


def _clear(work: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(work)
    def clear(*args: Any, **kwargs: Any) -> Any:
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("error", category=RuntimeWarning, module=NUMBERS)
                return work(*args, **kwargs)
        except (StorageError, GameError, ValueError, ArithmeticError, RuntimeWarning) as error:
            if os.environ.get("JANROKU_DEBUG"):
                raise
            raise Failure(_words(error)) from None
        except BrokenPipeError:
            raise
        except OSError as error:
            raise Failure(f"{error.filename or ''}: {error.strerror or error}".lstrip(": ")) from None

    return clear


def _words(error: Exception) -> str:
    """Return what is said of an error. The message of an arithmetic error does not name the cause, so this adds it."""
    words = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, ArithmeticError | RuntimeWarning) or type(error).__name__ == "LinAlgError":
        return f"the figures can't be worked out ({words}): an option or a score is far too large or small"
    return words
