"""`flask league show`, `check`, `history`, `restore` and `accept`: look at a league's folder and
fix it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import UTC, date
from functools import partial
from hashlib import sha256
from typing import Any

import click

from bot.cli import base
from bot.cli.base import AS_JSON, YES, CommandContext, Failure, command, with_context
from bot.cli.chosen import LEAGUE, warn
from bot.league.check import Checked, Mend, acknowledge, check_folder, difference, mend
from bot.league.check_logs import LogFinding
from bot.league.files import (
    GOOD,
    STAMP,
    FileVersion,
    current,
    read_version,
    restore as put_back,
    versions,
    write_keeping,
)
from bot.league.folder_names import check_folder_name
from bot.league.in_force import read_in_force
from bot.league.last_good import GoodFile, LastGood
from bot.league.snapshot import LeagueSnapshot, read_league
from bot.runtime.translation import translated as _
from bot.service import Service
from bot.sync.own_results import all_offered
from bot.texts import season_title
from rating.logdates import JST
from rating.roomlog import is_guest
from storage.ports import Conflict, LogSource, NotFound, StorageError

SHOWN = 3  # findings of one cause that are printed one by one


@command()
@LEAGUE
@AS_JSON
@with_context
def show(cli: CommandContext, league: str, as_json: bool) -> None:
    logs = _folder(cli.service, league)
    read_in_force(logs)  # a broken league.toml without a known version ends the command
    snapshot = read_league(logs, cli.service.now())
    warn(snapshot.unusable)
    mark = cli.service.state.results.read_marks().get(league)
    report = overview(snapshot, mark.through if mark else None)
    name = report["name"] or _("league without a name")
    rooms = ", ".join(report["rooms"]) or _("none named: those of the newest log count")
    rooms_line = _("rooms: {rooms}", rooms=rooms)
    if report["members_only"]:
        rooms_line += " " + _("(only games among the players)")
    lines = [name, rooms_line]
    for row in report["seasons"]:
        span = ""
        if row["first"]:
            span = _(", {first} to {last}", first=row["first"], last=row["last"])
        line = _("{title}: {log}, {games} games{span}", **row, span=span)
        if row["start"]:
            line += _(", starts {start}", start=row["start"])
        lines.append(line)
    for player, games in report["players"].items():
        line = _("  {player}: {games} games", player=player, games=games)
        lines.append(line)
    lines.append(_("Tenhou read up to {day}", day=report["read_through"] or _("(never)")))
    base.show(as_json, report, lines)


def overview(snapshot: LeagueSnapshot, read_through: date | None) -> dict[str, Any]:
    """The league in numbers; the dates are ISO dates, "" if unknown. `read_through` is the day up
    to which Tenhou's files were read."""
    league = snapshot.league
    rows: list[dict[str, Any]] = []
    games = Counter[str]()
    for season in league.seasons:
        log = snapshot.logs.get(season.log)
        played = log.games if log else []
        days = sorted(game.day.isoformat() for game in played if game.day) or [""]
        start = season.start.isoformat(" ", "minutes") if season.start else ""
        row = {
            "title": season_title(season),
            "log": season.log,
            "start": start,
            "games": len(played),
        }
        rows.append(row | {"first": days[0], "last": days[-1]})
        for game in league.canonical(played):
            games.update(player for player in game.players if not is_guest(player))
    players = {league.shown(player): count for player, count in games.most_common()}
    for player in league.players:
        if player not in games:
            players[league.shown(player)] = 0
    return {
        "name": league.name,
        "rooms": list(league.rooms),
        "members_only": league.members_only,
        "seasons": rows,
        "players": players,
        "read_through": read_through.isoformat() if read_through else "",
    }


@command()
@click.option("--fix", is_flag=True, help="Mend what is safe, after showing the difference.")
@click.option(
    "--acknowledge",
    "right",
    multiple=True,
    metavar="WHICH",
    help="FILE:LINE, or the word in brackets: these findings are right so, until their lines change.",
)
@click.option("--anew", is_flag=True, help="Forget what was acknowledged.")
@LEAGUE
@YES
@AS_JSON
@with_context
def check(
    cli: CommandContext,
    fix: bool,
    right: tuple[str, ...],
    anew: bool,
    league: str,
    yes: bool,
    as_json: bool,
) -> None:
    if fix and as_json and not yes:
        raise Failure(_("--fix with --json needs --yes: there is nobody to ask"))
    logs = _folder(cli.service, league)
    if anew:
        acknowledge(logs, (), replacing=True)
    checked = _check(cli.service, league)
    if right:
        acknowledge(logs, _findings_named(checked.findings, set(right)))
        checked = _check(cli.service, league)
    if fix:
        checked = _mend(cli.service, league, checked, yes, quiet=as_json)
    report = {
        "findings": [asdict(finding) for finding in checked.findings],
        "acknowledged": checked.acknowledged,
    }
    counts = {"findings": len(checked.findings), "logs": len(checked.logs)}
    lines = [*_grouped(checked.findings), _("{findings} findings in {logs} logs", **counts)]
    if checked.acknowledged:
        more = _("{count} more are acknowledged (`flask league check --anew` shows them)")
        lines.append(more.format(count=checked.acknowledged))
    base.show(as_json, report, lines)
    if checked.findings:
        raise SystemExit(1)


