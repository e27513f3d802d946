"""Small inputs that unpack to huge ones are refused before they are unpacked whole."""

import gzip
import tracemalloc
from collections.abc import Callable
from functools import cache, partial

import pytest

from bot.tenhou.client import TenhouError, unpack
from rating.paifu.formats import parse
from rating.paifu.tiles import PaifuError

GROWING = b'<!ENTITY a0 "%s">' % (b"bomb" * 10)
for number in range(1, 9):
    GROWING += b'<!ENTITY a%d "%s">' % (number, b"&a%d;" % (number - 1) * 10)
ENTITIES = b"<!DOCTYPE mjloggm [" + GROWING + b"]><mjloggm>&a8;</mjloggm>"
OUTSIDE = b'<!DOCTYPE mjloggm [<!ENTITY x SYSTEM "file:///etc/passwd">]><mjloggm>&x;</mjloggm>'


@cache
def large() -> bytes:
    """200 MB, packed."""
    return gzip.compress(bytes(200 << 20), 9)


Reader = Callable[[bytes], object]
Bomb = tuple[Reader, type[Exception], Callable[[], bytes]]
BOMBS: dict[str, Bomb] = {
    "entities that make 40 GB": (parse, PaifuError, lambda: ENTITIES),
    "an entity from outside": (parse, PaifuError, lambda: OUTSIDE),
    "elements nested 200,000 deep": (parse, PaifuError, lambda: b"<mjloggm>" + b"<a>" * 200_000),
    "a gzip file of 200 MB": (parse, PaifuError, large),
    "a gzip file in a gzip file": (parse, PaifuError, lambda: gzip.compress(large(), 9)),
    "a day's results of 200 MB": (partial(unpack, "f"), TenhouError, large),
    "results in 100,000 gzip members": (
        lambda data: unpack("f", data, 1 << 20),
        TenhouError,
        lambda: gzip.compress(b"0" * 100, 1) * 100_000,
    ),
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS.keys())
def test_a_bomb_is_refused_within_bounded_memory(bomb: Bomb) -> None:
    read, error, made = bomb
    data = made()
    tracemalloc.start()
    try:
        with pytest.raises(error) as refused:
            read(data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 80 << 20
    assert not [words for words in ("\n", "bomb", "root:") if words in str(refused.value)]
