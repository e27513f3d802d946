from collections.abc import Iterator
from math import sqrt

import pytest

from rating.paifu.checked_walls import open_walls
from rating.paifu.efficiency import (
    EfficiencyRating,
    efficiency_of,
    efficiency_row,
    loss_of,
    tile_choices,
)
from rating.paifu.formats import parse
from rating.paifu.luck import DEAL_SHANTEN, Luck, deal_luck, draw_luck, luck_of, luck_row, ura_luck
from rating.paifu.opened import CopyPlace, opened_waits, round_end
from rating.paifu.record import Discard, Draw, Event, Round
from rating.paifu.table import TableState, replay
from rating.paifu.tiles import indicator_of, parse as tiles_of
from tests.rating.paifu import brute
from tests.rating.paifu.records import some, walled
from tests.rating.paifu.script import Script

WAITING = "123m456p789s2355s"


def test_draws_count_what_nobody_has_shown_and_deals_standard_deviations() -> None:
    script = Script(WAITING, "4s", keep="14s")
    script.around(4).go("1s").end()
    first, *_, last = draw_luck(script.record())
    unknown = 136 - 4 * 13 - 1
    assert (first.shanten, first.hit) == (0, False)
    assert first.chance == pytest.approx((4 + 3) / unknown)
    assert last.hit
    assert last.chance == pytest.approx((4 + 3) / (unknown - 4))
    script = Script(WAITING).go().end()
    mean, deviation = DEAL_SHANTEN[4]
    assert deal_luck(script.round())[0] == pytest.approx(mean / deviation)
    luck = luck_of(script.record())[0]
    assert luck.deal == pytest.approx(mean / deviation)
    assert (luck + luck).deal == pytest.approx(2 * mean / deviation / sqrt(2))
    assert luck_row(Luck())["z"] is None


