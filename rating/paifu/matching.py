"""Which game of the log a record (牌譜) is of: by room, start, players and points.

Tenhou's id of a record tells the hour of the start and the room, the record itself players and
points. A record is of one game and a game has one record.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from rating.games import Game
from rating.paifu.recordlog import PaifuHead
from rating.roomlog import GUEST, is_guest

_ID = re.compile(r"([0-9]{10})gm-[0-9a-f]{4}-([0-9]{4,5})-[0-9a-f]{8}")
# The id tells the hour of the start, give or take the slip.
HOUR = timedelta(hours=1)
SLIP = timedelta(minutes=10)
# A log kept by hand may have the games after midnight under the evening's date.
NEAR = timedelta(days=1, hours=1)
_DAY = timedelta(days=1)
PlayerOf = Callable[[str, date | None], str]
Players = tuple[str, ...]
_Key = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class PaifuMoment:
    """When and where a record says its game began: the hour (JST), the last four digits of the
    room.
    """

    hour: datetime
    room: str

    @property
    def day(self) -> date:
        return self.hour.date()


def moment_of(paifu_id: str) -> PaifuMoment | None:
    """The moment in an id such as `2026081004gm-0009-11017-9b9f92d7`; None where the text holds no
    id.
    """
    id_parts = _ID.search(paifu_id)
    if id_parts is None:
        return None
    try:
        return PaifuMoment(datetime.strptime(id_parts[1], "%Y%m%d%H"), id_parts[2][-4:])  # noqa: DTZ007 (JST)
    except ValueError:
        return None


def could_be(moment: PaifuMoment, game: Game) -> bool:
    """Whether a record of that moment may be this game's, as far as room, day and start tell."""
    return _away(game, moment, moment.day) is not None


def match(
    heads: Sequence[PaifuHead], games: Iterable[Game], player_of: PlayerOf, *, points: bool = False
) -> dict[Game, PaifuHead]:
    """The record of each game that has one. `games` are under canonical names; `player_of(name,
    day)` gives the canonical name of a record's player. A record whose points stand in no game (the
    log was corrected by hand, or its line is older than points in lines) is taken for the only game
    of its room, hour and players. With `points` it is taken for none."""
    head_of: dict[Game, PaifuHead] = {}
    by_points: defaultdict[_Key, list[Game]] = defaultdict(list)
    for game in games:
        scores = ((seat.player, seat.score) for seat in game.seats)
        by_points[_key(scores)].append(game)
    unmatched = []
    for head in heads:
        moment = moment_of(head.id)
        key = _key((player_of(name, head.day), score) for name, score in head.scores)
        away: dict[Game, timedelta] = {}
        for game in by_points.get(key, ()):
            gap = _away(game, moment, head.day)
            if gap is not None and game not in head_of:
                away[game] = gap
        dated = moment is not None or head.day is not None
        if len(away) == 1 or (away and dated):  # the nearest; without any date, the only one
            head_of[min(away, key=lambda game: (away[game], game.line))] = head
        elif moment is not None:
            unmatched.append((head, moment))
    if points or not unmatched:
        return head_of
    by_day: defaultdict[tuple[Players, date | None], list[Game]] = defaultdict(list)
    for game in (game for same in by_points.values() for game in same):
        by_day[_players(game.players), game.day].append(game)
    for head, moment in unmatched:
        players = _players(player_of(name, head.day) for name in head.names)
        fit = [
            game
            for off in (-1, 0, 1)
            for game in by_day.get((players, moment.day + off * _DAY), ())
            if game not in head_of
            and game.start is not None
            and len(game.seats) == head.seats
            and (gap := _away(game, moment, moment.day)) is not None
            and gap <= SLIP
        ]
        if len(fit) == 1:  # the only game of these players that began in the record's hour
            head_of[fit[0]] = head
    return head_of


def _key(scores: Iterable[tuple[str, float]]) -> _Key:
    tenths = ((_plain(player), round(10 * score)) for player, score in scores)
    return tuple(sorted(tenths))


def _players(names: Iterable[str]) -> Players:
    return tuple(sorted(map(_plain, names)))


def _plain(player: str) -> str:
    """The name; Tenhou's for all players without an account, whom a log may number."""
    return GUEST if is_guest(player) else player


def _away(game: Game, moment: PaifuMoment | None, day: date | None) -> timedelta | None:
    """How far a game's start is from a record's; None where it can't be the record's game."""
    if moment is not None and game.room and game.room[1:] != moment.room:
        return None
    if game.day is None or (moment is None and day is None):
        return NEAR
    if moment is None or game.start is None:
        record_day = moment.day if moment else day or game.day
        gap = abs(game.day - record_day)
        return gap if gap <= NEAR else None
    after = datetime.combine(game.day, game.start) - moment.hour
    outside = max(-after, after - HOUR + timedelta(minutes=1), timedelta(0))
    if outside <= SLIP:
        return outside
    clock = (after + SLIP) % timedelta(days=1)  # the same hour, though under another day
    return abs(after) if abs(after) <= NEAR and clock <= HOUR + 2 * SLIP else None
