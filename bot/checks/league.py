"""Check the league's files, as `flask league check` does in full, and how long ago the last sync was."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from bot.checks.parts import CheckedParts
from bot.league.check import check_folder, ignored
from bot.runtime.finding import CheckFinding, good, plain, trouble
from bot.runtime.finding import message as _
from bot.sync.league_job import all_offered
from bot.sync.run import last_sync
from rating.logdates import JST

WHAT = "league"
SHOWN = 20  # how many unreadable lines are listed one by one
OLD = timedelta(days=2)


def check_league(parts: CheckedParts) -> Iterator[CheckFinding]:
    """Yield what must be mended in the folder's files, line by line. Raises StorageError when it can't be
    read."""
    snapshot = parts.registry.league().snapshot()
    for unusable in snapshot.unusable:
        yield trouble(WHAT, plain(unusable))
    if not snapshot.logs and not snapshot.refused:
        told = _("the folder has no logvolN.txt; put the season's log there, or run `flask sync`")
        yield trouble(WHAT, told)
        yield from _ignored(parts)
        return
    said = {unusable.file for unusable in snapshot.unusable}
    problems = [problem for problem in snapshot.problems if problem.file not in said]
    for problem in problems[:SHOWN]:
        place = f"{problem.file}:{problem.line}: {problem.reason}: {problem.text}"
        yield trouble(WHAT, plain(place.strip(" :")))
    if len(problems) > SHOWN:
        told = _("{count} more lines can't be read: see `flask league check`", count=len(problems) - SHOWN)
        yield trouble(WHAT, told)
    found = len(check_folder(parts.stores.open_logs(), offered=all_offered(parts.state)).findings)
    if found:
        yield good(WHAT, _("{count} things to look at: see `flask league check`", count=found))
    else:
        yield good(WHAT, _("nothing to mend in the logs"))


def _ignored(parts: CheckedParts) -> Iterator[CheckFinding]:
    """Yield the files that nobody reads though their names look like a log's, where the logs are missing."""
    listing = parts.stores.open_logs().changes()
    for finding in ignored(listing.files, listing.folders):
        yield trouble(WHAT, plain(f"{finding.file}: {finding.reason}; {finding.mend}"))


def check_sync(parts: CheckedParts) -> CheckFinding:
    """How long ago `flask sync` last ended; it must run every day."""
    what = "sync"
    if not parts.has_rooms:
        return good(what, _("the demo league has nothing to fetch"))
    at, now = last_sync(parts.state), parts.now()
    if at is None:
        told = _("none has run yet: run `flask sync`, and have the scheduler run it every hour")
        return trouble(what, told)
    when = at.astimezone(JST).strftime("%Y-%m-%d %H:%M")
    if now - at > OLD:
        told = _("the last one was at {when}: does the scheduler run `flask sync` every hour?", when=when)
        return trouble(what, told)
    return good(what, _("the last one was at {when}", when=when))
