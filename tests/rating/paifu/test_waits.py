import pytest
from hypothesis import given, settings, strategies as st

from rating.paifu.deal_in import main_shape, waits
from rating.paifu.tiles import KIND_NAMES, counts, parse


def named(hand: str) -> dict[str, str]:
    return {KIND_NAMES[kind]: shape for kind, shape in waits(counts(parse(hand))).items()}


@pytest.mark.parametrize(
    ("hand", "found"),
    [
        ("123m456p789s11z45s", {"s3": "ryanmen", "s6": "ryanmen"}),
        ("123m456p789s11z46s", {"s5": "kanchan"}),
        ("123m456p789s11z12s", {"s3": "penchan"}),
        ("123m456p789s11z89p", {"p7": "penchan"}),
        ("123m456p789s11z22p", {"p2": "shanpon", "z1": "shanpon"}),
        ("123m456p789s123s1z", {"z1": "tanki"}),
        ("123m456p789s2345s", {"s2": "tanki", "s5": "tanki"}),
        ("1133m5577p99s112z", {"z2": "tanki"}),
        ("19m19p19s1234567z", dict.fromkeys(("m1", "m9", "p1", "p9", "s1", "s9", *(f"z{n}" for n in range(1, 8))), "tanki")),
        ("19m19p19s1123456z", {"z7": "tanki"}),
        ("45s11z", {"s3": "ryanmen", "s6": "ryanmen"}),
        ("5p", {"p5": "tanki"}),
        ("1111z", {}),
        ("147m258p369s1234z", {}),
    ],
)  # fmt: skip
def test_the_waits_of_a_hand_and_their_shapes(hand: str, found: dict[str, str]) -> None:
    assert named(hand) == found


def test_nine_gates_and_waits_of_two_shapes() -> None:
    assert set(named("1112345678999m")) == {f"m{n}" for n in range(1, 10)}
    hand = "23444p123m789s11z"
    assert named(hand) == {"p1": "ryanmen", "p4": "ryanmen", "z1": "shanpon"}
    assert main_shape(waits(counts(parse(hand)))) == "ryanmen"
    assert main_shape({}) == ""


@settings(max_examples=60)
@given(st.permutations(range(136)), st.sampled_from([1, 4, 7, 10, 13]))
def test_waits_agree_with_the_mahjong_package(wall: list[int], size: int) -> None:
    from mahjong.shanten import Shanten

    held = counts(sorted(wall[:40], key=lambda tile: (tile // 36, tile % 7 < 4, tile))[:size])
    expected = set()
    for kind in range(34):
        if held[kind] < 4:
            more = [count + (kind == place) for place, count in enumerate(held)]
            if Shanten.calculate_shanten(more) == -1:
                expected.add(kind)
    assert set(waits(held)) == expected
