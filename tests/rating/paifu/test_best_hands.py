import json
from dataclasses import replace
from functools import cache
from itertools import permutations
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


def test_name_in_nfd_is_the_same_player() -> None:
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


def game(*scripts: Script) -> Record:
    first = scripts[0].record((30000, 20000, 25000, 25000))
    return replace(
        first,
        rounds=tuple(script.round(place) for place, script in enumerate(scripts)),
    )


def test_best_hands_are_yakuman_then_those_of_most_points() -> None:
    played = game(
        *map(won, (1000, 8000, 3900, 2000)),
        won(32000, (40,)),
        won(96000),
    )
    hands = recordlog.best_hands(played)
    assert [(hand.value, hand.yakuman, hand.round) for hand in hands] == [
        (32000, (40,), "南1局"),
        (96000, (), "南2局"),
        (8000, (), "東2局"),
    ]
    assert hands[2].yaku == ((1, 1), (7, 1)), "no yaku of 0 han"
    assert hands[2].han == 2
    assert (hands[0].player, hands[0].tsumo) == ("東野", False)


def test_number_of_yakuman_is_limited() -> None:
    for wins in (recordlog.MOST_HANDS + 2, recordlog.MOST_YAKUMAN + 3):
        rounds = [won(32000, (39,)) for _ in range(wins)]
        hands = recordlog.best_hands(game(*rounds))
        assert len(hands) == min(wins, recordlog.MOST_YAKUMAN)


def test_best_hand_of_each_seat_is_among_the_best_hands() -> None:
    cheap = Script("1s", WAITING, keep="14s")
    cheap.go(throw="1s").ron(1, value=300)
    rounds = [won(value) for value in (8000, 7700, 5200, 3900)]
    hands = recordlog.best_hands(game(*rounds, cheap))
    assert [(hand.player, hand.value) for hand in hands] == [
        ("東野", 8000),
        ("東野", 7700),
        ("東野", 5200),
        ("南原", 300),
    ]


def test_best_hands_equal_a_second_count() -> None:
    for record in some():
        won_hands = [win for played in record.rounds for win in played.wins]
        wins = [(len(win.yakuman), win.value) for win in won_hands]
        ranks = [hand.rank[:2] for hand in recordlog.best_hands(record)]
        assert ranks[: recordlog.MOST_HANDS] == sorted(wins, reverse=True)[: recordlog.MOST_HANDS]
        assert len(ranks) <= recordlog.MOST_KEPT
        winners = {record.players[win.seat] for win in won_hands}
        assert {hand.player for hand in recordlog.best_hands(record)} == winners
        for hand in recordlog.best_hands(record):
            assert recordlog.hand_of(json.loads(json.dumps(recordlog.hand_row(hand)))) == hand


def test_stored_moments_are_rare() -> None:
    for record in some():
        moments = list(all_moments(record, open_walls(record).rounds))
        rows = recordlog.kept_moments(record, moments, moment_text)
        rare = [
            moment
            for moment in moments
            if moment.grade >= recordlog.RARE and moment.rule not in recordlog.LEFT_OUT
        ]
        assert len(rows) == min(recordlog.MOST_MOMENTS, len(rare))
        grades = [row.grade for row in rows]
        assert grades == sorted(grades, reverse=True)
    assert {rule.kind for rule in RULES} >= recordlog.LEFT_OUT


def test_line_stores_hands_and_moments() -> None:
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
def test_broken_hand_is_omitted_from_its_line(row: Any) -> None:
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
def test_line_with_any_hands_and_moments_is_read(hands: object, moments: object) -> None:
    value = json.loads(a_line()) | {"hands": hands, "moments": moments}
    (entry,) = recordlog.read(json.dumps(value).encode())
    assert entry.statistics.rounds == 4


ROW = recordlog.hand_row(recordlog.best_hands(made(1))[0])


@given(st.dictionaries(st.sampled_from(sorted(ROW)), ANY))
def test_row_is_a_hand_or_an_error(changed: dict[str, Any]) -> None:
    try:
        hand = recordlog.hand_of(ROW | changed)
    except (ValueError, TypeError, KeyError, PaifuError):
        return
    assert hand.tile in hand.hand


def test_variance_of_ura_is_that_of_all_pairs_of_indicators() -> None:
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
    visible = {tile for hand in script.dealt for tile in hand} | {script.indicator}
    visible |= {event.tile for event in record.rounds[0].events if isinstance(event, Draw)}
    hidden = [tile // 4 for tile in range(136) if tile not in visible]
    worth = [0] * 34
    for tile in win.hand:
        worth[indicator_of(tile // 4)] += 1
    hits = [worth[first] + worth[second] for first, second in permutations(hidden, 2)]
    mean = sum(hits) / len(hits)
    assert luck.ura == pytest.approx(2 - mean)
    variance = sum((hit - mean) ** 2 for hit in hits) / len(hits)
    assert luck.ura_variance == pytest.approx(variance)
    assert luck.ura_z == pytest.approx(luck.ura / luck.ura_variance**0.5)
    assert (luck + luck).ura_variance == pytest.approx(2 * luck.ura_variance)
    assert luck_of(record)[1].ura_z is None
