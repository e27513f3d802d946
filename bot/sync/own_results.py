"""Keep the games that a league's room has told by itself until they are in the season log, and longer.

Tenhou's day file brings the same games later (rating/own_lines.py). What was made of a game stays known, so that the day's
line takes our line's place, and a game that a hand took out stays out. Games are kept by the day of their end.
"""

from __future__ import annotations

import base64
import json
import secrets
import zlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from bot.sync.pending_results import PendingResults
from bot.tenhou.room_games import RoomGame
from rating.own_lines import DayLine, OwnGame
from storage.ports import StateStore, StorageError

_KEPT, _WAITING = "tenhou/own/", "tenhou/own-waiting/"
_LIFE = 420 * 86400.0  # seconds, as in bot/sync/pending_results.py
_GONE = 60.0
_TRIES = 50
_DAY = timedelta(days=1)


def leagues_waiting(state: StateStore) -> set[str]:
    """Return the leagues whose rooms have told games that are not in the log yet."""
    return {key.removeprefix(_WAITING).partition("/")[0] for key in state.items(_WAITING, without="")}


def all_offered(state: StateStore, league: str = "") -> dict[date, list[bytes]]:
    """Return every line that Tenhou is known to offer, by day: in its files, or as the room's own result.

    Raises StorageError when the store cannot be reached.
    """
    files, own = PendingResults(state, league).offered(), OwnResults(state, league).offered()
    return {day: list(dict.fromkeys([*files.get(day, ()), *own.get(day, ())])) for day in {*files, *own}}


class OwnResults:
    """One league's games in the StateStore. What was read stays in memory, so make one for each piece of work.

    Every method raises StorageError when the store cannot be reached.
    """

    def __init__(self, state: StateStore, league: str = "") -> None:
        self._state = state
        self._kept, self._waiting = f"{_KEPT}{league}/", f"{_WAITING}{league}/"
        self._read: dict[date, tuple[str, list[OwnGame]]] | None = None

    def put(self, games: Iterable[RoomGame], room: str) -> None:
        """Keep games of the room `C####`. A game known already changes only when its start is told now, or another."""
        days: defaultdict[date, list[RoomGame]] = defaultdict(list)
        for game in games:
            days[game.result.at.date()].append(game)
        for day, found in sorted(days.items()):
            self._change(day, lambda before, found=found: _with(before, found, room))  # type: ignore[misc]

    def on(self, day: date) -> list[OwnGame]:
        """Return the games that ended on a day."""
        return self._all().get(day, ("", []))[1]

    def read(self, days: Iterable[date]) -> list[OwnGame]:
        """Return the games that ended on these days, and read nothing else."""
        found = [self._state.get(f"{self._kept}{day}") for day in days]
        return [game for text in found if text for game in _games(text)]

    def around(self, days: Collection[date]) -> list[OwnGame]:
        """Return the games that may be those of day files of these days."""
        near = {day + timedelta(days=off) for day in days for off in (-1, 0, 1)}
        return [game for day in sorted(near) for game in self.on(day)]

    def lines_on(self, day: date) -> list[bytes]:
        """Return every line that was made for a day."""
        found = [version for end in (day, day + _DAY) for game in self.on(end) for version in game.versions]
        return [raw for started, raw in found if started == day]

    def offered(self) -> dict[date, list[bytes]]:
        """Return every line that was made, by day."""
        found: defaultdict[date, list[bytes]] = defaultdict(list)
        for _, games in self._all().values():
            for game in games:
                for day, raw in game.versions:
                    found[day].append(raw)
        return dict(found)

    def offer_again(self, since: date) -> None:
        """Mark the games that ended from `since` on as not in the log, so that they are merged once more."""
        for day in list(self._all()):
            if day >= since:
                self._change(day, lambda games: [replace(game, fresh=True, stood=False) for game in games])

    def waiting(self) -> dict[date, str]:
        """Return the days (of the games' ends) with games to merge, each with its mark."""
        found = self._state.items(self._waiting, without="")
        return {date.fromisoformat(key[-10:]): mark for key, mark in found.items()}

    def done(self, games: Mapping[OwnGame, bool]) -> None:
        """Note that the log was looked at for these games; of those with True a line stands, or has stood, in it."""
        there = {game.key: stood for game, stood in games.items()}
        for day in {game.end.date() for game in games}:
            text, known = self._all()[day]
            looked = [
                replace(g, fresh=False, stood=g.stood or there[g.key]) if g.key in there else g for g in known
            ]
            if self._state.replace(f"{self._kept}{day}", text, _text(looked), _LIFE):
                self._all()[day] = _text(looked), looked

    def rest(self, day: date, mark: str) -> None:
        """Note that nothing of a day waits any more, unless games were put since the mark was read."""
        if not any(game.fresh for game in self.on(day)):
            self._state.replace(f"{self._waiting}{day}", mark, "", _GONE)

    def _all(self) -> dict[date, tuple[str, list[OwnGame]]]:
        """Return all games by the day of their end, with the text they were read from; the store is asked once."""
        if self._read is None:
            found = self._state.items(self._kept)
            self._read = {date.fromisoformat(key[-10:]): (text, _games(text)) for key, text in found.items()}
        return self._read

    def _change(self, day: date, new: Callable[[list[OwnGame]], list[OwnGame]]) -> None:
        """Store what `new` makes of a day's games; again, when another process has stored others meanwhile."""
        key = f"{self._kept}{day}"
        for _ in range(_TRIES):
            text = self._state.get(key)
            before = _games(text) if text else []
            games = new(before)
            if games == before:
                return
            # The mark is written first: a mark without games is harmless, but games without a mark would not be merged.
            if any(game.fresh for game in games):
                self._state.put(f"{self._waiting}{day}", secrets.token_hex(8), _LIFE)
            wanted, self._read = _text(games), None
            if text is None and self._state.add(key, wanted, _LIFE):
                return
            if text is not None and self._state.replace(key, text, wanted, _LIFE):
                return
        raise StorageError(f"others kept writing the room's games of {day}")


def _with(before: Sequence[OwnGame], found: Sequence[RoomGame], room: str) -> list[OwnGame]:
    games = {game.key: game for game in before}
    for game in found:
        line: DayLine = (game.day, game.line(room))
        known = games.get(game.key)
        started = game.start is not None
        if known is None:
            games[game.key] = OwnGame(game.key, game.result.at, (line,), started)
        elif known.current != line and (started or not known.started):
            versions = (*(version for version in known.versions if version != line), line)
            games[game.key] = replace(known, versions=versions, started=started, fresh=True)
    return list(games.values())


def _text(games: Sequence[OwnGame]) -> str:
    rows = [
        [
            game.key,
            game.end.isoformat(),
            [[day.isoformat(), raw.decode("utf-8", "surrogateescape")] for day, raw in game.versions],
            game.started,
            game.stood,
            game.fresh,
        ]
        for game in games
    ]
    return base64.b64encode(zlib.compress(json.dumps(rows).encode(), 9)).decode()


def _games(text: str) -> list[OwnGame]:
    return [
        OwnGame(
            key,
            datetime.fromisoformat(end),
            tuple((date.fromisoformat(day), raw.encode("utf-8", "surrogateescape")) for day, raw in versions),
            started,
            stood,
            fresh,
        )
        for key, end, versions, started, stood, fresh in json.loads(zlib.decompress(base64.b64decode(text)))
    ]
