"""Runs of games that ended alike and go on, as far as they are rare among equal players."""

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

from rating.games import Game
from rating.tallies import STREAKS, current, results_by_player

RARE = 1 / 25  # the greatest chance, among equal players, of a notable run


class Run(NamedTuple):
    """A player's last games that all ended alike: `kind` is firsts, uppers (1st or 2nd of four) or
    not_lasts. `chance`: that so many games in a row end like this among equal players."""

    player: str
    kind: str
    length: int
    chance: float


_CHANCES: Mapping[int, Mapping[str, float]] = {
    3: {"firsts": 1 / 3, "not_lasts": 2 / 3},
    4: {"firsts": 1 / 4, "uppers": 2 / 4, "not_lasts": 3 / 4},
}
"""The chance, among equal players, of a placing that continues a run: by the number of seats and
the key of the run's figure. With three seats `uppers` would be `not_lasts`."""


def notable_runs(season: Sequence[Game], players: Iterable[str]) -> list[Run]:
    """Each player's rarest run up to the season's last game, the rarest first; none more likely
    than RARE. The games have the same number of seats."""
    if not season:
        return []
    rarest = []
    for player, results in results_by_player(season, players).items():
        runs = []
        for kind, chance in _CHANCES[len(season[0].seats)].items():
            length = current(results, STREAKS[kind])
            runs.append(Run(player, kind, length, chance**length))
        rarest.append(min(runs, key=attrgetter("chance")))
    notable = [run for run in rarest if run.chance <= RARE]
    return sorted(notable, key=attrgetter("chance", "player"))
