"""Statistics of one record or many: per player and overall, separately for 3 and 4 seats.

Statistics add up: `a + b` are the statistics of both together. 牌譜成績 is such a sum.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

from rating.paifu.deal_in import CountSums, DealIns, facings, rons
from rating.paifu.efficiency import EfficiencyRating, efficiency_of, efficiency_row
from rating.paifu.luck import Luck, luck_of, luck_row
from rating.paifu.opened import opened_waits
from rating.paifu.play_counts import play_counts
from rating.paifu.record import Discard, Record
from rating.paifu.review import Review
from rating.paifu.tally import PaifuTally, shares
from rating.paifu.wall import RoundWall


@dataclass(slots=True)
class Statistics(CountSums):
    """`players` are keyed by (name, number of seats), `overall` and `deal_ins` by number of
    seats.
    """

    records: int = 0
    rounds: int = 0
    discards: int = 0
    players: dict[tuple[str, int], PaifuTally] = field(
        default_factory=lambda: defaultdict(PaifuTally)
    )
    overall: dict[int, PaifuTally] = field(default_factory=lambda: defaultdict(PaifuTally))
    deal_ins: dict[int, DealIns] = field(default_factory=lambda: defaultdict(DealIns))

    def all_deal_ins(self) -> DealIns:
        return sum(self.deal_ins.values(), DealIns())

    def figures(self) -> dict[str, object]:
        """All figures by name, for JSON; the numbers of seats are the keys "3" and "4". `deal_in`,
        `deal_in_groups` and `wait_shapes` are those of all games, `deal_in_by_seats` those of games
        with 3 and with 4 seats."""
        players: dict[str, dict[str, object]] = {}
        for (name, seats), tally in sorted(self.players.items()):
            by_seats = players.setdefault(name, {})
            by_seats[str(seats)] = tally.figures() | tally.play_rows(seats)
        overall: dict[str, dict[str, object]] = {}
        for seats, tally in sorted(self.overall.items()):
            overall[str(seats)] = tally.figures() | tally.play_rows(seats)
        deal_in_by_seats: dict[str, dict[str, object]] = {}
        for seats, deal_ins in sorted(self.deal_ins.items()):
            deal_in_by_seats[str(seats)] = {**deal_ins.tables(), "robbed": deal_ins.robbed}
        together = self.all_deal_ins().tables()
        return {
            "records": self.records,
            "rounds": self.rounds,
            "discards": self.discards,
            "players": players,
            "overall": overall,
            "deal_in": together["classes"],
            "deal_in_groups": together["groups"],
            "wait_shapes": together["wait_shapes"],
            "deal_in_by_seats": deal_in_by_seats,
        }


class Conduct(NamedTuple):
    """The luck and the tile efficiency of each seat in a record, in seat order."""

    luck: tuple[Luck, ...]
    efficiency: tuple[EfficiencyRating, ...]


def conduct_of(record: Record) -> Conduct:
    """The luck and the tile efficiency of each seat: most of the time that statistics of a record
    take.
    """
    return Conduct(luck_of(record), efficiency_of(record))


def of_record(record: Record, conduct: Conduct | None = None) -> Statistics:
    """The statistics of one record. A record without its end counts its rounds, but no game and no
    placing. A round in which a player was away at the end is not counted for that player.
    `conduct` is the result of `conduct_of`; without it, it is computed."""
    conduct = conduct or conduct_of(record)
    result = Statistics(records=1, rounds=len(record.rounds))
    for played in record.rounds:
        result.discards += sum(type(event) is Discard for event in played.events)
    seats = record.seats
    result.deal_ins[seats] = _deal_ins(record)
    for name, tally in zip(record.players, _tallies(record, conduct), strict=True):
        result.players[name, seats] += tally
        result.overall[seats] += tally
    return result


def _deal_ins(record: Record) -> DealIns:
    deal_ins = DealIns()
    for played in record.rounds:
        for facing in facings(played):
            deal_ins.count(facing)
        deal_ins.robbed += sum(1 for ron in rons(played) if ron.to_riichi and ron.robbed)
    return deal_ins


def _tallies(record: Record, conduct: Conduct) -> list[PaifuTally]:
    """The tally of each seat."""
    tallies = [PaifuTally() for _ in record.players]
    for played in record.rounds:
        away = played.away_at_end
        for seat, share in enumerate(shares(played)):
            if seat not in away:
                tallies[seat].count(share)
    rows = zip(tallies, play_counts(record), conduct.luck, conduct.efficiency, strict=True)
    for tally, play, luck, efficiency in rows:
        tally.watch(play, luck, efficiency)
    placings = record.placings()
    if placings is not None:
        for tally, placing in zip(tallies, placings, strict=True):
            tally.finish(placing)
    return tallies


def of_records(records: Iterable[Record]) -> Statistics:
    """The statistics of many records together."""
    total = Statistics()
    for record in records:
        total += of_record(record)
    return total


def summary(record: Record, name: str) -> dict[str, Any]:
    """The summary of a record read from the file `name`. `final` are points in seat order (35600),
    None where the record does not have its end, `winner_rounds` the rounds each seat won (a double
    ron counts for both winners), `rounds` those read."""
    wins = chain.from_iterable(played.wins for played in record.rounds)
    winners = Counter(win.seat for win in wins)
    final = None
    if record.final is not None:
        final = list(record.final)
    return {
        "file": name,
        "players": list(record.players),
        "rule": record.rules.name,
        "rounds": len(record.rounds),
        "final": final,
        "winner_rounds": [winners[seat] for seat in range(record.seats)],
    }


def judgements(
    record: Record, conduct: Conduct, walls: tuple[RoundWall, ...] | None, reviewed: Review
) -> dict[str, Any]:
    """What the discards of a record and its walls (`open_walls`) show, for JSON.

    `riichi` are in order of play, with their waits opened: `turn` counts the seat's discards from
    1, `live` copies of the `waits` (kinds) were still to be drawn right after the discard, `next`
    is the number of draws until the first; both null without a wall. `luck`, `efficiency`
    (`luck_row`, `efficiency_row`) and `push` are in seat order: `choices` are the discards into a
    riichi by a player not in riichi, `agreed` those that agree with the rule of push or fold,
    `deal_ins_to_riichi` the rons by players in riichi on the player's tiles in the whole
    game. `reviewed` is the record's review."""
    names = record.players
    return {
        "riichi": [
            {
                "round": wait.round,
                "seat": wait.seat,
                "player": names[wait.seat],
                "turn": wait.turn,
                "waits": list(wait.waits),
                "live": wait.live,
                "next": wait.next,
                "won": wait.won,
            }
            for wait in opened_waits(record, walls)
            if wait.declared
        ],
        "luck": [
            {"player": name, **luck_row(luck)}
            for name, luck in zip(names, conduct.luck, strict=True)
        ],
        "efficiency": [
            {"player": name, **efficiency_row(rating, record.seats)}
            for name, rating in zip(names, conduct.efficiency, strict=True)
        ],
        "push": [
            {
                "player": row.player,
                "choices": row.choices,
                "agreed": row.agreed,
                "deal_ins_to_riichi": row.deal_ins.to_riichi,
            }
            for row in reviewed.ratings
        ],
    }
