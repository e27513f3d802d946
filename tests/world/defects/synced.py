"""Defects in how results get into the logs, and in what follows a sync."""

import uuid
import zlib
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from sqlalchemy import delete, not_, update

import bot.league.files as files_module
import bot.league.season_log as season_log_module
import bot.league.snapshot as snapshot_module
import bot.notify.groups as group_push_module
import bot.tenhou.client as tenhou_module
import bot.tenhou.throttle as throttle_module
import rating.merge as merge_module
import rating.own_games as own_games_module
from bot.league.files import keep
from bot.league.in_force import LogsInForce
from bot.notify.groups import GroupPush
from bot.runtime.leased_work import LeasedWork
from bot.sync.download import Downloader
from bot.sync.league_job import LeagueWork
from bot.tenhou.throttle import Throttle
from rating.merge import merge
from storage.lease import Lease
from storage.ports import Conflict, StorageError
from storage.results import DayLines, Results
from storage.schema import LEASES, RESULTS
from tests.world.defects.plant import Plant, defect, instead


@defect
def log_written_without_its_revision(plant: Plant) -> None:
    """A log is written whatever its revision."""
    plant.instead(
        files_module,
        "write_keeping",
        lambda logs, name, data, rev, now, old=b"": logs.overwrite(name, data),
    )


@instead(files_module, "write_keeping", right=True)
def conflict_taken_for_success(right: Any, *args: Any, **more: Any) -> str:
    """A log that somebody else wrote meanwhile counts as written."""
    with suppress(Conflict):
        return right(*args, **more)
    return ""


@instead(Downloader, "_take_all", right=True)
def read_mark_kept_too_early(right: Any, self: Any, wanted: Any, ask: Any) -> Any:
    """A round notes which files it has read before it reads them."""
    for file in wanted:
        for league, member in self.members.items():
            kept = self._results.get(league, file.day)
            self._results.put(
                league,
                file.day,
                file.size,
                member.rooms,
                kept.lines if kept else (),
            )
    return right(self, wanted, ask)


@instead(LeagueWork, "_opened", right=True)
def merged_before_written(right: Any, self: Any, league: str, outcome: Any) -> Any:
    """Lines count as merged before the log is written."""
    logs = right(self, league, outcome)
    add = logs.add
    results = self.state.results

    def mark_and_add(days: Any, *rest: Any) -> Any:
        for day in days:
            if (kept := results.get(league, day)) is not None:
                results.mark_merged(league, kept)
        return add(days, *rest)

    logs.add = mark_and_add
    return logs


@defect
def day_merged_twice(plant: Plant) -> None:
    """Lines are added although the log has them."""
    plant.instead(merge_module, "_missing", lambda log, new: dict(new))


@defect
def merged_lines_forgotten(plant: Plant) -> None:
    """When a day's file grows, it is forgotten which of its lines were merged before."""
    plant.instead(DayLines, "fresh", property(lambda self: list(self.lines)))


@instead(Results, "mark_merged")
def days_lines_kept_over_newer_ones(self: Results, league: str, lines: DayLines) -> None:
    """A day's lines count as merged whatever another process has stored since they were read."""
    here = RESULTS.c.league == league, RESULTS.c.day == lines.day.isoformat()
    self._database.write(
        update(RESULTS)
        .where(*here)
        .values(
            merged=RESULTS.c.lines,
            waiting=False,
        )
    )


@defect
def corrections_not_recognised(plant: Plant) -> None:
    """A game that a hand corrected is added once more."""
    plant.instead(merge_module, "corrected_games", lambda *_: [])
    plant.instead(own_games_module, "corrected_games", lambda *_: [])


@instead(season_log_module, "merge")
def lines_sorted(*args: Any, **more: Any) -> Any:
    """The merging sorts the lines of the log."""
    found = merge(*args, **more)
    if not found.added:
        return found
    lines = sorted(found.data.splitlines(True))
    return replace(found, data=b"".join(lines))


@instead(files_module, "write_keeping")
def version_kept_is_the_new_one(
    logs: Any,
    name: str,
    data: bytes,
    rev: str | None,
    now: Any,
    old: bytes = b"",
) -> str:
    """What is kept as a log's former version is its new text."""
    if rev is not None:
        keep(logs, name, data, rev, now)
    return str(logs.write(name, data, rev))


@instead(snapshot_module, "logs_in_force", right=True)
def last_good_copy_overwritten(
    right: Any,
    files: Any,
    large: Any,
    good: Any,
    now: Any = None,
    gone: Any = None,
) -> Any:
    """A log that cannot be read takes the place of its last good version."""
    found = right(files, large, good, now, gone)
    good.add(
        {name: data for name, data in files.items() if name.startswith("logvol")},
        now,
    )
    return found


@defect
def spoilt_log_written(plant: Plant) -> None:
    """A log that is no text is taken for an empty one."""
    right = season_log_module.SeasonLogs._refusal

    def seen(self: Any, name: str, data: bytes) -> str:
        return "" if data.startswith(b"\xff") else right(self, name, data)

    plant.instead(season_log_module.SeasonLogs, "_refusal", seen)

    def in_force(
        files: Any,
        large: Any,
        good: Any,
        now: Any = None,
        gone: Any = None,
    ) -> Any:
        return LogsInForce(dict(files), [])

    plant.instead(season_log_module, "logs_in_force", in_force)
    plant.instead(
        season_log_module,
        "merge",
        lambda data, *rest: merge(b"" if data.startswith(b"\xff") else data, *rest),
    )


