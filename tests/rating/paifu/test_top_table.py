"""The top table's discards: features against a second computation, symmetry, no leak, weights."""

import random
from collections.abc import Callable
from dataclasses import replace
from time import process_time

import numpy as np
import pytest

from rating.paifu.efficiency import efficiency_of
from rating.paifu.formats import parse
from rating.paifu.melds import MeldType
from rating.paifu.record import (
    Call,
    Discard,
    Draw,
    NewDora,
    Record,
    Riichi,
    Round,
)
from rating.paifu.table import TableState
from rating.paifu.top_table import network
from rating.paifu.top_table.features import KINDS_OF_THREE, features
from rating.paifu.top_table.review import (
    LEAST_OPTION,
    UNUSUAL,
    Agreement,
    TopTableChoice,
    agreements,
    choices_of,
    rarest,
    report,
)
from rating.paifu.top_table.sights import Decision, decisions, stacked
from tests.rating.paifu.features_by_hand import inputs_of
from tests.rating.paifu.records import read, record_of
from tests.real import RECORDS

THREE = [path for path in RECORDS if path.name.startswith("three-")]
EVERY = 23  # of the decisions of a record, computed by hand
RED_PIN = 52
PIN_5 = 13


def events_with_tiles(played: Round, tile_of: Callable[[int], int]) -> Round:
    """The round with every tile replaced."""

    def event_of(event: object) -> object:
        if isinstance(event, Draw):
            return Draw(event.seat, tile_of(event.tile))
        if isinstance(event, Discard):
            return Discard(event.seat, tile_of(event.tile), event.drawn)
        if isinstance(event, NewDora):
            return NewDora(tile_of(event.indicator))
        if isinstance(event, Call):
            meld = event.meld
            changed = meld._replace(
                tiles=tuple(sorted(map(tile_of, meld.tiles))), called=tile_of(meld.called)
            )
            if meld.added is not None:
                changed = changed._replace(added=tile_of(meld.added))
            return Call(event.seat, changed)
        return event

    return replace(
        played,
        hands=tuple(tuple(map(tile_of, hand)) for hand in played.hands),
        indicator=tile_of(played.indicator),
        events=tuple(map(event_of, played.events)),  # type: ignore[arg-type]
    )


def with_tiles(record: Record, tile_of: Callable[[int], int]) -> Record:
    rounds = tuple(events_with_tiles(played, tile_of) for played in record.rounds)
    return replace(record, rounds=rounds)


def pin_for_sou(tile: int) -> int:
    if 36 <= tile < 72:
        return tile + 36
    if 72 <= tile < 108:
        return tile - 36
    return tile


def cut_after(record: Record, number: int, events: int) -> Record:
    """The record up to so many events of the round at an index."""
    played = record.rounds[number]
    last = replace(played, events=played.events[:events])
    return replace(record, rounds=(*record.rounds[:number], last))


def choice_with(**shares: float) -> TopTableChoice:
    """A discard of 1p with the shares of kinds named p1, p2, …."""
    by_kind = [0.0] * 34
    for name, share in shares.items():
        by_kind[8 + int(name[1:])] = share
    return TopTableChoice(
        round=0,
        seat=0,
        turn=1,
        at=1,
        hand=(36, 40, 44),
        tile=36,
        away=False,
        shares=tuple(by_kind),
    )


def test_features_equal_a_computation_by_hand() -> None:
    compared = 0
    for path in THREE:
        data = path.read_bytes()
        made = list(decisions(parse(data)))
        computed = features(stacked(decision.sight for decision in made))
        wanted = range(0, len(made), EVERY)
        for place, by_hand in zip(wanted, inputs_of(data, wanted), strict=True):
            np.testing.assert_allclose(computed.planes[place], by_hand.planes, atol=1e-6)
            np.testing.assert_allclose(computed.scalars[place], by_hand.scalars, atol=1e-6)
            assert set(KINDS_OF_THREE[computed.legal[place]].tolist()) == by_hand.legal
            compared += 1
    assert compared >= 45


def test_decisions_are_the_discards_before_the_own_riichi() -> None:
    for path in THREE:
        record = record_of(path)
        expected = []
        for number, played in enumerate(record.rounds):
            declared = set()
            in_riichi = set()
            turns = [0, 0, 0]
            for at, event in enumerate(played.events):
                if isinstance(event, Riichi):
                    declared.add(event.seat)
                elif isinstance(event, Discard):
                    turns[event.seat] += 1
                    if event.seat not in in_riichi:
                        expected.append((number, event.seat, turns[event.seat], at))
                    if event.seat in declared:
                        in_riichi.add(event.seat)
        made = choices_of(record)
        assert [choice[:4] for choice in made] == expected


