"""Defects planted one by one into the real code, to see that the world finds each. `python -m tests.world.defects [NAME…]`

A defect is a function that puts something wrong in place of something right, for as long as a patch lasts. Its docstring
says what is wrong.
"""

from __future__ import annotations

import sys
import uuid
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from typing import Any

import bot.league.edit as edit_module
import bot.league.season_log as season_log_module
import bot.notify.after_sync as after_sync_module
import bot.tenhou.client as tenhou_module
import rating.merge as merge_module
from bot.chat.access import ChatAccess
from bot.dispatch import responder as responder_module
from bot.dispatch.dispatcher import Dispatcher
from bot.dispatch.pending import DONE, LATER, QUEUE, REMEMBERED, PendingEvents
from bot.dispatch.pictures import Pictures
from bot.league.repository import LeagueRepository
from bot.line.client import LineClient
from bot.runtime.circuit_breaker import CircuitBreaker
from bot.sync.download import Downloader
from bot.sync.league_job import LeagueWork
from bot.sync.pending_results import DayLines, PendingResults
from bot.tenhou.throttle import Throttle
from rating.merge import merge
from storage.ports import Conflict, StorageError
from tests.world.episode import Ended, play

TRIES = 200  # episodes, after which a defect counts as not found


class Plant:
    """Puts wrong things in place, and takes them out again."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack

    def instead(self, owner: Any, name: str, wrong: Any) -> None:
        """Put `wrong` in place of an attribute."""
        self._stack.callback(setattr, owner, name, getattr(owner, name))
        setattr(owner, name, wrong)


Defect = Callable[[Plant], None]
DEFECTS: dict[str, Defect] = {}


def defect(made: Defect) -> Defect:
    """List a defect under its function's name."""
    DEFECTS[made.__name__.replace("_", " ")] = made
    return made


@contextmanager
def planted(name: str) -> Iterator[None]:
    """Plant a defect for a while."""
    with ExitStack() as stack:
        DEFECTS[name](Plant(stack))
        yield


@defect
def claim_not_checked(plant: Plant) -> None:
    """A claim counts although another process was faster."""

    def claim(self: PendingEvents, pending: Any) -> Any:
        with suppress(StorageError):
            self._state.put(pending.key, replace(pending, owner=self.owner).value, REMEMBERED)
        return replace(pending, owner=self.owner)

    plant.instead(PendingEvents, "claim", claim)


@defect
def done_before_sent(plant: Plant) -> None:
    """An event is marked as answered before the answer is sent."""
    right = Dispatcher._answered

    def answered(self: Dispatcher, mine: Any) -> Any:
        self.pending.done(mine)
        return right(self, mine)

    plant.instead(Dispatcher, "_answered", answered)


@defect
def taken_without_remembering(plant: Plant) -> None:
    """A webhook is accepted before the event is in the store."""
    plant.instead(
        PendingEvents,
        "take",
        lambda self, event, command, raw, base, queued=False: self.read(
            "", f"{self.owner} {self._clock():.3f} " + merge_json(raw, base)
        ),
    )


def merge_json(raw: Any, base: str) -> str:
    """An event's content as a record has it."""
    import json

    return json.dumps({"event": raw, "base": base})


@defect
def redelivery_not_recognised(plant: Plant) -> None:
    """An event that comes a second time is taken a second time."""
    right = PendingEvents.take

    def take(self: PendingEvents, event: Any, *rest: Any) -> Any:
        self._seen.clear()
        with suppress(StorageError):
            self._state.delete(f"event:{int(event.at):010d}:{event.id}")
        return right(self, event, *rest)

    plant.instead(PendingEvents, "take", take)


@defect
def events_of_the_living_recovered(plant: Plant) -> None:
    """Recovery takes up events whose owner lives."""

    def lost(self: PendingEvents) -> list[Any]:
        window = f"event:{int(self._clock()):010d}"[:12]
        found = [self.read(key, value) for key, value in self._state.items(window, DONE).items()]
        return [pending for pending in found if pending.owner not in (self.owner, QUEUE)]

    plant.instead(PendingEvents, "lost", lost)


