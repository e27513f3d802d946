"""Count the ends of rounds that the chances of places in a game are played out with
(rating/paifu/round_ends.json), and print how well the chances fit games that the ends were not counted
on: python -m tests.tools.chances ROUNDS.csv [--write]

ROUNDS.csv has a row for each deal: game, seats, type, kyoku, honba, sticks, dealer, score0 …,
place0 … (the final placing, from 1). In ten parts by game, each with the ends of the others: log
loss, with that of the table of places by round and rank; and small chances, with how often they
came true.
"""

import csv
import json
import sys
import textwrap
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rating.columns import Floats, Ints
from rating.models.fitting import Slope, minimise
from rating.paifu import playout
from rating.paifu.chances import GOAL, STARTS
from rating.paifu.playout import RoundEnds, RoundState
from rating.paifu.record import GameRules

PARTS = 10
AT_ONCE = 300  # deals that are played out together, for the sake of memory
BINS = (
    (0.0, 0.02),
    (0.02, 0.05),
    (0.05, 0.10),
    (0.10, 0.20),
)
NOBODY_WON = {
    3: (
        [0, 0, 0],
        [-1_000, -1_000, 2_000],
        [-2_000, 1_000, 1_000],
    ),
    4: (
        [0, 0, 0, 0],
        [-1_000, -1_000, -1_000, 3_000],
        [-1_500, -1_500, 1_500, 1_500],
        [-3_000, 1_000, 1_000, 1_000],
    ),
}  # changes of rounds without a win and without a riichi


class Deal(NamedTuple):
    """A deal of a game. `places`: the final placing of each seat, from 0."""

    game: str
    state: RoundState
    places: tuple[int, ...]


def read(path: Path, seats: int) -> list[Deal]:
    with path.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if int(row["seats"]) == seats]
    return [deal_of(row, seats) for row in rows]


def deal_of(row: dict[str, str], seats: int) -> Deal:
    kyoku = int(row["kyoku"])
    rules = GameRules(int(row["type"]))
    state = RoundState(
        step=kyoku // 4 * seats + kyoku % 4,
        last=seats * (1 + rules.south_rounds) - 1,
        honba=int(row["honba"]),
        sticks=int(row["sticks"]),
        dealer=int(row["dealer"]),
        scores=tuple(int(row[f"score{seat}"]) for seat in range(seats)),
        goal=STARTS[seats] + GOAL,
    )
    places = tuple(int(row[f"place{seat}"]) - 1 for seat in range(seats))
    return Deal(row["game"], state, places)


