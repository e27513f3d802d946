"""`flask doctor`: the whole set-up, tried for real."""

from typing import Any

import click

from bot.checks.run import examine
from bot.cli.base import CommandContext, command, with_context
from bot.cli.options import AS_JSON, DEMO
from bot.cli.printing import print_json
from bot.runtime.env_file import what_is_read
from bot.runtime.finding import Finding, fault
from bot.runtime.translation import translated as _


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
            _print_finding(finding)
    if as_json:
        rows = [_finding_row(finding) for finding in findings]
        print_json({"configuration": what_is_read(), "findings": rows})
    if any(_ends_in_failure(finding, release) for finding in findings):
        raise SystemExit(1)


def _print_finding(finding: Finding) -> None:
    mark = _("MEND")
    if finding.ok:
        mark = _("ok  ")
    click.echo(f"{mark}  {finding.subject}: {finding.text}")


def _finding_row(finding: Finding) -> dict[str, Any]:
    return {
        "what": finding.subject,
        "ok": finding.ok,
        "code": finding.code,
        "text": finding.text,
        "stops_release": finding.stops_release,
    }


def _ends_in_failure(finding: Finding, release: bool) -> bool:
    """Whether the finding makes the exit status 1; for a release only what is set up wrongly."""
    if finding.ok:
        return False
    return finding.stops_release or not release
