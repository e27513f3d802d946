"""Team matches (2 vs 2): read and write `teamlog.txt`.

A line is one session of four players, which is three games in fixed pairings. The mark of a game is
`o` where the side with the first seat won, `x` where it lost, `-` where the game was not played.

    2020-07-04 | Aさん Bさん Cさん Dさん | o x o

Blank lines and lines that begin with # are skipped. Others that cannot be read are reported by
number.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from gettext import gettext as _

from rating.games import GameError
from rating.names import LONGEST_NAME, canonical_name
from rating.roomlog import Problem

# Seats I..IV: I+II v III+IV, I+IV v II+III, I+III v II+IV.
PAIRINGS = (
    ((0, 1), (2, 3)),
    ((0, 3), (1, 2)),
    ((0, 2), (1, 3)),
)
MARKS = {"o": True, "x": False, "-": None}
_SESSION = re.compile(
    r"^(\S+)\s*\|\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+\|\s*([ox-])\s+([ox-])\s+([ox-])$"
)


@dataclass(frozen=True, slots=True)
class TeamGame:
    """One game of a session.

    `session` numbers the session (from 0), `number` (0 to 2) the game in it.
    """

    first: tuple[str, str]
    second: tuple[str, str]
    first_won: bool
    session: int = 0
    number: int = 0
    day: date | None = None
    source: str = ""
    line: int = 0

    @property
    def players(self) -> tuple[str, ...]:
        return self.first + self.second

    @property
    def where(self) -> str:
        """Where the game was read: `file:line`, or its players when it came from no file."""
        return f"{self.source}:{self.line}" if self.source else " ".join(self.players)


@dataclass(frozen=True, slots=True)
class Session:
    """Four players and the results of their three games. A result is True where the side with the
    first seat won, None where the game was not played."""

    day: date
    players: tuple[str, str, str, str]
    results: tuple[bool | None, bool | None, bool | None]
    line: int = 0


def check(game: TeamGame) -> TeamGame:
    """The game itself.

    Raises GameError unless it has four different players and is one of three.
    """
    twice = [name for name in game.players if game.players.count(name) > 1]
    if twice:
        told = _("{where}: {player} sits twice in one game")
        raise GameError(told.format(where=game.where, player=twice[0]))
    if len(game.players) != 4 or game.number not in (0, 1, 2):
        told = _("{where}: a team game has two players on each side and is one of three")
        raise GameError(told.format(where=game.where))
    return game


def parse(
    text: str,
    source: str = "teamlog.txt",
) -> tuple[list[Session], list[Problem]]:
    """The sessions of a team log, and the lines that could not be read."""
    sessions = []
    problems = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        session = _session(stripped, number)
        if isinstance(session, Session):
            sessions.append(session)
        else:
            problems.append(Problem(source, number, stripped, session))
    return sessions, problems


def _session(line: str, number: int) -> Session | str:
    match = _SESSION.match(line)
    if match is None:
        return _("not `YYYY-MM-DD | four players | three of o x -`")
    try:
        day = date.fromisoformat(match[1])
    except ValueError:
        return _("{when} is no date").format(when=match[1])
    first, second, third, fourth = map(canonical_name, match.group(2, 3, 4, 5))
    players = (first, second, third, fourth)
    if any(len(name) > LONGEST_NAME for name in players):
        told = _("a name has {count} characters, more than {most}")
        return told.format(count=max(map(len, players)), most=LONGEST_NAME)
    if len(set(players)) < 4:
        return _("a player sits twice")
    return Session(
        day,
        players,
        (
            MARKS[match[6]],
            MARKS[match[7]],
            MARKS[match[8]],
        ),
        number,
    )


def write(sessions: Iterable[Session]) -> str:
    """The text of a team log; `parse` reads the same sessions from it."""
    mark = {result: sign for sign, result in MARKS.items()}
    return "".join(
        f"{s.day.isoformat()} | {' '.join(s.players)} | {' '.join(mark[r] for r in s.results)}\n"
        for s in sessions
    )


def games_of(sessions: Iterable[Session], source: str = "teamlog.txt") -> list[TeamGame]:
    games = []
    for count, session in enumerate(sessions):
        players = session.players
        for number, (pairing, won) in enumerate(zip(PAIRINGS, session.results, strict=True)):
            if won is not None:
                (a, b), (c, d) = pairing
                first = (players[a], players[b])
                second = (players[c], players[d])
                games.append(
                    TeamGame(first, second, won, count, number, session.day, source, session.line)
                )
    return games
