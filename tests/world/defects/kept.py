"""Defects in what is kept in memory and in the stores."""

from contextlib import suppress
from typing import Any

from bot.chat.access import ChatAccess
from bot.dispatch import pictures as pictures_module, responder as responder_module
from bot.dispatch.pictures import Pictures
from bot.league.repository import LeagueRepository
from bot.league.snapshot import LeagueReader
from bot.runtime import circuit_breaker as circuit_breaker_module
from bot.runtime.circuit_breaker import CircuitBreaker
from storage.ports import StorageError
from tests.world.defects.plant import Plant, defect, instead


@defect
def answer_kept_across_a_change(plant: Plant) -> None:
    """A kept answer does not depend on the folder's revision."""
    right = responder_module._answer_key
    plant.instead(
        responder_module, "_answer_key", lambda question, daily: right(question, daily)[1:]
    )


@defect
def folder_looked_at_once(plant: Plant) -> None:
    """A league's folder is not looked at again."""
    right = LeagueRepository.snapshot
    plant.instead(LeagueRepository, "snapshot", lambda self: self.last or right(self))


@instead(LeagueReader, "follow", right=True)
def revisions_kept_too_early(right: Any, self: Any) -> bool:
    """The revisions of a folder's files are kept before the files are read."""
    try:
        return right(self)
    except StorageError:
        with suppress(StorageError):
            self.revisions = self.logs.revisions()
        raise


class NeverReleased:
    """A lock that is held for good."""

    def __init__(self, lock: Any) -> None:
        self.acquire = lock.acquire

    def release(self) -> None:
        pass

    def __enter__(self) -> Any:
        return self.acquire()

    def __exit__(self, *error: Any) -> None:
        pass


@instead(LeagueRepository, "_look", right=True)
def lock_kept_after_an_error(right: Any, self: Any) -> Any:
    """A league's lock is not released when its folder cannot be read."""
    before = self.trouble
    found = right(self)
    if self.trouble and not before:
        lock = type(self._lock)(self._lock._clock)
        lock.acquire()
        self._lock = NeverReleased(lock)
    return found


@defect
def drawing_never_released(plant: Plant) -> None:
    """The mark of a drawing stays when storing the picture fails, and does not expire."""
    right = Pictures._store

    class Lasting:
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


@instead(CircuitBreaker, "allow")
def circuit_stays_half_open(self: Any) -> bool:
    """Long after an outage only one call goes through, and others beside it are refused."""
    if self._failed < self._most:
        return True
    if self._clock() < self._until:
        return False
    self._until = self._clock() + self._pause
    return True


@instead(ChatAccess, "groups", right=True)
def stranger_by_an_outage(right: Any, self: Any) -> Any:
    """A member is taken for a stranger for ten minutes because the groups could not be read."""
    try:
        return right(self)
    except StorageError:
        return {}


@instead(Pictures, "_store", right=True)
def picture_noted_before_it_is_stored(
    right: Any, self: Any, key: str, picture: Any, drawn: Any
) -> None:
    """Others are told that a picture is there while it is still being stored."""
    with suppress(StorageError):
        if self._values.add(
            f"drawing:{key}", repr(pictures_module.time.time()), pictures_module.KEPT
        ):
            self._images().put(key, drawn or picture.render(), picture.content_type)
    right(self, key, picture, drawn)


@instead(Pictures, "_appears", right=True)
def picture_taken_for_stored_after_waiting(right: Any, self: Any, *picture: str) -> bool:
    """A picture that another process did not store in five seconds counts as stored."""
    right(self, *picture)
    return True


@defect
def refusal_counts_as_a_failure(plant: Plant) -> None:
    """A file that is not there counts as a failure of the store, and five of them in a row close
    it.
    """
    plant.instead(circuit_breaker_module, "LASTING", ())


@defect
def answer_of_yesterday(plant: Plant) -> None:
    """A kept answer about today serves tomorrow too, while the log stays as it is."""
    right = responder_module._answer_key
    plant.instead(responder_module, "_answer_key", lambda question, daily: right(question, False))
