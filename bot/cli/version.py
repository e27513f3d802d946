"""`flask version` and `flask --version`: which Janroku this is."""

import os
from contextlib import suppress
from typing import Any

import click
from flask import cli

from bot.cli.base import command, follow_environment
from bot.cli.options import AS_JSON
from bot.cli.printing import print_json
from bot.runtime.translation import translated as _
from bot.runtime.version import VERSION, release, shown_commit
from bot.settings import read_commit


@command()
@AS_JSON
def version(as_json: bool) -> None:
    if as_json:
        print_json({"version": VERSION, "commit": shown_commit(read_commit(os.environ)) or None})
    else:
        _print_version()


def _print_version() -> None:
    click.echo(f"Janroku {release(read_commit(os.environ))}")


def _print_versions(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value and not context.resilient_parsing:
        _print_version()
        cli.get_version(context, parameter, value)


VERSION_OPTION = click.Option(
    ["--version"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_versions,
    help="Show the versions of Janroku, Flask and Python.",
)


class Ordered(cli.FlaskGroup):
    """Flask's commands, listed in the order that the app's have, Flask's own last."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        names = super().list_commands(ctx)
        with suppress(Exception):  # an app that can't be loaded was reported
            order = ctx.ensure_object(cli.ScriptInfo).load_app().cli.list_commands(ctx)
            later = [name for name in names if name not in order]
            names = [name for name in order if name in names] + later
        return names


def main() -> None:
    """The `flask` of this checkout's virtual environment. Flask answers --version, and begins
    --help, before it looks for an app; so both get our texts."""
    cli.version_option.callback = _print_versions
    cli.version_option.help = VERSION_OPTION.help
    follow_environment()
    introduction = _(
        "Janroku (雀録) keeps a private mahjong league's record in its LINE group. Each command has --help "
        "of its own."
    )
    # The app reads .env by itself: what it can't read is one line then.
    Ordered(name="flask", help=introduction, load_dotenv=False).main(prog_name="flask")


if __name__ == "__main__":
    main()
