import sys
from itertools import pairwise

import pytest

from rating.paifu import duplicate, engine
from rating.paifu.danger import danger, folds, suji_danger
from rating.paifu.efficiency import Holding
from rating.paifu.engine import BY_SUJI, BY_WAITS, Policy, Seen
from rating.paifu.tally import PaifuTally, RoundEnding, Share
from rating.paifu.tiles import KINDS, PaifuError, counts, parse

PLAIN = Policy(None)
FOLDING = Policy(BY_WAITS)
BY_SUJI_ALONE = Policy(BY_SUJI)


def seen(hand: str, river: str | None = None, **more: object) -> Seen:
    held = counts(parse(hand))
    safe: list[list[bool]] = []
    if river is not None:
        discarded = set(kinds(river))
        safe.append([kind in discarded for kind in range(KINDS)])
    return Seen(Holding(held, **more), [4 - n for n in held], safe)  # type: ignore[arg-type]


def kinds(text: str) -> list[int]:
    return sorted({tile // 4 for tile in parse(text)})


FAR = "159m159p159s12345z"


def test_policies_fold_far_from_tenpai() -> None:
    state = seen(FAR, river="5p")
    assert FOLDING.discard(state, kinds(FAR)) == parse("5p")[0] // 4
    assert PLAIN.discard(state, kinds(FAR)) != parse("5p")[0] // 4
    assert folds(8, 3, 1, 1000, BY_SUJI.dangerous)
    assert not folds(9, 3, 1, 1000, BY_WAITS.dangerous)
    assert not folds(12, BY_SUJI.dangerous, 3, 0, BY_SUJI.dangerous)
    for hand in (FAR, "123m456p789s1145s9m", "2233m4455p6677s17z"):
        state = seen(hand)
        assert FOLDING.discard(state, kinds(hand)) == PLAIN.discard(state, kinds(hand))
    hand = "123m456p789s1145s9m"
    state = seen(hand, river="1z")
    assert not folds(26, 0, 0, 0)
    assert FOLDING.discard(state, kinds(hand)) == 8
    assert PLAIN.discard(state, kinds(hand)) == 8
    assert FOLDING.discard(seen(FAR, river="5p"), kinds("1m")) == 0


def test_suji_rule_ignores_walls() -> None:
    """4p, of which all four are in the hand, leaves 3p no run but 1-2; suji alone takes 3p for a live
    tile.
    """
    unseen = [4] * KINDS
    unseen[parse("4p")[0] // 4] = 0
    nothing = [False] * KINDS
    three = parse("3p")[0] // 4
    assert danger(unseen, nothing)[three] == 6
    assert suji_danger(unseen, nothing)[three] == 8
    river = [kind == parse("6p")[0] // 4 for kind in range(KINDS)]
    assert suji_danger([4] * KINDS, river)[three] == 5
    assert suji_danger([2] * KINDS, river)[27:] == [2] * 7
    hand = "3334444p159s159m1z"
    assert (
        kinds("4p")[0]
        != BY_SUJI_ALONE.discard(seen(hand, river="1s"), kinds(hand))
        == parse("1s")[0] // 4
    )


def test_only_a_call_with_yaku_is_made() -> None:
    before = seen("55z34m56p789s99p24s")
    held = list(before.holding.held)
    held[31] -= 2
    assert PLAIN.calls(
        before,
        before.holding._replace(
            held=held,
            called=((31, 31, 31),),
            open=True,
        ),
    )
    held = list(before.holding.held)
    held[2] -= 1
    held[3] -= 1
    assert not PLAIN.calls(
        before._replace(holding=before.holding._replace(yakuhai=())),
        before.holding._replace(
            held=held,
            called=((1, 2, 3),),
            open=True,
            yakuhai=(),
        ),
    )


@pytest.mark.parametrize(
    ("hand", "is_taken"),
    [("123p456p789s2355s4z", True), ("19m19p19s1234567z5p", False), ("123p456p78s225s444z", False)],
)
def test_north_is_taken_out_unless_needed(hand: str, is_taken: bool) -> None:
    assert PLAIN.takes_north(seen(hand)._replace(seats=3)) is is_taken


def test_difference_and_its_interval() -> None:
    def tally(wins: int, rounds: int) -> PaifuTally:
        result = PaifuTally()
        for place in range(rounds):
            result.count(
                Share(RoundEnding.WIN if place < wins else RoundEnding.DRAW, 0, 0, False, False)
            )
        return result

    wins = (
        (3, 2),
        (2, 2),
        (4, 1),
        (3, 3),
    )
    tallies = [(tally(folding, 10), tally(plain, 10)) for folding, plain in wins]
    results = [duplicate.PairResult(folding, plain, 10) for folding, plain in tallies]
    row = duplicate.compare(
        [duplicate.ratios(result.folding)["win"] for result in results],
        [duplicate.ratios(result.plain)["win"] for result in results],
    )
    differences = [0.1, 0.0, 0.3, 0.0]
    mean = sum(differences) / 4
    error = (sum((d - mean) ** 2 for d in differences) / 3 / 4) ** 0.5
    assert row["difference"] == pytest.approx(mean)
    assert row["error"] == pytest.approx(error)
    assert row["low"] == pytest.approx(mean - 1.96 * error)
    assert duplicate.compare([], [])["difference"] == 0


def test_pair_of_games_is_reproducible() -> None:
    pytest.importorskip("riichienv", reason="riichienv is not installed")
    (walls,) = duplicate.seeds(2, seed=3)
    first = duplicate.play(walls)
    again = duplicate.play(walls)
    assert first == again
    assert first.folding.games == first.plain.games == 4
    assert first.folding.rounds == first.plain.rounds == 2 * first.rounds
    for ending in RoundEnding:
        assert first.folding.endings[ending] <= first.folding.rounds
    assert sum(first.folding.placings.values()) == 4
    figures = duplicate.report([first], 3, 1.0)
    assert figures["games"] == 2
    places = [figures["figures"][name] for name in ("1st", "2nd", "3rd", "4th")]  # type: ignore[index]
    for policy in ("with", "without"):
        assert sum(row[policy] for row in places) == pytest.approx(1)
        mean = sum(place * row[policy] for place, row in enumerate(places, 1))
        assert mean == pytest.approx(figures["figures"]["mean_placing"][policy])  # type: ignore[index]
    assert duplicate.play(walls, "suji") != first


def test_walls_of_different_pairs_do_not_overlap() -> None:
    pytest.importorskip("riichienv", reason="riichienv is not installed")
    walls = sorted(duplicate.seeds(2000, seed=1))
    assert min(b - a for a, b in pairwise(walls)) > 1000


def test_error_names_the_missing_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "riichienv", None)
    with pytest.raises(PaifuError, match="pip install riichienv"):
        engine.load()
