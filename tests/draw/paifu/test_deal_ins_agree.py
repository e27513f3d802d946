"""The report's table, its strips of discards and the rates tell the same deal-ins as the record's
tags.

The words are read from what is drawn: a stand-in for the sheet of paper notes them instead of
drawing.
"""

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from bot.answers.common.members import People
from bot.answers.paifu.analysis import Analysis, percent, strip_words, verdict, whole_percent
from bot.answers.paifu.hands import (
    DEALT_IN,
    HIGH_DANGER,
    MILD,
    SAFE as SAFE_COLOUR,
    TO_OTHERS,
    danger_colour,
    frame_of,
    push_strips,
    strips_of,
)
from bot.answers.paifu.report import Reviewed, players_table
from bot.answers.paifu.statistics_picture import draw_rates
from bot.draw.layout import Area
from rating.paifu.deal_in import SAFE, DealInRate, Ron
from rating.paifu.efficiency import EfficiencyRating
from rating.paifu.formats import parse
from rating.paifu.luck import Luck
from rating.paifu.record import Record
from rating.paifu.review import review
from tests.rating.paifu.records import made, read, record_of
from tests.rating.paifu.recount import recount
from tests.rating.paifu.test_mjlog import robbed_kan
from tests.real import RECORDS

Split = tuple[int, int]
NAMES = ("東さん", "南さん", "西さん", "北さん")  # guests may share a name


class Sheet:
    """A sheet of paper that only notes what is written and the colours of what is filled."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.words: list[str] = []

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *_: Any,
        **__: Any,
    ) -> float:
        self.words.append(text)
        return 0.0

    def pill(self, *_: Any, colour: str, **__: Any) -> None:
        self.words.append(f"<{colour}>")

    def png(self) -> bytes:
        return "\n".join(self.words).encode()

    def __getattr__(self, _: str) -> Any:
        return lambda *_, **__: None


@pytest.fixture(autouse=True)
def noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.draw.layout.Paper", Sheet)
    monkeypatch.setattr("bot.answers.paifu.hands.draw_tile", lambda *_, **__: None)
    monkeypatch.setattr("bot.answers.paifu.hands.paragraph", lambda paper, *args: paper.text(*args))


def strips(analysis: Analysis) -> list[str]:
    """The words and colours of the strips of all rounds, without their heading and key."""
    sheet = Sheet(0, 0)
    for played in range(len(analysis.record.rounds)):
        for section in push_strips(analysis, played)[5:]:
            section.draw(Area(sheet, 0, 0, 1200, section.height))  # type: ignore[arg-type]
    return sheet.words


def number(pattern: str, text: str) -> int:
    found = re.search(pattern, text)
    return int(found[1]) if found else 0


def of_table(analysis: Analysis) -> list[int]:
    people = People.__new__(People)
    object.__setattr__(people, "colours", {})
    players = analysis.record.players
    shown = players_table(people, Reviewed(analysis, players, None), "", str, str)
    rows = {row.name: row for row in shown.rows}
    return [number("放銃 ([0-9]+)", rows[name].detail) for name in players]


def of_rates(
    words: list[str],
    players: tuple[str, ...],
) -> tuple[list[Split], int]:
    """Each player's deal-ins, and those of the table of tiles with the robbed kans."""
    ends = [words.index(name) for name in players] + [words.index("牌ごとの放銃率")]
    found = []
    for start, end in pairwise(ends):
        text = " ".join(words[start:end])
        found.append((number("リーチに([0-9]+)", text), number("リーチ以外に([0-9]+)", text)))
    end = " ".join(words[words.index("合計") :])
    return found, number("合計 ([0-9]+) /", end) + number("槍槓で([0-9]+)", end)


def of_strips(words: list[str]) -> tuple[int, int]:
    """The deal-ins that the strips' words tell, and the red frames."""
    parts = [part for word in words if "放銃" in word for part in word.split("・")]
    parts = [part for part in parts if not part.startswith("リーチ以外")]
    count = sum(
        number("×([0-9]+)", part) or 1 for part in parts if part.endswith("放銃") or "×" in part
    )
    return count, sum(word == f"<{DEALT_IN}>" for word in words)


