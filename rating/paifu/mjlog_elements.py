"""Reads the elements of an mjlog, one function each, from attributes (text) to plain values.

SHUFFLE: the walls' seed · GO: rules · UN: players (a later UN: a player is back) · INIT: a deal · N: a call ·
REACH: riichi · DORA: a new indicator · AGARI: a win · RYUUKYOKU: no win · BYE: a player left. Points are in
hundreds. A wrong element raises PaifuError.
"""

from __future__ import annotations

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


def numbers(text: str, low: int, high: int) -> tuple[int, ...]:
    """The whole numbers in `text`. Raises PaifuError when one is no number or not between `low` and
    `high`."""
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


def tiles(text: str) -> tuple[int, ...]:
    """The tiles (0-135) in `text`. Raises PaifuError when one is no tile or is there twice."""
    found = numbers(text, 0, TILES - 1)
    if len(set(found)) != len(found):
        raise PaifuError(f"a tile stands twice: {text[:30]!r}")
    return found


def decimals(text: str) -> tuple[float, ...]:
    """The decimal numbers in `text`. Raises PaifuError when one is no number or too large."""
    try:
        found = tuple(float(part) for part in text[:2000].split(",") if part)
    except ValueError:
        raise PaifuError(f"not numbers: {text[:30]!r}") from None
    if not all(abs(number) < 1e7 for number in found):
        raise PaifuError(f"out of range: {text[:30]!r}")
    return found


Attributes = Mapping[str, str]
MOST_HUNDREDS = 100_000  # ten million points, more than any game has
NAME_LENGTH = 40
SEED_LENGTH = 8_000  # the longest known is 3,357 characters


@dataclass(slots=True)
class Head:
    """The data of the whole game, filled in element by element.

    `settled` is True once the rules can no longer change: after GO, or at the first deal.
    """

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
        self, rounds: tuple[Round, ...], problems: tuple[str, ...], unread: tuple[Round, ...] = ()
    ) -> Record:
        """The record with these rounds and problems; a player without a name is called by the seat."""
        seats = self.rules.seats
        names = [*self.players, "", "", "", ""][:seats]
        players = tuple(name or f"席{seat + 1}" for seat, name in enumerate(names))
        return Record(
            self.rules, players, rounds=rounds, version=self.version, lobby=self.lobby,
            dans=self.dans[:seats], rates=self.rates[:seats], final=self.final, scores=self.scores,
            chips=self.chips, problems=problems, seed=self.seed, unread=unread,
        )  # fmt: skip


def _one(attributes: Attributes, name: str, low: int, high: int) -> int:
    found = numbers(attributes.get(name, ""), low, high)
    if len(found) != 1:
        raise PaifuError(f"{name} must be one number, not {attributes.get(name, '')[:20]!r}")
    return found[0]


def _seat(attributes: Attributes, name: str, head: Head) -> int:
    return _one(attributes, name, 0, head.rules.seats - 1)


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
    names = {seat: attributes[f"n{seat}"] for seat in range(4) if f"n{seat}" in attributes}
    if head.players:
        back = next((seat for seat in names if seat < head.rules.seats), None)
        return None if back is None else Away(back, gone=False)
    head.players = [_name(names.get(seat, "")) for seat in range(4)]
    head.dans = numbers(attributes.get("dan", ""), 0, 99)
    head.rates = decimals(attributes.get("rate", ""))
    return None


def _name(text: str) -> str:
    name = unquote(text[: NAME_LENGTH * 12])
    return "".join(sign for sign in name if sign.isprintable())[:NAME_LENGTH]


def _bye(attributes: Attributes, head: Head) -> Event:
    return Away(_seat(attributes, "who", head), gone=True)


