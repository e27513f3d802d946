import itertools
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext, suppress
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
import requests

from bot.tenhou.client import TenhouError
from bot.tenhou.throttle import GAP, LEASE, Throttle, TooSoon
from storage.state import State, open_state
from tests.backend import Backend
from tests.fakes.tenhou import FakeTenhou, TenhouClock
from tests.sync.evenings import set_clock

LINE = "C1234 | 20:00 | 三般南喰赤－ | 東(+10.0) 南(0.0) 西(-10.0)"
DAY = date(2020, 5, 18)


@pytest.fixture
def clock(state: State) -> TenhouClock:
    clock = TenhouClock()
    set_clock(state, clock)
    return clock


def test_rounds_begin_twenty_minutes_after_the_last_request(
    state: State, clock: TenhouClock
) -> None:
    with Throttle(state, clock).round() as ask:
        ask()
        clock.forward(minutes=2)
        ask()
    clock.forward(minutes=19)
    with pytest.raises(TooSoon) as early, Throttle(state, clock).round():
        pass
    assert early.value.until == clock() + timedelta(minutes=1)
    clock.forward(minutes=1)
    with Throttle(state, clock).round() as ask:
        ask()


def test_clock_set_back_does_not_stop_the_rounds(state: State, clock: TenhouClock) -> None:
    """The process before was killed, so its lease is still stored."""
    killed = Throttle(state, clock).round()
    killed.__enter__()()
    clock.forward(days=-1)
    with Throttle(state, clock).round() as ask:
        ask()


def test_killed_process_loses_the_connection_after_the_lease(
    state: State, clock: TenhouClock
) -> None:
    killed = Throttle(state, clock).round()
    ask = killed.__enter__()
    clock.forward(seconds=LEASE.total_seconds() - 1)
    with pytest.raises(TenhouError, match="another process"), Throttle(state, clock).round():
        pass
    clock.forward(seconds=1)
    with Throttle(state, clock).round(), pytest.raises(TenhouError, match="took over"):
        ask()
    assert GAP > LEASE


@pytest.mark.parametrize("step", range(3))
def test_one_of_two_processes_takes_the_connection(
    state: State, clock: TenhouClock, backend: Backend, tmp_path: Path, step: int
) -> None:
    """The second begins before call number `step` (from 0) of the first to the database."""
    calls = itertools.count()

    def around(statement: Any, write: bool) -> AbstractContextManager[None]:
        if next(calls) == step:
            takes(state)
        return nullcontext()

    def takes(store: State) -> int:
        with suppress(TenhouError):
            ends.enter_context(Throttle(store, clock).round())
            holders.append(store)
        return len(holders)

    first = open_state(
        backend.database(tmp_path),
        around=around,
        clock=lambda: clock().timestamp(),
    )
    with closing(first), ExitStack() as ends:
        for _ in ("it is free", "its holder was killed"):
            holders: list[State] = []
            calls = itertools.count()
            assert takes(first) == 1
            assert next(calls) > step
            clock.forward(seconds=LEASE.total_seconds())


def test_paused_process_keeps_the_connection_of_its_successor(
    state: State, clock: TenhouClock
) -> None:
    frozen = Throttle(state, clock).round()
    frozen.__enter__()
    clock.forward(seconds=LEASE.total_seconds())
    with Throttle(state, clock).round():
        frozen.__exit__(None, None, None)
        with pytest.raises(TenhouError, match="another process"), Throttle(state, clock).round():
            pass


def reported_rudeness(tenhou: FakeTenhou) -> str:
    """Return what the judge has noted since the last call."""
    rudeness = " ".join(tenhou.judge.rudeness)
    tenhou.judge.rudeness.clear()
    return rudeness


def test_judge_of_the_fake_reports_bad_manners(tenhou: FakeTenhou) -> None:
    polite = {"User-Agent": "Janroku (a private league)"}
    tenhou.put(tenhou.today, [LINE])
    file = f"{tenhou.url}/sc/raw/dat/sca{tenhou.today:%Y%m%d}.log.gz"
    index = f"{tenhou.url}/sc/raw/list.cgi"
    requests.get(index, timeout=5)
    assert "does not say who asks" in reported_rudeness(tenhou)
    requests.get(index, timeout=5, headers=polite)
    assert "two rounds within 0:00:00" in reported_rudeness(tenhou)
    requests.get(file, timeout=5, headers=polite)
    assert not reported_rudeness(tenhou)
    requests.get(file, timeout=5, headers=polite)
    assert "has not grown" in reported_rudeness(tenhou)
    requests.get(file.removesuffix(".gz"), timeout=5, headers=polite)
    assert "is no .gz" in reported_rudeness(tenhou)
    with requests.Session() as first, requests.Session() as second:
        first.get(index + "?old", timeout=5, headers=polite)
        second.get(index + "?old", timeout=5, headers=polite)
        assert "a second connection" in reported_rudeness(tenhou)
