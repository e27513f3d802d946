"""The error with which a command ends when it can't do what was asked."""

from __future__ import annotations

import click


class Failure(click.ClickException):
    """Ends the command with its message as one line on standard error, and exit status 2."""

    exit_code = 2
