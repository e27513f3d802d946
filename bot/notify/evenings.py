"""Tell a league's groups of an evening in the league's own room: when it has begun, and when it is
over.

An evening is a row of games with less than three hours between them. If league.toml says `evening =
true`, the groups get what features say at its first game and after the last, never one a game. The
last game is known when the room has rested for an hour.
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
    """An evening: its games' first start and last end (JST), the first game, their number, what was
    said.
    """

    begin: datetime
    end: datetime
    first: OwnGame
    games: int
    said: frozenset[str] = frozenset()
    name: str = ""

    def wants(self, now: datetime, playing: bool) -> str:
        """Return what is to be said now:

        FIRST, LAST or "". Of a single game the first line says all.
        """
        if FIRST not in self.said:
            return FIRST if now - self.first.end <= LATE else ""
        rested = not playing and REST <= now - self.end <= OVER
        return LAST if rested and self.games > 1 and LAST not in self.said else ""


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
            latest = replace(
                latest,
                begin=min(
                    latest.begin,
                    begin,
                ),
                end=game.end,
                games=latest.games + 1,
            )
    return latest


@dataclass(frozen=True)
class EveningNotice:
    """Says what is to be said of leagues' evenings. `now` returns an aware time."""

    registry: LeagueRegistry
    push: GroupPush
    state: State
    features: Features
    now: Callable[[], datetime]

    def __call__(self, folder: str, playing: bool) -> None:
        """Say what is due for a league, whose room rests where `playing` is False.

        Errors are logged.
        """
        try:
            self._look(folder, playing)
        except (StorageError, LineDown) as error:
            log.warning("an evening is told later, if it is still news: %s", error)

    def _look(self, folder: str, playing: bool) -> None:
        now = self.now().astimezone(JST).replace(tzinfo=None)
        days = [now.date() - timedelta(days=back) for back in (1, 0)]
        evening = last_evening(
            [game for game in OwnResults(self.state, folder).read(days) if game.stood]
        )
        if evening is None or now - evening.end > OVER:
            return
        evening = self._known(folder, evening)
        what = evening.wants(now, playing)
        if not what:
            return
        if not self.registry.known(folder).snapshot().league.evening:
            return
        for unasked in self.features.unasked(WHEN[what]):
            named = unasked.make(self._news(folder, evening, hidden=False))
            unnamed = unasked.make(self._news(folder, evening, hidden=True))
            if named is not None and unnamed is not None:
                self._keep(folder, evening)  # its name: a game heard of later may begin earlier
                self._say(folder, named, unnamed)
        self._keep(folder, replace(evening, said=evening.said | {what}))

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
            said = unnamed if self.push.access.hides_names(chat) else named
            try:
                self.push.tell(chat, said)
            except LineDown as error:
                if error.later:  # the others' keys say that they have it
                    raise
                log.warning("an evening could not be told to a group: %s", error)

    def _known(self, folder: str, evening: EveningState) -> EveningState:
        """Return the evening with its name, and what was said of it. A game that becomes known late
        may begin before the others: it is the same evening."""
        text = self.state.values.get(f"evening/{folder}")
        if text:
            kept = json.loads(text)
            begin = datetime.fromisoformat(kept["begin"])
            end = datetime.fromisoformat(kept["end"])
            if evening.begin - end < BREAK and begin - evening.end < BREAK:
                return replace(evening, name=str(kept["name"]), said=frozenset(kept["said"]))
        return replace(evening, name=f"{evening.begin:%Y%m%d%H%M}")

    def _keep(self, folder: str, evening: EveningState) -> None:
        times = {"begin": evening.begin.isoformat(), "end": evening.end.isoformat()}
        kept = {"name": evening.name, **times, "said": sorted(evening.said)}
        self.state.values.put(f"evening/{folder}", json.dumps(kept), _KEPT)
