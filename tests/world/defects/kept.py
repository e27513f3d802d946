"""Defects in what is kept in memory and in the stores."""

from contextlib import suppress
from typing import Any

from bot.chat.access import ChatAccess
from bot.dispatch import responder as responder_module
from bot.dispatch.pictures import Pictures
from bot.league.repository import LeagueRepository
from bot.league.snapshot import LeagueReader
from bot.runtime.limits import CircuitBreaker
from storage.ports import StorageError
from tests.world.defects.plant import Plant, defect


@defect
def answer_kept_across_a_change(plant: Plant) -> None:
    """A kept answer does not depend on the folder's revision."""
    right = responder_module._answer_key
    plant.instead(responder_module, "_answer_key", lambda question, daily: right(question, daily)[1:])


@defect
def folder_looked_at_once(plant: Plant) -> None:
    """A league's folder is not looked at again."""
    right = LeagueRepository.snapshot
    plant.instead(LeagueRepository, "snapshot", lambda self: self.last or right(self))


@defect
def folder_cursor_kept_too_early(plant: Plant) -> None:
    """The cursor of a folder is kept before what it tells of is read."""
    right = LeagueReader.follow

    def follow(self: Any) -> bool:
        try:
            return right(self)
        except StorageError:
            with suppress(StorageError):
                changes = self.logs.changes(self.cursor)
                self.cursor = changes.cursor
                self.revs = {**self.revs, **changes.files}
            raise

    plant.instead(LeagueReader, "follow", follow)


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
        """Values whose marks neither expire nor go."""

        def __init__(self, values: Any) -> None:
            self._values = values

        def add(self, key: str, value: str, ttl: float) -> bool:
            return bool(self._values.add(key, value))

        def delete(self, key: str) -> None:
            pass

        def __getattr__(self, name: str) -> Any:
            return getattr(self._values, name)

    def store(self: Any, *picture: Any) -> None:
        if not isinstance(self._values, Lasting):
            self._values = Lasting(self._values)
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
