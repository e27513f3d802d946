"""いま: the league's own room, asked on a tap alone, once in ten seconds for everybody."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.demo_chat import DEMO_GROUP
from tests.answers.world import LEAGUE, LOG, MEMBER, OTHER, World, links, opened, words_of
from tests.backend import Backend
from tests.fakes.tenhou import Clock, FakeTenhou
from tests.fakes.tenhou_room import GAMES, PLAYERS, FakeRoom

ROOM_ID = "C1017682582799490"
ASKED = "request_room"


class WorldClock(Clock):
    """The world's clock, which the room goes by."""

    world: World

    def __call__(self) -> datetime:
        return self.world.now.astimezone(UTC)


@pytest.fixture
def room(tmp_path: Path, backend: Backend) -> Iterator[tuple[World, FakeRoom]]:
    clock = WorldClock()
    with FakeTenhou(clock) as tenhou:
        env = {"TENHOU_URL": tenhou.url, "TENHOU_ROOM_ID": ROOM_ID}
        with opened(tmp_path, backend, env) as world:
            clock.world = world
            world.write("league.toml", LEAGUE)
            world.write("logvol1.txt", LOG)
            yield world, tenhou.open_room(ROOM_ID)


def test_tables_who_waits_guests_and_links(room: tuple[World, FakeRoom]) -> None:
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
    assert {"https://tenhou.net/0/?wg=4332F684", "https://tenhou.net/0/?wg=0A0B0C0D"} < set(addresses)
    assert "https://tenhou.net/0/?C1017" in addresses
    assert answer[0]["altText"] == "いまの部屋：対局中2卓、待機中1人"
    assert ROOM_ID[-8:] not in repr(answer)


def test_everybody_together_asks_once_in_ten_seconds_and_nobody_without_a_tap(
    room: tuple[World, FakeRoom],
) -> None:
    world, there = room
    there.sit("20:41", "みどり一色", "白發中", "東風(本人)")
    world.service.room_loop.tick()
    world.say("収支")
    assert there.looks == []
    with ThreadPoolExecutor(6) as pool:
        who = [(user, chat) for user, chat in ((MEMBER, DEMO_GROUP), (OTHER, OTHER), (OTHER, DEMO_GROUP))]
        answers = list(pool.map(lambda each: words_of(world.tap(ASKED, *each)), who * 2))
    assert len(set(answers)) == 1
    assert [path for path, _ in there.looks] == [PLAYERS, GAMES]
    world.later(seconds=9)
    there.waiting = ["まん|がん"]
    assert words_of(world.tap(ASKED)) == answers[0]
    world.later(seconds=1)
    assert "待機中\nまん|がん" in words_of(world.tap(ASKED))
    assert len(there.looks) == 4


def test_nobody_there_and_what_can_not_be_read_is_said(room: tuple[World, FakeRoom]) -> None:
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
    room: tuple[World, FakeRoom], status: int
) -> None:
    world, there = room
    there.refuses = [status]
    assert "10秒ほどおいて" in words_of(world.tap(ASKED))
    assert "10秒ほどおいて" in words_of(world.tap(ASKED))
    assert len(there.looks) == 1
    world.later(seconds=10)
    assert "だれもいません" in words_of(world.tap(ASKED))


def test_without_a_room_of_ones_own_it_says_what_to_do(world: World) -> None:
    assert "大会ロビーの登録をお願いしてください" in words_of(world.say("いま"))
