"""The safe mends of a log folder, step by step: what `flask league check --fix` writes, each after it was
shown. A step that moves games first writes the log that gets them: a crash leaves doubles, which the next
check mends."""

import difflib
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from bot.league.check import Checked
from bot.runtime.finding import translated as _
from rating.encoding import as_text
from rating.roomlog import RoomLog


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


def mend(checked: Checked, look: Callable[[], Checked], write: Callable[[Mend], bool]) -> Checked:
    """Make the safe mends one after the other, and return what `look` finds afterwards. `write` does a step,
    or returns False where it is not wanted."""
    declined: set[str] = set()
    # Twice, because where a date was typed onto a second copy, the date gets its own line first.
    for stage in (_within_logs, _within_logs, _between_logs, _within_logs):
        asked = set(declined)
        while step := next((step for step in stage(checked) if step.question not in asked), None):
            asked.add(step.question)
            if write(step):
                checked = look()
            else:
                declined.add(step.question)
    return checked


def _within_logs(checked: Checked) -> Iterator[Mend]:
    for name, log in checked.logs.items():
        doubles = {f.line for f in checked.findings if f.file == name and f.kind == "twice" and f.safe}
        old, new = log.to_bytes(), mended(log, doubles)
        if old != new:
            yield Mend(_("Write {name}?", name=name), (FileChange(name, old, new),))


def _between_logs(checked: Checked) -> Iterator[Mend]:
    for move in checked.moves:
        if move.after is not None:
            count = sum(line.glued is None for line in move.lines)
            games = _("1 game") if count == 1 else _("{count} games", count=count)
            told = _("Move {games} from {source} to {target}?")
            changes = tuple(map(FileChange, (move.target, move.source), move.before, move.after))
            yield Mend(told.format(games=games, source=move.source, target=move.target), changes)


def mended(log: RoomLog, doubles: Collection[int]) -> bytes:
    """Return the log after the safe mends, as UTF-8; one that can't be read stays. The lines in `doubles`
    (numbers) are removed, glued dates get a line of their own, and the last line its end."""
    if log.refused:
        return log.to_bytes()
    newline = b"\r\n" if log.lines and log.lines[0].raw.endswith(b"\r\n") else b"\n"
    result = bytearray()
    for line in log.lines:
        if line.number in doubles:
            continue
        raw = line.raw
        if line.glued:
            border = raw.rindex(b")") + 1
            raw = raw[:border] + newline + raw[border:].lstrip()
        result += raw
    if result and not result.endswith((b"\n", b"\r")):
        result += newline
    return bytes(result)


def difference(name: str, old: bytes, new: bytes) -> str:
    """Return what mending changes, as a unified diff."""
    before, after = (as_text(data).splitlines() for data in (old, new))
    changed = _("{name} (mended)", name=name)
    lines = "\n".join(difflib.unified_diff(before, after, name, changed, lineterm="", n=1))
    return lines or (_("{name}: the same text in another encoding", name=name) if old != new else "")
