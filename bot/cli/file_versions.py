"""`flask league history` and `restore`: the former versions of a league's files."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC
from hashlib import sha256
from itertools import chain
from typing import Any, NamedTuple

import click

from bot.cli.base import CommandContext, command, with_context
from bot.cli.chosen import LEAGUE
from bot.cli.errors import Failure
from bot.cli.folder import league_folder, plain_name
from bot.cli.options import AS_JSON, YES
from bot.cli.printing import print_report
from bot.league.check import difference
from bot.league.files import (
    GOOD,
    STAMP,
    FileVersion,
    current,
    read_version,
    restore as put_back,
    versions,
)
from bot.league.last_good import GoodFile, LastGood
from bot.runtime.translation import translated as _
from bot.service import Service
from rating.logdates import JST
from storage.ports import Conflict, LogSource, NotFound


@command()
@click.argument("name", required=False)
@LEAGUE
@AS_JSON
@with_context
def history(cli: CommandContext, name: str | None, league: str, as_json: bool) -> None:
    logs = league_folder(cli.service, league)
    histories = file_histories(logs, name)
    report = {}
    for history_of_file in histories:
        report[history_of_file.file] = history_of_file.rows()
    lines = [history_of_file.lines() for history_of_file in histories]
    good_lines = [history_of_file.good_lines() for history_of_file in histories]
    all_lines = list(chain(*lines, *good_lines))
    print_report(as_json, report, all_lines or [_("no former versions yet: each write keeps one")])


class FileHistory(NamedTuple):
    """A file's former versions, oldest first, and its last good one where there is one."""

    file: str
    versions: Sequence[FileVersion]
    good: GoodFile | None

    def rows(self) -> list[dict[str, Any]]:
        rows = [asdict(version) for version in self.versions]
        if self.good is not None:
            rows.append(_good_row(self.good))
        return rows

    def lines(self) -> list[str]:
        return [_version_line(self.file, version) for version in self.versions]

    def good_lines(self) -> list[str]:
        if self.good is None:
            return []
        return [_good_line(self.file, self.good)]


def file_histories(logs: LogSource, name: str | None) -> list[FileHistory]:
    """The histories of a file, or of all. Raises Failure for a file that never was there."""
    good = LastGood(logs)
    existing = {*logs.revisions(), *good.names()}
    names = sorted(file for file in existing if file.endswith((".txt", ".toml")))
    if name:
        names = [name]
    histories = []
    for file in names:
        former_versions = versions(logs, plain_name(file))
        if not former_versions and file not in existing:
            raise Failure(_("{name}: no such file in the log folder", name=file))
        histories.append(FileHistory(file, former_versions, good.get(file)))
    return histories


def _version_line(file: str, version: FileVersion) -> str:
    row = _("{file}  {name}  {when:%Y-%m-%d %H:%M} JST  {size} bytes")
    return row.format(
        file=file,
        name=version.name,
        when=version.when(JST),
        size=version.size,
    )


def _good_line(file: str, version: GoodFile) -> str:
    size = len(version.data)
    if version.since is None:
        return _("{file}  {name}  {size} bytes", file=file, name=GOOD, size=size)
    message = _("{file}  {name}  {when:%Y-%m-%d %H:%M} JST  {size} bytes")
    return message.format(
        file=file,
        name=GOOD,
        when=version.since.astimezone(JST),
        size=size,
    )


def _good_row(version: GoodFile) -> dict[str, str | int]:
    """The last good version, in JSON as the former ones; since its `kept` it is good."""
    since = version.since.astimezone(UTC).strftime(STAMP) if version.since else ""
    digest = sha256(version.data).hexdigest()
    return {"name": GOOD, "kept": since, "size": len(version.data), "sha256": digest}


@command()
@click.argument("name")
@click.argument("version")
@LEAGUE
@YES
@with_context
def restore(
    cli: CommandContext,
    name: str,
    version: str,
    league: str,
    yes: bool,
) -> None:
    logs = league_folder(cli.service, league)
    try:
        data = read_version(logs, plain_name(name), version)
        old, revision = current(logs, name)
        if revision is not None and old == data:
            click.echo(_("{name} is the same as {version} already", name=name, version=version))
            return
        click.echo(difference(name, old, data))
        if yes or click.confirm(_("Write {name}?", name=name)):
            _put_back(cli.service, logs, name, version, data)
    except NotFound as error:
        raise Failure(str(error)) from None
    except Conflict:
        raise Failure(_("{name} was edited meanwhile: look again", name=name)) from None


def _put_back(
    service: Service,
    logs: LogSource,
    name: str,
    version: str,
    data: bytes,
) -> None:
    """Write a file's former version, and take it as good though games are gone from it."""
    now = service.now()
    put_back(logs, name, version, now)
    LastGood(logs).accept(name, data, now)
    click.echo(_("{name} is as it was at {version}", name=name, version=version))
