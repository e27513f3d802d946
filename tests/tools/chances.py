"""Fit the chances of places in a game (rating/paifu/chances.json), and say how well they tell games
that they were not fitted to: python -m tests.tools.chances ROUNDS.csv [--write]

ROUNDS.csv has a row for each deal: game, seats, type, kyoku, honba, sticks, dealer, score0 …,
place0 … (the final placing, from 1). In ten parts by game; beside it the table of places by round
and rank.
"""

import csv
import json
import sys
import textwrap
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from rating.columns import Floats, Ints
from rating.models.fitting import minimise
from rating.paifu import chances
from rating.paifu.chances import GOAL, STARTS, WEIGHTS, RoundEnds, RoundState
from rating.paifu.record import GameRules

PARTS = 10
RIDGE = 1.0
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
Deal = tuple[str, RoundState, tuple[int, ...]]  # game, where it stood, final places from 0


def read(path: Path, seats: int) -> list[Deal]:
    with path.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if int(row["seats"]) == seats]
    deals = []
    for row in rows:
        kyoku = int(row["kyoku"])
        rules = GameRules(int(row["type"]))
        state = RoundState(
            kyoku // 4 * seats + kyoku % 4,
            seats * (1 + rules.south_rounds) - 1,
            *(int(row[name]) for name in ("honba", "sticks", "dealer")),
            tuple(int(row[f"score{seat}"]) for seat in range(seats)),
            STARTS[seats] + GOAL,
        )
        deals.append(
            (
                row["game"],
                state,
                tuple(int(row[f"place{seat}"]) - 1 for seat in range(seats)),
            )
        )
    return deals


