"""What all commands share: their context, and help in the chosen language.

Only commands choose a language (LANGUAGE, LC_ALL, LC_MESSAGES or LANG): the service's log stays
English.
"""

from __future__ import annotations

import gettext
import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

import click

from bot.cli.errors import Failure, one_line_errors
from bot.runtime.translation import DOMAIN, LOCALE, translated as _
from bot.settings import SettingFault

if TYPE_CHECKING:
    from bot.chat.feature import Drawing
    from bot.service import Service

# Modules whose RuntimeWarning means that a figure is not a number.
NUMBERS = r"(rating|bot|numpy|matplotlib)\b"


@dataclass(frozen=True)
class CommandContext:
    """What commands work on: a service, made when it is asked for, or the environment's faults."""

    make: Callable[[], Service] | None = None
    faults: Sequence[SettingFault] = ()

    @property
    def service(self) -> Service:
        if self.make is None:
            raise Failure("; ".join(fault.said() for fault in self.faults))
        return self.make()

    def own_service(self, demo: bool) -> Service:
        """The service.

        Raises Failure where it serves the demo league, unless that is what is meant.
        """
        if self.service.settings.demo and not demo:
            raise Failure(
                _(
                    "LOGS_URL is not set: this would be about the demo league (--demo if that is meant)"
                )
            )
        return self.service

    def drawing(self, name: str) -> Drawing:
        """What a feature draws for commands, by its name. Raises Failure where none does."""
        drawing = self.service.features.drawing(name)
        if drawing is None:
            raise Failure(_("{name}: no feature of this bot draws this", name=name))
        return drawing


def with_context(work: Callable[..., None]) -> Callable[..., None]:
    return click.make_pass_decorator(CommandContext)(work)


def follow_environment() -> None:
    """Let `gettext.gettext` answer in the language of the environment from now on."""
    gettext.bindtextdomain(DOMAIN, str(LOCALE))
    gettext.textdomain(DOMAIN)


def choose_language(language: str) -> None:
    os.environ["LANGUAGE"] = language
    follow_environment()


def help_text(text: str) -> str:
    """A help text with each paragraph on one line: the catalogue's key, however it is wrapped."""
    paragraphs = cleandoc(text).split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


class CliCommand(click.Command):
    """A command whose help is in the chosen language. What is wrong with its words, or comes up in
    its work, is one line on standard error; with JANROKU_DEBUG set, an error keeps its traceback.
    `summary` is the first paragraph of its help."""

    summary = ""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        with one_line_errors():  # wrong options and arguments are reported here, other errors below
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with one_line_errors(), warnings.catch_warnings():
            warnings.filterwarnings("error", category=RuntimeWarning, module=NUMBERS)
            return super().invoke(ctx)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return --help in the chosen language; click keeps it in that of the first call."""
        option = super().get_help_option(ctx)
        if option:
            option.help = gettext.gettext("Show this message and exit.")
        return option

    def get_short_help_str(self, limit: int = 45) -> str:
        command = click.Command(self.name, help=gettext.gettext(self.summary))
        return command.get_short_help_str(limit)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        texts = filter(None, (self.summary, help_text(self.help or "")))
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text("\n\n".join(map(gettext.gettext, texts)))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [option for option in self.params if isinstance(option, click.Option)]
        english = {option: option.help for option in options if option.help}
        try:
            for option, text in english.items():
                option.help = gettext.gettext(help_text(text))
            super().format_options(ctx, formatter)
        finally:
            for option, text in english.items():
                option.help = text


def command() -> Callable[[Callable[..., Any]], CliCommand]:
    """Make a command of a function; its name and summary are in bot/cli/commands.py."""
    return click.command(cls=CliCommand)


class CliGroup(CliCommand, click.Group):
    def __init__(self, name: str, summary: str) -> None:
        super().__init__(name)
        self.summary = summary


class LateCommand(CliCommand):
    """Takes the place of a command until it is called. It imports the command's module then, so that
    other commands start without it.
    """

    def __init__(self, name: str, summary: str, module: str, context: CommandContext) -> None:
        super().__init__(name)
        self.summary = summary
        self._module = module
        self._context = context

    def load(self) -> CliCommand:
        command: CliCommand = getattr(import_module(self._module), str(self.name))
        command.summary = self.summary
        return command

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        extra["obj"] = self._context
        return self.load().make_context(info_name, args, parent, **extra)
