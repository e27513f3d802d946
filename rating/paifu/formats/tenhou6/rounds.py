"""Reads the rounds of a game, and compares the points at the end of each with the next deal.

The changes of points that are written can be wrong; the next deal and the final points are not.
Where they differ and the sum of all points is right, those of the next deal count, and this is a
note. A fault inside a round drops that round and is a problem of the record.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from rating.paifu.formats.tenhou6.copies import Copies, RedFives
from rating.paifu.formats.tenhou6.head import ITEMS_OF_FOUR, ITEMS_OF_THREE, FinalPoints, GameHead
from rating.paifu.formats.tenhou6.order import play_order
from rating.paifu.formats.tenhou6.playing import Playing
from rating.paifu.formats.tenhou6.results import (
    Indicators,
    WrittenDeal,
    added,
    givers,
    is_win,
    no_win_type,
    read_no_win,
    read_wins,
)
from rating.paifu.formats.tenhou6.values import listed, points_of, whole
from rating.paifu.formats.tenhou6.words import read_face, read_turns
from rating.paifu.record import NoWin, Round, Win, placings
from rating.paifu.table import check
from rating.paifu.tiles import PaifuError

STICK = 1000
HAND_TILES = 13
MOST_INDICATORS = 5
MOST_NUMBER = 1000  # of rounds, honba and sticks


class PlayedLog(NamedTuple):
    """The rounds that could be read, the final points, and what was wrong or read otherwise."""

    rounds: tuple[Round, ...]
    final: tuple[int, ...] | None
    problems: tuple[str, ...]
    notes: tuple[str, ...]


def read_rounds(log: Sequence[Any], head: GameHead) -> PlayedLog:
    """All rounds of a game. Raises PaifuError when none can be read."""
    rounds: dict[int, Round] = {}
    problems: list[str] = []
    for number, value in enumerate(log):
        name = f"round {number + 1}"
        try:
            items = _read_items(value, head.seats)
            name = items.deal.name
            rounds[number] = _read_round(number, items, head.red_fives)
        except PaifuError as error:
            problems.append(f"{name}: {error}")
    if not rounds:
        raise PaifuError(problems[0])
    notes = list(head.notes)
    _correct_points(rounds, log, head, notes)
    return PlayedLog(
        tuple(rounds.values()),
        final=_final(rounds.get(len(log) - 1), head.end, notes),
        problems=tuple(problems),
        notes=tuple(notes),
    )


class _Items(NamedTuple):
    """The parts of a round as they are written; hands, draws and discards are by seat."""

    deal: WrittenDeal
    dora: Any
    ura: Any
    hands: Sequence[Any]
    draws: Sequence[Any]
    discards: Sequence[Any]
    result: Any


def _read_items(value: Any, seats: int) -> _Items:
    """The parts of a round: the deal, the indicators, three lists a seat, and the result."""
    parts = listed(value, "a round")
    if len(parts) != ITEMS_OF_FOUR and not (seats == 3 and len(parts) == ITEMS_OF_THREE):
        raise PaifuError(f"the round has {len(parts)} parts")
    numbers, points, dora, ura, *lists, result = parts
    return _Items(
        deal=_read_deal(numbers, points, seats),
        dora=dora,
        ura=ura,
        hands=lists[: 3 * seats : 3],
        draws=lists[1 : 3 * seats : 3],
        discards=lists[2 : 3 * seats : 3],
        result=result,
    )


def _read_deal(numbers: Any, points: Any, seats: int) -> WrittenDeal:
    values = listed(numbers, "the number of a round")
    if len(values) != 3:
        raise PaifuError("a round without its number, honba and sticks")
    number, honba, sticks = (whole(value, "a round", 0, MOST_NUMBER) for value in values)
    deal = WrittenDeal(
        number, honba, sticks, start=points_of(points, "the points of a deal", seats)
    )
    if deal.dealer >= seats:
        raise PaifuError("the dealer of a round has no seat")
    return deal


class _Tiles(NamedTuple):
    """The tiles that are known at the deal, and the indicators turned later."""

    hands: tuple[tuple[int, ...], ...]
    indicators: Indicators


def _read_tiles(items: _Items, copies: Copies) -> _Tiles:
    hands = tuple(_read_hand(faces, copies) for faces in items.hands)
    dora = _read_indicators(items.dora, copies)
    if not dora:
        raise PaifuError("there is no dora indicator")
    return _Tiles(hands, Indicators(dora, ura=_read_indicators(items.ura, copies)))


def _read_round(number: int, items: _Items, red_fives: RedFives) -> Round:
    deal = items.deal
    copies = Copies(red_fives)
    tiles = _read_tiles(items, copies)
    first_indicator, *later_indicators = tiles.indicators.dora
    playing = Playing(tiles.hands, copies, later_indicators)
    _play(playing, items)
    endings = _endings(items.result, deal, playing, tiles.indicators)
    played = Round(
        number=deal.number,
        honba=deal.honba,
        sticks=deal.sticks,
        dealer=deal.dealer,
        indicator=first_indicator,
        start=deal.start,
        hands=tiles.hands,
        events=tuple(playing.events),
        endings=endings,
        deal=number,
    )
    check(played)
    return played


def _read_hand(faces: Any, copies: Copies) -> tuple[int, ...]:
    """A dealt hand. Its copies are taken in the order of the tiles, however they are written."""
    hand = sorted(read_face(face) for face in listed(faces, "a hand"))
    if len(hand) != HAND_TILES:
        raise PaifuError(f"a dealt hand has {len(hand)} tiles")
    return tuple(copies.take(face) for face in hand)


def _read_indicators(faces: Any, copies: Copies) -> tuple[int, ...]:
    listed_faces = listed(faces, "the indicators")
    if len(listed_faces) > MOST_INDICATORS:
        raise PaifuError("more than five indicators")
    return tuple(copies.take(read_face(face)) for face in listed_faces)


def _play(playing: Playing, items: _Items) -> None:
    """Play all turns of the seats in their order."""
    pairs = zip(items.draws, items.discards, strict=True)
    turns = [read_turns(draws, discards) for draws, discards in pairs]
    had = [0] * len(turns)
    for seat in play_order(turns, items.deal.dealer):
        playing.play(seat, turns[seat][had[seat]])
        had[seat] += 1


def _endings(
    result: Any, deal: WrittenDeal, playing: Playing, indicators: Indicators
) -> tuple[Win | NoWin, ...]:
    if is_win(result):
        won_on = givers(result, deal.seats)
        playing.finish(last_discard_won=bool(won_on))
        return read_wins(result, deal, playing, indicators)
    playing.finish(last_discard_won=no_win_type(result) == "ron3")
    return (read_no_win(result, deal, playing),)


class _Standing(NamedTuple):
    """The points of each seat after a round, and the sticks that are left on the table."""

    points: tuple[int, ...]
    sticks: int

    @property
    def total(self) -> int:
        return sum(self.points) + STICK * self.sticks


def _standing_after(played: Round, log: Sequence[Any], head: GameHead) -> _Standing | None:
    """The points with which the next deal begins, or those of the game's end after the last."""
    if played.deal + 1 == len(log):
        return _standing_at_end(played, head)
    try:
        following = _read_items(log[played.deal + 1], head.seats).deal
    except PaifuError:
        return None
    if not _follows(following, played):
        return None
    return _Standing(following.start, following.sticks)


