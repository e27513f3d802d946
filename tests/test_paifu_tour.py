"""The tour of docs/paifu.md runs as it is written, on a made-up game."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import rating.paifu
from rating import paifu
from tests.rating.paifu.records import walled

PAGE = Path(__file__).parents[1] / "docs" / "paifu.md"
DATA = walled(1).xml()


def test_the_tour() -> None:
    luck = paifu.luck_of(paifu.parse(DATA))
    rounded = [None if seat.z is None else round(seat.z, 2) for seat in luck]
    test = doctest.DocTestParser().get_doctest(
        PAGE.read_text("utf-8"),
        globs={"DATA": DATA, "LUCK": rounded},
        name=PAGE.name,
        filename=str(PAGE),
        lineno=0,
    )
    said: list[str] = []
    doctest.DocTestRunner().run(test, out=said.append)
    assert len(test.examples) >= 12
    assert not said, "".join(said)


def test_every_name_is_there_and_explained() -> None:
    for name in paifu.__all__:
        assert name == "Event" or name.isupper() or getattr(paifu, name).__doc__, name


def test_every_name_has_an_example() -> None:
    """In the tour, or in the docstring of what the name stands for."""
    examples = doctest.DocTestParser().get_examples(PAGE.read_text("utf-8"))
    tour = {found for one in examples for found in re.findall(r"\bpaifu\.(\w+)", one.source)}
    for name in paifu.__all__:
        assert name in tour or ">>> " in (getattr(paifu, name).__doc__ or ""), name


MODULES = [name for _, name, _ in pkgutil.walk_packages(rating.paifu.__path__, "rating.paifu.")]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_docstrings(name: str) -> None:
    said: list[str] = []
    runner = doctest.DocTestRunner()
    for test in doctest.DocTestFinder().find(importlib.import_module(name)):
        runner.run(test, out=said.append)
    assert not said, "".join(said)