def round_ends(deals: Sequence[Deal]) -> RoundEnds:
    """The ends of rounds without honba, with what sticks gave taken out."""
    counts: Counter[tuple[int, ...]] = Counter()
    for (game, now, _), (other, then, _) in pairwise(deals):
        if game != other or now.honba:
            continue
        change = np.roll(np.array(then.scores) - now.scores, -now.dealer)
        won = then.sticks == 0 and sorted(change) not in NOBODY_WON[len(change)]
        if won:
            change[change.argmax()] -= 1_000 * now.sticks
        counts[*(change // 100).tolist(), int(then.step == now.step), int(won)] += 1
    *changes, again, won, times = np.array(
        [[*key, count] for key, count in sorted(counts.items())]
    ).T
    return RoundEnds(100 * np.array(changes).T, again == 1, won == 1, times)


def weights_of(deals: Sequence[Deal]) -> Floats:
    """The weights (7,) under which the final orders are the most probable, with a slight ridge."""
    known = np.concatenate(
        [chances.utilities(now, np.array([now.scores], float)) for _, now, _ in deals]
    )
    orders = {
        tuple(one): number
        for number, one in enumerate(chances.orders(len(deals[0][2]))[0].tolist())
    }
    came = np.array([orders[tuple(np.argsort(places).tolist())] for _, _, places in deals])
    rows = np.arange(len(came))

    def slope(w: Floats) -> tuple[float, Floats, Floats]:
        odds = known @ w
        top = odds.max(axis=1, keepdims=True)
        each = np.exp(odds - top)
        shares = each / each.sum(axis=1, keepdims=True)
        mean = np.einsum("np,npw->nw", shares, known)
        loss = float(
            (top[:, 0] + np.log(each.sum(axis=1)) - odds[rows, came]).sum() + RIDGE * w @ w
        )
        bend = (
            np.einsum("np,npv,npw->vw", shares, known, known)
            - mean.T @ mean
            + 2 * RIDGE * np.eye(WEIGHTS)
        )
        return loss, (mean - known[rows, came]).sum(axis=0) + 2 * RIDGE * w, bend

    return minimise(slope, np.zeros(WEIGHTS))


def fitted_to(deals: Sequence[Deal]) -> tuple[Floats, RoundEnds]:
    return weights_of(deals), round_ends(deals)


def told(deals: Sequence[Deal], fit: tuple[Floats, RoundEnds]) -> Floats:
    """The chances (N, K, K) of some deals by a fit."""

    def of(state: RoundState) -> Floats:
        if state.step >= state.last:
            return chances.by_ends(state, *fit)
        return np.asarray(
            chances.by_odds(
                state,
                np.array(
                    [state.scores],
                    float,
                ),
                fit[0],
            )[0]
        )

    return np.array([of(state) for _, state, _ in deals])


def table(deals: Sequence[Deal], known: Sequence[Deal]) -> Floats:
    seats = len(deals[0][2])
    counts: defaultdict[tuple[int, int], Floats] = defaultdict(lambda: np.ones(seats))
    for _, state, final in known:
        for rank, seat in enumerate(
            sorted(
                range(seats),
                key=lambda s: (-state.scores[s], s),
            )
        ):
            counts[state.step, rank][final[seat]] += 1
    result = np.zeros((len(deals), seats, seats))
    for row, (_, state, _) in zip(result, deals, strict=True):
        for rank, seat in enumerate(
            sorted(
                range(seats),
                key=lambda s: (-state.scores[s], s),
            )
        ):
            row[seat] = counts[state.step, rank] / counts[state.step, rank].sum()
    return result


def judged(found: Floats, finals: Ints, place: int) -> tuple[float, float]:
    """Log loss (nats) of who takes a place, and the slope of a logistic fit to the chances (1: as
    told).
    """
    share = found[:, :, place] / found[:, :, place].sum(axis=1, keepdims=True)
    share = np.clip(share, 1e-6, 1 - 1e-6)
    hit = finals == place
    x = np.log(share / (1 - share)).ravel()
    y = hit.ravel().astype(float)

    def slope(w: Floats) -> tuple[float, Floats, Floats]:
        design = np.stack([np.ones_like(x), x], axis=1)
        p = 1 / (1 + np.exp(-(design @ w)))
        loss = float(np.logaddexp(0, design @ w).sum() - y @ (design @ w))
        return loss, design.T @ (p - y), (design * (p * (1 - p))[:, None]).T @ design

    return float(-np.log(share[hit]).mean()), float(minimise(slope, np.array([0.0, 1.0]))[1])


def held_out(
    deals: Sequence[Deal], tell: Callable[[Sequence[Deal], Sequence[Deal]], Floats]
) -> Floats:
    games = {
        game: number for number, game in enumerate(dict.fromkeys(game for game, _, _ in deals))
    }
    result: list[Any] = [None] * len(deals)
    for part in range(PARTS):
        rows = [row for row, (game, _, _) in enumerate(deals) if games[game] % PARTS == part]
        rest = [deal for deal in deals if games[deal[0]] % PARTS != part]
        for row, each in zip(
            rows,
            tell(
                [deals[row] for row in rows],
                rest,
            ),
            strict=True,
        ):
            result[row] = each
    return np.array(result)


def main(arguments: Sequence[str] = sys.argv[1:]) -> None:
    path = Path(arguments[0])
    fits = {}
    for seats in (3, 4):
        deals = read(path, seats)
        finals = np.array([final for _, _, final in deals])
        model = held_out(deals, lambda these, rest: told(these, fitted_to(rest)))
        usual = held_out(deals, table)
        print(f"{seats} seats, {len(deals)} deals, not fitted to:  log loss  table  slope")
        for name, place in (("first", 0), ("last", seats - 1)):
            loss, slope = judged(model, finals, place)
            print(f"  {name:5}  {loss:.3f}  {judged(usual, finals, place)[0]:.3f}  {slope:.3f}")
        weights, ends = fitted_to(deals)
        rows = np.column_stack(
            [
                ends.changes // 100,
                ends.again,
                ends.won,
                ends.counts,
            ]
        ).astype(int)
        fits[str(seats)] = {"weights": np.round(weights, 4).tolist(), "ends": rows.tolist()}
    if "--write" in arguments:
        text = textwrap.fill(json.dumps(fits).replace("], [", "],["), 110)
        Path(chances.__file__).with_suffix(".json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
