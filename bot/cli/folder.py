"""`flask league show`, `check`, `history` and `restore`: look at the log folder and mend it."""

from __future__ import annotations

from dataclasses import asdict
from gettext import gettext as _

import click

from bot.cli.base import AS_JSON, YES, CommandContext, Failure, command, print_json, with_context
from bot.cli.chosen import warn
from bot.league.check import Checked, check_folder
from bot.league.files import current, read_version, versions, write_keeping
from bot.league.files import restore as put_back
from bot.league.in_force import read_in_force
from bot.league.mending import Mend, difference, mend
from bot.league.overview import overview
from bot.league.snapshot import read_league
from bot.service import Service
from bot.sync.league_job import all_offered
from rating.logdates import JST
from storage.ports import Conflict, NotFound, StorageError


@command()
@AS_JSON
@with_context
def show(cli: CommandContext, as_json: bool) -> None:
    logs = cli.service.stores.open_logs()
    read_in_force(logs)  # a broken league.toml without a known version ends the command
    snapshot = read_league(logs, cli.service.now())
    warn(snapshot.unusable)
    shown = overview(snapshot, cli.service.state.results.through(""))
    print_json(shown.as_dict()) if as_json else click.echo("\n".join(shown.lines()))


@command()
@click.option("--fix", is_flag=True, help="Mend what is safe, after showing the difference.")
@YES
@AS_JSON
@with_context
def check(cli: CommandContext, fix: bool, yes: bool, as_json: bool) -> None:
    if fix and as_json and not yes:
        raise Failure(_("--fix with --json needs --yes: there is nobody to ask"))
    checked = _check(cli.service)
    if fix:
        checked = _mend(cli.service, checked, yes, quiet=as_json)
    if as_json:
        print_json([asdict(finding) for finding in checked.findings])
    else:
        for finding in checked.findings:
            click.echo(str(finding))
        counts = {"findings": len(checked.findings), "logs": len(checked.logs)}
        click.echo(_("{findings} findings in {logs} logs").format(**counts))
    if checked.findings:
        raise SystemExit(1)


def _check(service: Service) -> Checked:
    """Check the folder, with what Tenhou is known to offer. The folder's own notes serve while the database
    is away."""
    try:
        offered = all_offered(service.state)
    except StorageError as error:
        click.echo(
            _("the database can't be read, so not every corrected game is known: {error}").format(
                error=error
            ),
            err=True,
        )
        offered = {}
    return check_folder(service.stores.open_logs(), offered=offered)


def _mend(service: Service, checked: Checked, yes: bool, quiet: bool) -> Checked:
    """Make the safe mends, each after showing the difference, and return what is found afterwards."""

    def write(step: Mend) -> bool:
        if not quiet:
            click.echo("\n".join(map(str, step.files)))
        if not (yes or click.confirm(step.question)):
            return False
        _write(service, step)
        return True

    return mend(checked, lambda: _check(service), write)


def _write(service: Service, step: Mend) -> None:
    """Write the files of a step, if they are still as they were checked. Raises Failure if not."""
    logs = service.stores.open_logs()
    there = {change.name: current(logs, change.name) for change in step.files}
    for change in step.files:
        if there[change.name][0] != change.old:
            raise Failure(_("{name} was edited meanwhile: look again").format(name=change.name))
    for change in step.files:
        try:
            rev = there[change.name][1]
            write_keeping(logs, change.name, change.new, rev, now=service.now(), old=change.old)
        except Conflict:
            raise Failure(_("{name} was edited meanwhile: look again").format(name=change.name)) from None


@command()
@click.argument("name", required=False)
@AS_JSON
@with_context
def history(cli: CommandContext, name: str | None, as_json: bool) -> None:
    logs = cli.service.stores.open_logs()
    names = [name] if name else sorted(n for n in logs.changes().files if n.endswith((".txt", ".toml")))
    found = {file: versions(logs, _plain(file)) for file in names}
    if name and not found[name] and name not in logs.changes().files:
        raise Failure(_("{name}: no such file in the log folder").format(name=name))
    if as_json:
        print_json({file: [asdict(v) for v in kept] for file, kept in found.items()})
        return
    for file, kept in found.items():
        for version in kept:
            click.echo(
                _("{file}  {name}  {when:%Y-%m-%d %H:%M} JST  {size} bytes").format(
                    file=file, name=version.name, when=version.when(JST), size=version.size
                )
            )
    if not any(found.values()):
        click.echo(_("no former versions yet: each write keeps one"))


@command()
@click.argument("name")
@click.argument("version")
@YES
@with_context
def restore(cli: CommandContext, name: str, version: str, yes: bool) -> None:
    logs = cli.service.stores.open_logs()
    try:
        data = read_version(logs, _plain(name), version)
        shown = difference(name, current(logs, name)[0], data)
        if not shown:
            click.echo(_("{name} is the same as {version} already").format(name=name, version=version))
            return
        click.echo(shown)
        if yes or click.confirm(f"Write {name}?"):
            put_back(logs, name, version, cli.service.now())
            click.echo(_("{name} is as it was at {version}").format(name=name, version=version))
    except NotFound as error:
        raise Failure(str(error)) from None
    except Conflict:
        raise Failure(_("{name} was edited meanwhile: look again").format(name=name)) from None


def _plain(name: str) -> str:
    """Return the name if it can be a file at the folder's top level. Raises Failure if not."""
    if "/" in name or name.startswith("."):
        raise Failure(_("{name}: not the name of a file in the log folder").format(name=name))
    return name
