"""Danger of each class of tile, in points: tanki 1, shanpon 2, kanchan 3, penchan 3, ryanmen 10.

The points are those of koba::blog 「牌の危険度計算アルゴリズム」
(https://blog.kobalab.net/entry/2021/10/28/232300).
"""

import json

import pytest

from rating.paifu.danger import danger, folds, largest, tile_class
from rating.paifu.situation import check_state, danger_answers
from rating.paifu.tiles import PaifuError, parse as hand
from tests.real import DATA, worked_figures

LIVE = [4] * 34


def of(
    tile: str,
    safe: str = "",
    visible: str = "",
    in_own_hand: bool = True,
) -> int:
    """Danger of a tile to an opponent who discarded `safe`; with `in_own_hand` the viewer has a copy
    of it."""
    kind = hand(tile)[0] // 4
    unseen = list(LIVE)
    for visible_tile in hand(visible):
        unseen[visible_tile // 4] -= 1
    if in_own_hand:
        unseen[kind] -= 1
    safe_kinds = {discard // 4 for discard in hand(safe)}
    return danger(unseen, [number in safe_kinds for number in range(34)])[kind]


def test_danger_of_genbutsu_and_honours() -> None:
    assert of("5m", safe="5m") == 0
    assert of("1z", safe="1z") == 0
    assert of("1z") == 3
    assert of("7z", visible="7z") == 3
    assert of("1z", visible="11z") == 1
    assert of("1z", visible="111z") == 0


def test_danger_equals_the_reference_in_every_state() -> None:
    states = json.loads((DATA / "danger_states.json").read_text())["states"]
    assert len(states) == 100
    for state in states:
        assert danger(state["unseen"], state["safe"]) == state["danger"]


def test_danger_of_the_worked_examples() -> None:
    reference = worked_figures("danger")
    names = {"1,9": "1m", "2,8": "8m", "3,7": "3m", "4,5,6": "5m"}
    for classes, tile in names.items():
        assert of(tile) == reference["base"][classes]
    for wall in reference["walls"]:
        for n in (wall.get("tiles") or wall["tile"]).split(","):
            visible = "".join(part * 4 for part in wall["wall"].split(" and ")) + "p"
            more = (4 - wall["unseen"]) * f"{n}p" if "unseen" in wall else f"{n}p"
            points = wall.get("v", wall.get("v_code"))
            assert of(f"{n}p", visible=visible + more, in_own_hand=False) == points


def test_larger_danger_counts_against_two_riichis() -> None:
    first = [0] * 34
    second = [0] * 34
    first[4] = 26
    second[4] = 13
    second[5] = 3
    together = largest([first, second])
    assert (together[4], together[5], together[6]) == (26, 3, 0)
    assert largest([]) == [0] * 34


def test_ends_of_man_are_as_honours_with_three_seats() -> None:
    three = danger(LIVE, [False] * 34, 3)
    assert three[:9] == [3, *[0] * 7, 3]
    assert three[9:] == danger(LIVE, [False] * 34)[9:]
    points = [danger([copies, *LIVE[1:]], [False] * 34, 3)[0] for copies in range(4)]
    assert points == [0, 1, 3, 3]
    assert danger(LIVE, [True] + [False] * 33, 3)[0] == 0


def test_state_has_a_number_of_seats() -> None:
    state = {"unseen": [4] * 34, "safe": [0] * 34}
    (three,) = danger_answers(state | {"seats": 3})
    assert three["danger"] == danger([4] * 34, [0] * 34, 3)
    assert danger_answers(state, 3) == [three]
    assert danger_answers(state | {"seats": 4}, 3) == danger_answers(state)
    for wrong in (2, 5, True, 3.0, "3", None, []):
        with pytest.raises(PaifuError, match="state 1: seats must be 3 or 4"):
            danger_answers(state | {"seats": wrong})


def test_fold_depends_on_value_and_distance() -> None:
    assert folds(3, least=0, shanten=3, value=8000)
    assert not folds(0, least=0, shanten=3, value=8000)
    assert folds(3, least=0, shanten=1, value=399)
    assert not folds(3, least=0, shanten=1, value=400)
    assert folds(10, least=0, shanten=1, value=1199)
    assert not folds(9, least=0, shanten=1, value=1199)
    assert not folds(26, least=0, shanten=2, value=1200)
    assert not folds(26, least=0, shanten=0, value=0)
    assert not folds(26, least=10, shanten=5, value=0)


def test_danger_of_honours_falls_with_visible_copies() -> None:
    unseen = list(LIVE)
    names = []
    for copies in (3, 2, 1, 0):
        unseen[27] = copies
        names.append(tile_class(27, unseen, [False] * 34))
    assert names == ["z fresh", "z 1 seen", "z 2 seen", "z 3 seen"]
    for kind in (0, 8):
        unseen = list(LIVE)
        unseen[kind] = 2
        assert tile_class(kind, unseen, [False] * 34, 3) == "z 1 seen"
        assert tile_class(kind, unseen, [False] * 34) == "19"
    assert tile_class(9, LIVE, [False] * 34, 3) == "19"


@pytest.mark.parametrize(
    ("unseen", "safe"),
    [
        (None, None),
        ([4] * 33, [0] * 34),
        ([4] * 34, [0] * 35),
        ([5] * 34, [0] * 34),
        ([-1] * 34, [0] * 34),
        ([4.0] * 34, [0] * 34),
        (["4"] * 34, [0] * 34),
        ([True] * 34, [0] * 34),
        ([4] * 34, [2] * 34),
        ([4] * 34, [None] * 34),
    ],
)
def test_wrong_state_is_refused(unseen: object, safe: object) -> None:
    safe_last = [False] * 33 + [True]
    assert check_state([4] * 34, [0] * 33 + [1]) == ([4] * 34, safe_last)
    with pytest.raises(PaifuError):
        check_state(unseen, safe)
