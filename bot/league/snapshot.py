"""A league's folder as read once: its games, and the faults of its files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from bot.league.files import PAIFU_LOG, RATING_FILE, TEAM_LOG
from bot.league.last_good import UnusableFile
from rating.encoding import refusal
from rating.games import Game
from rating.league import LOG_NAME, League, Season
from rating.league_faults import LEAGUE_FILE, LeagueError
from rating.league_file import line_of
from rating.models import MODELS
from rating.models.base import Batch, Sequential
from rating.paifu import recordlog
from rating.paifu.matching import match
from rating.paifu.recordlog import PaifuEntry, PaifuHead
from rating.roomlog import Problem, RoomLog
from rating.teamlog import Session, TeamGame
from rating.teamlog import games_of as team_games_of
from rating.teamlog import parse as parse_teamlog


@dataclass(frozen=True)
class LeagueSnapshot:
    """Everything the folder says, read once. `revision` changes with any file.

    `games` are by season number and under canonical names. `starts` has rating and number of games before the
    first game, by player. `league_error` says why league.toml cannot be used; `league` is then what the last
    good one said. `unusable` has league.toml and the season logs of which the last good version is in force,
    or none.
    """

    revision: str
    league: League
    logs: Mapping[str, RoomLog]
    games: Mapping[int, tuple[Game, ...]]
    problems: tuple[Problem, ...]
    starts: Mapping[str, tuple[float, int]]
    teamlog: bytes = b""
    paifu_log: bytes = b""
    league_error: LeagueError | None = None
    unusable: tuple[UnusableFile, ...] = ()

    @property
    def refused(self) -> tuple[UnusableFile, ...]:
        """The season logs that cannot be read."""
        return tuple(fault for fault in self.unusable if fault.file != LEAGUE_FILE)

    def all_games(self, season: int | None = None) -> tuple[Game, ...]:
        """Return the games of one season, or of all seasons in order."""
        if season is not None:
            return self.games.get(season, ())
        return tuple(game for games in self.games.values() for game in games)

    def system(self, model: str, **options: Any) -> Sequential[Any] | Batch:
        """Return a rating system with what the league's files say: where everyone starts, what a chip is
        worth."""
        kind = MODELS[model]
        names = {field.name for field in fields(kind())}  # type: ignore[arg-type]
        if "starts" in names:
            options.setdefault("starts", dict(sorted(self.starts.items())))
        if "chip" in names and "chip" not in options:
            seasons = {s.log: s.chip for s in self.league.seasons if s.chip is not None}
            options |= {"chip": self.league.rules.chip, "season_chip": seasons}
        return kind(**options)

    def systems(self) -> dict[str, Sequential[Any] | Batch]:
        """Return every rating system for single players by name, as `system` makes it."""
        return {name: self.system(name) for name, model in MODELS.items() if model.plays == "games"}

    @property
    def seasons(self) -> list[Season]:
        """The seasons that have a game, oldest first."""
        return [s for s in self.league.seasons if self.games.get(s.number)]

    @cached_property
    def paifus(self) -> tuple[PaifuEntry, ...]:
        """The game records that members sent, one entry a game."""
        return tuple(recordlog.read(self.paifu_log))

    @cached_property
    def paifu_of(self) -> Mapping[Game, PaifuHead]:
        """The game record of each game that has one."""
        heads = recordlog.heads(self.paifu_log)
        return match(heads, self.all_games(), self.league.player_of) if heads else {}


def team_games(snapshot: LeagueSnapshot) -> list[TeamGame]:
    """Return the games of team matches (2 vs 2), with the players' names on Tenhou."""
    sessions, _ = parse_teamlog(snapshot.teamlog.decode("utf-8", "replace"))
    named = []
    for session in sessions:
        one, two, three, four = _players_of(snapshot.league, session)
        if len({one, two, three, four}) == 4:
            named.append(replace(session, players=(one, two, three, four)))
    return team_games_of(named)


def _players_of(league: League, session: Session) -> list[str]:
    return [league.player_of(name, session.day) for name in session.players]


def same_twice(league: League, sessions: list[Session]) -> list[Problem]:
    """Return a problem for each session in which two names of one player sit."""
    reason = "two of the names are one player's"
    return [
        Problem(TEAM_LOG, session.line, " ".join(session.players), reason)
        for session in sessions
        if len(set(_players_of(league, session))) < 4
    ]


def unread_logs(league: League, names: Iterable[str]) -> list[Problem]:
    """Return a problem for each log whose season has another log already."""
    read = {season.log for season in league.seasons}
    reason = "not read: its season has another log; put the games of both into one"
    return [
        Problem(name, 1, "", reason) for name in sorted(names) if LOG_NAME.match(name) and name not in read
    ]


def unread_texts(files: Mapping[str, bytes], large: Mapping[str, str]) -> list[Problem]:
    """Return a problem for each file beside the logs that is no text, or too large (`large`: the reasons)."""
    names = (RATING_FILE, TEAM_LOG, PAIFU_LOG)
    reasons = {name: large.get(name) or refusal(files.get(name, b"")) for name in names}
    return [Problem(name, 1, "", reason) for name, reason in reasons.items() if reason]


def league_problem(error: LeagueError, text: str) -> Problem:
    """Return what is wrong with league.toml, with the line if it can be told."""
    line = line_of(error, text)
    lines = text.splitlines()
    quoted = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    return Problem(LEAGUE_FILE, line, quoted, error.reason)
