"""Leagues whose season runs or is over, to ask for its forecast."""

from dataclasses import replace
from datetime import datetime

from bot.chat.command import Command, Question, data_of
from rating.logdates import JST
from tests.answers.leagues import LEAGUES, NINE, Asked, World, log_of

DURING = datetime(2026, 9, 21, 21, 0, tzinfo=JST)  # a day after the last game of "nine"
PLAN = '[[season]]\nlog = "logvol1.txt"\nname = "第1シーズン"\nstart = 2026-09-01\n{}\n'


class Running(World):
    """A league asked while its season runs."""

    def question(self, command: Command) -> Question:
        return replace(super().question(command), now=DURING)

    def told(self, name: str, **options: str) -> Asked:
        """The answer to a command with these options."""
        return self.ask(data_of(name, **options))


def running(games: int = 48, players: int = 5, plan: str = "", me: str = "") -> Running:
    files = {"logvol1.txt": log_of(NINE[:players], games)}
    if plan:
        files["league.toml"] = PLAN.format(plan).encode()
    return Running(files, me)


def nine(me: str = "") -> Running:
    return Running(LEAGUES["nine"], me)
