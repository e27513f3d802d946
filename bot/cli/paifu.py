"""`flask paifu` and `duplicate`: game records, and whether folding pays.

Bad input ends with one line on standard error and exit status 2.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from gettext import gettext as _
from itertools import count
from pathlib import Path
from typing import Any

import click

from bot.answers.paifu.report import pages
from bot.cli import paifu_league
from bot.cli.errors import Failure
from bot.cli.hands import danger, efficiency
from bot.cli.output import AS_JSON, print_json
from bot.cli.paifu_tables import print_report
from bot.cli.tables import print_table
from bot.league.paifu_log import PaifuFolder
from bot.service import Service
from bot.tenhou.client import find_paifu
from rating.paifu import duplicate as matches
from rating.paifu.mjlog import PLAIN_LIMIT, parse
from rating.paifu.record import Record
from rating.paifu.recordlog import key_of
from rating.paifu.statistics import Conduct, Statistics, conduct_of, judgements, of_record, summary
from rating.paifu.tiles import PaifuError
from rating.paifu.wall import open_walls

Fetch = Callable[[str], bytes]
RECORD_NAMES = {".xml", ".mjlog", ".gz", ".log"}


def fetch_with(get: Callable[[], Service]) -> Fetch:
    """Return a function that gets a record by its address at Tenhou: from the league's folder, else from
    Tenhou itself.

    It asks no other host, and Tenhou only as bot/tenhou/throttle.py allows.
    """

    def fetch(address: str) -> bytes:
        service = get()
        return service.paifus.fetch(address, PaifuFolder(service.stores.open_logs()))

    return fetch


def commands(fetch: Fetch | None = None, get: Callable[[], Service] | None = None) -> list[click.Command]:
    """Return the four commands: `paifu`, `danger`, `efficiency` and `duplicate`.

    `fetch` returns the bytes of the record at an address, and raises ValueError or OSError with the reason if
    it can't. `get` returns the service, for `--into-league`.
    """

    @click.command()
    @click.argument("sources", nargs=-1, metavar="FILE_OR_URL_OR_DIR...")
    @AS_JSON
    @click.option("--wall", is_flag=True, help="Also every tile of every wall, where the record tells it.")
    @click.option(
        "-o", "--output", type=click.Path(file_okay=False), help="Folder for the report of each record (PNG)."
    )
    @click.option("--into-league", is_flag=True, help="Keep them as the records of the log's games.")
    @click.option("--league", default="", help="With --into-league: the league's folder, if not the root's.")
    def paifu(
        sources: tuple[str, ...],
        as_json: bool,
        wall: bool,
        output: str | None,
        into_league: bool,
        league: str,
    ) -> None:
        """Statistics of game records (mjlog files, folders of them, or their addresses).

        With --into-league they are kept as the records of games that the log has, matched by date, players
        and points; ids or addresses are also read from standard input, a line each. Exit status 1 when some
        could not be kept.
        """
        if into_league and get is not None:
            if wall or output:
                raise Failure(_("--wall and --output are not for --into-league"))
            paifu_league.into_league(get(), league, *_named(sources), as_json)
            return
        if league or into_league:
            raise Failure(_("--league is for --into-league"))
        if not sources:
            raise Failure(_("name files, folders or addresses of game records (see `flask paifu --help`)"))
        games = _Games(Path(output) if output else None, judged=as_json, wall=wall)
        report = _paifu(sources, fetch, games)
        print_json(report) if as_json else print_report(report)

    return [paifu, danger, efficiency, duplicate]


@click.command()
@click.option(
    "--games", type=click.IntRange(2, 1_000_000), default=100, show_default=True, help="Games to play."
)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same games.")
@click.option(
    "--workers", type=click.IntRange(1, 256), default=None, help="Processes; by default one a core."
)
@click.option(
    "--against",
    type=click.Choice(list(matches.AGAINST)),
    default="none",
    show_default=True,
    help="By what the other policy folds: never, or by suji alone, without walls.",
)
@AS_JSON
def duplicate(games: int, seed: int, workers: int | None, against: str, as_json: bool) -> None:
    """Does folding by danger pay? Two policies, with and without the rule, play the same walls twice,
    changing seats."""
    try:
        report = _play(games, seed, workers or os.cpu_count() or 1, against)
    except PaifuError as error:
        raise Failure(str(error)) from None
    if as_json:
        print_json(report)
        return
    lines: dict[str, dict[str, float]] = dict(report["figures"])
    for ending, parts in report["balance"].items():
        lines |= {f"{ending}: share": parts["share"], f"{ending}: points": parts["points"]}
    keys = ("with", "without", "difference", "low", "high")
    rows = [[name, *(f"{row[key]:.4g}" for key in keys)] for name, row in lines.items()]
    click.echo(
        f"{report['games']} games, {report['rounds']} rounds, {report['seconds']:.0f} s; 95 % intervals"
    )
    heads = ("with", "without") if against == "none" else ("danger", against)
    print_table(["", *heads, "difference", "from", "to"], rows, right={1, 2, 3, 4, 5})


def _play(games: int, seed: int, workers: int, against: str) -> dict[str, Any]:
    walls, start = matches.seeds(games, seed), time.monotonic()
    label, hidden = "pairs of games", not sys.stderr.isatty()
    pool = ProcessPoolExecutor(min(workers, len(walls)), multiprocessing.get_context("spawn"))
    with pool, click.progressbar(length=len(walls), label=label, file=sys.stderr, hidden=hidden) as bar:
        results = []
        play, size = partial(matches.play, against=against), max(1, min(8, len(walls) // workers // 4))
        for result in pool.map(play, walls, chunksize=size):
            results.append(result)
            bar.update(1)
    return {"against": against, **matches.report(results, seed, time.monotonic() - start)}


def _paifu(sources: tuple[str, ...], fetch: Fetch | None, games: _Games) -> dict[str, Any]:
    found = list(_sources(sources, fetch))
    if games.output:
        games.output.mkdir(parents=True, exist_ok=True)
    with click.progressbar(found, label="records", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        for name, load in bar:
            try:
                record = parse(load())
            except (PaifuError, ValueError, OSError) as error:
                games.problem(name, _line(error))
                continue
            games.add(record, name)
    problems = games.problems
    if not games.summaries:
        first = (
            f"{problems[0]['file']}: {problems[0]['text']}"
            if problems
            else _("{source}: no game record there").format(source=sources[0])
        )
        raise Failure(
            first
            if len(problems) < 2
            else _("none of {files} files is a game record; {first}").format(files=len(problems), first=first)
        )
    return {**games.figures(), "problems": problems, "games": list(games.summaries.values())}


class _Games:
    """The games of the records read. A game is counted once, even if several of its records are given.

    Of two copies, the one with more rounds counts. So a record with problems is counted only at the end: a
    complete copy may still come. `judged`: each summary tells riichi, luck, efficiency and push of its game.
    `wall`: it tells the walls.
    """

    def __init__(self, output: Path | None, judged: bool, wall: bool) -> None:
        self.output = output
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
        key = key_of(record)
        known = self.summaries.get(key)
        if known is not None:
            better = key in self._waiting and len(record.rounds) > known["rounds"]
            kept, left = (name, known["file"]) if better else (known["file"], name)
            self.problem(left, _("the same game as {kept}: counted once").format(kept=kept))
            if not better:
                return
            del self._waiting[key]
        self.summaries[key] = summary(record, name)
        conduct = conduct_of(record)
        if record.problems:
            self._waiting[key] = of_record(record, conduct)
        else:
            self._total += of_record(record, conduct)
        for text in record.problems:
            self.problem(name, text)
        self._judge(record, name, self.summaries[key], conduct)
        if self.output:
            _draw(record, self.output, self._stem(key, name))

    def _judge(self, record: Record, name: str, row: dict[str, Any], conduct: Conduct) -> None:
        """Add to the summary `row` what the record's wall and discards tell."""
        if not (self.judged or self.wall):
            return
        walls = open_walls(record)
        if walls.problem:
            self.problem(name, walls.problem)
        if self.wall:
            row["walls"] = None if walls.rounds is None else [wall.figures() for wall in walls.rounds]
        if self.judged:
            row |= judgements(record, conduct, walls.rounds)

    def figures(self) -> dict[str, Any]:
        """Return the statistics of all games together. Call it when all records are added."""
        for statistics in self._waiting.values():
            self._total += statistics
        self._waiting.clear()
        return self._total.figures()

    def _stem(self, key: str, name: str) -> str:
        """Return how the file names of the game's pages begin; no other game has the same."""
        if key not in self._stems:
            plain = "".join(sign if sign.isalnum() or sign in "-_." else "_" for sign in Path(name).name)[
                -80:
            ]
            names = (plain if number == 1 else f"{plain}_{number}" for number in count(1))
            stem = next(name for name in names if name.casefold() not in self._taken)
            self._taken.add(stem.casefold())
            self._stems[key] = stem
        return self._stems[key]


