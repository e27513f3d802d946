"""Announce an evening in a league's own room to its groups: its beginning and its end.

An evening is a row of games with less than three hours between them. If league.toml has `evening =
true`, the groups get what features announce at its first game and after the last, never one a game.
The last game is known when the room has rested for an hour.

Each group gets each message once, whatever process ends and whenever LINE does not answer: the keys
of the pushes contain the evening's name, which is stored before the first push
(tests/notify/test_evening.py::test_each_group_once_whatever_dies_or_blips).
"""

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta

from bot.chat.feature import Evening, Features, News, UnaskedMessage, UnaskedWhen
from bot.league.repository import LeagueRegistry
from bot.line.client import LineDown
from bot.notify.groups import GroupPush, open_question
from bot.sync.own_results import OwnResults
from rating.logdates import JST
from rating.own_games import OwnGame
from rating.roomlog import parse_utf8
from storage.ports import StorageError
from storage.state import State
from storage.values import LeagueKey

BREAK = timedelta(hours=3)  # without a game, after which another evening begins
REST = timedelta(hours=1)  # without a game, after which the last one was the last
LATE = timedelta(hours=2)  # after which the first game is no news
OVER = timedelta(hours=6)  # after which the end is none
FIRST = "first"
LAST = "last"
WHEN = {FIRST: UnaskedWhen.EVENING_BEGAN, LAST: UnaskedWhen.EVENING_ENDED}
_KEPT = 7 * 86400.0  # seconds for which an evening is known
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EveningState:
    """An evening: its games' first start and last end (JST), the first game, their number, and which
    of FIRST and LAST were announced (`said`).
    """

    begin: datetime
    end: datetime
    first: OwnGame
    games: int
    said: frozenset[str] = frozenset()
    name: str = ""

    def wants(self, now: datetime, playing: bool) -> str:
        """Return what is to be announced now: FIRST, LAST or "". A single game has no LAST: all is
        in the first message.
        """
        if FIRST not in self.said:
            if now - self.first.end <= LATE:
                return FIRST
            return ""
        has_rested = not playing and REST <= now - self.end <= OVER
        if has_rested and self.games > 1 and LAST not in self.said:
            return LAST
        return ""


def begun(game: OwnGame) -> datetime:
    """A game's start, or where it is not known its end."""
    day, raw = game.current
    read = parse_utf8("", raw).lines[0].game
    return datetime.combine(day, (read and read.start) or time())


def last_evening(games: Sequence[OwnGame]) -> EveningState | None:
    latest: EveningState | None = None
    for game in sorted(games, key=lambda game: (game.end, game.key)):
        begin = min(begun(game), game.end)
        if latest is None or begin - latest.end >= BREAK:
            latest = EveningState(begin, game.end, game, 1)
        else:
            begin = min(latest.begin, begin)
            latest = replace(latest, begin=begin, end=game.end, games=latest.games + 1)
    return latest


@dataclass(frozen=True)
class EveningNotice:
    """Announces leagues' evenings. `now` returns an aware time."""

    registry: LeagueRegistry
    push: GroupPush
    state: State
    features: Features
    now: Callable[[], datetime]

    def __call__(self, folder: str, playing: bool) -> None:
        """Announce what is due for a league. `playing`: a game is being played in its room.

        Errors are logged.
        """
        try:
            self._look(folder, playing)
        except (StorageError, LineDown) as error:
            log.warning("an evening will be announced later, if it is still news: %s", error)

    def _look(self, folder: str, playing: bool) -> None:
        now = self.now().astimezone(JST).replace(tzinfo=None)
        days = [now.date() - timedelta(days=back) for back in (1, 0)]
        results = OwnResults(self.state, folder).read(days)
        evening = last_evening([game for game in results if game.stood])
        if evening is None or now - evening.end > OVER:
            return
        evening = self._known(folder, evening)
        due = evening.wants(now, playing)
        if not due:
            return
        if not self.registry.known(folder).snapshot().league.evening:
            return
        for unasked in self.features.unasked(WHEN[due]):
            named = unasked.make(self._news(folder, evening, hidden=False))
            unnamed = unasked.make(self._news(folder, evening, hidden=True))
            if named is not None and unnamed is not None:
                # Its name: a game that becomes known later may begin earlier.
                self._store(folder, evening)
                self._say(folder, named, unnamed)
        self._store(folder, replace(evening, said=evening.said | {due}))

    def _news(self, folder: str, evening: EveningState, hidden: bool) -> News:
        league = self.registry.known(folder)
        snapshot = league.snapshot().hidden if hidden else league.snapshot()
        question = open_question(league, snapshot, self.features.catalogue, self.now())
        first_start = begun(evening.first)
        return News(
            question, evening=Evening(evening.name, evening.begin, evening.end, first_start)
        )

    def _say(self, folder: str, named: UnaskedMessage, unnamed: UnaskedMessage) -> None:
        """Push the named message, the unnamed one where names are hidden."""
        for chat in self.push.groups(folder):
            message = named
            if self.push.access.hides_names(chat):
                message = unnamed
            try:
                self.push.tell(chat, message)
            except LineDown as error:
                if error.later:  # a later try leaves out the groups that have it, by their keys
                    raise
                log.warning("an evening could not be announced to a group: %s", error)

    def _known(self, folder: str, evening: EveningState) -> EveningState:
        """Return the evening with its name, and what was announced of it. A game that becomes known
        late may begin before the others: it is the same evening."""
        text = self.state.values.get(LeagueKey.EVENING.of(folder))
        if text:
            stored = json.loads(text)
            begin = datetime.fromisoformat(stored["begin"])
            end = datetime.fromisoformat(stored["end"])
            if evening.begin - end < BREAK and begin - evening.end < BREAK:
                announced = frozenset(stored["said"])
                return replace(evening, name=str(stored["name"]), said=announced)
        return replace(evening, name=f"{evening.begin:%Y%m%d%H%M}")

    def _store(self, folder: str, evening: EveningState) -> None:
        times = {"begin": evening.begin.isoformat(), "end": evening.end.isoformat()}
        stored = {"name": evening.name, **times, "said": sorted(evening.said)}
        self.state.values.put(LeagueKey.EVENING.of(folder), json.dumps(stored), _KEPT)
