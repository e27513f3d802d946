"""Reads an mjlog (Tenhou's game record), gzipped or not, into a Record.

This module unpacks the file, walks the XML and collects the rounds; `mjlog_elements` reads the
single elements. Unknown elements are skipped, since Tenhou adds new ones. A fault inside a round
drops that round and adds a line to `Record.problems`. A file without a readable round raises
PaifuError.

Reads the elements of an mjlog, from attributes (text) to plain values.

SHUFFLE: the walls' seed · GO: rules · UN: players (a later UN: a player is back) · INIT: a deal ·
N: a call · REACH: riichi · DORA: a new indicator · AGARI: a win · RYUUKYOKU: no win · BYE: a player
left. Points are in hundreds. A wrong element raises PaifuError.
"""

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import unquote
from xml.parsers import expat

from rating.names import canonical_name
from rating.paifu.record import (
    Away,
    Call,
    Discard,
    Draw,
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
from rating.paifu.table import check
from rating.paifu.tiles import TILES, PaifuError

Attributes = Mapping[str, str]
MOST_HUNDREDS = 100_000  # ten million points, more than any game has
NAME_LENGTH = 40
SEED_LENGTH = 8_000  # the longest known is 3,357 characters


def _numbers(attributes: Attributes, name: str, low: int, high: int) -> tuple[int, ...]:
    """The whole numbers, separated by commas, in an attribute; () without it.

    They are `low` to `high`.
    """
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
    """The data of the whole game, filled in element by element. `settled` is True once the rules
    can no longer change: after GO, or at the first deal."""

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

    def end(self, attributes: Attributes) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """(points before, change) by seat at a round's end; the game's end, where it is there, is
        kept. `sc` has both for each of four seats, in hundreds, then chips if any; `owari` (points
        in hundreds, score with uma) for each of four seats, then chips if any."""
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
    "round,honba,sticks,die,die,indicator". Raises PaifuError when an attribute is missing or wrong.
    """
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
        seed[0],
        seed[1],
        sticks=seed[2],
        dealer=_one(attributes, "oya", 0, seats - 1),
        indicator=seed[5],
        start=tuple(ten * 100 for ten in start[:seats]),
        hands=hands,
        events=(),
        endings=(),
        dice=(seed[3], seed[4]),
        deal=deal,
    )


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
    printable = ("".join(filter(str.isprintable, name)) for name in names)
    head.players = [canonical_name(name)[:NAME_LENGTH] for name in printable]
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
    "N": lambda attributes, head: Call(
        head.seat(attributes), decode(_one(attributes, "m", 0, 0xFFFF))
    ),
    "REACH": lambda attributes, head: Riichi(head.seat(attributes), _one(attributes, "step", 1, 2)),
    "DORA": lambda attributes, head: NewDora(_one(attributes, "hai", 0, TILES - 1)),
    "AGARI": _win,
    "RYUUKYOKU": _no_win,
}


# A long game is about 60 KB of XML. The limits leave ample room and stop a gzip bomb early.
PACKED_LIMIT = 2 * 1024 * 1024
PLAIN_LIMIT = 16 * 1024 * 1024
MOST_ELEMENTS = 50_000
DEEPEST = 4
LONGEST_TOKEN = 64 * 1024
_STEP = 16 * 1024

# All draw and discard elements: a letter for the seat (draws T U V W, discards D E F G) and the
# tile.
LETTERS = "TUVWDEFG"
DRAWS = {
    f"{letter}{tile}": Draw(seat, tile)
    for seat, letter in enumerate("TUVW")
    for tile in range(TILES)
}
# (from the hand, just drawn); the tile drawn before tells which of the two it is.
DISCARDS = {
    f"{letter}{tile}": (Discard(seat, tile, False), Discard(seat, tile, True))
    for seat, letter in enumerate("DEFG")
    for tile in range(TILES)
}


def parse(data: bytes) -> Record:
    """The record in the bytes of an mjlog file, gzipped or not. Raises PaifuError when no round can
    be read. Each round of the record has passed `table.check`: discards and winning hands agree."""
    xml, packing = unpack(data)
    reader = _Reader()
    problem = reader.walk(xml)
    reader.close()
    problems = [*reader.problems, *filter(None, (packing, problem))]
    if not reader.rounds:
        raise PaifuError(problems[0] if problems else "the record holds no round")
    record = reader.head.record(tuple(reader.rounds), tuple(problems[:100]), tuple(reader.unread))
    return replace(record, lost=reader.deals - len(reader.rounds) - len(reader.unread))


def unpack(data: bytes) -> tuple[bytes, str]:
    """The XML of a paifu, and what is wrong with its gzip data ("" when nothing is). A gzip stream
    that is cut or broken gives the part before the fault. Raises PaifuError when the data exceed a
    limit or hold nothing."""
    packed = data[:2] == b"\x1f\x8b"
    limit = PACKED_LIMIT if packed else PLAIN_LIMIT
    if len(data) > limit:
        raise PaifuError(f"the file is larger than {limit >> 20} MB: not a game record")
    if not packed:
        return data, ""
    stream = zlib.decompressobj(31)
    xml = bytearray()
    problem = ""
    try:
        for start in range(0, len(data), _STEP):
            xml += stream.decompress(data[start : start + _STEP], PLAIN_LIMIT + 1 - len(xml))
            if len(xml) > PLAIN_LIMIT:
                limit = PLAIN_LIMIT >> 20
                raise PaifuError(f"unpacked the file is larger than {limit} MB: not a game record")
            if stream.eof:
                break
        else:
            problem = "the gzip data end early"
    except zlib.error:
        problem = "the gzip data are broken"
    if not xml:
        raise PaifuError(problem or "the gzip file is empty")
    return bytes(xml), problem


class _Reader:
    """Receives the elements from expat, in the order of the file."""

    def __init__(self) -> None:
        self.head = Head()
        self.rounds: list[Round] = []
        self.unread: list[Round] = []
        self.deals = 0
        self.problems: list[str] = []
        self.elements = self.pieces = self.depth = self.heard = 0
        self.forget()

    def forget(self) -> None:
        self.opening: Round | None = None
        self.events: list[Event] = []
        self.endings: list[Win | NoWin] = []
        self.drawn = -1

    def walk(self, xml: bytes) -> str:
        """Read all elements; return "", or in words why the XML is cut or broken."""
        # Overrides the encoding the file declares, so no other codec is used.
        parser = expat.ParserCreate("UTF-8")
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.DefaultHandler = self.other
        parser.StartDoctypeDeclHandler = _refuse
        parser.EntityDeclHandler = _refuse
        try:
            for start in range(0, len(xml), LONGEST_TOKEN):
                self.heard = 0
                parser.Parse(xml[start : start + LONGEST_TOKEN], False)
                if not self.heard and len(xml) > LONGEST_TOKEN:
                    raise PaifuError("one element is longer than 64 KB: not a game record")
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            if not self.elements:
                raise PaifuError("not an mjlog: the file holds no XML of a game record") from None
            return (
                f"the file is cut or broken: {expat.ErrorString(error.code)}, line {error.lineno}"
            )
        return ""

    def other(self, text: str) -> None:
        self.heard += 1
        self.pieces += 1
        if self.pieces > MOST_ELEMENTS:
            raise PaifuError(f"more than {MOST_ELEMENTS} pieces of text: not a game record")

    def end(self, name: str) -> None:
        self.heard += 1
        self.depth -= 1

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.heard += 1
        self.depth += 1
        self.elements += 1
        if self.depth == 1:
            if name.lower() != "mjloggm":
                raise PaifuError(f"not an mjlog: its first element is <{name[:20]}>")
            self.head.version = attributes.get("ver", "")[:8]
            return
        if self.elements > MOST_ELEMENTS or self.depth > DEEPEST:
            raise PaifuError(
                f"more than {MOST_ELEMENTS} elements or {DEEPEST} levels: not a game record"
            )
        try:
            self.element(name, attributes)
        except PaifuError as error:
            self.lose(str(error))

    def element(self, name: str, attributes: dict[str, str]) -> None:
        """Read an element below the root.

        Nine tenths are draws and discards: first, from a table.
        """
        if (draw := DRAWS.get(name)) is not None:
            if self.opening is not None:
                self.drawn = draw.tile
                self.events.append(draw)
        elif (pair := DISCARDS.get(name)) is not None:
            if self.opening is not None:
                self.events.append(pair[pair[0].tile == self.drawn])
                self.drawn = -1
        elif name == "INIT":
            self.close()
            self.head.settled = True
            self.deals += 1
            self.opening = open_round(attributes, self.head.rules.seats, self.deals - 1)
        elif name in READERS:
            value = READERS[name](attributes, self.head)
            if self.opening is None:
                return
            if isinstance(value, Win | NoWin):
                self.endings.append(value)
            elif value is not None:
                self.events.append(value)
        elif name[0] in LETTERS and name[1:].isdigit():
            raise PaifuError(f"there is no tile <{name[:12]}>")

    def lose(self, reason: str) -> None:
        """Drop the round being read and note why; outside a round only note it."""
        name = self.opening.name if self.opening else f"after {len(self.rounds)} rounds"
        self.problems.append(f"{name}: {reason}")
        if self.opening is not None:
            self.unread.append(self.played(self.opening))
        self.forget()

    def played(self, opening: Round) -> Round:
        """The round being read, as far as it is."""
        return replace(opening, events=tuple(self.events), endings=tuple(self.endings))

    def close(self) -> None:
        """Keep the round that has just ended if it passes `check`; otherwise note why not."""
        if self.opening is None:
            return
        try:
            if not self.endings:
                raise PaifuError("the round has no ending")
            played = self.played(self.opening)
            check(played)
            self.rounds.append(played)
            self.forget()
        except PaifuError as error:
            self.lose(str(error))


def _refuse(*_: object) -> None:
    raise PaifuError("a game record has no DOCTYPE and no entities: refused")
