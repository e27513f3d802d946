"""条件 and もしも in words; the conditions of a last game hold for games played out by hand."""

import pytest

from bot.answers.forecast.needs import Reach, change_words, conditions, in_words, told_gain, verdict
from rating.forecast.needs import Against, Need, PlacingNeed
from tests.answers.forecast.seasons import nine, running

INF = float("inf")
FAR = Reach(-200.0, 300.0, 3)


def test_everybody_is_told_points_behind_chance_and_need() -> None:
    found = running(me="東風").ask("条件").table
    assert len(found.rows) == 5
    leader, *others = found.rows
    assert leader.extra[1].startswith("+")
    assert all(row.extra[1].startswith("−") for row in others)
    assert found.alt.startswith("優勝の条件（残り50戦）：東風は")
    assert [row.name for row in found.rows if row.mine] == ["東風"]


@pytest.mark.parametrize(
    ("need", "words"),
    [
        (Need("a", 50.0, 0.3, 85.2, 12.4), "あと約12戦で+85"),
        (Need("a", -50.0, 0.7, -12.2, 0.4), "あと約1戦で−12まで減っても優位"),
        (Need("a", 500.0, 0.004, 812.0, 12), "届く見込みがわずか"),
        (Need("a", 500.0, 0.0, None, 12), "届く見込みがわずか"),
        (Need("a", -500.0, 1.0, None, 12), "ほぼ優勝"),
        (Need("a", -500.0, 0.996, -800.0, 12), "ほぼ優勝"),
    ],
)
def test_a_need_in_words(need: Need, words: str) -> None:
    assert in_words(need) == words
    assert told_gain(need) == words.startswith("あと")


def test_conditions_of_a_placing_in_words() -> None:
    same = (Against("b", 1, 12.0), Against("b", 2, 12.0), Against("c", 1, -INF), Against("c", 2, -INF))
    assert conditions(str, PlacingNeed(0, 0.6, -INF, same), FAR) == "bに12.0より大きい差をつける"
    second = (Against("b", 0, INF), Against("b", 2, 12.0), Against("c", 0, -20.0), Against("c", 2, -INF))
    assert (
        conditions(str, PlacingNeed(1, 0.3, 30.0, second), FAR)
        == "自分の得点が+30.0より上、bがトップなら届かない、bがラスなら12.0より大きい差をつける、cがトップなら20.0差未満"
    )
    last = (Against("b", 0, -40.0), Against("b", 1, -40.0))
    assert conditions(str, PlacingNeed(2, 0.3, -INF, last), FAR) == "bと40.0差未満"
    far = (Against("b", 0, -400.0), Against("b", 2, -INF))
    assert conditions(str, PlacingNeed(1, 0.9, -250.0, far), FAR) == "", "no game brings it"


@pytest.mark.parametrize(
    ("need", "words"),
    [
        (PlacingNeed(0, 1.0, -INF, (Against("b", 1, -INF),)), "優勝"),
        (PlacingNeed(0, 1.0, -INF, (Against("b", 1, 3.0),)), "ほぼ優勝"),
        (PlacingNeed(0, 0.0, -INF, (Against("b", 1, 3.0),)), "ほぼ届かない"),
        (PlacingNeed(1, 0.0, -INF, (Against("b", 0, INF),)), "届かない"),
        (PlacingNeed(0, None, -INF, (Against("b", 1, 3.0),)), "条件つき"),
        (PlacingNeed(0, 0.414, -INF, (Against("b", 1, 3.0),)), "41%"),
    ],
)
def test_a_verdict(need: PlacingNeed, words: str) -> None:
    assert verdict(need) == words
    if words in ("優勝", "ほぼ優勝", "ほぼ届かない", "届かない"):
        assert conditions(str, need, FAR) == ""


def test_a_last_game_is_told_for_a_table_typed_or_tapped() -> None:
    world = running()
    for asked in (world.ask("条件 みどり 白發中 東風"), world.ask("request_needs?show=last&table=top")):
        assert not asked.refused
        assert "最終戦の条件" in asked.words
        assert len(asked.table.more) == 3
        assert all([row.name for row in rows] == ["トップ", "2着", "ラス"] for _, rows in asked.table.more)


def test_another_number_of_players_is_no_table_and_with_one_game_left_it_is_the_last() -> None:
    for words in ("条件 みどり", "条件 みどり 白發中", "条件 みどり 白發中 東風 両面待ち"):
        asked = running().ask(words)
        assert asked.refused
        assert "3人の名前" in asked.words
    assert "最終戦の条件" in running(plan="games = 49").ask("条件").words


def test_a_season_that_is_over_needs_nothing() -> None:
    world = running(plan="games = 48")
    for words, sentence in (("条件", "もう終わっています。優勝は"), ("もしも", "もしもの計算はありません")):
        asked = world.ask(words)
        assert asked.refused
        assert sentence in asked.words


def test_if_asks_for_a_member_then_shows_changes_that_sum_to_nothing() -> None:
    world = running()
    assert {"みどり", "白發中", "東風"} <= set(world.ask("もしも").taps)
    found = world.told("if", player="みどり").table
    assert found.title == "もしも みどりが次にトップなら"
    changes = {row.name: row.extra[0] for row in found.rows}
    assert changes["みどり"].startswith("▲")
    points = [int(c[1:]) * (1 if c[0] == "▲" else -1) for c in changes.values() if c != "±0"]
    assert abs(sum(points)) <= 2
    last = world.told("if", player="みどり", placing="3").table
    assert "ラスなら" in last.title
    assert {row.name: row.extra[0] for row in last.rows}["みどり"].startswith("▼")


def test_changes_in_words() -> None:
    assert [change_words(x) for x in (0.124, -0.031, 0.004, 0.0)] == ["▲12", "▼3", "", ""]


def test_members_of_another_season_and_guests_at_the_table_are_told_of() -> None:
    assert not nine().ask("もしも みどり").refused
    asked = running(players=2).ask("request_needs?show=last&table=top")
    assert not asked.refused
    assert "最終戦の条件" in asked.words
