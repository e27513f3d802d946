"""A second implementation of Tenhou's shuffle. It shares no code with rating/paifu/wall.py."""

import base64
import hashlib
import struct
from collections.abc import Iterator


def folded(word: int) -> int:
    return word ^ (word >> 30)


def twister(key: list[int]) -> Iterator[int]:
    """Yield the outputs of MT19937 keyed by an array (M.

    Matsumoto and T. Nishimura), word by word.
    """
    mt = [19650218]
    while len(mt) < 624:
        mt.append((1812433253 * folded(mt[-1]) + len(mt)) % 2**32)
    i = 1
    j = 0
    for _ in range(max(624, len(key))):
        mixed = mt[i] ^ (folded(mt[i - 1]) * 1664525)
        mt[i] = (mixed + key[j] + j) % 2**32
        i = i + 1
        j = (j + 1) % len(key)
        if i == 624:
            mt[0] = mt[623]
            i = 1
    for _ in range(623):
        mixed = mt[i] ^ (folded(mt[i - 1]) * 1566083941)
        mt[i] = (mixed - i) % 2**32
        i += 1
        if i == 624:
            mt[0] = mt[623]
            i = 1
    mt[0] = 2**31
    place = 0
    while True:
        upper = mt[place] & 2**31
        lower = mt[(place + 1) % 624] & (2**31 - 1)
        joined = upper | lower
        y = mt[(place + 397) % 624] ^ (joined >> 1)
        if joined % 2:
            y ^= 0x9908B0DF
        mt[place] = y
        y ^= y >> 11
        y ^= (y << 7) & 0x9D2C5680
        y ^= (y << 15) & 0xEFC60000
        yield (y ^ (y >> 18)) % 2**32
        place = (place + 1) % 624


def shuffles(
    key: list[int],
    seats: int,
) -> Iterator[tuple[list[int], tuple[int, int]]]:
    """Yield (the shuffled tiles, the dice) of round after round."""
    source = twister(key)
    while True:
        numbers: list[int] = []
        for _ in range(9):
            block = struct.pack("<32I", *(next(source) for _ in range(32)))
            numbers += struct.unpack("<16I", hashlib.sha512(block).digest())
        y = list(range(136 if seats == 4 else 108))
        for i in range(len(y) - 1):
            j = i + numbers[i] % (len(y) - i)
            y[i], y[j] = y[j], y[i]
        if seats == 3:
            y = [number if number < 4 else number + 28 for number in y]
        yield y, (numbers[135] % 6, numbers[136] % 6)


def seed_of(key: list[int], old: bool = False) -> str:
    """The attribute `seed` that has the key."""
    if old:
        return "mt19937ar-sha512-n288," + ",".join(f"{word:08X}" for word in key)
    return "mt19937ar-sha512-n288-base64," + base64.b64encode(struct.pack("<624I", *key)).decode()