@defect
def sign_of_life_never_renewed(plant: Plant) -> None:
    """A process shows only once that it lives."""
    right = PendingEvents.show_alive
    plant.instead(PendingEvents, "show_alive", lambda self: None if self._shown else right(self))


@defect
def signs_of_life_read_first(plant: Plant) -> None:
    """Recovery reads the signs of life before the events, so a process that has just begun looks dead."""

    def lost(self: PendingEvents) -> list[Any]:
        alive = {key.removeprefix("alive:") for key in self._state.items("alive:")} | {self.owner}
        now, found = self._clock(), []
        for key, value in self._state.items(f"event:{int(now):010d}"[:12], DONE).items():
            pending = self.read(key, value)
            if pending.owner not in alive and (pending.owner != QUEUE or now - pending.taken > 5):
                found.append(pending)
        return found

    plant.instead(PendingEvents, "lost", lost)


@defect
def doubtful_record_forgotten(plant: Plant) -> None:
    """An event whose record may be there, because only the store's answer was lost, is never marked."""
    right = PendingEvents.done

    def done(self: PendingEvents, pending: Any, may_wait: bool = False) -> None:
        right(self, replace(pending, doubtful=""), may_wait)

    plant.instead(PendingEvents, "done", done)


@defect
def put_off_and_forgotten(plant: Plant) -> None:
    """An answer that was put off is not taken up by anybody."""
    right = PendingEvents.lost
    plant.instead(PendingEvents, "lost", lambda self: [p for p in right(self) if p.owner != LATER])


@defect
def never_given_up(plant: Plant) -> None:
    """An event whose token is past stays as it is."""
    plant.instead(PendingEvents, "give_up", lambda self, pending: False)


@defect
def queued_and_marked(plant: Plant) -> None:
    """An event counts as answered as soon as the queue has it."""
    right = Dispatcher._queued

    def queued(self: Dispatcher, pending: Any) -> bool:
        sent = right(self, pending)
        if sent:
            self.pending.done(pending)
        return sent

    plant.instead(Dispatcher, "_queued", queued)


@defect
def mark_forgotten_in_an_outage(plant: Plant) -> None:
    """What was answered while the store was away is not marked later."""

    def done(self: PendingEvents, pending: Any, may_wait: bool = False) -> None:
        with suppress(StorageError):
            if pending.key:
                self._state.put(pending.key, DONE, REMEMBERED)

    plant.instead(PendingEvents, "done", done)


@defect
def another_token(plant: Plant) -> None:
    """An answer takes the token of the event that came last."""
    right = Dispatcher.handle, Dispatcher._sent

    def handle(self: Any, pending: Any) -> None:
        self.last = pending.event.token
        right[0](self, pending)

    def sent(self: Any, mine: Any, messages: Any) -> Any:
        mine = replace(mine, event=replace(mine.event, token=getattr(self, "last", mine.event.token)))
        return right[1](self, mine, messages)

    plant.instead(Dispatcher, "handle", handle)
    plant.instead(Dispatcher, "_sent", sent)


@defect
def league_of_the_last_chat(plant: Plant) -> None:
    """The league of the chat that asked last is taken for a chat whose access is known."""
    right = ChatAccess._league_and_player

    def league_and_player(self: Any, chat: str, user: str) -> Any:
        found, player = right(self, chat, user)
        if found is not None:
            self.last = found
        return (getattr(self, "last", found) if chat[:1] == "C" else found), player

    def access(self: Any, chat: str, user: str) -> Any:
        found = whole(self, chat, user)
        return replace(found, league=getattr(self, "last", found.league)) if found else found

    whole = ChatAccess.access
    plant.instead(ChatAccess, "_league_and_player", league_and_player)
    plant.instead(ChatAccess, "access", access)


@defect
def second_try_without_again(plant: Plant) -> None:
    """LINE's refusal of a token that is used up by our own earlier try counts as a failure and is tried by others."""
    right = LineClient.reply

    def reply(
        self: Any, token: str, messages: Any, until: float, again: bool = False, wait: bool = False
    ) -> None:
        right(self, token, messages, until, again, wait)
        right(self, token, messages, until, True, wait)

    plant.instead(LineClient, "reply", reply)


