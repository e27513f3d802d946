import json
from dataclasses import replace
from functools import cache
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import given, settings, strategies as st

from bot.league.moment_text import moment_text
from bot.league.paifu_log import entry_of
from rating.paifu import recordlog
from rating.paifu.checked_walls import open_walls
from rating.paifu.luck import luck_of
from rating.paifu.moments import RULES, all_moments
from rating.paifu.record import Draw, Record
from rating.paifu.tiles import PaifuError, indicator_of
from tests.rating.paifu.records import read as made, some
from tests.rating.paifu.script import Script

WAITING = "123m456p789s2355s"


@cache
def a_line() -> bytes:
    return recordlog.log_bytes([entry_of(made(1))])


def test_a_line_with_a_name_in_nfd_is_of_the_same_player() -> None:
    record = replace(made(1), players=("がく", "南", "西", "北"))
    entry = entry_of(record)
    written = recordlog.log_bytes([entry])
    decomposed = written.replace("がく".encode(), normalize("NFD", "がく").encode())
    assert recordlog.read(decomposed) == recordlog.read(written)
    assert recordlog.heads(decomposed) == recordlog.heads(written)


def won(value: int, yakuman: tuple[int, ...] = ()) -> Script:
    script = Script(WAITING, "1s", keep="14s")
    script.go("1z", riichi=True).go(throw="1s")
    yaku = () if yakuman else ((1, 1), (52, 0), (7, 1))
    return script.ron(0, value=value, yakuman=yakuman, yaku=yaku)


def game(*rounds: Script) -> Record:
    first = rounds[0].record((30000, 20000, 25000, 25000))
    return replace(
        first,
        rounds=tuple(one.round(place) for place, one in enumerate(rounds)),
    )


def test_the_best_come_first_yakuman_before_all_and_of_each_seat_one() -> None:
    values = (1000, 8000, 3900, 2000)
    played = game(
        *map(won, values),
        won(32000, (40,)),
        won(96000),
    )
    found = recordlog.best_hands(played)
    told = [(one.value, one.yakuman, one.round) for one in found]
    assert told == [
        (32000, (40,), "南1局"),
        (96000, (), "南2局"),
        (8000, (), "東2局"),
    ]
    assert found[2].yaku == ((1, 1), (7, 1)), "no yaku of 0 han"
    assert found[2].han == 2
    assert (found[0].player, found[0].tsumo) == ("東野", False)
    for wins in (recordlog.MOST_HANDS + 2, recordlog.MOST_YAKUMAN + 3):
        rounds = [won(32000, (39,)) for _ in range(wins)]
        many = recordlog.best_hands(game(*rounds))
        assert len(many) == min(wins, recordlog.MOST_YAKUMAN)
    cheap = Script("1s", WAITING, keep="14s")
    cheap.go(throw="1s").ron(1, value=300)
    rounds = [won(value) for value in (8000, 7700, 5200, 3900)]
    found = recordlog.best_hands(game(*rounds, cheap))
    assert [(one.player, one.value) for one in found] == [
        ("東野", 8000),
        ("東野", 7700),
        ("東野", 5200),
        ("南原", 300),
    ]


def test_the_wins_of_made_up_records_by_another_count() -> None:
    for record in some():
        won_hands = [win for played in record.rounds for win in played.wins]
        wins = [(len(win.yakuman), win.value) for win in won_hands]
        found = [one.rank[:2] for one in recordlog.best_hands(record)]
        assert found[: recordlog.MOST_HANDS] == sorted(wins, reverse=True)[: recordlog.MOST_HANDS]
        assert len(found) <= recordlog.MOST_KEPT
        winners = {record.players[win.seat] for win in won_hands}
        assert {one.player for one in recordlog.best_hands(record)} == winners
        for one in recordlog.best_hands(record):
            assert recordlog.hand_of(json.loads(json.dumps(recordlog.hand_row(one)))) == one


def test_the_moments_kept_are_rare_rules() -> None:
    for record in some():
        found = list(all_moments(record, open_walls(record).rounds))
        kept = recordlog.kept_moments(record, found, moment_text)
        rare = [
            one
            for one in found
            if one.grade >= recordlog.RARE and one.rule not in recordlog.LEFT_OUT
        ]
        assert len(kept) == min(recordlog.MOST_MOMENTS, len(rare))
        grades = [one.grade for one in kept]
        assert grades == sorted(grades, reverse=True)
    assert {rule.kind for rule in RULES} >= recordlog.LEFT_OUT


