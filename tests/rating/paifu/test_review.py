import pytest

from rating.paifu.deal_in import facings
from rating.paifu.review import Review, review
from rating.paifu.situation import situation
from rating.paifu.tiles import PaifuError, counts, parse as hand
from tests.rating.paifu import brute
from tests.rating.paifu.records import read, some


@pytest.fixture(scope="module")
def reviews() -> list[Review]:
    return [review(record) for record in some()]


def test_review_has_every_discard_into_a_riichi(reviews: list[Review]) -> None:
    for done in reviews:
        faced = [facing for played in done.record.rounds for facing in facings(played)]
        assert len(done.pushes) == len(faced)


def test_safest_tile_has_the_least_danger(reviews: list[Review]) -> None:
    for push in (push for done in reviews for push in done.pushes):
        assert push.safest in push.facing.hand
        assert push.least_danger <= push.danger
        assert push.spare >= 0
        if push.facing.in_riichi:
            assert push.safest == push.facing.tile
            assert not push.kept_back
        if push.danger == 0:
            assert not push.kept_back
        if all(safe[push.facing.kind] for safe in push.facing.safe):
            assert push.danger == 0
            assert push.chance.rate == 0
            assert push.deal_ins.to_riichi == 0


def test_spare_risk_compares_discards_of_equal_speed(reviews: list[Review]) -> None:
    """By brute force on some: no discard as fast loses less than the one made less `spare`."""
    for push in [push for done in reviews for push in done.pushes if push.spare][:40]:
        hand = counts(push.facing.hand)
        unseen = push.facing.unseen
        seats = push.facing.seats
        speed = {}
        for kind in {tile // 4 for tile in push.facing.hand}:
            held = [count - (place == kind) for place, count in enumerate(hand)]
            tiles = sum(unseen[other] for other in brute.accepted(held, seats))
            speed[kind] = (brute.shanten(held, seats), -tiles)
        assert any(
            speed[kind] <= speed[push.facing.kind] for kind in speed if kind != push.facing.kind
        )
        assert push.spare <= push.loss


def test_ratings_count_free_choices(
    reviews: list[Review],
) -> None:
    for done in reviews:
        worst = done.most_dangerous()
        assert len(worst) <= 3
        assert [push.danger for push in worst] == sorted(
            (push.danger for push in worst), reverse=True
        )
        assert not any(push.facing.in_riichi for push in worst)
        assert [row.player for row in done.ratings] == list(done.record.players)
        free = [push for push in done.pushes if not push.facing.in_riichi]
        assert sum(row.choices for row in done.ratings) == len(free)
        assert all(0 <= row.agreement <= 1 for row in done.ratings)
        assert sum(row.choices - row.agreed for row in done.ratings) == sum(
            push.kept_back for push in free
        )
    done = reviews[0]
    rounds = range(len(read(0, 3).rounds))
    assert sum(len(done.of_round(number)) for number in rounds) == len(done.pushes)


def test_situation_is_read_from_notation() -> None:
    against_one = situation("123m406p789s1155z", ["1z9m4p2s"], dora="4p")
    tiles = ("1z", "9m", "4p", "1p", "7p", "3m")
    kinds = {tile: hand(tile)[0] // 4 for tile in tiles}
    for safe in ("1z", "9m", "4p"):
        assert against_one.danger[kinds[safe]] == 0
    assert against_one.danger[kinds["1p"]] == 3  # suji
    assert against_one.danger[kinds["7p"]] == 9
    assert against_one.unseen[kinds["4p"]] == 1
    assert against_one.opponents == 1
    against_two = situation("123m", ["1z", "2z"])
    one_seen = situation("123m", ["2z"], seen="1z")
    assert against_two.danger[27] == one_seen.danger[27] == 3
    assert against_two.opponents == 2
    against_one = situation("19m19p1z", ["5z"], seats=3)
    assert [against_one.danger[kind] for kind in (0, 3, 8, 9)] == [3, 0, 3, 13]
    assert against_one.unseen[1:8] == (0,) * 7
    with pytest.raises(PaifuError, match="no m5 with three seats"):
        situation("19m", ["0m"], seats=3)
    with pytest.raises(PaifuError, match="one to 2 rivers"):
        situation("19m", ["1z", "2z", "3z"], seats=3)


@pytest.mark.parametrize(
    ("hand", "rivers", "dora"),
    [
        ("", ["1z"], ""),
        ("1m" * 15, ["1z"], ""),
        ("1m", [], ""),
        ("1m", ["1z"] * 4, ""),
        ("111m", ["11m"], ""),
        ("1x", ["1z"], ""),
    ],
)
def test_impossible_situation_is_refused_in_one_line(
    hand: str, rivers: list[str], dora: str
) -> None:
    with pytest.raises(PaifuError) as caught:
        situation(hand, rivers, dora)
    assert "\n" not in str(caught.value)
