"""Reads what is written of the whole game: players, rules, time and final points.

Only the names and the rounds are certain to be there. Every converter writes the rules in another
way, so seats and length come from the rounds where the rules do not name them.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import product
from typing import Any, NamedTuple

from rating.logdates import JST
from rating.names import canonical_name
from rating.paifu.formats.tenhou6.copies import RedFives
from rating.paifu.formats.tenhou6.values import MOST_POINTS, listed
from rating.paifu.formats.tenhou6.words import RED_FACES
from rating.paifu.record import GamePlatform, GameRules
from rating.paifu.tiles import PaifuError

NAME_LENGTH = 40
MOST_RED = 4  # fives of a suit
ITEMS_OF_THREE = 14  # of a round without a place for the fourth seat
ITEMS_OF_FOUR = 17
FOURTH_HAND = 13  # its place in a round
FIRST_SOUTH = 4  # the number of the first round of south
_PEOPLE = 1
_NO_RED = 2
_SOUTH = 8
_THREE_SEATS = 0x10
_OTHER_BITS = (_NO_RED, 4, _SOUTH, _THREE_SEATS, 0x20, 0x40, 0x80, 0x200, 0x400)
_TENHOU_ID = re.compile(r"[0-9]{10}gm-[0-9a-f]{4}-[0-9a-z]{4,5}-[0-9a-f]{8}")
_MAHJONG_SOUL_ID = re.compile(r"[0-9]{6}-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_MAHJONG_SOUL_ROOM = re.compile(r"の間|友人戦|大会戦|\bRoom\b|Friendly|Tourn?ament|3-Player")
_ENGLISH_SOUTH = re.compile(r"\bSouth\b")
_ENGLISH_EAST = re.compile(r"\bEast\b")

Game = dict[str, Any]


def _rule_bits() -> dict[str, int]:
    """The bits of every rule as Tenhou writes it, with and without the number of seats."""
    bits_of: dict[str, int] = {}
    for chosen in product((False, True), repeat=len(_OTHER_BITS)):
        bits = _PEOPLE + sum(bit for bit, is_set in zip(_OTHER_BITS, chosen, strict=True) if is_set)
        name = GameRules(bits).name.replace("－", "")
        bits_of.setdefault(name, bits)
        bits_of.setdefault(name.removeprefix("四"), bits)
    return bits_of


_RULE_BITS = _rule_bits()


class FinalPoints(NamedTuple):
    """The points of each seat at the game's end, and its result with uma, in thousands."""

    points: tuple[int, ...]
    results: tuple[float, ...]


class GameHead(NamedTuple):
    rules: GameRules
    players: tuple[str, ...]
    red_fives: RedFives
    version: str
    lobby: str
    end: FinalPoints | None
    platform: GamePlatform
    played_at: datetime | None
    notes: tuple[str, ...]

    @property
    def seats(self) -> int:
        return self.rules.seats

    @property
    def scores(self) -> tuple[float, ...] | None:
        if self.end is None:
            return None
        return self.end.results


def read_head(game: Game) -> GameHead:
    """The head of a game; a fault in a part that is not needed is a note."""
    log = game["log"]
    rule = game.get("rule")
    if not isinstance(rule, dict):
        rule = {}
    shown_rule = _text(rule.get("disp"))
    platform = _platform(game, shown_rule)
    seats = _seats(log)
    red_fives = _red_fives(rule, shown_rule, log)
    notes = []
    if max(red_fives) > 1:
        notes.append("there are two red fives of one kind: the second is shown as a plain one")
    end = _read_end(game.get("sc"), seats)
    if end is None and game.get("sc"):
        notes.append("the final points can't be read")
    return GameHead(
        rules=GameRules(_bits(shown_rule, seats, red_fives, log)),
        players=_players(game.get("name"), seats),
        red_fives=red_fives,
        version=str(game.get("ver", ""))[:8],
        lobby=_lobby(game.get("lobby")),
        end=end,
        platform=platform,
        played_at=_time(game.get("title")),
        notes=tuple(notes),
    )


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return ""


def _platform(game: Game, shown_rule: str) -> GamePlatform:
    """Where the game was played: by its id, the name of its rule, or a converter's own names."""
    game_id = _text(game.get("ref"))
    if _TENHOU_ID.fullmatch(game_id):
        return GamePlatform.TENHOU
    if _MAHJONG_SOUL_ID.fullmatch(game_id) or "playerMapping" in game:
        return GamePlatform.MAHJONG_SOUL
    if _MAHJONG_SOUL_ROOM.search(shown_rule):
        return GamePlatform.MAHJONG_SOUL
    return GamePlatform.UNKNOWN


