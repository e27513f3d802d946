"""Counts what each seat did in a round, under names that `play_figures` makes shares and means of.

A count has one name ("wins"); a number whose mean is wanted has three: "NAME" how often, "NAME.sum" and
"NAME.squares".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from rating.paifu.efficiency import acceptance, shanten_of
from rating.paifu.events import Discard
from rating.paifu.record import Record, Round, Win
from rating.paifu.rons import Ron, rons
from rating.paifu.round_end import exhausted
from rating.paifu.table import TableState
from rating.paifu.tiles import counts
from rating.paifu.yaku import IPPATSU, URA

GOOD_WAIT = 6  # copies that the seat cannot see


class RiichiDeclared(NamedTuple):
    """A riichi just after its discard: `turn` counts the seat's discards, `tiles` the copies of the waits it
    cannot see.

    `kinds` is the number of kinds waited for, `chasing`: another seat was in riichi before.
    """

    seat: int
    turn: int
    tiles: int
    kinds: int
    furiten: bool
    chasing: bool


def play_counts(record: Record) -> list[Counter[str]]:
    """The counts of each seat over a record, in seat order. Busts count only where the record has its end."""
    total: list[Counter[str]] = [Counter() for _ in range(record.seats)]
    for played in record.rounds:
        _count_round(total, played)
    if record.final is not None:
        for seat, points in enumerate(record.final):
            _tick(total[seat], games=True, busts=points < 0)
    return total


def _tick(total: Counter[str], **happened: bool) -> None:
    """Count one of each name, written with `_` for a space, that happened."""
    for name, did in happened.items():
        if did:
            total[name.replace("_", " ")] += 1


def add(total: Counter[str], name: str, value: int) -> None:
    """Count one number whose mean is wanted."""
    total.update({name: 1, f"{name}.sum": value, f"{name}.squares": value * value})


def _count_round(total: Sequence[Counter[str]], played: Round) -> None:
    table = TableState(played)
    riichi: list[RiichiDeclared] = []
    for event in played.events:
        table.apply(event)
        if type(event) is Discard and table.rivers[event.seat][-1].riichi:
            riichi.append(_riichi(table, event.seat))
    declared = {one.seat for one in riichi}
    called = {seat for seat in range(played.seats) if table.is_open(seat)}
    for seat, hand in enumerate(played.hands):
        _tick(total[seat], rounds=True, calls=seat in called)
        add(total[seat], "deal shanten", shanten_of(counts(hand), played.seats))
    _count_riichi(total, riichi)
    for seat in declared:
        add(total[seat], "riichi balance", played.change[seat])
    for win in played.wins:
        _count_win(total, played, win, table, declared, called)
    given = rons(played)
    for ron in given:
        _count_deal_in(total[ron.giver], played, ron, called)
    for seat in {ron.giver for ron in given}:
        _tick(total[seat], deal_ins=True, riichi_deal_ins=seat in declared, call_deal_ins=seat in called)
    if not played.wins and exhausted(played):
        _count_draw(total, table, declared, called)


def _riichi(table: TableState, seat: int) -> RiichiDeclared:
    shanten, waits = acceptance(table.held[seat], table.seats)
    waits = waits if shanten == 0 else ()
    unseen = table.unseen(seat)
    river = table.rivers[seat]
    return RiichiDeclared(
        seat=seat,
        turn=len(river),
        tiles=sum(unseen[kind] for kind in waits),
        kinds=len(waits),
        furiten=any(thrown.tile // 4 in waits for thrown in river),
        chasing=any(table.in_riichi(other) for other in range(table.seats) if other != seat),
    )


def _count_riichi(total: Sequence[Counter[str]], riichi: Sequence[RiichiDeclared]) -> None:
    for place, one in enumerate(riichi):
        mine = total[one.seat]
        _tick(
            mine,
            riichi=True,
            first_riichi=not one.chasing,
            chasing_riichi=one.chasing,
            chased_riichi=place + 1 < len(riichi),
            good_wait=one.tiles >= GOOD_WAIT,
            many_kinds=one.kinds >= 2,
            furiten_riichi=one.furiten,
        )
        add(mine, "riichi turn", one.turn)
        add(mine, "riichi tiles", one.tiles)


def _count_win(
    total: Sequence[Counter[str]],
    played: Round,
    win: Win,
    table: TableState,
    declared: set[int],
    called: set[int],
) -> None:
    """Count one win, and what it cost the dealer who did not deal in: mangan or more is 痛い親かぶり."""
    mine, seat = total[win.seat], win.seat
    in_riichi = seat in declared
    yaku = {number for number, han in win.yaku if han > 0} | set(win.yakuman)
    _tick(
        mine,
        wins=True,
        tsumo=win.tsumo,
        dama=not in_riichi and seat not in called,
        riichi_wins=in_riichi,
        call_wins=seat in called,
        ippatsu=IPPATSU in yaku,
        ura=URA in yaku,
        yakuman=bool(win.yakuman),
    )
    mine.update(f"yaku {number}" for number in yaku)
    add(mine, "win turn", len(table.rivers[seat]) + 1)
    if win.tsumo:
        for other in range(played.seats):
            if other != seat:
                _tick(total[other], tsumo_against=True)
        if seat != played.dealer and win.limit >= 1:
            add(total[played.dealer], "dealer loss", -win.change[played.dealer])


def _count_deal_in(mine: Counter[str], played: Round, ron: Ron, called: set[int]) -> None:
    """Count the worth of one ron on the seat's tile; a double ron is two."""
    value = next(win.value for win in played.wins if win.seat == ron.winner)
    kind = "riichi" if ron.to_riichi else "open" if ron.winner in called else "dama"
    add(mine, "deal-in", value)
    add(mine, f"deal-in to {kind}", value)


def _count_draw(
    total: Sequence[Counter[str]], table: TableState, declared: set[int], called: set[int]
) -> None:
    for seat, mine in enumerate(total):
        _tick(
            mine,
            draws=True,
            tenpai_draws=shanten_of(table.held[seat], table.seats) == 0,
            riichi_draws=seat in declared,
            call_draws=seat in called,
        )
