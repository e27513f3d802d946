from itertools import product

import pytest

from rating.paifu.deal_in import DealInCount, count, rons
from rating.paifu.formats import parse
from rating.paifu.record import Record
from rating.paifu.review import review
from rating.paifu.statistics import of_record as statistics_of
from rating.paifu.tally import RoundEnding
from tests.rating.paifu.records import made, read, record_of
from tests.rating.paifu.recount import recount
from tests.rating.paifu.test_mjlog import robbed_kan
from tests.real import RECORDS


def dealt(record: Record) -> list[DealInCount]:
    every = [ron for played in record.rounds for ron in rons(played)]
    return [count(every, seat) for seat in range(record.seats)]


every = pytest.mark.parametrize(
    ("seed", "seats"),
    list(product(range(6), (3, 4))),
)


def agrees(record: Record, data: bytes) -> None:
    expected = recount(data)
    assert dealt(record) == expected
    made = statistics_of(record)
    (table,) = made.deal_ins.values()
    assert table.deal_ins.total() + table.robbed == sum(riichi for riichi, _ in expected)
    overall = made.overall[record.seats]
    assert overall.split == DealInCount(*map(sum, zip(*expected, strict=True)))
    for name in record.players:
        same = [expected[seat] for seat, other in enumerate(record.players) if other == name]
        assert made.players[name, record.seats].split == DealInCount(
            *map(sum, zip(*same, strict=True))
        )
    doubles = sum(len(rons(played)) > 1 for played in record.rounds)
    triples = sum(len(rons(played)) > 2 for played in record.rounds)
    assert overall.endings[RoundEnding.DEAL_IN] == overall.split.total - doubles - triples


@every
def test_counts_of_rons_equal_those_of_the_tags(seed: int, seats: int) -> None:
    agrees(read(seed, seats), made(seed, seats).xml())


def test_counts_of_rons_of_real_records_equal_the_tags() -> None:
    totals = [0, 0]
    for path in RECORDS:
        agrees(record_of(path), path.read_bytes())
        for seat in recount(path.read_bytes()):
            totals = [sum(pair) for pair in zip(totals, seat, strict=True)]
    assert totals == [46, 87]


@every
def test_safe_discard_never_deals_into_a_riichi(seed: int, seats: int) -> None:
    done = review(read(seed, seats))
    expected = recount(made(seed, seats).xml())
    assert [row.deal_ins for row in done.ratings] == expected
    for push in done.pushes:
        assert push.danger or not push.deal_ins.to_riichi
        assert push.deal_ins.total == len(push.facing.rons)
    on_discards = sum(push.deal_ins.to_riichi for push in done.pushes)
    rounds = range(len(done.record.rounds))
    on_kans = sum(len(done.robbed(number)) for number in rounds)
    assert on_discards + on_kans == sum(row.deal_ins.to_riichi for row in done.ratings)


@pytest.mark.parametrize(
    ("riichi", "count"),
    [(True, (1, 0)), (False, (0, 1))],
)
def test_a_robbed_kan_is_a_deal_in_without_a_discard(riichi: bool, count: tuple[int, int]) -> None:
    declared = b'<REACH who="1" step="1"/><E61/><REACH who="1" step="2" ten="250,240,250,250"/>'
    data = robbed_kan()
    if riichi:
        data = data.replace(b"<E61/>", declared).replace(b"250,10,250", b"240,20,250")
    record = parse(data)
    assert recount(data)[0] == count
    (ron,) = rons(record.rounds[0])
    assert ron == (1, 0, 11, riichi, True)
    assert dealt(record)[0] == count
    table = statistics_of(record).all_deal_ins()
    assert (table.deal_ins.total(), table.robbed) == (0, riichi)
    assert review(record).ratings[0].deal_ins == count
