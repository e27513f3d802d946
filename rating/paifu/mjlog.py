"""Reads an mjlog (Tenhou's game record), gzipped or not, into a Record.

This module unpacks the file, walks the XML and collects the rounds; `mjlog_elements` reads the single
elements. Unknown elements are skipped, since Tenhou adds new ones. A fault inside a round drops that round
and adds a line to `Record.problems`. A file without a readable round raises PaifuError.
"""

import zlib
from dataclasses import replace
from xml.parsers import expat

from rating.paifu.mjlog_elements import READERS, Head, open_round
from rating.paifu.record import Discard, Draw, Event, NoWin, Record, Round, Win
from rating.paifu.table import check
from rating.paifu.tiles import TILES, PaifuError

# A long game is about 60 KB of XML. The limits leave ample room and stop a gzip bomb early.
PACKED_LIMIT = 2 * 1024 * 1024
PLAIN_LIMIT = 16 * 1024 * 1024
MOST_ELEMENTS = 50_000
DEEPEST = 4
LONGEST_TOKEN = 64 * 1024
_STEP = 16 * 1024

# All draw and discard elements: a letter for the seat (draws T U V W, discards D E F G) and the tile.
LETTERS = "TUVWDEFG"
DRAWS = {f"{letter}{tile}": Draw(seat, tile) for seat, letter in enumerate("TUVW") for tile in range(TILES)}
# (from the hand, just drawn); the tile drawn before tells which of the two it is.
DISCARDS = {
    f"{letter}{tile}": (Discard(seat, tile, False), Discard(seat, tile, True))
    for seat, letter in enumerate("DEFG")
    for tile in range(TILES)
}


def parse(data: bytes) -> Record:
    """The record in the bytes of an mjlog file, gzipped or not. Raises PaifuError when no round can be read.
    Each round of the record has passed `table.check`: discards and winning hands agree."""
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
    """The XML of a paifu, and what is wrong with its gzip data ("" when nothing is). A gzip stream that is
    cut or broken gives the part before the fault. Raises PaifuError when the data exceed a limit or hold
    nothing."""
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
            return f"the file is cut or broken: {expat.ErrorString(error.code)}, line {error.lineno}"
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
            raise PaifuError(f"more than {MOST_ELEMENTS} elements or {DEEPEST} levels: not a game record")
        try:
            self.element(name, attributes)
        except PaifuError as error:
            self.lose(str(error))

    def element(self, name: str, attributes: dict[str, str]) -> None:
        """Read an element below the root. Nine tenths are draws and discards: first, from a table."""
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
