"""The flask commands. Bad input ends with one clear line on standard error and exit status 2, never a traceback."""

from __future__ import annotations

import functools
import os
import warnings
from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

import click

from bot.runtime import metrics
from bot.settings import TENHOU
from rating.games import GameError
from rating.league import LeagueError
from storage.ports import StorageError

if TYPE_CHECKING:
    from flask import Flask

    from bot.cli.league import Admin
    from bot.service import Service
    from bot.sync.job_runner import Helpers


NUMBERS = r"(rating|bot|numpy|matplotlib)\b"  # where a RuntimeWarning means a figure that is no number


class Failure(click.ClickException):
    """One clear line, exit status 2."""

    exit_code = 2


def add_commands(app: Flask, service: Service | None, faults: list[str]) -> None:
    """Register every command; without a service they all report the environment's faults (doctor does it at length)."""
    from bot.cli import doctor, paifu, ratings, rich_menu, study
    from bot.cli.usage import Commands

    def get() -> Service:
        if service is None:
            raise Failure("; ".join(faults))
        return service

    ours = (
        *ratings.commands(get),
        *study.commands(get),
        *paifu.commands(paifu.fetch_with(get)),
        *_folder_commands(get),
        *rich_menu.commands(get),
        *doctor.commands(get, faults),
    )
    app.cli = Commands(app.name)
    for command in ours:
        app.cli.add_command(guarded(command))


def _folder_commands(get: Callable[[], Service]) -> list[click.Command]:
    """`sync` and the group `league`, the host's commands among its own."""
    from bot.cli import hosting
    from bot.cli.league import commands

    sync, league = commands(lambda: admin_of(get()))
    assert isinstance(league, click.Group)
    for command in hosting.commands(get):
        league.add_command(command)
    return [sync, league]


def admin_of(service: Service) -> Admin:
    """What flask sync and flask league work on."""
    from bot.cli.league import Admin
    from bot.notify.after_sync import after_sync
    from bot.sync.league_job import work_of

    def after(league: str, days: Sequence[date]) -> None:
        try:
            after_sync(service, league, days)
        finally:
            service.leagues.reopen(league)  # nobody asks this process for it again

    def helpers() -> Helpers | None:
        if not service.settings.redis_url:
            return None
        from bot.sync.job_queue import SyncQueue

        return SyncQueue(service.settings.redis_url, service.state)

    def others() -> list[str]:
        return sorted(set(service.leagues.groups().values()) - {""})

    if service.settings.metrics_token and "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        metrics.configure()
    demo = service.settings.demo and service.settings.tenhou_url == TENHOU
    tenhou = "" if demo else service.settings.tenhou_url
    work = work_of(service, after)
    logs = service.open_logs()
    return Admin(logs, service.state, tenhou, service.now, others=others, work=work, helpers=helpers)


def guarded(command: click.Command) -> click.Command:
    """The same command with every expected error as one line, and a closed pipe as the end."""
    from bot.cli.usage import brief

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
        except (StorageError, GameError, LeagueError, ValueError, ArithmeticError, RuntimeWarning) as error:
            if os.environ.get("JANROKU_DEBUG"):
                raise
            raise Failure(_words(error)) from None
        except BrokenPipeError:
            raise
        except OSError as error:
            raise Failure(f"{error.filename or ''}: {error.strerror or error}".lstrip(": ")) from None

    return clear


def _words(error: Exception) -> str:
    """What is said of an error. Where the arithmetic broke down, its own words name nothing that could be mended."""
    words = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, ArithmeticError | RuntimeWarning) or type(error).__name__ == "LinAlgError":
        return f"the figures can't be worked out ({words}): an option or a score is far too large or small"
    return words
