"""The table of the flask commands: their groups, modules and summaries."""

from itertools import chain
from typing import Any

import click
from flask import Flask
from flask.cli import AppGroup

from bot.cli import version
from bot.cli.base import CliGroup, CommandContext, LateCommand, follow_environment
from bot.cli.errors import Failure
from bot.runtime.translation import translated as _

GROUPS = {
    "league": "The league's rooms, seasons and logs.",
    "member": "What is kept of a member.",
    "richmenu": "The menu below the 1:1 chat on phones.",
    "lab": "For who computes: which rating predicts best, its factors, danger, tile efficiency.",
}
COMMANDS = {
    "standings": {
        "standings": "Everyone's rating, best first; guests are left out.",
    },
    "chart": {
        "chart": "Draw the rating chart into a PNG file.",
    },
    "forecast": {
        "forecast": (
            "Find who will win the season: the chance of every place, final points with a 90 % interval, "
            "and skill."
        ),
    },
    "ask": {
        "ask": "Print any answer of the bot, or write its picture into a PNG file.",
    },
    "paifu": {
        "paifu": "Statistics of game records (mjlog files, folders of them, or their addresses).",
    },
    "sync": {
        "sync": "Add Tenhou's newest results to the season logs.",
    },
    "rooms": {
        "league init": "Find the rooms where these players (names on Tenhou) met lately, and propose a league.toml.",
        "league room": "Read a league's results from its own room at Tenhou as games end.",
    },
    "accounts": {
        "league dropbox": (
            "Keep LEAGUE's logs in a Dropbox account of its own. The account's refresh token is read from "
            "standard input."
        ),
        "league key": "Make a key for JANROKU_SECRET_KEY.",
    },
    "folder": {
        "league show": "Show the rooms, seasons with their games, players, and the day up to which Tenhou was read.",
        "league accept": "Take a file as it is though games (or what league.toml said) are gone from it.",
    },
    "folder_check": {
        "league check": (
            "Look for faults in the logs, in league.toml and in the files' names. Exit status 1 when some "
            "are left."
        ),
    },
    "file_versions": {
        "league history": "List the former versions of a file (by default of all .txt and .toml files), oldest first.",
        "league restore": (
            "Put a former version of a file back, or `good`: its last good one. What it replaces is kept as "
            "a version too."
        ),
    },
    "leagues": {
        "league list": "List the leagues with their chats, games and last day.",
        "league remove": "Forget a league: its chats, names, results not merged yet and secrets.",
        "league rename": "Give a league's folder another name.",
    },
    "members": {
        "member forget": "Forget what is kept of a member, and with --logs the member's name.",
    },
    "setup": {
        "setup": "Set up a league step by step: each answer is tried for real, and kept in .env.",
    },
    "sweep": {
        "sweep": "Remove the pictures that no link leads to any more.",
    },
    "doctor": {
        "doctor": "Check the whole set-up with real calls. Exit status 1 when something must be mended.",
    },
    "richmenu": {
        "richmenu install": (
            "Make the menu, its tabs and aliases, and show it to everybody. Old menus of ours are "
            "removed."
        ),
        "richmenu remove": "Remove our menus from the channel. Others stay.",
        "richmenu show": "List every rich menu of the channel.",
    },
    "backup": {
        "backup": (
            "Write all leagues' files, versions and records, and what the database alone knows, into FILE "
            "(a zip)."
        ),
        "restore": "Put back what `flask backup` wrote into FILE.",
    },
    "version": {
        "version": "Say which version and commit this is.",
    },
    "calibrate": {
        "lab calibrate": (
            "Find jansou's factors from the league's own games, with their errors, and whether the games "
            "suffice."
        ),
    },
    "simulate": {
        "lab simulate": (
            "Simulate where the mean and variance of a rating settle, beside theory, with Monte Carlo "
            "errors."
        ),
    },
    "compare": {
        "lab compare": "Find which rating system predicts the league's games best, and whether any beats chance.",
    },
    "tiles": {
        "lab danger": "Print how dangerous each kind of tile is, in danger points.",
        "lab efficiency": "Print the shanten after each discard of a hand, and what it then accepts (tile efficiency).",
    },
    "duplicate": {
        "lab duplicate": (
            "Does folding by danger pay? Two policies, with and without the rule, play the same walls "
            "twice, changing seats."
        ),
    },
}
"""The commands of each module of this folder, with the first paragraph of their help: those of one
league first, as `flask --help` lists them."""
FORMERLY = "lab"
"""The group whose commands stood outside it up to version 0.2, and are found there still."""


class Commands(AppGroup):
    """The app's commands, in the environment's language.

    An unknown command is reported in one line too.
    """

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        follow_environment()
        return super().make_context(info_name, args, parent, **extra)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        command = super().get_command(ctx, cmd_name)
        if command is None and not ctx.resilient_parsing and not cmd_name.startswith("-"):
            raise Failure(_("there is no command {name} (see `flask --help`)", name=cmd_name))
        return command

    def list_commands(self, ctx: click.Context) -> list[str]:
        paths = chain.from_iterable(COMMANDS.values())
        order = list(dict.fromkeys(path.split()[0] for path in paths))

        def place(name: str) -> int:
            return order.index(name) if name in order else len(order)

        return sorted(super().list_commands(ctx), key=place)


def add_commands(app: Flask, context: CommandContext) -> None:
    app.cli = Commands(app.name, params=[version.VERSION_OPTION])
    groups: dict[str, click.Group] = {}
    for name, summary in GROUPS.items():
        groups[name] = CliGroup(name, summary)
    for module, summaries in COMMANDS.items():
        for path, summary in summaries.items():
            group, _blank, name = path.rpartition(" ")
            late = LateCommand(name, summary, f"bot.cli.{module}", context)
            groups.get(group, app.cli).add_command(late)
            if group == FORMERLY:
                late = LateCommand(name, summary, f"bot.cli.{module}", context)
                late.hidden = True
                app.cli.add_command(late)
    for command in groups.values():
        app.cli.add_command(command)
