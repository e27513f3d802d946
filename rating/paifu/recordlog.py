"""The record log: one JSON line for each paifu kept, with the counts of its statistics.

The lines add up to 牌譜成績, so the paifu need not be read again. A game has one line however often its paifu
is sent: its key is a hash of its rules, players and first round. The log does not depend on the order of
sending.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import date
from typing import Any, TypeVar

from rating.games import score_fault
from rating.paifu.best_hands import (
    MOST_KEPT,
    MOST_MOMENTS,
    BestHand,
    KeptMoment,
    best_hands,
    hand_of,
    hand_row,
    kept_moments,
    moment_of,
)
from rating.paifu.deal_in import DealIns
from rating.paifu.moments import all_moments
from rating.paifu.record import Record
from rating.paifu.statistics import Statistics, of_record
from rating.paifu.tally import PaifuTally
from rating.paifu.tiles import PaifuError
from rating.paifu.wall_check import open_walls

Counts = TypeVar("Counts", PaifuTally, DealIns)
_JOIN = "|"  # joins the parts of a counter's key; no part contains it


@dataclass(frozen=True, slots=True)
class PaifuHead:
    """What tells which game a paifu is of, without its counts: fields as in PaifuEntry; `names` are its
    players."""

    key: str
    file: str
    id: str
    day: date | None
    seats: int
    names: tuple[str, ...]
    scores: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class PaifuEntry:
    """One paifu kept. `file` names its file, `id` is Tenhou's ("" for a file that somebody sent), `day` is
    the game's.

    `hands` are its best hands, None where the line does not tell them (it was written before they were kept);
    `moments` are its rarest moments. `scores` are the players with their points (with uma, in thousands) by
    seat; () where the record doesn't tell them.
    """

    key: str
    file: str
    id: str
    day: date | None
    seats: int
    statistics: Statistics
    hands: tuple[BestHand, ...] | None = None
    moments: tuple[KeptMoment, ...] = ()
    scores: tuple[tuple[str, float], ...] = ()

    @property
    def head(self) -> PaifuHead:
        names = tuple(name for name, _ in self.scores or self.statistics.players)
        return PaifuHead(self.key, self.file, self.id, self.day, self.seats, names, self.scores)

    def better(self, other: PaifuEntry) -> bool:
        """Whether this entry replaces another of the same game.

        It does when it has more rounds, or as many and alone tells deal-ins by kind, or else alone how the
        players played, or else alone its best hands, or else alone Tenhou's id, or else alone the points.
        """
        return self._rank > other._rank

    @property
    def _rank(self) -> tuple[int, bool, bool, bool, bool, bool]:
        tallies = self.statistics.players.values()
        told = all(tally.split is not None for tally in tallies)
        played = all(tally.play for tally in tallies)
        hands_told = self.hands is not None
        return self.statistics.rounds, told, played, hands_told, bool(self.id), bool(self.scores)


def key_of(record: Record) -> str:
    """The key of a game: 20 hexadecimal digits of a hash of its rules, players and first round.

    It is the same for every copy of the paifu. The record must have a round.
    """
    first = record.rounds[0]
    told = (record.rules.bits, record.players, first.number, first.honba, first.dealer, first.hands)
    return hashlib.sha256(repr(told).encode("utf-8", "replace")).hexdigest()[:20]


def entry_of(record: Record, record_id: str = "", day: date | None = None) -> PaifuEntry:
    """The entry of a record; its file is named by `record_id`, or by the key where there is none."""
    key = key_of(record)
    return PaifuEntry(
        key,
        record_id or f"file-{key}",
        id=record_id,
        day=day,
        seats=record.seats,
        statistics=of_record(record),
        hands=best_hands(record),
        moments=kept_moments(record, all_moments(record, open_walls(record).rounds)),
        scores=tuple(zip(record.players, record.scores or (), strict=False)),
    )


def merged(log: bytes, *new: PaifuEntry) -> bytes:
    """The log with `new` in it. Of two entries of one game the better is kept; unreadable lines move to the
    end."""
    known = {entry.key: entry for entry in read(log)}
    better = False
    for entry in new:
        before = known.get(entry.key)
        if before is None or entry.better(before):
            known[entry.key] = entry
            better = True
    if not better:
        return log
    odd = b"".join(line + b"\n" for line in log.splitlines() if line.strip() and _read_line(line) is None)
    return write(sorted(known.values(), key=lambda entry: (str(entry.day or ""), entry.key))) + odd


def total(entries: Iterable[PaifuEntry]) -> Statistics:
    """The statistics of all entries together."""
    result = Statistics()
    for entry in entries:
        result += entry.statistics
    return result


def write(entries: Iterable[PaifuEntry]) -> bytes:
    """The bytes of a log with these entries: UTF-8, one JSON line each."""
    return "".join(f"{_line(entry)}\n" for entry in entries).encode()


def read(log: bytes) -> list[PaifuEntry]:
    """The entries of the log; lines that can't be read (cut, or edited by hand) are skipped."""
    return [entry for line in log.splitlines() if (entry := _read_line(line))]


