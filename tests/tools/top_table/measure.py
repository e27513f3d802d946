"""Measure the network of rating/paifu/top_table on games that it was not trained on.

python -m tests.tools.top_table.measure FOLDER [--weights FILE] [--fold 9] [--tempered OUTPUT]

FOLDER is what `tests.tools.top_table.examples` wrote; games whose number ends in the digit `fold`
are measured, all with --fold -1. With --tempered the one temperature is fitted that makes these
games most probable, and OUTPUT gets the weights with their scores divided by it.
"""

import argparse
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rating.columns import Floats
from rating.paifu.top_table.features import Array, NetworkInputs
from rating.paifu.top_table.network import WEIGHTS_FILE, load, probabilities
from rating.paifu.top_table.review import UNUSUAL
from tests.tools.top_table.examples import Examples, read

AT_ONCE = 4096
BINS = 20
TEMPERATURES = np.arange(0.9, 1.3, 0.005)
RESAMPLES = 400
SMALL_SHARES = (0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05)
Rows = NDArray[np.intp]
# Places among the 52 scalars of `features`.
SHANTEN = slice(12, 17)
OWN_OPEN = 19
RIICHI = [28, 40]


class Mean(NamedTuple):
    """`half` of the 95 % interval."""

    value: float
    half: float


class Measured(NamedTuple):
    """The probabilities (D, 27) of D decisions, the columns `taken` and the game of each."""

    shares: Floats
    taken: NDArray[np.intp]
    game: NDArray[np.int16]

    @property
    def of_taken(self) -> Floats:
        return self.shares[np.arange(len(self.taken)), self.taken]

    @property
    def is_favourite(self) -> NDArray[np.bool_]:
        return self.shares.argmax(axis=1) == self.taken

    def at(self, temperature: float) -> Floats:
        powers = self.shares ** (1 / temperature)
        return powers / powers.sum(axis=1, keepdims=True)

    def calibration_error(self) -> float:
        """The mean difference between the probability of the favourite and how often it was taken,
        over bins of that probability.
        """
        highest = self.shares.max(axis=1)
        bins = np.minimum((highest * BINS).astype(int), BINS - 1)
        error = 0.0
        for number in range(BINS):
            rows = bins == number
            if rows.any():
                error += abs(highest[rows].sum() - self.is_favourite[rows].sum())
        return error / len(self.taken)

    def of_games(self, values: Floats) -> Mean:
        """The mean of a value a decision, with its interval by resampled games."""
        games, place = np.unique(self.game, return_inverse=True)
        totals = np.bincount(place, values)
        counts = np.bincount(place)
        random = np.random.default_rng(0)
        chosen = random.integers(0, len(games), (RESAMPLES, len(games)))
        means = totals[chosen].sum(axis=1) / counts[chosen].sum(axis=1)
        return Mean(float(values.mean()), float(1.96 * means.std()))


def measured(examples: Examples, rows: Rows, weights: Path) -> Measured:
    parts = []
    for start in range(0, len(rows), AT_ONCE):
        some = rows[start : start + AT_ONCE]
        inputs = NetworkInputs(
            examples.planes[some].astype(np.float32),
            examples.scalars[some].astype(np.float32),
            examples.legal[some],
        )
        parts.append(probabilities(load(weights), inputs))
    return Measured(
        shares=np.concatenate(parts),
        taken=examples.taken[rows].astype(int),
        game=examples.game[rows],
    )


def lines(examples: Examples, rows: Rows, result: Measured) -> Iterator[str]:
    ranks = (result.shares > result.of_taken[:, None]).sum(axis=1)
    loss = -np.log(result.of_taken)
    yield f"{len(rows)} decisions of {len(np.unique(result.game))} games"
    top, half = result.of_games(result.is_favourite.astype(float))
    yield f"top 1 {top:.2%} ± {half:.2%}, top 3 {(ranks < 3).mean():.2%}"
    nats, half = result.of_games(loss)
    yield f"nats {nats:.4f} ± {half:.4f}"
    yield f"calibration error {result.calibration_error():.4f}"
    unusual = (result.of_taken < UNUSUAL).mean()
    unusual_shares = np.where(result.shares < UNUSUAL, result.shares, 0)
    expected = unusual_shares.sum() / len(rows)
    yield f"unusual {unusual:.2%}, expected {expected:.2%}, ratio {unusual / expected:.3f}"
    yield from small_share_lines(examples.legal[rows], result)
    yield from situation_lines(examples.scalars[rows], result)


def small_share_lines(legal: NDArray[np.bool_], result: Measured) -> Iterator[str]:
    places = np.arange(len(legal))
    for low, high in pairwise(SMALL_SHARES):
        chosen = (result.shares >= low) & (result.shares < high) & legal
        expected = result.shares[chosen].mean()
        chosen_and_taken = chosen[places, result.taken]
        seen = chosen_and_taken.sum() / chosen.sum()
        yield f"shares {low:.1%} to {high:.1%}: {chosen.sum()}, expected {expected:.3%}, seen {seen:.3%}"


def situation_lines(scalars: Array, result: Measured) -> Iterator[str]:
    loss = -np.log(result.of_taken)
    situations = {
        "riichi against": scalars[:, RIICHI].any(axis=1),
        "own hand open": scalars[:, OWN_OPEN] > 0,
    }
    for shanten, is_shanten in enumerate(scalars[:, SHANTEN].T):
        situations[f"shanten {shanten}"] = is_shanten > 0
    for name, chosen in situations.items():
        share = result.is_favourite[chosen].mean()
        yield f"{name}: {chosen.sum()}, top 1 {share:.2%}, nats {loss[chosen].mean():.4f}"


def temperature_of(result: Measured) -> float:
    """The temperature at which the discards taken are most probable."""
    losses = []
    for temperature in TEMPERATURES:
        tempered = result._replace(shares=result.at(temperature))
        losses.append(-np.log(tempered.of_taken).mean())
    return float(TEMPERATURES[int(np.argmin(losses))])


def temper(weights: Path, output: Path, temperature: float) -> None:
    """Write the weights with scores divided by the temperature."""
    with np.load(weights) as stored:
        arrays = dict(stored.items())
    for name in ("score", "direct"):
        tempered = arrays[name].astype(np.float32) / temperature
        arrays[name] = tempered.astype(np.float16)
    arrays["origin"] = np.array(f"{arrays['origin']}, temperature {temperature:.3f}")
    np.savez_compressed(output, **arrays)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--weights", type=Path, default=WEIGHTS_FILE)
    parser.add_argument("--fold", type=int, default=9)
    parser.add_argument("--tempered", type=Path)
    chosen = parser.parse_args()
    examples = read(chosen.folder)
    numbers = np.arange(int(examples.game.max()) + 1)
    is_measured = (numbers % 10 == chosen.fold) | (chosen.fold < 0)
    rows = examples.of_games(is_measured)
    result = measured(examples, rows, chosen.weights)
    for line in lines(examples, rows, result):
        print(line)
    if chosen.tempered:
        temperature = temperature_of(result)
        print(f"temperature {temperature:.3f}")
        temper(chosen.weights, chosen.tempered, temperature)


if __name__ == "__main__":
    main()
