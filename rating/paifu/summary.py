"""Sums up a record in a few fields for JSON: the players, the final points, the rounds won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rating.paifu.luck import luck_row
from rating.paifu.opened import OpenedWait
from rating.paifu.record import Record
from rating.paifu.review import Review
from rating.paifu.statistics import Conduct
from rating.paifu.tile_choices import efficiency_row
from rating.paifu.wall import RoundWall


def rounds_won(record: Record) -> list[int]:
    """How many rounds each seat won, in seat order; a double ron counts for both winners."""
    won = [0] * record.seats
    for played in record.rounds:
        for win in played.wins:
            won[win.seat] += 1
    return won


def summary(record: Record, name: str) -> dict[str, object]:
    """The summary of a record read from the file `name`.

    `final` are points in seat order (35600), `winner_rounds` the rounds each seat won, `rounds` the number of
    rounds read.
    """
    return {
        "file": name,
        "players": list(record.players),
        "rule": record.rules.name,
        "rounds": len(record.rounds),
        "final": list(record.points()),
        "winner_rounds": rounds_won(record),
    }


def push(done: Review) -> list[dict[str, object]]:
    """How each seat pushed and folded against a riichi, for JSON, in seat order.

    `choices` are the discards into a riichi by a player not in riichi, `agreed` those that the rule of push
    or fold would not have kept back, `deal_ins_to_riichi` the rons by players in riichi on the player's tiles
    in the whole game.
    """
    return [
        {
            "player": row.player,
            "choices": row.choices,
            "agreed": row.agreed,
            "deal_ins_to_riichi": row.deal_ins.to_riichi,
        }
        for row in done.ratings
    ]


def riichi(record: Record, opened: Sequence[OpenedWait]) -> list[dict[str, object]]:
    """The riichi of a record with their waits opened (`opened_waits`), for JSON, in order of play.

    `turn` counts the seat's discards from 1. `live` copies of the `waits` (kinds) were still to be drawn
    right after the discard, `next` is the number of draws until the first; both null without a wall.
    """
    return [
        {
            "round": one.round,
            "seat": one.seat,
            "player": record.players[one.seat],
            "turn": one.turn,
            "waits": list(one.waits),
            "live": one.live,
            "next": one.next,
            "won": one.won,
        }
        for one in opened
        if one.declared
    ]


def luck(record: Record, conduct: Conduct) -> list[dict[str, Any]]:
    """The luck of each seat, for JSON, in seat order (see `luck_row`)."""
    return [
        {"player": player, **luck_row(mine)}
        for player, mine in zip(record.players, conduct.luck, strict=True)
    ]


def efficiency(record: Record, conduct: Conduct) -> list[dict[str, Any]]:
    """The tile efficiency of each seat, for JSON, in seat order (see `efficiency_row`)."""
    return [
        {"player": player, **efficiency_row(mine)}
        for player, mine in zip(record.players, conduct.efficiency, strict=True)
    ]


def wall_figures(walls: Sequence[RoundWall] | None) -> list[dict[str, object]] | None:
    """The walls of a record for JSON, one for each of its rounds; null where they are unknown."""
    return None if walls is None else [wall.figures() for wall in walls]
