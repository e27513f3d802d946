from collections.abc import Iterator
from functools import cache
from itertools import islice

import pytest

from rating.paifu.checked_walls import open_walls
from rating.paifu.efficiency import TileChoice, tile_choices
from rating.paifu.record import Discard, Draw, Record
from rating.paifu.situation import asks, is_clear, position
from rating.paifu.tiles import counts
from rating.paifu.top_table.review import choices_of
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
        records = (record for record in every() if record.seats == seats)
        choices_found = (
            (record, choice)
            for record in records
            for choice in tile_choices(record)
            if is_clear(choice)
        )
        return islice(choices_found, POSITIONS // 2)

    return [*some(3), *some(4)]


def test_answers_equal_brute_force() -> None:
    clear_choices = clear()
    assert len(clear_choices) == POSITIONS
    for record, choice in clear_choices:
        quiz = position(record, choice.round, choice.seat, choice.turn)
        hand = counts(quiz.hand)
        seats = record.seats
        visible = [*quiz.hand, *quiz.river, *quiz.indicators]
        visible += _others(record, choice)
        unseen = [4 - shown_kind for shown_kind in counts_of(visible)]
        ranked = []
        for kind in {tile // 4 for tile in quiz.hand}:
            hand_after = brute.plus(hand, kind, -1)
            tiles = sum(unseen[accepted] for accepted in brute.accepted(hand_after, seats))
            ranked.append((brute.shanten(hand_after, seats), -tiles, kind))
        best, second, *_ = sorted(ranked)
        assert best[2] == quiz.choices[0].kind
        assert best[:2] < second[:2]
        assert best[0] == quiz.choices[0].shanten
        assert -best[1] == quiz.choices[0].tiles
        assert (quiz.taken // 4 == best[2]) == (choice.loss == 0)


def counts_of(tiles: list[int]) -> list[int]:
    return [sum(tile // 4 == kind for tile in set(tiles)) for kind in range(34)]


def _others(record: Record, choice: TileChoice) -> list[int]:
    """All that was discarded or called before the discard, read from the events alone."""
    made = 0
    tiles: list[int] = []
    for event in record.rounds[choice.round].events:
        if isinstance(event, Discard):
            if event.seat == choice.seat:
                made += 1
            if made == choice.turn and event.seat == choice.seat:
                return tiles
            tiles.append(event.tile)
        elif hasattr(event, "meld"):
            tiles += event.meld.tiles
    raise AssertionError


def test_asked_are_other_discards_and_a_divided_top_table() -> None:
    divided_only = 0
    for record in every()[: len(RECORDS)]:
        top_choices = {choice[:3]: choice for choice in choices_of(record)}
        asked = {(choice.round, choice.seat, choice.turn) for choice in asks(record)}
        for choice in filter(is_clear, tile_choices(record)):
            place = (choice.round, choice.seat, choice.turn)
            divided = place in top_choices and max(top_choices[place].shares) < 0.5
            assert (place in asked) == (choice.loss > 0 or divided)
            divided_only += divided and choice.loss == 0
    assert divided_only >= 5


@pytest.mark.parametrize("stem", ["three-plain-1", "four-plain-1"])
def test_position_has_later_draws_and_live_tiles(stem: str) -> None:
    record = record_of(DATA / "records" / f"{stem}.mjlog")
    walls = open_walls(record).rounds
    assert walls is not None
    assert asks(record)
    for choice in asks(record):
        quiz = position(record, choice.round, choice.seat, choice.turn, walls)
        events = record.rounds[choice.round].events
        cut = [
            at
            for at, event in enumerate(events)
            if isinstance(event, Discard) and event.seat == choice.seat
        ]
        later = events[cut[choice.turn - 1] :]
        assert quiz.came == tuple(
            e.tile for e in later if isinstance(e, Draw) and e.seat == choice.seat
        )
        assert quiz.drawn in quiz.hand
        assert quiz.taken == choice.tile
        assert quiz.live is not None
        assert sum(quiz.live) >= sum(isinstance(event, Draw) for event in later)
    assert position(record, 99, 0, 1) is None
