from collections import Counter

import pytest

from rating.paifu.deal_in import SHAPES, DealIns, facings
from rating.paifu.record import Riichi
from rating.paifu.statistics import Statistics, of_record, of_records
from rating.paifu.tally import RoundEnding, shares
from tests.rating.paifu.records import NAMES, read, record_of, some
from tests.real import RECORDS


def test_every_seat_has_one_ending_a_round() -> None:
    for record in some():
        for played in record.rounds:
            seats = list(shares(played))
            assert len(seats) == record.seats
            declared = [event for event in played.events if isinstance(event, Riichi)]
            paid = {event.seat for event in declared if event.step == 2}
            assert [share.riichi for share in seats] >= [
                seat in paid for seat in range(record.seats)
            ]
            assert [share.change for share in seats] == list(played.change)
            if not played.wins:
                assert {share.ending for share in seats} == {RoundEnding.DRAW}
            elif played.wins[0].tsumo:
                assert Counter(share.ending for share in seats) == {
                    RoundEnding.WIN: 1,
                    RoundEnding.OTHERS_TSUMO: record.seats - 1,
                }
            else:
                assert sum(share.ending == RoundEnding.DEAL_IN for share in seats) == 1
                assert sum(share.ending == RoundEnding.WIN for share in seats) == len(played.wins)
                assert all(
                    share.ending in (RoundEnding.WIN, RoundEnding.DEAL_IN, RoundEnding.OTHERS_RON)
                    for share in seats
                )


def test_shares_of_endings_sum_to_all_rounds() -> None:
    statistics = of_records(some())
    for tally in [*statistics.overall.values(), *statistics.players.values()]:
        balance = tally.balance()
        assert list(balance) == list(RoundEnding)
        assert sum(line["share"] for line in balance.values()) == pytest.approx(1)
        mean = sum(line["share"] * line["points"] for line in balance.values())
        assert mean == pytest.approx(tally.mean("mean"))


def test_games_of_three_and_four_are_separate() -> None:
    statistics = of_records(
        [
            read(1, 3),
            read(1, 4),
            read(2, 4),
        ]
    )
    assert statistics.overall[3].games == 3
    assert statistics.overall[4].games == 8
    assert statistics.players[NAMES[0], 3].games == 1
    assert statistics.players[NAMES[0], 4].games == 2
    assert (NAMES[3], 3) not in statistics.players
    assert statistics.overall[3].mean("mean_placing") == 2
    assert statistics.overall[4].mean("mean_placing") == 2.5


def test_sum_of_statistics_ignores_the_order() -> None:
    first, second, third = (of_record(record) for record in some()[:3])
    figures = (first + second + third).figures()
    assert (third + (second + first)).figures() == figures
    assert (first + Statistics()).figures() == first.figures()
    assert of_records(some()[:3]).figures() == figures
    first = of_record(read(1))
    second = of_record(read(2))
    before = first.figures()
    _ = first + second
    assert first.figures() == before


def test_only_unsafe_discards_into_a_riichi_count() -> None:
    for record in some():
        expected = 0
        for played in record.rounds:
            for facing in facings(played):
                assert facing.seat not in facing.opponents
                assert facing.tile in facing.hand
                expected += sum(not safe[facing.kind] for safe in facing.safe)
        table = of_record(record).all_deal_ins()
        assert table.discards.total() == table.shape_discards.total() == expected


def test_tables_of_deal_ins_add_up() -> None:
    table = of_records(some()).all_deal_ins()
    for rows in table.tables().values():
        for row in rows.values():
            assert 0 <= row["deal_ins"] <= row["discards"]
            rate = row["deal_ins"] / row["discards"] if row["discards"] else 0
            assert row["rate"] == rate
    for row in table.by_class().values():
        assert sum(row[shape] for shape in SHAPES) == row["deal_ins"]
    assert len(DealIns().by_class()) == 13
    assert set(DealIns().tables()["groups"]) == {"z", "19", "28", "37", "456"}


def test_real_records_deal_in_as_the_source_measured() -> None:
    """The rates of 26 games lie within four standard errors of those of 171,650 (koba::blog, per
    cent).
    """
    four = of_records(record for record in map(record_of, RECORDS) if record.seats == 4)
    groups = four.all_deal_ins().tables()["groups"]
    percents = {"z": 1.76, "19": 6.09, "28": 7.20, "37": 7.94, "456": 9.56}
    for group, percent in percents.items():
        row = groups[group]
        rate = percent / 100
        assert row["discards"] > 120
        error = (rate * (1 - rate) / row["discards"]) ** 0.5
        assert abs(row["rate"] - rate) < 4 * error
