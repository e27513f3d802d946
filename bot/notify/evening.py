"""Tell a league's groups of an evening in its own room: one line at the first game, one after the last. Never
one a game.

An evening is a row of games with less than three hours between them. Its last game is known when the room has
rested for an hour. league.toml switches it on (`evening = true`), because each push counts in the month's
quota.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta

from bot import texts
from bot.answers.common.day import DayPart, day_parts
from bot.answers.common.members import members
from bot.chat.command import Ask, choice
from bot.chat.replies import Reply, Text
from bot.league.rating_cache import LeagueRatings
from bot.league.registry import LeagueRegistry
from bot.league.snapshot import LeagueSnapshot
from bot.line.client import LineDown
from bot.notify.group_push import GroupPush
from bot.sync.own_results import OwnResults
from rating.games import Game
from rating.logdates import JST
from rating.own_lines import OwnGame
from rating.roomlog import parse_utf8
from rating.same_game import SLACK
from storage.ports import StorageError
from storage.state import State

BREAK = timedelta(hours=3)  # without a game, after which another evening begins
REST = timedelta(hours=1)  # without a game, after which the last one was the last
LATE = timedelta(hours=2)  # after which the first game is no news
OVER = timedelta(hours=6)  # after which the end is none
FIRST, LAST = "first", "last"
_KEPT = 7 * 86400.0  # seconds
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening: its games' first start and last end (JST), the first game, how many games are over, what
    was said."""

    begin: datetime
    end: datetime
    first: OwnGame
    games: int
    said: frozenset[str] = frozenset()

    def wants(self, now: datetime, playing: bool) -> str:
        """Return what is to be said now: FIRST, LAST or "". Of a single game the first line says all."""
        if FIRST not in self.said:
            return FIRST if now - self.first.end <= LATE else ""
        rested = not playing and REST <= now - self.end <= OVER
        return LAST if rested and self.games > 1 and LAST not in self.said else ""


def begun(game: OwnGame) -> datetime:
    """Return a game's start, or where it is not known its end."""
    day, raw = game.current
    read = parse_utf8("", raw).lines[0].game
    return datetime.combine(day, (read and read.start) or time())


def last_evening(games: Sequence[OwnGame]) -> Evening | None:
    """Return the last evening of these games; None where there are none."""
    found: Evening | None = None
    for game in sorted(games, key=lambda game: (game.end, game.key)):
        begin = min(begun(game), game.end)
        if found is None or begin - found.end >= BREAK:
            found = Evening(begin, game.end, game, 1)
        else:
            found = replace(found, begin=min(found.begin, begin), end=game.end, games=found.games + 1)
    return found


