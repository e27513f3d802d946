"""`flask paifu --into-league`: records (牌譜) of games in the log, from files or by Tenhou's ids. Each is
matched to a game by date, players and points, and kept in the league's folder. What is kept is not fetched
again, so the same command goes on where it was stopped."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from bot.cli.base import Failure, line_of, print_json, progress_bar
from bot.league.paifu_log import MOST as KEPT
from bot.league.paifu_log import PaifuFolder, drop_oldest, keep_paifus
from bot.league.repository import check_folder_name
from bot.league.snapshot import LeagueSnapshot
from bot.service import Service
from bot.tenhou.client import PaifuRef, TenhouError, TenhouNotFound, find_paifu
from rating.games import Game
from rating.paifu.matching import PaifuMoment, could_be, match, moment_of
from rating.paifu.recordlog import PaifuEntry, entry_of, key_of
from rating.paifu.tiles import PaifuError
from storage.ports import StorageError

MOST = 10_000  # records of one call
LINES = 2000  # characters of a line of standard input
BETWEEN = 1.0  # seconds between two records of Tenhou's
FAILURES = 2  # failures of Tenhou in a row, after which no other record is asked for
BATCH = 25  # records written to recordlog.txt at once
KINDS = ("matched", "doubled", "unmatched", "unreadable", "left")
Load = Callable[[], bytes]


@dataclass
class Filing:
    """What became of each record, by kind: its file (or id) with a reason or, of `matched`, the game."""

    rows: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: {kind: [] for kind in KINDS})
    stopped: str = ""

    def add(self, kind: str, name: str, text: str = "", **more: Any) -> None:
        self.rows[kind].append({"file": name, **({"text": text} if text else {}), **more})


class LeagueRecords:
    """Files records in a league's folder. Raises StorageError when that can't be reached."""

    def __init__(self, service: Service, league: str, wait: Callable[[float], None] = time.sleep) -> None:
        check_folder_name(league)
        self._service, self._wait = service, wait
        self._repository = service.registry.league(league)
        self._snapshot: LeagueSnapshot = self._repository.snapshot()
        self._logs = self._repository.logs
        self._folder = PaifuFolder(self._logs)
        self._games: Sequence[Game] = self._snapshot.all_games()
        self._entries = {entry.key: entry for entry in self._snapshot.paifus}
        self._ids = {entry.id for entry in self._snapshot.paifus if entry.id}
        self._taken = {game: entry.key for game, entry in self._snapshot.paifu_of.items()}
        self._batch: list[tuple[bytes, PaifuEntry]] = []
        self._failures = 0
        self.found = Filing()

    @property
    def games(self) -> tuple[int, int]:
        """How many games of the log have a record, and how many games there are."""
        return len(self._taken), len(self._games)

    def file(self, name: str, load: Load) -> None:
        try:
            named = find_paifu(Path(name).name)
            self._take(name, load(), named.id if named else "")
        except (PaifuError, OSError) as error:
            self.found.add("unreadable", name, line_of(error))

    def fetch(self, ref: PaifuRef) -> None:
        """File the record of an id. Tenhou is asked only where the log has a game that it may be of."""
        if ref.id in self._ids:
            self.found.add("doubled", ref.id, "kept before")
            return
        moment = moment_of(ref.id)
        if moment is None or not any(could_be(moment, game) for game in self._games):
            self.found.add("unmatched", ref.id, "the log has no game of that room and hour: not fetched")
            return
        if self._failures == FAILURES:
            self.found.add("left", ref.id, "Tenhou did not answer: not asked for")
            return
        try:
            known = self._folder.get(ref.id)
            data = known or self._service.paifus.get(ref.id, _NoFolder(), anew=True)
            self._failures = 0
            if known is None:
                self._wait(BETWEEN)
            self._take(ref.id, data, ref.id)
        except TenhouNotFound as error:
            self._failures = 0
            self.found.add("unreadable", ref.id, str(error))
        except TenhouError as error:
            self._failures += 1
            self.found.add("left", ref.id, str(error))
        except PaifuError as error:
            self.found.add("unreadable", ref.id, str(error))

    def finish(self) -> None:
        """Write what is not written yet."""
        if self._batch:
            keep_paifus(self._logs, self._batch, self._service.now())
            for _, entry in self._batch if len(self._entries) > KEPT else ():
                drop_oldest(self._logs, entry.file)
            self._batch.clear()
            self._repository.expire()

    def _take(self, name: str, data: bytes, paifu_id: str) -> None:
        record = self._folder.parsed(data)
        moment = moment_of(paifu_id)
        known = self._entries.get(key_of(record))
        played = moment.day if moment else known.day if known else None
        entry = entry_of(record, paifu_id, played)
        if known is not None and not entry.better(known):
            self.found.add("doubled", name, f"the same game as {known.file}")
            return
        game = self._game(entry, moment)
        if game is None:
            self.found.add("unmatched", name, "the log has no game of these players and points at that time")
            return
        if self._taken.get(game, entry.key) != entry.key:
            self.found.add("doubled", name, f"its game {game.where} has a record")
            return
        self._taken[game] = entry.key
        self._entries[entry.key] = entry
        self._ids |= {entry.id} if entry.id else set()
        self._batch.append((data, entry))
        day, start = str(game.day or ""), f"{game.start:%H:%M}" if game.start else ""
        self.found.add("matched", name, day=day, start=start, players=list(game.players), log=game.where)
        if len(self._batch) >= BATCH:
            self.finish()

    def _game(self, entry: PaifuEntry, moment: PaifuMoment | None) -> Game | None:
        """The game of a record, first among those without one. Few games have its highest points."""
        best = max((score for _, score in entry.scores), default=0.0)
        like = [
            game
            for game in self._games
            if len(game.seats) == entry.seats and abs(game.seats[0].score - best) < 0.06
        ]
        free = [game for game in like if self._taken.get(game, entry.key) == entry.key]
        for games in (free, like):
            found = match([entry.head], games, self._snapshot.league.player_of, points=True)
            if found:
                return next(iter(found))
        return None


class _NoFolder:
    """Keeps nothing: a record is kept once its game is known."""

    def get(self, paifu_id: str) -> bytes | None:
        return None

    def put(self, paifu_id: str, data: bytes) -> None:
        """See KeptPaifus."""


def into_league(
    service: Service, league: str, files: Sequence[tuple[str, Load]], texts: Sequence[str], as_json: bool
) -> None:
    """File the records and print what became of them. Exit status 1 when some were not kept."""
    refs = [(text, find_paifu(text)) for text in texts]
    if not files and not refs:
        raise Failure("no record is named: give files, folders or ids, or ids on standard input")
    total = len(files) + len(refs)
    if total > MOST:
        raise Failure(f"{total} records at once: {MOST} at most")
    work = LeagueRecords(service, league)
    if not work.games[1]:
        raise Failure(f"{league or 'the league'} has no games in its log: run `flask sync` first")
    try:
        with progress_bar("records", as_json) as progress:
            for done, (name, load) in enumerate(files, 1):
                work.file(name, load)
                progress(done, total)
            for done, (text, ref) in enumerate(refs, len(files) + 1):
                if ref is None:
                    work.found.add("unreadable", text[:80], "not the address or id of a game record")
                else:
                    work.fetch(ref)
                progress(done, total)
        work.finish()
    except KeyboardInterrupt:
        work.finish()
        work.found.stopped = "stopped; the same command goes on"
    except StorageError as error:
        work.found.stopped = f"stopped: {error}; the same command goes on"
    _print(work, as_json)
    if work.found.stopped or any(map(work.found.rows.get, ("unmatched", "unreadable", "left"))):
        raise SystemExit(1)


def _print(work: LeagueRecords, as_json: bool) -> None:
    found, (recorded, games) = work.found, work.games
    if as_json:
        print_json({**found.rows, "games": games, "games_with_record": recorded, "stopped": found.stopped})
        return
    told = [f"{len(found.rows[kind])} {kind}" for kind in KINDS if kind != "left" or found.rows[kind]]
    click.echo(", ".join(told))
    click.echo(f"{recorded} of {games} games have a record")
    for kind in ("doubled", "unmatched", "unreadable", "left"):
        for row in found.rows[kind]:
            click.echo(f"{kind}: {row['file']}: {row['text']}", err=True)
    if found.stopped:
        click.echo(found.stopped, err=True)


def lines_of_input() -> Iterator[str]:
    """Yield the lines of standard input that hold anything, as many as one call takes and some more."""
    for number, line in enumerate(sys.stdin):
        if number > 2 * MOST:
            return
        if line.strip() and not line.lstrip().startswith("#"):
            yield line.strip()[:LINES]
