"""`flask lab danger` and `efficiency`: questions about tiles, as JSON on standard input."""

import json
import sys
from collections.abc import Callable
from typing import Any

import click

from bot.cli.base import command
from bot.cli.errors import Failure
from bot.cli.options import defaulted
from bot.cli.printing import print_json
from bot.runtime.translation import translated as _
from rating.paifu.situation import danger_answers, efficiency_answers
from rating.paifu.tiles import KIND_NAMES

MOST_INPUT = 64 * 1024 * 1024
INPUT_IS_JSON = click.option(
    "--json", "as_json", is_flag=True, help="Answer as JSON; the input is JSON in any case."
)


@command()
@INPUT_IS_JSON
@defaulted(
    "--seats",
    click.Choice(["3", "4"]),
    "4",
    'Players, where a state has no "seats": with 3 there is no 2m to 8m, 1m and 9m are as honours.',
)
def danger(as_json: bool, seats: str) -> None:
    """Reads {"unseen": [34], "safe": [34]} (one or a list, each may have "seats": 3) from standard
    input.
    """
    for answer in _answers(danger_answers, seats, as_json):
        points = zip(KIND_NAMES, answer["danger"], strict=True)
        click.echo(" ".join(f"{name}:{danger}" for name, danger in points))


@command()
@INPUT_IS_JSON
@defaulted("--seats", click.Choice(["3", "4"]), "4", 'Players, where a hand has no "seats".')
def efficiency(as_json: bool, seats: str) -> None:
    """Reads {"hand": [34], "calls": 0-4, "unseen": [34], "seats": 3} (one or a list) from standard
    input. A hand has 14 concealed tiles, 3 fewer for each call. The fastest discard comes first.
    """
    for answer in _answers(efficiency_answers, seats, as_json):
        click.echo(f"shanten {answer['shanten']}")
        for row in answer["discards"]:
            kinds = " ".join(KIND_NAMES[kind] for kind in row["kinds"])
            discard = KIND_NAMES[row["kind"]]
            click.echo(f"  {discard}: shanten {row['shanten']}, {row['tiles']} tiles: {kinds}")


def _answers(
    find: Callable[[Any, int], list[Any]],
    seats: str,
    as_json: bool,
) -> list[Any]:
    """Return the answers to what standard input asks as JSON; none once they are printed as
    JSON.
    """
    text = sys.stdin.buffer.read(MOST_INPUT + 1)
    if len(text) > MOST_INPUT:
        raise Failure(
            _("more than {megabytes} MB on standard input", megabytes=MOST_INPUT // 2**20)
        )
    try:
        request = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Failure(
            _("standard input is not JSON: {words}", words=" ".join(str(error).split()))
        ) from None
    answers = find(request, int(seats))
    if not as_json:
        return answers
    print_json(answers if isinstance(request, list) else answers[0])
    return []
