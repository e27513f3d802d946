"""The draft of a team match (2 vs 2): what its buttons carry, and what was tapped, which the state store
keeps."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from bot.answers.common import members
from bot.chat.command import Question
from storage.state import State

SEATS = 4
_DAY = re.compile("[0-9]{8}")
_PICKS = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,4}){0,3}", re.ASCII)
_RESULTS = re.compile(r"[ox.-]{3}")
_NONCE = re.compile(r"[0-9a-f]{12}")
OLDEST = timedelta(days=3)  # an older draft is refused


@dataclass(frozen=True, slots=True)
class TeamMatchDraft:
    """A team match that is being entered. `picks` are indices of members, by seat. `results` has a mark per
    game: o when the side with seat I won, x when it lost, - when it was not played, `.` when that is not
    entered yet."""

    picks: tuple[int, ...] = ()
    results: str = "..."
    day: date = date.min
    nonce: str = field(default_factory=lambda: secrets.token_hex(6))

    @property
    def seated(self) -> bool:
        return len(self.picks) == SEATS

    @property
    def complete(self) -> bool:
        """Whether everything is entered and at least one game was played."""
        return self.seated and "." not in self.results and self.results != "---"

    def marked(self, game: int, mark: str) -> TeamMatchDraft:
        return replace(self, results=self.results[:game] + mark + self.results[game + 1 :])

    @staticmethod
    def is_nonce(text: str) -> bool:
        return bool(_NONCE.fullmatch(text))

    def options(self, everyone: tuple[str, ...]) -> dict[str, str]:
        """The draft as postback options. A draft without a nonce gets one when it is read."""
        return {
            "m": ".".join(map(str, self.picks)),
            "r": self.results if self.results != "..." else "",
            "d": self.day.strftime("%Y%m%d"),
            "k": checksum(everyone),
            "n": self.nonce,
        }


def members_of(question: Question) -> tuple[str, ...]:
    return tuple(members.members(question.snapshot))


def checksum(everyone: tuple[str, ...]) -> str:
    """A checksum of the list of members, to notice that the list has changed."""
    return hashlib.sha256("\n".join(everyone).encode()).hexdigest()[:8]


def read(question: Question, everyone: tuple[str, ...]) -> TeamMatchDraft | None:
    """The draft a button carries; None for bad data, for other members, or a day too old or to come."""
    picks, results = question.option("m"), question.option("r") or "..."
    today = question.now.date()
    if not any(question.option(name) for name in ("m", "r", "k", "n")):
        return TeamMatchDraft(day=today)
    if question.option("k") != checksum(everyone) or not _RESULTS.fullmatch(results):
        return None
    if picks and not _PICKS.fullmatch(picks):
        return None
    seats = tuple(int(pick) for pick in picks.split(".") if pick)
    day, asked = today, question.option("d")
    with suppress(ValueError):
        day = date(int(asked[:4]), int(asked[4:6]), int(asked[6:])) if _DAY.fullmatch(asked) else today
    known = len(set(seats)) == len(seats) and all(seat < len(everyone) for seat in seats)
    if not known or not today - OLDEST <= day <= today:
        return None
    nonce = question.option("n")
    if not nonce:
        return TeamMatchDraft(seats, results, day)
    return TeamMatchDraft(seats, results, day, nonce) if TeamMatchDraft.is_nonce(nonce) else None


class Taps:
    """What was tapped on the forms of the draft with this nonce, by whomever in the chat."""

    def __init__(self, state: State, chat: str, nonce: str) -> None:
        self._state = state
        self._key = f"match:{chat}:{nonce}"

    def start(self, draft: TeamMatchDraft) -> None:
        """Begin with the draft's members and results. Raises StorageError."""
        self._state.values.put(self._key, _text(draft), OLDEST.total_seconds())

    def pick(self, draft: TeamMatchDraft, place: int) -> TeamMatchDraft:
        """The draft with the member at this index of the list; nobody is added twice, or to four. Raises
        StorageError."""

        def add(known: TeamMatchDraft) -> TeamMatchDraft:
            new = place not in known.picks and len(known.picks) < SEATS
            return replace(known, picks=(*known.picks, place)) if new else known

        return self._changed(draft, add)

    def mark(self, draft: TeamMatchDraft, game: int, mark: str) -> TeamMatchDraft:
        """The draft with this result of a game (index from 0). Raises StorageError."""
        return self._changed(draft, lambda known: replace(known, picks=draft.picks).marked(game, mark))

    def now(self, draft: TeamMatchDraft) -> TeamMatchDraft:
        """The draft as it is kept. Raises StorageError."""
        return _kept(draft, self._state.values.get(self._key))

    def _changed(
        self, draft: TeamMatchDraft, change: Callable[[TeamMatchDraft], TeamMatchDraft]
    ) -> TeamMatchDraft:
        """Change what is kept, also where somebody else taps at the same moment."""

        def changed(value: str | None) -> str:
            return _text(change(_kept(draft, value)))

        return _kept(draft, self._state.values.change(self._key, changed, OLDEST.total_seconds()))


def _text(draft: TeamMatchDraft) -> str:
    return ".".join(map(str, draft.picks)) + " " + draft.results


def _kept(draft: TeamMatchDraft, value: str | None) -> TeamMatchDraft:
    picks, _, results = (value or " ...").partition(" ")
    return replace(draft, picks=tuple(map(int, filter(None, picks.split(".")))), results=results)
