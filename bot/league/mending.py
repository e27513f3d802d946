"""The safe mends of a log folder, step by step: what `flask league check --fix` writes, each after it was
shown.

A step that moves games first writes the log that gets them, then the log that loses them. A crash between the
two leaves doubles, which the next check finds and mends; no game is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from gettext import gettext as _

from bot.league.check import Checked
from bot.league.check_log import difference, mended


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file's bytes before and after; `old` is empty for a new file."""

    name: str
    old: bytes
    new: bytes

    def __str__(self) -> str:
        return difference(self.name, self.old, self.new)


@dataclass(frozen=True, slots=True)
class Mend:
    """A step: the files to write, in this order, and the question to the admin."""

    question: str
    files: tuple[FileChange, ...]


def within_logs(checked: Checked) -> Iterator[Mend]:
    """Yield a step for each log with faults of its own, or with games of which another line stands."""
    for name, log in checked.logs.items():
        doubles = {f.line for f in checked.findings if f.file == name and f.kind == "twice" and f.safe}
        old, new = log.to_bytes(), mended(log, doubles)
        if old != new:
            yield Mend(_("Write {name}?").format(name=name), (FileChange(name, old, new),))


def between_logs(checked: Checked) -> Iterator[Mend]:
    """Yield a step for each two logs of which one holds games of the other one's season."""
    for move in checked.moves:
        if move.after is not None:
            count = sum(line.glued is None for line in move.lines)
            games = _("1 game") if count == 1 else _("{count} games").format(count=count)
            names = (move.target, move.source)
            changes = (FileChange(*change) for change in zip(names, move.before, move.after, strict=True))
            yield Mend(
                _("Move {games} from {source} to {target}?").format(
                    games=games, source=move.source, target=move.target
                ),
                tuple(changes),
            )


_STAGES: tuple[Callable[[Checked], Iterator[Mend]], ...] = (
    within_logs,
    within_logs,  # where a date was typed onto a second copy, the date gets its own line first
    between_logs,
    within_logs,
)


def mend(checked: Checked, look: Callable[[], Checked], write: Callable[[Mend], bool]) -> Checked:
    """Make the safe mends one after the other, and return what is found afterwards.

    `write` does a step, or returns False where it is not wanted. `look` checks the folder again after each
    step.
    """
    declined: set[str] = set()
    for stage in _STAGES:
        asked = set(declined)
        while step := next((step for step in stage(checked) if step.question not in asked), None):
            asked.add(step.question)
            if write(step):
                checked = look()
            else:
                declined.add(step.question)
    return checked