@defect
def answer_kept_across_a_change(plant: Plant) -> None:
    """A kept answer does not depend on the folder's revision."""
    right = responder_module._answer_key
    plant.instead(responder_module, "_answer_key", lambda question, daily: right(question, daily)[1:])


@defect
def folder_looked_at_once(plant: Plant) -> None:
    """A league's folder is not looked at again."""
    right = LeagueRepository.snapshot
    plant.instead(LeagueRepository, "snapshot", lambda self: self._snapshot or right(self))


@defect
def folder_cursor_kept_too_early(plant: Plant) -> None:
    """The cursor of a folder is kept before what it tells of is read."""
    right = LeagueRepository._follow

    def follow(self: Any) -> bool:
        folder = self._folder
        try:
            return right(self)
        except StorageError:
            with suppress(StorageError):
                changes = self.logs.changes(folder.cursor)
                folder.cursor = changes.cursor
                folder.revs = {**folder.revs, **changes.files}
            raise

    plant.instead(LeagueRepository, "_follow", follow)


@defect
def lock_kept_after_an_error(plant: Plant) -> None:
    """A league's lock is not released when its folder cannot be read."""
    right = LeagueRepository._look

    def look(self: Any) -> Any:
        before = self.trouble
        found = right(self)
        if self.trouble and not before:
            self._lock = type(self._lock)(self._lock._clock)
            self._lock.acquire()

            class Kept:
                acquire, release = self._lock.acquire, lambda *_: None
                __enter__, __exit__ = lambda kept: kept.acquire(), lambda *_: None

            self._lock = Kept()
        return found

    plant.instead(LeagueRepository, "_look", look)


@defect
def drawing_never_released(plant: Plant) -> None:
    """The mark of a drawing stays when storing the picture fails, and does not expire."""
    right = Pictures._store

    class Lasting:
        """A state store whose marks neither expire nor go."""

        def __init__(self, state: Any) -> None:
            self._state = state

        def add(self, key: str, value: str, ttl: float) -> bool:
            return bool(self._state.add(key, value))

        def delete(self, key: str) -> None:
            pass

        def __getattr__(self, name: str) -> Any:
            return getattr(self._state, name)

    def store(self: Any, *picture: Any) -> None:
        if not isinstance(self._state, Lasting):
            self._state = Lasting(self._state)
        right(self, *picture)

    plant.instead(Pictures, "_store", store)


@defect
def circuit_stays_half_open(plant: Plant) -> None:
    """Long after an outage only one call goes through, and others beside it are refused."""

    def allow(self: Any) -> bool:
        if self._failed < self._most:
            return True
        if self._clock() < self._until:
            return False
        self._until = self._clock() + self._pause
        return True

    plant.instead(CircuitBreaker, "allow", allow)


@defect
def stranger_by_an_outage(plant: Plant) -> None:
    """A member is taken for a stranger for ten minutes because the groups could not be read."""
    right = ChatAccess.groups

    def groups(self: Any) -> Any:
        try:
            return right(self)
        except StorageError:
            return {}

    plant.instead(ChatAccess, "groups", groups)


@defect
def log_written_without_its_revision(plant: Plant) -> None:
    """A log is written whatever its revision."""
    plant.instead(
        edit_module,
        "write_keeping",
        lambda logs, name, data, rev, now, old=b"": logs.overwrite(name, data),
    )


@defect
def conflict_taken_for_success(plant: Plant) -> None:
    """A log that somebody else wrote meanwhile counts as written."""
    right = edit_module.write_keeping

    def write(*args: Any, **more: Any) -> str:
        with suppress(Conflict):
            return right(*args, **more)
        return ""

    plant.instead(edit_module, "write_keeping", write)


@defect
def read_mark_kept_too_early(plant: Plant) -> None:
    """A round notes which files it has read before it reads them."""
    right = Downloader._take_all

    def take_all(self: Any, wanted: Any, ask: Any) -> Any:
        self._remember(wanted, ()) if wanted else None
        return right(self, wanted, ask)

    plant.instead(Downloader, "_take_all", take_all)


