"""What is discarded for an absent player is no choice, and counts nowhere."""

import re

import pytest

from rating.paifu.deal_in import facings, rons
from rating.paifu.efficiency import efficiency_of, tile_choices
from rating.paifu.formats import parse
from rating.paifu.record import Away, Discard, Record
from rating.paifu.review import review
from rating.paifu.situation import asks
from rating.paifu.statistics import of_record
from tests.rating.paifu.records import record_of
from tests.rating.paifu.test_broken_records import PLAIN, WHOLE, text_of
from tests.real import DATA

LEFT = record_of(DATA / "records/four-left.mjlog")  # seat 2 leaves in the second round
SEAT = 2


def away_from_the_start(text: str, seat: int, back: int | None = None) -> Record:
    """The record with a player who leaves before the first deal, and is back at the deal `back`."""
    starts = [place for place in range(len(text)) if text.startswith("<INIT", place)]
    if back is not None:
        at = starts[back]
        text = text[:at] + f'<UN n{seat}="%41"/>' + text[at:]
    first = starts[0]
    text = text[:first] + f'<BYE who="{seat}"/>' + text[first:]
    return parse(text.encode())


def test_player_who_leaves_before_the_first_deal_is_away() -> None:
    record = away_from_the_start(PLAIN, 1)
    assert all(played.away == {1} for played in record.rounds)
    discards = [
        event
        for played in WHOLE.rounds
        for event in played.events
        if isinstance(event, Discard) and event.seat == 1
    ]
    assert record.discards_away() == (0, len(discards), 0, 0)


def test_player_who_is_back_before_a_deal_is_there() -> None:
    record = away_from_the_start(PLAIN, 1, back=2)
    is_away = [bool(played.away) for played in record.rounds[:4]]
    assert is_away == [True, True, False, False]


def test_player_who_leaves_after_an_ending_misses_the_next_deal() -> None:
    second = PLAIN.index("<INIT", PLAIN.index("<INIT") + 1)
    record = parse((PLAIN[:second] + '<BYE who="1"/>' + PLAIN[second:]).encode())
    assert record.rounds[0] == WHOLE.rounds[0]
    assert record.rounds[0].away == frozenset()
    assert record.rounds[1].away == {1}


def test_absence_lasts_through_an_unreadable_round() -> None:
    record = away_from_the_start(re.sub(r"<T(\d+)", r"<D\1", PLAIN, count=1), 1)
    assert len(record.rounds) == len(WHOLE.rounds) - 1
    assert all(played.away == {1} for played in record.rounds)


def test_absent_seat_has_no_choices_of_any_kind() -> None:
    record = away_from_the_start(PLAIN, 1)
    assert efficiency_of(WHOLE)[1].decisions > 0
    assert efficiency_of(record)[1].decisions == 0
    assert review(WHOLE).ratings[1].choices > 0
    assert review(record).ratings[1].choices == 0
    assert not any(choice.seat == 1 for choice in asks(record))
    assert not any(facing.seat == 1 for played in record.rounds for facing in facings(played))
    others = [choice for choice in tile_choices(WHOLE) if choice.seat != 1]
    assert list(tile_choices(record)) == others


def test_choices_before_leaving_and_after_coming_back_count() -> None:
    record = away_from_the_start(PLAIN, 1, back=2)
    expected = [choice for choice in tile_choices(WHOLE) if choice.seat == 1 and choice.round >= 2]
    assert [choice for choice in tile_choices(record) if choice.seat == 1] == expected


def test_deal_ins_of_an_absent_seat_do_not_count() -> None:
    present = parse(text_of("four-left").replace("BYE", "BYEBYE").encode())
    deal_ins = [ron for played in present.rounds for ron in rons(played) if ron.giver == SEAT]
    assert len(deal_ins) == 4
    assert review(present).ratings[SEAT].deal_ins.total == 4
    assert review(LEFT).ratings[SEAT].deal_ins.total == 1
    tally = of_record(LEFT).players[LEFT.players[SEAT], 4]
    assert tally.endings["deal-in"] == 1
    assert tally.play["deal ins"] == 1


def test_rounds_that_end_without_a_player_do_not_count() -> None:
    away = sum(SEAT in played.away_at_end for played in LEFT.rounds)
    assert away == 5  # seat 2 leaves after the ending of the second of seven rounds
    made = of_record(LEFT)
    rounds = [made.players[name, 4].rounds for name in LEFT.players]
    expected = [len(LEFT.rounds)] * 4
    expected[SEAT] -= away
    assert rounds == expected
    assert made.players[LEFT.players[SEAT], 4].games == 1


@pytest.mark.parametrize("gone", [True, False])
def test_leaving_and_coming_back_change_who_is_away(gone: bool) -> None:
    away = {0, 3}
    Away(3, gone).update(away)
    assert away == ({0, 3} if gone else {0})
