"""Sums up a record in a few fields for JSON: the players, the final points, the rounds won."""

from __future__ import annotations

from rating.paifu.record import Record
from rating.paifu.review import Review


def rounds_won(record: Record) -> list[int]:
    """How many rounds each seat won, in seat order; a double ron counts for both winners."""
    won = [0] * record.seats
    for played in record.rounds:
        for win in played.wins:
            won[win.seat] += 1
    return won


def summary(record: Record, name: str) -> dict[str, object]:
    """The summary of a record read from the file `name`.

    `final` are points in seat order (35600), `winner_rounds` the rounds each seat won, `rounds` the number of rounds read.
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

    `choices` are the discards into a riichi by a player not in riichi, `agreed` those that the rule of push or fold would
    not have kept back, `deal_ins_to_riichi` the rons by players in riichi on the player's tiles in the whole game.
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