def test_a_line_holds_them_and_a_line_without_them_counts_as_before() -> None:
    entry = entry_of(made(1))
    line = recordlog.log_bytes([entry])
    (again,) = recordlog.read(line)
    assert (again.hands, again.moments) == (entry.hands, entry.moments)
    assert len(line) < 12_000
    value = json.loads(line)
    del value["hands"], value["moments"]
    (bare,) = recordlog.read(json.dumps(value).encode())
    assert (bare.hands, bare.moments) == (None, ())
    assert bare.statistics.figures() == again.statistics.figures()
    (better,) = recordlog.read(recordlog.merged(recordlog.log_bytes([bare]), entry))
    assert better.hands == entry.hands
    assert recordlog.merged(line, bare) == line


BAD = [
    {},
    {"player": "a"},
    {"player": 3, "round": "東1局", "hand": [0, 1], "tile": 0},
    {"player": "a", "round": "東1局", "hand": [0, 1], "tile": 2},
    {"player": "a", "round": "東1局", "hand": [0, 0], "tile": 0},
    {"player": "a", "round": "東1局", "hand": [0, 136], "tile": 0},
    {"player": "a", "round": "東1局", "hand": "ab", "tile": 0},
    {
        "player": "a",
        "round": "東1局",
        "hand": [0, 1],
        "tile": 0,
        "melds": [99999],
    },
    {
        "player": "a",
        "round": "東1局",
        "hand": [0, 1],
        "tile": 0,
        "yaku": [1],
    },
    [],
    None,
]


@pytest.mark.parametrize("row", BAD)
def test_a_hand_that_a_hand_edited_is_left_out_and_the_line_counts(row: Any) -> None:
    value = json.loads(a_line()) | {"hands": [row]}
    (entry,) = recordlog.read(json.dumps(value).encode())
    assert entry.hands is None
    assert entry.statistics.rounds == 4


ANY = st.recursive(
    st.none() | st.integers(-1, 200) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
)


@settings(max_examples=40)
@given(ANY, ANY)
def test_whatever_stands_there_the_line_is_read(hands: object, kept: object) -> None:
    value = json.loads(a_line()) | {"hands": hands, "moments": kept}
    (entry,) = recordlog.read(json.dumps(value).encode())
    assert entry.statistics.rounds == 4


ROW = recordlog.hand_row(recordlog.best_hands(made(1))[0])


@given(st.dictionaries(st.sampled_from(sorted(ROW)), ANY))
def test_a_row_is_a_hand_or_a_plain_error(changed: dict[str, Any]) -> None:
    try:
        one = recordlog.hand_of(ROW | changed)
    except (ValueError, TypeError, KeyError, PaifuError):
        return
    assert one.tile in one.hand


def test_the_variance_of_the_ura_is_that_of_every_pair_of_indicators() -> None:
    """Two indicators are turned after a kan: every ordered pair of the tiles left, each as
    likely.
    """
    script = Script(WAITING, "1s", keep="14s")
    script.go("1z", riichi=True).go(throw="1s").ron(
        0,
        ura="4s9p",
    )
    record = script.record()
    luck = luck_of(record)[0]
    (win,) = record.rounds[0].wins
    seen = {tile for hand in script.dealt for tile in hand} | {script.indicator}
    seen |= {event.tile for event in record.rounds[0].events if isinstance(event, Draw)}
    left = [tile // 4 for tile in range(136) if tile not in seen]
    worth = [0] * 34
    for tile in win.hand:
        worth[indicator_of(tile // 4)] += 1
    hits = [
        worth[one] + worth[two]
        for i, one in enumerate(left)
        for j, two in enumerate(left)
        if i != j
    ]
    mean = sum(hits) / len(hits)
    assert luck.ura == pytest.approx(2 - mean)
    variance = sum((one - mean) ** 2 for one in hits) / len(hits)
    assert luck.ura_variance == pytest.approx(variance)
    assert luck.ura_z == pytest.approx(luck.ura / luck.ura_variance**0.5)
    assert (luck + luck).ura_variance == pytest.approx(2 * luck.ura_variance)
    assert luck_of(record)[1].ura_z is None
