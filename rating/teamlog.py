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
from typing import NamedTuple

from rating.games import GameError
from rating.names import LONGEST_NAME, canonical_name
from rating.roomlog import Problem

# Seats I..IV (0..3): I+II v III+IV, I+IV v II+III, I+III v II+IV.
PAIRINGS = (
    ((0, 1), (2, 3)),
    ((0, 3), (1, 2)),
    ((0, 2), (1, 3)),
)
MARKS = {"o": True, "x": False, "-": None}
_SESSION = re.compile(
    r"^(?P<day>\S+)\s*\|\s+(?P<players>\S+(?:\s+\S+){3})\s+\|\s*(?P<marks>[ox-](?:\s+[ox-]){2})$"
)


@dataclass(frozen=True, slots=True)
class TeamGame:
    """One game of a session: its two sides. `session` numbers the session (from 0), `number` (0 to
    2) the game in it."""

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
    """The game itself. Raises GameError unless it has four different players and is one of
    three."""
    repeated = [name for name in game.players if game.players.count(name) > 1]
    if repeated:
        message = _("{where}: {player} sits twice in one game")
        raise GameError(message.format(where=game.where, player=repeated[0]))
    if len(game.players) != 4 or game.number not in (0, 1, 2):
        message = _("{where}: a team game has two players on each side and is one of three")
        raise GameError(message.format(where=game.where))
    return game


class ParsedTeamLog(NamedTuple):
    """The sessions of a team log, and the lines that could not be read."""

    sessions: list[Session]
    problems: list[Problem]


def parse(text: str, source: str = "teamlog.txt") -> ParsedTeamLog:
    parsed = ParsedTeamLog([], [])
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        session = _session(stripped, number)
        if isinstance(session, Session):
            parsed.sessions.append(session)
        else:
            parsed.problems.append(Problem(source, number, stripped, session))
    return parsed


def _session(line: str, number: int) -> Session | str:
    """The session of a line, or the reason why it is none."""
    match = _SESSION.match(line)
    if match is None:
        return _("not `YYYY-MM-DD | four players | three of o x -`")
    try:
        day = date.fromisoformat(match["day"])
    except ValueError:
        return _("{when} is no date").format(when=match["day"])
    first, second, third, fourth = map(canonical_name, match["players"].split())
    players = (first, second, third, fourth)
    longest = max(map(len, players))
    if longest > LONGEST_NAME:
        message = _("a name has {count} characters, more than {most}")
        return message.format(count=longest, most=LONGEST_NAME)
    if len(set(players)) < 4:
        return _("a player sits twice")
    first_game, second_game, third_game = [MARKS[mark] for mark in match["marks"].split()]
    return Session(day, players, (first_game, second_game, third_game), number)


def write(sessions: Iterable[Session]) -> str:
    """The text of a team log; `parse` reads the same sessions from it."""
    return "".join(map(_line, sessions))


def _line(session: Session) -> str:
    mark_of = {result: mark for mark, result in MARKS.items()}
    players = " ".join(session.players)
    marks = " ".join([mark_of[result] for result in session.results])
    return f"{session.day.isoformat()} | {players} | {marks}\n"


def games_of(sessions: Iterable[Session], source: str = "teamlog.txt") -> list[TeamGame]:
    """The games that were played in the sessions, in order."""
    games = []
    for index, session in enumerate(sessions):
        players = session.players
        for number, first_won in enumerate(session.results):
            if first_won is None:
                continue
            (a, b), (c, d) = PAIRINGS[number]
            game = TeamGame(
                first=(players[a], players[b]),
                second=(players[c], players[d]),
                first_won=first_won,
                session=index,
                number=number,
                day=session.day,
                source=source,
                line=session.line,
            )
            games.append(game)
    return games