def heads(log: bytes) -> list[PaifuHead]:
    """The heads of the log's entries, which are read in a small part of the time of `read`."""
    return [head for line in log.splitlines() if (head := _read_head(line))]


def _read_head(line: bytes) -> PaifuHead | None:
    try:
        return _head(json.loads(line))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _head(value: dict[str, Any]) -> PaifuHead:
    seats = int(value["seats"])
    if seats not in (3, 4):
        raise ValueError(f"{seats} seats")
    scores = tuple((str(name), float(score)) for name, score in value.get("scores", ()))
    if any(score_fault(score) for _, score in scores):
        raise ValueError("points out of range")
    day = date.fromisoformat(value["day"]) if value["day"] else None
    names = tuple(name for name, _ in scores) or tuple(map(str, value["players"]))
    return PaifuHead(str(value["key"]), str(value["file"]), str(value["id"]), day, seats, names, scores)


def _read_line(line: bytes) -> PaifuEntry | None:
    try:
        return _entry(json.loads(line))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _line(entry: PaifuEntry) -> str:
    made = entry.statistics
    deal_ins = made.deal_ins.get(entry.seats, DealIns())
    value = {
        "key": entry.key,
        "file": entry.file,
        "id": entry.id,
        "day": str(entry.day or ""),
        "seats": entry.seats,
        "rounds": made.rounds,
        "discards": made.discards,
        "players": {name: _counts(tally) for (name, _), tally in made.players.items()},
        "deal_ins": _counts(deal_ins),
    }
    if entry.hands is not None:
        value["hands"] = [hand_row(hand) for hand in entry.hands]
        value["moments"] = [{k: v for k, v in one._asdict().items() if v} for one in entry.moments]
    if entry.scores:
        value["scores"] = [[name, score] for name, score in entry.scores]
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _entry(value: dict[str, Any]) -> PaifuEntry:
    head = _head(value)
    seats = head.seats
    made = Statistics(records=1, rounds=int(value["rounds"]), discards=int(value["discards"]))
    for name, counts in value["players"].items():
        made.players[name, seats] += _filled(PaifuTally(), counts)
        made.overall[seats] += _filled(PaifuTally(), counts)
    made.deal_ins[seats] += _filled(DealIns(), value["deal_ins"])
    hands, moments = _gallery(value)
    return PaifuEntry(
        head.key,
        head.file,
        head.id,
        head.day,
        seats,
        statistics=made,
        hands=hands,
        moments=moments,
        scores=head.scores,
    )


def _gallery(value: dict[str, Any]) -> tuple[tuple[BestHand, ...] | None, tuple[KeptMoment, ...]]:
    """The best hands and moments of a line; None and none where it does not hold them as they were
    written."""
    try:
        hands = tuple(hand_of(row) for row in value["hands"][:MOST_KEPT])
        return hands, tuple(moment_of(row) for row in value["moments"][:MOST_MOMENTS])
    except (KeyError, ValueError, TypeError, AttributeError, PaifuError):
        return None, ()


def _counts(made: PaifuTally | DealIns) -> dict[str, Any]:
    """The fields that are not empty; the keys of counters as text."""
    result: dict[str, Any] = {}
    for field in fields(made):
        value = getattr(made, field.name)
        if isinstance(value, Counter):
            value = {_word(key): count for key, count in sorted(value.items()) if count}
        if value:
            result[field.name] = value
    return result


def _filled(empty: Counts, counts: dict[str, Any]) -> Counts:
    """`empty` with the counts of a line; what the line does not hold stays 0."""
    for field in fields(empty):
        value, known = counts.get(field.name), getattr(empty, field.name)
        if isinstance(known, Counter) and isinstance(value, dict):
            known.update({_key(field.name, word): int(count) for word, count in value.items()})
        elif isinstance(known, int) and isinstance(value, int):
            setattr(empty, field.name, value)
    return empty


def _word(key: object) -> str:
    return _JOIN.join(key) if isinstance(key, tuple) else str(key)


def _key(field: str, word: str) -> Any:
    if field == "placings":
        return int(word)
    return tuple(word.split(_JOIN, 1)) if field == "class_shape" else word
