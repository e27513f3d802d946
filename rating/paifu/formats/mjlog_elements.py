"""Reads the elements of an mjlog, from attributes (text) to plain values.

SHUFFLE: the walls' seed · GO: rules · UN: players (a later UN: a player is back) · INIT: a deal ·
N: a call · REACH: riichi · DORA: a new indicator · AGARI: a win · RYUUKYOKU: no win · BYE: a player
left. Points are in hundreds. A wrong element raises PaifuError. Other programs write empty fields
for what they do not know.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar
from urllib.parse import unquote

from rating.names import canonical_name
from rating.paifu.melds import decode
from rating.paifu.record import (
    Away,
    Call,
    Event,
    GameRules,
    NewDora,
    NoWin,
    Record,
    Riichi,
    Round,
    Win,
)
from rating.paifu.tiles import TILES, PaifuError

Attributes = Mapping[str, str]
MOST_HUNDREDS = 100_000  # ten million points, more than any game has
MOST_POINTS = 100 * MOST_HUNDREDS
NAME_LENGTH = 40
SEED_LENGTH = 8_000  # the longest known is 3,357 characters


Number = TypeVar("Number", int, float)


def _fields(
    attributes: Attributes,
    name: str,
    number: Callable[[str], Number],
    low: int,
    high: int,
) -> tuple[Number | None, ...]:
    """The numbers, separated by commas, in an attribute; None for an empty field, () without the
    attribute. They are `low` to `high`.
    """
    text = attributes.get(name, "").strip()
    if not text:
        return ()
    if len(text) > 2000:
        raise PaifuError("a list of numbers is far too long")
    try:
        values = [number(part) if part.strip() else None for part in text.split(",")]
    except ValueError:
        raise PaifuError(f"not numbers: {text[:30]!r}") from None
    if not all(value is None or low <= value <= high for value in values):
        raise PaifuError(f"out of range: {text[:30]!r}")
    return tuple(values)


def _numbers(
    attributes: Attributes,
    name: str,
    low: int,
    high: int,
) -> tuple[int, ...]:
    """The whole numbers of an attribute. Raises PaifuError where one is missing."""
    return _complete(_fields(attributes, name, int, low, high), name)


def _complete(
    values: tuple[int | None, ...],
    name: str,
) -> tuple[int, ...]:
    numbers = tuple(value for value in values if value is not None)
    if len(numbers) < len(values):
        raise PaifuError(f"{name} has an empty field")
    return numbers


def _listed(
    attributes: Attributes,
    name: str,
    low: int,
    high: int,
) -> tuple[int, ...]:
    """The whole numbers of an attribute; an empty field is None."""
    values = _fields(attributes, name, int, low, high)
    return tuple(value for value in values if value is not None)


def _tiles(attributes: Attributes, name: str) -> tuple[int, ...]:
    tiles = _listed(attributes, name, 0, TILES - 1)
    if len(set(tiles)) != len(tiles):
        raise PaifuError(f"a tile is there twice: {attributes[name][:30]!r}")
    return tiles


def _decimals(attributes: Attributes, name: str) -> tuple[float | None, ...]:
    return _fields(attributes, name, float, -MOST_POINTS, MOST_POINTS)


def _one(attributes: Attributes, name: str, low: int, high: int) -> int:
    numbers = _numbers(attributes, name, low, high)
    if len(numbers) != 1:
        raise PaifuError(f"{name} must be one number, not {attributes.get(name, '')[:20]!r}")
    return numbers[0]


def _optional(attributes: Attributes, name: str, low: int, high: int) -> int | None:
    """The number of an attribute that may be missing or empty."""
    if not attributes.get(name, "").strip():
        return None
    return _one(attributes, name, low, high)


class EndPoints(NamedTuple):
    """The points of each seat before a round's end, and their change by it."""

    before: tuple[int, ...]
    change: tuple[int, ...]


