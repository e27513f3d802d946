"""`flask doctor`: try every part of the set-up with real calls, and say what to mend."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from gettext import gettext as _

import click

from bot.checks.run import examine
from bot.cli.output import AS_JSON, print_json
from bot.runtime.finding import CheckFinding, fault
from bot.service import Service
from bot.settings import SettingFault


def commands(get: Callable[[], Service], faults: Sequence[SettingFault]) -> list[click.Command]:
    @click.command()
    @click.option(
        "--release",
        is_flag=True,
        help="For a release: only what is set up wrongly stops it, not an outage, nor the league's files.",
    )
    @AS_JSON
    def doctor(release: bool, as_json: bool) -> None:
        """Check the whole set-up with real calls. Exit status 1 when something must be mended."""
        shown = []
        for finding in faulty(faults) if faults else examine(get()):
            # Each finding is printed at once, because a store that does not answer takes long.
            shown.append(finding)
            if not as_json:
                click.echo(f"{_('ok  ') if finding.ok else _('MEND')}  {finding.what}: {finding.text}")
        if as_json:
            print_json([as_dict(finding) for finding in shown])
        if not all(finding.ok or (release and not finding.stops_release) for finding in shown):
            raise SystemExit(1)

    return [doctor]


def as_dict(finding: CheckFinding) -> dict[str, object]:
    """Return a finding for JSON."""
    return {
        "what": finding.what,
        "ok": finding.ok,
        "text": finding.text,
        "stops_release": finding.stops_release,
    }


def faulty(faults: Sequence[SettingFault]) -> Iterator[CheckFinding]:
    """Yield a finding for each fault of the environment."""
    for one in faults:
        yield fault(one.name, one.message)
