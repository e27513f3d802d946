"""Help in the chosen language, and one line for a command that is called wrongly; click itself writes
four."""

from __future__ import annotations

import functools
from collections.abc import Callable
from gettext import gettext as _
from typing import Any

import click
from flask.cli import AppGroup

from bot.cli import language
from bot.cli.errors import Failure


def brief(command: click.Command) -> None:
    """Make the command report wrong arguments in one line."""
    command.make_context = _brief(command.make_context)  # type: ignore[method-assign]
    command.invoke = _brief(command.invoke)  # type: ignore[method-assign]


def helpful(command: click.Command) -> None:
    """Make the command's help appear in the chosen language."""
    format_help = command.format_help

    def formatted(ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with language.helping(command):
            format_help(ctx, formatter)

    command.format_help = formatted  # type: ignore[method-assign]


def _brief(work: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(work)
    def told(*args: Any, **kwargs: Any) -> Any:
        try:
            return work(*args, **kwargs)
        except click.exceptions.NoArgsIsHelpError:  # a group called without a command shows its help
            raise
        except click.UsageError as error:
            words = " ".join(error.format_message().split()).rstrip(".")
            raise Failure(
                _("{words} (see `{command} --help`)").format(words=words, command=_path(error.ctx))
            ) from None

    return told


def _path(context: click.Context | None) -> str:
    """Return the command as it is typed, such as `flask league check`."""
    names: list[str] = []
    while context is not None and context.parent is not None:
        names.insert(0, context.info_name or "")
        context = context.parent
    return " ".join(["flask", *names])


class LateCommand(click.Command):
    """A command's name and summary. The command itself is made when it is called."""

    def __init__(self, name: str, summary: str, make: Callable[[], click.Command]) -> None:
        super().__init__(name, help=summary)
        self.make = make

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the summary in the chosen language."""
        with language.helping(self):
            return super().get_short_help_str(limit)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Return the context of the command itself, which click then invokes."""
        return self.make().make_context(info_name, args, parent, **extra)


class Commands(AppGroup):
    """The app's commands, in the environment's language. An unknown command is reported in one line too."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        language.follow_environment()
        return super().make_context(info_name, args, parent, **extra)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = super().get_command(ctx, cmd_name)
        if found is None and not ctx.resilient_parsing and not cmd_name.startswith("-"):
            raise Failure(_("there is no command {name} (see `flask --help`)").format(name=cmd_name))
        return found
