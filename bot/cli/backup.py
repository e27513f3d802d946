"""`flask backup` and `flask restore`: everything of an installation in one file, and back from there."""

import os
import tempfile
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from bot.cli.base import CommandContext, command, with_context
from bot.cli.errors import Failure
from bot.cli.options import AS_JSON, DEMO
from bot.cli.printing import print_report, progress_bar
from bot.league.archive import About, Archive, ArchiveError
from bot.league.backup import Backup, NotEmpty, Restore, Restored, back_up, names_in
from bot.runtime.translation import translated as _
from bot.service import Service
from bot.settings.stores import kind_with_accounts
from storage.backup_rows import kept_rows

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
            message = _(
                "{name} is there already and is no backup: name another file", name=file.name
            )
            raise Failure(message) from None
    written = _write_backup(cli.own_service(demo), file, as_json)
    report = _backup_report(file, written)
    print_report(as_json, report, _backup_lines(report))
    if not as_json:
        for line in (*written.about.left_out, *written.problems):
            click.echo(_("left out: {line}", line=line), err=True)
    if written.problems:
        raise SystemExit(PARTIAL)


def _backup_report(file: Path, written: Backup) -> dict[str, Any]:
    about = written.about
    return {
        "file": str(file),
        "bytes": file.stat().st_size,
        "leagues": len(about.leagues),
        "files": written.files,
        "state": about.state,
        "encrypted": written.encrypted,
        "left_out": about.left_out,
        "problems": written.problems,
        "version": about.version,
        "schema": about.schema,
        "made": about.made,
    }


def _backup_lines(report: Mapping[str, Any]) -> list[str]:
    message = _("{file}: {leagues} leagues, {files} files, {state} values ({size:.1f} MB)")
    lines = [message.format(**report, size=report["bytes"] / 1e6)]
    if report["encrypted"]:
        message = _(
            "{encrypted} secrets in it are encrypted: keep JANROKU_SECRET_KEY apart from the file"
        )
        lines.append(message.format(**report))
    return lines


@command()
@click.argument("file", type=_FILE)
@click.option(
    "--over", is_flag=True, help="Replace what is there; it is backed up beside FILE before that."
)
@AS_JSON
@with_context
def restore(cli: CommandContext, file: Path, over: bool, as_json: bool) -> None:
    """Stop the bot first. A restore that was stopped can be run again."""
    service = cli.service
    with Archive(file) as archive, progress_bar("Restoring", as_json) as progress:
        work = _restore_of(service, archive, over, progress)
        try:
            work.check()
        except NotEmpty as error:
            raise Failure(
                _("{error}: nothing was written; --over replaces what is there", error=error)
            ) from None
        copy = None
        if over:
            copy = _backup_before(service, file)
        restored = work.write()
    report = {**vars(restored), "copy": None, "of": vars(archive.about)}
    if copy:
        report["copy"] = str(copy)
    print_report(as_json, report, _restored_lines(restored, archive.about, copy))


def _restore_of(
    service: Service, archive: Archive, over: bool, progress: Callable[[int, int], None]
) -> Restore:
    return Restore(
        archive,
        service.state.database,
        service.stores.open_logs,
        has_account=lambda league: service.state.accounts.get(league) is not None,
        secret_key=service.settings.secret_key,
        over=over,
        progress=progress,
    )


def _backup_before(service: Service, file: Path) -> Path | None:
    """Back up what is there before a restore replaces it; None where nothing is."""
    if not _has_data(service):
        return None
    copy = file.with_name(f"{file.stem}.before-{datetime.now(UTC):%Y%m%dT%H%M%S}.zip")
    _write_backup(service, copy, as_json=True)
    return copy


def _restored_lines(restored: Restored, about: About, copy: Path | None) -> list[str]:
    """What was put back from a backup; `copy` is the backup of what was there before."""
    message = _(
        "{leagues} leagues of {made}: {written} files written, {unchanged} there already, {removed} removed; "
        "{state} values"
    )
    lines = [message.format(made=about.made, **vars(restored))]
    if restored.without_key:
        message = _(
            "{without_key} secrets are left out: they need the JANROKU_SECRET_KEY of the installation that "
            "was backed up. Set it and run the restore again, or enter them anew"
        )
        lines.append(message.format(without_key=restored.without_key))
    kind, _accounts = kind_with_accounts()
    message = _("{league}: its files in its own {store} account are left as they are")
    lines += [message.format(league=league, store=kind.title) for league in restored.own_accounts]
    lines += [_("not in the backup: {line}", line=line) for line in about.left_out]
    if copy:
        lines.append(_("what was there before: {copy}", copy=copy))
    return lines


def _has_data(service: Service) -> bool:
    """Whether a league's folder has files, or the database rows that a backup has."""
    if names_in(service.stores.open_logs()):
        return True
    return any(kept_rows(service.state.database))


def _write_backup(service: Service, file: Path, as_json: bool) -> Backup:
    """Write a backup next to the file, then move it to its place.

    Only its owner may read it: it names groups.
    """
    try:
        handle, name = tempfile.mkstemp(prefix=".janroku-", suffix=".zip", dir=file.parent)
    except FileNotFoundError:
        raise Failure(_("{parent}: no such folder", parent=file.parent)) from None
    try:
        with os.fdopen(handle, "wb") as out, progress_bar(_("Backing up"), as_json) as progress:
            backup = back_up(out, service.state.database, service.stores.open_logs, progress)
            if not backup.files and not backup.about.state:
                raise Failure(
                    _(
                        "there is nothing to back up: are LOGS_URL and DATABASE_URL those of the bot?"
                    )
                )
            out.flush()
            os.fsync(out.fileno())
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return backup
