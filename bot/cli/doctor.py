"""`flask doctor`: check the variables, every store, LINE's token, the font and the room with real calls; say what to mend."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

import click

from bot.cli.doctor_checks import DoctorFinding, examine
from bot.cli.doctor_rooms import examine_rooms
from bot.cli.output import AS_JSON, print_json
from bot.service import Service


def commands(get: Callable[[], Service], faults: list[str]) -> list[click.Command]:
    @click.command()
    @click.option(
        "--release",
        is_flag=True,
        help="For a release: what the league's files or its room leave to mend stops nothing.",
    )
    @AS_JSON
    def doctor(release: bool, as_json: bool) -> None:
        """Check the whole set-up with real calls. Exit status 1 when something must be mended."""
        shown = []
        for finding in _faults(faults) if faults else chain(examine(get()), examine_rooms(get())):
            # Each finding is printed at once, because a store that does not answer takes long.
            shown.append(finding)
            if not as_json:
                click.echo(f"{'ok  ' if finding.ok else 'MEND'}  {finding.what}: {finding.text}")
        if as_json:
            print_json([{"what": f.what, "ok": f.ok, "text": f.text} for f in shown])
        if not all(finding.ok or (release and finding.content) for finding in shown):
            raise SystemExit(1)

    return [doctor]


def _faults(faults: list[str]) -> Iterator[DoctorFinding]:
    for fault in faults:
        name, _, words = fault.partition(": ")
        yield DoctorFinding(name, False, words)
