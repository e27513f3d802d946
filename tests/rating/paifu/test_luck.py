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


def test_luck_of_draws_and_of_the_deal() -> None:
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


def test_luck_and_loss_equal_brute_force() -> None:
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
            visible = [*(tile for hand in table.hands for tile in hand), *table.indicators]
            visible += [thrown.tile for river in table.rivers for thrown in river]
            visible += [tile for melds in table.melds for meld in melds for tile in meld.tiles]
            wall = [tile for tile in range(136) if not 1 <= tile // 4 <= 7]
            hidden = [tile for tile in wall if tile not in visible]
            assert drawn.chance == pytest.approx(
                sum(tile // 4 in kinds for tile in hidden) / len(hidden)
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


def test_luck_of_ura_counts_norths() -> None:
    script = Script(WAITING, "1s", keep="14s")
    script.go("1z", riichi=True).go(throw="1s").ron(
        0,
        ura="4s",
    )
    record = script.record()
    *_, (_, table) = replay(record.rounds[0])
    hidden = table.left()
    hand = [tile // 4 for tile in tiles_of("123m456p789s23551s")]
    below = [hidden[kind - 1] if kind % 9 else hidden[kind + 8] for kind in hand]
    expected = sum(below) / sum(hidden)
    assert ura_luck(record.rounds[0])[0] == pytest.approx(2 - expected)
    assert ura_luck(record.rounds[0])[1:] == (0.0, 0.0, 0.0)
    script = Script("111m456p789s2355s", "1s", seats=3, keep="14s34z").kita("5z")
    script.throw("5z", riichi=True)
    played = script.go(throw="1s").ron(0, ura="3z").round()
    *_, (_, table) = replay(played)
    hidden = table.left()
    hand = [*(tile // 4 for tile in played.wins[0].hand), 30]
    expected = sum(hidden[indicator_of(kind, 3)] for kind in hand) / sum(hidden)
    assert ura_luck(played)[0] == pytest.approx(1 - expected)


def test_loss_counts_until_the_first_riichi() -> None:
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
    discards = list(tile_choices(script.record()))
    assert [choice.seat for choice in discards] == [0, 1, 2, 3, 0]
    assert [choice.loss for choice in discards if choice.seat == 0] == [0, 0]
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


def test_places_of_the_copies_of_a_wait() -> None:
    script = (
        Script(WAITING, "14s", keep="14s")
        .go("1s", riichi=True)
        .around(2)
        .go("4s", riichi=False)
        .end()
    )
    record = script.record()
    opened = opened_waits(record, script.wall(coming="5z4s"))
    (wait,) = (wait for wait in opened if wait.declared)
    assert wait.waits == (18, 21)
    assert (wait.turn, wait.furiten, wait.won) == (1, True, False)
    places = sorted(copy.place for copy in wait.copies)
    assert places.count(CopyPlace.SHOWN) == 1
    assert places.count(CopyPlace.HELD) == 2
    assert wait.live == places.count(CopyPlace.LIVE)
    assert (wait.next, wait.next_seat) == (3, 3)
    assert len(wait.copies) == 8
    (blind,) = (wait for wait in opened_waits(record, None) if wait.declared)
    assert blind.live is None
    assert blind.next is None
    assert blind.next_seat is None
    assert blind.luck is None
    assert {copy.place for copy in blind.copies} == {
        CopyPlace.SHOWN,
        CopyPlace.HELD,
        CopyPlace.HIDDEN,
    }


def test_live_and_next_agree_with_the_draws() -> None:
    """The wall's copies against a second computation: the record's own later draws, and the wall's
    rest.
    """
    compared = 0
    games = [walled(seed, seats) for seed in (1, 2) for seats in (3, 4)]
    for record in (parse(game.xml()) for game in games):
        walls = open_walls(record).rounds
        for wait in opened_waits(record, walls):
            played = record.rounds[wait.round]
            wall = walls[wait.round]
            made = drawn = replaced = 0
            for event in played.events:
                if isinstance(event, Draw):
                    if event.tile in wall.live:
                        drawn += 1
                    if event.tile in wall.rinshan:
                        replaced += 1
                elif isinstance(event, Discard) and event.seat == wait.seat:
                    made += 1
                if made == wait.turn:
                    break
            undrawn = wall.live[drawn : len(wall.live) - replaced]
            hits = [step for step, tile in enumerate(undrawn, 1) if tile // 4 in wait.waits]
            assert wait.live == len(hits)
            assert wait.next == (hits[0] if hits else None)
            if wait.next:
                assert wait.next_seat == (wait.seat + wait.next) % record.seats
            else:
                assert wait.next_seat is None
            assert {copy.place for copy in wait.copies} <= {
                CopyPlace.LIVE,
                CopyPlace.DEAD_WALL,
                CopyPlace.OWN,
                CopyPlace.HELD,
                CopyPlace.SHOWN,
            }
            if wait.declared:
                compared += 1
    assert compared > 5


def test_round_end_has_the_next_rinshan_tile() -> None:
    script = Script(WAITING, keep="14s5z")
    script.go("1z", riichi=True).around(1).end()
    (wall,) = script.wall(coming="5z5z4s", ura="4s")
    end = round_end(script.round(), wall)
    assert [seat for seat, _ in end.coming[:4]] == [2, 3, 0, 1]
    assert len(end.coming) == 68
    (tenpai,) = (hand for hand in end.tenpai if hand.seat == 0)
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
