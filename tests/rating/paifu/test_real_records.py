import gzip
from pathlib import Path

import pytest

from rating.paifu.deal_in import waits
from rating.paifu.record import Discard, Riichi
from rating.paifu.table import TableState
from tests.rating.paifu.records import record_of
from tests.real import RECORDS

each_record = pytest.mark.parametrize("path", RECORDS, ids=[path.name for path in RECORDS])


@each_record
def test_real_record_is_read_without_problems(path: Path) -> None:
    record = record_of(path)
    assert record.problems == ()
    assert len(record.rounds) == gzip.decompress(path.read_bytes()).count(b"<INIT")
    assert all(len(name) > 0 for name in record.players)


@each_record
def test_points_of_a_real_record_end_at_its_result(path: Path) -> None:
    record = record_of(path)
    assert record.final is not None
    last = record.rounds[-1]
    sticks = sum(record.final) - sum(last.after)  # riichi sticks left over go to the first place
    assert sticks >= 0
    assert sticks % 1000 == 0
    expected = list(last.after)
    first = max(range(record.seats), key=lambda seat: (expected[seat], -seat))
    expected[first] += sticks
    assert tuple(expected) == record.final


@each_record
def test_points_continue_from_round_to_round(path: Path) -> None:
    record = record_of(path)
    for played, following in zip(record.rounds, record.rounds[1:], strict=False):
        assert played.after == following.start
    for played in record.rounds:
        paid = [0] * played.seats
        for event in played.events:
            if isinstance(event, Riichi) and event.step == 2:
                paid[event.seat] += 1000
        points = tuple(start - stick for start, stick in zip(played.start, paid, strict=True))
        for ending in played.endings:
            assert ending.before == points
            points = tuple(a + b for a, b in zip(points, ending.change, strict=True))


@each_record
def test_discards_and_wins_of_real_records_are_possible(path: Path) -> None:
    for played in record_of(path).rounds:
        table = TableState(played)
        for event in played.events:
            if isinstance(event, Discard):
                assert event.tile in table.hands[event.seat]
            table.apply(event)
        for win in played.wins:
            assert sorted(table.hands[win.seat] | {win.tile}) == sorted(win.hand)
            assert set(win.melds) == set(table.melds[win.seat])
            before = list(table.held[win.seat])
            if win.tsumo:
                before[win.tile // 4] -= 1
            assert win.tile // 4 in waits(before)
