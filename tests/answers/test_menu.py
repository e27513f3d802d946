"""The menu comes for a word and for a mention, the greeting to a new friend, group and member: each
of their buttons gets an answer."""

import pytest

from bot.demo_chat import DEMO_GROUP
from tests.answers.leagues import LeagueWorld, twenty
from tests.answers.world import ADMIN, MEMBER, OTHER, BotWorld, taps, words_of

any_backend = pytest.mark.any_backend("offers what there is; nothing is kept")

OFTEN = ["今日", "自分", "収支", "レーティング", "着順", "ランキング"]
TWELVE = [*OFTEN, "ほかの人", "対決", "相性", "月報・まとめ", "牌譜", "もっと"]
MORE = ["優勝確率・条件", "推移", "チーム", "直近", "期間", "さっきの牌譜"]
MORE += ["危険度", "ポスター", "ページ", "募集", "ヘルプ"]
FOR_ADMINS = ["レート検証", "書き出し", "2対2", "設定"]


@any_backend
@pytest.mark.parametrize("user", [MEMBER, ADMIN])
def test_twelve_buttons_and_more_answer_tapped_and_typed(world: BotWorld, user: str) -> None:
    first = taps(world.say("メニュー", user))
    second = taps(world.tap(first["もっと"], user))
    assert list(first) == [word for word in TWELVE if word != "牌譜"]
    without_data = ("優勝確率・条件", "チーム", "さっきの牌譜")
    more = [word for word in MORE if word not in without_data]
    if user == ADMIN:
        more += FOR_ADMINS
    assert list(second) == more
    for word, data in (first | second).items():
        tapped = taps(world.tap(data, user))
        assert list(tapped) == list(taps(world.say(word, user))), word


@pytest.mark.parametrize(
    ("league", "missing"),
    [
        ("demo", "牌譜 さっきの牌譜"),
        ("nine", "牌譜 さっきの牌譜 優勝確率・条件"),
        ("empty", "牌譜 さっきの牌譜 優勝確率・条件 チーム"),
    ],
)
def test_what_has_no_data_is_not_offered(league: str, missing: str) -> None:
    """Records before the first, teams without teams, the title once it is decided."""
    asked = LeagueWorld.again(league)
    assert {*TWELVE, *MORE} - {
        *taps(asked.ask("メニュー").messages),
        *taps(asked.ask("もっと").messages),
    } == {*missing.split()}


@any_backend
def test_ones_own_card_and_others_are_two_buttons(world: BotWorld) -> None:
    world.say("自分 みどり")
    menu = taps(world.say("メニュー"))
    assert "みどり　" in words_of(world.tap(menu["自分"]))
    assert EVERYBODY[1] in taps(world.tap(menu["ほかの人"]))


@any_backend
def test_a_mention_brings_it(world: BotWorld) -> None:
    menu = world.say("メニュー")
    assert world.say("@雀録 ") == menu
    assert menu[0]["altText"] == "雀録杯のメニュー"
    # Help names the admin's commands to admins only.
    assert "新シーズン" not in words_of(world.say("ヘルプ"))
    assert "新シーズン" in words_of(world.say("ヘルプ", ADMIN))
    assert "新シーズン" not in taps(world.say("メニュー", ADMIN))


HELLO = "雀録杯の記録係、雀録です。天鳳の対局を記録して、成績をお見せします。"
EVERYBODY = ["みどり", "白發中", "東風", "まん|がん", "両面待ち"]


def names(messages: list[dict[str, object]]) -> list[str]:
    """The members offered as buttons."""
    return [label for label, data in taps(messages).items() if data.startswith("request_me?")]


def test_a_group_is_asked_who_is_who(world: BotWorld) -> None:
    (who,) = world.answers(world.platform.join(DEMO_GROUP))
    assert words_of([who]).replace("\n", "").startswith(HELLO)
    assert "/privacy" in str(who)
    assert (
        who["altText"]
        == "どのメンバーですか？ 名前を押すと、「自分」で自分の成績が出るようになります。"
    )
    assert names([who]) == EVERYBODY
    done = world.tap(taps([who])["白發中"], OTHER)
    assert "「白發中」さんですね" in words_of(done)
    assert "白發中" in words_of(world.say("個人", OTHER))


def test_a_friend_is_asked_until_the_name_is_known(world: BotWorld) -> None:
    asked = world.answers(world.platform.follow(MEMBER))
    assert names(asked) == EVERYBODY
    world.tap(taps(asked)["みどり"], MEMBER, MEMBER)
    known = world.answers(world.platform.follow(MEMBER))
    assert (
        words_of(known)
        == "みどりさん、こんにちは。「メニュー」と送ると、できることがボタンで出ます。"
    )
    assert "みどり" in words_of(world.tap(taps(known)["自分の成績"], MEMBER, MEMBER))


def test_who_joins_a_group_is_greeted_once(world: BotWorld) -> None:
    first = world.answers(world.platform.member_joined(DEMO_GROUP, OTHER))
    assert names(first) == EVERYBODY
    again = world.platform.member_joined(DEMO_GROUP, OTHER)
    world.say("メニュー")
    assert not world.platform.replied(again)
    world.say("自分 東風", MEMBER)
    assert names(world.answers(world.platform.member_joined(DEMO_GROUP, MEMBER))) == []


def test_an_enrolled_group_is_greeted(world: BotWorld) -> None:
    group = world.platform.add_group("新しいグループ", [ADMIN, OTHER])
    said = world.say("登録", ADMIN, group)
    assert HELLO in words_of(said).replace("\n", "")
    assert names(said) == EVERYBODY


def test_many_members_are_a_tap_away() -> None:
    """Their names would be higher than a phone's screen."""
    league = LeagueWorld.again("twenty")
    (who,) = league.ask("request_greeting").messages
    assert names([who]) == ["名前を選ぶ"]
    choice = league.ask(taps([who])["名前を選ぶ"])
    assert set(twenty()) <= set(names(choice.messages))