def _findings_named(findings: Iterable[LogFinding], requested: set[str]) -> list[LogFinding]:
    """The findings of these kinds or places (`FILE:LINE`). Raises Failure for a name of none."""
    labels: set[str] = set()
    named = []
    for finding in findings:
        names = {finding.kind, f"{finding.file}:{finding.line}"}
        labels |= names
        if names & requested:
            named.append(finding)
    unknown = sorted(requested - labels)
    if unknown:
        raise Failure(_("no finding is {words}", words=", ".join(unknown)))
    return named


def _grouped(findings: Iterable[LogFinding]) -> Iterator[str]:
    causes: dict[tuple[str, str], list[LogFinding]] = {}
    for finding in findings:
        causes.setdefault((finding.kind, finding.mend), []).append(finding)
    for alike in causes.values():
        if len(alike) <= SHOWN:
            yield from map(str, alike)
            continue
        first = alike[0]
        places = ", ".join(f"{finding.file}:{finding.line}" for finding in alike[:SHOWN])
        text = _("{count} times: {reason} [{kind}]: {places} …")
        line = text.format(
            count=len(alike),
            reason=first.reason,
            kind=first.kind,
            places=places,
        )
        yield f"{line}\n    -> {first.mend}"


def _check(service: Service, league: str) -> Checked:
    """Check the folder, with what Tenhou is known to offer; while the database is away, by its own
    notes.
    """
    try:
        offered = all_offered(service.state, league)
    except StorageError as error:
        message = _(
            "the database can't be read, so not every corrected game is known: {error}", error=error
        )
        click.echo(message, err=True)
        offered = {}
    return check_folder(_folder(service, league), offered=offered)


def _mend(
    service: Service,
    league: str,
    checked: Checked,
    yes: bool,
    quiet: bool,
) -> Checked:
    def write(step: Mend) -> bool:
        """Write the files of a step. Raises Failure where one is not as it was checked."""
        if not quiet:
            click.echo("\n".join(map(str, step.files)))
        if not (yes or click.confirm(step.question)):
            return False
        logs = _folder(service, league)
        revisions: dict[str, str | None] = {}
        for change in step.files:
            data, rev = current(logs, change.name)
            if data != change.old:
                raise Failure(_("{name} was edited meanwhile: look again", name=change.name))
            revisions[change.name] = rev
        for change in step.files:
            name = change.name
            rev = revisions[name]
            try:
                write_keeping(
                    logs,
                    name,
                    change.new,
                    rev,
                    now=service.now(),
                    old=change.old,
                )
            except Conflict:
                raise Failure(_("{name} was edited meanwhile: look again", name=name)) from None
        return True

    return mend(checked, partial(_check, service, league), write)


@command()
@click.argument("name", required=False)
@LEAGUE
@AS_JSON
@with_context
def history(cli: CommandContext, name: str | None, league: str, as_json: bool) -> None:
    logs = _folder(cli.service, league)
    there = logs.revisions()
    good = LastGood(logs)
    existing = {*there, *good.names()}
    names = sorted(file for file in existing if file.endswith((".txt", ".toml")))
    if name:
        names = [name]
    versions_of = {file: versions(logs, _plain(file)) for file in names}
    if name and not versions_of[name] and name not in existing:
        raise Failure(_("{name}: no such file in the log folder", name=name))
    lines: list[str] = []
    report: dict[str, Any] = {}
    for file, stored in versions_of.items():
        report[file] = [asdict(version) for version in stored]
        lines += [_version_line(file, version) for version in stored]
    for file in names:
        last_good = good.get(file)
        if last_good:
            lines.append(_good_line(file, last_good))
            report[file].append(_good_row(last_good))
    base.show(as_json, report, lines or [_("no former versions yet: each write keeps one")])


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
    logs = _folder(cli.service, league)
    now = cli.service.now()
    try:
        data = read_version(logs, _plain(name), version)
        old, rev = current(logs, name)
        changes = difference(name, old, data)
        if rev is not None and old == data:
            click.echo(_("{name} is the same as {version} already", name=name, version=version))
            return
        click.echo(changes)
        if yes or click.confirm(_("Write {name}?", name=name)):
            put_back(logs, name, version, now)
            LastGood(logs).accept(name, data, now)
            click.echo(_("{name} is as it was at {version}", name=name, version=version))
    except NotFound as error:
        raise Failure(str(error)) from None
    except Conflict:
        raise Failure(_("{name} was edited meanwhile: look again", name=name)) from None


@command()
@click.argument("name")
@LEAGUE
@YES
@with_context
def accept(cli: CommandContext, name: str, league: str, yes: bool) -> None:
    logs = _folder(cli.service, league)
    now = cli.service.now()
    snapshot = read_league(logs, now)
    losses = (fault for fault in snapshot.unusable if fault.file == _plain(name) and fault.lost)
    lost = next(losses, None)
    if lost is None:
        raise Failure(_("{name} has lost nothing that was there", name=name))
    click.echo(f"{name}: {lost.reason}")
    question = _("Take it as it is? What it held before stays in `flask league history`.")
    if yes or click.confirm(question):
        LastGood(logs).accept(name, snapshot.files.get(name), now)
        click.echo(_("{name} counts as it is from now on", name=name))


def _folder(service: Service, league: str) -> LogSource:
    check_folder_name(league)
    return service.stores.open_logs(league)


def _plain(name: str) -> str:
    if "/" in name or name.startswith("."):
        raise Failure(_("{name}: not the name of a file in the log folder", name=name))
    return name