@defect
def merged_before_written(plant: Plant) -> None:
    """Lines count as merged before the log is written."""
    right = LeagueWork._opened

    def opened(self: Any, league: str, outcome: Any) -> Any:
        logs = right(self, league, outcome)
        add, pending = logs.add, PendingResults(self._state, league)

        def mark_and_add(days: Any, offers: Any = None) -> Any:
            for day in days:
                if (kept := pending.get(day)) is not None:
                    pending.done(kept)
            return add(days, offers)

        logs.add = mark_and_add
        return logs

    plant.instead(LeagueWork, "_opened", opened)


@defect
def day_merged_twice(plant: Plant) -> None:
    """Lines are added although the log has them."""
    plant.instead(merge_module, "_lacking", lambda log, new: dict(new))


@defect
def merged_lines_forgotten(plant: Plant) -> None:
    """When a day's file grows, it is forgotten which of its lines were merged before."""
    plant.instead(DayLines, "fresh", property(lambda self: list(self.lines)))


@defect
def corrections_not_recognised(plant: Plant) -> None:
    """A game that a hand corrected is added once more."""
    plant.instead(merge_module, "_corrected", lambda lacking, held, offers: ())


@defect
def lines_sorted(plant: Plant) -> None:
    """The merging sorts the lines of the log."""

    def merged(*args: Any, **more: Any) -> Any:
        found = merge(*args, **more)
        return (
            replace(found, data=b"".join(sorted(found.data.splitlines(keepends=True))))
            if found.added
            else found
        )

    plant.instead(season_log_module, "merge", merged)


@defect
def spoilt_log_written(plant: Plant) -> None:
    """A log that is no text is taken for an empty one."""
    right = season_log_module.SeasonLogs._seen

    def seen(self: Any, name: str, data: bytes) -> str:
        return "" if data.startswith(b"\xff") else right(self, name, data)

    plant.instead(season_log_module.SeasonLogs, "_seen", seen)
    plant.instead(season_log_module, "refusals", lambda files, large: {})
    plant.instead(
        season_log_module,
        "merge",
        lambda data, *rest: merge(b"" if data.startswith(b"\xff") else data, *rest),
    )


@defect
def half_a_file_accepted(plant: Plant) -> None:
    """A file of Tenhou's that is cut off is read as far as it goes."""
    right = tenhou_module.unpack

    def unpack(name: str, data: bytes, *limit: int) -> bytes:
        return (
            zlib.decompressobj(31).decompress(data) if data[:2] == b"\x1f\x8b" else right(name, data, *limit)
        )

    plant.instead(tenhou_module, "unpack", unpack)


@defect
def lease_never_released(plant: Plant) -> None:
    """The connection to Tenhou is not given back, and does not expire."""
    right = Throttle._take
    plant.instead(Throttle, "_lease", lambda self: f"us {self._now().replace(year=2027).isoformat()}")
    plant.instead(Throttle, "_take", lambda self: "" if self._state.get("tenhou/connection") else right(self))


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

    plant.instead(after_sync_module, "uuid", Fresh)


def found(name: str, tries: int = TRIES) -> tuple[int, Ended | None]:
    """Plant a defect and play episodes until one is broken. Return the steps that took, and that episode."""
    steps = 0
    with planted(name):
        for number in range(tries):
            ended = play(f"defect-{number}")
            steps += ended.steps
            if ended.violation is not None:
                return steps, ended
    return steps, None


def main(names: list[str]) -> int:
    """Print a table of the defects, what found each, and the steps that took."""
    for name in names:
        if name not in DEFECTS:
            print(f"no such defect: {name}", file=sys.stderr)
            return 2
    missed = 0
    print(f"{'defect':36} {'steps':>8}  found by")
    for name in names or DEFECTS:
        steps, ended = found(name)
        missed += ended is None
        print(
            f"{name:36} {steps:8,}  {ended.violation.name if ended and ended.violation else 'NOT FOUND'}",
            flush=True,
        )
    print(f"{len(names or DEFECTS) - missed} of {len(names or DEFECTS)} found")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
