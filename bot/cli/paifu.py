"""`flask paifu`: the statistics of game records, as tables of the players' rates and of the
deal-ins.

With --into-league it takes records (牌譜) of games in the log, from files or by Tenhou's ids. Each
is matched to a game by date, players and points, and stored in the league's folder. A stored one
is not fetched again, so the same command goes on where it was stopped.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import click

from bot.chat.feature import Drawing
from bot.cli.base import (
    AS_JSON,
    CommandContext,
    Failure,
    command,
    line_of,
    progress_bar,
    show,
    table_text,
    with_context,
)
from bot.league.folder_names import check_folder_name
from bot.league.moment_text import moment_text_in
from bot.league.paifu_log import (
    MOST as KEPT,
    CountedRecord,
    PaifuFolder,
    drop_oldest,
    entry_of,
    keep_paifus,
)
from bot.league.snapshot import LeagueSnapshot
from bot.runtime.translation import translated as _
from bot.service import Service
from bot.tenhou.client import PaifuRef, TenhouError, TenhouNotFound, find_paifu
from rating.games import Game
from rating.paifu import chances, formats
from rating.paifu.checked_walls import open_walls
from rating.paifu.deal_in import SHAPES, SOURCE_GROUP_PERCENT, SOURCE_PERCENT, source_percent
from rating.paifu.game_start import GameStart, could_be, start_in_id
from rating.paifu.matching import match
from rating.paifu.moments import Moment, moments
from rating.paifu.record import Record
from rating.paifu.recordlog import PaifuEntry, game_key, key_of
from rating.paifu.review import review
from rating.paifu.statistics import Conduct, Statistics, conduct_of, judgements, of_record, summary
from rating.paifu.tiles import PaifuError, notation
from storage.ports import StorageError

Fetch = Callable[[str], bytes]
MOST = 10_000  # records of one call
LINES = 2000  # characters of a line of standard input
BETWEEN = 1.0  # seconds between two records of Tenhou's
FAILURES = 2  # failures of Tenhou in a row, after which no other record is requested
BATCH = 25  # records written to recordlog.txt at once
KINDS = ("matched", "doubled", "unmatched", "unreadable", "left")
Load = Callable[[], bytes]


@command()
@click.argument("sources", nargs=-1, metavar="FILE_OR_URL_OR_DIR...")
@AS_JSON
@click.option(
    "--wall", is_flag=True, help="Also every tile of every wall, where the record tells it."
)
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False),
    help="Folder for the report of each record (PNG).",
)
@click.option("--into-league", is_flag=True, help="Keep them as the records of the log's games.")
@click.option(
    "--league", default="", help="With --into-league: the league's folder, if not the root's."
)
@with_context
def paifu(
    cli: CommandContext,
    sources: tuple[str, ...],
    as_json: bool,
    wall: bool,
    output: str | None,
    into_league: bool,
    league: str,
) -> None:
    """With --into-league they are kept as the records of games that the log has, matched by date,
    players and points; ids or addresses are also read from standard input, a line each. Exit status
    1 when some could not be kept.
    """
    if into_league:
        if wall or output:
            raise Failure(_("--wall and --output are not for --into-league"))
        # Files of records with their readers, ids and addresses; without sources, those of
        # standard input.
        texts = [source for source in sources if not Path(source).exists() and find_paifu(source)]
        paths = tuple(source for source in sources if source != "-" and source not in texts)
        files = list(_sources(paths, None))
        if not sources or "-" in sources:
            texts += lines_of_input()
        file_records(cli.service, league, files, texts, as_json)
        return
    if league:
        raise Failure(_("--league is for --into-league"))
    if not sources:
        raise Failure(
            _("name files, folders or addresses of game records (see `flask paifu --help`)")
        )
    folder = Path(output) if output else None
    draw = cli.drawing("record") if folder else None
    games = _Games(folder, draw, judged=as_json, wall=wall)

    def fetch(address: str) -> bytes:
        """From the league's folder, else from Tenhou itself, as bot/tenhou/paifu_fetcher.py allows."""
        return cli.service.paifus.fetch(address, PaifuFolder(cli.service.stores.open_logs()))

    report = _report(sources, fetch, games)
    show(as_json, report, _lines(report))
    if not as_json:
        for problem in report["problems"]:
            click.echo("{file}: {text}".format(**problem), err=True)


