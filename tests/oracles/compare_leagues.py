"""Compare on leagues whose truth is known: `python -m tests.oracles.compare_leagues [LEAGUES] [GAMES]`.

Each league has ten members and days of six games of three seats; in one half skill is nothing, in the other
its standard deviation is SKILL thousand points a game, where chance has 40. It prints how often `compare`
claims that a system beats chance, how often it names a best one or names ties, and how often it is right. A
claim is wrong without skill. A best system is right where no other is surely ahead of it in the league's next
AHEAD games; ties are right where the first system of those games, or one that is not surely behind it, is
among them.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from rating.games import Game
from rating.models import MODELS
from rating.study.compare import Comparison, Verdict, compare, default_systems
from rating.study.forecasts import System
from tests.rating.models.leagues import random_league

SKILL, AHEAD, PER_DAY, MEMBERS = 10.0, 1500, 6, 10


@dataclass
class Tally:
    """How often what was said, and how often it was right."""

    leagues: int = 0
    claims: int = 0
    models: int = 0  # claims of single systems
    named: int = 0
    named_right: int = 0
    tied: int = 0
    tied_right: int = 0

    def add(self, found: Comparison, games: list[Game], systems: dict[str, System]) -> None:
        self.leagues += 1
        self.models += sum(entry.beats_chance for entry in found.models if not entry.same_as)
        if found.verdict is Verdict.CHANCE:
            return
        self.claims += 1
        later = compare(games, systems, burn_in=len(games) - AHEAD)
        good = {later.models[0].model, *later.ties}
        if found.best:
            self.named += 1
            self.named_right += found.best in good
        else:
            self.tied += 1
            self.tied_right += not good.isdisjoint({found.models[0].model, *found.ties})

    def lines(self, right: bool) -> list[str]:
        of, said = f"of {self.leagues}", self.claims if right else 0
        return [
            f"  claims that a system beats chance  {self.claims:4} {of}, right {said}",
            f"  such claims of single systems      {self.models:4}",
            f"  names a best system                {self.named:4} {of}, right {self.named_right}",
            f"  names ties                         {self.tied:4} {of}, right {self.tied_right}",
        ]


def league(seed: int, games: int, skill: float) -> list[Game]:
    """The games of one league, and the AHEAD games after them."""
    count = games + AHEAD
    return random_league(seed, MEMBERS, count, skill=skill, days=count // PER_DAY)


def main(leagues: int = 20, games: int = 300) -> None:
    systems = {name: system for name, system in default_systems().items() if name in MODELS}
    print(f"{len(systems)} systems, {games} games a league, the first 100 only learned from")
    for skill in (0.0, SKILL):
        tally = Tally()
        for seed in range(leagues):
            played = league(seed, games, skill)
            tally.add(compare(played[:games], systems), played, systems)
        print(f"{leagues} leagues with skill of sd {skill:g}:", *tally.lines(skill > 0), sep="\n", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
