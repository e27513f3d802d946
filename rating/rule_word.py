"""The word for a game's rule in a room's results, from the bits of a game's `type`.

A room's results write 三般南喰赤祝: seats, level, length, open tanyao, red fives, chips (祝) or fast (速).
"""

from __future__ import annotations

NO_RED, NO_OPEN_TANYAO, SOUTH, THREE, EXPERT, FAST, HIGHER = 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80
CHIPS = 0x600
# By the bits EXPERT and HIGHER; a room of one's own has neither.
_LEVELS = {0: "般", HIGHER: "上", EXPERT: "特", EXPERT | HIGHER: "鳳"}
_PARLOUR = {0: "般", HIGHER: "銀", EXPERT: "琥", EXPERT | HIGHER: "鳳"}
_DIGITS = {0x200: "２", 0x400: "０", 0x600: "５"}


def rule_word(bits: int, seats: int) -> str:
    """Return the word, such as `三般南喰赤祝`. `seats` is 3 or 4; 般 has no digit for the chips' worth."""
    chips, level = bits & CHIPS, bits & (EXPERT | HIGHER)
    last = "祝" if chips else "速" if bits & FAST else "－"
    return (
        ("三" if seats == 3 else "四")
        + (_PARLOUR if chips else _LEVELS)[level]
        + ("南" if bits & SOUTH else "東")
        + ("－" if bits & NO_OPEN_TANYAO else "喰")
        + ("－" if bits & NO_RED else "赤")
        + last
        + (_DIGITS[chips] if chips and level else "")
    )
