"""Reads an mjlog (Tenhou's game record) into a Record.

This module walks the XML and collects the rounds; `mjlog_elements` reads the single elements.
Unknown elements are skipped, since Tenhou adds new ones. Broken XML is read element by element
(`broken_xml`), and an element that is there twice in a row counts once. A fault inside a round drops
that round and adds a line to `Record.problems`.
"""

import re
from collections.abc import Set
from dataclasses import replace
from urllib.parse import quote, unquote
from xml.parsers import expat

from rating.names import canonical_name
from rating.paifu.formats.broken_xml import LONGEST_ELEMENT, elements
from rating.paifu.formats.mjlog_elements import (
    END_ELEMENTS,
    GAME_ELEMENTS,
    READERS,
    Attributes,
    Head,
    open_round,
    players_back,
    read_players,
    read_rules,
    read_shuffle,
)
from rating.paifu.record import Away, Discard, Draw, Event, NoWin, Record, Round, Win
from rating.paifu.table import check
from rating.paifu.tiles import TILES, PaifuError

ENDINGS = (".mjlog", ".xml")
FOLDER_ENDINGS = (".log",)
MOST_ELEMENTS = 50_000
DEEPEST = 4
_FIRST_BYTES = 1024
_VALUE = re.compile(rb'="([^"]*)"')  # of an attribute
_BLANKS = b"\xef\xbb\xbf \r\n\t"  # a byte order mark and white space

# All draw and discard elements: a letter for the seat (draws T U V W, discards D E F G) and the
# tile.
LETTERS = "TUVWDEFG"
DRAWS = {
    f"{letter}{tile}": Draw(seat, tile)
    for seat, letter in enumerate("TUVW")
    for tile in range(TILES)
}
# (from the hand, just drawn); the tile drawn before decides which of the two it is.
DISCARDS = {
    f"{letter}{tile}": (Discard(seat, tile, False), Discard(seat, tile, True))
    for seat, letter in enumerate("DEFG")
    for tile in range(TILES)
}


def recognises(data: bytes) -> bool:
    """Whether the bytes begin as XML, or the first element of an mjlog comes soon after other
    text."""
    if data.lstrip(_BLANKS).startswith((b"<mjlog", b"<?xml")):
        return True
    return b"<mjloggm" in data[:_FIRST_BYTES].lower()


def read(data: bytes) -> Record:
    """The record in the XML of an mjlog. Raises PaifuError when no round can be read. Each round of
    the record has passed `table.check`: discards and winning hands agree."""
    reader = _Reader()
    problem = ""
    try:
        _read_sound(data, reader)
    except expat.ExpatError as error:
        reader = _Reader()
        _read_broken(data, reader)
        problem = f"the file is cut or broken: {expat.ErrorString(error.code)}, line {error.lineno}"
    reader.close()
    problems = reader.problems
    was_repaired = not problems and reader.head.final is not None  # every element was
    if problem and not was_repaired:
        problems = [*problems, problem]
    if not reader.rounds:
        raise PaifuError(problems[0] if problems else "the record holds no round")
    record = reader.head.record(
        rounds=tuple(reader.rounds),
        problems=tuple(problems[:100]),
        unread=tuple(reader.unread),
    )
    return replace(record, lost=reader.deals - len(reader.rounds) - len(reader.unread))


def rename_player(data: bytes, names: Set[str], new: str) -> bytes:
    """The XML with the name `new` for a player who has one of these canonical names."""

    def renamed(attribute: re.Match[bytes]) -> bytes:
        name = canonical_name(unquote(attribute[1].decode("utf-8", "replace")))
        if name in names:
            return f'="{quote(new)}"'.encode()
        return attribute[0]

    return _VALUE.sub(renamed, data)


