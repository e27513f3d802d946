"""`flask backup` and `flask restore`: everything of an installation in one file, and back from it."""

from __future__ import annotations

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
from bot.league.backup import Backup, NotEmpty, Restore, Restored, back_up, names_in
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
            told = _("{name} is there already and is no backup: name another file")
            raise Failure(told.format(name=file.name)) from None
    written = _written(cli.own_service(demo), file, as_json)
    if as_json:
        print_json(_backup_json(file, written))
    else:
        _say_backup(file, written)
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
            raise Failure(
                _("{error}: nothing was written; --over replaces what is there", error=error)
            ) from None
        there = names_in(service.stores.open_logs()) or any(kept_rows(service.state.database))
        if over and there:
            copy = file.with_name(f"{file.stem}.before-{datetime.now(UTC):%Y%m%dT%H%M%S}.zip")
            _written(service, copy, as_json=True)
        restored = work.write()
    if as_json:
        print_json({**vars(restored), "copy": str(copy) if copy else None, "of": vars(archive.about)})
    else:
        _say_restored(archive, restored, copy)


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


def _backup_json(file: Path, backup: Backup) -> dict[str, object]:
    return {
        "file": str(file),
        "bytes": file.stat().st_size,
        "leagues": len(backup.about.leagues),
        "files": backup.files,
        "state": backup.about.state,
        "encrypted": backup.encrypted,
        "left_out": backup.about.left_out,
        "problems": backup.problems,
        "version": backup.about.version,
        "schema": backup.about.schema,
        "made": backup.about.made,
    }


def _say_backup(file: Path, backup: Backup) -> None:
    size = file.stat().st_size
    click.echo(
        _(
            "{file}: {leagues} leagues, {files} files, {state} values ({size:.1f} MB)",
            file=file,
            leagues=len(backup.about.leagues),
            files=backup.files,
            state=backup.about.state,
            size=size / 1000000.0,
        )
    )
    if backup.encrypted:
        click.echo(
            _(
                "{encrypted} secrets in it are encrypted: keep JANROKU_SECRET_KEY apart from the file",
                encrypted=backup.encrypted,
            )
        )
    for line in [*backup.about.left_out, *backup.problems]:
        click.echo(_("left out: {line}", line=line), err=True)


def _say_restored(archive: Archive, restored: Restored, copy: Path | None) -> None:
    click.echo(
        _(
            "{leagues} leagues of {made}: {written} files written, {unchanged} there already, {removed} "
            "removed; {state} values",
            leagues=restored.leagues,
            made=archive.about.made,
            written=restored.written,
            unchanged=restored.unchanged,
            removed=restored.removed,
            state=restored.state,
        )
    )
    if restored.without_key:
        click.echo(
            _(
                "{without_key} secrets are left out: they need the JANROKU_SECRET_KEY of the installation "
                "that was backed up. Set it and run the restore again, or enter them anew",
                without_key=restored.without_key,
            )
        )
    for league in restored.own_accounts:
        click.echo(_("{league}: its files in its own Dropbox account are left as they are", league=league))
    for line in archive.about.left_out:
        click.echo(_("not in the backup: {line}", line=line))
    if copy:
        click.echo(_("what was there before: {copy}", copy=copy))
