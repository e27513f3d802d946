"""The tour of docs/paifu.md runs as it is written, on a made-up game."""

from __future__ import annotations

import doctest
from pathlib import Path

from rating import paifu
from tests.rating.paifu.shuffle import WalledGame

PAGE = Path(__file__).parents[1] / "docs" / "paifu.md"
DATA = WalledGame(1).xml()


def test_the_tour() -> None:
    luck = [None if one.z is None else round(one.z, 2) for one in paifu.luck_of(paifu.parse(DATA))]
    test = doctest.DocTestParser().get_doctest(
        PAGE.read_text("utf-8"), {"DATA": DATA, "LUCK": luck}, PAGE.name, str(PAGE), 0
    )
    said: list[str] = []
    doctest.DocTestRunner().run(test, out=said.append)
    assert len(test.examples) >= 12
    assert not said, "".join(said)


def test_every_name_is_there_and_explained() -> None:
    for name in paifu.__all__:
        assert name == "Event" or name.isupper() or getattr(paifu, name).__doc__, name
