import random

import pytest

from tests.tools.claims import efficiency_names, pairs_named


@pytest.mark.parametrize("games", [5, 20])
def test_equal_members_yield_no_claim_of_speed(games: int) -> None:
    rng = random.Random(games)
    counts = [efficiency_names(rng, games) for _ in range(50)]
    before, now = (sum(column) for column in zip(*counts, strict=True))
    assert before > 12
    assert now <= 0.1 * 50


def test_equal_members_have_no_favourites_and_named_are_better() -> None:
    rng = random.Random(4)
    counts = [pairs_named(rng, 300, 0.0) for _ in range(60)]
    assert sum(before for before, _, _ in counts) == 60
    assert sum(1 for _, named, _ in counts if named) <= 6
    rng = random.Random(5)
    counts = [pairs_named(rng, 1000, 20.0) for _ in range(10)]
    assert all(named for _, named, _ in counts)
    count = sum(named for _, named, _ in counts)
    assert sum(right for *_, right in counts) >= 0.97 * count
