"""Measure every answer of a long season, cold, and how its cost grows with the games: python -m
tests.tools.bench.long_season

Each answer is asked of a league read anew, three seats, with its pictures drawn: seconds of
processor time. `over`: the season ended with its last game; `planned`: as many games are to come.
The last column is the cost of the longest season over that of the shortest, to be set beside the
ratio of their games.
"""

import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence

from bot.answers.catalogue import CATALOGUE
from rating.models import MODELS
from tests.answers.leagues import NINE, LeagueWorld, log_of, twenty

LIMIT = 3.0  # seconds of processor time at the longest
NAMES = [name for name, spec in CATALOGUE.items() if spec.answer is not None and not spec.admin]
PLANS = {"": 0, "over": 1, "planned": 2}  # how many times its games the season is planned for
PLANNED = {"summary", "forecast", "needs", "if"}


def seconds(files: dict[str, bytes], data: str, me: str) -> float:
    """Processor time of a cold tap: the folder read, the answer made, its pictures drawn."""
    began = time.process_time()
    for picture in LeagueWorld(files, me).ask(data).pictures:
        picture.render()
    return time.process_time() - began


def league(players: tuple[str, ...], games: int, plan: str) -> dict[str, bytes]:
    toml = ""
    if plan:
        toml = f'[[season]]\nlog = "logvol1.txt"\ngames = {games * PLANS[plan]}\n'
    return {"logvol1.txt": log_of(players, games), "league.toml": toml.encode()}


def main(arguments: Sequence[str] = sys.argv[1:]) -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, nargs="+", default=(2_000, 5_000, 10_000))
    parser.add_argument("--only", nargs="+", default=NAMES, choices=NAMES)
    asked = parser.parse_args(arguments)
    plans = {name: PLANS if name in PLANNED else [""] for name in asked.only}
    taps: list[tuple[str, str, str]] = []
    for name, plans_of_answer in plans.items():
        taps += [(name, CATALOGUE[name].data, plan) for plan in plans_of_answer]
    if "rating" in asked.only:
        taps += [(model, f"{CATALOGUE['rating'].data}?model={model}", "") for model in MODELS]
    few = min(asked.games)
    many = max(asked.games)
    for players in (NINE, twenty()):
        heads = "".join(f"{n:9,}" for n in asked.games)
        print(f"{len(players)} members{'':17}{heads}{many / few:9.1f} x")
        for name, data, plan in taps:
            seconds(league(players, 200, plan), data, players[0])  # what is loaded once a process
            spent = {n: seconds(league(players, n, plan), data, players[0]) for n in asked.games}
            row = "".join(f"{spent[n]:9.2f}" for n in asked.games)
            verdict = "" if spent[many] < LIMIT else f"  over {LIMIT:g} s"
            print(f"{f'{name} {plan}':27}{row}{spent[many] / spent[few]:9.1f}{verdict}", flush=True)


if __name__ == "__main__":
    main()
