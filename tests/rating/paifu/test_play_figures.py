import json
from collections import Counter
from statistics import mean, stdev

import pytest
from hypothesis import given, strategies as st

from bot.league.paifu_log import entry_of
from rating.paifu.play_counts import PlayNumber, add, play_counts
from rating.paifu.play_figures import FEWEST, MEANS, SHARES, play_figures, yaku_shares
from rating.paifu.record import YAKU, yaku_name
from rating.paifu.recordlog import log_bytes, merged, read, total
from rating.proportions import t_quantile
from tests.rating.paifu.records import read as made, some
from tests.rating.paifu.script import Script

WAITING = "123m456p789s2355s"  # waits for 1s and 4s: a good wait


Figures = dict[str, tuple[int, float | None]]


def figures(
    script: Script,
    seat: int,
    final: tuple[int, ...] | None = None,
) -> Figures:
    by_key = play_figures(play_counts(script.record(final))[seat])
    return {name: (figure.cases, figure.value) for name, figure in by_key.items()}


def riichi(*others: str) -> Script:
    return Script(WAITING, *others, keep="1234s1567z").go("1z", riichi=True)


def test_figures_of_riichi_calls_draws_and_busts() -> None:
    script = (
        riichi("1s")
        .go(throw="1s")
        .ron(
            0,
            yaku=(
                (1, 1),
                (2, 1),
                (53, 1),
                (52, 0),
            ),
            value=5200,
        )
    )
    mine = figures(script, 0)
    theirs = figures(script, 1)
    wanted = {
        "tsumo": 0,
        "dama": 0,
        "riichi_win": 1,
        "riichi_deal_in": 0,
        "first_riichi": 1,
        "chasing_riichi": 0,
        "ippatsu": 1,
        "ura": 1,
        "good_wait": 1,
        "many_kinds": 1,
        "furiten_riichi": 0,
        "riichi_turn": 1,
        "win_turn": 1,
        "riichi_balance": 5200,
    }
    assert {name: mine[name][1] for name in wanted} == wanted
    assert mine["riichi_tiles"] == (1, 8)
    assert theirs["mean_deal_in"] == theirs["mean_deal_in_to_riichi"] == (1, 5200)
    assert theirs["deal_in_in_riichi"] == (1, 0)
    assert theirs["mean_deal_in_to_open"] == (0, None)
    counts = play_counts(script.record())[0]
    assert set(yaku_shares(counts)) == {"立直", "一発", "裏ドラ"}
    script = riichi("123m456p678s3477p").go("1z", riichi=True).go("5z").around(1)
    script = script.end(tenpai=(0, 1))
    final = (-100, 30000, 35100, 35000)
    first = figures(script, 0, final)
    second = figures(script, 1, final)
    assert first["first_riichi"] == (1, 1)
    assert first["chased_riichi"] == (1, 1)
    assert first["bust"] == (1, 1)
    assert second["chasing_riichi"] == (1, 1)
    assert second["chased_riichi"] == (1, 0)
    assert second["bust"] == (1, 0)
    assert first["tenpai_at_draw"] == first["riichi_draw"] == first["draw"] == (1, 1)
    assert figures(script, 2)["riichi_draw"] == (0, None)
    script = Script("5z", "55z6z")
    script.go(throw="5z").pon(1, "6z").end()
    assert figures(script, 1)["call_draw"] == (1, 1)


