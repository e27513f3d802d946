"""The flask commands. Bad input ends with one clear line on standard error and exit status 2, never a traceback."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from bot.settings import TENHOU
from rating.games import GameError
from rating.league import LeagueError
from storage.ports import StorageError

if TYPE_CHECKING:
    from flask import Flask

    from bot.cli.admin import Admin
    from bot.service import Service
    from bot.sync import SyncResult
    from storage.ports import LogSource


class Failure(click.ClickException):
    """One clear line, exit status 2."""

    exit_code = 2


def add_commands(app: Flask, service: Service | None, faults: list[str]) -> None:
    """Register every command; without a service they all report the environment's faults (doctor does it at length)."""
    from bot.cli import doctor, ratings, records, richmenu, study

    def get() -> Service:
        if service is None:
            raise Failure("; ".join(faults))
        return service

    ours = (
        *ratings.commands(get),
        *study.commands(get),
        *records.commands(records.fetch_with(get)),
        *_folder_commands(get),
        *richmenu.commands(get),
        *doctor.commands(get, faults),
    )
    for command in ours:
        app.cli.add_command(guarded(command))


def _folder_commands(get: Callable[[], Service]) -> list[click.Command]:
    """`sync` and the group `league`, the host's commands among its own."""
    from bot.cli import admin, hosting

    sync, league = admin.commands(lambda: admin_of(get()))
    assert isinstance(league, click.Group)
    for command in hosting.commands(get):
        league.add_command(command)
    return [sync, league]


def admin_of(service: Service) -> Admin:
    """What flask sync and flask league work on."""
    from bot.aftersync import after_sync
    from bot.cli.admin import Admin

    def after(result: SyncResult) -> None:
        for league in ("", *others()):
            after_sync(service, league, result)

    def others() -> dict[str, LogSource]:
        folders = sorted(set(service.leagues.groups().values()) - {""})
        return {folder: service.open_logs(folder) for folder in folders}

    demo = service.settings.demo and service.settings.tenhou_url == TENHOU
    tenhou = "" if demo else service.settings.tenhou_url
    logs = service.open_logs()
    return Admin(logs, service.state, tenhou, service.now, after=after, others=others)


def guarded(command: click.Command) -> click.Command:
    """The same command with every expected error as one line, and a closed pipe as the end."""
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
            return work(*args, **kwargs)
        except (StorageError, GameError, LeagueError, ValueError) as error:
            if os.environ.get("JANROKU_DEBUG"):
                raise
            raise Failure(" ".join(str(error).split()) or type(error).__name__) from None
        except BrokenPipeError:
            raise
        except OSError as error:
            raise Failure(f"{error.filename or ''}: {error.strerror or error}".lstrip(": ")) from None

    return clear
