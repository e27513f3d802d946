"""Requests to Tenhou are polite: one process at a time, one request that begins no round."""

from types import SimpleNamespace
from typing import Any

from bot.checks.tenhou import check_sync, check_tenhou
from bot.sync.run import SYNCED
from bot.tenhou.throttle import Throttle
from storage.state import State
from tests.fakes.tenhou import FakeTenhou, TenhouClock


def parts(
    state: State,
    now: TenhouClock,
    url: str = "",
    has_rooms: bool = True,
) -> Any:
    return SimpleNamespace(
        state=state, now=now, has_rooms=has_rooms, settings=SimpleNamespace(tenhou_url=url)
    )


def test_another_process_is_left_to_ask(state: State, tenhou: FakeTenhou) -> None:
    throttle = Throttle(state, tenhou.clock)
    with throttle.turn():
        busy = check_tenhou(parts(state, tenhou.clock, tenhou.url))
    assert (busy.ok, busy.text) == (
        True,
        "not asked: another process is asking Tenhou at this moment",
    )
    assert tenhou.judge.requests == []
    assert check_tenhou(parts(state, tenhou.clock, tenhou.url)).ok
    with throttle.round():
        pass  # the check has begun no round


def test_a_demo_league_asks_nobody(state: State, tenhou: FakeTenhou) -> None:
    demo = parts(state, tenhou.clock, tenhou.url, has_rooms=False)
    assert check_tenhou(demo).ok
    assert check_sync(demo).ok
    assert tenhou.judge.requests == []


def test_a_sync_is_old_after_two_days(state: State) -> None:
    clock = TenhouClock()
    assert not check_sync(parts(state, clock)).ok
    state.values.put(SYNCED, clock().isoformat())
    clock.forward(hours=48)
    assert check_sync(parts(state, clock)).ok
    clock.forward(minutes=1)
    late = check_sync(parts(state, clock))
    assert (late.ok, late.stops_release) == (False, False)
    assert "2020-05-19 00:00" in late.text