def _standing_at_end(last: Round, head: GameHead) -> _Standing | None:
    """The final points, less the sticks that were left and went to the first."""
    if head.end is None:
        return None
    points = list(head.end.points)
    sticks = _sticks_after(last)
    if tuple(points) != last.after:
        points[placings(points).index(0)] -= STICK * sticks
    return _Standing(tuple(points), sticks)


def _follows(following: WrittenDeal, before: Round) -> bool:
    """Whether a deal can come right after another."""
    if following.number == before.number:
        return following.honba == before.honba + 1
    after = before.number + 1
    if after % 4 >= before.seats:
        after += 1
    return following.number == after and following.honba in (0, before.honba + 1)


def _sticks_after(played: Round) -> int:
    """The sticks on the table after a round."""
    if played.wins:
        return 0
    paid = sum(played.start) - sum(played.endings[0].before)
    return played.sticks + paid // STICK


def _correct_points(
    rounds: dict[int, Round], log: Sequence[Any], head: GameHead, notes: list[str]
) -> None:
    """Compare each round with what follows it."""
    for number, played in rounds.items():
        following = _standing_after(played, log, head)
        if following is not None:
            rounds[number] = _with_points(played, following, notes)


def _with_points(played: Round, following: _Standing, notes: list[str]) -> Round:
    """The round with the changes that lead to the next deal, if its own do not."""
    if played.after == following.points:
        return played
    total = sum(played.start) + STICK * played.sticks
    if total != following.total:
        notes.append(f"{played.name}: the next deal begins with other points")
        return played
    notes.append(f"{played.name}: its points are those of the next deal, not those of its result")
    return _corrected(played, following.points)


def _corrected(played: Round, points: Sequence[int]) -> Round:
    """The round with these points after it: a winner's difference belongs to its win, every other
    to the first ending."""
    missing = {
        seat: right - after
        for seat, (right, after) in enumerate(zip(points, played.after, strict=True))
        if right != after
    }
    winners = [win.seat for win in played.wins]
    changes = [list(ending.change) for ending in played.endings]
    for seat, difference in missing.items():
        place = 0
        if seat in winners:
            place = winners.index(seat)
        changes[place][seat] += difference
    before = played.endings[0].before
    endings: list[Win | NoWin] = []
    for ending, change in zip(played.endings, changes, strict=True):
        endings.append(ending._replace(before=before, change=tuple(change)))
        before = added(before, change)
    return replace(played, endings=tuple(endings))


def _final(last: Round | None, end: FinalPoints | None, notes: list[str]) -> tuple[int, ...] | None:
    """The final points: those of the game's end, else those after the last round, of which the
    first gets the sticks that are left."""
    if end is not None:
        return end.points
    if last is None:
        return None
    notes.append("the final points are those of the last round: the file has none of its own")
    return tuple(_with_sticks(last))


def _with_sticks(last: Round) -> list[int]:
    points = list(last.after)
    first = placings(points).index(0)
    points[first] += STICK * _sticks_after(last)
    return points
