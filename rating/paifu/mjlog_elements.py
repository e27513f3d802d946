"""Reads the elements of an mjlog, from attributes (text) to plain values.

SHUFFLE: the walls' seed · GO: rules · UN: players (a later UN: a player is back) · INIT: a deal · N: a call ·
REACH: riichi · DORA: a new indicator · AGARI: a win · RYUUKYOKU: no win · BYE: a player left. Points are in
hundreds. A wrong element raises PaifuError.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

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
    decode,
)
from rating.paifu.tiles import TILES, PaifuError

Attributes = Mapping[str, str]
MOST_HUNDREDS = 100_000  # ten million points, more than any game has
NAME_LENGTH = 40
SEED_LENGTH = 8_000  # the longest known is 3,357 characters


def _numbers(attributes: Attributes, name: str, low: int, high: int) -> tuple[int, ...]:
    """The whole numbers, separated by commas, in an attribute; () without it. They are `low` to `high`."""
    text = attributes.get(name, "")
    if not text:
        return ()
    if len(text) > 2000:
        raise PaifuError("a list of numbers is far too long")
    try:
        found = tuple(map(int, text.split(",")))
    except ValueError:
        raise PaifuError(f"not numbers: {text[:30]!r}") from None
    if min(found) < low or max(found) > high:
        raise PaifuError(f"out of range: {text[:30]!r}")
    return found


def _tiles(attributes: Attributes, name: str) -> tuple[int, ...]:
    found = _numbers(attributes, name, 0, TILES - 1)
    if len(set(found)) != len(found):
        raise PaifuError(f"a tile stands twice: {attributes[name][:30]!r}")
    return found


def _decimals(attributes: Attributes, name: str) -> tuple[float, ...]:
    text = attributes.get(name, "")
    try:
        found = tuple(float(part) for part in text[:2000].split(",") if part)
    except ValueError:
        raise PaifuError(f"not numbers: {text[:30]!r}") from None
    if not all(abs(number) < 1e7 for number in found):
        raise PaifuError(f"out of range: {text[:30]!r}")
    return found


def _one(attributes: Attributes, name: str, low: int, high: int) -> int:
    found = _numbers(attributes, name, low, high)
    if len(found) != 1:
        raise PaifuError(f"{name} must be one number, not {attributes.get(name, '')[:20]!r}")
    return found[0]


@dataclass(slots=True)
class Head:
    """The data of the whole game, filled in element by element. `settled` is True once the rules can no
    longer change: after GO, or at the first deal."""

    version: str = ""
    rules: GameRules = field(default_factory=GameRules)
    settled: bool = False
    lobby: str = ""
    players: list[str] = field(default_factory=list)
    dans: tuple[int, ...] = ()
    rates: tuple[float, ...] = ()
    final: tuple[int, ...] | None = None
    scores: tuple[float, ...] | None = None
    chips: tuple[int, ...] | None = None
    seed: str = ""

    def record(
        self, rounds: tuple[Round, ...], problems: tuple[str, ...], unread: tuple[Round, ...]
    ) -> Record:
        """The record with these rounds and problems; a player without a name is called by the seat."""
        seats = self.rules.seats
        names = enumerate([*self.players, "", "", "", ""][:seats], 1)
        players = tuple(name or f"席{seat}" for seat, name in names)
        return Record(
            self.rules, players, rounds=rounds, version=self.version, lobby=self.lobby,
            dans=self.dans[:seats], rates=self.rates[:seats], final=self.final, scores=self.scores,
            chips=self.chips, problems=problems, seed=self.seed, unread=unread,
        )  # fmt: skip

    def seat(self, attributes: Attributes, name: str = "who") -> int:
        return _one(attributes, name, 0, self.rules.seats - 1)

    def end(self, attributes: Attributes) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """(points before, change) by seat at a round's end; the game's end, where it is there, is kept. `sc`
        has both for each of four seats, in hundreds, then chips if any; `owari` (points in hundreds, score
        with uma) for each of four seats, then chips if any."""
        found = _numbers(attributes, "sc", -MOST_HUNDREDS, MOST_HUNDREDS)
        size = 2 * self.rules.seats
        if len(found) < size:
            raise PaifuError("an ending without the points of every seat")
        owari = _decimals(attributes, "owari")
        if len(owari) >= size:
            self.final = tuple(round(points * 100) for points in owari[:size:2])
            self.scores = owari[1:size:2]
        if len(owari) >= 8 + size:
            self.chips = tuple(round(chips) for chips in owari[8 : 8 + size : 2])
        points = tuple(100 * hundreds for hundreds in found[:size])
        return points[::2], points[1::2]


def open_round(attributes: Attributes, seats: int, deal: int) -> Round:
    """INIT, the deal numbered `deal`, as a Round without events and endings. Its `seed` is
    "round,honba,sticks,die,die,indicator". Raises PaifuError when an attribute is missing or wrong."""
    seed = _numbers(attributes, "seed", 0, 1000)
    if len(seed) != 6 or seed[5] >= TILES:
        raise PaifuError(f"a deal begins with six numbers, not {attributes.get('seed', '')[:30]!r}")
    start = _numbers(attributes, "ten", -MOST_HUNDREDS, MOST_HUNDREDS)
    if len(start) < seats:
        raise PaifuError("a deal without the points of every seat")
    hands = tuple(_tiles(attributes, f"hai{seat}") for seat in range(seats))
    if any(len(hand) != 13 for hand in hands):
        raise PaifuError("a dealt hand has not 13 tiles")
    return Round(
        seed[0], seed[1], sticks=seed[2], dealer=_one(attributes, "oya", 0, seats - 1), indicator=seed[5],
        start=tuple(ten * 100 for ten in start[:seats]), hands=hands, events=(), endings=(),
        dice=(seed[3], seed[4]), deal=deal,
    )  # fmt: skip


def _shuffle(attributes: Attributes, head: Head) -> None:
    head.seed = head.seed or attributes.get("seed", "")[:SEED_LENGTH]


def _go(attributes: Attributes, head: Head) -> None:
    """The rules. A second GO, or one after a deal, raises PaifuError."""
    if head.settled:
        raise PaifuError("the rules stand twice")
    head.settled = True
    head.rules = GameRules(_one(attributes, "type", 0, 0xFFFFFF))
    head.lobby = attributes.get("lobby", "")[:20]


def _un(attributes: Attributes, head: Head) -> Event | None:
    """The players' names, URL-encoded. A later UN holds the name of the seat that is back."""
    if head.players:
        back = next((seat for seat in range(head.rules.seats) if f"n{seat}" in attributes), None)
        return None if back is None else Away(back, gone=False)
    names = [unquote(attributes.get(f"n{seat}", "")[: NAME_LENGTH * 12]) for seat in range(4)]
    head.players = ["".join(filter(str.isprintable, name))[:NAME_LENGTH] for name in names]
    head.dans = _numbers(attributes, "dan", 0, 99)
    head.rates = _decimals(attributes, "rate")
    return None


