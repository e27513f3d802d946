"""The 20 minutes between rounds and the one connection, also after a killed process; and the judge that checks them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from datetime import date, timedelta
from typing import Any

import pytest
import requests

from bot.sync.pending_results import PendingResults
from bot.tenhou.client import TenhouError
from bot.tenhou.throttle import GAP, LEASE, Throttle, TooSoon
from storage.state import SqlState
from tests.fakes.tenhou import Clock, FakeTenhou

LINE = "C1234 | 20:00 | 三般南喰赤－ | 東(+10.0) 南(0.0) 西(-10.0)"
DAY = date(2020, 5, 18)


def test_twenty_minutes_pass_from_the_last_request_of_a_round(state: SqlState) -> None:
    clock = Clock()
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


def test_a_clock_set_back_does_not_stop_the_rounds(state: SqlState) -> None:
    clock = Clock()
    with Throttle(state, clock).round() as ask:
        ask()
    clock.forward(days=-1)
    with Throttle(state, clock).round() as ask:
        ask()


def test_who_was_killed_loses_the_connection_after_the_lease(state: SqlState) -> None:
    clock = Clock()
    killed = Throttle(state, clock).round()
    ask = killed.__enter__()
    clock.forward(seconds=LEASE.total_seconds() - 1)
    with pytest.raises(TenhouError, match="another process"), Throttle(state, clock).round():
        pass
    clock.forward(seconds=1)
    with Throttle(state, clock).round(), pytest.raises(TenhouError, match="took over"):
        ask()
    assert GAP > LEASE


class Between:
    """A state store; before its call number `step`, from 0, something happens meanwhile."""

    def __init__(self, state: SqlState, step: int, meanwhile: Callable[[], object]) -> None:
        self._state, self._step, self._meanwhile = state, step, meanwhile

    def __getattr__(self, name: str) -> Any:
        self._step -= 1
        if self._step == -1:
            self._meanwhile()
        return getattr(self._state, name)


@pytest.mark.parametrize("step", range(4))
def test_of_two_processes_one_takes_the_connection_whenever_the_other_comes(
    state: SqlState, step: int
) -> None:
    clock = Clock()

    def takes(store: Any) -> int:
        with suppress(TenhouError):
            ends.enter_context(Throttle(store, clock).round())
            holders.append(store)
        return len(holders)

    with ExitStack() as ends:
        for _ in ("it is free", "its holder was killed"):
            holders: list[Any] = []
            assert takes(Between(state, step, lambda: takes(state))) == 1
            clock.forward(seconds=LEASE.total_seconds())


def test_who_stood_still_past_its_lease_does_not_end_another_s(state: SqlState) -> None:
    clock = Clock()
    frozen = Throttle(state, clock).round()
    frozen.__enter__()
    clock.forward(seconds=LEASE.total_seconds())
    with Throttle(state, clock).round():
        frozen.__exit__(None, None, None)
        with pytest.raises(TenhouError, match="another process"), Throttle(state, clock).round():
            pass


@pytest.mark.parametrize("step", ["add", "replace"])
def test_who_stands_still_while_the_lease_is_written_does_not_ask(state: SqlState, step: str) -> None:
    """Another process may have the connection by then. A lease is taken by `add`, and renewed by `replace`."""
    clock = Clock()

    class Still:
        def __getattr__(self, name: str) -> Any:
            def call(*words: Any) -> Any:
                found = getattr(state, name)(*words)
                if name == step:
                    clock.forward(seconds=LEASE.total_seconds())
                return found

            return call

    slow = Throttle(Still(), clock).round()  # type: ignore[arg-type]
    with pytest.raises(TenhouError, match="another process"), slow as ask:
        ask()


def test_pending_results_keep_what_came_while_the_former_was_merged(state: SqlState) -> None:
    pending = PendingResults(state)
    pending.put(DAY, 10, ["C1234"], [b"one"])
    old, mark = pending.get(DAY), pending.waiting()[DAY]
    assert old is not None
    pending.put(DAY, 20, ["C1234"], [b"one", b"two"])
    pending.done(old, mark)
    assert list(pending.waiting()) == [DAY]
    new = pending.get(DAY)
    assert new is not None
    pending.done(new, pending.waiting()[DAY])
    assert (pending.waiting(), pending.has(DAY, 20, ["C1234"]), pending.has(DAY, 21, ["C1234"])) == (
        {},
        True,
        False,
    )
    pending.put(DAY, 30, ["C1234"], [b"one", b"two", b"two"])
    grown = pending.get(DAY)
    assert grown is not None
    assert grown.fresh == [b"two"]


def judged(tenhou: FakeTenhou) -> str:
    """What the judge has noted since the last call."""
    said = " ".join(tenhou.judge.rudeness)
    tenhou.judge.rudeness.clear()
    return said


def test_the_judge_sees_bad_manners(tenhou: FakeTenhou) -> None:
    polite = {"User-Agent": "Janroku (a private league)"}
    tenhou.put(tenhou.today, [LINE])
    file = f"{tenhou.url}/sc/raw/dat/sca{tenhou.today:%Y%m%d}.log.gz"
    index = f"{tenhou.url}/sc/raw/list.cgi"
    requests.get(index, timeout=5)
    assert "does not say who asks" in judged(tenhou)
    requests.get(index, timeout=5, headers=polite)
    assert "two rounds within 0:00:00" in judged(tenhou)
    requests.get(file, timeout=5, headers=polite)
    assert not judged(tenhou)
    requests.get(file, timeout=5, headers=polite)
    assert "has not grown" in judged(tenhou)
    requests.get(file.removesuffix(".gz"), timeout=5, headers=polite)
    assert "is no .gz" in judged(tenhou)
    with requests.Session() as one, requests.Session() as two:
        one.get(index + "?old", timeout=5, headers=polite)
        two.get(index + "?old", timeout=5, headers=polite)
        assert "a second connection" in judged(tenhou)
