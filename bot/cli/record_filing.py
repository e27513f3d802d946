"""`flask paifu --into-league`: records (牌譜) of games in the log, from files or by Tenhou's ids.

Each is matched to a game by date, players and points, and stored in the league's folder. A stored one
is not fetched again, so the same command goes on where it was stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

import click

from bot.cli.errors import Failure, line_of
from bot.cli.printing import print_report, progress_bar
from bot.cli.record_files import MOST, Load, RecordSource
from bot.league.folder_names import check_folder_name
from bot.league.paifu_log import (
    MOST as KEPT,
    CountedRecord,
    PaifuFolder,
    drop_oldest,
    entry_of,
    keep_paifus,
)
from bot.league.snapshot import LeagueSnapshot
from bot.service import Service
from bot.tenhou.client import PaifuRef, TenhouError, TenhouNotFound, find_paifu
from rating.games import Game
from rating.paifu.game_start import GameStart, could_be, start_in_id
from rating.paifu.matching import match
from rating.paifu.recordlog import PaifuEntry, key_of
from rating.paifu.tiles import PaifuError
from storage.ports import StorageError

Json = dict[str, Any]
BETWEEN = 1.0  # seconds between two records of Tenhou's
FAILURES = 2  # failures of Tenhou in a row, after which no other record is requested
BATCH = 25  # records written to recordlog.txt at once
LONGEST_TEXT = 80  # characters of what is no record's id
SAME_POINTS = 0.06  # thousands of points: the scores of logs have one decimal


class RecordOutcome(StrEnum):
    """What became of a record."""

    MATCHED = "matched"
    DOUBLED = "doubled"
    UNMATCHED = "unmatched"
    UNREADABLE = "unreadable"
    LEFT = "left"


NOT_STORED = (RecordOutcome.UNMATCHED, RecordOutcome.UNREADABLE, RecordOutcome.LEFT)


class RecordCounts(NamedTuple):
    """How many games of the log have a record, and how many games there are."""

    recorded: int
    games: int


class LeagueRecords:
    """Files records in a league's folder. Raises StorageError when that can't be reached."""

    def __init__(
        self, service: Service, league: str, wait: Callable[[float], None] = time.sleep
    ) -> None:
        check_folder_name(league)
        self._service = service
        self._wait = wait
        self._repository = service.registry.league(league)
        self._snapshot: LeagueSnapshot = self._repository.snapshot()
        self._logs = self._repository.logs
        self._folder = PaifuFolder(self._logs)
        self._games: Sequence[Game] = self._snapshot.all_games()
        self._entries = {entry.key: entry for entry in self._snapshot.paifus}
        self._ids = {entry.id for entry in self._snapshot.paifus if entry.id}
        self._taken = {game: entry.key for game, entry in self._snapshot.paifu_of.items()}
        self._batch: list[CountedRecord] = []
        self._failures = 0
        # The records of each outcome: the file (or id) with a reason or, of `matched`, the game.
        self.rows: dict[str, list[Json]] = {outcome: [] for outcome in RecordOutcome}
        self.stopped = ""

    def add(
        self,
        outcome: RecordOutcome,
        name: str,
        text: str = "",
        **more: Any,
    ) -> None:
        row: dict[str, Any] = {"file": name}
        if text:
            row["text"] = text
        self.rows[outcome].append({**row, **more})

    @property
    def counts(self) -> RecordCounts:
        return RecordCounts(recorded=len(self._taken), games=len(self._games))

    def file(self, name: str, load: Load) -> None:
        try:
            named = find_paifu(Path(name).name)
            self._take(name, load(), named.id if named else "")
        except (PaifuError, OSError) as error:
            self.add(RecordOutcome.UNREADABLE, name, line_of(error))

    def fetch(self, ref: PaifuRef) -> None:
        """File the record of an id.

        Tenhou is asked only where the log has a game that it may be of.
        """
        if ref.id in self._ids:
            self.add(RecordOutcome.DOUBLED, ref.id, "kept before")
            return
        start = start_in_id(ref.id)
        if start is None or not any(could_be(start, game) for game in self._games):
            self.add(
                RecordOutcome.UNMATCHED,
                ref.id,
                "the log has no game of that room and hour: not fetched",
            )
            return
        if self._failures == FAILURES:
            self.add(RecordOutcome.LEFT, ref.id, "Tenhou did not answer: not asked for")
            return
        try:
            stored = self._folder.get(ref.id)
            data = stored or self._service.paifus.get(ref.id, None, retry=True)
            self._failures = 0
            if stored is None:
                self._wait(BETWEEN)
            self._take(ref.id, data, ref.id)
        except TenhouNotFound as error:
            self._failures = 0
            self.add(RecordOutcome.UNREADABLE, ref.id, str(error))
        except TenhouError as error:
            self._failures += 1
            self.add(RecordOutcome.LEFT, ref.id, str(error))
        except PaifuError as error:
            self.add(RecordOutcome.UNREADABLE, ref.id, str(error))

    def finish(self) -> None:
        if self._batch:
            keep_paifus(self._logs, self._batch, self._service.now())
            if len(self._entries) > KEPT:
                for record in self._batch:
                    drop_oldest(self._logs, record.entry.file)
            self._batch.clear()
            self._repository.expire()

    def _take(self, name: str, data: bytes, paifu_id: str) -> None:
        record = self._folder.parsed(data)
        start = start_in_id(paifu_id)
        earlier = self._entries.get(key_of(record))
        entry = entry_of(record, paifu_id, _day_of(start, earlier))
        if earlier is not None and not entry.better(earlier):
            self.add(RecordOutcome.DOUBLED, name, f"the same game as {earlier.file}")
            return
        game = self._game(entry, start)
        if game is None:
            self.add(
                RecordOutcome.UNMATCHED,
                name,
                "the log has no game of these players and points at that time",
            )
            return
        if self._taken.get(game, entry.key) != entry.key:
            self.add(RecordOutcome.DOUBLED, name, f"its game {game.where} has a record")
            return
        self._taken[game] = entry.key
        self._entries[entry.key] = entry
        if entry.id:
            self._ids.add(entry.id)
        self._batch.append(CountedRecord(data, entry))
        self.add(RecordOutcome.MATCHED, name, **_game_row(game))
        if len(self._batch) >= BATCH:
            self.finish()

    def _game(self, entry: PaifuEntry, start: GameStart | None) -> Game | None:
        """The game of a record, first among those without one.

        Few games have its highest points.
        """
        best = max((score for _, score in entry.scores), default=0.0)
        games = [game for game in self._games if len(game.seats) == entry.seats]
        similar = [game for game in games if abs(game.seats[0].score - best) < SAME_POINTS]
        free = [game for game in similar if self._taken.get(game, entry.key) == entry.key]
        player_of = self._snapshot.league.player_of
        for candidates in (free, similar):
            matches = match([entry.head], candidates, player_of, points=True)
            if matches:
                return next(iter(matches))
        return None


def _day_of(start: GameStart | None, earlier: PaifuEntry | None) -> date | None:
    """The day of a record: that of its id, else that of an earlier copy."""
    if start:
        return start.day
    if earlier:
        return earlier.day
    return None


def _game_row(game: Game) -> dict[str, Any]:
    start = ""
    if game.start:
        start = f"{game.start:%H:%M}"
    return {
        "day": str(game.day or ""),
        "start": start,
        "players": list(game.players),
        "log": game.where,
    }


def file_records(
    service: Service,
    league: str,
    files: Sequence[RecordSource],
    texts: Sequence[str],
    as_json: bool,
) -> None:
    """File the records and print the outcome. Exit status 1 when some were not stored."""
    if not files and not texts:
        raise Failure("no record is named: give files, folders or ids, or ids on standard input")
    total = len(files) + len(texts)
    if total > MOST:
        raise Failure(f"{total} records at once: {MOST} at most")
    work = LeagueRecords(service, league)
    if not work.counts.games:
        raise Failure(f"{league or 'the league'} has no games in its log: run `flask sync` first")
    try:
        with progress_bar("records", as_json) as progress:
            _file_all(work, files, texts, progress)
        work.finish()
    except KeyboardInterrupt:
        work.finish()
        work.stopped = "stopped; the same command goes on"
    except StorageError as error:
        work.stopped = f"stopped: {error}; the same command goes on"
    _print(work, as_json)
    if work.stopped or any(work.rows[outcome] for outcome in NOT_STORED):
        raise SystemExit(1)


def _file_all(
    work: LeagueRecords,
    files: Sequence[RecordSource],
    texts: Sequence[str],
    progress: Callable[[int, int], None],
) -> None:
    """File the records of the files, then those of the ids."""
    total = len(files) + len(texts)
    for done, (name, load) in enumerate(files, 1):
        work.file(name, load)
        progress(done, total)
    for done, text in enumerate(texts, len(files) + 1):
        ref = find_paifu(text)
        if ref is None:
            reason = "not the address or id of a game record"
            work.add(RecordOutcome.UNREADABLE, text[:LONGEST_TEXT], reason)
        else:
            work.fetch(ref)
        progress(done, total)


def _print(work: LeagueRecords, as_json: bool) -> None:
    recorded, games = work.counts
    outcomes = [
        outcome for outcome in RecordOutcome if outcome != RecordOutcome.LEFT or work.rows[outcome]
    ]
    counts = ", ".join(f"{len(work.rows[outcome])} {outcome}" for outcome in outcomes)
    report = {**work.rows, "games": games, "games_with_record": recorded, "stopped": work.stopped}
    print_report(as_json, report, [counts, f"{recorded} of {games} games have a record"])
    if as_json:
        return
    for outcome in (RecordOutcome.DOUBLED, *NOT_STORED):
        for row in work.rows[outcome]:
            click.echo(f"{outcome}: {row['file']}: {row['text']}", err=True)
    if work.stopped:
        click.echo(work.stopped, err=True)
