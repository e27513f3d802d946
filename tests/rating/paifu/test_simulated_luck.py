from collections.abc import Iterator
from fractions import Fraction
from math import sqrt

import pytest

from rating.paifu.efficiency import Holding
from rating.paifu.engine import Policy, Seen
from rating.paifu.record import KITA, Call, Discard
from rating.paifu.table import check
from rating.paifu.tiles import ABSENT_IN_THREE, NORTH, counts, parse
from tests.tools.bench.simulated_luck import FIRST, PlayerDraws, draws_of, measured, played

HALF = Fraction(1, 2)
Path = tuple[Fraction, Fraction, Fraction]


def until_a_hit(chance: Fraction, most: int) -> Iterator[Path]:
    """Yield (probability, draws, variance) of each course of a game that ends with its first useful draw, or
    after `most`."""
    for misses in range(most):
        yield (1 - chance) ** misses * chance, 1 - chance * (misses + 1), (misses + 1) * chance * (1 - chance)
    yield (1 - chance) ** most, -chance * most, most * chance * (1 - chance)


def narrowing(after: Fraction) -> Iterator[Path]:
    """Yield the courses of two draws, the first useful by a half, the second by `after` where the first
    was."""
    for first in (0, 1):
        chance = after if first else HALF
        for second in (0, 1):
            luck = first - HALF + second - chance
            variance = HALF * HALF + chance * (1 - chance)
            yield HALF * (chance if second else 1 - chance), luck, variance


@pytest.mark.parametrize(
    "courses",
    [list(until_a_hit(HALF, 2)), list(until_a_hit(Fraction(1, 7), 18)), list(narrowing(Fraction(1, 10)))],
    ids=["until a hit, at most two", "until a hit, at most 18", "a hit makes the next rarer"],
)
def test_the_draws_have_mean_0_exactly_and_their_ratio_to_its_error_has_not(courses: list[Path]) -> None:
    assert sum(chance for chance, _, _ in courses) == 1
    assert sum(chance * draws for chance, draws, _ in courses) == 0
    squares = sum(chance * draws**2 for chance, draws, _ in courses)
    assert squares == sum(chance * variance for chance, _, variance in courses)
    assert sum(float(chance) * float(draws) / sqrt(variance) for chance, draws, variance in courses) > 0.02


def test_what_is_measured() -> None:
    games = [[PlayerDraws(1.0, 4.0, 2.0), PlayerDraws(-1.0, 1.0, 0.0)], [PlayerDraws(0.0, 1.0, -2.0)] * 2]
    one = measured(games)
    assert one.z.mean == pytest.approx(-1 / 8)
    assert one.fixed.mean == 0
    assert one.covariance == pytest.approx(one.z.mean)
    assert one.first.mean == pytest.approx(-0.5 / sqrt(FIRST))
    assert one.first.error == pytest.approx(1.5 / sqrt(FIRST))


@pytest.mark.parametrize("seats", [3, 4])
def test_games_of_the_engine(seats: int) -> None:
    pytest.importorskip("riichienv", reason="riichienv is not installed")
    games = [draws_of(seats, 77 + 1000 * game) for game in range(6)]
    one = measured(games)
    assert abs(one.fixed.mean) < 5 * one.fixed.error
    assert abs(one.first.mean) < 5 * one.first.error
    assert all(player.variance > 1 for game in games for player in game)
    assert draws_of(seats, 77) == games[0]


def test_three_play_with_kita_unless_the_hand_needs_the_north() -> None:
    pytest.importorskip("riichienv", reason="riichienv is not installed")
    record = played(3, 5)
    assert record.seats == 3
    assert len(record.rounds) >= 3
    norths = 0
    for round_played in record.rounds:
        check(round_played)
        tiles = [tile for hand in round_played.hands for tile in hand]
        tiles += [event.tile for event in round_played.events if isinstance(event, Discard)]
        assert not {tile // 4 for tile in tiles} & ABSENT_IN_THREE
        norths += sum(isinstance(one, Call) and one.meld.type == KITA for one in round_played.events)
    assert norths > 3

    def takes(hand: str) -> bool:
        held = counts(parse(hand))
        return Policy(None).takes_north(Seen(Holding(held), [4 - count for count in held], seats=3))

    assert takes("123p456p789s2355s4z")
    assert not takes("19m19p19s1234567z5p")
    assert not takes("123p456p78s225s444z")
    assert counts(parse("444z"))[NORTH] == 3
