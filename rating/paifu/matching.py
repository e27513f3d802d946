"""Matches records (牌譜) to the games of the log: by room, start, players and points.

Tenhou's id of a record has the hour of the start and the room, the record itself players and
points. A record is of one game and a game has one record.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import NamedTuple

from rating.games import Game
from rating.paifu.recordlog import PaifuHead
from rating.roomlog import GUEST, is_guest

_ID = re.compile(r"(?P<hour>[0-9]{10})gm-[0-9a-f]{4}-(?P<room>[0-9]{4,5})-[0-9a-f]{8}")
# The id has the hour of the start; a start in the log may be that far outside it.
HOUR = timedelta(hours=1)
SLIP = timedelta(minutes=10)
# A log written by hand may have the games after midnight under the evening's date.
NEAR = timedelta(days=1, hours=1)
_NO_TIME = timedelta(0)
_MINUTE = timedelta(minutes=1)
_DAY = timedelta(days=1)
PlayerOf = Callable[[str, date | None], str]
Players = tuple[str, ...]
_Key = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class PaifuMoment:
    """When and where the game of a record began: the hour (JST), the last four digits of the
    room.
    """

    hour: datetime
    room: str

    @property
    def day(self) -> date:
        return self.hour.date()


def moment_of(paifu_id: str) -> PaifuMoment | None:
    """The moment in an id such as `2026081004gm-0009-11017-9b9f92d7`; None where the text has no
    id.
    """
    id_parts = _ID.search(paifu_id)
    if id_parts is None:
        return None
    try:
        hour = datetime.strptime(id_parts["hour"], "%Y%m%d%H")  # noqa: DTZ007 (JST)
    except ValueError:
        return None
    return PaifuMoment(hour, id_parts["room"][-4:])


def could_be(moment: PaifuMoment, game: Game) -> bool:
    """Whether a record of that moment may be this game's by room, day and start."""
    return _gap(game, moment, moment.day) is not None


class _DatedHead(NamedTuple):
    """A record whose id has its moment."""

    head: PaifuHead
    moment: PaifuMoment


def match(
    heads: Sequence[PaifuHead], games: Iterable[Game], player_of: PlayerOf, *, points: bool = False
) -> dict[Game, PaifuHead]:
    """The record of each game that has one. `games` are under canonical names; `player_of(name,
    day)` gives the canonical name of a record's player. A record with points of no game (the log
    was corrected by hand, or its line is older than points in lines) is matched to the only game of
    its room, hour and players; with `points` it is matched to none."""
    games = list(games)
    by_points: defaultdict[_Key, list[Game]] = defaultdict(list)
    for game in games:
        scores = ((seat.player, seat.score) for seat in game.seats)
        by_points[_key(scores)].append(game)
    head_of: dict[Game, PaifuHead] = {}
    unmatched: list[_DatedHead] = []
    for head in heads:
        key = _key((player_of(name, head.day), score) for name, score in head.scores)
        free_games = [game for game in by_points.get(key, ()) if game not in head_of]
        moment = moment_of(head.id)
        nearest = _nearest(free_games, head, moment)
        if nearest is not None:
            head_of[nearest] = head
        elif moment is not None:
            unmatched.append(_DatedHead(head, moment))
    if unmatched and not points:
        _match_by_hour(head_of, unmatched, games, player_of)
    return head_of


def _nearest(games: Iterable[Game], head: PaifuHead, moment: PaifuMoment | None) -> Game | None:
    """The game whose start is nearest to the record's; without any date, the only one."""
    gap_of: dict[Game, timedelta] = {}
    for game in games:
        gap = _gap(game, moment, head.day)
        if gap is not None:
            gap_of[game] = gap
    is_dated = moment is not None or head.day is not None
    if not gap_of or (len(gap_of) > 1 and not is_dated):
        return None
    return min(gap_of, key=lambda game: (gap_of[game], game.line))


def _match_by_hour(
    head_of: dict[Game, PaifuHead],
    heads: Iterable[_DatedHead],
    games: Iterable[Game],
    player_of: PlayerOf,
) -> None:
    """Match these records to the only game of their players that began in the record's hour."""
    by_day: defaultdict[tuple[Players, date | None], list[Game]] = defaultdict(list)
    for game in games:
        by_day[_players(game.players), game.day].append(game)
    for head, moment in heads:
        players = _players(player_of(name, head.day) for name in head.names)
        fitting: list[Game] = []
        for day in (moment.day - _DAY, moment.day, moment.day + _DAY):
            day_games = by_day.get((players, day), ())
            fitting += [game for game in day_games if _fits(game, head, moment)]
        fitting = [game for game in fitting if game not in head_of]
        if len(fitting) == 1:
            head_of[fitting[0]] = head


def _fits(game: Game, head: PaifuHead, moment: PaifuMoment) -> bool:
    """Whether a game with a start has the seats of the record and began in its hour."""
    if game.start is None or len(game.seats) != head.seats:
        return False
    gap = _gap(game, moment, moment.day)
    return gap is not None and gap <= SLIP


def _key(scores: Iterable[tuple[str, float]]) -> _Key:
    tenths = ((_plain(player), round(10 * score)) for player, score in scores)
    return tuple(sorted(tenths))


def _players(names: Iterable[str]) -> Players:
    return tuple(sorted(map(_plain, names)))


def _plain(player: str) -> str:
    """The name; Tenhou's for all players without an account, whom a log may number."""
    if is_guest(player):
        return GUEST
    return player


def _gap(game: Game, moment: PaifuMoment | None, day: date | None) -> timedelta | None:
    """How far a game's start is from a record's; None where it can't be the record's game."""
    if moment is not None and game.room and game.room[1:] != moment.room:
        return None
    if game.day is None or (moment is None and day is None):
        return NEAR
    if moment is None or game.start is None:
        record_day = day or game.day
        if moment is not None:
            record_day = moment.day
        return _if_near(game.day - record_day)
    after = datetime.combine(game.day, game.start) - moment.hour
    outside_hour = max(-after, after - HOUR + _MINUTE, _NO_TIME)
    if outside_hour <= SLIP:
        return outside_hour
    is_same_hour = (after + SLIP) % _DAY <= HOUR + 2 * SLIP  # if under another day
    if is_same_hour:
        return _if_near(after)
    return None


def _if_near(gap: timedelta) -> timedelta | None:
    if abs(gap) <= NEAR:
        return abs(gap)
    return None
