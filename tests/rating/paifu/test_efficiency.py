import random

import pytest
from hypothesis import given, settings, strategies as st

from rating.paifu.efficiency import acceptance, choices, shanten_of
from rating.paifu.situation import efficiency_answers
from rating.paifu.tiles import KINDS, PaifuError, counts, parse
from tests.rating.paifu import brute

ORPHANS = "19m19p19s1234567z"


def hands(
    seed: int,
    seats: int,
    number: int,
) -> list[tuple[list[int], int]]:
    """Random hands with their calls: every third of one suit and honours, so that copies run
    out.
    """
    source = random.Random(seed)
    tiles = [tile for tile in range(136) if seats == 4 or not 1 <= tile // 4 <= 7]
    hands = []
    for place in range(number):
        calls = source.choice((0, 0, 0, 1, 2, 3, 4))
        pool = tiles
        if place % 3 == 0:
            pool = [tile for tile in tiles if tile // 36 in (1, 3)]
        hands.append((counts(source.sample(pool, 14 - 3 * calls)), calls))
    return hands


@pytest.mark.parametrize("seats", [3, 4])
def test_choices_equal_brute_force(seats: int) -> None:
    for hand, calls in hands(seats, seats, 15):
        unseen = [min(2, 4 - count) for count in hand]
        question = {"hand": hand, "calls": calls, "unseen": unseen, "seats": seats}
        (answer,) = efficiency_answers(question)
        assert answer["shanten"] == brute.shanten(hand, seats)
        for row in answer["discards"]:
            hand_after = brute.plus(hand, row["kind"], -1)
            assert row["shanten"] == brute.shanten(hand_after, seats)
            assert row["kinds"] == brute.accepted(hand_after, seats)
            assert row["tiles"] == sum(unseen[kind] for kind in row["kinds"])


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.sampled_from([3, 4]))
def test_choices_are_in_order_and_have_every_kind(seed: int, seats: int) -> None:
    ((hand, _),) = hands(seed, seats, 1)
    before = list(hand)
    unseen = [4 - count for count in hand]
    discards = choices(hand, unseen, seats)
    assert hand == before
    held = [kind for kind in range(KINDS) if hand[kind]]
    assert sorted(choice.kind for choice in discards) == held
    speeds = [(discard.shanten, -discard.tiles) for discard in discards]
    assert speeds == sorted(speeds)
    assert min(discard.shanten for discard in discards) in (shanten_of(hand, seats), 0)
    for discard in discards:
        assert list(discard.kinds) == sorted(discard.kinds)
        assert all(hand[kind] - (kind == discard.kind) < 4 for kind in discard.kinds)
        if seats == 3:
            assert not set(discard.kinds) & set(range(1, 8))


def test_complete_hand_has_choices() -> None:
    hand = counts(parse("19m19p19s123z5588p"))
    shanten, kinds = acceptance(hand)
    assert shanten == brute.shanten(hand, 4)
    assert list(kinds) == brute.accepted(hand, 4)
    assert acceptance(counts(parse(ORPHANS)))[1] == tuple(
        sorted({tile // 4 for tile in parse(ORPHANS)})
    )
    (answer,) = efficiency_answers(
        {
            "hand": counts(parse("11m")),
            "calls": 4,
            "unseen": [0] * 34,
            "seats": 3,
        }
    )
    assert answer == {
        "shanten": -1,
        "discards": [{"kind": 0, "shanten": 0, "tiles": 0, "kinds": [0]}],
    }


def test_kind_with_four_in_hand_is_not_accepted() -> None:
    shanten, kinds = acceptance(counts(parse("1111m123p456s789s")))
    assert 0 not in kinds
    assert shanten == 1
    question = {
        "hand": counts(parse("123m456p789s2355s1z")),
        "calls": 0,
        "unseen": [0] * 34,
        "seats": 4,
    }
    best = efficiency_answers(question)[0]["discards"][0]
    assert (best["shanten"], best["tiles"]) == (0, 0)
    assert len(best["kinds"]) > 1


GOOD = {
    "hand": counts(parse("123m456p789s2355s1z")),
    "calls": 0,
    "unseen": [0] * 34,
    "seats": 4,
}
IMPOSSIBLE = [
    None,
    1,
    "x",
    [],
    {},
    GOOD | {"hand": [1] * 14},
    GOOD | {"hand": [5] + [0] * 33},
    GOOD | {"hand": [-1] * 34},
    GOOD | {"hand": [1.0] * 34},
    GOOD | {"hand": [True] * 34},
    GOOD | {"calls": 5},
    GOOD | {"calls": -1},
    GOOD | {"calls": 1},
    GOOD | {"calls": True},
    GOOD | {"calls": None},
    GOOD | {"unseen": None},
    GOOD | {"unseen": [4] * 34},
    GOOD | {"unseen": [5] * 34},
    GOOD | {"seats": 2},
    GOOD | {"seats": "4"},
    GOOD | {"seats": 3},
    GOOD | {"hand": [0] * 34},
]


@pytest.mark.parametrize("question", IMPOSSIBLE)
def test_error_names_the_impossible_hand(question: object) -> None:
    with pytest.raises(PaifuError, match=r"^hand 2: ") as caught:
        efficiency_answers([GOOD, question])
    assert "\n" not in str(caught.value)
