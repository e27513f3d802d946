import re
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from rating.paifu.checked_walls import open_walls
from rating.paifu.formats import parse
from rating.paifu.record import Draw, NewDora, Record
from rating.paifu.tiles import PaifuError
from rating.paifu.wall import Key, RoundWall, read_key, walls
from tests.rating.paifu.records import made, record_of, walled
from tests.rating.paifu.shuffle import seed_of, shuffles, twister
from tests.real import RECORDS

WORD = st.one_of(
    st.integers(0, 2**32 - 1),
    st.just(0),
)
KEYS = st.lists(WORD, min_size=1, max_size=40)
SEATS = st.sampled_from([3, 4])


def reads(seed: str) -> str:
    try:
        read_key(seed)
    except PaifuError as error:
        return str(error)
    return ""


@settings(max_examples=25)
@given(KEYS, SEATS, st.integers(0, 2), st.booleans())
def test_wall_equals_a_second_computation(
    key: list[int], seats: int, dealer: int, old: bool
) -> None:
    key = key if old else (key * 624)[:624]
    read = read_key(seed_of(key, old))
    assert (list(read.words), read.old) == (key, old)
    dealers = [dealer, (dealer + 1) % seats]
    made = zip(
        walls(read, seats, dealers),
        dealers,
        shuffles(key, seats),
        strict=False,
    )
    for wall, first, (y, dice) in made:
        assert wall.dice == dice
        assert sorted(every(wall)) == sorted(y)
        assert wall.hands[first][:4] == tuple(y[-1:-5:-1])
        assert wall.live[0] == y[-1 - 13 * seats]
        assert len(wall.live) == (70 if seats == 4 else 55)
        assert set(wall.rinshan) == set(y[: len(wall.rinshan)])
        assert (wall.dora if old else wall.ura)[0] == y[len(wall.rinshan)]


def every(wall: RoundWall) -> set[int]:
    """All tiles of a wall; of three seats' the last to draw are indicators too, or the dead
    wall's.
    """
    return {
        tile
        for part in (*wall.hands, wall.live, wall.rinshan, wall.dora, wall.ura)
        for tile in part
    }


@settings(max_examples=15)
@given(KEYS.filter(lambda key: len(key) > 1))  # numpy takes an array of one word for a number
def test_generator_is_numpys_for_keys_of_any_length(key: list[int]) -> None:
    expected = np.random.RandomState(np.array(key, dtype=np.uint32)).randint(
        0, 2**32, 300, dtype=np.uint32
    )
    assert list(islice(twister(key), 300)) == expected.tolist()


def test_zero_words_at_the_end_of_a_key_count() -> None:
    """`random.Random` would cut them."""
    one_word = Key((7,), old=True)
    with_zero = Key((7, 0), old=True)
    short = next(walls(one_word, 4, [0]))
    long = next(walls(with_zero, 4, [0]))
    assert short.live != long.live


OLD = "mt19937ar-sha512-n288,"
NEW = "mt19937ar-sha512-n288-base64,"


@pytest.mark.parametrize(
    "seed",
    ["", "mt19937ar", NEW, "sha512,abc", OLD, ",", "x" * 9000],
)
def test_unknown_seed_is_no_key(seed: str) -> None:
    assert read_key(seed) is None


@pytest.mark.parametrize(
    "seed",
    [
        seed_of([1] * 624)[:-8],
        seed_of([1] * 624)[:-1],
        seed_of([1] * 624) + "AAAA",
        NEW + "!!",
        OLD + "12,XYZ",
        OLD + "123456789",
        OLD + "12,,3",
        OLD + ",".join("1" * 625),
        OLD + "１",
    ],
)
def test_cut_key_is_refused_in_one_line(seed: str) -> None:
    assert reads(seed).startswith("the seed of the wall is cut or broken")
    assert "\n" not in reads(seed)


@settings(max_examples=200)
@given(st.text(max_size=40), st.sampled_from(["", OLD, NEW]))
def test_any_seed_is_a_key_or_a_fault(text: str, form: str) -> None:
    reads(form + text)


