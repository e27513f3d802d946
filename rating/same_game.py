"""Whether two lines of a season log are one game.

Equal lines are (`identity`), under the day of the game or one that a forgotten date left
(`stands_for`). A line of a room's own results has the game's `content`, and a time near its start
(`nearness`).

A hand may have corrected a line: one that Tenhou offers and one of the log that Tenhou does not
offer are one game where day, room, start and either all names or all points and chips agree
(`same_game`). A second table of that minute agrees in neither.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache

from rating.games import Game
from rating.names import canonical_name
from rating.roomlog import GUEST, LogLine, is_guest, parse_utf8

FORGOTTEN = timedelta(days=7)  # a date typed by hand may also stand for this many days after it
SLACK = timedelta(minutes=2)  # how far starts of one game may be apart
LONGEST_GAME = timedelta(
    hours=3
)  # a game without a known start began at most so long before its end

Offers = Callable[[date], Iterable[bytes]]
"""All lines of a room's results that Tenhou is known to offer for a day."""

Minute = tuple[date, str, time]
"""Day, room and start of a game."""


@dataclass(frozen=True, slots=True)
class CorrectedGame:
    """A game that a hand corrected: its day, the line that Tenhou offers, and the log's line for
    it.
    """

    day: date
    tenhou: LogLine
    hand: LogLine


def identity(line: LogLine) -> Hashable:
    """What makes a line this game and no other, but for the day: start, room, players, points,
    chips.
    """
    if line.game is not None:
        return line.game.start, line.game.room, line.game.seats
    if line.fine is not None:
        return line.fine.start, line.fine
    return canonical_name(line.text.strip())


def stands_for(day: date | None, today: date) -> bool:
    """Whether an equal line under `day` is the game of `today`, the day of the new line."""
    return day is None or timedelta(0) <= today - day <= FORGOTTEN


def content(game: Game) -> Hashable:
    """What a game is apart from its start and the order of equal points: room, players, points and
    chips.
    """
    seats = (
        (
            GUEST if is_guest(s.player) else s.player,
            s.score,
            *((-1, True) if s.chips is None else (s.chips, False)),
        )
        for s in game.seats
    )
    return game.room, tuple(sorted(seats))


def same_result(one: Game, other: Game) -> bool:
    """Whether the same players have the same points in both, whenever that was; chips and the
    order of equal points do not matter."""
    return _points(one) == _points(other)


def _points(game: Game) -> Counter[tuple[str, float]]:
    """How often each player has these points: guests have one name."""
    return Counter(
        (GUEST if is_guest(seat.player) else seat.player, seat.score) for seat in game.seats
    )


def nearness(ours: datetime, started: bool, start: datetime) -> tuple[bool, timedelta] | None:
    """How well a start fits our time of a game, the best first; None where it does not. `started`:
    ours is the game's start too, else its end."""
    off = abs(start - ours)
    if off <= SLACK:
        return not started, off
    if started or not timedelta() <= ours - start <= LONGEST_GAME:
        return None
    return True, off


def players_part(line: LogLine) -> str:
    """The players of a room's result as the line has them:

    `A(+52.0,+3枚) B(-2.0,0枚) C(-50.0,-3枚)`.
    """
    text = line.text
    if line.glued is not None:
        text = line.before_date.decode("utf-8", "replace")
    return re.split("[|｜]", text, maxsplit=3)[-1].strip()


def same_names(one: Game, other: Game) -> bool:
    """Whether the same players sit in both games, in any order."""
    return Counter(one.players) == Counter(other.players)


def same_game(one: Game, other: Game) -> bool:
    """Whether two games of one day are the same one before and after a correction."""
    if (one.room, one.start) != (other.room, other.start):
        return False
    return same_names(one, other) or _results(one) == _results(other)


def _results(game: Game) -> Counter[Hashable]:
    """How often each pair of points and chips occurs in a game."""
    return Counter((seat.score, seat.chips) for seat in game.seats)


def surely_same(one: Game, other: Game) -> bool:
    """Whether two games of one day are one by their players too: nobody sits at two tables in one
    minute. This counts where it is not known which of the two Tenhou offers."""
    shared = {player for player in one.players if not is_guest(player)}.intersection(other.players)
    return bool(shared) and same_game(one, other)


def pairs(
    offered: Sequence[LogLine],
    held: Sequence[LogLine],
) -> list[tuple[LogLine, LogLine]]:
    """As many pairs of an offered and a held line as are one game; each line is in one pair at
    most. Equal names come before equal points. All lines are of one day."""
    fits = []
    for line in offered:
        alike = [
            (not same_names(line.game, other.game), index)
            for index, other in enumerate(held)
            if line.game and other.game and same_game(line.game, other.game)
        ]
        fits.append([index for _, index in sorted(alike)])
    taken: dict[int, int] = {}  # index in `held` -> index in `offered`

    def place(index: int, tried: set[int]) -> bool:
        for other in fits[index]:
            if other not in tried:
                tried.add(other)
                if other not in taken or place(taken[other], tried):
                    taken[other] = index
                    return True
        return False

    for index in range(len(offered)):
        place(index, set())
    matches = sorted((index, other) for other, index in taken.items())
    return [(offered[index], held[other]) for index, other in matches]


def corrected_games(
    lacking: Mapping[date, Sequence[LogLine]], held: Iterable[LogLine], offers: Offers
) -> list[CorrectedGame]:
    """The games among `lacking` (offered lines, by day, that no log holds so) that a held line
    stands for.
    """
    wanted: dict[Minute, list[LogLine]] = defaultdict(list)
    for day, lines in lacking.items():
        for line in lines:
            if line.game is not None and line.game.start is not None:
                wanted[day, line.game.room, line.game.start].append(line)
    there: dict[Minute, list[LogLine]] = defaultdict(list)
    for line in held:
        if (minute := minute_of(line)) is not None and minute in wanted:
            there[minute].append(line)
    offers = cache(offers)
    theirs = cache(lambda day: offered_identities(offers, day))
    corrected = []
    for minute, others in there.items():
        hands = [line for line in others if identity(line) not in theirs(minute[0])]
        corrected += [
            CorrectedGame(minute[0], line, hand) for line, hand in pairs(wanted[minute], hands)
        ]
    return corrected


def minute_of(line: LogLine) -> Minute | None:
    """Day, room and start of a line's game; None where one of them is not known."""
    if line.game is None or line.day is None or line.game.start is None:
        return None
    return line.day, line.game.room, line.game.start


def days_of(day: date) -> list[date]:
    """The days on which a game under `day` may have been played: later ones where a date was
    forgotten.
    """
    last = min(FORGOTTEN, date.max - day)
    return [day + timedelta(days=more) for more in range(last.days + 1)]


def offered_identities(offers: Offers, day: date) -> set[Hashable]:
    """The identities of the games that a line under `day` may be."""
    return {
        identity(line)
        for each in days_of(day)
        for raw in offers(each)
        for line in parse_utf8("", raw).lines
    }
