"""Train the network of rating/paifu/top_table.

python -m tests.tools.top_table.train FOLDER OUTPUT [--fold 9] [--channels 48] …

FOLDER is what `tests.tools.top_table.examples` wrote. Games whose number ends in the digit `fold`
validate, the others train. OUTPUT gets the weights (npz, float16). Needs JAX: into an environment
of its own, `pip install -r requirements.txt` and then `-r tests/tools/top_table/requirements.txt`.
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray

from rating.paifu.top_table.features import COLUMNS, HONOURS, PIN, SOU
from rating.paifu.top_table.network import GAPS, PLACES, POSITIONS
from tests.tools.top_table.examples import Examples, read

HEAD = 32
WARM_UP = 300
AVERAGE = 0.998
LAST_RATE = 0.01  # of the highest
BATCH_OF_PREDICTIONS = 2048
Arrays = dict[str, Any]

IS_PLACE = np.ones((POSITIONS, 1), np.float32)
IS_PLACE[GAPS] = 0


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--fold", type=int, default=9)
    parser.add_argument("--channels", type=int, default=48)
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--epochs", type=float, default=6)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--rate", type=float, default=0.002)
    parser.add_argument("--decay", type=float, default=0.01)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--version", default="1")
    return parser.parse_args()


def initial(examples: Examples, chosen: argparse.Namespace) -> Arrays:
    """Weights as He et al. (arXiv:1502.01852) draw them, smaller on the way back into the sum."""
    random = np.random.default_rng(chosen.seed)
    *_, depth = examples.planes.shape
    *_, scalars = examples.scalars.shape

    def normal(*shape: int, inputs: int, scale: float = 1.0) -> Any:
        drawn = random.standard_normal(shape) * scale * np.sqrt(2 / inputs)
        return jnp.asarray(drawn, jnp.float32)

    c = chosen.channels
    weights = {
        "planes": normal(3, depth, c, inputs=3 * depth / 2),
        "scalars": normal(scalars, c, inputs=scalars),
        "bias": jnp.zeros(c),
    }
    for number in range(chosen.blocks):
        block = f"block {number}"
        weights |= {
            f"{block} first": normal(3, c, c, inputs=3 * c),
            f"{block} first bias": jnp.zeros(c),
            f"{block} second": normal(3, c, c, inputs=3 * c, scale=0.1),
            f"{block} pooled": normal(2 * c, c, inputs=2 * c, scale=0.1),
            f"{block} second bias": jnp.zeros(c),
        }
    weights |= {
        "head": normal(c, HEAD, inputs=c),
        "head pooled": normal(2 * c, HEAD, inputs=2 * c, scale=0.3),
        "head bias": jnp.zeros(HEAD),
        "score": normal(HEAD, inputs=4 * HEAD),
        "direct": jnp.zeros(depth),
    }
    return weights


def log_probabilities(weights: Arrays, blocks: int, *inputs: Any) -> Any:
    """(B, 27) of a batch of planes, scalars and legal kinds, as rating/paifu/top_table/network.py
    computes them.
    """
    planes, scalars, legal = inputs
    batch, _, depth = planes.shape
    row = jnp.zeros((batch, POSITIONS, depth)).at[:, PLACES].set(planes)
    everywhere = scalars.astype(jnp.float32) @ weights["scalars"] + weights["bias"]
    hidden = convolution(row, weights["planes"]) + everywhere[:, None]
    for number in range(blocks):
        block = f"block {number}"
        first = convolution(activated(hidden), weights[f"{block} first"])
        second = activated(first + weights[f"{block} first bias"])
        everywhere = pooled(second) @ weights[f"{block} pooled"] + weights[f"{block} second bias"]
        hidden += convolution(second, weights[f"{block} second"]) + everywhere[:, None]
    last = activated(hidden)
    everywhere = pooled(last) @ weights["head pooled"] + weights["head bias"]
    head = jax.nn.relu(last @ weights["head"] + everywhere[:, None])
    scores = (head @ weights["score"] + row @ weights["direct"])[:, PLACES]
    return jax.nn.log_softmax(jnp.where(legal, scores, -1e9))


def convolution(row: Any, kernel: Any) -> Any:
    """(B, P, c) with its neighbours, by a kernel (3, c, d); there are zeros beyond both ends."""
    return jax.lax.conv_general_dilated(
        row, kernel, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC")
    )


def activated(hidden: Any) -> Any:
    return jax.nn.relu(hidden) * IS_PLACE


def pooled(row: Any) -> Any:
    mean = row.sum(axis=1) / COLUMNS
    return jnp.concatenate([mean, row.max(axis=1)], axis=1)


def symmetry(random: np.random.Generator) -> NDArray[np.intp]:
    """The columns after a random change of names that changes no game: pin for sou, each suit from
    its other end, dragons among themselves.
    """
    columns = np.arange(COLUMNS)
    man = columns[:2]
    pin = columns[PIN]
    sou = columns[SOU]
    winds = columns[HONOURS][:4]
    dragons = random.permutation(columns[HONOURS][4:])
    suits = [pin, sou]
    if random.random() < 0.5:
        suits.reverse()
    numbers = [man, *suits]
    if random.random() < 0.5:
        numbers = [np.flip(suit) for suit in numbers]
    return np.concatenate([*numbers, winds, dragons])


def batches(
    examples: Examples, rows: NDArray[np.intp], size: int, random: np.random.Generator
) -> Iterator[tuple[Any, ...]]:
    """Yield batches for ever: planes, scalars, legal kinds and what was discarded."""
    while True:
        order = random.permutation(rows)
        for start in range(0, len(order) - size + 1, size):
            batch = np.sort(order[start : start + size])
            columns = symmetry(random)
            place_of = np.argsort(columns)
            yield (
                examples.planes[batch][:, columns],
                examples.scalars[batch],
                examples.legal[batch][:, columns],
                place_of[examples.taken[batch]],
            )


class Result(NamedTuple):
    """The share of decisions whose discard is the most probable, and the mean log loss."""

    top_1: float
    nats: float


def measured(predict: Any, weights: Arrays, examples: Examples, rows: NDArray[np.intp]) -> Result:
    """The result on some rows of the examples."""
    hits = 0
    loss = 0.0
    for start in range(0, len(rows), BATCH_OF_PREDICTIONS):
        batch = rows[start : start + BATCH_OF_PREDICTIONS]
        size = len(batch)
        full = np.resize(batch, BATCH_OF_PREDICTIONS)
        logs = np.asarray(
            predict(weights, examples.planes[full], examples.scalars[full], examples.legal[full])
        )[:size]
        taken = examples.taken[batch]
        hits += int((logs.argmax(axis=1) == taken).sum())
        loss -= float(logs[np.arange(size), taken].sum())
    return Result(top_1=hits / len(rows), nats=loss / len(rows))


def train(chosen: argparse.Namespace) -> None:
    examples = read(chosen.folder)
    numbers = np.arange(int(examples.game.max()) + 1)
    validates = numbers % 10 == chosen.fold
    training = examples.of_games(~validates)
    validation = examples.of_games(validates)
    random = np.random.default_rng(chosen.seed)
    weights = initial(examples, chosen)
    average = weights
    steps = int(chosen.epochs * len(training) / chosen.batch)
    rate = optax.warmup_cosine_decay_schedule(
        0, chosen.rate, min(WARM_UP, steps // 10), steps, chosen.rate * LAST_RATE
    )
    decayed = {name: array.ndim > 1 for name, array in weights.items()}
    optimiser = optax.chain(
        optax.clip_by_global_norm(1.0),
        optax.adamw(rate, b2=0.99, weight_decay=chosen.decay, mask=decayed),
    )
    state = optimiser.init(weights)
    size = sum(array.size for array in weights.values())
    print(f"{size} weights, {len(training)} decisions, {steps} steps", flush=True)

    def loss_of(weights: Arrays, *batch: Any) -> Any:
        *inputs, taken = batch
        logs = log_probabilities(weights, chosen.blocks, *inputs)
        return -jnp.take_along_axis(logs, taken[:, None], axis=1).mean()

    @jax.jit
    def step(weights: Arrays, state: Any, average: Arrays, *batch: Any) -> Any:
        loss, gradient = jax.value_and_grad(loss_of)(weights, *batch)
        updates, state = optimiser.update(gradient, state, weights)
        weights = optax.apply_updates(weights, updates)
        average = optax.incremental_update(weights, average, 1 - AVERAGE)
        return weights, state, average, loss

    @jax.jit
    def predict(weights: Arrays, *inputs: Any) -> Any:
        return log_probabilities(weights, chosen.blocks, *inputs)

    started = time.monotonic()
    losses = []
    stream = batches(examples, training, chosen.batch, random)
    for number in range(1, steps + 1):
        weights, state, average, loss = step(weights, state, average, *next(stream))
        losses.append(loss)
        if number % 500 == 0 or number == steps:
            rows = validation
            if number < steps:
                rows = validation[::8]
            result = measured(predict, average, examples, rows)
            seconds = time.monotonic() - started
            recent = float(np.mean([float(value) for value in losses[-200:]]))
            print(
                f"{number} {seconds:.0f} s, training {recent:.4f},"
                f" validation top 1 {result.top_1:.4f}, nats {result.nats:.4f}",
                flush=True,
            )
    store(chosen, average)


def store(chosen: argparse.Namespace, weights: Arrays) -> None:
    origin = (
        "1,500 games of Tenhou's three-player top table (January 2026), without those whose number"
        f" ends in {chosen.fold}; tests/tools/top_table/train.py, seed {chosen.seed},"
        f" {chosen.epochs} epochs"
    )
    arrays = {}
    for name, array in weights.items():
        arrays[name] = np.asarray(array).astype(np.float16)
    np.savez_compressed(chosen.output, version=chosen.version, origin=origin, **arrays)


if __name__ == "__main__":
    train(options())
