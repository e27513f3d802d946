import pytest

from rating.paifu.efficiency import Holding, choices, expectation, outlook, points, yaku, yakuhai_of
from rating.paifu.tiles import counts, parse


def holding(hand: str, **more: object) -> Holding:
    return Holding(counts(parse(hand)), **more)  # type: ignore[arg-type]


def test_outlook_is_that_of_the_best_discard() -> None:
    held = counts(parse("123m456p789s1145s9m"))
    best, second, *_ = choices(held, [4] * 34)
    assert best.kind == 8
    assert best.shanten == 0
    assert best.tiles == 8
    assert best.kinds == (20, 23)
    assert (second.shanten, second.tiles) != (0, 8)
    number, value = outlook(holding("123m456p789s1145s9m"), [4] * 34)
    assert number == 0
    assert value == expectation(points(holding("123m456p789s1145s9m")), 8, 0)


def test_value_counts_yaku_dora_and_distance() -> None:
    without_yaku = holding("19m456p7899s", called=((18, 19, 20),), open=True)
    assert points(without_yaku) == 0
    with_yakuhai = holding("55z456p7899s", called=((31, 31, 31),), open=True)
    assert points(with_yakuhai) > 0
    plain = points(holding("123m456p789s1145s9m"))
    assert points(holding("123m456p789s1145s9m", dora=(0,))) > plain
    assert points(holding("123m456p789s1145s9m", red=1)) > plain
    assert points(holding("123m456p789s1145s9m", dealer=True)) == pytest.approx(1.5 * plain)
    assert yaku(holding("234m456p678s2345s8m")) == 1
    assert yaku(holding("19m19p19s1234567z1m")) >= 0
    assert yaku(holding("123456789m1122z9p")) >= 3
    assert yakuhai_of(seat=1, dealer=1, number=0, seats=4) == (31, 32, 33, 27, 27)
    assert yakuhai_of(seat=0, dealer=1, number=5, seats=4) == (31, 32, 33, 28, 30)
    values = [expectation(8000, 20, shanten) for shanten in range(4)]
    assert values == sorted(values, reverse=True)
    assert values[0] == 8000
