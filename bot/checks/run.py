"""Check the whole set-up with real calls, side by side, each within a time limit."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from bot.checks.channel import check_channel, check_chats, check_rich_menu, check_webhook
from bot.checks.host import check_font, check_memory, check_version
from bot.checks.league import check_league, check_sync
from bot.checks.parts import CheckedParts
from bot.checks.rooms import check_rooms
from bot.checks.stores import check_images, check_logs, check_state, check_workers
from bot.checks.tenhou import check_tenhou
from bot.runtime.finding import CheckFinding, fault, trouble
from bot.runtime.finding import message as _
from storage.ports import StorageError

LIMIT = 8.0  # seconds for each of the two rounds of checks
Check = Callable[[CheckedParts], CheckFinding | Iterable[CheckFinding]]


def _ask_tenhou(parts: CheckedParts) -> Iterator[CheckFinding]:
    """Tenhou and the leagues' own rooms there: one after the other, as Tenhou wishes."""
    yield check_tenhou(parts)
    yield from check_rooms(parts)


# The order in which the findings are told. Checks that need the database begin once that has answered.
FIRST: Sequence[tuple[str, Check]] = (
    ("LINE_CHANNEL_ACCESS_TOKEN", check_channel),
    ("DATABASE_URL", check_state),
    ("LOGS_URL", check_logs),
    ("IMAGES_URL", check_images),
    ("REDIS_URL", check_workers),
    ("richmenu", check_rich_menu),
    ("font", check_font),
)
SECOND: Sequence[tuple[str, Check]] = (
    ("LEAGUE_CHATS", check_chats),
    ("webhook", check_webhook),
    ("sync", check_sync),
    ("TENHOU_URL", _ask_tenhou),
    ("league", check_league),
)
NEEDS = {"webhook": "LINE_CHANNEL_ACCESS_TOKEN", "league": "LOGS_URL"}  # what must have worked besides
LAST: Sequence[tuple[str, Check]] = (("memory", check_memory), ("version", check_version))


def checks(parts: CheckedParts, limit: float = LIMIT) -> list[CheckFinding]:
    """Return the findings of all checks, within about twice `limit` seconds."""
    return list(examine(parts, limit))


def examine(parts: CheckedParts, limit: float = LIMIT) -> Iterator[CheckFinding]:
    """Yield the findings in a fixed order, each as soon as those before it are there."""
    worked: dict[str, bool] = {}  # by check: whether its first finding is well
    for what, finding in _side_by_side(FIRST, parts, limit):
        worked.setdefault(what, finding.ok)
        yield finding
    second = [one for one in SECOND if worked.get("DATABASE_URL") and worked.get(NEEDS.get(one[0], ""), True)]
    for checked in (second, LAST):
        for _what, finding in _side_by_side(checked, parts, limit):
            yield finding


def _side_by_side(
    wanted: Sequence[tuple[str, Check]], parts: CheckedParts, limit: float
) -> Iterator[tuple[str, CheckFinding]]:
    """Make the checks in threads, and yield each one's name with its findings, in their order.

    A check that takes longer than `limit` seconds is a finding of its own, and is left alone.
    """
    until = time.monotonic() + limit
    answers = [_begun(what, check, parts) for what, check in wanted]
    for (what, _check), answer in zip(wanted, answers, strict=True):
        try:
            findings = answer.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            findings = [trouble(what, _("no answer within {limit:.0f} seconds", limit=limit))]
        for finding in findings:
            yield what, finding


def _begun(what: str, check: Check, parts: CheckedParts) -> queue.SimpleQueue[Sequence[CheckFinding]]:
    """Make a check in a thread of its own, which does not keep the process from ending. Its findings come in
    the queue."""
    answer: queue.SimpleQueue[Sequence[CheckFinding]] = queue.SimpleQueue()
    threading.Thread(
        target=lambda: answer.put(_findings(what, check, parts)), name=f"check {what}", daemon=True
    ).start()
    return answer


def _findings(what: str, check: Check, parts: CheckedParts) -> Sequence[CheckFinding]:
    try:
        found = check(parts)
        return [found] if isinstance(found, CheckFinding) else list(found)
    except StorageError as error:  # the finding of the store's own variable says more
        return [trouble(what, _("a store did not answer: {error}", error=" ".join(str(error).split())))]
    except (OSError, ValueError, RuntimeError) as error:
        return [fault(what, _("it could not be checked: {error}", error=" ".join(str(error).split())))]
