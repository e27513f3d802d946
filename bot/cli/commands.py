"""Register the flask commands. Bad input ends with one line on standard error and exit status 2.

With JANROKU_DEBUG set, the error is raised instead, with its traceback. A command's code is loaded when it is
called, so `flask --help` and short commands do not wait for the code of all others.
"""

from __future__ import annotations

import functools
import os
import warnings
from collections.abc import Callable, Sequence
from gettext import gettext as _
from typing import TYPE_CHECKING, Any

import click
from flask import Flask

from bot.cli import version
from bot.cli.errors import Failure
from bot.cli.usage import Commands, LateCommand, brief, helpful
from bot.settings import SettingFault
from storage.ports import StorageError

if TYPE_CHECKING:
    from bot.service import Service

# Modules whose RuntimeWarning means that a figure is not a number.
NUMBERS = r"(rating|bot|numpy|matplotlib)\b"
GetService = Callable[[], "Service"]
Faults = Sequence[SettingFault]


def add_commands(app: Flask, service: GetService | None, faults: Faults) -> None:
    """Register every command. `service` makes the service when a command asks for it.

    Without it, because the environment has faults, every command reports these; `doctor` lists them one by
    one.
    """

    def get() -> Service:
        if service is None:
            raise Failure("; ".join(fault.said() for fault in faults))
        return service()

    app.cli = Commands(app.name, params=[version.VERSION_OPTION])
    for family, words in FAMILIES.items():
        loaded = functools.cache(functools.partial(_loaded, family, get, faults))
        for name, summary in words.items():
            app.cli.add_command(LateCommand(name, summary, functools.partial(_picked, loaded, name)))


def _loaded(
    family: Callable[[GetService, Faults], list[click.Command]], get: GetService, faults: Faults
) -> dict[str, click.Command]:
    """Return a family's commands by name, guarded."""
    return {str(command.name): guarded(command) for command in family(get, faults)}


def _picked(loaded: Callable[[], dict[str, click.Command]], name: str) -> click.Command:
    return loaded()[name]


# Each family imports its module itself, so that no command waits for the modules of others.


def _ratings(get: GetService, faults: Faults) -> list[click.Command]:
    from bot.cli import ratings

    return ratings.commands(get)


def _study(get: GetService, faults: Faults) -> list[click.Command]:
    from bot.cli import study

    return study.commands(get)


def _forecast(get: GetService, faults: Faults) -> list[click.Command]:
    from bot.cli import forecast

    return forecast.commands(get)


def _paifu(get: GetService, faults: Faults) -> list[click.Command]:
    from bot.cli import paifu

    return paifu.commands(paifu.fetch_with(get), get)


def _folder(get: GetService, faults: Faults) -> list[click.Command]:
    """Return `sync` and the group `league`, with those of bot/cli/hosting.py and room.py in it."""
    from bot.cli import hosting, league, room
    from bot.cli.context import context_of

    sync, group = league.commands(lambda: context_of(get()))
    assert isinstance(group, click.Group)
    for command in (*hosting.commands(get), *room.commands(get)):
        group.add_command(command)
    return [sync, group]


def _backup(get: GetService, faults: Faults) -> list[click.Command]:
    from bot.cli import backup

    return backup.commands(get)


def _sweep(get: GetService, faults: Faults) -> list[click.Command]:
    from bot.cli import sweep

    return sweep.commands(get)


def _rich_menu(get: GetService, faults: Faults) -> list[click.Command]:
    from bot.cli import rich_menu

    return rich_menu.commands(get)


def _doctor(get: GetService, faults: Faults) -> list[click.Command]:
    from bot.cli import doctor

    return doctor.commands(get, faults)


def _setup(get: GetService, faults: Faults) -> list[click.Command]:
    from bot.cli.setup import command

    return command.commands()


def _version(get: GetService, faults: Faults) -> list[click.Command]:
    return version.commands()


FAMILIES: dict[Callable[[GetService, Faults], list[click.Command]], dict[str, str]] = {
    _ratings: {
        "standings": "Everyone's rating, best first; guests are left out.",
        "chart": "Draw the rating chart into a PNG file.",
    },
    _study: {
        "calibrate": (
            "Find jansou's factors from the league's own games, with their errors, and whether the games "
            "suffice."
        ),
        "simulate": (
            "Simulate where the mean and variance of a rating settle, beside theory, with Monte Carlo errors."
        ),
        "compare": "Find which rating system predicts the league's games best, and whether any beats chance.",
    },
    _forecast: {
        "forecast": (
            "Find who will win the season: the chance of every place, final points with a 90 % interval, "
            "and skill."
        ),
    },
    _paifu: {
        "paifu": "Statistics of game records (mjlog files, folders of them, or their addresses).",
        "danger": "Print how dangerous each kind of tile is, in danger points.",
        "efficiency": (
            "Print the shanten after each discard of a hand, and what it then accepts (tile efficiency)."
        ),
        "duplicate": (
            "Does folding by danger pay? Two policies, with and without the rule, play the same walls "
            "twice, changing seats."
        ),
    },
    _folder: {
        "sync": "Add Tenhou's newest results to the season logs.",
        "league": "The league's rooms, seasons and logs.",
    },
    _backup: {
        "backup": (
            "Write all leagues' files, versions and records, and what the database alone knows, into FILE "
            "(a zip)."
        ),
        "restore": "Put back what `flask backup` wrote into FILE.",
    },
    _sweep: {"sweep": "Remove the pictures that no link leads to any more."},
    _rich_menu: {"richmenu": "The menu below the 1:1 chat on phones."},
    _doctor: {
        "doctor": "Check the whole set-up with real calls. Exit status 1 when something must be mended.",
    },
    _setup: {"setup": "Set up a league step by step: each answer is tried for real, and kept in .env."},
    _version: {"version": "Say which version and commit this is."},
}
"""The commands of each family, with the first sentences of their help."""


def guarded(command: click.Command) -> click.Command:
    """Return the same command, which reports every expected error in one line. A closed pipe ends it as
    usual."""
    brief(command)
    helpful(command)
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
        except (StorageError, ValueError, ArithmeticError, RuntimeWarning) as error:
            if os.environ.get("JANROKU_DEBUG"):
                raise
            raise Failure(_words(error)) from None
        except BrokenPipeError:
            raise
        except OSError as error:
            raise Failure(f"{error.filename or ''}: {error.strerror or error}".lstrip(": ")) from None

    return clear


def _words(error: Exception) -> str:
    """Return what is said of an error. The message of an arithmetic error does not name the cause, so this
    adds it."""
    words = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, ArithmeticError | RuntimeWarning) or type(error).__name__ == "LinAlgError":
        return _(
            "the figures can't be worked out ({words}): an option or a score is far too large or small"
        ).format(words=words)
    return words