class EveningNotice:
    """Says what is to be said of leagues' evenings. `now` returns an aware time."""

    def __init__(
        self, registry: LeagueRegistry, push: GroupPush, state: State, now: Callable[[], datetime]
    ) -> None:
        self._registry = registry
        self._push = push
        self._state = state
        self._now = now

    def __call__(self, folder: str, playing: bool) -> None:
        """Say what is due for one league, whose room rests where `playing` is False. Errors are logged, not
        raised."""
        try:
            self._look(folder, playing)
        except (StorageError, LineDown) as error:
            log.warning("an evening is told later, if it is still news: %s", error)

    def _look(self, folder: str, playing: bool) -> None:
        now = self._now().astimezone(JST).replace(tzinfo=None)
        days = [now.date() - timedelta(days=back) for back in (1, 0)]
        told = [game for game in OwnResults(self._state, folder).read(days) if game.stood]
        evening = last_evening(told)
        if evening is None or now - evening.end > OVER:
            return
        name, evening = self._known(folder, evening)
        what = evening.wants(now, playing)
        if not what:
            return
        league = self._registry.known(folder)
        snapshot = league.snapshot()
        if not snapshot.league.evening:
            return
        words = _words(what, snapshot, league.ratings(snapshot), evening)
        if words:
            self._keep(folder, name, evening)  # its name: a game heard of later may begin earlier
            self._say(folder, name, what, words)
        self._keep(folder, name, replace(evening, said=evening.said | {what}))

    def _say(self, folder: str, name: str, what: str, words: str) -> None:
        ways = choice("レーティング", Ask.RATING), choice("今日", Ask.TODAY)
        reply = Reply((Text(words),), (choice("ポスター", Ask.POSTER), *ways) if what == LAST else ways)
        for chat in self._push.groups(folder):
            try:
                self._push.once(
                    chat, f"evening:{chat}:{name}:{what}", lambda: reply, f"evening {name} {what}", _KEPT
                )
            except LineDown as error:
                if error.later:  # the others' keys say that they have it
                    raise
                log.warning("an evening could not be told to a group: %s", error)

    def _known(self, folder: str, evening: Evening) -> tuple[str, Evening]:
        """Return the evening's name in the State, and the evening with what was said of it.

        A game that becomes known late may begin before the others: it is the same evening.
        """
        text = self._state.values.get(f"evening/{folder}")
        if text:
            kept = json.loads(text)
            begin, end = datetime.fromisoformat(kept["begin"]), datetime.fromisoformat(kept["end"])
            if evening.begin - end < BREAK and begin - evening.end < BREAK:
                return str(kept["name"]), replace(evening, said=frozenset(kept["said"]))
        return f"{evening.begin:%Y%m%d%H%M}", evening

    def _keep(self, folder: str, name: str, evening: Evening) -> None:
        kept = {
            "name": name,
            "begin": evening.begin.isoformat(),
            "end": evening.end.isoformat(),
            "said": sorted(evening.said),
        }
        self._state.values.put(f"evening/{folder}", json.dumps(kept), _KEPT)


def _words(what: str, snapshot: LeagueSnapshot, ratings: LeagueRatings, evening: Evening) -> str:
    """Return the line to say; "" where the log has none of the evening's games."""
    games = [game for game in snapshot.all_games() if _within(game, evening)]
    if not games:
        return ""
    if what == FIRST:
        return _first(snapshot, evening, games)
    parts = [part for part in day_parts(snapshot, ratings, games, members(snapshot)) if part.results]
    day = texts.day(evening.begin.date())
    lines = [_total(part, snapshot.league.shown, many=len(parts) > 1) for part in parts]
    chips = [texts.POINTS_ALONE] if any(part.chips for part in parts) else []
    return "\n".join([f"{day}はここまで全{len(games)}戦。", *lines, *chips])


def _within(game: Game, evening: Evening) -> bool:
    if game.day is None or game.start is None:
        return False
    return evening.begin - SLACK <= datetime.combine(game.day, game.start) <= evening.end


def _first(snapshot: LeagueSnapshot, evening: Evening, games: Sequence[Game]) -> str:
    """The line of the evening's first game, as the log has it: by hand, if somebody has corrected it."""
    start = begun(evening.first)
    game = min(
        games, key=lambda game: abs(datetime.combine(game.day or start, game.start or start.time()) - start)
    )
    seats = [
        f"{texts.placing(place, len(game.seats))} {snapshot.league.shown(seat.player)} "
        f"{texts.points(seat.score)}"
        for place, seat in enumerate(game.seats, 1)
    ]
    return f"{texts.day(evening.begin.date())}の1戦目：{'、'.join(seats)}"


def _total(part: DayPart, shown: Callable[[str], str], many: bool) -> str:
    """Who has the most points and the most first places, of games with one number of seats."""
    best = part.results[0]
    first, tops = part.most_firsts
    words = f"合計トップ {shown(best.player)} {texts.points(best.tally.points)}"
    if tops:
        words += f"、最多トップ {'・'.join(map(shown, first))}（{tops}回）"
    return f"{texts.SEATS[part.seats]}（{len(part.games)}戦）：{words}" if many else words
