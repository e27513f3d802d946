"""Compares the walls that a record's seed gives with what the record shows: deals, dice, draws, and both
kinds of indicators.

One tile that differs in any round, and the walls of the whole record are unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rating.paifu.draws import WallCount
from rating.paifu.events import Draw, NewDora
from rating.paifu.record import Record, Round
from rating.paifu.tiles import PaifuError
from rating.paifu.wall import RoundWall, read_key, walls


@dataclass(frozen=True, slots=True)
class CheckedWalls:
    """The walls of a record: one for each of its rounds, or `rounds` is None where they are unknown.

    `problem` says why in one line where the record has a seed that does not fit it, else it is "". `draws`
    counts the draws that were compared.
    """

    rounds: tuple[RoundWall, ...] | None
    problem: str = ""
    draws: int = 0


def open_walls(record: Record) -> CheckedWalls:
    """The walls of the record. Those of a record without a seed, or with one of another form, are unknown
    without a problem."""
    try:
        key = read_key(record.seed)
    except PaifuError as error:
        return CheckedWalls(None, str(error))
    if key is None:
        return CheckedWalls(None)
    played = {one.deal: one for one in (*record.rounds, *record.unread)}
    dealers = [played[deal].dealer if deal in played else 0 for deal in range(max(played) + 1)]
    found: dict[int, RoundWall] = {}
    draws = 0
    for deal, wall in enumerate(walls(key, record.seats, dealers)):
        if deal not in played:
            continue
        try:
            draws += _compare(played[deal], wall)
        except PaifuError as error:
            return CheckedWalls(None, f"the wall is unknown: {played[deal].name}: {error}")
        found[deal] = wall
    return CheckedWalls(tuple(found[one.deal] for one in record.rounds), draws=draws)


def _compare(played: Round, wall: RoundWall) -> int:
    """How many draws were compared. Raises PaifuError at the first difference."""
    if played.dice != wall.dice:
        raise PaifuError("its dice are not those of the seed")
    for seat, (dealt, found) in enumerate(zip(played.hands, wall.hands, strict=True)):
        if set(dealt) != set(found):
            raise PaifuError(f"the tiles dealt to seat {seat} are not those of the seed")
    shown = [played.indicator, *(event.indicator for event in played.events if type(event) is NewDora)]
    _same("a dora indicator", shown, wall.dora)
    for win in played.wins:
        _same("a dora indicator", win.dora, wall.dora)
        _same("an ura dora indicator", win.ura, wall.ura)
    count = 0
    for tile, expected in _draws(played, wall):
        count += 1
        if tile != expected:
            raise PaifuError(f"draw {count} is not that of the seed")
    return count


def _same(what: str, shown: Sequence[int], wall: Sequence[int]) -> None:
    if tuple(shown) != tuple(wall[: len(shown)]):
        raise PaifuError(f"{what} is not that of the seed")


def _draws(played: Round, wall: RoundWall) -> Iterator[tuple[int, int | None]]:
    """Yield (tile drawn, tile that the wall has there) of each draw; None where the wall has no more."""
    count = WallCount()
    for event in played.events:
        if type(event) is Draw:
            part, place = (
                (wall.rinshan, count.taken) if count.replacing else (wall.rest(0, count.taken), count.drawn)
            )
            yield event.tile, part[place] if place < len(part) else None
        count.apply(event)