def bare(record: Record) -> Analysis:
    """An analysis of deal-ins alone."""
    seats = record.seats
    efficiency = (EfficiencyRating(),) * seats
    return Analysis(
        review(record),
        (),
        (Luck(),) * seats,
        efficiency,
        moments=(),
        opened=False,
    )


def agree(record: Record, data: bytes) -> None:
    record = replace(record, players=NAMES[: record.seats])
    analysis, expected = bare(record), recount(data)
    riichi = sum(to_riichi for to_riichi, _ in expected)
    assert of_table(analysis) == [sum(each) for each in expected]
    rates = draw_rates(record, "").decode().split("\n")
    assert of_rates(rates, record.players) == (expected, riichi)
    told, frames = of_strips(strips(analysis))
    assert told == riichi
    done = analysis.review
    hits = sum(bool(push.deal_ins.to_riichi) for push in done.pushes)
    robbed = 0
    for number in range(len(record.rounds)):
        robbed += sum(bool(strip.robbed) for strip in strips_of(done, number))
    assert frames == 2 * hits + robbed  # a frame and the field below the tile


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_of_a_made_up_record(seed: int, seats: int) -> None:
    agree(read(seed, seats), made(seed, seats).xml())


@pytest.mark.parametrize("riichi", [True, False])
def test_of_a_robbed_kan(riichi: bool) -> None:
    declared = b'<REACH who="1" step="1"/><E61/><REACH who="1" step="2" ten="250,240,250,250"/>'
    data = robbed_kan()
    data = (
        data.replace(b"<E61/>", declared).replace(b"250,10,250", b"240,20,250") if riichi else data
    )
    agree(parse(data), data)


def test_of_the_real_records(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "rating.paifu.review.outlook", lambda *_: (1, 0.0)
    )  # nine tenths of the time
    for path in RECORDS:
        agree(record_of(path), path.read_bytes())


@pytest.mark.parametrize(
    ("winners", "colour", "words"),
    [
        ((), "", ""),
        ((False,), TO_OTHERS, "リーチ以外に放銃"),
        ((True,), DEALT_IN, "放銃"),
        ((True, True), DEALT_IN, "放銃×2"),
        ((True, False), DEALT_IN, "放銃・リーチ以外にも"),
    ],
)
def test_the_frame_and_the_words_of_a_discard(
    winners: tuple[bool, ...], colour: str, words: str
) -> None:
    push = next(push for push in review(read(0)).pushes if not push.kept_back)
    facing = push.facing
    rons = tuple(
        Ron(place, facing.seat, facing.tile, riichi, False) for place, riichi in enumerate(winners)
    )
    push = push._replace(facing=facing._replace(rons=rons))
    assert frame_of(push.deal_ins) == colour
    assert strip_words([push], ()) == words
    assert verdict(push).endswith("（リーチ以外に放銃）") == (False in winners)
    assert ("・放銃" in verdict(push)) == (True in winners)


def test_the_words_of_a_robbed_kan() -> None:
    ron = Ron(1, 0, 11, True, True)
    assert strip_words([], [ron]) == "槍槓で放銃"
    assert strip_words([], [ron, ron]) == "槍槓で放銃×2"


@pytest.mark.parametrize(
    ("chance", "words", "whole", "colour"),
    [
        (SAFE, "0%", "0", SAFE_COLOUR),
        (DealInRate(0.0672, 0.0672, 0.0672), "6.7%", "7", HIGH_DANGER),
        (DealInRate(0.0028, 0.0028, 0.0028), "0.3%", "<1", MILD),
        (DealInRate(0.0, 0.0, 0.0189, own=True), "0.0%（0.0〜1.9%）", "<1", MILD),
    ],
)
def test_a_chance_in_words_and_colour(
    chance: DealInRate, words: str, whole: str, colour: str
) -> None:
    """A class in which nobody dealt in yet is not a safe tile."""
    assert (percent(chance), whole_percent(chance), danger_colour(chance)) == (words, whole, colour)
