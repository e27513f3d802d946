"""How often leagues in which nobody differs are told that somebody does, and leagues with skill that pairs do.

python -m tests.tools.null_leagues [LEAGUES]

Prints, for simulated leagues of nine, the share of leagues with a name by the rules of version 0.2 and by
those in use: 「平均より速い」 (tile efficiency) and 「得意な相手」 (`sure_leads`), and whether those named are right.
"""

import random
import sys
from collections.abc import Iterator

from rating.games import Game, Seat
from rating.paifu.efficiency import EfficiencyRating
from rating.paifu.play_figures import LEAST, loss_difference, surely_apart
from rating.proportions import Z95, t_quantile
from rating.tallies import meetings, sure_leads

MEMBERS, SEATS, SIGMA = 9, 3, 46.5  # SIGMA: points of a game (FORMULAS 10)
LOSS, SPREAD = 0.077, 0.042  # mean and deviation of a game's mean loss, on 216 seats of real records


def efficiency_names(rng: random.Random, games: int, faster: float = 0.0) -> tuple[bool, bool]:
    """Whether a league names anybody whose members are equal, but that the first loses less by the share
    `faster`: by version 0.2's normal interval of each member alone, and by `surely_apart`."""
    shape, every = (LOSS / SPREAD) ** 2, []
    for member in range(MEMBERS):
        numbers, mean = [rng.randint(40, 120) for _ in range(games)], LOSS * (1 - faster * (not member))
        every.append([EfficiencyRating(n, 0, n * rng.gammavariate(shape, mean / shape)) for n in numbers])
    total = sum((one for mine in every for one in mine), EfficiencyRating())
    found = [loss_difference(mine, total.mean_loss or 0.0) for mine in every]
    normal = Z95 / t_quantile(games - 1)
    return any(abs(one.value) > normal * (one.half or 0) for one in found), any(surely_apart(every))


def league(rng: random.Random, games: int, tau: float) -> tuple[list[float], list[Game]]:
    """Members' true points a game, deviation `tau`, and games of three drawn at random."""
    true = [rng.gauss(0, tau) for _ in range(MEMBERS)]

    def played() -> Iterator[Game]:
        for _ in range(games):
            points = {str(one): rng.gauss(true[one], SIGMA) for one in rng.sample(range(MEMBERS), SEATS)}
            order = sorted(points, key=lambda player: -points[player])
            yield Game(tuple(Seat(player, points[player]) for player in order))

    return true, list(played())


def pairs_named(rng: random.Random, games: int, tau: float, least: int = 10) -> tuple[bool, int, int]:
    """Whether version 0.2 names an opponent (`least` games and a share above one half), how many pairs are
    sure now, and how many of them are right."""
    true, played = league(rng, games, tau)
    found = meetings(played)
    before = any(met.games >= least and met.share > 0.5 for met in found.values())
    sure = sure_leads(found, [str(one) for one in range(MEMBERS)], least)
    return before, len(sure), sum(true[int(one)] > true[int(other)] for one, other in sure)


def lines(leagues: int = 400) -> Iterator[str]:
    rng = random.Random(28)
    yield "平均より速い, nobody differs: leagues with a name, before -> now"
    for games in (LEAST, 8, 20, 60):
        told = [efficiency_names(rng, games) for _ in range(leagues)]
        before, now = (100 * sum(one) / leagues for one in zip(*told, strict=True))
        found = [efficiency_names(rng, games, 0.3)[1] for _ in range(leagues // 2)]
        power = f"; one who loses 30 % less is seen in {200 * sum(found) / leagues:.0f} %"
        yield f"  {games:4} games each: {before:5.1f} % -> {now:4.1f} %{power}"
    yield "得意な相手: leagues with a name, before -> now; of those named now right"
    for tau in (0.0, 2.0, 9.0, 20.0):
        for games in (100, 300, 1000):
            seen = [pairs_named(rng, games, tau) for _ in range(leagues // 2)]
            before, now = (200 * sum(map(bool, one)) / leagues for one in list(zip(*seen, strict=True))[:2])
            named, right = sum(one[1] for one in seen), sum(one[2] for one in seen)
            rate = f", {100 * right / named:.0f} % of {named} right" if named and tau else ""
            yield f"  tau {tau:4.1f}, {games:4} games: {before:5.1f} % -> {now:4.1f} %{rate}"


if __name__ == "__main__":
    print(*lines(*map(int, sys.argv[1:])), sep="\n")