@pytest.mark.parametrize("old", [False, True])
@pytest.mark.parametrize("seats", [3, 4])
def test_record_agrees_with_its_walls(seats: int, old: bool) -> None:
    draws = replacements = compared = 0
    for seed in range(4):
        record = parse(walled(seed, seats, old=old).xml())
        checked = open_walls(record)
        compared += checked.draws
        assert checked.problem == ""
        assert record.problems == ()
        assert checked.rounds is not None
        assert len(checked.rounds) == len(record.rounds) == 4
        for played, wall in zip(record.rounds, checked.rounds, strict=True):
            assert played.hands == wall.hands
            assert played.dice == wall.dice
            drawn_tiles = [event.tile for event in played.events if isinstance(event, Draw)]
            assert set(drawn_tiles) <= set(wall.live) | set(wall.rinshan)
            draws += len(drawn_tiles)
            replacements += len(set(drawn_tiles) & set(wall.rinshan))
    assert draws == compared
    assert draws > 300
    assert replacements > 0


def damaged(data: bytes, pattern: bytes, change: bytes) -> Record:
    broken, count = re.subn(pattern, change, data, count=1)
    assert count == 1
    return parse(broken)


@pytest.mark.parametrize(
    ("pattern", "change"),
    [
        (rb'hai0="(\d+),([\d,]+)" hai1="(\d+),', rb'hai0="\3,\2" hai1="\1,'),
        (
            rb"<([TUV])(\d+)/><([DEF])\2/>(.*?)<([TUV])(\d+)/><([DEF])\6/>",
            rb"<\1\6/><\3\6/>\4<\5\2/><\7\2/>",
        ),
        (rb'(<INIT seed="\d+,\d+,\d+),\d,\d,', rb"\1,9,9,"),
        (rb"<T(\d+)/>", rb"<T134/>"),
        (rb'(seed="mt19937ar-sha512-n288-base64,.{40})(.)(.)', rb"\1\3\2"),
    ],
    ids=[
        "dealt tiles swapped",
        "draws swapped",
        "dice",
        "a tile drawn twice",
        "two letters of the seed swapped",
    ],
)
def test_one_different_tile_makes_all_walls_unknown(pattern: bytes, change: bytes) -> None:
    record = damaged(walled(1).xml(), pattern, change)
    checked = open_walls(record)
    assert checked.rounds is None
    assert checked.problem.startswith("the wall is unknown: ")
    assert "\n" not in checked.problem


def test_walls_without_a_whole_seed_are_unknown() -> None:
    cut = damaged(walled(2).xml(), rb'(seed="mt19937ar-sha512-n288-base64,.{40})[^"]*', rb"\1")
    assert open_walls(cut).rounds is None
    assert "cut" in open_walls(cut).problem
    missing = damaged(walled(2).xml(), rb"<SHUFFLE[^>]*>", b"")
    assert open_walls(missing).rounds is None
    assert open_walls(missing).problem == ""
    assert open_walls(parse(made(1).xml())).problem == ""
    record = damaged(walled(3).xml(), rb'(<INIT seed="1,.*?)hai0="[\d,]*"', rb'\1hai0="1,2"')
    assert [played.number for played in record.rounds] == [0, 2, 3]
    checked = open_walls(record)
    assert checked.problem == ""
    hands = [played.hands for played in record.rounds]
    assert [wall.hands for wall in checked.rounds or ()] == hands


def test_real_records() -> None:
    every = [(record, open_walls(record)) for record in map(record_of, RECORDS)]
    assert {checked.problem for _, checked in every} == {""}
    with_walls = [(record, checked) for record, checked in every if checked.rounds]
    assert len(with_walls) == 24
    assert sum(len(checked.rounds or ()) for _, checked in with_walls) == 181
    assert sum(checked.draws for _, checked in with_walls) == 8203
    events = [
        event for record, _ in with_walls for played in record.rounds for event in played.events
    ]
    assert sum(isinstance(event, NewDora) for event in events) == 20
