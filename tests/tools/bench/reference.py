"""Count the figures of rating/paifu/reference.py on records, and how they fare on records they are
not from: grades by halves, chances to deal in by tenths.

python -m tests.tools.bench.reference PATH [SEATS]

PATH is a zip or a folder of mjlogs; those with SEATS (3) seats count.
"""

import sys
import zipfile
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from rating.columns import Floats
from rating.paifu.danger import CLASSES
from rating.paifu.deal_in import facings, rate_class, source_percent
from rating.paifu.efficiency import EfficiencyRating, tile_choices
from rating.paifu.formats import parse
from rating.paifu.record import Record
from rating.paifu.reference import FACTORS_OF_FOUR, TURNS
from rating.paifu.statistics import of_records
from rating.paifu.tiles import PaifuError

PARTS = 10  # of the records, each with what is counted on the others
SHARES = (0.1, 0.3, 0.6, 0.85)


def records(path: Path, seats: int) -> Iterator[Record]:
    if path.is_dir():
        every = [file.read_bytes() for file in sorted(path.iterdir())]
    else:
        with zipfile.ZipFile(path) as packed:
            every = [packed.read(name) for name in sorted(packed.namelist())]
    for data in every:
        try:
            record = parse(data)
        except PaifuError:
            continue
        if record.seats == seats:
            yield record


def losses(record: Record) -> Iterator[tuple[float, float, float, float]]:
    """The mean loss of each seat: of the game, of its odd and of its even rounds; and the weight of
    both.
    """
    parts = [[EfficiencyRating(), EfficiencyRating()] for _ in range(record.seats)]
    for choice in tile_choices(record):
        parts[choice.seat][choice.round % 2] += EfficiencyRating(
            1, int(choice.loss == 0), choice.loss
        )
    for even, odd in parts:
        if even.mean_loss is not None and odd.mean_loss is not None:
            weight = odd.decisions * even.decisions / (odd.decisions + even.decisions)
            yield (even + odd).mean_loss or 0.0, odd.mean_loss, even.mean_loss, weight


def dealt(record: Record) -> Floats:
    """Discards into a riichi that are not safe, and deal-ins (2), by class (13) and turn (5)."""
    found = np.zeros((2, len(CLASSES), len(TURNS) + 1))
    for facing in (facing for played in record.rounds for facing in facings(played)):
        winners = {ron.winner for ron in facing.rons if ron.to_riichi}
        for opponent, safe in zip(facing.opponents, facing.safe, strict=True):
            if not safe[facing.kind]:
                name = rate_class(facing.kind, facing.unseen, safe, facing.seats)
                place = CLASSES.index(name), bisect_right(TURNS, facing.turn)
                found[:, *place] += 1, opponent in winners
    return found


def by_class(counts: Floats) -> Floats:
    """The rate of each class (13, 1) at any turn."""
    discards, hits = counts.sum(axis=2)
    return (hits / np.maximum(1, discards))[:, None]


def by_turn(counts: Floats) -> Floats:
    """The rate of each class at each turn (13, 5): a rate a class times a factor a turn, of tiles
    that suji covers and of others, so that the deal-ins of each class and turn are those counted.
    """
    discards, hits = counts
    covered = np.array([name.endswith((" suji", "both")) and "one" not in name for name in CLASSES])
    factors = np.ones((len(CLASSES), len(TURNS) + 1))
    base = by_class(counts)
    for _ in range(200):
        for group in (covered, ~covered):
            expected = (base * factors * discards)[group].sum(axis=0)
            factors[group] *= hits[group].sum(axis=0) / expected
        weights = (factors * discards).sum(axis=1)[:, None]
        base = hits.sum(axis=1, keepdims=True) / np.maximum(1e-9, weights)
    return base * factors


def log_loss(rates: Floats, counts: Floats) -> float:
    discards, hits = counts
    rates = np.clip(rates, 1e-4, 1.0)
    likelihood = hits * np.log(rates) + (discards - hits) * np.log(1 - rates)
    return -float(likelihood.sum() / discards.sum())


