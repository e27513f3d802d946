import random

import pytest

from tests.tools.claims import efficiency_names, pairs_named


@pytest.mark.parametrize("games", [5, 20])
def test_equal_members_are_not_said_to_be_faster(games: int) -> None:
    rng = random.Random(games)
    told = [efficiency_names(rng, games) for _ in range(50)]
    before, now = (sum(one) for one in zip(*told, strict=True))
    assert before > 12
    assert now <= 0.1 * 50


def test_equal_members_have_no_favourite_opponents_and_who_is_named_is_better() -> None:
    rng = random.Random(4)
    told = [pairs_named(rng, 300, 0.0) for _ in range(60)]
    assert sum(before for before, _, _ in told) == 60
    assert sum(1 for _, named, _ in told if named) <= 6
    rng = random.Random(5)
    told = [pairs_named(rng, 1000, 20.0) for _ in range(10)]
    assert all(named for _, named, _ in told)
    count = sum(named for _, named, _ in told)
    assert sum(right for *_, right in told) >= 0.97 * count
