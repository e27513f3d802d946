"""Paifus for the tests: made-up games and real ones."""

from functools import cache
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

from rating.paifu.formats import parse
from rating.paifu.record import Record
from rating.paifu.statistics import of_record
from rating.paifu.tiles import PaifuError
from tests.real import DATA

NAMES = ("東野", "南原", "西田", "北山")


class MadeGame(NamedTuple):
    """A game of tests/data/made_games.zip."""

    name: str

    def xml(self) -> bytes:
        with ZipFile(DATA / "made_games.zip") as packed:
            return packed.read(f"{self.name}.mjlog")


def made(seed: int, seats: int = 4, rounds: int = 4) -> MadeGame:
    """A game in which calls, kans, double rons and empty walls occur; its wall is unknown."""
    return MadeGame(f"{seats}-{seed}-{rounds}")


def walled(
    seed: int,
    seats: int = 4,
    rounds: int = 4,
    old: bool = False,
) -> MadeGame:
    """A game on the walls of a seed, which is in its record (`old`: in the former form)."""
    name = f"walled-{seats}-{seed}-{rounds}"
    if old:
        name += "-old"
    return MadeGame(name)


@cache
def read(seed: int, seats: int = 4) -> Record:
    return parse(made(seed, seats).xml())


@cache
def record_of(path: Path) -> Record:
    return parse(path.read_bytes())


def some() -> list[Record]:
    return [read(seed, seats) for seed in range(6) for seats in (3, 4)]


def checked(data: bytes) -> bool:
    """Parse any bytes:

    True for a consistent record, False for a PaifuError; all else fails the test.
    """
    message = ""
    try:
        record = parse(data)
    except PaifuError as error:
        message = str(error)
    if message:
        assert "\n" not in message
        return False
    assert record.rounds
    assert len(record.players) == record.seats
    if record.final is not None:
        assert len(record.final) == record.seats
    assert all("\n" not in problem for problem in (*record.problems, *record.notes))
    of_record(record)
    return True