def _win(attributes: Attributes, head: Head) -> Win:
    ten = _numbers(attributes, "ten", 0, 10_000_000)
    if len(ten) != 3:
        raise PaifuError("a win without fu, points and limit")
    yaku = _numbers(attributes, "yaku", 0, 1000)
    before, change = head.end(attributes)
    return Win(
        seat=head.seat(attributes),
        giver=head.seat(attributes, "fromWho"),
        hand=_tiles(attributes, "hai"),
        melds=tuple(map(decode, _numbers(attributes, "m", 0, 0xFFFF))),
        tile=_one(attributes, "machi", 0, TILES - 1),
        fu=ten[0],
        value=ten[1],
        limit=ten[2],
        yaku=tuple(zip(yaku[::2], yaku[1::2], strict=False)),
        yakuman=_numbers(attributes, "yakuman", 0, 1000),
        dora=_tiles(attributes, "doraHai"),
        ura=_tiles(attributes, "doraHaiUra"),
        liable=head.seat(attributes, "paoWho") if "paoWho" in attributes else None,
        before=before,
        change=change,
    )


def _no_win(attributes: Attributes, head: Head) -> NoWin:
    before, change = head.end(attributes)
    names = [f"hai{seat}" for seat in range(head.rules.seats)]
    shown = tuple(_tiles(attributes, name) if name in attributes else None for name in names)
    return NoWin(attributes.get("type", "")[:8], shown, before, change)


READERS: dict[str, Callable[[Attributes, Head], Event | Win | NoWin | None]] = {
    "SHUFFLE": _shuffle,
    "GO": _go,
    "UN": _un,
    "BYE": lambda attributes, head: Away(head.seat(attributes), gone=True),
    "N": lambda attributes, head: Call(head.seat(attributes), decode(_one(attributes, "m", 0, 0xFFFF))),
    "REACH": lambda attributes, head: Riichi(head.seat(attributes), _one(attributes, "step", 1, 2)),
    "DORA": lambda attributes, head: NewDora(_one(attributes, "hai", 0, TILES - 1)),
    "AGARI": _win,
    "RYUUKYOKU": _no_win,
}
