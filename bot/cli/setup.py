"""`flask setup`: ask for what a league needs, try each answer for real, and keep what worked in
`.env`.
"""

import os
from pathlib import Path

import click

from bot.cli.base import choose_language, command
from bot.cli.errors import Failure
from bot.cli.setup_league import make_league, plays_on_mahjong_soul_alone
from bot.cli.setup_look import look
from bot.cli.setup_steps import (
    Wizard,
    ask_address,
    ask_channel,
    heading,
    install_menu,
    set_webhook,
)
from bot.cli.setup_stores import ask_stores
from bot.runtime.env_file import env_file, read_env_file
from bot.runtime.translation import translated as _
from bot.service import Service
from bot.settings import SettingsError, read_settings
from storage.ports import StorageError

PARTIAL = 1  # the exit status when something is left to do


def _in_language(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> str | None:
    if value:
        choose_language(value)
    return value


@command()
@click.option(
    "--lang",
    type=click.Choice(["ja", "en"]),
    is_eager=True,
    callback=_in_language,
    help="The language, of later commands too; without it, the environment's (LANG).",
)
@click.option(
    "--check", is_flag=True, help="Say what is done and what is left. Nothing is asked or changed."
)
@click.option("--anew", is_flag=True, help="Ask also for what is known and works.")
def setup(lang: str | None, check: bool, anew: bool) -> None:
    """It can be stopped and gone on with."""
    if check:
        complete = True
        for finding in look():
            mark = _("ok  ") if finding.ok else _("TO DO")
            click.echo(f"{mark}  {finding.subject}: {finding.text}")
            if not finding.ok:
                complete = False
        if not complete:
            raise SystemExit(PARTIAL)
        click.echo(_("Everything is set up; `flask doctor` tries it for real."))
        return
    if "DYNO" in os.environ:
        raise Failure(_("run it on your own machine: a dyno loses .env when the command ends"))
    file = env_file()
    wizard = Wizard(file, anew)
    if lang:
        wizard.keep(LANGUAGE=lang)
    try:
        done = _run(wizard)
    except (click.Abort, KeyboardInterrupt):
        click.echo(
            _("\nStopped. What was answered is in {file}; `flask setup` goes on.", file=file)
        )
        raise SystemExit(PARTIAL) from None
    if not done:
        raise SystemExit(PARTIAL)


def _run(wizard: Wizard) -> bool:
    count = len(read_env_file(wizard.file))
    message = _("Answers are kept in {file}. Ctrl-C stops; `flask setup` then goes on.")
    if count:
        message = _(
            "{file} has {count} variables. Asked is only what is missing or does not work (--anew: all)."
        )
    click.echo(message.format(file=wizard.file, count=count))
    heading(_("1/5 The LINE channel"))
    ask_channel(wizard)
    heading(_("2/5 The service"))
    ask_address(wizard)
    heading(_("3/5 Where things are kept"))
    ask_stores(wizard)
    try:
        service = Service(read_settings())
    except SettingsError as error:
        raise Failure("; ".join(fault.said() for fault in error.faults)) from None
    try:
        arrived = set_webhook(wizard, service)
        install_menu(wizard, service)
        heading(_("4/5 The league"))
        make_league(service)
    except StorageError as error:
        raise Failure(str(error)) from None
    heading(_("5/5 What is next"))
    _next(wizard.file, service, arrived)
    return arrived


def _next(file: Path, service: Service, arrived: bool) -> None:
    if not arrived:
        click.echo(_("The service is not reached yet. On Heroku:"))
        click.echo(f"  heroku config:set $(grep -v -e '^#' -e '^DATABASE_URL=' {file} | xargs)")
        click.echo("  git push heroku main")
        message = _(
            "On a machine of your own start it as docs/janroku.service shows; it reads {file}."
        )
        click.echo(message.format(file=file))
        click.echo(_("Then run `flask setup` again: it sets the webhook, and LINE tests it."))
        return
    if plays_on_mahjong_soul_alone(service):
        message = _(
            "Send the bot a game's file (docs/asking.md); the button below its report records the game."
        )
    else:
        message = _(
            "The running bot takes the results in every hour by itself; `flask sync` does so at once."
        )
    click.echo(message)
    click.echo(_("Invite the bot to the group, send 登録 there as the admin, then メニュー."))
    click.echo(_("`flask doctor` tries everything once more, whenever you like."))