def _sources(sources: tuple[str, ...], fetch: Fetch | None) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Yield (name, function that returns the bytes) of every record asked for."""
    for source in sources:
        path = Path(source)
        if source.startswith(("http://", "https://")):
            if fetch is None:
                raise Failure(_("{source}: addresses can't be fetched here").format(source=source))
            yield source, lambda fetch=fetch, source=source: fetch(source)  # type: ignore[misc]
        elif path.is_dir():
            files = sorted(file for file in path.rglob("*") if file.is_file() and _looks_like_a_record(file))
            yield from ((str(file), lambda file=file: _bytes(file)) for file in files)
        elif path.is_file():
            yield source, lambda path=path: _bytes(path)  # type: ignore[misc]
        else:
            raise Failure(_("{source}: no such file or folder").format(source=source))


def _named(sources: tuple[str, ...]) -> tuple[list[tuple[str, Callable[[], bytes]]], list[str]]:
    """Return (files of records with their readers, ids and addresses); without sources, those of standard
    input."""
    texts = [source for source in sources if not Path(source).exists() and find_paifu(source)]
    files = list(_sources(tuple(s for s in sources if s != "-" and s not in texts), None))
    if not sources or "-" in sources:
        texts += paifu_league.lines_of_input()
    return files, texts


def _looks_like_a_record(path: Path) -> bool:
    """Judge a file of a folder by its name or its first bytes: gzip or XML. A folder may hold other files
    too."""
    if path.suffix.lower() in RECORD_NAMES:
        return True
    with path.open("rb") as file:
        start = file.read(16)
    return start[:2] == b"\x1f\x8b" or start.lstrip(b"\xef\xbb\xbf \r\n\t").startswith((b"<mjlog", b"<?xml"))


def _bytes(path: Path) -> bytes:
    """Read the file, at most one byte more than `parse` accepts."""
    with path.open("rb") as file:
        return file.read(PLAIN_LIMIT + 1)


def _draw(record: Record, output: Path, stem: str) -> None:
    for number, page in enumerate(pages(record), 1):
        (output / f"{stem}-{number}.png").write_bytes(page)


def _line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