def round_ends(deals: Sequence[Deal]) -> RoundEnds:
    """The ends of rounds without honba before the last round, with what sticks gave taken out.

    An end that puts a seat below 0 ends the game, so there is no next deal that shows it. Each end
    therefore counts for as many deals as it would be seen at: its weight is its number over the
    share of deals at which nobody falls below 0 by it."""
    counts: Counter[tuple[int, ...]] = Counter()
    starts = []
    for deal, following in pairwise(deals):
        now = deal.state
        if now.step >= now.last:
            continue
        start = np.roll(now.scores, -now.dealer)
        starts.append(start)
        if following.game != deal.game or now.honba:
            continue
        then = following.state
        change = np.roll(then.scores, -now.dealer) - start
        won = then.sticks == 0 and sorted(change) not in NOBODY_WON[len(change)]
        if won:
            change[change.argmax()] -= 1_000 * now.sticks
        end = (
            *(change // 100).tolist(),
            int(then.step == now.step),
            int(won),
        )
        counts[end] += 1
    rows = np.array([[*end, counts[end]] for end in sorted(counts)])
    *changes, again, won, times = rows.T
    points = 100 * np.array(changes).T
    seen = share_going_on(np.array(starts), points)
    return RoundEnds(points, again == 1, won == 1, times / seen)


def share_going_on(starts: Ints, changes: Ints) -> list[float]:
    """For each change of points, the share of deals at which it puts no seat below 0."""
    shares = []
    for change in changes:
        goes_on = (starts + change >= 0).all(axis=1)
        shares.append(float(goes_on.mean()))
    return shares


def played_out(deals: Sequence[Deal], counted: Sequence[Deal]) -> Floats:
    """The chances (N, K, K) of deals with the ends of rounds of the counted deals."""
    ends = playout.end_table(round_ends(counted))
    states = [deal.state for deal in deals]
    parts = []
    for start in range(0, len(states), AT_ONCE):
        parts.append(playout.chances_at(states[start : start + AT_ONCE], ends))
    return np.concatenate(parts)


def table(deals: Sequence[Deal], known: Sequence[Deal]) -> Floats:
    """The shares (N, K, K) of places by round and rank."""
    seats = len(deals[0].places)
    counts: defaultdict[tuple[int, int], Floats] = defaultdict(lambda: np.ones(seats))
    for deal in known:
        for rank, seat in enumerate(ranking(deal.state.scores)):
            counts[deal.state.step, rank][deal.places[seat]] += 1
    result = np.zeros((len(deals), seats, seats))
    for row, deal in zip(result, deals, strict=True):
        for rank, seat in enumerate(ranking(deal.state.scores)):
            places = counts[deal.state.step, rank]
            row[seat] = places / places.sum()
    return result


def ranking(scores: Sequence[int]) -> list[int]:
    return sorted(range(len(scores)), key=lambda seat: -scores[seat])


def judged(found: Floats, finals: Ints, place: int) -> tuple[float, float]:
    """Log loss (nats) of who takes a place, and the slope of a logistic fit to the chances (1: as
    told).
    """
    place_chances = found[:, :, place]
    share = place_chances / place_chances.sum(axis=1, keepdims=True)
    share = np.clip(share, 1e-6, 1 - 1e-6)
    hit = finals == place
    x = np.log(share / (1 - share)).ravel()
    y = hit.ravel().astype(float)

    def slope(w: Floats) -> Slope:
        design = np.stack([np.ones_like(x), x], axis=1)
        logits = design @ w
        p = 1 / (1 + np.exp(-logits))
        loss = float(np.logaddexp(0, logits).sum() - y @ logits)
        weighted = design * (p * (1 - p))[:, None]
        return Slope(loss, design.T @ (p - y), weighted.T @ design)

    log_loss = float(-np.log(share[hit]).mean())
    return log_loss, float(minimise(slope, np.array([0.0, 1.0]))[1])


def held_out(
    deals: Sequence[Deal], predict: Callable[[Sequence[Deal], Sequence[Deal]], Floats]
) -> Floats:
    """What is predicted (N, K, K) of each deal from the games of the other parts."""
    number = game_numbers(deals)
    seats = len(deals[0].places)
    result = np.zeros((len(deals), seats, seats))
    for part in range(PARTS):
        rows = np.flatnonzero(number % PARTS == part)
        others = [deals[row] for row in np.flatnonzero(number % PARTS != part)]
        result[rows] = predict([deals[row] for row in rows], others)
    return result


def game_numbers(deals: Sequence[Deal]) -> Ints:
    games = dict.fromkeys(deal.game for deal in deals)
    numbers = {game: number for number, game in enumerate(games)}
    return np.array([numbers[deal.game] for deal in deals])


class Reliability(NamedTuple):
    """Chances in a bin: how many, their sum, how many came true, and the standard error of that
    number, where a game counts as one."""

    count: int
    expected: float
    came: int
    error: float


def reliability(predicted: Floats, came: Floats, games: Ints, rows: Ints) -> Iterator[Reliability]:
    """By bins, of chances (N, K) of some deals' seats; came: 0 or 1 (N, K)."""
    predicted = predicted[rows]
    came = came[rows]
    seat_games = np.broadcast_to(games[rows][:, None], predicted.shape)
    for low, high in BINS:
        inside = (low <= predicted) & (predicted < high)
        off = np.bincount(seat_games[inside], (came - predicted)[inside])
        expected = float(predicted[inside].sum())
        variance = float((predicted * (1 - predicted))[inside].sum())
        error = max(float((off**2).sum()), variance) ** 0.5
        came_true = int(came[inside].sum())
        yield Reliability(int(inside.sum()), expected, came_true, error)


def print_reliability(deals: Sequence[Deal], predicted: Floats, finals: Ints) -> None:
    seats = len(deals[0].places)
    games = game_numbers(deals)
    left = np.array([deal.state.last - deal.state.step for deal in deals])
    stages = {
        "all deals": left > -seats - 1,
        "before the last two": left > 1,
        "last but one": left == 1,
        "last and beyond": left < 1,
    }
    for stage, inside in stages.items():
        for name, place in (("first", 0), ("last", seats - 1)):
            bins = reliability(
                predicted[:, :, place],
                (finals == place).astype(float),
                games,
                np.flatnonzero(inside),
            )
            words = [
                f"{low:.0%}-{high:.0%}: {cell.expected:.1f} expected, {cell.came} came "
                f"(error {cell.error:.1f}) of {cell.count}"
                for (low, high), cell in zip(BINS, bins, strict=True)
            ]
            print(f"  {stage}, {name}: " + "; ".join(words))


def main(arguments: Sequence[str] = sys.argv[1:]) -> None:
    path = Path(arguments[0])
    counted = {}
    for seats in (3, 4):
        deals = read(path, seats)
        finals = np.array([deal.places for deal in deals])
        predicted = held_out(deals, played_out)
        usual = held_out(deals, table)
        print(f"{seats} seats, {len(deals)} deals, not counted on:  log loss  table  slope")
        for name, place in (("first", 0), ("last", seats - 1)):
            loss, slope = judged(predicted, finals, place)
            print(f"  {name:5}  {loss:.3f}  {judged(usual, finals, place)[0]:.3f}  {slope:.3f}")
        print_reliability(deals, predicted, finals)
        ends = round_ends(deals)
        points = (ends.changes // 100).tolist()
        flags = zip(
            ends.again.tolist(),
            ends.won.tolist(),
            ends.weights.tolist(),
            strict=True,
        )
        counted[str(seats)] = [
            [*change, int(again), int(won), round(weight, 2)]
            for change, (again, won, weight) in zip(points, flags, strict=True)
        ]
    if "--write" in arguments:
        text = textwrap.fill(json.dumps(counted).replace("], [", "],["), 110)
        Path(playout.__file__).with_name("round_ends.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
