"""What all commands share: their context, errors in one line, help in the chosen language, and
printing.

Only commands choose a language (LANGUAGE, LC_ALL, LC_MESSAGES or LANG): the service's log stays
English.
"""

from __future__ import annotations

import gettext
import json
import os
import sys
import unicodedata
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

import click

from bot.runtime.translation import DOMAIN, LOCALE, translated as _
from bot.settings import SettingFault
from storage.ports import StorageError

if TYPE_CHECKING:
    from bot.chat.feature import Drawing
    from bot.service import Service

# Modules whose RuntimeWarning means that a figure is not a number.
NUMBERS = r"(rating|bot|numpy|matplotlib)\b"


class Failure(click.ClickException):
    """Ends the command with its message as one line on standard error, and exit status 2."""

    exit_code = 2


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


DEMO = click.option(
    "--demo", is_flag=True, help="Also where LOGS_URL is not set: of the demo league."
)


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
        with _in_one_line():  # wrong options and arguments are reported here, other errors below
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with _in_one_line(), warnings.catch_warnings():
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


@contextmanager
def _in_one_line() -> Iterator[None]:
    """Turn every expected error into a Failure. A closed pipe ends the command as usual."""
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:  # a group called without a command shows its help
        raise
    except click.UsageError as error:
        words = " ".join(error.format_message().split()).rstrip(".")
        context = error.ctx
        names: list[str] = []
        while context is not None and context.parent is not None:
            names.insert(0, context.info_name or "")
            context = context.parent
        command = " ".join(["flask", *names])
        raise Failure(_("{words} (see `{command} --help`)", words=words, command=command)) from None
    except (StorageError, ValueError, ArithmeticError, RuntimeWarning) as error:
        if os.environ.get("JANROKU_DEBUG"):
            raise
        words = line_of(error)
        is_linear_algebra = type(error).__name__ == "LinAlgError"
        if is_linear_algebra or isinstance(error, ArithmeticError | RuntimeWarning):
            # Its message does not name the cause.
            words = _(
                "the figures can't be worked out ({words}): an option or a score is far too large or small"
            ).format(words=words)
        raise Failure(words) from None
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise Failure(f"{error.filename or ''}: {error.strerror or error}".lstrip(": ")) from None


def line_of(error: Exception) -> str:
    """Return an error's message in one line, or its type where it has none."""
    return " ".join(str(error).split()) or type(error).__name__


def _in_english(context: click.Context, parameter: click.Parameter, value: bool) -> bool:
    if value:
        choose_language("en")
    return value


# What programs read is the same in every language.
AS_JSON = click.option(
    "--json",
    "as_json",
    is_flag=True,
    is_eager=True,
    callback=_in_english,
    help="The same for programs.",
)

YES = click.option("--yes", is_flag=True, help="Write without asking.")


def defaulted(
    name: str, kind: Any, default: Any, words: str
) -> Callable[[Callable[..., None]], Any]:
    return click.option(name, type=kind, default=default, show_default=True, help=words)


def print_json(value: Any, indent: int | None = None) -> None:
    """Print the value as JSON.

    Raises Failure for NaN and Infinity (RFC 8259, section 6, has none).
    """
    try:
        text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    except ValueError:
        raise Failure(
            _(
                "a figure is no number (NaN or Infinity): is an option or a score far too large or small?"
            )
        ) from None
    click.echo(text)


def show(
    as_json: bool,
    report: Any,
    lines: Iterable[str],
    indent: int | None = None,
) -> None:
    """Print a report for programs, or its lines for people."""
    if as_json:
        print_json(report, indent)
    else:
        click.echo("".join(f"{line}\n" for line in lines), nl=False)


def table_text(
    heads: Sequence[str], rows: Sequence[Sequence[str]], left_aligned: Collection[int] = (0,)
) -> str:
    """Return heads and rows as lines, aligned also with Japanese letters, which are two columns
    wide (https://www.unicode.org/reports/tr11/). The columns `left_aligned` are aligned to the left, the
    others to the right. Columns without cells, and heads without a letter, are left out.
    """
    columns: Sequence[int] = range(len(heads))
    if rows:
        columns = [column for column in columns if any(row[column] for row in rows)]
    printed_rows = [heads, *rows] if any(heads) else rows
    lines: list[list[str]] = [[] for _row in printed_rows]
    for column in columns:
        cells = [row[column] for row in printed_rows]
        width = max(map(_width, cells))
        for line, cell in zip(lines, cells, strict=True):
            space = " " * (width - _width(cell))
            line.append(cell + space if column in left_aligned else space + cell)
    return "\n".join("  ".join(line).rstrip() for line in lines)


def _width(text: str) -> int:
    """Return the columns that a text takes at the terminal."""
    width = 0
    for character in text:
        if unicodedata.combining(character):
            continue
        width += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return width


@contextmanager
def progress_bar(
    label: str, as_json: bool = False, length: int = 1
) -> Iterator[Callable[[int, int], None]]:
    """Yield `progress(done, total)`: it moves a bar at a terminal, and shows nothing for
    programs.
    """
    hidden = as_json or not sys.stderr.isatty()
    with click.progressbar(length=length, label=label, hidden=hidden, file=sys.stderr) as bar:

        def progress(done: int, total: int) -> None:
            bar.length = total
            bar.update(done - bar.pos)

        yield progress
