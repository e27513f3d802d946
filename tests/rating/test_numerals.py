import re

import pytest

from rating.numerals import MINUS_SIGNS, PLUS_SIGNS, SIGN, number_of, plain_number


@pytest.mark.parametrize("sign", [*MINUS_SIGNS, "➖\ufe0f"])
def test_every_minus_sign_makes_a_number_negative(sign: str) -> None:
    assert number_of(f"{sign}12.5") == -12.5
    assert re.fullmatch(SIGN, sign)


@pytest.mark.parametrize("sign", [*PLUS_SIGNS, "➕\ufe0f", ""])
def test_every_plus_sign_keeps_a_number_positive(sign: str) -> None:
    assert number_of(f"{sign}12.5") == 12.5


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("－１２．５", "-12.5"),
        ("+1,047.0", "1047.0"),
        ("▲1,042.0", "-1042.0"),
        ("30.0pt", "30.0"),
        ("-5PT", "-5"),
        ("−8000点", "-8000"),
        ("➖ 12.5ポイント", "-12.5"),
        (" 47 ", "47"),
    ],
)
def test_digits_commas_and_units_are_read(text: str, plain: str) -> None:
    assert plain_number(text) == plain


@pytest.mark.parametrize(
    "text", ["", "-", "1,04", "12,3456", "--5", "5-", "1e3", "nan", "+-5", "5枚"]
)
def test_other_texts_are_no_number(text: str) -> None:
    assert plain_number(text) is None
    assert number_of(text) is None
