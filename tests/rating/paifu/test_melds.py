import pytest
from hypothesis import given, strategies as st

from rating.paifu.melds import Meld, MeldType, decode, encode
from rating.paifu.tiles import PaifuError, notation


@pytest.mark.parametrize(
    ("code", "kind", "tiles", "giver"),
    [
        (17695, MeldType.CHI, "678m", 3),
        (13419, MeldType.PON, "999m", 3),
        (31264, MeldType.KITA, "4z", 0),
        (33280, MeldType.CLOSED_KAN, "6666z", 0),
        (30721, MeldType.OPEN_KAN, "4444z", 1),
    ],
)
def test_codes_of_real_records(code: int, kind: str, tiles: str, giver: int) -> None:
    meld = decode(code)
    assert (meld.type, notation(meld.tiles), meld.giver) == (kind, tiles, giver)
    assert encode(meld) == code


def test_added_kan_adds_one_tile() -> None:
    pon = decode(13419)
    first = pon.tiles[0] // 4 * 4
    (added,) = {*range(first, first + 4)} - {*pon.tiles}
    kan = Meld(
        MeldType.ADDED_KAN,
        tuple(sorted((*pon.tiles, added))),
        pon.called,
        pon.giver,
        added,
    )
    assert decode(encode(kan)) == kan
    assert kan.from_hand == (added,)
    assert set(pon.from_hand) == set(pon.tiles) - {pon.called}


def test_every_call_is_decoded_from_its_code() -> None:
    met = set()
    for code in range(0x10000):
        try:
            meld = decode(code)
        except PaifuError:
            continue
        met.add(meld.type)
        assert decode(encode(meld)) == meld
        assert len(set(meld.tiles)) == len(meld.tiles)
        assert meld.called in meld.tiles
    assert met == {
        MeldType.CHI,
        MeldType.PON,
        MeldType.ADDED_KAN,
        MeldType.OPEN_KAN,
        MeldType.CLOSED_KAN,
        MeldType.KITA,
    }


@given(st.integers())
def test_any_code_is_a_call_or_an_error(code: int) -> None:
    try:
        assert encode(decode(code)) >= 0
    except PaifuError as error:
        message = str(error)
    else:
        message = str(code)
    assert str(code) in message
