"""Read a league's folder into a snapshot: its games, and the faults of its files."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from functools import cached_property
from itertools import chain
from string import ascii_uppercase
from typing import Any, NamedTuple

from bot.league.files import LEAGUE_FILE, PAIFU_LOG, RATING_FILE, TEAM_LOG, is_read
from bot.league.in_force import UnusableFile, league_in_force, logs_in_force
from bot.league.last_good import LastGood
from rating.encoding import as_text, refusal
from rating.games import Game, GameError, check
from rating.league import LOG_NAME, Alias, League, Player, Season, parse_logs
from rating.league_file import LeagueError, StartRating, line_of, parse_ratings
from rating.logdates import JST
from rating.models import MODELS
from rating.models.base import Batch, Sequential
from rating.paifu import recordlog
from rating.paifu.matching import match
from rating.paifu.recordlog import PaifuEntry, PaifuHead
from rating.roomlog import Problem, RoomLog, Span, parse
from rating.teamlog import Session, TeamGame, games_of as team_games_of, parse as parse_teamlog
from storage.ports import LogSource, NotFound, TooLarge, too_large

FIRST = 1500.0  # the rating before the first game, if league.toml gives only the number of games
SAME_TWICE = "two of the names are one player's"


@dataclass(frozen=True)
class LeagueSnapshot:
    """The content of a folder, read once. `revision` changes with any file. `games` are by season
    number and under canonical names; `starts` has rating and games before the first game, by
    player; `files` are the unchanged bytes; `large` has the reason for each file that is too large;
    `unread` has the lines that are no game. With a `league_error` league.toml cannot be used, and
    `league` is that of the last good one. `unusable` has the files that are replaced by their last
    good version, or by nothing."""

    revision: str
    league: League
    logs: Mapping[str, RoomLog]
    games: Mapping[int, tuple[Game, ...]]
    unread: tuple[Problem, ...]
    starts: Mapping[str, tuple[float, int]]
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    large: Mapping[str, str] = field(default_factory=dict)
    league_error: LeagueError | None = None
    unusable: tuple[UnusableFile, ...] = ()

    @cached_property
    def hidden(self) -> LeagueSnapshot:
        """The snapshot with a letter in place of each player's name. Names it does not have are
        shown as STRANGER.
        """
        players: dict[str, Player] = {}
        for name in dict.fromkeys(self._all_names()):
            player = self.league.players.get(name)
            if player is None:
                player = Player(name, guest=self.league.is_guest(name))
            aliases = (*player.aliases, Alias(player.shown))  # the name is still understood
            players[name] = replace(player, name=_letter(len(players)), aliases=aliases)
        return replace(
            self,
            revision=f"{self.revision}-",
            league=replace(self.league, players=players, hides=True),
        )

    def _all_names(self) -> Iterator[str]:
        """Yield the names of players, in games and of teams, some repeatedly."""
        yield from self.league.players
        for game in self.all_games():
            yield from game.players
        for team in self.league.teams:
            yield from team.members

    @property
    def refused(self) -> tuple[UnusableFile, ...]:
        return tuple(fault for fault in self.unusable if fault.file != LEAGUE_FILE)

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """The lines and files of the folder that cannot be read."""
        problems = []
        error = toml_problem(self)
        if error:
            problems.append(error)
        problems += self.unread
        problems += [Problem(fault.file, 1, "", fault.reason) for fault in self.refused]
        for number, text in parse_ratings(self.text(RATING_FILE)).odd:
            problems.append(Problem(RATING_FILE, number, text, "not `player R games`"))
        problems += team_log_problems(self)
        problems += unread_logs(self)
        for name in (RATING_FILE, TEAM_LOG, PAIFU_LOG):
            reason = self.large.get(name) or refusal(self.files.get(name, b""))
            if reason:
                problems.append(Problem(name, 1, "", reason))
        return tuple(problems)

    def text(self, name: str) -> str:
        """Return the text of a file of the folder, "" where it is missing or no text."""
        return as_text(self.files.get(name, b""))

    def all_games(self, season: int | None = None) -> tuple[Game, ...]:
        return self._in_order if season is None else self.games.get(season, ())

    @cached_property
    def _in_order(self) -> tuple[Game, ...]:
        return tuple(chain.from_iterable(self.games.values()))

    def system(self, model: str, **options: Any) -> Sequential[Any] | Batch:
        """Return a rating system with the settings of the files: starting ratings and the value of
        a chip.
        """
        kind = MODELS[model]
        names = {field.name for field in fields(kind())}  # type: ignore[arg-type]
        if "starts" in names:
            options.setdefault("starts", dict(sorted(self.starts.items())))
        if self.league.table and "apart" in names:
            options.setdefault("apart", True)
        if "chip" in names and "chip" not in options:
            options["chip"] = self.league.rules.chip
            options["season_chip"] = self._chips_by_log()
        return kind(**options)

    def _chips_by_log(self) -> dict[str, float]:
        """Return the value of a chip by the log of the season that sets one."""
        chips: dict[str, float] = {}
        for season in self.league.seasons:
            if season.chip is not None:
                chips[season.log] = season.chip
        return chips

    def systems(self) -> dict[str, Sequential[Any] | Batch]:
        names = [name for name, model in MODELS.items() if model.plays == "games"]
        return {name: self.system(name) for name in names}

    @property
    def seasons(self) -> list[Season]:
        """The seasons that have a game, oldest first."""
        return [season for season in self.league.seasons if self.games.get(season.number)]

    @property
    def paifu_log(self) -> bytes:
        return self.files.get(PAIFU_LOG, b"")

    @cached_property
    def fines(self) -> Mapping[tuple[str, int, str], float]:
        """Fines and bonuses (thousands) by log, line and player of the game to which each belongs:
        the player's last game before it in the log, or else the first after it. One of a player
        without a game does not count.
        """
        fines: dict[tuple[str, int, str], float] = defaultdict(float)
        for games in self.games.values():
            if not games:
                continue
            log = self.logs[games[0].source]
            for line in log.lines:
                if line.fine is None:
                    continue
                player = self.league.player_of(line.fine.player, line.day)
                number = _fined_game(games, player, line.number)
                if number is not None:
                    fines[games[0].source, number, player] += line.fine.points
        return fines

    @cached_property
    def paifus(self) -> tuple[PaifuEntry, ...]:
        return tuple(recordlog.read(self.paifu_log))

    @cached_property
    def paifu_of(self) -> Mapping[Game, PaifuHead]:
        heads = recordlog.heads(self.paifu_log)
        return match(heads, self.all_games(), self.league.player_of) if heads else {}


class LeagueReader:
    """Reads one folder, and later only its changed files.

    Of one listing of the folder: `revisions` of its files, the bytes of those that were read
    (`files`), and why others are too large to be read (`large`). `good` are the last good files."""

    def __init__(self, logs: LogSource) -> None:
        self.logs = logs
        self.good = LastGood(logs)
        self.revisions: dict[str, str] = {}
        self.files: dict[str, bytes] = {}
        self.large: dict[str, str] = {}
        self._has_lost_games = False  # whether a file in the last snapshot has lost games
        self._parsed: dict[str, _ParsedLog] = {}

    def follow(self) -> bool:
        """Bring the files up to date. Return whether anything changed. Raises StorageError, which
        changes nothing."""
        listed = self.logs.revisions()
        wanted = {name: revision for name, revision in listed.items() if is_read(name)}
        unchanged = {
            name for name, revision in wanted.items() if self.revisions.get(name) == revision
        }
        revisions = {name: wanted[name] for name in unchanged}
        files = {name: data for name, data in self.files.items() if name in unchanged}
        large = {name: reason for name, reason in self.large.items() if name in unchanged}
        for name, revision in wanted.items():
            if name in unchanged:
                continue
            try:
                file = self.logs.read(name)
            except NotFound:  # it was removed between the listing and the reading
                continue
            except TooLarge as error:
                large[name] = too_large(error.size)
                revisions[name] = revision
            else:
                files[name] = file.data
                revisions[name] = file.rev
        # While a file has lost games, an admin may accept that.
        changed = revisions != self.revisions or (self._has_lost_games and self.good.changed())
        self.revisions = revisions
        self.files = files
        self.large = large
        return changed

    def snapshot(self, now: datetime) -> LeagueSnapshot:
        """Return the snapshot of the files. Unusable files are replaced by their last good version.
        Raises StorageError."""
        toml_data = self.files.get(LEAGUE_FILE)
        toml = league_in_force(toml_data, self.good, now, self.large.get(LEAGUE_FILE, ""))
        in_force, refused = logs_in_force(self.files, self.large, self.good, now)
        unusable = tuple(fault for fault in (toml.unusable, *refused) if fault is not None)
        lost_files = sorted(fault.file for fault in unusable if fault.lost)
        self._has_lost_games = bool(lost_files)
        league = toml.league.with_logs([*self.files, *self.large, *lost_files])
        parsed = parse_logs(league, in_force, now.astimezone(JST).date(), self._parse)
        games: dict[int, tuple[Game, ...]] = {}
        unread: list[Problem] = []
        for season in league.seasons:
            read = _season_games(league, parsed, season)
            games[season.number] = tuple(read.games)
            unread += read.unread
        return LeagueSnapshot(
            revision=self._revision(lost_files),
            league=league,
            logs=parsed,
            games=games,
            unread=tuple(unread),
            starts=_starts(league, self.files.get(RATING_FILE, b"")),
            files=self.files,
            large=self.large,
            league_error=toml.error,
            unusable=unusable,
        )

    def _revision(self, lost_files: Sequence[str]) -> str:
        """Return what identifies this state of the files."""
        state = repr([*sorted(self.revisions.items()), *lost_files])
        return hashlib.sha256(state.encode()).hexdigest()[:20]

    def _parse(self, name: str, data: bytes, span: Span) -> RoomLog:
        parsed = self._parsed.get(name)
        if parsed is None or parsed.data is not data or parsed.span != span:
            parsed = _ParsedLog(data, span, parse(name, data, span))
            self._parsed[name] = parsed
        return parsed.log


class _ParsedLog(NamedTuple):
    data: bytes
    span: Span
    log: RoomLog


def _letter(index: int) -> str:
    """Return the name of a hidden player: A to Z, then A2 to Z2, and so on."""
    repetition, letter = divmod(index, 26)
    suffix = str(repetition + 1) if repetition else ""
    return f"{ascii_uppercase[letter]}{suffix}"


def _fined_game(games: Iterable[Game], player: str, line: int) -> int | None:
    """Return the line of the game to which a fine on this line belongs; None if the player has no
    game.
    """
    lines = [game.line for game in games if player in game.players]
    if not lines:
        return None
    earlier = [number for number in lines if number < line]
    if earlier:
        return earlier[-1]
    return lines[0]


def _starts(league: League, rating_file: bytes) -> dict[str, StartRating]:
    """Return where the players start by rating.txt, or by league.toml, which overrides it."""
    ratings = parse_ratings(as_text(rating_file)).starts
    starts = {league.player_of(name): start for name, start in ratings.items()}
    for player in league.players.values():
        if player.rating is not None:
            starts[player.tenhou] = StartRating(player.rating, player.games)
        elif player.games:
            starts[player.tenhou] = StartRating(FIRST, player.games)
    return starts


def read_league(logs: LogSource, now: datetime) -> LeagueSnapshot:
    """Return the snapshot of a folder (`now` is aware). Raises StorageError if it cannot be
    read.
    """
    reader = LeagueReader(logs)
    reader.follow()
    return reader.snapshot(now)


class _SeasonGames(NamedTuple):
    """A season's games, and the lines of its log that are no game."""

    games: list[Game]
    unread: list[Problem]


