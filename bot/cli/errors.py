"""How a command says that it can't do what was asked."""

from __future__ import annotations

import click


class Failure(click.ClickException):
    """One clear line on standard error, exit status 2."""

    exit_code = 2
