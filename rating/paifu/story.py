"""One round with all that the rules of `moments` look at: events, waits, draws, discards, the
wall's end.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rating.paifu.efficiency import TileChoice, tile_choices
from rating.paifu.luck import DrawLuck, draw_luck
from rating.paifu.opened import OpenedWait, RoundEnd, opened_waits, round_end
from rating.paifu.record import Discard, Draw, NoWin, Record, Round, Win
from rating.paifu.review import Push, Review, review
from rating.paifu.table import TableState
from rating.paifu.wall import RoundWall


@dataclass(frozen=True, slots=True)
class Story:
    """A round of a record at the index `round`; `wall` and `end` are None where the wall is
    unknown. `opened` are its riichi and tenpai hands, `draws` its draws, `choices` its discards
    before a riichi, `pushes` others."""

    record: Record
    round: int
    opened: tuple[OpenedWait, ...]
    draws: tuple[DrawLuck, ...]
    choices: tuple[TileChoice, ...]
    pushes: tuple[Push, ...]
    wall: RoundWall | None
    end: RoundEnd | None

    @property
    def played(self) -> Round:
        return self.record.rounds[self.round]

    @property
    def last(self) -> bool:
        """Whether it is the last round of a game that has its end."""
        return self.record.final is not None and self.played.deal == self.record.deals - 1

    @property
    def riichi(self) -> tuple[OpenedWait, ...]:
        return tuple(wait for wait in self.opened if wait.declared)

    def win_of(self, seat: int) -> Win | None:
        return next((win for win in self.played.wins if win.seat == seat), None)


def stories(
    record: Record, walls: Sequence[RoundWall] | None, reviewed: Review | None = None
) -> tuple[Story, ...]:
    """The rounds as stories; `walls` are those of `open_walls`, `reviewed` the review where it is
    there.
    """
    reviewed = reviewed or review(record)
    record_walls = None
    if walls:
        record_walls = tuple(walls)
    opened = opened_waits(record, record_walls)
    draws = tuple(draw_luck(record))
    choices = tuple(tile_choices(record))
    record_stories = []
    for number, played in enumerate(record.rounds):
        wall = None
        end = None
        if walls:
            wall = walls[number]
            end = round_end(played, wall)
        story = Story(
            record=record,
            round=number,
            opened=tuple(wait for wait in opened if wait.round == number),
            draws=tuple(draw for draw in draws if draw.round == number),
            choices=tuple(choice for choice in choices if choice.round == number),
            pushes=reviewed.of_round(number),
            wall=wall,
            end=end,
        )
        record_stories.append(story)
    return tuple(record_stories)


class Waiting(NamedTuple):
    """A seat in riichi that waited for a discard, and whether it was furiten."""

    seat: int
    furiten: bool


class PassedWait(NamedTuple):
    """A discarded tile that hands in riichi waited for and did not win on."""

    tile: int
    waiting: tuple[Waiting, ...]


def passed_waits(story: Story) -> Iterator[PassedWait]:
    """Yield the discards that a riichi waited for and did not win on. Absent players can't win."""
    waits = {riichi.seat: set(riichi.waits) for riichi in story.riichi}
    if not waits:
        return
    table = TableState(story.played)
    won = _won_discards(story.played)
    passed: set[int] = set()
    for event in story.played.events:
        if type(event) is Discard and (event.seat, event.tile) not in won:
            waiting = tuple(
                Waiting(seat, seat in passed or _is_furiten(table, seat, kinds))
                for seat, kinds in waits.items()
                if seat not in (event.seat, *table.away)
                and table.in_riichi(seat)
                and event.tile // 4 in kinds
            )
            if waiting:
                yield PassedWait(event.tile, waiting)
                passed.update(wait.seat for wait in waiting)
        table.apply(event)


def _won_discards(played: Round) -> set[tuple[int, int]]:
    """The (seat, tile) that were won on; after three rons (三家和) the round ends without a win."""
    won = {(win.giver, win.tile) for win in played.wins}
    if any(isinstance(ending, NoWin) and ending.type == "ron3" for ending in played.endings):
        last = [event for event in played.events if type(event) is Discard][-1]
        won.add((last.seat, last.tile))
    return won


def _is_furiten(table: TableState, seat: int, waits: set[int]) -> bool:
    """Whether a tile of the waits is in the seat's own river."""
    return any(thrown.tile // 4 in waits for thrown in table.rivers[seat])


def drawer_of(played: Round, tile: int) -> int | None:
    """The seat that drew the tile in the round, None where nobody did."""
    draws = (event for event in played.events if type(event) is Draw)
    return next((draw.seat for draw in draws if draw.tile == tile), None)
