import numpy as np
import pytest

from rating.columns import Block, Columns
from rating.models import make
from rating.models.base import Batch, ModelError
from rating.models.bradley_terry import most_probable, wins_of
from rating.models.btr import solve, sums_of
from rating.models.fitting import joined
from rating.models.pairs import pairs_of
from rating.models.sparse import DENSE, sparse_bradley_terry, sparse_ridge


def columns(seed: int, n: int, games: int, reach: int = 0) -> Columns:
    """Games of 4 among n players; `reach`: only neighbours of that many meet, 0 for anybody."""
    rng = np.random.default_rng(seed)
    firsts = rng.integers(0, n - reach + 1 if reach else 1, (games, 1))
    choices = [rng.choice(reach or n, 4, replace=False) for _ in range(games)]
    tables = firsts + np.array(choices)
    strengths = 4 * rng.normal(0, 3, n)
    raw = strengths[tables] + rng.normal(0, 40, tables.shape)
    scores = raw - raw.mean(axis=1, keepdims=True)
    order = np.argsort(-scores, axis=1)
    players = np.take_along_axis(tables, order, 1)
    block = Block(
        players,
        np.take_along_axis(scores, order, 1),
        np.zeros(games, dtype=np.int64),
    )
    return Columns(tuple(f"p{i:05d}" for i in range(n)), (block,))


def two_halves() -> Columns:
    block = columns(3, 20, 60).blocks[0]
    other = columns(4, 20, 50).blocks[0]
    players = np.concatenate([block.players, other.players + 20])
    scores = np.concatenate([block.scores, other.scores])
    days = np.concatenate([block.days, other.days])
    return Columns(
        tuple(f"p{i:05d}" for i in range(40)),
        (Block(players, scores, days),),
    )


OTHERS = ("bayesian_btr", "plackett_luce", "blade_chest")
LEAGUES = [
    columns(1, 60, 300),
    columns(2, 300, 900, reach=6),
    two_halves(),
    columns(5, 80, 25),
]


@pytest.mark.parametrize("league", LEAGUES)
def test_sparse_strengths_equal_those_with_matrices(league: Columns) -> None:
    sums = sums_of(league)
    for alpha in (1e-6, 1.0):
        strengths = sparse_ridge(league, sums.xy, alpha * sums.games)
        assert strengths == pytest.approx(solve(sums, alpha), abs=1e-6)
    wins = wins_of(league)
    for alpha in (0.1, 10.0):
        dense = most_probable(wins, alpha, np.zeros(len(wins)))
        assert sparse_bradley_terry(league, alpha) == pytest.approx(dense, abs=1e-7)


def test_large_league_of_several_groups() -> None:
    pairs = pairs_of(two_halves())
    groups = joined(40, pairs.first, pairs.second)
    assert sorted(np.bincount(groups)[np.unique(groups)]) == [20, 20]
    chain = pairs_of(columns(6, 500, 3000, reach=4))
    assert len(np.unique(joined(500, chain.first, chain.second))) == 1
    league = columns(7, DENSE + 200, 6000)
    sums = sums_of(league)
    standings = make("btr").fit_columns(league)  # type: ignore[union-attr]
    dense = solve(sums, 1e-6)
    values = [standings[name].value for name in league.names]
    assert values == pytest.approx(dense, abs=1e-6)
    rows = make("bradley_terry").fit_columns(league)  # type: ignore[union-attr]
    for table in (standings, rows):
        assert all(row.low is None and row.error is None for row in table.values())
        assert "without errors and intervals" in table.notes[0]


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        *(
            (name, {}, f"{name} takes at most {DENSE} players; there are {DENSE + 1}")
            for name in OTHERS
        ),
        ("btr", {"alpha": "cv"}, "alpha=cv takes at most"),
    ],
)
def test_dense_systems_name_their_limit(name: str, options: dict[str, str], says: str) -> None:
    model = make(name, **options)
    assert isinstance(model, Batch)
    with pytest.raises(ModelError, match=says):
        model.fit_columns(columns(8, DENSE + 1, 500))
