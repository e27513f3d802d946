"""Look after an installation: `flask doctor`, `flask richmenu` and `flask sweep`; `flask backup`
and `flask restore`, everything of it in one file and back from there."""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from bot.checks.run import examine
from bot.cli import base
from bot.cli.base import (
    AS_JSON,
    DEMO,
    CommandContext,
    Failure,
    command,
    defaulted,
    print_json,
    progress_bar,
    with_context,
)
from bot.league.archive import About, Archive, ArchiveError
from bot.league.backup import Backup, NotEmpty, Restore, Restored, back_up, names_in
from bot.line import channel as line_channel
from bot.line.channel import RichMenuApi, rich_menus
from bot.line.client import LineDown
from bot.runtime.env_file import what_is_read
from bot.runtime.finding import fault
from bot.runtime.translation import translated as _
from bot.service import Service
from bot.settings.store_kind import fill
from bot.settings.stores import kind_of, kind_with_accounts
from storage.addresses import UNREACHABLE
from storage.backup_rows import kept_rows
from storage.ports import ExpiringImages

LEAST = int(UNREACHABLE / 86400)  # days
PARTIAL = 1  # the exit status when a league could not be read
_FILE = click.Path(dir_okay=False, path_type=Path)


@command()
@click.option(
    "--release",
    is_flag=True,
    help="For a release: only what is set up wrongly stops it, not an outage, nor the league's files.",
)
@DEMO
@AS_JSON
@with_context
def doctor(cli: CommandContext, release: bool, demo: bool, as_json: bool) -> None:
    findings = []
    wrong = [fault(setting.name, setting.code, setting.message) for setting in cli.faults]
    if not as_json:
        click.echo(_("configuration: {read}", read=what_is_read()))
    for finding in wrong or examine(cli.own_service(demo or release)):
        # Each finding is printed at once, because a store that does not answer takes long.
        findings.append(finding)
        if not as_json:
            mark = _("ok  ") if finding.ok else _("MEND")
            click.echo(f"{mark}  {finding.subject}: {finding.text}")
    if as_json:
        keys = ("what", "ok", "code", "text", "stops_release")
        rows = []
        for finding in findings:
            values = {key: getattr(finding, key) for key in keys}
            rows.append(values)
        print_json({"configuration": what_is_read(), "findings": rows})
    faults = [finding for finding in findings if not finding.ok]
    if release:
        faults = [finding for finding in faults if finding.stops_release]
    if faults:
        raise SystemExit(1)


@command()
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
@AS_JSON
@with_context
def install(cli: CommandContext, dry_run: bool, as_json: bool) -> None:
    service = cli.service
    with _channel(service) as channel, _step_printer(as_json, dry_run) as tell:
        done = line_channel.install(channel, service.catalogue, dry_run, tell)
    if as_json:
        return
    if not done:
        click.echo(_("the rich menu is up to date"))
    elif dry_run:
        click.echo(_("dry run: nothing was changed"))


@command()
@AS_JSON
@with_context
def remove(cli: CommandContext, as_json: bool) -> None:
    with _channel(cli.service) as channel, _step_printer(as_json) as tell:
        done = line_channel.remove(channel, tell)
    if not as_json and not done:
        click.echo(_("there is no rich menu of ours"))


@command()
@AS_JSON
@with_context
def show(cli: CommandContext, as_json: bool) -> None:
    with _channel(cli.service) as channel:
        menus = line_channel.shown(channel)
    lines = []
    for menu in menus:
        marks = list(menu["aliases"])
        if menu["default"]:
            marks.append("default")
        owner = "Janroku's" if menu["ours"] else "somebody else's"
        lines.append(f"{menu['id']}  {menu['name']}  {', '.join(marks) or '-'}  ({owner})")
    base.show(as_json, {"menus": menus}, lines or [_("there is no rich menu")])


@contextmanager
def _step_printer(
    as_json: bool,
    dry_run: bool = False,
) -> Iterator[Callable[[str], None]]:
    """Yield a function that reports a step: printed at once, or with `as_json` all at the end."""
    if not as_json:
        yield click.echo
        return
    steps: list[str] = []
    yield steps.append
    print_json({"dry_run": dry_run, "changed": bool(steps) and not dry_run, "steps": steps})


@contextmanager
def _channel(service: Service) -> Iterator[RichMenuApi]:
    settings = service.settings
    try:
        with rich_menus(settings.line_api_url, settings.channel_access_token) as channel:
            yield channel
    except LineDown as error:
        raise Failure(str(error)) from None


@command()
@defaulted("--days", click.IntRange(LEAST), LEAST, "The age in days; no less.")
@click.option(
    "--lifecycle",
    is_flag=True,
    help="Have the pictures' store do it by itself from now on, by a rule, if it can.",
)
@AS_JSON
@with_context
def sweep(cli: CommandContext, days: int, lifecycle: bool, as_json: bool) -> None:
    """A link to a picture expires, and is given anew where somebody asks again."""
    if lifecycle:
        _set_rule(cli.service, days, as_json)
        return
    gone = cli.service.images.sweep(days * 86400.0)
    message = _("{gone} pictures older than {days} days removed", gone=gone, days=days)
    base.show(as_json, {"removed": gone, "days": days}, [message])


def _set_rule(service: Service, days: int, as_json: bool) -> None:
    images = service.images
    expiry = kind_of(service.settings.images_url).expiry
    if expiry is None or not isinstance(images, ExpiringImages):
        raise Failure(
            _("the store of IMAGES_URL has no such rule: the bot removes old pictures, once a day")
        )
    try:
        changed = images.expire_after(days)
    except ValueError:
        raise Failure(expiry.needs_prefix.said()) from None
    message = expiry.present
    if changed:
        message = expiry.added
    line = fill(message, days=days).said()
    base.show(as_json, {"changed": changed, "days": days}, [line])


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
    base.show(as_json, report, _backup_lines(report))
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
    copy = None
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
        if over and _has_data(service):
            copy = file.with_name(f"{file.stem}.before-{datetime.now(UTC):%Y%m%dT%H%M%S}.zip")
            _write_backup(service, copy, as_json=True)
        restored = work.write()
    lines = _restored_lines(restored, archive.about, copy)
    copied_to = str(copy) if copy else None
    report = {**vars(restored), "copy": copied_to, "of": vars(archive.about)}
    base.show(as_json, report, lines)


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
