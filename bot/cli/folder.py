"""`flask league show`, `check`, `history` and `restore`: look at the log folder and mend it."""

from __future__ import annotations

from dataclasses import asdict
from gettext import gettext as _

import click

from bot.cli.context import AdminContext, GetContext
from bot.cli.errors import Failure
from bot.cli.output import AS_JSON, print_json
from bot.cli.snapshots import warn
from bot.league.check import Checked, check_folder
from bot.league.files import current, read_version, restore, versions, write_keeping
from bot.league.mending import Mend, difference, mend
from bot.league.overview import overview
from bot.league.snapshot import read_league
from bot.sync.own_results import all_offered
from rating.logdates import JST
from storage.ports import Conflict, NotFound, StorageError

YES = click.option("--yes", is_flag=True, help="Write without asking.")


def show_command(get: GetContext) -> click.Command:
    @click.command("show")
    @AS_JSON
    def command(as_json: bool) -> None:
        """Show the rooms, seasons with their games, players, and the day up to which Tenhou was read."""
        admin = get()
        admin.league()  # a broken league.toml without a known version ends the command
        snapshot = read_league(admin.logs, admin.now())
        warn(snapshot.unusable)
        shown = overview(snapshot, admin.state.results.through(""))
        print_json(shown.as_dict()) if as_json else click.echo("\n".join(shown.lines()))

    return command


def check_command(get: GetContext) -> click.Command:
    @click.command("check")
    @click.option("--fix", is_flag=True, help="Mend what is safe, after showing the difference.")
    @YES
    @AS_JSON
    def command(fix: bool, yes: bool, as_json: bool) -> None:
        """Look for faults in the logs, in league.toml and in the files' names. Exit status 1 when some are
        left."""
        admin = get()
        if fix and as_json and not yes:
            raise Failure(_("--fix with --json needs --yes: there is nobody to ask"))
        checked = _check(admin)
        if fix:
            checked = _mend(admin, checked, yes, quiet=as_json)
        if as_json:
            print_json([asdict(finding) for finding in checked.findings])
        else:
            for finding in checked.findings:
                click.echo(str(finding))
            counts = {"findings": len(checked.findings), "logs": len(checked.logs)}
            click.echo(_("{findings} findings in {logs} logs").format(**counts))
        if checked.findings:
            raise SystemExit(1)

    return command


def _check(admin: AdminContext) -> Checked:
    """Check the folder, with what Tenhou is known to offer. The folder's own notes serve while the database
    is away."""
    try:
        offered = all_offered(admin.state)
    except StorageError as error:
        click.echo(
            _("the database can't be read, so not every corrected game is known: {error}").format(
                error=error
            ),
            err=True,
        )
        offered = {}
    return check_folder(admin.logs, offered=offered)


def _mend(admin: AdminContext, checked: Checked, yes: bool, quiet: bool) -> Checked:
    """Make the safe mends, each after showing the difference, and return what is found afterwards."""

    def write(step: Mend) -> bool:
        if not quiet:
            click.echo("\n".join(map(str, step.files)))
        if not (yes or click.confirm(step.question)):
            return False
        _write(admin, step)
        return True

    return mend(checked, lambda: _check(admin), write)


def _write(admin: AdminContext, step: Mend) -> None:
    """Write the files of a step, if they are still as they were checked. Raises Failure if not."""
    there = {change.name: current(admin.logs, change.name) for change in step.files}
    for change in step.files:
        if there[change.name][0] != change.old:
            raise Failure(_("{name} was edited meanwhile: look again").format(name=change.name))
    for change in step.files:
        try:
            rev = there[change.name][1]
            write_keeping(admin.logs, change.name, change.new, rev, now=admin.now(), old=change.old)
        except Conflict:
            raise Failure(_("{name} was edited meanwhile: look again").format(name=change.name)) from None


def history_command(get: GetContext) -> click.Command:
    @click.command("history")
    @click.argument("name", required=False)
    @AS_JSON
    def command(name: str | None, as_json: bool) -> None:
        """List the former versions of a file (by default of all .txt and .toml files), oldest first."""
        logs = get().logs
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

    return command


def restore_command(get: GetContext) -> click.Command:
    @click.command("restore")
    @click.argument("name")
    @click.argument("version")
    @YES
    def command(name: str, version: str, yes: bool) -> None:
        """Put a former version of a file back. What it replaces is kept as a version too."""
        admin = get()
        try:
            data = read_version(admin.logs, _plain(name), version)
            shown = difference(name, current(admin.logs, name)[0], data)
            if not shown:
                click.echo(_("{name} is the same as {version} already").format(name=name, version=version))
                return
            click.echo(shown)
            if yes or click.confirm(f"Write {name}?"):
                restore(admin.logs, name, version, admin.now())
                click.echo(_("{name} is as it was at {version}").format(name=name, version=version))
        except NotFound as error:
            raise Failure(str(error)) from None
        except Conflict:
            raise Failure(_("{name} was edited meanwhile: look again").format(name=name)) from None

    return command


def _plain(name: str) -> str:
    """Return the name if it can be a file at the folder's top level. Raises Failure if not."""
    if "/" in name or name.startswith("."):
        raise Failure(_("{name}: not the name of a file in the log folder").format(name=name))
    return name
