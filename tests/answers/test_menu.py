"""The menu comes for a word and for a mention. Each of its buttons gets an answer."""

import pytest

from tests.answers.leagues import World as League
from tests.answers.world import ADMIN, MEMBER, World, taps, words_of

pytestmark = pytest.mark.any_backend("offers what there is; nothing is kept")

TWELVE = [
    "今日",
    "自分",
    "収支",
    "レーティング",
    "着順",
    "ランキング",
    "個人",
    "対決",
    "相性",
    "月報・まとめ",
    "牌譜",
    "もっと",
]
MORE = ["優勝確率・条件", "推移", "チーム", "直近", "期間", "危険度", "ポスター", "募集", "ヘルプ"]
FOR_ADMINS = ["レート検証", "書き出し", "2対2", "設定"]


@pytest.mark.parametrize("user", [MEMBER, ADMIN])
def test_twelve_buttons_and_more_answer_tapped_and_typed(world: World, user: str) -> None:
    first = taps(world.say("メニュー", user))
    second = taps(world.tap(first["もっと"], user))
    assert list(first) == [word for word in TWELVE if word != "牌譜"]
    assert list(second) == [
        word for word in MORE if word not in ("優勝確率・条件", "チーム")
    ] + FOR_ADMINS * (user == ADMIN)
    for word, data in (first | second).items():
        assert list(taps(world.tap(data, user))) == list(taps(world.say(word, user))), word


@pytest.mark.parametrize(
    ("league", "missing"),
    [("demo", "牌譜"), ("nine", "牌譜 優勝確率・条件"), ("empty", "牌譜 優勝確率・条件 チーム")],
)
def test_what_has_no_data_is_not_offered(league: str, missing: str) -> None:
    """Records before the first, teams without teams, the title once it is decided."""
    asked = League.again(league)
    assert {*TWELVE, *MORE} - {
        *taps(asked.ask("メニュー").messages),
        *taps(asked.ask("もっと").messages),
    } == {*missing.split()}


def test_a_mention_brings_it(world: World) -> None:
    menu = world.say("メニュー")
    assert world.say("@雀録 ") == menu
    assert menu[0]["altText"] == "雀録杯のメニュー"


def test_help_names_the_admin_s_commands_to_admins_only(world: World) -> None:
    assert "新シーズン" not in words_of(world.say("ヘルプ"))
    assert "新シーズン" in words_of(world.say("ヘルプ", ADMIN))
    assert "新シーズン" not in taps(world.say("メニュー", ADMIN))