def _seats(log: Sequence[Any]) -> int:
    """Three where no round has tiles in the place of a fourth seat."""
    rounds = [played for played in log if isinstance(played, list)]
    lengths = {len(played) for played in rounds}
    if not lengths & {ITEMS_OF_THREE, ITEMS_OF_FOUR}:
        raise PaifuError("no round has the tiles of three or four seats")
    for played in rounds:
        fourth_hand = played[FOURTH_HAND : ITEMS_OF_FOUR - 1]
        if len(played) == ITEMS_OF_FOUR and any(fourth_hand):
            return 4
    return 3


def _red_fives(rule: Game, shown_rule: str, log: Sequence[Any]) -> RedFives:
    """How many red fives there are, by the rule; without it one of each where any appears."""
    in_every_suit = rule.get("aka")
    counts = []
    for face in RED_FACES:
        value = rule.get(f"aka{face}", in_every_suit)
        if isinstance(value, int):
            counts.append(min(max(value, 0), MOST_RED))
    if len(counts) == len(RED_FACES):
        return RedFives(*counts)
    has_red = "赤" in shown_rule or any(map(_has_red, _parts(log)))
    count = int(has_red)
    return RedFives(count, count, count)


def _parts(log: Sequence[Any]) -> list[Any]:
    """The single numbers and words of all rounds."""
    parts: list[Any] = []
    for played in log:
        if not isinstance(played, list):
            continue
        for item in played[2:-1]:
            if isinstance(item, list):
                parts += item
    return parts


def _has_red(part: Any) -> bool:
    if isinstance(part, str):
        return re.search("5[123]", part) is not None and part.isascii()
    return part in RED_FACES


def _bits(shown_rule: str, seats: int, red_fives: RedFives, log: Sequence[Any]) -> int:
    """The rules as bits of `GameRules`. Seats and red fives are those of the tiles, whatever the
    name of the rule is."""
    bits = _RULE_BITS.get(shown_rule)
    if bits is None:
        bits = _PEOPLE
        if _has_south(shown_rule, log):
            bits |= _SOUTH
    bits &= ~(_THREE_SEATS | _NO_RED)
    if seats == 3:
        bits |= _THREE_SEATS
    if not any(red_fives):
        bits |= _NO_RED
    return bits


def _has_south(shown_rule: str, log: Sequence[Any]) -> bool:
    """Whether south is played too, by the name of the rule or else by the rounds."""
    if "南" in shown_rule or _ENGLISH_SOUTH.search(shown_rule):
        return True
    if "東" in shown_rule or _ENGLISH_EAST.search(shown_rule):
        return False
    for played in log:
        with suppress(TypeError, IndexError, KeyError):
            if played[0][0] >= FIRST_SOUTH:
                return True
    return False


def _players(names: Any, seats: int) -> tuple[str, ...]:
    """The players' names; a player without one is called by the seat."""
    texts = [_text(name) for name in listed(names, "the players' names")]
    texts += [""] * seats
    players = []
    for seat, text in enumerate(texts[:seats], 1):
        printable = "".join(filter(str.isprintable, text[: 4 * NAME_LENGTH]))
        players.append(canonical_name(printable)[:NAME_LENGTH] or f"席{seat}")
    return tuple(players)


def _lobby(value: Any) -> str:
    if value in (None, "", 0):
        return ""
    return str(value)[:20]


def _read_end(numbers: Any, seats: int) -> FinalPoints | None:
    """The points and results that stand by turns; None where they are not there or wrong."""
    if not isinstance(numbers, list) or len(numbers) < 2 * seats:
        return None
    pairs = numbers[: 2 * seats]
    if not all(_is_number(value) for value in pairs):
        return None
    points = tuple(round(value) for value in pairs[::2])
    results = tuple(float(value) for value in pairs[1::2])
    return FinalPoints(points, results)


def _is_number(value: Any) -> bool:
    is_numeric = isinstance(value, int | float) and not isinstance(value, bool)
    return is_numeric and abs(value) <= MOST_POINTS


def _time(title: Any) -> datetime | None:
    """The time in the second part of the title (JST): seconds since 1970, an HTTP date, or local
    time. None where there is none."""
    if not isinstance(title, list) or len(title) < 2:
        return None
    _, value, *_ = title
    with suppress(ValueError, OverflowError, OSError, TypeError):
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            return datetime.fromtimestamp(value, UTC).astimezone(JST)
    text = _text(value)[:40].strip()
    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        with suppress(ValueError, OverflowError, TypeError):
            moment = parse(text)
            if moment.tzinfo is None:
                return moment.replace(tzinfo=JST)
            return moment.astimezone(JST)
    return None
