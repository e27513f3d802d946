"""`flask danger` and `flask efficiency`: questions about tiles that come as JSON on standard input.

Bad input ends with one line on standard error and exit status 2.
"""

from __future__ import annotations

import json
import sys
from gettext import gettext as _
from typing import Any

import click

from bot.cli.errors import Failure
from bot.cli.output import print_json
from rating.paifu.situation import danger_answers, efficiency_answers
from rating.paifu.tiles import KIND_NAMES, PaifuError

MOST_INPUT = 64 * 1024 * 1024
INPUT_IS_JSON = click.option(
    "--json", "as_json", is_flag=True, help="Answer as JSON; the input is JSON in any case."
)


@click.command()
@INPUT_IS_JSON
@click.option(
    "--seats",
    type=click.Choice(["3", "4"]),
    default="4",
    show_default=True,
    help='Players, where a state has no "seats": with 3 there is no 2m to 8m, 1m and 9m are as honours.',
)
def danger(as_json: bool, seats: str) -> None:
    """Print how dangerous each kind of tile is, in danger points.

    Reads {"unseen": [34], "safe": [34]} (one or a list, each may have "seats": 3) from standard input.
    """
    asked = _read_json()
    try:
        found = danger_answers(asked, int(seats))
    except PaifuError as error:
        raise Failure(str(error)) from None
    if as_json:
        print_json(found if isinstance(asked, list) else found[0])
        return
    for answer in found:
        click.echo(
            " ".join(f"{name}:{points}" for name, points in zip(KIND_NAMES, answer["danger"], strict=True))
        )


@click.command()
@INPUT_IS_JSON
@click.option(
    "--seats",
    type=click.Choice(["3", "4"]),
    default="4",
    show_default=True,
    help='Players, where a hand has no "seats".',
)
def efficiency(as_json: bool, seats: str) -> None:
    """Print the shanten after each discard of a hand, and what it then accepts (tile efficiency).

    Reads {"hand": [34], "calls": 0-4, "unseen": [34], "seats": 3} (one or a list) from standard input. A hand
    has 14 concealed tiles, 3 fewer for each call. The fastest discard comes first.
    """
    asked = _read_json()
    try:
        found = efficiency_answers(asked, int(seats))
    except PaifuError as error:
        raise Failure(str(error)) from None
    if as_json:
        print_json(found if isinstance(asked, list) else found[0])
        return
    for answer in found:
        click.echo(f"shanten {answer['shanten']}")
        for row in answer["discards"]:
            kinds = " ".join(KIND_NAMES[kind] for kind in row["kinds"])
            click.echo(
                f"  {KIND_NAMES[row['kind']]}: shanten {row['shanten']}, {row['tiles']} tiles: {kinds}"
            )


def _read_json() -> Any:
    text = sys.stdin.buffer.read(MOST_INPUT + 1)
    if len(text) > MOST_INPUT:
        raise Failure(_("more than {megabytes} MB on standard input").format(megabytes=MOST_INPUT // 2**20))
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Failure(
            _("standard input is not JSON: {words}").format(words=" ".join(str(error).split()))
        ) from None