def _season_games(league: League, logs: Mapping[str, RoomLog], season: Season) -> _SeasonGames:
    """Return a season's games under the members' names."""
    roomlog = logs.get(season.log)
    if roomlog is None:
        return _SeasonGames([], [])
    games: list[Game] = []
    unread = list(roomlog.problems)
    for game in league.canonical(roomlog.games):
        if game.day is None and season.start is not None:
            game = replace(game, day=season.start.date())
        try:
            games.append(check(game))
        except GameError as error:  # two names of one player at one table
            text = roomlog.lines[game.line - 1].text
            reason = str(error).removeprefix(f"{game.where}: ")
            unread.append(Problem(game.source, game.line, text, reason))
    return _SeasonGames(games, unread)


def toml_problem(snapshot: LeagueSnapshot) -> Problem | None:
    """Return the fault of league.toml, with its line if known; None if it has none."""
    error = snapshot.league_error
    if error is None:
        return None
    text = snapshot.text(LEAGUE_FILE)
    line = line_of(error, text)
    lines = text.splitlines()
    quoted = ""
    if 0 < line <= len(lines):
        quoted = lines[line - 1].strip()
    return Problem(LEAGUE_FILE, line, quoted, error.reason)


def team_log_problems(snapshot: LeagueSnapshot) -> list[Problem]:
    """Return the lines of teamlog.txt that cannot be read, and those with two names of one
    player.
    """
    sessions, problems = parse_teamlog(snapshot.text(TEAM_LOG))
    problems = list(problems)
    for session in sessions:
        if len(set(_players_of(snapshot.league, session))) < 4:
            players = " ".join(session.players)
            problems.append(Problem(TEAM_LOG, session.line, players, SAME_TWICE))
    return problems


def unread_logs(snapshot: LeagueSnapshot) -> list[Problem]:
    """Return a problem for each log whose season has another log already."""
    read = {season.log for season in snapshot.league.seasons}
    reason = "not read: its season has another log; put the games of both into one"
    names = sorted({*snapshot.files, *snapshot.large} - read)
    return [Problem(name, 1, "", reason) for name in names if LOG_NAME.match(name)]


def team_games(snapshot: LeagueSnapshot) -> list[TeamGame]:
    """Return the games of team matches (2 vs 2), with the players' names on Tenhou."""
    sessions = []
    for session in parse_teamlog(snapshot.text(TEAM_LOG)).sessions:
        east, south, west, north = _players_of(snapshot.league, session)
        players = (east, south, west, north)
        if len(set(players)) == 4:
            sessions.append(replace(session, players=players))
    return team_games_of(sessions)


def _players_of(league: League, session: Session) -> list[str]:
    return [league.player_of(name, session.day) for name in session.players]


def earlier_games(snapshot: LeagueSnapshot, number: int) -> list[Game]:
    """Return the games of the seasons before this one."""
    games: list[Game] = []
    for season in snapshot.league.seasons:
        if season.number < number:
            games += snapshot.all_games(season.number)
    return games
