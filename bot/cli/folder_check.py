"""`flask league check`: faults in a league's folder, and how they are fixed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from functools import partial

import click

from bot.cli.base import CommandContext, command, with_context
from bot.cli.chosen import LEAGUE
from bot.cli.errors import Failure
from bot.cli.folder import league_folder
from bot.cli.options import AS_JSON, YES
from bot.cli.printing import print_report
from bot.league.check import Checked, FileChange, Mend, acknowledge, check_folder, mend
from bot.league.check_logs import LogFinding
from bot.league.files import (
    current,
    write_keeping,
)
from bot.runtime.translation import translated as _
from bot.service import Service
from bot.sync.own_results import all_offered
from storage.ports import Conflict, LogSource, StorageError

SHOWN = 3  # findings of one cause that are printed one by one


@command()
@click.option("--fix", is_flag=True, help="Mend what is safe, after showing the difference.")
@click.option(
    "--acknowledge",
    "accepted",
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
    accepted: tuple[str, ...],
    anew: bool,
    league: str,
    yes: bool,
    as_json: bool,
) -> None:
    if fix and as_json and not yes:
        raise Failure(_("--fix with --json needs --yes: there is nobody to ask"))
    logs = league_folder(cli.service, league)
    if anew:
        acknowledge(logs, (), replacing=True)
    checked = _check_league(cli.service, league)
    if accepted:
        acknowledge(logs, _findings_named(checked.findings, set(accepted)))
        checked = _check_league(cli.service, league)
    if fix:
        checked = _fix(cli.service, league, checked, yes, quiet=as_json)
    report = {
        "findings": [asdict(finding) for finding in checked.findings],
        "acknowledged": checked.acknowledged,
    }
    print_report(as_json, report, _check_lines(checked))
    if checked.findings:
        raise SystemExit(1)


def _check_lines(checked: Checked) -> list[str]:
    """The findings, those of one cause together, and how many there are."""
    counts = {"findings": len(checked.findings), "logs": len(checked.logs)}
    lines = [*_grouped(checked.findings), _("{findings} findings in {logs} logs", **counts)]
    if checked.acknowledged:
        more = _("{count} more are acknowledged (`flask league check --anew` shows them)")
        lines.append(more.format(count=checked.acknowledged))
    return lines


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
    """The findings as text, by cause: those of one kind with one way to fix them. More than SHOWN
    of a cause are one text."""
    causes: dict[tuple[str, str], list[LogFinding]] = {}
    for finding in findings:
        cause = (finding.kind, finding.mend)
        causes.setdefault(cause, []).append(finding)
    for group in causes.values():
        if len(group) <= SHOWN:
            yield from map(str, group)
            continue
        first = group[0]
        places = ", ".join(f"{finding.file}:{finding.line}" for finding in group[:SHOWN])
        template = _("{count} times: {reason} [{kind}]: {places} …")
        line = template.format(
            count=len(group),
            reason=first.reason,
            kind=first.kind,
            places=places,
        )
        yield f"{line}\n    -> {first.mend}"


def _check_league(service: Service, league: str) -> Checked:
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
    return check_folder(league_folder(service, league), offered=offered)


def _fix(
    service: Service,
    league: str,
    checked: Checked,
    yes: bool,
    quiet: bool,
) -> Checked:
    """Offer each step that is safe; `yes` takes them all, `quiet` prints no difference."""

    def write(step: Mend) -> bool:
        if not quiet:
            click.echo("\n".join(map(str, step.files)))
        if not (yes or click.confirm(step.question)):
            return False
        _write_files(league_folder(service, league), step.files, service.now())
        return True

    return mend(checked, partial(_check_league, service, league), write)


def _write_files(logs: LogSource, changes: Sequence[FileChange], now: datetime) -> None:
    """Write the files of a step. Raises Failure before the first where one is not as it was
    checked.
    """
    revisions: dict[str, str | None] = {}
    for change in changes:
        data, revision = current(logs, change.name)
        if data != change.old:
            raise _edited(change.name)
        revisions[change.name] = revision
    for change in changes:
        name = change.name
        try:
            write_keeping(logs, name, change.new, revisions[name], now=now, old=change.old)
        except Conflict:
            raise _edited(name) from None


def _edited(name: str) -> Failure:
    return Failure(_("{name} was edited meanwhile: look again", name=name))
