"""Compare lines of season logs: whether two of them are the same game.

Equal lines are (`identity`), on the same day or within FORGOTTEN after it, because people forget to
type dates (`covers_day`). A line of a room's own results has the game's `content` and a time near
its start (`nearness`).

A line may have been corrected by hand. A line that Tenhou offers and a line of the log that Tenhou
does not offer are the same game where day, room, start and either all names or all points and chips
agree (`same_game`). A game at a second table in that minute agrees in neither.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import NamedTuple

from rating.games import Game, Seat
from rating.names import canonical_name
from rating.roomlog import GUEST, LogLine, is_guest, parse_utf8

FORGOTTEN = timedelta(days=7)  # lines under a date typed by hand may be of this many days after it
SLACK = timedelta(minutes=2)  # two starts of the same game differ by at most this
LONGEST_GAME = timedelta(hours=3)  # from the unknown start of a game to its end, at most

Offers = Callable[[date], Iterable[bytes]]
"""All lines of a room's results that Tenhou is known to offer for a day."""


class GameSlot(NamedTuple):
    """The day, the room and the start of a game."""

    day: date
    room: str
    start: time


class LinePair(NamedTuple):
    """A line that Tenhou offers, and a line of a log that is the same game."""

    offered: LogLine
    logged: LogLine


@dataclass(frozen=True, slots=True)
class CorrectedGame:
    """A game corrected by hand: its day, the line that Tenhou offers (`offered`), and the log's
    corrected line (`logged`)."""

    day: date
    offered: LogLine
    logged: LogLine


def identity(line: LogLine) -> Hashable:
    """What distinguishes a game's line from all others of the day: start, room, players, points and
    chips. Lines that are no game or fine are distinguished by their text."""
    if line.game is not None:
        return line.game.start, line.game.room, line.game.seats
    if line.fine is not None:
        return line.fine.start, line.fine
    return canonical_name(line.text.strip())


def covers_day(day: date | None, today: date) -> bool:
    """Whether a line under `day`, equal to a new line of `today`, is the same game."""
    return day is None or timedelta(0) <= today - day <= FORGOTTEN


def content(game: Game) -> Hashable:
    """What a game consists of without its start and the order of equal points: room, players,
    points and chips."""
    counts = Counter((_name(seat), seat.score, seat.chips) for seat in game.seats)
    return game.room, frozenset(counts.items())


def _name(seat: Seat) -> str:
    """The player's name; all guests have the same."""
    return GUEST if is_guest(seat.player) else seat.player


def same_result(game: Game, other: Game) -> bool:
    """Whether the same players have the same points in both, whenever that was; chips and the
    order of equal points do not matter."""
    return _points(game) == _points(other)


def _points(game: Game) -> Counter[tuple[str, float]]:
    """How often each pair of player and points occurs in a game."""
    return Counter((_name(seat), seat.score) for seat in game.seats)


class Nearness(NamedTuple):
    """How well a start fits a time of a game; smaller is better. `is_guess`: that time is the end
    of the game, so the start is not compared with another start."""

    is_guess: bool
    distance: timedelta


def nearness(moment: datetime, started: bool, start: datetime) -> Nearness | None:
    """How well `start` fits a game of which a moment is known: its start where `started`, else its
    end. None where it does not fit."""
    distance = abs(start - moment)
    if distance <= SLACK:
        return Nearness(not started, distance)
    if started or not timedelta() <= moment - start <= LONGEST_GAME:
        return None
    return Nearness(True, distance)


def players_part(line: LogLine) -> str:
    """The players in the line of a room's result: `A(+52.0,+3枚) B(-2.0,0枚) C(-50.0,-3枚)`."""
    text = line.text
    if line.glued is not None:
        text = line.before_date.decode("utf-8", "replace")
    return re.split("[|｜]", text, maxsplit=3)[-1].strip()


def same_names(game: Game, other: Game) -> bool:
    """Whether the same players sit in both games, in any order."""
    return Counter(game.players) == Counter(other.players)


def same_game(game: Game, other: Game) -> bool:
    """Whether two games of one day are the same one before and after a correction."""
    if (game.room, game.start) != (other.room, other.start):
        return False
    return same_names(game, other) or _results(game) == _results(other)