class _Reader:
    """Receives the elements of a file in order."""

    def __init__(self) -> None:
        self.head = Head()
        self.rounds: list[Round] = []
        self.unread: list[Round] = []
        self.deals = 0
        self.problems: list[str] = []
        self.elements = 0
        self.depth = 0
        self.away: set[int] = set()  # the seats of absent players
        self.last: tuple[str, Attributes] | None = None  # the last element
        self.forget()

    def forget(self) -> None:
        self.opening: Round | None = None
        self.events: list[Event] = []
        self.endings: list[Win | NoWin] = []
        self.drawn = -1

    def end(self, name: str) -> None:
        self.depth -= 1

    def start(self, name: str, attributes: Attributes, fault: str = "") -> None:
        """Read an element. `fault` is the reason why its XML can't be relied on, "" for none."""
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
        if self.last == (name, attributes) and not fault:
            return
        self.last = (name, attributes)
        try:
            if name in GAME_ELEMENTS:
                self.read_aside(name, attributes)
                self.note(fault)
            else:
                self.read_play(name, attributes, fault)
        except PaifuError as error:
            if name in GAME_ELEMENTS:
                self.note(str(error))
            else:
                self.lose(str(error))

    def read_aside(self, name: str, attributes: Attributes) -> None:
        """Read an element of the whole game, or of a player who left or is back."""
        if name == "SHUFFLE":
            read_shuffle(attributes, self.head)
        elif name == "GO":
            read_rules(attributes, self.head)
        elif name == "BYE":
            self.move(Away(self.head.seat(attributes), gone=True))
        elif name == "UN" and not self.head.players:
            read_players(attributes, self.head)
        elif name == "UN":
            for event in players_back(attributes, self.head):
                self.move(event)

    def move(self, event: Away) -> None:
        """A player leaves or is back; after a round's ending this belongs to the next one."""
        event.update(self.away)
        if self.opening is not None and not self.endings:
            self.events.append(event)

    def read_play(self, name: str, attributes: Attributes, fault: str) -> None:
        """Read an element of a round. Nine tenths are draws and discards: first, from a table."""
        if (draw := DRAWS.get(name)) is not None:
            if self.endings:
                self.miss_deal()
            if self.opening is not None:
                self.drawn = draw.tile
                self.events.append(draw)
        elif (pair := DISCARDS.get(name)) is not None:
            if self.opening is not None:
                from_hand, just_drawn = pair
                if from_hand.tile == self.drawn:
                    self.events.append(just_drawn)
                else:
                    self.events.append(from_hand)
                self.drawn = -1
        elif name == "INIT":
            self.deal(attributes, fault)
        elif name in END_ELEMENTS:
            self.read_end(attributes)
            self.check_fault(fault)
            self.add(READERS[name](attributes, self.head))
        else:
            self.check_fault(fault)
            if name in READERS:
                self.add(READERS[name](attributes, self.head))
            elif name[0] in LETTERS and name[1:].isdigit():
                raise PaifuError(f"there is no tile <{name[:12]}>")

    def check_fault(self, fault: str) -> None:
        if fault:
            raise PaifuError(fault)

    def deal(self, attributes: Attributes, fault: str) -> None:
        """Open the next round."""
        self.close()
        self.head.settled = True
        self.head.go_on()
        self.deals += 1
        self.check_fault(fault)
        away = frozenset(self.away)
        self.opening = open_round(attributes, self.head.rules.seats, self.deals - 1, away)

    def miss_deal(self) -> None:
        """Close a round after whose ending play goes on: the next deal is missing."""
        self.close()
        self.head.go_on()
        self.deals += 1
        self.note("a deal is missing")

    def read_end(self, attributes: Attributes) -> None:
        """Read the game's end, which may be sound in an element that is not."""
        try:
            self.head.read_end(attributes)
        except PaifuError as error:
            self.note(str(error))

    def add(self, value: Event | Win | NoWin) -> None:
        if self.opening is None:
            return
        if isinstance(value, Win | NoWin):
            self.endings.append(value)
        else:
            self.events.append(value)

    def note(self, problem: str) -> None:
        """Add a problem ("" for none) to those of the record, with its round."""
        if problem:
            name = self.opening.name if self.opening else f"after {len(self.rounds)} rounds"
            self.problems.append(f"{name}: {problem}")

    def lose(self, reason: str) -> None:
        """Drop the round being read and note why; outside a round only note it."""
        self.note(reason)
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


class _Strict:
    """Limits on what expat reads at once and outside of elements."""

    def __init__(self, reader: _Reader) -> None:
        self.reader = reader
        self.pieces = 0
        self.calls = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.calls += 1
        self.reader.start(name, attributes)

    def end(self, name: str) -> None:
        self.calls += 1
        self.reader.end(name)

    def other(self, text: str) -> None:
        self.calls += 1
        self.pieces += 1
        if self.pieces > MOST_ELEMENTS:
            raise PaifuError(f"more than {MOST_ELEMENTS} pieces of text: not a game record")


def _read_sound(xml: bytes, reader: _Reader) -> None:
    """Read all elements of a well-formed file. Raises ExpatError at the first fault of the XML."""
    # Overrides the encoding the file declares, so no other codec is used.
    parser = expat.ParserCreate("UTF-8")
    handlers = _Strict(reader)
    parser.StartElementHandler = handlers.start
    parser.EndElementHandler = handlers.end
    parser.DefaultHandler = handlers.other
    parser.StartDoctypeDeclHandler = _refuse
    parser.EntityDeclHandler = _refuse
    for start in range(0, len(xml), LONGEST_ELEMENT):
        handlers.calls = 0
        parser.Parse(xml[start : start + LONGEST_ELEMENT], False)
        if not handlers.calls and len(xml) > LONGEST_ELEMENT:
            raise PaifuError("one element is longer than 64 KB: not a game record")
    parser.Parse(b"", True)


def _read_broken(xml: bytes, reader: _Reader) -> None:
    """Read all elements of a file that is no well-formed XML. A deal at which the file is cut is
    none. Raises PaifuError where it is no record."""
    for element in elements(xml):
        if element.cut and element.name == "INIT":
            continue
        reader.start(element.name, element.attributes, element.fault)
        if reader.elements > 1:
            reader.end(element.name)
    if not reader.elements:
        raise PaifuError("not an mjlog: the file holds no XML of a game record")


def _refuse(*_: object) -> None:
    raise PaifuError("a game record has no DOCTYPE and no entities: refused")
