"""いま, the league's own room, asked on a tap alone, once in ten seconds for everybody; and 募集,
one list a chat, which equals the truth of the taps whatever happens to them on their way."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest

from bot.answers.tonight.signup_list import is_call, read_call
from bot.demo_chat import DEMO_GROUP, DEMO_USERS
from rating.logdates import JST
from tests.answers.world import (
    ADMIN,
    LEAGUE,
    LOG,
    MEMBER,
    OTHER,
    BotWorld,
    links,
    opened,
    taps,
    words_of,
)
from tests.backend import Backend
from tests.fakes.tenhou import FakeTenhou, TenhouClock
from tests.fakes.tenhou_room import GAMES, PLAYERS, START, FakeRoom
from tests.real import cases

ROOM_ID = "C1017682582799490"
ASKED = "request_room"


class WorldClock(TenhouClock):
    """The world's clock, which the room goes by."""

    world: BotWorld

    def __call__(self) -> datetime:
        return self.world.now.astimezone(UTC)


@pytest.fixture
def room(tmp_path: Path, backend: Backend) -> Iterator[tuple[BotWorld, FakeRoom]]:
    clock = WorldClock()
    with FakeTenhou(clock) as tenhou:
        env = {"TENHOU_URL": tenhou.url, "TENHOU_ROOM_ID": ROOM_ID}
        with opened(tmp_path, backend, env) as world:
            clock.world = world
            world.write("league.toml", LEAGUE)
            world.write("logvol1.txt", LOG)
            yield world, tenhou.open_room(ROOM_ID)


def test_tables_who_waits_guests_and_links(room: tuple[BotWorld, FakeRoom]) -> None:
    world, there = room
    there.sit("20:41", "みどり一色", "白發中", "みどり")
    there.sit("20:55", "まん|がん", "NoName", "両面待ち", "NoName", watch="0A0B0C0D")
    there.waiting = ["東風(本人)"]
    answer = world.say("いま")
    words = words_of(answer)
    tables = ("20:41から\nみどり、白發中、みどり（ゲスト）", "まん|がん、ゲスト、両面待ち、ゲスト")
    for told in (*tables, "待機中\n東風", "いまの部屋（C1017）", "21:00:00のようすです。"):
        assert told in words
    addresses = [address for _, address in links(answer)]
    assert {"https://tenhou.net/0/?wg=4332F684", "https://tenhou.net/0/?wg=0A0B0C0D"} < set(
        addresses
    )
    assert "https://tenhou.net/0/?C1017" in addresses
    assert answer[0]["altText"] == "いまの部屋：対局中2卓、待機中1人"
    assert ROOM_ID[-8:] not in repr(answer)


def test_everybody_together_asks_once_in_ten_seconds_and_nobody_without_a_tap(
    room: tuple[BotWorld, FakeRoom],
) -> None:
    world, there = room
    there.sit("20:41", "みどり一色", "白發中", "東風(本人)")
    world.service.room_loop.tick()
    world.say("収支")
    assert there.looks == []
    with ThreadPoolExecutor(6) as pool:
        who = [
            (user, chat)
            for user, chat in ((MEMBER, DEMO_GROUP), (OTHER, OTHER), (OTHER, DEMO_GROUP))
        ]
        answers = list(pool.map(lambda each: words_of(world.tap(ASKED, *each)), who * 2))
    assert len(set(answers)) == 1
    assert [path for path, _ in there.looks] == [PLAYERS, GAMES]
    world.later(seconds=9)
    there.waiting = ["まん|がん"]
    assert words_of(world.tap(ASKED)) == answers[0]
    world.later(seconds=1)
    assert "待機中\nまん|がん" in words_of(world.tap(ASKED))
    assert len(there.looks) == 4


def test_nobody_there_and_what_can_not_be_read_is_said(room: tuple[BotWorld, FakeRoom]) -> None:
    world, there = room
    empty = world.say("部屋")
    assert "いまは、だれもいません。" in words_of(empty)
    assert "最後の対局\n4月1日(水) 20:30から" in words_of(empty)
    assert [path for path, _ in there.looks] == [PLAYERS]
    there.sit("20:41", "みどり一色", "白發中", "東風(本人)")
    there.tables[0] = there.tables[0][:-3]
    world.later(seconds=10)
    torn = words_of(world.say("卓"))
    assert "読み取れないところが1つありました" in torn
    assert "みどり" not in torn
    there.tables.clear()
    world.later(seconds=10)
    assert "ほかに3人が対局中です。" in words_of(world.say("卓"))


@pytest.mark.parametrize("status", [302, 404, 500])
def test_a_room_that_does_not_answer_is_not_asked_again_at_once(
    room: tuple[BotWorld, FakeRoom], status: int
) -> None:
    world, there = room
    there.refuses = [status]
    assert "10秒ほどおいて" in words_of(world.tap(ASKED))
    assert "10秒ほどおいて" in words_of(world.tap(ASKED))
    assert len(there.looks) == 1
    world.later(seconds=10)
    assert "だれもいません" in words_of(world.tap(ASKED))


def test_without_a_room_of_ones_own_it_says_what_to_do(world: BotWorld) -> None:
    assert "大会ロビーの登録をお願いしてください" in words_of(world.say("いま"))


IDS = [user.id for user in DEMO_USERS]


def list_of(answer: object) -> dict[str, str]:
    """What stands on the list in an answer."""
    lines = words_of(answer).split("\n")
    listed = {}
    for head, names in pairwise(lines):
        if head.startswith(("参加 ", "遅れる ")):
            listed[head.split(" ")[0]] = names
    return listed


def test_a_list_opens_fills_by_taps_and_names_those_who_come(
    room: tuple[BotWorld, FakeRoom],
) -> None:
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


def test_who_leaves_the_group_leaves_the_list_and_is_not_called(
    room: tuple[BotWorld, FakeRoom],
) -> None:
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


def test_one_of_them_starts_the_table_once_and_who_is_missing_is_named(
    room: tuple[BotWorld, FakeRoom],
) -> None:
    world, there = room
    world.answering.rooms.may_start = True
    players = {MEMBER: "みどり一色", OTHER: "白發中", ADMIN: "東風(本人)"}
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


CALLED = [
    ("9時から", 20, (0, "21:00")),
    ("9時から", 8, (0, "9:00")),
    ("21時半から四麻", 19, (4, "21:30")),
    ("25時から三人", 22, (3, "1:00")),
    ("募集", 20, (0, "")),
    ("１時から", 23, (0, "1:00")),
]


@pytest.mark.parametrize(("text", "hour", "found"), CALLED)
def test_hours_and_seats_of_a_call(text: str, hour: int, found: tuple[int, str]) -> None:
    assert read_call(text, datetime(2026, 5, 4, hour, 30, tzinfo=JST)) == found
