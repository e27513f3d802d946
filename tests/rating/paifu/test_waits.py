import pytest
from hypothesis import given, settings, strategies as st

from rating.paifu.deal_in import main_shape, waits
from rating.paifu.tiles import KIND_NAMES, counts, parse
from tests.real import cases


def named(hand: str) -> dict[str, str]:
    shapes = waits(counts(parse(hand)))
    return {KIND_NAMES[kind]: shape for kind, shape in shapes.items()}


@pytest.mark.parametrize(("hand", "shapes"), cases("waits.tsv"))
def test_waits_of_a_hand_and_their_shapes(hand: str, shapes: str) -> None:
    assert " ".join(f"{kind}:{shape}" for kind, shape in named(hand).items()) == shapes


def test_nine_gates_and_waits_of_two_shapes() -> None:
    assert set(named("1112345678999m")) == {f"m{n}" for n in range(1, 10)}
    hand = "23444p123m789s11z"
    assert named(hand) == {"p1": "ryanmen", "p4": "ryanmen", "z1": "shanpon"}
    assert main_shape(waits(counts(parse(hand)))) == "ryanmen"
    assert main_shape({}) == ""


@settings(max_examples=60)
@given(
    st.permutations(range(136)),
    st.sampled_from([1, 4, 7, 10, 13]),
)
def test_waits_agree_with_the_mahjong_package(wall: list[int], size: int) -> None:
    from mahjong.shanten import Shanten

    drawn = sorted(wall[:40], key=lambda tile: (tile // 36, tile % 7 < 4, tile))
    held = counts(drawn[:size])
    expected = set()
    for kind in range(34):
        if held[kind] < 4:
            more = list(held)
            more[kind] += 1
            if Shanten.calculate_shanten(more) == -1:
                expected.add(kind)
    assert set(waits(held)) == expected
