"""Which leagues members have asked about lately: a league's room is asked while somebody is interested.

Taps are answered by any process, the rooms are asked by one of them. So a process notes in the StateStore which leagues it
was asked about, at most every ten minutes, and beside its answers.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from storage.ports import StateStore

LATELY = timedelta(days=14)  # an asking counts for so long
EVERY = timedelta(minutes=10)  # a league's askings are noted at most so often
_ASKED, _TAPPED = "rooms/asked/", "rooms/tapped/"
_SHOWN = 120.0  # seconds an asking is shown to the process that asks the rooms


class Askings:
    """What one process notes and hears. Methods raise StorageError when the state store cannot be reached."""

    def __init__(self, state: StateStore) -> None:
        self._state = state
        self._noted: dict[str, datetime] = {}
        self._heard: dict[str, str] = {}

    def note(self, leagues: Iterable[str], now: datetime) -> None:
        """Note that members have asked about these leagues in this process."""
        for league in leagues:
            noted = self._noted.get(league)
            if noted is None or abs(now - noted) >= EVERY:
                self._state.put(_ASKED + league, now.isoformat(), LATELY.total_seconds())
                self._state.put(_TAPPED + league, now.isoformat(), _SHOWN)
                self._noted[league] = now

    def news(self) -> list[str]:
        """Return the leagues that were asked about in any process and not told of before."""
        found = {key.removeprefix(_TAPPED): moment for key, moment in self._state.items(_TAPPED).items()}
        fresh = [league for league, moment in found.items() if self._heard.get(league) != moment]
        self._heard = found
        return fresh

    def lately(self, league: str, now: datetime) -> bool:
        """Return whether somebody has asked about a league lately."""
        asked = self._state.get(_ASKED + league)
        return asked is not None and now - datetime.fromisoformat(asked) < LATELY
