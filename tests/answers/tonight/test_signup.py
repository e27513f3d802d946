"""募集: one list a chat, which equals the truth of the taps whatever happens to them on their way."""

from datetime import datetime

import pytest

from bot.answers.tonight.signup_list import is_call, wanted
from bot.demo_chat import DEMO_GROUP, DEMO_USERS
from rating.logdates import JST
from tests.answers.tonight.test_room import room
from tests.answers.world import ADMIN, MEMBER, OTHER, World, links, taps, words_of
from tests.fakes.tenhou_room import START, FakeRoom
from tests.real import cases

__all__ = ["room"]
IDS = [user.id for user in DEMO_USERS]


def list_of(answer: object) -> dict[str, str]:
    """What stands on the list in an answer."""
    lines = words_of(answer).split("\n")
    said = [n for n, line in enumerate(lines) if line.startswith(("参加 ", "遅れる "))]
    return {lines[n].split(" ")[0]: lines[n + 1] for n in said}


def test_a_list_opens_fills_by_taps_and_names_those_who_come(room: tuple[World, FakeRoom]) -> None:
    world, _ = room
    for user, name in ((MEMBER, "みどり一色"), (OTHER, "白發中")):
        world.tap(f"request_me?player={name}", user)
    opened = world.say("21時から")
    assert "21:00からの募集" in words_of(opened)
    buttons = taps(opened)
    assert list_of(world.tap(buttons["参加"])) == {"参加": "みどり"}
    assert list_of(world.tap(buttons["遅れる"], OTHER)) == {"参加": "みどり", "遅れる": "白發中"}
    assert list_of(world.tap(buttons["やめる"])) == {"参加": "まだいません", "遅れる": "白發中"}
    world.tap(buttons["参加"])
    full = world.tap(buttons["参加"], ADMIN)
    named = full[1]
    assert named["type"] == "textV2"
    assert named["text"].startswith(
        "3人そろいました！\n21:00から、よろしくお願いします：{m0}さん、{m1}さん、{m2}さん"
    )
    called = {part["mentionee"]["userId"] for part in named["substitution"].values()}
    assert called == {MEMBER, OTHER, ADMIN}
    assert "https://tenhou.net/0/?C1017" in [address for _, address in links(full)]
    assert '"clipboardText": "C1017"' in repr(full).replace("'", '"')
    assert "始める" not in taps(full)
    assert len(world.tap(buttons["遅れる"], ADMIN)) == 1  # it was full before
    shown = world.say("募集")
    assert taps(shown)["参加"] == buttons["参加"]
    world.later(hours=8)
    assert "この募集は終わっています" in words_of(world.tap(buttons["やめる"]))
    assert list_of(world.say("今日やる人？")) == {"参加": "まだいません"}
    assert "グループのトークで" in words_of(world.say("募集", chat=MEMBER))


def test_who_leaves_the_group_leaves_the_list_and_is_not_called(room: tuple[World, FakeRoom]) -> None:
    world, _ = room
    buttons = taps(world.say("募集"))
    for user in (MEMBER, OTHER):
        world.tap(buttons["参加"], user)
    world.platform.member_left(DEMO_GROUP, OTHER)
    assert len(list_of(world.say("募集"))["参加"].split("、")) == 1
    world.tap(buttons["参加"], IDS[3])
    world.platform.groups[DEMO_GROUP].members.remove(IDS[3])  # and LINE's event is lost
    left = world.tap(buttons["参加"], IDS[4])
    assert len(left) == 1
    assert len(list_of(left)["参加"].split("、")) == 2


@pytest.mark.parametrize("env", [{"START_GAMES": "on"}])
def test_one_of_them_starts_the_table_once_and_who_is_missing_is_named(
    room: tuple[World, FakeRoom], env: dict[str, str]
) -> None:
    world, there = room
    world.answering.rooms.may_start = True
    players = dict(zip((MEMBER, OTHER, ADMIN), ("みどり一色", "白發中", "東風(本人)"), strict=True))
    buttons = taps(world.say("募集"))
    for user in players:
        last = world.tap(buttons["参加"], user)
    begin = taps(last)["始める"]
    assert "天鳳の名前が分かりません" in words_of(world.tap(begin))
    for user, name in players.items():
        world.tap(f"request_me?player={name}", user)
        last = world.tap(buttons["参加"], user)
    assert "打つ人が押してください" in words_of(world.tap(begin, IDS[4]))
    there.waiting = ["みどり一色", "東風(本人)"]
    assert there.looks == []
    go = taps(world.tap(begin))["はい、始める"]
    assert "白發中さんが部屋にいません" in words_of(world.tap(go))
    there.waiting.append("白發中")
    assert "もう開始を伝えています" in words_of(world.tap(go))
    world.later(seconds=10)
    go = taps(world.tap(begin))["はい、始める"]
    assert "天鳳に開始を伝えました" in words_of(world.tap(go, ADMIN))
    for data in (go, taps(world.tap(begin))["はい、始める"]):
        assert "もう開始を伝えています" in words_of(world.tap(data))
    assert there.started == [["0019", "みどり一色", "白發中", "東風(本人)"]]
    assert [path for path, _ in there.looks] == [START, START]


@pytest.mark.parametrize(("kind", "text"), cases("calls.tsv"))
def test_a_call_for_players_is_understood_and_talk_calls_nobody(kind: str, text: str) -> None:
    assert is_call(text) == (kind == "call")


@pytest.mark.parametrize(
    ("text", "hour", "found"),
    [
        ("9時から", 20, (0, "21:00")),
        ("9時から", 8, (0, "9:00")),
        ("21時半から四麻", 19, (4, "21:30")),
        ("25時から三人", 22, (3, "1:00")),
        ("募集", 20, (0, "")),
        ("１時から", 23, (0, "1:00")),
    ],
)
def test_hours_and_seats_of_a_call(text: str, hour: int, found: tuple[int, str]) -> None:
    assert wanted(text, datetime(2026, 5, 4, hour, 30, tzinfo=JST)) == found
