import pytest
from hypothesis import given, strategies as st

from rating.paifu import tiles
from rating.paifu.tiles import PaifuError, counts, dora_of, indicator_of, notation, parse


def test_notation_names_suits_honours_and_the_red_five() -> None:
    kinds = [tile // 4 for tile in parse("19m19p19s17z")]
    assert kinds == [0, 8, 9, 17, 18, 26, 27, 33]
    assert parse("0m0p0s") == [16, 52, 88]
    assert parse("5m") == [17]
    assert sorted(parse("5555m")) == [16, 17, 18, 19]
    assert sorted(parse("5550m")) == [16, 17, 18, 19]
    assert parse(" 1m 2m\n") == [0, 4]
    assert parse("") == []
    assert notation([]) == ""


@pytest.mark.parametrize(
    "text",
    [
        "123",
        "m",
        "8z",
        "9z",
        "0z",
        "12x",
        "11111m",
        "00m",
        "55550p",
        "1２m",
        "1m2",
        "123m-",
        "1" * 9999 + "m",
    ],
)
def test_wrong_notation_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(PaifuError) as caught:
        parse(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 120


@given(st.sets(st.integers(0, 135), max_size=34))
def test_written_hand_is_read_as_the_same_hand(hand: set[int]) -> None:
    again = parse(notation(hand))
    assert counts(again) == counts(hand)
    assert {t for t in hand if t in tiles.RED_FIVES} <= set(again)


@given(st.text(max_size=40))
def test_any_text_is_a_hand_or_one_error(text: str) -> None:
    try:
        message = ""
        hand = parse(text)
    except PaifuError as error:
        message = str(error)
        hand = []
    assert "\n" not in message
    assert all(0 <= tile < 136 for tile in hand)


@pytest.mark.parametrize(
    ("indicator", "dora"),
    [
        ("1m", "2m"),
        ("9m", "1m"),
        ("9p", "1p"),
        ("4z", "1z"),
        ("1z", "2z"),
        ("7z", "5z"),
        ("5z", "6z"),
        ("0s", "6s"),
    ],
)
def test_dora_follows_its_indicator(indicator: str, dora: str) -> None:
    assert dora_of(parse(indicator)[0]) == parse(dora)[0] // 4


def test_nine_of_man_follows_one_with_three_seats() -> None:
    assert dora_of(0, seats=3) == 8
    assert dora_of(32, seats=3) == 0


@pytest.mark.parametrize("seats", [3, 4])
def test_indicator_of_a_dora_is_the_inverse(seats: int) -> None:
    for kind in range(34):
        if seats == 4 or kind not in tiles.ABSENT_IN_THREE:
            assert dora_of(indicator_of(kind, seats) * 4, seats) == kind