def _report(
    sources: tuple[str, ...],
    fetch: Fetch,
    games: _Games,
) -> dict[str, Any]:
    records = list(_sources(sources, fetch))
    if games.output:
        games.output.mkdir(parents=True, exist_ok=True)
    hidden = not sys.stderr.isatty()
    with click.progressbar(records, label="records", file=sys.stderr, hidden=hidden) as bar:
        for name, load in bar:
            try:
                record = formats.parse(load())
            except (PaifuError, ValueError, OSError) as error:
                games.problem(name, line_of(error))
                continue
            games.add(record, name)
    problems = games.problems
    if not games.summaries:
        if not problems:
            raise Failure(_("{source}: no game record there", source=sources[0]))
        message = "{file}: {text}".format(**problems[0])
        if len(problems) > 1:
            message = _(
                "none of {files} files is a game record; {first}",
                files=len(problems),
                first=message,
            )
        raise Failure(message)
    return {
        **games.figures(),
        "problems": problems,
        "games": list(games.summaries.values()),
    }


class _Games:
    """The games of the records read, each counted once: of two copies the one with more rounds. So
    a record with problems is counted only at the end. `judged`: summaries have riichi, luck,
    efficiency, push and chances; `wall`: the walls. `draw` makes the pages of a record's report for
    the folder `output`."""

    def __init__(
        self,
        output: Path | None,
        draw: Drawing | None,
        judged: bool,
        wall: bool,
    ) -> None:
        self.output = output
        self.draw = draw
        self.judged = judged
        self.wall = wall
        self.summaries: dict[str, dict[str, Any]] = {}
        self.problems: list[dict[str, str]] = []
        self._total = Statistics()
        self._waiting: dict[str, Statistics] = {}
        self._stems: dict[str, str] = {}  # by game
        self._taken: set[str] = set()

    def problem(self, name: str, text: str) -> None:
        self.problems.append({"file": name, "text": text})

    def add(self, record: Record, name: str) -> None:
        key = game_key(record)
        earlier = self.summaries.get(key)
        if earlier is not None:
            better = key in self._waiting and len(record.rounds) > earlier["rounds"]
            if not better:
                text = _("the same game as {kept}: counted once", kept=earlier["file"])
                self.problem(name, text)
                return
            text = _("the same game as {kept}: counted once", kept=name)
            self.problem(earlier["file"], text)
            del self._waiting[key]
        self.summaries[key] = summary(record, name)
        conduct = conduct_of(record)
        if record.problems:
            self._waiting[key] = of_record(record, conduct)
        else:
            self._total += of_record(record, conduct)
        for text in (*record.problems, *record.notes):
            self.problem(name, text)
        if self.judged or self.wall:
            self.summaries[key] |= self._figures_of_wall(record, name, conduct)
        if self.output and self.draw:
            for number, page in enumerate(self.draw(record), 1):
                (self.output / f"{self._stem(key, name)}-{number}.png").write_bytes(page)

    def _figures_of_wall(self, record: Record, name: str, conduct: Conduct) -> dict[str, Any]:
        """The figures of a record's wall and discards; a wall that is wrong is a problem."""
        row: dict[str, Any] = {}
        walls = open_walls(record)
        if walls.problem:
            self.problem(name, walls.problem)
        if self.wall:
            row["walls"] = None
            if walls.rounds is not None:
                row["walls"] = [asdict(wall) for wall in walls.rounds]
        if self.judged:
            reviewed = review(record)
            row |= judgements(record, conduct, walls.rounds, reviewed)
            best = moments(record, walls.rounds, reviewed)
            row["moments"] = [_moment_row(moment, record) for moment in best]
            row |= chances.report(record)
        return row

    def figures(self) -> dict[str, Any]:
        """Return the statistics of all games. Call it when all records are added."""
        for statistics in self._waiting.values():
            self._total += statistics
        self._waiting.clear()
        return self._total.figures()

    def _stem(self, key: str, name: str) -> str:
        if key not in self._stems:
            plain = re.sub(r"[^\w.-]", "_", Path(name).name)[-80:]
            stem = plain
            number = 1
            while stem.casefold() in self._taken:
                number += 1
                stem = f"{plain}_{number}"
            self._taken.add(stem.casefold())
            self._stems[key] = stem
        return self._stems[key]


def _moment_row(moment: Moment, record: Record) -> dict[str, Any]:
    return {
        "round": moment.round,
        "seat": moment.seat,
        "player": record.players[moment.seat],
        "rule": moment.rule,
        "grade": moment.grade,
        "words": moment_text_in(moment, record),
        "kinds": list(moment.kinds),
    }


def _sources(
    sources: tuple[str, ...], fetch: Fetch | None
) -> Iterator[tuple[str, Callable[[], bytes]]]:
    for source in sources:
        path = Path(source)
        if source.startswith(("http://", "https://")):
            if fetch is None:
                raise Failure(_("{source}: addresses can't be fetched here", source=source))
            yield source, partial(fetch, source)
        elif path.is_dir():
            files = [file for file in path.rglob("*") if file.is_file()]
            for file in sorted(filter(_may_be_record, files)):
                yield str(file), partial(_bytes, file)
        elif path.is_file():
            yield source, partial(_bytes, path)
        else:
            raise Failure(_("{source}: no such file or folder", source=source))