@dataclass(slots=True)
class Head:
    """The data of the whole game, filled in element by element. `settled` is True once the rules
    can no longer change: after GO, or at the first deal."""

    version: str = ""
    rules: GameRules = field(default_factory=GameRules)
    settled: bool = False
    lobby: str = ""
    players: list[str] = field(default_factory=list)
    dans: tuple[int | None, ...] = ()
    rates: tuple[float | None, ...] = ()
    final: tuple[int, ...] | None = None
    scores: tuple[float, ...] | None = None
    chips: tuple[int, ...] | None = None
    seed: str = ""

    def record(
        self,
        rounds: tuple[Round, ...],
        problems: tuple[str, ...],
        unread: tuple[Round, ...],
    ) -> Record:
        """The record with these rounds and problems; a player without a name is called by the
        seat.
        """
        seats = self.rules.seats
        names = enumerate([*self.players, "", "", "", ""][:seats], 1)
        players = tuple(name or f"席{seat}" for seat, name in names)
        return Record(
            self.rules,
            players,
            rounds=rounds,
            version=self.version,
            lobby=self.lobby,
            dans=self.dans[:seats],
            rates=self.rates[:seats],
            final=self.final,
            scores=self.scores,
            chips=self.chips,
            problems=problems,
            seed=self.seed,
            unread=unread,
        )

    def seat(self, attributes: Attributes, name: str = "who") -> int:
        return _one(attributes, name, 0, self.rules.seats - 1)

    def points(
        self,
        attributes: Attributes,
    ) -> EndPoints:
        """The points at a round's end. `sc` has both for each of four seats, in hundreds, then
        chips if any."""
        size = 2 * self.rules.seats
        fields = _fields(attributes, "sc", int, -MOST_HUNDREDS, MOST_HUNDREDS)[:size]
        if len(fields) < size:
            raise PaifuError("an ending without the points of every seat")
        points = tuple(100 * hundreds for hundreds in _complete(fields, "sc"))
        return EndPoints(before=points[::2], change=points[1::2])

    def go_on(self) -> None:
        """A deal follows: what was the end of the game so far was not its end."""
        self.final = self.scores = self.chips = None

    def read_end(self, attributes: Attributes) -> None:
        """Store the game's end, where an ending has it. `owari` has points in hundreds and the
        score with uma for each of four seats, then chips if any."""
        seats = self.rules.seats
        owari = _decimals(attributes, "owari")
        if not owari:
            return
        points = _of_every_seat(owari[: 2 * seats : 2], seats)
        if points is None:
            raise PaifuError("the game's end does not have the points of every seat")
        chips = _of_every_seat(owari[8 : 8 + 2 * seats : 2], seats)
        self.final = tuple(round(hundreds * 100) for hundreds in points)
        self.scores = _of_every_seat(owari[1 : 2 * seats : 2], seats)
        self.chips = None if chips is None else tuple(map(round, chips))


def _of_every_seat(
    values: tuple[float | None, ...],
    seats: int,
) -> tuple[float, ...] | None:
    """The values, one for each seat; None where one is missing."""
    numbers = tuple(value for value in values if value is not None)
    if len(numbers) != seats:
        return None
    return numbers


def open_round(attributes: Attributes, seats: int, deal: int, away: frozenset[int]) -> Round:
    """INIT, the deal numbered `deal`, as a Round without events and endings. Its `seed` is
    "round,honba,sticks,die,die,indicator"; the dice may be empty. `away` are the seats of absent
    players. Raises PaifuError when an attribute is missing or wrong.
    """
    seed = _fields(attributes, "seed", int, 0, 1000)
    if len(seed) != 6:
        raise PaifuError(f"a deal begins with six numbers, not {attributes.get('seed', '')[:30]!r}")
    number, honba, sticks, indicator = _complete((*seed[:3], seed[5]), "seed")
    if indicator >= TILES:
        raise PaifuError(f"there is no tile {indicator}")
    start = _fields(attributes, "ten", int, -MOST_HUNDREDS, MOST_HUNDREDS)[:seats]
    if len(start) < seats:
        raise PaifuError("a deal without the points of every seat")
    hands = tuple(_tiles(attributes, f"hai{seat}") for seat in range(seats))
    if any(len(hand) != 13 for hand in hands):
        raise PaifuError("a dealt hand has not 13 tiles")
    dealer = _optional(attributes, "oya", 0, seats - 1)
    dice: tuple[int, int] | None = None
    first_die, second_die = seed[3:5]
    if first_die is not None and second_die is not None:
        dice = (first_die, second_die)
    return Round(
        number,
        honba,
        sticks=sticks,
        dealer=number % 4 if dealer is None else dealer,
        indicator=indicator,
        start=tuple(ten * 100 for ten in _complete(start, "ten")),
        hands=hands,
        events=(),
        endings=(),
        dice=dice,
        deal=deal,
        away=away,
    )


