"""Records with broken XML, doubled elements and missing ends: each element is read where it can be,
and only a known end is shown as one.
"""

import gzip
import re

import pytest

from rating.paifu.chances import report as chances
from rating.paifu.formats import parse
from rating.paifu.formats.broken_xml import Element, elements
from rating.paifu.moments import all_moments
from rating.paifu.record import Record
from rating.paifu.statistics import of_record, summary
from rating.paifu.tiles import PaifuError
from tests.real import DATA


def text_of(name: str) -> str:
    return gzip.decompress((DATA / f"records/{name}.mjlog").read_bytes()).decode()


PLAIN = text_of("four-plain-1")
WHOLE = parse(PLAIN.encode())
LAST_ENDING = max(PLAIN.rindex("<AGARI"), PLAIN.rfind("<RYUUKYOKU"))
CLOSING = PLAIN[LAST_ENDING : PLAIN.rindex("</")].strip()
SC = re.findall(r'sc="[^"]*"', CLOSING)[0]
OWARI = re.findall(r'owari="[^"]*"', CLOSING)[0]


def closed_by(closing: str) -> Record:
    """The record with another closing element."""
    return parse(PLAIN.replace(CLOSING, closing).encode())


@pytest.mark.parametrize(
    "closing",
    [
        CLOSING.replace(OWARI, f"{OWARI} {OWARI}"),
        CLOSING.replace(OWARI, f'owari="0" {OWARI}'),
        CLOSING.replace(SC, f'sc="0" {SC}'),
        CLOSING.replace(SC, f'{SC} sc=""'),
        CLOSING.replace('who="', 'who = "', 1),
        CLOSING.replace(f" {OWARI}", OWARI),
        CLOSING.replace(OWARI, OWARI.replace('"', "'")).replace('ba="', 'ba="" ba="'),
        CLOSING + CLOSING,
        CLOSING.removesuffix(">"),
    ],
)
def test_repaired_closing_elements_lose_nothing(closing: str) -> None:
    assert closed_by(closing) == WHOLE


@pytest.mark.parametrize(
    ("element", "broken"),
    [
        (r'(<INIT [^>]*?)ten="([^"]*)"', r'\1ten="\2" ten="250"'),
        (r'(<N who="\d" )(m="\d+")', r"\1\2 \2"),
        (r'(<REACH who="\d" )(step="1")', r"\1\2 \2"),
        (r"(<UN )(n0=\S+)", r"\1\2 \2"),
        (r"(<GO type=\S+)", r"\1 lobby='0' lobby='0'"),
        (r"(<T\d+)/>", r"\1/"),
    ],
)
def test_repaired_elements_of_play_lose_nothing(element: str, broken: str) -> None:
    damaged, count = re.subn(element, broken, PLAIN, count=1)
    assert count == 1
    assert damaged != PLAIN
    record = parse(damaged.encode())
    assert record.rounds == WHOLE.rounds
    assert record.final == WHOLE.final
    assert record.problems == ()


@pytest.mark.parametrize("element", ["<INIT ", "<V", "<D", "<N ", "<AGARI ", "<GO ", "<UN "])
def test_element_twice_in_a_row_counts_once(element: str) -> None:
    start = PLAIN.index(element)
    end = PLAIN.index(">", start) + 1
    text = PLAIN[:end] + PLAIN[start:end] + PLAIN[end:]
    record = parse(text.encode())
    assert record.rounds == WHOLE.rounds
    assert record.players == WHOLE.players
    assert record.lost == 0


def test_missing_end_tag_loses_nothing() -> None:
    assert parse(PLAIN.replace("</mjloggm>", "").encode()) == WHOLE


def test_element_that_cannot_be_repaired_costs_its_round() -> None:
    damaged = PLAIN.replace("<N who=", "<N who=\x01", 1).encode()
    record = parse(damaged)
    assert len(record.rounds) == len(WHOLE.rounds) - 1
    assert record.final == WHOLE.final
    assert record.problems


def test_end_is_read_though_its_round_is_not() -> None:
    record = closed_by(CLOSING.replace(SC, 'sc="1,2"'))
    assert record.rounds == WHOLE.rounds[:-1]
    assert (record.final, record.scores) == (WHOLE.final, WHOLE.scores)


def test_round_is_read_though_the_end_is_not() -> None:
    record = closed_by(CLOSING.replace(OWARI, 'owari="1,x"'))
    assert record.rounds == WHOLE.rounds
    assert record.final is None
    assert len(record.problems) == 1


def test_two_different_ends_are_no_end() -> None:
    other = re.sub(r"\d+", "7", OWARI, count=1)
    assert closed_by(CLOSING.replace(OWARI, f"{OWARI} {other}")).final is None


def test_two_different_endings_cost_the_round() -> None:
    record = closed_by('<RYUUKYOKU ba="0,0" sc="250,0,250,0,250,0,250,0"/>' + CLOSING)
    assert record.rounds == WHOLE.rounds[:-1]
    assert "two endings" in record.problems[0]


def test_missing_deal_costs_one_round() -> None:
    last = PLAIN.rindex("<INIT")
    end = PLAIN.index(">", last) + 1
    record = parse((PLAIN[:last] + PLAIN[end:]).encode())
    assert record.rounds == WHOLE.rounds[:-1]
    assert (record.final, record.lost) == (WHOLE.final, 1)


def test_deal_after_the_end_removes_the_end() -> None:
    first = PLAIN.index("sc=")
    early = PLAIN.replace(f" {OWARI}", "")
    record = parse((early[:first] + f"{OWARI} " + early[first:]).encode())
    assert record.rounds == WHOLE.rounds
    assert record.final is None


@pytest.mark.parametrize("rounds", [1, 3])
def test_unknown_end_shows_no_other_rounds_points(rounds: int) -> None:
    starts = [match.start() for match in re.finditer("<INIT", PLAIN)]
    record = parse(PLAIN[: starts[rounds]].encode())
    assert len(record.rounds) == rounds
    assert summary(record, "")["final"] is None
    assert record.placings() is None
    assert all(not tally.placings for tally in of_record(record).players.values())
    assert all(row["round"] is not None for row in chances(record)["chances"])


def test_last_rounds_moments_belong_to_no_earlier_round() -> None:
    pao = text_of("four-pao")
    last = {"last to first", "comeback", "great comeback", "narrow", "bust"}
    assert any(moment.rule in last for moment in all_moments(parse(pao.encode())))
    place = pao.rindex("<U")
    unreadable = parse((pao[:place] + "<E1/>" + pao[place:]).encode())
    assert unreadable.final is not None
    assert len(unreadable.unread) == 1
    assert not any(moment.rule in last for moment in all_moments(unreadable))


def test_elements_of_broken_xml() -> None:
    text = '<a x="1"><!-- <b/> --><c y=2 y=\'2\'/>stray<d z="1" z="2"/></a><e/>'
    assert list(elements(text.encode())) == [
        Element("a", {"x": "1"}),
        Element("c", {"y": "2"}),
        Element("", {}, "text outside of the elements"),
        Element("d", {}, "the element <d> has z twice, with different values"),
    ]


@pytest.mark.parametrize(
    "data",
    [
        b"<mjloggm><" + b"<" * 200_000,
        b"<mjloggm>" + b"<!--" * 200_000,
        b"<mjloggm><a " + b"a= " * 20_000,
    ],
)
def test_hostile_broken_xml_is_refused(data: bytes) -> None:
    with pytest.raises(PaifuError):
        parse(data)