def _may_be_record(path: Path) -> bool:
    """Judge a file of a folder that may have others too by its name or its first bytes."""
    if formats.may_be_record_name(path.name):
        return True
    with path.open("rb") as file:
        return formats.may_be_record(file.read(formats.HEAD_BYTES))


def _bytes(path: Path) -> bytes:
    """Read the file, at most one byte more than `formats.parse` accepts."""
    with path.open("rb") as file:
        return file.read(formats.MOST_BYTES + 1)


def _lines(report: dict[str, Any]) -> Iterator[str]:
    yield f"{report['records']} records, {report['rounds']} rounds, {report['discards']} discards"
    rows = []
    for name, by_seats in {**report["players"], "(all)": report["overall"]}.items():
        rows += [[name, seats, *_player_cells(row)] for seats, row in by_seats.items()]
    heads = [
        "player",
        "seats",
        "games",
        "placing",
        "win",
        "deal-in",
        "to riichi",
        "to others",
        "riichi",
    ]
    heads += ["call", "mean win", "a round"]
    yield table_text(heads, rows)
    yield "deal-in: share of the rounds; to riichi, to others: rons, each winner of a double ron counted"
    for seats, tables in report["deal_in_by_seats"].items():
        yield from _deal_ins(seats, tables)
    for game in report["games"]:
        if "walls" in game:
            yield f"{game['file']}: " + ("the walls" if game["walls"] else "the walls are unknown")
        for number, wall in enumerate(game.get("walls") or (), 1):
            # The live wall is in the order of drawing.
            parts = [f"{part} {_tiles(wall[part])}" for part in ("live", "rinshan", "dora", "ura")]
            yield f"  round {number}: " + " | ".join(parts)


def _player_cells(row: dict[str, Any]) -> list[str]:
    """The figures of a player's row, in the order of the table's heads."""
    return [
        str(row["games"]),
        f"{row['mean_placing']:.2f}",
        f"{row['win']:.1%}",
        f"{row['deal_in']:.1%}",
        *map(str, row["deal_ins"].values()),
        f"{row['riichi']:.1%}",
        f"{row['call']:.1%}",
        f"{row['mean_win']:.0f}",
        f"{row['mean']:+.0f}",
    ]


def _tiles(tiles: Sequence[int]) -> str:
    return " ".join(notation([tile]) for tile in tiles)


def _deal_ins(seats: str, tables: dict[str, Any]) -> Iterator[str]:
    """The deal-in tables: by class of tile and shape, and by the riichi's shape. A rate is the
    share of the class's discards that dealt into a wait of the shape; `source`: the same in the
    games that rating/paifu/deal_in.py names."""
    lines = []
    for group, percent in SOURCE_GROUP_PERCENT.items():
        kinds = {f"  {n}": tables["classes"][n] for n in SOURCE_PERCENT if n.startswith(group)}
        rows = {group: tables["groups"][group], **kinds}
        source = (percent, *(source_percent(int(seats), name.strip()) for name in kinds))
        for (name, row), usual in zip(rows.items(), source, strict=True):
            shapes = [f"{row[s] / row['discards']:.2%}" if row[s] else "" for s in SHAPES]
            source_cell = ""
            if seats == "4" or name != group:
                source_cell = f"{usual:.2f}%"
            lines.append([name, *_counted(row), *shapes, source_cell])
    heads = [
        f"into a riichi, {seats} seats",
        "discards",
        "deal-ins",
        "rate",
        "from",
        "to",
        *SHAPES,
        "source",
    ]
    yield table_text(heads, lines)
    lines = [[name, *_counted(row)] for name, row in tables["wait_shapes"].items()]
    yield table_text([f"wait of the riichi, {seats} seats", *heads[1:6]], lines)
    if tables["robbed"]:
        yield f"and {tables['robbed']} by a robbed kan, which is no discard"