@instead(tenhou_module, "unpack", right=True)
def half_a_file_accepted(right: Any, name: str, data: bytes, *limit: int) -> bytes:
    """A file of Tenhou's that is cut off is read as far as it goes."""
    return (
        zlib.decompressobj(31).decompress(data)
        if data[:2] == b"\x1f\x8b"
        else right(name, data, *limit)
    )


@defect
def lease_never_released(plant: Plant) -> None:
    """The connection to Tenhou is not given back, and does not expire."""

    plant.instead(Lease, "release", lambda self: None)
    plant.instead(throttle_module, "LEASE", timedelta(days=400))


@instead(Lease, "renew")
def lease_without_fencing(self: Lease) -> bool:
    """A lease is renewed although another process has taken it over, or has had it and left it."""
    until = self._database.clock() + self._life
    return (
        self._database.put(
            LEASES,
            {
                "name": self._name,
                "holder": self._holder,
                "until": until,
            },
        )
        > 0
    )


@defect
def rounds_without_a_pause(plant: Plant) -> None:
    """Tenhou is asked again at once."""
    plant.instead(Throttle, "_check_gap", lambda self: None)


@defect
def digest_sent_again(plant: Plant) -> None:
    """A digest is pushed with a new key at each try, and it is not noted that it was sent."""

    class Fresh:
        NAMESPACE_OID = uuid.NAMESPACE_OID
        count = 0

        @classmethod
        def uuid5(cls, space: Any, words: str) -> str:
            cls.count += 1
            return f"{words} {cls.count}"

    plant.instead(group_push_module, "uuid", Fresh)


@instead(GroupPush, "once")
def digest_noted_before_it_is_sent(
    self: Any,
    chat: str,
    key: str,
    reply: Any,
    what: str,
    ttl: float | None = None,
) -> bool:
    """A digest counts as sent before LINE has taken it."""
    if self.notices.was_sent(key):
        return True
    self.notices.mark_sent(key, ttl)
    return bool(self.send(chat, reply, what))


@instead(Results, "change_open_days")
def open_day_is_not_noted(
    self: Results,
    league: str,
    opened: Any = (),
    done: Any = (),
) -> None:
    """What could not be done after the merging is not done later."""


@instead(Throttle, "_check_gap", right=True)
def gap_looked_at_once(right: Any, self: Any) -> None:
    """When Tenhou was asked last is looked up before the connection is ours, and not again."""
    if not getattr(self, "looked", False):
        right(self)
    self.looked = True


@instead(Downloader, "_lacks", right=True)
def grown_file_not_read_again(right: Any, self: Any, league: str, file: Any) -> bool:
    """A day's file that was read is not read again when it has grown."""
    return (league, file.day) not in self._read and right(self, league, file)


@instead(Downloader, "_listed", right=True)
def day_before_the_gap_not_read(right: Any, self: Any, *rest: Any) -> Any:
    """After a long gap the file of the day before the last one read is passed over."""
    marks = [member.read for member in self.members.values() if member.read]
    through = min((mark.through for mark in marks), default=date.min)
    return [file for file in right(self, *rest) if file.day >= through]


@instead(Results, "put", right=True)
def grown_file_does_not_wait(
    right: Any,
    self: Results,
    league: str,
    day: date,
    *rest: Any,
) -> bool:
    """The new lines of a day's file that has grown are kept, and not noted as lines to merge."""
    before = self.get(league, day)
    found = right(self, league, day, *rest)
    if before is not None and before.merged:
        here = RESULTS.c.league == league, RESULTS.c.day == day.isoformat()
        self._database.write(update(RESULTS).where(*here).values(waiting=False))
    return found


@instead(Results, "sweep", right=True)
def merged_lines_swept(right: Any, self: Results, today: date) -> int:
    """What is in the logs is swept from the results, so that a hand's removal is not known any
    more.
    """
    self._database.write(delete(RESULTS).where(not_(RESULTS.c.waiting)))
    return right(self, today)


@instead(Results, "mark_merged")
def lines_of_all_leagues_merged(self: Results, league: str, lines: DayLines) -> None:
    """A day's lines count as merged for every league once one has them in its log."""
    here = RESULTS.c.day == lines.day.isoformat(), RESULTS.c.version == lines.version
    self._database.write(
        update(RESULTS)
        .where(*here)
        .values(
            merged=RESULTS.c.lines,
            waiting=False,
        )
    )


@instead(Results, "put", right=True)
def version_that_does_not_count(
    right: Any, self: Results, league: str, day: date, *rest: Any
) -> bool:
    """New lines of a day keep the number of those before, so that both are taken for the same."""
    before = self.get(league, day)
    found = right(self, league, day, *rest)
    here = RESULTS.c.league == league, RESULTS.c.day == day.isoformat()
    self._database.write(
        update(RESULTS).where(*here).values(version=before.version if before else 1)
    )
    return found


@instead(LeasedWork, "round")
def duty_stops_after_an_error(self: LeasedWork) -> None:
    """After a round that failed a process begins no other one."""
    try:
        self.do()
    except StorageError:
        return
    self.since = None
