"""Analyses of made-up games whose walls are known, and of real ones."""

from dataclasses import replace
from functools import cache

from bot.answers.paifu.analysis import Analysis, analysed
from rating.paifu.deal_in import SOURCE_RATES
from rating.paifu.efficiency import efficiency_of
from rating.paifu.formats import parse
from rating.paifu.luck import luck_of
from rating.paifu.moments import moments
from rating.paifu.record import Record
from rating.paifu.review import review
from rating.paifu.story import stories
from rating.paifu.wall import RoundWall
from tests.rating.paifu.records import record_of, walled as walled_game
from tests.rating.paifu.script import Script
from tests.real import DATA

COLOURS = ("#0072B2", "#D55E00", "", "#009E73")


@cache
def walled(seed: int, seats: int) -> Record:
    """A made-up game of five rounds on the walls of its seed."""
    return parse(walled_game(seed, seats, rounds=5).xml())


@cache
def of_made(
    seed: int,
    seats: int,
    names: tuple[str, ...] = (),
) -> Analysis:
    record = walled(seed, seats)
    shown = replace(record, players=names[:seats]) if names else record
    return analysed(shown, SOURCE_RATES, seat=1, colours=COLOURS[:seats])


def of_real(name: str) -> Analysis:
    return analysed(record_of(DATA / "records" / name), SOURCE_RATES, seat=0)


def of_script(script: Script, walls: tuple[RoundWall, ...] | None = None) -> Analysis:
    """A scripted round with its wall, or without."""
    record = script.record()
    done = review(record)
    return Analysis(
        done,
        stories(record, walls, done),
        luck=luck_of(record),
        efficiency=efficiency_of(record),
        moments=moments(record, walls, done),
        opened=walls is not None,
    )
