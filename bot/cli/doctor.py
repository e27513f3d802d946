"""flask doctor: every variable, every store reached with a real call, LINE's token, the font; says what to mend."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from bot.service import Service

Finding = tuple[str, bool, str]  # what was looked at, whether it is well, what to know or mend


def commands(get: Callable[[], Service], faults: list[str]) -> list[click.Command]:
    @click.command()
    @click.option("--json", "as_json", is_flag=True, help="The same findings for programs.")
    def doctor(as_json: bool) -> None:
        """Check the whole set-up with real calls. Exit status 1 when something must be mended."""
        found = _faults(faults) if faults else _examine(get())
        shown = []
        for finding in found:  # each is printed as it is made: a store that does not answer takes its time
            shown.append(finding)
            if not as_json:
                what, ok, words = finding
                click.echo(f"{'ok  ' if ok else 'MEND'}  {what}: {words}")
        if as_json:
            click.echo(json.dumps([{"what": w, "ok": o, "text": t} for w, o, t in shown], ensure_ascii=False))
        if not all(ok for _, ok, _ in shown):
            raise SystemExit(1)

    return [doctor]


def _faults(faults: list[str]) -> Iterator[Finding]:
    for fault in faults:
        name, _, words = fault.partition(": ")
        yield name, False, words


def _examine(service: Service) -> Iterator[Finding]:
    from bot.health import examine

    return examine(service)