def _results(game: Game) -> Counter[Hashable]:
    """How often each pair of points and chips occurs in a game."""
    return Counter((seat.score, seat.chips) for seat in game.seats)


def surely_same(game: Game, other: Game) -> bool:
    """Whether two games of one day are the same one by their players too: nobody sits at two tables
    in one minute. This is for games of which it is unknown whether Tenhou offers them."""
    has_shared_player = any(
        player in other.players for player in game.players if not is_guest(player)
    )
    return has_shared_player and same_game(game, other)


def pairs(offered: Sequence[LogLine], logged: Sequence[LogLine]) -> list[LinePair]:
    """As many pairs of an offered and a logged line of the same game as there can be; each line is
    in one pair at most. Pairs with equal names come before those with equal points. All lines are
    of one day."""
    candidates = [_same_games(line, logged) for line in offered]
    partner: dict[int, int] = {}  # index in `logged` -> index in `offered`

    def place(index: int, tried: set[int]) -> bool:
        """Give the offered line a partner, moving others to another partner where needed."""
        for candidate in candidates[index]:
            if candidate not in tried:
                tried.add(candidate)
                if candidate not in partner or place(partner[candidate], tried):
                    partner[candidate] = index
                    return True
        return False

    for index in range(len(offered)):
        place(index, set())
    matches = sorted((index, candidate) for candidate, index in partner.items())
    return [LinePair(offered[index], logged[candidate]) for index, candidate in matches]


def _same_games(line: LogLine, logged: Sequence[LogLine]) -> list[int]:
    """The indexes of the logged lines that are the line's game, those with equal names first."""
    equal_names = []
    equal_points = []
    for index, other in enumerate(logged):
        if not line.game or not other.game or not same_game(line.game, other.game):
            continue
        if same_names(line.game, other.game):
            equal_names.append(index)
        else:
            equal_points.append(index)
    return equal_names + equal_points


def corrected_games(
    missing: Mapping[date, Sequence[LogLine]], logged: Iterable[LogLine], offers: Offers
) -> list[CorrectedGame]:
    """The games among `missing` whose line somebody corrected by hand in a log. `missing`: the
    lines that Tenhou offers, by day, which no log has in the same form. `logged`: the logs' lines.
    """
    offered: dict[GameSlot, list[LogLine]] = defaultdict(list)
    for day, lines in missing.items():
        for line in lines:
            if line.game is not None and line.game.start is not None:
                offered[GameSlot(day, line.game.room, line.game.start)].append(line)
    candidates: dict[GameSlot, list[LogLine]] = defaultdict(list)
    for line in logged:
        slot = slot_of(line)
        if slot is not None and slot in offered:
            candidates[slot].append(line)
    cached_offers = cache(offers)
    identities = {slot.day: offered_identities(cached_offers, slot.day) for slot in candidates}
    corrected = []
    for slot, lines in candidates.items():
        # a line that Tenhou does not offer in this form was typed or changed by hand
        by_hand = [line for line in lines if identity(line) not in identities[slot.day]]
        corrected += [
            CorrectedGame(slot.day, pair.offered, pair.logged)
            for pair in pairs(offered[slot], by_hand)
        ]
    return corrected


def slot_of(line: LogLine) -> GameSlot | None:
    """The day, room and start of a line's game; None where one of them is not known."""
    if line.game is None or line.day is None or line.game.start is None:
        return None
    return GameSlot(line.day, line.game.room, line.game.start)


def days_of(day: date) -> list[date]:
    """The days on which a game under `day` may have been played: later ones where a date was
    forgotten."""
    count = min(FORGOTTEN, date.max - day).days
    return [day + timedelta(days=offset) for offset in range(count + 1)]


def offered_identities(offers: Offers, day: date) -> set[Hashable]:
    """The identities of all games that a line under `day` may be."""
    identities = set[Hashable]()
    for possible_day in days_of(day):
        for raw in offers(possible_day):
            identities.update(map(identity, parse_utf8("", raw).lines))
    return identities