@pytest.mark.parametrize("path", THREE, ids=lambda path: path.stem)
def test_shares_are_of_tiles_in_the_hand_and_sum_to_one(path: object) -> None:
    for choice in choices_of(record_of(path)):  # type: ignore[arg-type]
        held = {tile // 4 for tile in choice.hand}
        assert {kind for kind, share in enumerate(choice.shares) if share} <= held
        assert sum(choice.shares) == pytest.approx(1, abs=1e-9)
        assert choice.kind in held


def test_swapped_suits_have_the_same_shares() -> None:
    record = record_of(THREE[0])
    swapped = choices_of(with_tiles(record, pin_for_sou))
    for choice, other in zip(choices_of(record), swapped, strict=True):
        shares = [other.shares[pin_for_sou(4 * kind) // 4] for kind in range(34)]
        assert shares == pytest.approx(choice.shares, abs=1e-5)


def test_a_record_cut_after_any_discard_has_the_same_choices() -> None:
    record = record_of(THREE[0])
    whole = choices_of(record)
    source = random.Random(1)
    for number, played in enumerate(record.rounds):
        discards = [
            place for place, event in enumerate(played.events, 1) if isinstance(event, Discard)
        ]
        for events in source.sample(discards, 4):
            cut = choices_of(cut_after(record, number, events))
            assert cut == whole[: len(cut)]
            assert cut[-1].round == number


def test_hidden_tiles_of_opponents_change_nothing() -> None:
    """Each decision of the first seat with the hands of the others dealt again."""
    record = record_of(THREE[0])
    played = record.rounds[0]
    source = random.Random(2)
    first = next(decision for decision in decisions(record) if decision.seat == played.dealer)
    right = (played.dealer + 1) % 3
    left = (played.dealer + 2) % 3
    hidden = [*played.hands[right], *played.hands[left]]
    source.shuffle(hidden)
    hands = list(played.hands)
    hands[right] = tuple(hidden[:13])
    hands[left] = tuple(hidden[13:])
    first_discard = replace(played, hands=tuple(hands), events=played.events[:2])
    again = replace(record, rounds=(first_discard,))
    (dealt_again,) = decisions(again)
    assert dealt_again.sight == first.sight


def decision_with(record: Record, wanted: Callable[[Decision], bool]) -> Decision:
    return next(decision for decision in decisions(record) if wanted(decision))


def test_a_red_five_is_marked_while_it_is_in_the_hand() -> None:
    for path in THREE:
        for decision in decisions(record_of(path)):
            assert decision.sight.hand.red[PIN_5] == (RED_PIN in decision.hand)


def test_the_kind_called_by_a_pon_is_not_discarded() -> None:
    after_pon = []
    for path in THREE:
        record = record_of(path)
        for decision, choice in zip(decisions(record), choices_of(record), strict=True):
            pon = decision.sight.hand.pon
            if pon >= 0:
                after_pon.append(pon)
                assert choice.shares[pon] == 0
                assert len(choice.hand) % 3 == 2
    assert len(after_pon) >= 10


def test_norths_and_calls_are_counted_by_seat() -> None:
    for path in THREE:
        record = record_of(path)
        made = list(decisions(record))
        place = 0
        for played in record.rounds:
            table = TableState(played)
            for event in played.events:
                if isinstance(event, Discard) and not table.in_riichi(event.seat):
                    for step, sight in enumerate(made[place].sight.seats):
                        melds = table.melds[(event.seat + step) % 3]
                        norths = sum(meld.type == MeldType.KITA for meld in melds)
                        assert sight.norths == norths
                        assert sight.calls == len(melds) - norths
                        assert sight.is_open >= any(meld.type == MeldType.PON for meld in melds)
                    place += 1
                table.apply(event)
        assert place == len(made)


def test_four_seats_are_not_reviewed_and_load_no_weights() -> None:
    network.load.cache_clear()
    assert report(read(1, 4)) is None
    assert choices_of(read(1, 4)) == ()
    assert network.load.cache_info().currsize == 0
    assert report(read(1, 3))
    assert network.load.cache_info().currsize == 1


def test_rows_have_the_options_best_first() -> None:
    record = record_of(THREE[0])
    rows = report(record)
    assert rows is not None
    for row, choice in zip(rows, choices_of(record), strict=True):
        shares = [share for _, share in row["options"]]
        assert shares == sorted(shares, reverse=True)
        assert dict(row["options"]) == {
            kind: share for kind, share in enumerate(choice.shares) if share >= LEAST_OPTION
        }
        assert row["hand"] == sorted(row["hand"])
        assert row["p"] == choice.shares[row["taken"]]
        assert row["player"] == record.players[row["seat"]]


def test_agreement_counts_favourites_and_unusual_discards() -> None:
    usual = choice_with(p1=0.6, p2=0.4)
    unusual = choice_with(p1=0.04, p2=0.93, p3=0.03)
    away = usual._replace(away=True)
    own, *others = agreements([usual, unusual, away])
    assert (own.decisions, own.same, own.unusual) == (2, 1, 1)
    assert own.expected_unusual == pytest.approx(0.07)
    assert others == [Agreement(), Agreement()]
    assert own + own == Agreement(4, 2, 2, own.expected_unusual * 2)


def test_the_rarest_are_unusual_and_smallest_first() -> None:
    shares = (0.2, 0.01, 0.04, 0.002, 0.03)
    made = [choice_with(p1=share, p2=1 - share) for share in shares]
    assert [choice.share for choice in rarest(made)] == [0.002, 0.01, 0.03]
    assert all(choice.share < UNUSUAL for choice in rarest(made, 10))


def test_the_weights_fit_the_features() -> None:
    """On six games of other tables and years than those the network was trained on."""
    made: list[TopTableChoice] = []
    for path in THREE:
        made += choices_of(record_of(path))
    present = [choice for choice in made if not choice.away]
    same = sum(choice.kind == choice.favourite for choice in present)
    nats = -np.mean([np.log(choice.share) for choice in present])
    assert same / len(present) > 0.68
    assert nats < 0.85


def test_the_weights_are_one_small_file_with_its_origin() -> None:
    assert network.WEIGHTS_FILE.stat().st_size <= 250_000
    weights = network.load()
    assert weights.version
    assert "1,500 games" in weights.origin


def test_shares_take_at_most_six_times_as_long_as_efficiency() -> None:
    """Tile efficiency takes some 20 ms a record, the top table at most 150."""
    records = [record_of(path) for path in THREE]
    network.load()
    start = process_time()
    for record in records:
        efficiency_of(record)
    efficiency_time = process_time() - start
    start = process_time()
    for record in records:
        choices_of(record)
    assert process_time() - start < 6 * efficiency_time
