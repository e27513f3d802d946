"""Matches records (牌譜) to the games of the log: by room, start, players and points.

Tenhou's id of a record has the hour of the start and the room, the record itself players and
points. A record is of one game and a game has one record.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from rating.games import Game
from rating.paifu.game_start import ONE_DAY, SLIP, GameStart, start_gap, start_in_id
from rating.paifu.recordlog import PaifuHead
from rating.roomlog import GUEST, is_guest

PlayerOf = Callable[[str, date | None], str]
Players = tuple[str, ...]
_Key = tuple[tuple[str, int], ...]


class _DatedHead(NamedTuple):
    """A record whose id has the start of its game."""

    head: PaifuHead
    start: GameStart


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
        start = start_in_id(head.id)
        nearest = _nearest(free_games, head, start)
        if nearest is not None:
            head_of[nearest] = head
        elif start is not None:
            unmatched.append(_DatedHead(head, start))
    if unmatched and not points:
        _match_by_hour(head_of, unmatched, games, player_of)
    return head_of


def _nearest(games: Iterable[Game], head: PaifuHead, start: GameStart | None) -> Game | None:
    """The game whose start is nearest to the record's; without any date, the only one."""
    gap_of: dict[Game, timedelta] = {}
    for game in games:
        gap = start_gap(game, start, head.day)
        if gap is not None:
            gap_of[game] = gap
    is_dated = start is not None or head.day is not None
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
    for head, start in heads:
        players = _players(player_of(name, head.day) for name in head.names)
        fitting: list[Game] = []
        for day in (start.day - ONE_DAY, start.day, start.day + ONE_DAY):
            day_games = by_day.get((players, day), ())
            fitting += [game for game in day_games if _fits(game, head, start)]
        fitting = [game for game in fitting if game not in head_of]
        if len(fitting) == 1:
            head_of[fitting[0]] = head


def _fits(game: Game, head: PaifuHead, start: GameStart) -> bool:
    """Whether a game with a start has the seats of the record and began in its hour."""
    if game.start is None or len(game.seats) != head.seats:
        return False
    gap = start_gap(game, start, start.day)
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
