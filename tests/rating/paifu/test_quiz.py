from collections.abc import Iterator
from functools import cache
from itertools import islice

import pytest

from rating.paifu.checked_walls import open_walls
from rating.paifu.efficiency import TileChoice, tile_choices
from rating.paifu.record import Discard, Draw, Record
from rating.paifu.situation import asks, is_clear, position
from rating.paifu.tiles import counts
from tests.rating.paifu import brute
from tests.rating.paifu.records import read, record_of
from tests.real import DATA, RECORDS

POSITIONS = 60


@cache
def every() -> list[Record]:
    made = [read(seed, seats) for seed in range(8) for seats in (3, 4)]
    return [*map(record_of, RECORDS), *made]


def clear() -> list[tuple[Record, TileChoice]]:
    def some(seats: int) -> Iterator[tuple[Record, TileChoice]]:
        own = (record for record in every() if record.seats == seats)
        found = ((record, one) for record in own for one in tile_choices(record) if is_clear(one))
        return islice(found, POSITIONS // 2)

    return [*some(3), *some(4)]


def test_the_answers_are_those_of_brute_force() -> None:
    known = clear()
    assert len(known) == POSITIONS
    for record, one in known:
        asked = position(record, one.round, one.seat, one.turn)
        hand = counts(asked.hand)
        seats = record.seats
        shown = [*asked.hand, *asked.river, *asked.indicators]
        shown += _others(record, one)
        left = [4 - shown_kind for shown_kind in counts_of(shown)]
        ranked = []
        for kind in {tile // 4 for tile in asked.hand}:
            rest = brute.plus(hand, kind, -1)
            tiles = sum(left[accepted] for accepted in brute.accepted(rest, seats))
            ranked.append((brute.shanten(rest, seats), -tiles, kind))
        best, second, *_ = sorted(ranked)
        assert best[2] == asked.choices[0].kind
        assert best[:2] < second[:2]
        assert best[0] == asked.choices[0].shanten
        assert -best[1] == asked.choices[0].tiles
        assert (asked.taken // 4 == best[2]) == (one.loss == 0)


def counts_of(tiles: list[int]) -> list[int]:
    return [sum(tile // 4 == kind for tile in set(tiles)) for kind in range(34)]


def _others(record: Record, one: TileChoice) -> list[int]:
    """All that was discarded or called before the discard, read from the events alone."""
    made = 0
    shown: list[int] = []
    for event in record.rounds[one.round].events:
        if isinstance(event, Discard):
            if event.seat == one.seat:
                made += 1
            if made == one.turn and event.seat == one.seat:
                return shown
            shown.append(event.tile)
        elif hasattr(event, "meld"):
            shown += event.meld.tiles
    raise AssertionError


@pytest.mark.parametrize("stem", ["three-plain-1", "four-plain-1"])
def test_a_position_holds_what_came_and_what_the_wall_held(stem: str) -> None:
    record = record_of(DATA / "records" / f"{stem}.mjlog")
    walls = open_walls(record).rounds
    assert walls is not None
    assert asks(record)
    for one in asks(record):
        asked = position(record, one.round, one.seat, one.turn, walls)
        events = record.rounds[one.round].events
        cut = [
            at
            for at, event in enumerate(events)
            if isinstance(event, Discard) and event.seat == one.seat
        ]
        later = events[cut[one.turn - 1] :]
        assert asked.came == tuple(
            e.tile for e in later if isinstance(e, Draw) and e.seat == one.seat
        )
        assert asked.drawn in asked.hand
        assert asked.taken == one.tile
        assert asked.live is not None
        assert sum(asked.live) >= sum(isinstance(event, Draw) for event in later)
    assert position(record, 99, 0, 1) is None
