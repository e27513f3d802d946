"""The taps on one form of 2対2, kept in the state store until they are complete: a message in LINE can't
change once it is sent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.answers.team_match.draft import OLDEST, SEATS, TeamMatchDraft
from storage.state import State


class Taps:
    """What was tapped on the forms of the draft with this nonce, by whomever in the chat."""

    def __init__(self, state: State, chat: str, nonce: str) -> None:
        self._state = state
        self._key = f"match:{chat}:{nonce}"

    def start(self, draft: TeamMatchDraft) -> None:
        """Begin with the draft's members and results. Raises StorageError when the state store cannot be
        reached."""
        self._state.values.put(self._key, _text(draft), OLDEST.total_seconds())

    def pick(self, draft: TeamMatchDraft, place: int) -> TeamMatchDraft:
        """The draft with the member at this index of the list, who stays at the seat where they were picked
        already.

        Nobody is added to four. Raises StorageError when the state store cannot be reached.
        """

        def add(known: TeamMatchDraft) -> TeamMatchDraft:
            new = place not in known.picks and len(known.picks) < SEATS
            return replace(known, picks=(*known.picks, place)) if new else known

        return self._changed(draft, add)

    def mark(self, draft: TeamMatchDraft, game: int, mark: str) -> TeamMatchDraft:
        """The draft with this result of a game (index from 0). Raises StorageError when the state store
        cannot be reached."""
        return self._changed(draft, lambda known: replace(known, picks=draft.picks).marked(game, mark))

    def now(self, draft: TeamMatchDraft) -> TeamMatchDraft:
        """The draft as it is kept. Raises StorageError when the state store cannot be reached."""
        return _draft(draft, self._state.values.get(self._key))

    def _changed(
        self, draft: TeamMatchDraft, change: Callable[[TeamMatchDraft], TeamMatchDraft]
    ) -> TeamMatchDraft:
        """Change what is kept, also where somebody else taps at the same moment."""
        ttl = OLDEST.total_seconds()
        while True:
            value = self._state.values.get(self._key)
            new = change(_draft(draft, value))
            if value is None and self._state.values.add(self._key, _text(new), ttl):
                return new
            if value is not None and self._state.values.replace(self._key, value, _text(new), ttl):
                return new


def _text(draft: TeamMatchDraft) -> str:
    return ".".join(map(str, draft.picks)) + " " + draft.results


def _draft(draft: TeamMatchDraft, value: str | None) -> TeamMatchDraft:
    picks, _, results = (value or " ...").partition(" ")
    return replace(draft, picks=tuple(map(int, filter(None, picks.split(".")))), results=results)
