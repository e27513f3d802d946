"""Remember in the StateStore which faults last, since when, and which are over: one record for all processes.

Every method raises StorageError when the store cannot be reached.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from storage.ports import StateStore, StorageError

_OPEN, _TOLD, _OVER = "fault/open/", "fault/told/", "fault/over/"
_KEPT = 30 * 86400.0  # seconds in which somebody may ask what is over
_TRIES = 50


@dataclass(frozen=True, slots=True)
class PastFault:
    """A fault that is over: its kind, and from when to when it lasted (aware)."""

    kind: str
    begin: datetime
    end: datetime


class FaultRecords:
    """The faults by league ("" for the root, or for the host itself) and kind."""

    def __init__(self, state: StateStore) -> None:
        self._state = state

    def lasts(self, league: str, kind: str, about: str, said: str, now: datetime) -> datetime:
        """Note that a fault is there, and what is said of it. Return since when; one about something else begins anew."""
        key = f"{_OPEN}{league}/{kind}"
        fresh = json.dumps({"about": about, "said": said, "since": now.isoformat()})
        for _ in range(_TRIES):
            kept = self._state.get(key)
            known = json.loads(kept) if kept else {}
            if known.get("about") == about:
                return datetime.fromisoformat(known["since"])
            if self._state.replace(key, kept, fresh) if kept else self._state.add(key, fresh):
                return now
        raise StorageError("others kept writing the record of a fault")

    def lasting(self, league: str) -> dict[str, str]:
        """Return what is said of the faults of a league that last, by kind."""
        prefix = f"{_OPEN}{league}/"
        return {
            key.removeprefix(prefix): json.loads(text)["said"]
            for key, text in self._state.items(prefix).items()
        }

    def told(self, league: str, kind: str) -> str:
        """Return since when the fault lasted that the admins were told of last (as `tell` has it); "" for none."""
        return self._state.get(f"{_TOLD}{league}/{kind}") or ""

    def tell(self, league: str, kind: str, since: datetime) -> None:
        """Note that the admins have been told of a fault."""
        self._state.put(f"{_TOLD}{league}/{kind}", since.isoformat())

    def over(self, league: str, kind: str, now: datetime) -> None:
        """Note that a fault is not there. One that was told of is remembered as past."""
        kept = self._state.get(f"{_OPEN}{league}/{kind}")
        if kept is None:
            return
        if self.told(league, kind):
            self.past(league, PastFault(kind, datetime.fromisoformat(json.loads(kept)["since"]), now))
            self._state.delete(f"{_TOLD}{league}/{kind}")
        self._state.delete(f"{_OPEN}{league}/{kind}")

    def past(self, league: str, fault: PastFault) -> None:
        """Remember a fault that is over."""
        words = json.dumps({"begin": fault.begin.isoformat(), "end": fault.end.isoformat()})
        self._state.put(f"{_OVER}{league}/{fault.kind}", words, _KEPT)

    def take_past(self, league: str) -> list[PastFault]:
        """Return the faults of a league that are over, each to one caller alone."""
        prefix = f"{_OVER}{league}/"
        found = []
        for key, value in self._state.items(prefix, without="").items():
            if self._state.replace(key, value, "", 1.0):
                words = json.loads(value)
                begin, end = datetime.fromisoformat(words["begin"]), datetime.fromisoformat(words["end"])
                found.append(PastFault(key.removeprefix(prefix), begin, end))
        return found