def _counted(row: dict[str, Any]) -> list[str]:
    rates = [f"{row[key]:.2%}" for key in ("rate", "low", "high")]
    return [str(row["discards"]), str(row["deal_ins"]), *rates]


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
        # What became of each record, by kind: its file (or id) with a reason or, of `matched`,
        # the game.
        self.rows: dict[str, list[dict[str, Any]]] = {kind: [] for kind in KINDS}
        self.stopped = ""

    def add(
        self,
        kind: str,
        name: str,
        text: str = "",
        **more: Any,
    ) -> None:
        row: dict[str, Any] = {"file": name}
        if text:
            row["text"] = text
        self.rows[kind].append({**row, **more})

    @property
    def games(self) -> tuple[int, int]:
        """How many games of the log have a record, and how many games there are."""
        return len(self._taken), len(self._games)

    def file(self, name: str, load: Load) -> None:
        try:
            named = find_paifu(Path(name).name)
            self._take(name, load(), named.id if named else "")
        except (PaifuError, OSError) as error:
            self.add("unreadable", name, line_of(error))

    def fetch(self, ref: PaifuRef) -> None:
        """File the record of an id.

        Tenhou is asked only where the log has a game that it may be of.
        """
        if ref.id in self._ids:
            self.add("doubled", ref.id, "kept before")
            return
        start = start_in_id(ref.id)
        if start is None or not any(could_be(start, game) for game in self._games):
            self.add("unmatched", ref.id, "the log has no game of that room and hour: not fetched")
            return
        if self._failures == FAILURES:
            self.add("left", ref.id, "Tenhou did not answer: not asked for")
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
            self.add("unreadable", ref.id, str(error))
        except TenhouError as error:
            self._failures += 1
            self.add("left", ref.id, str(error))
        except PaifuError as error:
            self.add("unreadable", ref.id, str(error))

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
        day = None
        if start:
            day = start.day
        elif earlier:
            day = earlier.day
        entry = entry_of(record, paifu_id, day)
        if earlier is not None and not entry.better(earlier):
            self.add("doubled", name, f"the same game as {earlier.file}")
            return
        game = self._game(entry, start)
        if game is None:
            self.add(
                "unmatched", name, "the log has no game of these players and points at that time"
            )
            return
        if self._taken.get(game, entry.key) != entry.key:
            self.add("doubled", name, f"its game {game.where} has a record")
            return
        self._taken[game] = entry.key
        self._entries[entry.key] = entry
        if entry.id:
            self._ids.add(entry.id)
        self._batch.append(CountedRecord(data, entry))
        self.add(
            "matched",
            name,
            day=str(game.day or ""),
            start=f"{game.start:%H:%M}" if game.start else "",
            players=list(game.players),
            log=game.where,
        )
        if len(self._batch) >= BATCH:
            self.finish()

    def _game(self, entry: PaifuEntry, start: GameStart | None) -> Game | None:
        """The game of a record, first among those without one.

        Few games have its highest points.
        """
        best = max((score for _, score in entry.scores), default=0.0)
        games = [game for game in self._games if len(game.seats) == entry.seats]
        similar = [game for game in games if abs(game.seats[0].score - best) < 0.06]
        free = [game for game in similar if self._taken.get(game, entry.key) == entry.key]
        player_of = self._snapshot.league.player_of
        for candidates in (free, similar):
            matches = match([entry.head], candidates, player_of, points=True)
            if matches:
                return next(iter(matches))
        return None


def file_records(
    service: Service,
    league: str,
    files: Sequence[tuple[str, Load]],
    texts: Sequence[str],
    as_json: bool,
) -> None:
    """File the records and print the outcome. Exit status 1 when some were not stored."""
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
                    work.add("unreadable", text[:80], "not the address or id of a game record")
                else:
                    work.fetch(ref)
                progress(done, total)
        work.finish()
    except KeyboardInterrupt:
        work.finish()
        work.stopped = "stopped; the same command goes on"
    except StorageError as error:
        work.stopped = f"stopped: {error}; the same command goes on"
    _print(work, as_json)
    if work.stopped or any(map(work.rows.get, ("unmatched", "unreadable", "left"))):
        raise SystemExit(1)


def _print(work: LeagueRecords, as_json: bool) -> None:
    recorded, games = work.games
    kinds = [kind for kind in KINDS if kind != "left" or work.rows[kind]]
    counts = ", ".join(f"{len(work.rows[kind])} {kind}" for kind in kinds)
    report = {**work.rows, "games": games, "games_with_record": recorded, "stopped": work.stopped}
    show(as_json, report, [counts, f"{recorded} of {games} games have a record"])
    if as_json:
        return
    for kind in ("doubled", "unmatched", "unreadable", "left"):
        for row in work.rows[kind]:
            click.echo(f"{kind}: {row['file']}: {row['text']}", err=True)
    if work.stopped:
        click.echo(work.stopped, err=True)


def lines_of_input() -> Iterator[str]:
    """Yield the lines of standard input that are not empty, as many as one call takes and some
    more.
    """
    for line in islice(sys.stdin, 2 * MOST + 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield line.strip()[:LINES]
