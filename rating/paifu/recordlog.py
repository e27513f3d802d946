"""The record log: one JSON line for each stored paifu, with the counts of its statistics, its best
hands and rarest moments.

The lines add up to 牌譜成績, so the paifu need not be read again. A game has one line however often
its paifu is sent: its key is a hash of its rules, players and first round. The log does not depend
on the order of sending.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import date
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

import numpy as np

from rating.games import score_fault
from rating.names import canonical_name
from rating.paifu.chances import AS_MUCH, Turning, chances_of, deals_of, turning_of
from rating.paifu.checked_walls import open_walls
from rating.paifu.deal_in import DealIns
from rating.paifu.melds import Meld, decode, encode
from rating.paifu.moments import Moment, MomentKind, all_moments
from rating.paifu.record import GamePlatform, Record, Win, Yaku
from rating.paifu.statistics import Statistics, of_record
from rating.paifu.tally import PaifuTally
from rating.paifu.tiles import KINDS, TILES, notation

MOST_HANDS = 3
MOST_YAKUMAN = 6  # of a game: more than any game has had
MOST_KEPT = MOST_HANDS + 3 + MOST_YAKUMAN
MOST_MOMENTS = 3
RARE = 3  # the least grade of a moment that is stored
# Moments that are left out: those of a hand that is stored anyway, or of nobody.
LEFT_OUT = frozenset(
    (
        MomentKind.YAKUMAN,
        MomentKind.LARGE,
        MomentKind.ABORTED,
        MomentKind.ALL_TENPAI,
        MomentKind.HONBA,
    )
)
LONGEST = 60  # characters of a name or of the words of a moment
ALWAYS_WRITTEN = ("tile", "player")  # fields of a hand that its line has even if they are 0 or ""


class BestHand(NamedTuple):
    """A winning hand: whose, in which round (東1局), and what it was, in the units and numbers of
    Win.
    """

    player: str
    round: str
    hand: tuple[int, ...]
    melds: tuple[Meld, ...]
    tile: int
    tsumo: bool
    fu: int
    value: int
    limit: int
    yaku: tuple[tuple[Yaku, int], ...]
    yakuman: tuple[Yaku, ...]

    @property
    def han(self) -> int:
        """The han of the hand with its dora; 0 for a yakuman."""
        return sum(han for _, han in self.yaku)

    @property
    def rank(self) -> tuple[int, int, int]:
        """What makes it better than others: yakuman (two for a double one), points, han."""
        return len(self.yakuman), self.value, self.han


class KeptMoment(NamedTuple):
    """A moment without its record: whose, in which round, and its words with {} for the name
    `other`.
    """

    player: str
    round: str
    grade: int
    said: str
    other: str
    kinds: tuple[int, ...]


class KeptStory(NamedTuple):
    """The chances of the first place without their record: the names of the deals (D,), and the
    chance of each seat at each of them and at the end (D + 1, K)."""

    deals: tuple[str, ...]
    first: tuple[tuple[float, ...], ...]

    @property
    def turning(self) -> Turning | None:
        return turning_of([np.array(chances)[:, None] for chances in self.first], AS_MUCH)

    @property
    def drama(self) -> float:
        """How far the chances moved in all, as in Brian Burke's excitement index of a football game."""
        return float(np.abs(np.diff(self.first, axis=0)).sum())


def kept_story(record: Record) -> KeptStory | None:
    """The story of a record that has its end; None where a seat's score is unknown, too."""
    if record.final is None:
        return None
    chances = chances_of(record)
    if chances is None:
        return None
    first = []
    for places in chances:
        by_seat = tuple(round(float(chance), 5) for chance in places[:, 0])
        first.append(by_seat)
    return KeptStory(tuple(deal.round.name for deal in deals_of(record)), tuple(first))


def story_of(row: Sequence[Any], seats: int) -> KeptStory | None:
    """The story of a line. Raises ValueError or TypeError where it is none."""
    deals, first = row
    story = KeptStory(
        deals=tuple(map(_words, deals)),
        first=tuple(tuple(map(float, chances)) for chances in first),
    )
    if len(story.first) != len(story.deals) + 1:
        raise ValueError("no story")
    for chances in story.first:
        if len(chances) != seats or not all(0 <= chance <= 1 for chance in chances):
            raise ValueError("no story")
    return story


