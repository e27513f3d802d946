import re
from itertools import product

import pytest

from bot.tenhou.room import rule_word

FORM = re.compile("[三四][般上特鳳若銀琥技－][東南－][喰－][赤－][速祝－]([０２５])?")


@pytest.mark.parametrize(
    ("bits", "word"),
    [
        (0x0009, "四般南喰赤－"),
        (0x0001, "四般東喰赤－"),
        (0x0019, "三般南喰赤－"),
        (0x0011, "三般東喰赤－"),
        (0x0219, "三般南喰赤祝"),
        (0x0419, "三般南喰赤祝"),
        (0x0619, "三般南喰赤祝"),
        (0x0259, "三般南喰赤祝"),
        (0x0059, "三般南喰赤速"),
        (0x000B, "四般南喰－－"),
        (0x000D, "四般南－赤－"),
        (0x000F, "四般南－－－"),
        (0x0089, "四上南喰赤－"),
        (0x0029, "四特南喰赤－"),
        (0x00A9, "四鳳南喰赤－"),
        (0x0061, "四特東喰赤速"),
    ],
)
def test_words(bits: int, word: str) -> None:
    assert rule_word(bits, 3 if bits & 0x10 else 4) == word


def test_every_word_without_a_level_is_made_and_no_other() -> None:
    made = {rule_word(bits, seats) for bits in range(0x800) for seats in (3, 4)}
    assert all(FORM.fullmatch(word) for word in made)
    parts = product("三四", "般", "東南", "喰－", "赤－", "速祝－")
    plain = set(map("".join, parts))
    assert {word for word in made if word[1] == "般"} == plain