@pytest.mark.parametrize(
    ("discards", "giver", "winner", "turn"),
    [
        (2, 1, 0, 1),
        (4, 3, 2, 1),
        (5, 0, 1, 2),
        (5, 0, 3, 2),
        (6, 1, 0, 2),
        (6, 1, 2, 2),
    ],
)
def test_turn_of_a_ron_is_its_go_around(discards: int, giver: int, winner: int, turn: int) -> None:
    """Seat 0 deals, nobody calls: the n-th discard of all falls in go-around ceil(n / 4)."""
    script = Script().around(discards)
    script.ron(winner, yaku=((1, 1),), value=1000)
    played = script.round()
    assert played.wins[0].giver == giver
    assert played.win_turn(played.wins[0]) == turn
    assert turn == -(-discards // 4)


def test_figures_of_deal_ins_and_tsumo() -> None:
    script = Script("5z4s", "55z6z123m456p23s55s", keep="14s")
    script.go(throw="5z").pon(1, "6z").around(2)
    script.go(throw="4s").ron(
        1,
        yaku=((18, 1),),
        value=1000,
    )
    assert figures(script, 0)["mean_deal_in_to_open"] == (1, 1000)
    assert figures(script, 1)["call_win"] == (1, 1)
    script = Script("", WAITING, keep="14s").go()
    script.tsumo("4s", yaku=((0, 1),), value=8000, limit=1)
    assert figures(script, 0)["dealer_tsumo_loss"] == (1, 1)
    assert figures(script, 0)["mean_dealer_tsumo_loss"][1] == pytest.approx(2667, abs=1)
    assert figures(script, 2)["dealer_tsumo_loss"] == (1, 0)
    assert figures(script, 1)["dama"] == (1, 1)
    assert figures(script, 1)["tsumo"] == (1, 1)


@given(st.lists(st.integers(-50, 50), max_size=12))
def test_mean_and_its_interval_follow_from_the_numbers(values: list[int]) -> None:
    counts: Counter[str] = Counter()
    for value in values:
        add(counts, PlayNumber.WIN_TURN, value)
    figure = play_figures(counts)["win_turn"]
    assert figure.cases == len(values)
    assert figure.value == (pytest.approx(mean(values)) if values else None)
    assert (figure.low is None) == (len(values) < FEWEST)
    if len(values) >= FEWEST:
        half = t_quantile(len(values) - 1) * stdev(values) / len(values) ** 0.5
        assert (figure.high or 0) - (figure.low or 0) == pytest.approx(2 * half, abs=1e-6)


def test_shares_are_between_0_and_1() -> None:
    for record in some():
        for counts in play_counts(record):
            by_name = play_figures(counts)
            assert set(by_name) == {*SHARES, *MEANS}
            for name in SHARES:
                figure = by_name[name]
                if figure.value is not None:
                    assert 0 <= (figure.low or 0) <= figure.value <= (figure.high or 0) <= 1
            assert all(type(count) is int for count in counts.values())


def without_play(line: bytes) -> bytes:
    """A line of the record log as it was before play was counted."""
    value = json.loads(line)
    for counts in value["players"].values():
        del counts["play"], counts["sums"]
    return (json.dumps(value, ensure_ascii=False) + "\n").encode()


def test_record_log_has_the_figures_of_play() -> None:
    entry = entry_of(made(1))
    (read_entry,) = read(log_bytes([entry]))
    for name, tally in entry.statistics.players.items():
        read_tally = read_entry.statistics.players[name]
        assert (read_tally.play, read_tally.luck.rounds) == (tally.play, 4)
        assert read_tally.efficiency.decisions == tally.play["decisions"]
        assert read_tally.luck.draws == pytest.approx(tally.luck.draws, abs=1e-6)
        losses = tally.efficiency.losses
        assert read_tally.efficiency.losses == pytest.approx(losses, abs=1e-6)


def test_line_without_play_is_read_without_its_figures() -> None:
    entry = entry_of(made(1))
    (bare,) = read(without_play(log_bytes([entry])))
    assert bare.statistics.rounds == 4
    for name, tally in bare.statistics.players.items():
        assert (tally.luck.z, tally.efficiency.grade(4)) == (None, None)
        wins = tally.endings["win"]
        mean = tally.mean("mean_win") if wins else None
        assert tally.all_figures()["mean_win"] == (wins, None, mean, None, None)
        figure = entry.statistics.players[name].all_figures()["mean_win"]
        assert figure[:3] == (wins, None, mean)
        assert (figure.low is None) == (wins < FEWEST)


def test_line_with_play_replaces_one_without() -> None:
    entry = entry_of(made(1))
    line = log_bytes([entry])
    old_line = without_play(line)
    (bare,) = read(old_line)
    (replaced,) = read(merged(old_line, entry))
    assert replaced.statistics.players[made(1).players[0], 4].play
    assert merged(line, bare) == line
    together = total([bare, entry])
    assert together.overall[4].efficiency == entry.statistics.overall[4].efficiency


def test_yaku_have_tenhous_numbers() -> None:
    assert len(YAKU) == 55
    names = {
        0: "門前清自摸和",
        7: "平和",
        21: "両立直",
        22: "七対子",
        34: "混一色",
        39: "大三元",
        47: "国士無双",
        52: "ドラ",
        53: "裏ドラ",
        54: "赤ドラ",
    }
    assert {number: yaku_name(number) for number in names} == names
    assert yaku_name(99) == "役99"
