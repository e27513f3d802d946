"""`flask backup` and `flask restore`: everything of an installation in one file, and back from it."""

import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import click

from bot.cli.base import (
    AS_JSON,
    DEMO,
    CommandContext,
    Failure,
    command,
    print_json,
    progress_bar,
    with_context,
)
from bot.league.archive import Archive, ArchiveError
from bot.league.backup import Backup, NotEmpty, Restore, back_up, names_in
from bot.runtime.finding import translated as _
from bot.service import Service
from storage.state import kept_rows

PARTIAL = 1  # the exit status when a league could not be read
_FILE = click.Path(dir_okay=False, path_type=Path)


@command()
@click.argument("file", type=_FILE)
@DEMO
@AS_JSON
@with_context
def backup(cli: CommandContext, file: Path, demo: bool, as_json: bool) -> None:
    if file.exists():  # only a backup is replaced
        try:
            Archive(file).__exit__()
        except ArchiveError:
            told = _("{name} is there already and is no backup: name another file", name=file.name)
            raise Failure(told) from None
    written = _written(cli.own_service(demo), file, as_json)
    about, size, leagues = written.about, file.stat().st_size, len(written.about.leagues)
    if as_json:
        report = {"file": str(file), "bytes": size, "leagues": leagues, "files": written.files}
        report |= {"state": about.state, "encrypted": written.encrypted, "left_out": about.left_out}
        report |= {"problems": written.problems, "version": about.version, "schema": about.schema}
        print_json({**report, "made": about.made})
    else:
        told = _("{file}: {leagues} leagues, {files} files, {state} values ({size:.1f} MB)")
        counts = {"leagues": leagues, "files": written.files, "state": about.state}
        click.echo(told.format(file=file, size=size / 1e6, **counts))
        if written.encrypted:
            told = _("{encrypted} secrets in it are encrypted: keep JANROKU_SECRET_KEY apart from the file")
            click.echo(told.format(encrypted=written.encrypted))
        for line in [*about.left_out, *written.problems]:
            click.echo(_("left out: {line}", line=line), err=True)
    if written.problems:
        raise SystemExit(PARTIAL)


@command()
@click.argument("file", type=_FILE)
@click.option("--over", is_flag=True, help="Replace what is there; it is backed up beside FILE before that.")
@AS_JSON
@with_context
def restore(cli: CommandContext, file: Path, over: bool, as_json: bool) -> None:
    """Stop the bot first. A restore that was stopped can be run again."""
    service, copy = cli.service, None
    with Archive(file) as archive, progress_bar("Restoring", as_json) as progress:
        work = Restore(
            archive,
            service.state.database,
            service.stores.open_logs,
            has_account=lambda league: service.state.accounts.get(league) is not None,
            secret_key=service.settings.secret_key,
            over=over,
            progress=progress,
        )
        try:
            work.check()
        except NotEmpty as error:
            told = _("{error}: nothing was written; --over replaces what is there", error=error)
            raise Failure(told) from None
        there = names_in(service.stores.open_logs()) or any(kept_rows(service.state.database))
        if over and there:
            copy = file.with_name(f"{file.stem}.before-{datetime.now(UTC):%Y%m%dT%H%M%S}.zip")
            _written(service, copy, as_json=True)
        restored = work.write()
    if as_json:
        print_json({**vars(restored), "copy": str(copy) if copy else None, "of": vars(archive.about)})
        return
    told = _(
        "{leagues} leagues of {made}: {written} files written, {unchanged} there already, {removed} removed; "
        "{state} values"
    )
    click.echo(told.format(made=archive.about.made, **vars(restored)))
    if restored.without_key:
        told = _(
            "{without_key} secrets are left out: they need the JANROKU_SECRET_KEY of the installation that "
            "was backed up. Set it and run the restore again, or enter them anew"
        )
        click.echo(told.format(without_key=restored.without_key))
    for league in restored.own_accounts:
        click.echo(_("{league}: its files in its own Dropbox account are left as they are", league=league))
    for line in archive.about.left_out:
        click.echo(_("not in the backup: {line}", line=line))
    if copy:
        click.echo(_("what was there before: {copy}", copy=copy))


def _written(service: Service, file: Path, as_json: bool) -> Backup:
    """Write a backup beside the file, then in its place. Only its owner may read it: it tells of groups."""
    try:
        handle, name = tempfile.mkstemp(prefix=".janroku-", suffix=".zip", dir=file.parent)
    except FileNotFoundError:
        raise Failure(_("{parent}: no such folder", parent=file.parent)) from None
    try:
        with os.fdopen(handle, "wb") as out, progress_bar(_("Backing up"), as_json) as progress:
            backup = back_up(out, service.state.database, service.stores.open_logs, progress)
            if not backup.files and not backup.about.state:
                raise Failure(
                    _("there is nothing to back up: are LOGS_URL and DATABASE_URL those of the bot?")
                )
            out.flush()
            os.fsync(out.fileno())
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return backup
