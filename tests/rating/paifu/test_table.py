from rating.paifu.record import Call, Discard, Riichi
from rating.paifu.table import replay
from rating.paifu.tiles import ABSENT_IN_THREE, counts
from tests.rating.paifu.records import some


def test_unseen_tiles_are_four_less_the_visible_ones() -> None:
    """After every event the running counts equal a fresh count."""
    for record in some()[:4]:
        for played in record.rounds:
            for _, table in replay(played):
                visible = [tile.tile for river in table.rivers for tile in river] + table.indicators
                called = {tile for calls in table.melds for meld in calls for tile in meld.tiles}
                public = counts(set(visible) | called)
                for seat in range(table.seats):
                    hand = counts(table.hands[seat])
                    expected = [4 - a - b for a, b in zip(public, hand, strict=True)]
                    if table.seats == 3:
                        expected = [
                            0 if k in ABSENT_IN_THREE else n for k, n in enumerate(expected)
                        ]
                    assert table.unseen(seat) == expected


def test_safe_tiles_are_those_of_the_river() -> None:
    sideways = 0
    for record in some():
        for played in record.rounds:
            safe_kinds: list[set[int]] = [set() for _ in range(played.seats)]
            declared: set[int] = set()
            for event, table in replay(played):
                if isinstance(event, Riichi) and event.step == 1:
                    declared.add(event.seat)
                if isinstance(event, Discard):
                    for seat in declared | {event.seat}:
                        safe_kinds[seat].add(event.tile // 4)
                for seat in range(played.seats):
                    assert {
                        k for k, is_safe in enumerate(table.safe(seat)) if is_safe
                    } == safe_kinds[seat]
            for seat, river in enumerate(table.rivers):
                turned = [place for place, tile in enumerate(river) if tile.riichi]
                assert turned in ([], [table.riichi[seat]])
                sideways += len(turned)
    assert sideways


def test_closed_kan_and_kita_leave_the_hand_closed() -> None:
    for record in some():
        for played in record.rounds:
            called: set[int] = set()
            for event, table in replay(played):
                if isinstance(event, Call) and event.meld.is_open:
                    called.add(event.seat)
                assert {seat for seat in range(played.seats) if table.is_open(seat)} == called
