"""Run the checks of the whole set-up in parallel, each within a time limit."""

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from bot.checks.channel import check_calls, check_channel, check_chats, check_quota, check_rich_menu
from bot.checks.league_files import check_league
from bot.checks.machine import check_font, check_memory, check_version
from bot.checks.parts import CheckedParts
from bot.checks.stores import check_backups, check_images, check_logs, check_state
from bot.checks.tenhou import ask_tenhou, check_sync
from bot.checks.workers import check_heartbeat, check_workers
from bot.line.client import line_sdk
from bot.runtime.finding import CHECKS, Finding, fault, trouble
from bot.runtime.translation import message as _
from storage.ports import StorageError

LIMIT = 8.0  # seconds for each of the rounds of checks
Check = Callable[[CheckedParts], Finding | Iterable[Finding]]
DEEP = ("LINE_CHANNEL_ACCESS_TOKEN", "DATABASE_URL", "LOGS_URL", "IMAGES_URL", "sync")
"""The checks whose failures an external watcher gets (`/healthz?deep=1`)."""

CHECK_OF: Mapping[str, Check] = {
    "LINE_CHANNEL_ACCESS_TOKEN": check_channel,
    "DATABASE_URL": check_state,
    "LOGS_URL": check_logs,
    "IMAGES_URL": check_images,
    "REDIS_URL": check_workers,
    "BACKUP_URL": check_backups,
    "HEARTBEAT_URL": check_heartbeat,
    "richmenu": check_rich_menu,
    "font": check_font,
    "LEAGUE_CHATS": check_chats,
    "webhook": check_calls,
    "quota": check_quota,
    "sync": check_sync,
    "TENHOU_URL": ask_tenhou,
    "league": check_league,
    "memory": check_memory,
    "version": check_version,
}
"""The function of each check, by its name in `bot.runtime.finding.CHECKS`."""


def checks(parts: CheckedParts, limit: float = LIMIT) -> list[Finding]:
    """Return the findings of all checks, within about twice `limit` seconds."""
    return list(examine(parts, limit))


def failing(parts: CheckedParts) -> list[str]:
    """The names of the checks of DEEP that fail; that of the token only where LINE refuses it."""
    token = DEEP[0]
    names = set()
    for name, finding in _in_parallel(DEEP, parts, LIMIT / 2):
        if not finding.ok and (finding.stops_release or name != token):
            names.add(name)
    return sorted(names)


def examine(parts: CheckedParts, limit: float = LIMIT) -> Iterator[Finding]:
    """Yield the findings in the order of the list, each as soon as those before it are complete."""
    if not parts.settings.console:
        line_sdk()  # here, because a check's thread would spend its time on the import
    passed: dict[str, bool] = {}  # by check: whether its first finding is good
    for turn in (1, 2, 3):
        if turn == 2 and not passed["DATABASE_URL"]:
            continue
        checks_of_turn = [check for check in CHECKS if check.turn == turn]
        names = [check.name for check in checks_of_turn if passed.get(check.needs, True)]
        for name, finding in _in_parallel(names, parts, limit):
            passed.setdefault(name, finding.ok)
            yield finding


def _in_parallel(
    names: Sequence[str], parts: CheckedParts, limit: float
) -> Iterator[tuple[str, Finding]]:
    """Run the checks in threads. Yield each check's name with its findings, in order. One that does
    not end within `limit` seconds yields that instead: it delays no other and not the end of the
    process (tests/checks/test_run.py).
    """
    until = time.monotonic() + limit
    queues = {name: _start(name, parts) for name in names}
    for name, results in queues.items():
        try:
            findings = results.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            message = _("no answer within {limit:.0f} seconds", limit=limit)
            findings = [trouble(name, "away", message)]
        for finding in findings:
            yield name, finding


def _start(name: str, parts: CheckedParts) -> queue.SimpleQueue[Sequence[Finding]]:
    """Start a check in a thread that does not keep the process from ending. Return the queue that
    gets its findings.
    """
    results: queue.SimpleQueue[Sequence[Finding]] = queue.SimpleQueue()

    def run() -> None:
        results.put(_findings(name, parts))

    threading.Thread(target=run, name=f"check {name}", daemon=True).start()
    return results


def _findings(name: str, parts: CheckedParts) -> Sequence[Finding]:
    try:
        findings = CHECK_OF[name](parts)
        if isinstance(findings, Finding):
            return [findings]
        return list(findings)
    except StorageError as error:  # the finding of the store's own variable is more precise
        cause = " ".join(str(error).split())
        return [trouble(name, "away", _("a store did not answer: {error}", error=cause))]
    except (OSError, ValueError, RuntimeError) as error:
        cause = " ".join(str(error).split())
        return [fault(name, "unreadable", _("it could not be checked: {error}", error=cause))]