def print_deal_ins(every: Sequence[Floats]) -> None:
    total = np.sum(every, axis=0)
    table = np.round(
        100 * np.hstack([by_class(total), by_turn(total)]),
        2,
    )
    print(
        f"  deal-ins of discards that are not safe: {total[1].sum():.0f} of {total[0].sum():.0f}; by class"
    )
    print("  (cases, per cent at any turn, and at each turn):")
    cases_of_class = total[0].sum(axis=1)
    for name, cases, row in zip(CLASSES, cases_of_class, table.tolist(), strict=True):
        print(f"    {name:13} {cases:5.0f}  {row}")
    for name, rates_of in (("class and turn", by_turn), ("class alone", by_class)):
        print_fit(f"by {name}, not counted on", [rates_of(rest) for rest in others(every)], every)


def print_turns_of_four(every: Sequence[Floats]) -> None:
    """How the factors of the turns, and factors of the other records, fit records of four seats."""
    usual = np.array([source_percent(4, name) for name in CLASSES])[:, None] / 100
    counted = []
    for rest in others(every):
        discards, hits = rest
        counted.append(usual * hits.sum(axis=0) / (usual * discards).sum(axis=0))
    print_fit("by class alone", [usual] * PARTS, every)
    print_fit("with the factors", [usual * FACTORS_OF_FOUR] * PARTS, every)
    print_fit("with factors of the other records", counted, every)


def others(every: Sequence[Floats]) -> list[Floats]:
    """For each of PARTS parts of the records the counts of all others."""
    total = np.sum(every, axis=0)
    return [total - np.sum(every[part::PARTS], axis=0) for part in range(PARTS)]


def print_fit(name: str, rates: Sequence[Floats], every: Sequence[Floats]) -> None:
    """How rates fit, one a part of the records: deal-ins expected and seen by turn, log loss."""
    parts = [np.sum(every[part::PARTS], axis=0) for part in range(PARTS)]
    discards, seen = np.sum(parts, axis=0).sum(axis=1)
    expected = np.sum(
        [(rate * part[0]).sum(axis=0) for rate, part in zip(rates, parts, strict=True)], axis=0
    )
    loss = sum(
        log_loss(
            np.broadcast_to(
                rate,
                part[0].shape,
            ),
            part,
        )
        * part[0].sum()
        for rate, part in zip(rates, parts, strict=True)
    )
    print(f"  {name}: log loss {loss / discards.sum():.4f}; by turn:")
    for count, expects, came in zip(discards, expected, seen, strict=True):
        print(
            f"    {expects:6.1f} expected ({expects / count:.2%}), {came:.0f} seen "
            f"({came / count:.2%}, error {expects**0.5 / count:.2%}) of {count:.0f}"
        )


def main(path: str, seats: str = "3") -> None:
    every_record = list(records(Path(path), int(seats)))
    print_play(every_record)
    counts = [dealt(record) for record in every_record]
    print_deal_ins(counts)
    if int(seats) == 4:
        print_turns_of_four(counts)
    figures = of_records(every_record).overall[int(seats)].all_figures()
    means = {name: round(figure.value or 0.0, 4) for name, figure in figures.items()}
    print("  means:", means)


def print_play(every_record: Sequence[Record]) -> None:
    losses_of_records = (list(losses(record)) for record in every_record)
    found = [np.array(rows).reshape(-1, 4) for rows in losses_of_records]
    every = np.concatenate(found)
    game, odd, even, weight = every.T
    bounds = np.quantile(game, SHARES)
    middle = np.average((odd + even) / 2, weights=weight)
    product = (odd - middle) * (even - middle) / game.var()
    own = float(np.average(product, weights=weight))
    squares = (weight * (product - own)) ** 2
    error = float(np.sqrt(np.sum(squares)) / weight.sum())
    print(
        f"{len(found)} records, {len(game)} seats: mean loss {game.mean():.4f}, bounds {bounds.round(4)}"
    )
    print(f"  the player's own share of a game's variance {own:.3f} (error {error:.3f})")
    first = np.concatenate(found[::2])[:, 0]
    other = np.concatenate(found[1::2])[:, 0]
    first_bounds = np.quantile(first, SHARES)
    within = [float(np.mean(other <= bound)) for bound in first_bounds]
    print(
        f"  bounds of one half hold of the other: {', '.join(f'{share:.1%}' for share in within)}"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
