"""The quizzes (何切る) of a league: which position each day has, and the votes for it."""

import hashlib
import json
from functools import partial
from typing import NamedTuple

from bot.chat.command import Tools
from bot.league.paifu_log import PaifuFolder
from rating.paifu.checked_walls import open_walls
from rating.paifu.record import Record
from rating.paifu.situation import Position, asks, position
from rating.paifu.tiles import PaifuError
from storage.values import LeagueKey

MOST_RECORDS = 20  # searched for a position a day
VOTES_STORED = 90 * 86400.0  # seconds


class Quiz(NamedTuple):
    """The quiz of a day (ISO): a record of the league, and the position in it."""

    day: str
    file: str
    record: Record
    position: Position


class Vote(NamedTuple):
    """A vote for a kind of tile. `player`: the member's name on Tenhou, or ""."""

    kind: int
    player: str


class Quizzes:
    """The quizzes of a league and their votes, among the values of the state store."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._values = tools.parts.state.values
        self._days = LeagueKey.QUIZ.of(tools.folder)
        self._votes = LeagueKey.QUIZ_VOTE.of(tools.folder)

    def day_before(self, day: str) -> str:
        """The last day before this one that had a quiz, or ""."""
        days = [key.removeprefix(self._days) for key in self._values.items(self._days)]
        return max((other for other in days if other < day), default="")

    def of(self, day: str) -> Quiz | None:
        """The quiz of a day that has one; None where its record is gone."""
        stored = self._values.get(self._days + day)
        if not stored:
            return None
        file, number, seat, turn = json.loads(stored)
        record = self._record(file)
        if record is None:
            return None
        shown = position(record, number, seat, turn, open_walls(record).rounds)
        if shown is None:
            return None
        return Quiz(day, file, record, shown)

    def choose(self, day: str, files: list[str]) -> None:
        """Choose the day's position: never one that an earlier quiz had.

        Of two processes the first decides.
        """
        if self._values.get(self._days + day) is not None:
            return
        used = set(self._values.items(self._days).values())
        by_hash = partial(_hash, day)
        for file in sorted(files, key=by_hash)[:MOST_RECORDS]:
            unused = self._positions(file) - used
            if unused:
                self._values.add(self._days + day, min(unused, key=by_hash))
                return

    def _positions(self, file: str) -> set[str]:
        """The positions of a record that can be a quiz, as they are stored."""
        record = self._record(file)
        if record is None:
            return set()
        return {
            json.dumps([file, choice.round, choice.seat, choice.turn]) for choice in asks(record)
        }

    def vote(self, day: str, voter: str, vote: Vote) -> int:
        """Count a vote in the place of the voter's former one. Returns the number of votes."""
        key = f"{self._votes}{day}/"
        self._values.put(key + voter, json.dumps(vote), VOTES_STORED)
        return len(self._values.items(key))

    def votes(self, day: str) -> list[Vote]:
        stored = self._values.items(f"{self._votes}{day}/")
        return [Vote(*json.loads(vote)) for vote in stored.values()]

    def _record(self, file: str) -> Record | None:
        """The record of a file; None where it is gone or can't be read."""
        if not file:
            return None
        folder = PaifuFolder(self._tools.logs)
        data = folder.get(file)
        if data is None:
            return None
        try:
            return folder.parsed(data)
        except PaifuError:
            return None


def _hash(day: str, text: str) -> str:
    """A key for an order that looks random, and is the same for everybody on one day."""
    return hashlib.sha256(f"{day}|{text}".encode()).hexdigest()
