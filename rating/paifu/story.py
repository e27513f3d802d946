"""One round with all that the rules of `moments` look at: events, waits, draws, discards, the
wall's end.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
        return tuple(one for one in self.opened if one.declared)

    def win_of(self, seat: int) -> Win | None:
        return next((win for win in self.played.wins if win.seat == seat), None)


def stories(
    record: Record, walls: Sequence[RoundWall] | None, reviewed: Review | None = None
) -> tuple[Story, ...]:
    """The rounds as stories; `walls` are those of `open_walls`, `reviewed` the review where it is
    there.
    """
    done = reviewed or review(record)
    opened = opened_waits(record, tuple(walls) if walls else None)
    draws = tuple(draw_luck(record))
    choices = tuple(tile_choices(record))
    return tuple(
        Story(
            record,
            number,
            opened=tuple(one for one in opened if one.round == number),
            draws=tuple(one for one in draws if one.round == number),
            choices=tuple(one for one in choices if one.round == number),
            pushes=done.of_round(number),
            wall=walls[number] if walls else None,
            end=round_end(played, walls[number]) if walls else None,
        )
        for number, played in enumerate(record.rounds)
    )


def passed_waits(story: Story) -> Iterator[tuple[int, tuple[tuple[int, bool], ...]]]:
    """Yield the discards that a riichi waited for and did not win on: (tile, the waiting seats each
    with whether furiten). Absent players can't win."""
    waits = {one.seat: set(one.waits) for one in story.riichi}
    if not waits:
        return
    table = TableState(story.played)
    won = {(win.giver, win.tile) for win in story.played.wins}
    if any(isinstance(ending, NoWin) and ending.type == "ron3" for ending in story.played.endings):
        last = [event for event in story.played.events if type(event) is Discard][-1]
        won.add((last.seat, last.tile))  # three would have won on it (三家和), which ends the round
    passed: set[int] = set()
    for event in story.played.events:
        if type(event) is Discard and (event.seat, event.tile) not in won:
            kind = event.tile // 4
            waiting = tuple(
                (
                    seat,
                    seat in passed
                    or any(thrown.tile // 4 in waits[seat] for thrown in table.rivers[seat]),
                )
                for seat in waits
                if seat not in (event.seat, *table.away)
                and table.in_riichi(seat)
                and kind in waits[seat]
            )
            if waiting:
                yield event.tile, waiting
                passed.update(seat for seat, _ in waiting)
        table.apply(event)


def drawer_of(played: Round, tile: int) -> int | None:
    """The seat that drew the tile in the round, None where nobody did."""
    draws = (event for event in played.events if type(event) is Draw)
    return next((draw.seat for draw in draws if draw.tile == tile), None)
