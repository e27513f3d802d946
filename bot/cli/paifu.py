"""`flask paifu`: the statistics of game records, as tables of the players' rates and of the
deal-ins; with --into-league it files records in the league's folder (`record_filing.py`).
"""

import sys
from pathlib import Path
from typing import Any

import click

from bot.cli.base import CommandContext, command, with_context
from bot.cli.errors import Failure, line_of
from bot.cli.options import AS_JSON
from bot.cli.printing import print_report
from bot.cli.record_figures import RecordFigures
from bot.cli.record_files import Fetch, lines_of_input, record_sources
from bot.cli.record_filing import file_records
from bot.cli.record_tables import report_lines
from bot.league.paifu_log import PaifuFolder
from bot.runtime.translation import translated as _
from bot.service import Service
from bot.tenhou.client import find_paifu
from rating.paifu import formats
from rating.paifu.tiles import PaifuError

STANDARD_INPUT = "-"


@command()
@click.argument("sources", nargs=-1, metavar="FILE_OR_URL_OR_DIR...")
@AS_JSON
@click.option(
    "--wall", is_flag=True, help="Also every tile of every wall, where the record tells it."
)
@click.option(
    "--choices",
    is_flag=True,
    help="Also, with three seats, what the top table would discard (with --json).",
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
    choices: bool,
    output: str | None,
    into_league: bool,
    league: str,
) -> None:
    """With --into-league they are kept as the records of games that the log has, matched by date,
    players and points; ids or addresses are also read from standard input, a line each. Exit status
    1 when some could not be kept.
    """
    if into_league:
        if wall or choices or output:
            raise Failure(_("--wall, --choices and --output are not for --into-league"))
        _into_league(cli.service, league, sources, as_json)
        return
    if league:
        raise Failure(_("--league is for --into-league"))
    if choices and not as_json:
        raise Failure(_("--choices is for --json"))
    if not sources:
        raise Failure(
            _("name files, folders or addresses of game records (see `flask paifu --help`)")
        )
    figures = RecordFigures(has_judgements=as_json, has_walls=wall, has_choices=choices)
    if output:
        figures.draw_into(Path(output), cli.drawing("record"))

    def fetch(address: str) -> bytes:
        """From the league's folder, else from Tenhou itself, as bot/tenhou/paifu_fetcher.py allows."""
        return cli.service.paifus.fetch(address, PaifuFolder(cli.service.stores.open_logs()))

    report = _report(sources, fetch, figures)
    print_report(as_json, report, report_lines(report))
    if not as_json:
        for problem in report["problems"]:
            click.echo("{file}: {text}".format(**problem), err=True)


def _into_league(
    service: Service,
    league: str,
    sources: tuple[str, ...],
    as_json: bool,
) -> None:
    """File the records of files, ids and addresses; without sources, those of standard input."""
    ids = [source for source in sources if not Path(source).exists() and find_paifu(source)]
    paths = tuple(source for source in sources if source != STANDARD_INPUT and source not in ids)
    files = list(record_sources(paths, None))
    if not sources or STANDARD_INPUT in sources:
        ids += lines_of_input()
    file_records(service, league, files, ids, as_json)


def _report(
    sources: tuple[str, ...],
    fetch: Fetch,
    figures: RecordFigures,
) -> dict[str, Any]:
    """The figures of all records. Raises Failure where none can be read."""
    records = list(record_sources(sources, fetch))
    is_hidden = not sys.stderr.isatty()
    with click.progressbar(records, label="records", file=sys.stderr, hidden=is_hidden) as bar:
        for name, load in bar:
            try:
                record = formats.parse(load())
            except (PaifuError, ValueError, OSError) as error:
                figures.add_problem(name, line_of(error))
                continue
            figures.add(record, name)
    if not figures.summaries:
        raise _no_record(sources, figures.problems)
    return {
        **figures.totals(),
        "problems": figures.problems,
        "games": list(figures.summaries.values()),
    }


def _no_record(sources: tuple[str, ...], problems: list[dict[str, str]]) -> Failure:
    """The failure of sources without a record that can be read."""
    if not problems:
        return Failure(_("{source}: no game record there", source=sources[0]))
    first = "{file}: {text}".format(**problems[0])
    if len(problems) == 1:
        return Failure(first)
    return Failure(
        _("none of {files} files is a game record; {first}", files=len(problems), first=first)
    )
