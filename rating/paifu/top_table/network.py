"""The network that gives the probability of each discard, in numpy.

A residual convolution over the 27 kinds of tiles. They lie in a row with gaps of zeros between groups
of tiles that belong together, so that a convolution of three neighbours is three products of
matrices and never mixes two groups. Each decision has products of its own: so a probability has the
same last digits however many decisions follow, and numpy starts no threads for such small matrices.

D decisions, C channels (48), H channels of the head (32), P positions of a row (30).
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rating.columns import Floats
from rating.paifu.top_table.features import COLUMNS, Array, NetworkInputs

WEIGHTS_FILE = Path(__file__).with_name("weights.npz")
# The groups are 1m and 9m, pin, sou, and the honours.
POSITIONS = 30
GAPS = np.array([2, 12, 22])
PLACES = np.delete(np.arange(POSITIONS), GAPS)
"""The position of each of the 27 columns."""


class Weights(NamedTuple):
    """The weights by name, the number of residual blocks, and where they come from.

    `planes` (3, 70, C), `scalars` (52, C) and `bias` (C,) make the first layer; each block has
    `first` (3, C, C), `first bias` (C,), `second` (3, C, C), `pooled` (2C, C) and `second bias`
    (C,), named `block 0 first` and so on; the head has `head` (C, H), `head pooled` (2C, H), `head
    bias` (H,) and `score` (H,); `direct` (70,) goes from the planes to the score."""

    arrays: Mapping[str, Array]
    blocks: int
    version: str
    origin: str


@cache
def load(path: Path = WEIGHTS_FILE) -> Weights:
    """The weights of a file; they are read once."""
    with np.load(path) as stored:
        arrays = {
            name: stored[name].astype(np.float32)
            for name in stored.files
            if name not in ("version", "origin")
        }
        blocks = len([name for name in arrays if name.endswith("first bias")])
        return Weights(arrays, blocks, str(stored["version"]), str(stored["origin"]))


def probabilities(weights: Weights, features: NetworkInputs) -> Floats:
    """The probability (D, 27) of each discard; 0 for a kind that may not be discarded."""
    return _softmax(_scores(weights, features), features.legal)


def _scores(weights: Weights, features: NetworkInputs) -> Array:
    """The score (D, 27) of each discard."""
    arrays = weights.arrays
    row = _row(features.planes)
    hidden = _convolution(row, arrays["planes"])
    hidden += _everywhere(features.scalars, arrays["scalars"], arrays["bias"])
    for number in range(weights.blocks):
        block = f"block {number}"
        first = _convolution(_activated(hidden), arrays[f"{block} first"])
        second = _activated(first + arrays[f"{block} first bias"])
        hidden += _convolution(second, arrays[f"{block} second"])
        hidden += _everywhere(
            _pooled(second), arrays[f"{block} pooled"], arrays[f"{block} second bias"]
        )
    last = _activated(hidden)
    head = last[:, 1:-1] @ arrays["head"]
    head += _everywhere(_pooled(last), arrays["head pooled"], arrays["head bias"])
    scores: Array = np.maximum(head, 0) @ arrays["score"]
    scores += row[:, 1:-1] @ arrays["direct"]
    return scores[:, PLACES]


def _row(planes: Array) -> Array:
    """The planes (D, 27, n) as rows of positions (D, P + 2, n), 0 in gaps and at both ends."""
    decisions, _, depth = planes.shape
    row = np.zeros((decisions, POSITIONS + 2, depth), np.float32)
    row[:, PLACES + 1] = planes
    return row


def _convolution(row: Array, kernel: Array) -> Array:
    """Each position of rows (D, P + 2, c) with its neighbours, by a kernel (3, c, d): (D, P, d)."""
    before, here, after = kernel
    result: Array = row[:, 1:-1] @ here
    result += row[:, :-2] @ before
    result += row[:, 2:] @ after
    return result


def _activated(hidden: Array) -> Array:
    """The positive part of (D, P, c) as rows (D, P + 2, c), 0 in gaps and at both ends."""
    decisions, positions, depth = hidden.shape
    row = np.zeros((decisions, positions + 2, depth), np.float32)
    np.maximum(hidden, 0, out=row[:, 1:-1])
    row[:, GAPS + 1] = 0
    return row


def _pooled(row: Array) -> Array:
    """The mean and the maximum over the 27 kinds of each decision, (D, 2c); no value is below 0."""
    mean = row.sum(axis=1) / COLUMNS
    return np.concatenate([mean, row.max(axis=1)], axis=1)


def _everywhere(inputs: Array, kernel: Array, bias: Array) -> Array:
    """What is the same at each position of a decision: (D, n) by (n, c) as (D, 1, c)."""
    result: Array = inputs[:, None] @ kernel + bias
    return result


def _softmax(scores: Array, legal: NDArray[np.bool_]) -> Floats:
    """The probabilities (D, 27) of the kinds that may be discarded, 0 for the others."""
    allowed = np.where(legal, scores, -np.inf).astype(np.float64)
    powers: Floats = np.exp(allowed - allowed.max(axis=1, keepdims=True))
    total: Floats = powers.sum(axis=1, keepdims=True)
    return powers / total