def read_shuffle(attributes: Attributes, head: Head) -> None:
    head.seed = head.seed or attributes.get("seed", "")[:SEED_LENGTH]


def read_rules(attributes: Attributes, head: Head) -> None:
    """The rules. A second GO, or one after a deal, raises PaifuError."""
    if head.settled:
        raise PaifuError("the rules are there twice")
    head.settled = True
    head.rules = GameRules(_one(attributes, "type", 0, 0xFFFFFF))
    head.lobby = attributes.get("lobby", "")[:20]


def read_players(attributes: Attributes, head: Head) -> None:
    """The players' names, URL-encoded."""
    texts = (attributes.get(f"n{seat}", "") for seat in range(4))
    names = [unquote(text[: NAME_LENGTH * 12]) for text in texts]
    printable = ("".join(filter(str.isprintable, name)) for name in names)
    head.players = [canonical_name(name)[:NAME_LENGTH] for name in printable]
    head.dans = _fields(attributes, "dan", int, 0, 99)
    head.rates = _decimals(attributes, "rate")


def players_back(attributes: Attributes, head: Head) -> list[Away]:
    """The players that a later UN names: they are back."""
    seats = range(head.rules.seats)
    return [Away(seat, gone=False) for seat in seats if attributes.get(f"n{seat}")]


def _win(attributes: Attributes, head: Head) -> Win:
    ten = _fields(attributes, "ten", int, 0, MOST_POINTS)
    if len(ten) != 3:
        raise PaifuError("a win without fu, points and limit")
    fu, value, limit = ten
    if value is None:
        raise PaifuError("a win without fu, points and limit")
    yaku = _numbers(attributes, "yaku", 0, 1000)
    before, change = head.points(attributes)
    return Win(
        seat=head.seat(attributes),
        giver=head.seat(attributes, "fromWho"),
        hand=_tiles(attributes, "hai"),
        melds=tuple(map(decode, _listed(attributes, "m", 0, 0xFFFF))),
        tile=_one(attributes, "machi", 0, TILES - 1),
        fu=fu or 0,
        value=value,
        limit=limit or 0,
        yaku=tuple(zip(yaku[::2], yaku[1::2], strict=False)),
        yakuman=_listed(attributes, "yakuman", 0, 1000),
        dora=_tiles(attributes, "doraHai"),
        ura=_tiles(attributes, "doraHaiUra"),
        liable=_optional(attributes, "paoWho", 0, head.rules.seats - 1),
        before=before,
        change=change,
    )


def _no_win(attributes: Attributes, head: Head) -> NoWin:
    before, change = head.points(attributes)
    shown = (_tiles(attributes, f"hai{seat}") for seat in range(head.rules.seats))
    hands = tuple(tiles or None for tiles in shown)
    return NoWin(attributes.get("type", "")[:8], hands, before, change)


def _call(attributes: Attributes, head: Head) -> Call:
    seat = head.seat(attributes)
    return Call(seat, decode(_one(attributes, "m", 0, 0xFFFF)))


def _riichi(attributes: Attributes, head: Head) -> Riichi:
    seat = head.seat(attributes)
    return Riichi(seat, _one(attributes, "step", 1, 2))


def _new_dora(attributes: Attributes, head: Head) -> NewDora:
    return NewDora(_one(attributes, "hai", 0, TILES - 1))


READERS: dict[str, Callable[[Attributes, Head], Event | Win | NoWin]] = {
    "N": _call,
    "REACH": _riichi,
    "DORA": _new_dora,
    "AGARI": _win,
    "RYUUKYOKU": _no_win,
}
END_ELEMENTS = frozenset(("AGARI", "RYUUKYOKU"))
# Elements that are no part of a round's play: a fault in one of them costs no round.
GAME_ELEMENTS = frozenset(("SHUFFLE", "GO", "UN", "TAIKYOKU", "BYE"))