def open_round(attributes: Attributes, seats: int, deal: int = 0) -> Round:
    """INIT, the deal numbered `deal`, as a Round without events and endings.

    Its `seed` is "round,honba,sticks,die,die,indicator".

    Raises PaifuError when an attribute is missing or wrong.
    """
    seed = numbers(attributes.get("seed", ""), 0, 1000)
    if len(seed) != 6 or seed[5] >= TILES:
        raise PaifuError(f"a deal begins with six numbers, not {attributes.get('seed', '')[:30]!r}")
    start = numbers(attributes.get("ten", ""), -MOST_HUNDREDS, MOST_HUNDREDS)
    if len(start) < seats:
        raise PaifuError("a deal without the points of every seat")
    hands = tuple(tiles(attributes.get(f"hai{seat}", "")) for seat in range(seats))
    if any(len(hand) != 13 for hand in hands):
        raise PaifuError("a dealt hand has not 13 tiles")
    dealer = _one(attributes, "oya", 0, seats - 1)
    points = tuple(ten * 100 for ten in start[:seats])
    return Round(
        seed[0],
        seed[1],
        sticks=seed[2],
        dealer=dealer,
        indicator=seed[5],
        start=points,
        hands=hands,
        events=(),
        endings=(),
        dice=(seed[3], seed[4]),
        deal=deal,
    )


def _call(attributes: Attributes, head: Head) -> Event:
    return Call(_seat(attributes, "who", head), decode(_one(attributes, "m", 0, 0xFFFF)))


def _riichi(attributes: Attributes, head: Head) -> Event:
    return Riichi(_seat(attributes, "who", head), _one(attributes, "step", 1, 2))


def _dora(attributes: Attributes, head: Head) -> Event:
    return NewDora(_one(attributes, "hai", 0, TILES - 1))


def _points(attributes: Attributes, head: Head) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """(points before, change) by seat, from `sc`: both for each of four seats, in hundreds, then chips if
    any."""
    found = numbers(attributes.get("sc", ""), -MOST_HUNDREDS, MOST_HUNDREDS)
    seats = head.rules.seats
    if len(found) < 2 * seats:
        raise PaifuError("an ending without the points of every seat")
    pairs = [(found[2 * seat] * 100, found[2 * seat + 1] * 100) for seat in range(seats)]
    return tuple(before for before, _ in pairs), tuple(change for _, change in pairs)


def _final(attributes: Attributes, head: Head) -> None:
    """The end, from `owari`: (points in hundreds, score with uma) for each of four seats, then chips if
    any."""
    found = decimals(attributes.get("owari", ""))
    seats = head.rules.seats
    if len(found) >= 2 * seats:
        head.final = tuple(round(found[2 * seat] * 100) for seat in range(seats))
        head.scores = tuple(found[2 * seat + 1] for seat in range(seats))
    if len(found) >= 8 + 2 * seats:
        head.chips = tuple(round(found[8 + 2 * seat]) for seat in range(seats))


def _win(attributes: Attributes, head: Head) -> Win:
    ten = numbers(attributes.get("ten", ""), 0, 10_000_000)
    if len(ten) != 3:
        raise PaifuError("a win without fu, points and limit")
    yaku = numbers(attributes.get("yaku", ""), 0, 1000)
    before, change = _points(attributes, head)
    _final(attributes, head)
    return Win(
        seat=_seat(attributes, "who", head),
        giver=_seat(attributes, "fromWho", head),
        hand=tiles(attributes.get("hai", "")),
        melds=tuple(decode(code) for code in numbers(attributes.get("m", ""), 0, 0xFFFF)),
        tile=_one(attributes, "machi", 0, TILES - 1),
        fu=ten[0],
        value=ten[1],
        limit=ten[2],
        yaku=tuple(zip(yaku[::2], yaku[1::2], strict=False)),
        yakuman=numbers(attributes.get("yakuman", ""), 0, 1000),
        dora=tiles(attributes.get("doraHai", "")),
        ura=tiles(attributes.get("doraHaiUra", "")),
        liable=_seat(attributes, "paoWho", head) if "paoWho" in attributes else None,
        before=before,
        change=change,
    )


def _no_win(attributes: Attributes, head: Head) -> NoWin:
    before, change = _points(attributes, head)
    _final(attributes, head)
    shown = tuple(
        tiles(attributes[f"hai{seat}"]) if f"hai{seat}" in attributes else None
        for seat in range(head.rules.seats)
    )
    return NoWin(attributes.get("type", "")[:8], shown, before, change)


Reader = Callable[[Attributes, Head], "Event | Win | NoWin | None"]

READERS: dict[str, Reader] = {
    "SHUFFLE": _shuffle,
    "GO": _go,
    "UN": _un,
    "BYE": _bye,
    "N": _call,
    "REACH": _riichi,
    "DORA": _dora,
    "AGARI": _win,
    "RYUUKYOKU": _no_win,
}