class _SeatHand(NamedTuple):
    seat: int
    hand: BestHand


def _hand_of_win(win: Win, player: str, round_name: str) -> BestHand:
    return BestHand(
        player=player,
        round=round_name,
        hand=tuple(sorted(win.hand)),
        melds=win.melds,
        tile=win.tile,
        tsumo=win.tsumo,
        fu=win.fu,
        value=win.value,
        limit=win.limit,
        yaku=tuple((number, han) for number, han in win.yaku if han),
        yakuman=win.yakuman,
    )


def best_hands(record: Record) -> tuple[BestHand, ...]:
    """The MOST_HANDS best wins, the best win of each seat not among them, and every other yakuman
    up to MOST_YAKUMAN in all; best first."""
    hands: list[_SeatHand] = []
    for played in record.rounds:
        for win in played.wins:
            hand = _hand_of_win(win, record.players[win.seat], played.name)
            hands.append(_SeatHand(win.seat, hand))
    hands.sort(key=lambda seat_hand: seat_hand.hand.rank, reverse=True)
    best: list[BestHand] = []
    seats_seen = set[int]()
    yakuman_kept = 0
    for seat, hand in hands:
        is_further_yakuman = bool(hand.yakuman) and yakuman_kept < MOST_YAKUMAN
        if len(best) < MOST_HANDS or seat not in seats_seen or is_further_yakuman:
            best.append(hand)
            if hand.yakuman:
                yakuman_kept += 1
        seats_seen.add(seat)
    return tuple(best)


def kept_moments(
    record: Record, moments: Iterable[Moment], text_of: MomentText
) -> tuple[KeptMoment, ...]:
    """The rarest moments, at most MOST_MOMENTS, the rarest first; those in LEFT_OUT are left out."""
    rare = [moment for moment in moments if moment.grade >= RARE and moment.rule not in LEFT_OUT]
    rare.sort(key=attrgetter("grade"), reverse=True)
    return tuple(
        KeptMoment(
            player=record.players[moment.seat],
            round=record.rounds[moment.round].name,
            grade=moment.grade,
            said=text_of(moment),
            other="" if moment.other is None else record.players[moment.other],
            kinds=moment.kinds,
        )
        for moment in rare[:MOST_MOMENTS]
    )


def hand_row(hand: BestHand) -> dict[str, Any]:
    """A hand by name, for JSON; calls by Tenhou's codes (`melds`)."""
    row = hand._asdict()
    row["melds"] = [encode(meld) for meld in hand.melds]
    row["tsumo"] = int(hand.tsumo)
    return {name: value for name, value in row.items() if value or name in ALWAYS_WRITTEN}


def moment_row(moment: KeptMoment) -> dict[str, Any]:
    """A moment by name, for JSON; empty fields are left out."""
    return {name: value for name, value in moment._asdict().items() if value}


def _check_winning_hand(hand: Sequence[int], tile: int, melds: Iterable[Meld]) -> None:
    tiles = list(hand)
    for meld in melds:
        tiles.extend(meld.tiles)
    is_repeated = len(set(tiles)) != len(tiles)
    if tile not in hand or is_repeated or not 2 <= len(hand) <= 14:
        raise ValueError("no winning hand")
    if min(hand) < 0 or max(hand) >= TILES:
        raise ValueError("no tile")


def hand_of(row: Mapping[str, Any]) -> BestHand:
    """The hand of a line. Raises ValueError, TypeError or KeyError where it is none."""
    hand = tuple(map(int, row["hand"]))
    tile = int(row["tile"])
    melds = tuple(decode(int(code)) for code in row.get("melds", ()))
    _check_winning_hand(hand, tile, melds)
    yaku = row.get("yaku", ())
    return BestHand(
        player=canonical_name(_words(row["player"])),
        round=_words(row["round"]),
        hand=hand,
        melds=melds,
        tile=tile,
        tsumo=bool(row.get("tsumo")),
        fu=int(row.get("fu", 0)),
        value=int(row.get("value", 0)),
        limit=int(row.get("limit", 0)),
        yaku=tuple((_yaku(named), int(han)) for named, han in yaku),
        yakuman=tuple(map(_yaku, row.get("yakuman", ()))),
    )


