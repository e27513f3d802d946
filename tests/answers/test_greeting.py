"""The greeting of a new friend, a new group and a new member: what the bot does, and who one is."""

from bot.demo_chat import DEMO_GROUP
from tests.answers.leagues import World as League, twenty
from tests.answers.world import ADMIN, MEMBER, OTHER, World, taps, words_of

HELLO = "雀録杯の記録係、雀録です。天鳳の対局を記録して、成績をお見せします。"
EVERYBODY = ["みどり", "白發中", "東風", "まん|がん", "両面待ち"]


def names(messages: list[dict[str, object]]) -> list[str]:
    """The members offered as buttons."""
    return [label for label, data in taps(messages).items() if data.startswith("request_me?")]


def test_a_group_is_asked_who_is_who(world: World) -> None:
    (who,) = world.answers(world.platform.join(DEMO_GROUP))
    assert words_of([who]).replace("\n", "").startswith(HELLO)
    assert "/privacy" in str(who)
    assert who["altText"] == "どのメンバーですか？ 名前を押すと、「自分」で自分の成績が出るようになります。"
    assert names([who]) == EVERYBODY
    done = world.tap(taps([who])["白發中"], OTHER)
    assert "「白發中」さんですね" in words_of(done)
    assert "白發中" in words_of(world.say("個人", OTHER))


def test_a_friend_is_asked_until_the_name_is_known(world: World) -> None:
    asked = world.answers(world.platform.follow(MEMBER))
    assert names(asked) == EVERYBODY
    world.tap(taps(asked)["みどり"], MEMBER, MEMBER)
    known = world.answers(world.platform.follow(MEMBER))
    assert words_of(known) == "みどりさん、こんにちは。「メニュー」と送ると、できることがボタンで出ます。"
    assert "みどり" in words_of(world.tap(taps(known)["自分の成績"], MEMBER, MEMBER))


def test_who_joins_a_group_is_greeted_once(world: World) -> None:
    first = world.answers(world.platform.member_joined(DEMO_GROUP, OTHER))
    assert names(first) == EVERYBODY
    again = world.platform.member_joined(DEMO_GROUP, OTHER)
    world.say("メニュー")
    assert not world.platform.replied(again)
    world.say("自分 東風", MEMBER)
    assert names(world.answers(world.platform.member_joined(DEMO_GROUP, MEMBER))) == []


def test_an_enrolled_group_is_greeted(world: World) -> None:
    group = world.platform.add_group("新しいグループ", [ADMIN, OTHER])
    said = world.say("登録", ADMIN, group)
    assert HELLO in words_of(said).replace("\n", "")
    assert names(said) == EVERYBODY


def test_many_members_are_a_tap_away() -> None:
    """Their names would be higher than a phone's screen."""
    league = League.again("twenty")
    (who,) = league.ask("request_greeting").messages
    assert names([who]) == ["名前を選ぶ"]
    assert set(twenty()) <= set(names(league.ask(taps([who])["名前を選ぶ"]).messages))
