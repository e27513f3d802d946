"""The best hands and moments of a game in a form that a line of the record log holds: for the league's
gallery (名場面集)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from rating.paifu.melds import Meld, decode, encode
from rating.paifu.moment import Moment
from rating.paifu.record import Record, Round, Win
from rating.paifu.tiles import KINDS, TILES

MOST_HANDS = 3
MOST_YAKUMAN = 6  # of a game: more than any game has had
MOST_KEPT = MOST_HANDS + 3 + MOST_YAKUMAN
MOST_MOMENTS = 3
RARE = 3  # the least grade of a moment that is kept
# Moments of a hand kept, or of nobody.
TOLD = frozenset(("yakuman", "large", "aborted", "all tenpai", "honba"))
LONGEST = 60  # characters of a name or of the words of a moment


class BestHand(NamedTuple):
    """A winning hand: of whom, in which round (東1局), and what it was; the fields of a Win have its units
    and numbers."""

    player: str
    round: str
    hand: tuple[int, ...]
    melds: tuple[Meld, ...]
    tile: int
    tsumo: bool
    fu: int
    value: int
    limit: int
    yaku: tuple[tuple[int, int], ...]
    yakuman: tuple[int, ...]

    @property
    def han(self) -> int:
        """The han of the hand with its dora; 0 for a yakuman."""
        return sum(han for _, han in self.yaku)

    @property
    def rank(self) -> tuple[int, int, int]:
        """What makes it better than others: yakuman (two for a double one), points, han."""
        return len(self.yakuman), self.value, self.han


class KeptMoment(NamedTuple):
    """A moment of a game, without its record: of whom, in which round, and its words with {} where `other` is
    named."""

    player: str
    round: str
    grade: int
    said: str
    other: str
    kinds: tuple[int, ...]


def best_hands(record: Record) -> tuple[BestHand, ...]:
    """The best hands of a record, the best first: MOST_HANDS, the best of each other seat, and further
    yakuman."""
    wins = [(win.seat, _best(record, played, win)) for played in record.rounds for win in played.wins]
    wins.sort(key=lambda item: item[1].rank, reverse=True)
    kept: list[BestHand] = []
    seats, yakuman = set[int](), 0
    for seat, one in wins:
        more = bool(one.yakuman) and yakuman < MOST_YAKUMAN
        if len(kept) < MOST_HANDS or seat not in seats or more:
            kept.append(one)
            yakuman += bool(one.yakuman)
        seats.add(seat)
    return tuple(kept)


def _best(record: Record, played: Round, win: Win) -> BestHand:
    return BestHand(
        player=record.players[win.seat],
        round=played.name,
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


def kept_moments(record: Record, found: Iterable[Moment]) -> tuple[KeptMoment, ...]:
    """The rarest of the moments found in a record, at most MOST_MOMENTS, the rarest first; those in TOLD are
    left out."""
    mine = (one for one in found if one.grade >= RARE and one.rule not in TOLD)
    rare = sorted(mine, key=lambda one: -one.grade)
    return tuple(
        KeptMoment(
            player=record.players[one.seat],
            round=record.rounds[one.round].name,
            grade=one.grade,
            said=one.said,
            other="" if one.other is None else record.players[one.other],
            kinds=one.kinds,
        )
        for one in rare[:MOST_MOMENTS]
    )


def hand_row(one: BestHand) -> dict[str, Any]:
    """A hand by name, for JSON; calls by Tenhou's codes (`melds`)."""
    row = one._asdict() | {"melds": [encode(meld) for meld in one.melds], "tsumo": int(one.tsumo)}
    return {name: value for name, value in row.items() if value or name in ("tile", "player")}


def hand_of(row: Mapping[str, Any]) -> BestHand:
    """The hand of a line. Raises ValueError, TypeError or KeyError where it is none."""
    hand, tile = _tiles(row["hand"]), int(row["tile"])
    melds = tuple(decode(int(code)) for code in row.get("melds", ()))
    known = [*hand, *(one for meld in melds for one in meld.tiles)]
    if tile not in hand or len(set(known)) != len(known) or not 2 <= len(hand) <= 14:
        raise ValueError("no winning hand")
    return BestHand(
        player=_words(row["player"]),
        round=_words(row["round"]),
        hand=hand,
        melds=melds,
        tile=tile,
        tsumo=bool(row.get("tsumo")),
        fu=int(row.get("fu", 0)),
        value=int(row.get("value", 0)),
        limit=int(row.get("limit", 0)),
        yaku=tuple((int(number), int(han)) for number, han in row.get("yaku", ())),
        yakuman=tuple(int(number) for number in row.get("yakuman", ())),
    )


def moment_of(row: Mapping[str, Any]) -> KeptMoment:
    """The moment of a line. Raises ValueError, TypeError or KeyError where it is none."""
    kinds = tuple(int(kind) for kind in row.get("kinds", ()))
    if any(not 0 <= kind < KINDS for kind in kinds):
        raise ValueError("no kind of tile")
    return KeptMoment(
        _words(row["player"]),
        _words(row["round"]),
        grade=int(row["grade"]),
        said=_words(row["said"]),
        other=_words(row.get("other", "")),
        kinds=kinds,
    )


def _tiles(values: Sequence[Any]) -> tuple[int, ...]:
    found = tuple(int(value) for value in values)
    if any(not 0 <= tile < TILES for tile in found):
        raise ValueError("no tile")
    return found


def _words(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value[:LONGEST]