def test_draws_and_discards_agree_with_brute_force() -> None:
    """Every tile is followed from the deal by a second bookkeeping, and every shanten is brute
    force.
    """
    record = parse(walled(3, 3, rounds=1).xml())
    (played,) = record.rounds
    mine = [[0, 0.0] for _ in range(3)]
    chances = iter(draw_luck(record))
    for event, table in _before(played):
        if isinstance(event, Draw):
            drawn = next(chances)
            held = list(table.held[event.seat])
            kinds = brute.accepted(held, 3)
            known = [*(tile for hand in table.hands for tile in hand), *table.indicators]
            known += [thrown.tile for river in table.rivers for thrown in river]
            known += [tile for melds in table.melds for meld in melds for tile in meld.tiles]
            wall = [tile for tile in range(136) if not 1 <= tile // 4 <= 7]
            left = [tile for tile in wall if tile not in known]
            assert drawn.chance == pytest.approx(
                sum(tile // 4 in kinds for tile in left) / len(left)
            )
            assert drawn.hit == (event.tile // 4 in kinds)
            assert drawn.shanten == brute.shanten(held, 3)
            mine[event.seat][0] += int(drawn.hit) - drawn.chance
            mine[event.seat][1] += drawn.chance * (1 - drawn.chance)
    for (draws, variance), luck in zip(mine, luck_of(record), strict=True):
        assert luck.draws == pytest.approx(draws)
        assert luck.variance == pytest.approx(variance)
        assert luck.z == pytest.approx(draws / sqrt(variance))


def _before(played: Round) -> Iterator[tuple[Event, TableState]]:
    table = TableState(played)
    for event in played.events:
        yield event, table
        table.apply(event)


def test_the_luck_of_ura_dora_norths_taken_out_too() -> None:
    script = Script(WAITING, "1s", keep="14s")
    script.go("1z", riichi=True).go(throw="1s").ron(
        0,
        ura="4s",
    )
    record = script.record()
    *_, (_, table) = replay(record.rounds[0])
    left = table.left()
    hand = [tile // 4 for tile in tiles_of("123m456p789s23551s")]
    below = [left[kind - 1] if kind % 9 else left[kind + 8] for kind in hand]
    expected = sum(below) / sum(left)
    assert ura_luck(record.rounds[0])[0] == pytest.approx(2 - expected)
    assert ura_luck(record.rounds[0])[1:] == (0.0, 0.0, 0.0)
    script = Script("111m456p789s2355s", "1s", seats=3, keep="14s34z").kita("5z")
    script.throw("5z", riichi=True)
    played = script.go(throw="1s").ron(0, ura="3z").round()
    *_, (_, table) = replay(played)
    left = table.left()
    hand = [*(tile // 4 for tile in played.wins[0].hand), 30]
    expected = sum(left[indicator_of(kind, 3)] for kind in hand) / sum(left)
    assert ura_luck(played)[0] == pytest.approx(1 - expected)


def test_the_loss_of_a_discard_up_to_the_first_riichi_s_own() -> None:
    script = Script("123m456p789s2335s", keep="14s").go("1z", "5s").go().end()
    (choice, _) = tile_choices(script.record())
    assert choice.taken.shanten == choice.best.shanten + 1 or choice.loss < 1
    for record in some()[:2]:
        for choice in tile_choices(record):
            assert 0 <= choice.loss <= 1
            assert choice.loss == loss_of(choice.taken, choice.best)
            assert choice.best.shanten <= choice.taken.shanten
    assert EfficiencyRating(10, 5, 0.5).grade(4) == "A"
    ratings = [EfficiencyRating(1, 0, loss) for loss in (0.01, 0.06, 0.1, 0.5)]
    assert [rating.grade(4) for rating in ratings] == list("SBCD")
    ratings = [EfficiencyRating(1, 0, loss) for loss in (0.01, 0.05, 0.07, 0.1)]
    assert [rating.grade(3) for rating in ratings] == list("SBCD")
    rating = EfficiencyRating(1, 0, 0.06)
    assert rating.grade(4, 1) == "B"
    assert rating.grade(4, 10) == "A"
    assert rating.grade(4, 100) == "A"
    script = Script(WAITING, keep="14s").go("1z").around(3)
    script.go("2z", riichi=True).around(5).end()
    found = list(tile_choices(script.record()))
    assert [choice.seat for choice in found] == [0, 1, 2, 3, 0]
    assert [choice.loss for choice in found if choice.seat == 0] == [0, 0]
    rating = efficiency_of(script.record())[0]
    assert rating.decisions == 2
    assert rating.best == 2
    assert rating.share == 1.0
    assert rating.grade(4) == "S"
    assert efficiency_row(EfficiencyRating(), 4) == {
        "decisions": 0,
        "best": None,
        "mean_loss": None,
        "grade": None,
    }


def test_copies_of_a_wait_and_where_they_lie() -> None:
    script = (
        Script(WAITING, "14s", keep="14s")
        .go("1s", riichi=True)
        .around(2)
        .go("4s", riichi=False)
        .end()
    )
    record = script.record()
    opened = opened_waits(record, script.wall(coming="5z4s"))
    (one,) = (one for one in opened if one.declared)
    assert one.waits == (18, 21)
    assert (one.turn, one.furiten, one.won) == (1, True, False)
    places = sorted(copy.place for copy in one.copies)
    assert places.count(CopyPlace.SHOWN) == 1
    assert places.count(CopyPlace.HELD) == 2
    assert one.live == places.count(CopyPlace.LIVE)
    assert (one.next, one.next_seat) == (3, 3)
    assert len(one.copies) == 8
    (blind,) = (one for one in opened_waits(record, None) if one.declared)
    assert blind.live is None
    assert blind.next is None
    assert blind.next_seat is None
    assert blind.luck is None
    assert {copy.place for copy in blind.copies} == {
        CopyPlace.SHOWN,
        CopyPlace.HELD,
        CopyPlace.HIDDEN,
    }


def test_live_and_next_are_those_of_the_draws_that_came() -> None:
    """The wall's copies against a second reckoning: the record's own later draws, and the wall's
    rest.
    """
    seen = 0
    games = [walled(seed, seats) for seed in (1, 2) for seats in (3, 4)]
    for record in (parse(game.xml()) for game in games):
        walls = open_walls(record).rounds
        for one in opened_waits(record, walls):
            played = record.rounds[one.round]
            wall = walls[one.round]
            made = drawn = taken = 0
            for event in played.events:
                if isinstance(event, Draw):
                    if event.tile in wall.live:
                        drawn += 1
                    if event.tile in wall.rinshan:
                        taken += 1
                elif isinstance(event, Discard) and event.seat == one.seat:
                    made += 1
                if made == one.turn:
                    break
            rest = wall.live[drawn : len(wall.live) - taken]
            hits = [step for step, tile in enumerate(rest, 1) if tile // 4 in one.waits]
            assert one.live == len(hits)
            assert one.next == (hits[0] if hits else None)
            if one.next:
                assert one.next_seat == (one.seat + one.next) % record.seats
            else:
                assert one.next_seat is None
            assert {copy.place for copy in one.copies} <= {
                CopyPlace.LIVE,
                CopyPlace.DEAD_WALL,
                CopyPlace.OWN,
                CopyPlace.HELD,
                CopyPlace.SHOWN,
            }
            if one.declared:
                seen += 1
    assert seen > 5


def test_the_end_of_a_round_and_the_dead_wall_s_next_tile() -> None:
    script = Script(WAITING, keep="14s5z")
    script.go("1z", riichi=True).around(1).end()
    (wall,) = script.wall(coming="5z5z4s", ura="4s")
    end = round_end(script.round(), wall)
    assert [seat for seat, _ in end.coming[:4]] == [2, 3, 0, 1]
    assert len(end.coming) == 68
    (tenpai,) = (one for one in end.tenpai if one.seat == 0)
    assert tenpai.riichi
    assert tenpai.waits == (18, 21)
    assert tenpai.own == 3
    assert tenpai.first == 3
    assert end.ura == wall.ura[:1]
    assert end.ura_hits == (2, 0, 0, 0)
    assert end.rinshan == wall.rinshan[0]
    script = Script("123p456p789s2355s", seats=3, keep="4z")
    script.go().kita("1z").end()
    (wall,) = script.wall(rinshan="9m")
    assert round_end(script.round(), wall).rinshan == wall.rinshan[1]
    assert wall.rinshan[0] // 4 == 27
