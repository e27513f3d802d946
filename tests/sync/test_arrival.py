"""From an empty database to the first real result: by the messages in LINE alone."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.demo_chat import DEMO_GROUP
from bot.sync.day_loop import BEGIN, LOOK
from rating.logdates import JST
from tests.answers.world import ADMIN, MEMBER, NAMES, BotWorld, taps, words_of
from tests.backend import Backend
from tests.fakes.tenhou import FakeTenhou
from tests.sync.nights import PAUSES, Inline

ROOM = "C1934"
SEATS = f"{NAMES[0]}(+32.0) {NAMES[1]}(-4.0) {NAMES[2]}(-28.0)"


@pytest.fixture
def world(
    tmp_path: Path, backend: Backend, tenhou: FakeTenhou, monkeypatch: pytest.MonkeyPatch
) -> Iterator[BotWorld]:
    for pause in PAUSES:
        monkeypatch.setattr(pause, 0.0)
    lines = [f"{ROOM} | 20:0{number} | 三般南喰赤－ | {SEATS}" for number in range(3)]
    tenhou.put(tenhou.today - timedelta(days=1), lines)
    (tmp_path / "logs").mkdir(exist_ok=True)
    made = BotWorld(tmp_path, backend, {"TENHOU_URL": tenhou.url, "LEAGUE_CHATS": ""})
    made.now = tenhou.clock().astimezone(JST)
    made.service.day_loop.pool = Inline()
    made.service.day_loop.tick()
    yield made
    made.close()


@pytest.mark.parametrize("request_text", [f"部屋 {ROOM}", f"部屋 {' '.join(NAMES[:3])}"])
def test_from_nothing_to_the_first_real_result(
    world: BotWorld, tenhou: FakeTenhou, request_text: str
) -> None:
    enrolled = words_of(world.say("登録", ADMIN))
    assert "「部屋 C1234」のように" in enrolled
    assert "管理者専用" in words_of(world.answers(world.platform.say(MEMBER, MEMBER, request_text)))
    proposed = world.say(request_text, ADMIN)
    assert ROOM in words_of(proposed)
    assert "1時間以内に入ります" in words_of(world.tap(taps(proposed)["確定"], ADMIN))
    world.now += BEGIN
    tenhou.clock.forward(seconds=BEGIN.total_seconds())
    world.service.day_loop.tick()
    world.now += LOOK
    world.service.day_loop.tick()
    world.look()
    answer = words_of(world.say("直近"))
    assert NAMES[0] in answer
    assert "+32" in answer
    assert ROOM in words_of(world.tap("request_rooms", ADMIN))
    assert "「部屋 C1234」" not in words_of(world.say("登録", ADMIN))
    assert DEMO_GROUP in world.service.access.groups()


def test_a_room_nobody_played_in_and_a_word_that_is_none(world: BotWorld) -> None:
    world.say("登録", ADMIN)
    assert "部屋はまだ決まっていません" in words_of(world.tap("request_rooms", ADMIN))
    assert "最近一緒に打った部屋は見つかりません" in words_of(
        world.say("部屋 だれか べつの ひとり", ADMIN)
    )