def _yaku(value: int | str) -> Yaku:
    if isinstance(value, str):
        return value[:LONGEST]
    return int(value)


def moment_of(row: Mapping[str, Any]) -> KeptMoment:
    """The moment of a line. Raises ValueError, TypeError or KeyError where it is none."""
    kinds = tuple(map(int, row.get("kinds", ())))
    if any(not 0 <= kind < KINDS for kind in kinds):
        raise ValueError("no kind of tile")
    return KeptMoment(
        player=canonical_name(_words(row["player"])),
        round=_words(row["round"]),
        grade=int(row["grade"]),
        said=_words(row["said"]),
        other=canonical_name(_words(row.get("other", ""))),
        kinds=kinds,
    )


def _words(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value[:LONGEST]


MomentText = Callable[[Moment], str]
"""The words of a moment, with {} for the name of the seat `other`."""
Counts = TypeVar("Counts", PaifuTally, DealIns)
Read = TypeVar("Read")
_JOIN = "|"  # joins the parts of a counter's key; no part contains it
# How the keys of counters are read that are no text.
_KEYS: dict[str, Callable[[str], Any]] = {
    "placings": int,
    "class_shape": lambda word: tuple(word.split(_JOIN, 1)),
}


@dataclass(frozen=True, slots=True)
class PaifuHead:
    """What identifies the game of a paifu: fields as in PaifuEntry; `names` are its players."""

    key: str
    file: str
    id: str
    day: date | None
    seats: int
    names: tuple[str, ...]
    scores: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class PaifuEntry:
    """One stored paifu. `file` names its file, `id` is Tenhou's ("" for a file that somebody sent),
    `day` is the game's.

    `hands` are its best hands, None where the line does not have them (it was written before they
    were stored); `moments` are its rarest moments, `story` its chances of first (None where they are
    unknown). `scores` are the players with their points (with uma, in thousands) by seat; () where
    the record doesn't have them. `has_wall` is whether the record can open its walls."""

    key: str
    file: str
    id: str
    day: date | None
    seats: int
    statistics: Statistics
    hands: tuple[BestHand, ...] | None = None
    moments: tuple[KeptMoment, ...] = ()
    scores: tuple[tuple[str, float], ...] = ()
    story: KeptStory | None = None
    has_wall: bool = True

    @property
    def head(self) -> PaifuHead:
        names = tuple(name for name, _ in self.scores or self.statistics.players)
        return PaifuHead(
            key=self.key,
            file=self.file,
            id=self.id,
            day=self.day,
            seats=self.seats,
            names=names,
            scores=self.scores,
        )

    def better(self, other: PaifuEntry) -> bool:
        """Whether this entry replaces another of the same game. It does when it has more rounds, or
        as many and alone has deal-ins by kind, or else alone how the players played, or else
        alone its best hands, or else alone its walls, or else alone Tenhou's id, or else alone the
        points, or else alone its story."""
        return self._rank > other._rank

    def is_copy_of(self, other: PaifuEntry) -> bool:
        """Whether both are of one game: by the key, which is that of one format. Where one of them
        has walls and the other has not, they are so by what every format has: the players by seat
        with their points, the rounds and the discards."""
        if self.key == other.key:
            return True
        if not self.scores or self.has_wall == other.has_wall:
            return False
        return self._outline == other._outline

    @property
    def _outline(self) -> tuple[object, ...]:
        return self.scores, self.statistics.rounds, self.statistics.discards

    @property
    def _rank(self) -> tuple[int | bool, ...]:
        tallies = self.statistics.players.values()
        return (
            self.statistics.rounds,
            all(tally.split is not None for tally in tallies),
            all(tally.play for tally in tallies),
            self.hands is not None,
            self.has_wall,
            bool(self.id),
            bool(self.scores),
            self.story is not None,
        )


def key_of(record: Record) -> str:
    """The key of a game: 20 hexadecimal digits of a hash of its rules, players and first round. It
    is the same for every copy of the paifu. Of the rules of other platforms only the seats count,
    as each converter writes them in another way. The record must have a round."""
    first = record.rounds[0]
    rules = record.rules.bits
    if record.platform != GamePlatform.TENHOU:
        rules = record.seats
    identity = (
        rules,
        record.players,
        first.number,
        first.honba,
        first.dealer,
        first.hands,
    )
    return _hash_of(identity)


def game_key(record: Record) -> str:
    """The key of a game that is the same in every format of its record: that of the players and of
    the tiles first dealt, without which copies they are. The record must have a round."""
    first = record.rounds[0]
    has_red = not record.rules.bits & 2
    hands = [notation(hand, red=has_red) for hand in first.hands]
    return _hash_of((record.players, first.number, first.honba, first.dealer, hands))


def _hash_of(identity: object) -> str:
    return hashlib.sha256(repr(identity).encode("utf-8", "replace")).hexdigest()[:20]


def entry_of(
    record: Record, text_of: MomentText, record_id: str = "", day: date | None = None
) -> PaifuEntry:
    """The entry of a record; its file is named by `record_id`, or by the key where there is none.
    `text_of` gives the text with which a moment is stored."""
    key = key_of(record)
    return PaifuEntry(
        key,
        record_id or f"file-{key}",
        id=record_id,
        day=day,
        seats=record.seats,
        statistics=of_record(record),
        hands=best_hands(record),
        moments=kept_moments(record, all_moments(record, open_walls(record).rounds), text_of),
        scores=tuple(zip(record.players, record.scores or (), strict=False)),
        story=kept_story(record),
        has_wall=bool(record.seed),
    )


def counted_copy(entries: Iterable[PaifuEntry], entry: PaifuEntry) -> PaifuEntry | None:
    """The entry among `entries` of the same game, or None."""
    return next((other for other in entries if entry.is_copy_of(other)), None)


def merged(log: bytes, *new: PaifuEntry) -> bytes:
    """The log with `new` in it.

    Of one game the better entry stays; unreadable lines move to the end.
    """
    lines = [line for line in log.splitlines() if line.strip()]
    old = [(line, _parsed(line, _entry)) for line in lines]
    before = {entry.key: entry for _, entry in old if entry}
    entries_by_key = dict(before)
    for entry in new:
        copy = entries_by_key.get(entry.key) or counted_copy(entries_by_key.values(), entry)
        if copy is None:
            entries_by_key[entry.key] = entry
        elif entry.better(copy):
            del entries_by_key[copy.key]
            entries_by_key[entry.key] = entry
    if entries_by_key == before:
        return log
    odd = b"".join(line + b"\n" for line, entry in old if entry is None)
    entries = sorted(entries_by_key.values(), key=lambda entry: (str(entry.day or ""), entry.key))
    return log_bytes(entries) + odd


def total(entries: Iterable[PaifuEntry]) -> Statistics:
    result = Statistics()
    for entry in entries:
        result += entry.statistics
    return result


def log_bytes(entries: Iterable[PaifuEntry]) -> bytes:
    """The bytes of a log with these entries: UTF-8, one JSON line each."""
    lines = []
    for entry in entries:
        line = json.dumps(_line_of(entry), ensure_ascii=False, separators=(",", ":"))
        lines.append(line + "\n")
    return "".join(lines).encode()


def _line_of(entry: PaifuEntry) -> dict[str, Any]:
    """The JSON object of an entry's line; `_entry` reads it."""
    statistics = entry.statistics
    tallies = {name: tally for (name, _), tally in statistics.players.items()}
    value: dict[str, Any] = {
        "key": entry.key,
        "file": entry.file,
        "id": entry.id,
        "day": str(entry.day or ""),
        "seats": entry.seats,
        "rounds": statistics.rounds,
        "discards": statistics.discards,
        "players": {name: _counts(tally) for name, tally in tallies.items()},
        "deal_ins": _counts(statistics.deal_ins.get(entry.seats, DealIns())),
    }
    if entry.hands is not None:
        value["hands"] = [hand_row(hand) for hand in entry.hands]
        value["moments"] = [moment_row(moment) for moment in entry.moments]
    if entry.scores:
        value["scores"] = entry.scores
    if entry.story is not None:
        value["story"] = entry.story
    if not entry.has_wall:
        value["wall"] = False
    return value


def read(log: bytes) -> list[PaifuEntry]:
    """The entries of the log; lines that can't be read (cut, or edited by hand) are skipped."""
    return [entry for line in log.splitlines() if (entry := _parsed(line, _entry))]


def heads(log: bytes) -> list[PaifuHead]:
    """The heads of the log's entries, which are read in a small part of the time of `read`."""
    return [head for line in log.splitlines() if (head := _parsed(line, _head))]


def _parsed(
    line: bytes,
    make: Callable[[dict[str, Any]], Read],
) -> Read | None:
    try:
        return make(json.loads(line))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _head(value: dict[str, Any]) -> PaifuHead:
    seats = int(value["seats"])
    if seats not in (3, 4):
        raise ValueError(f"{seats} seats")
    rows = value.get("scores", ())
    scores = tuple((canonical_name(str(name)), float(score)) for name, score in rows)
    if any(score_fault(score) for _, score in scores):
        raise ValueError("points out of range")
    day = date.fromisoformat(value["day"]) if value["day"] else None
    names = tuple(name for name, _ in scores)
    names = names or tuple(canonical_name(str(name)) for name in value["players"])
    return PaifuHead(
        key=str(value["key"]),
        file=str(value["file"]),
        id=str(value["id"]),
        day=day,
        seats=seats,
        names=names,
        scores=scores,
    )


def _entry(value: dict[str, Any]) -> PaifuEntry:
    head = _head(value)
    hands: tuple[BestHand, ...] | None = None
    moments: tuple[KeptMoment, ...] = ()
    story: KeptStory | None = None
    # Without hands where the line does not have both as they were written.
    with suppress(KeyError, ValueError, TypeError, AttributeError):
        read_moments = tuple(moment_of(row) for row in value["moments"][:MOST_MOMENTS])
        hands = tuple(hand_of(row) for row in value["hands"][:MOST_KEPT])
        moments = read_moments
    with suppress(KeyError, ValueError, TypeError):
        story = story_of(value["story"], head.seats)
    return PaifuEntry(
        key=head.key,
        file=head.file,
        id=head.id,
        day=head.day,
        seats=head.seats,
        statistics=_statistics_of(value, head.seats),
        hands=hands,
        moments=moments,
        scores=head.scores,
        story=story,
        has_wall=value.get("wall") is not False,
    )


def _statistics_of(value: dict[str, Any], seats: int) -> Statistics:
    """The statistics of the one record of a line."""
    statistics = Statistics(
        records=1,
        rounds=int(value["rounds"]),
        discards=int(value["discards"]),
    )
    for name, counts in value["players"].items():
        tally = _filled(PaifuTally(), counts)
        statistics.players[canonical_name(name), seats] += tally
        statistics.overall[seats] += tally
    statistics.deal_ins[seats] += _filled(DealIns(), value["deal_ins"])
    return statistics


def _counts(tally: PaifuTally | DealIns) -> dict[str, Any]:
    """The fields that are not empty; the keys of counters as text."""
    result: dict[str, Any] = {}
    for field in fields(tally):
        value = getattr(tally, field.name)
        if isinstance(value, Counter):
            words = (
                (_JOIN.join(key) if isinstance(key, tuple) else str(key), key)
                for key in sorted(value)
            )
            value = {word: value[key] for word, key in words if value[key]}
        if value:
            result[field.name] = value
    return result


def _filled(empty: Counts, counts: dict[str, Any]) -> Counts:
    """`empty` with the counts of a line; what the line does not have stays 0."""
    for field in fields(empty):
        value = counts.get(field.name)
        empty_value = getattr(empty, field.name)
        if isinstance(empty_value, Counter) and isinstance(value, dict):
            read_key = _KEYS.get(field.name, str)
            read_counts = {read_key(word): int(count) for word, count in value.items()}
            empty_value.update(read_counts)
        elif isinstance(empty_value, int) and isinstance(value, int):
            setattr(empty, field.name, value)
    return empty
