"""Errors of commands: one line on standard error, never a traceback."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import click

from bot.runtime.translation import translated as _
from storage.ports import StorageError


class Failure(click.ClickException):
    """Ends the command with its message as one line on standard error, and exit status 2."""

    exit_code = 2


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Turn every expected error into a Failure. A closed pipe ends the command as usual."""
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:  # a group called without a command shows its help
        raise
    except click.UsageError as error:
        raise _usage_failure(error) from None
    except (StorageError, ValueError, ArithmeticError, RuntimeWarning) as error:
        if os.environ.get("JANROKU_DEBUG"):
            raise
        raise _work_failure(error) from None
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Failure(f"{error.filename or ''}: {error.strerror or error}".lstrip(": ")) from None


def line_of(error: Exception) -> str:
    """An error's message in one line, or its type where it has none."""
    return " ".join(str(error).split()) or type(error).__name__


def _usage_failure(error: click.UsageError) -> Failure:
    """The failure of wrong options or arguments, with the command whose help explains them."""
    message = " ".join(error.format_message().split()).rstrip(".")
    names: list[str] = []
    context = error.ctx
    while context is not None and context.parent is not None:
        names.insert(0, context.info_name or "")
        context = context.parent
    command = " ".join(["flask", *names])
    return Failure(_("{words} (see `{command} --help`)", words=message, command=command))


def _work_failure(error: Exception) -> Failure:
    """The failure of a command's work; an error of arithmetic does not name its cause itself."""
    message = line_of(error)
    is_linear_algebra = type(error).__name__ == "LinAlgError"
    if is_linear_algebra or isinstance(error, ArithmeticError | RuntimeWarning):
        message = _(
            "the figures can't be worked out ({words}): an option or a score is far too large or small",
            words=message,
        )
    return Failure(message)
