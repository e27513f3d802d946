from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from pathlib import Path

import pytest

from bot.answers.paifu import report
from bot.tenhou import paifu_fetcher
from bot.tenhou.client import (
    TenhouBusy,
    TenhouClient,
    TenhouError,
    TenhouNotFound,
    TenhouUnreachable,
)
from bot.tenhou.paifu_fetcher import FAILURES, IN_LINE, PAUSE, PaifuFetcher
from storage.state import State
from tests.answers.paifu.world import LEAGUE, LOG, RecordWorld, serve
from tests.answers.world import words_of
from tests.backend import Backend
from tests.clock import Clock
from tests.e2e.fleet import until
from tests.fakes.tenhou import FakeTenhou

IDS = [f"2020051820gm-0009-1234-0a1b2c{number:02x}" for number in range(9)]


@pytest.fixture
def world(tmp_path: Path, backend: Backend, tenhou: FakeTenhou) -> Iterator[RecordWorld]:
    with closing(RecordWorld(tmp_path, backend, {"TENHOU_URL": tenhou.url})) as world:
        world.write("league.toml", LEAGUE)
        world.write("logvol1.txt", LOG)
        yield world


def test_failures_pause_requests_for_a_minute(
    world: RecordWorld, tenhou: FakeTenhou, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paifu_fetcher, "PATIENCE", 0.2)
    breaker = world.answering.paifus.breaker
    clock = Clock()
    breaker._clock = clock
    address = serve(tenhou, IDS[0])
    with tenhou.lock:  # Tenhou takes connections and does not answer
        for record in IDS[1:6]:
            assert words_of(world.say(f"https://tenhou.net/0/?log={record}")) == report.DOWN
        assert breaker.is_open
    until(lambda: len(tenhou.judge.requests) == 2)  # the other requests were never sent
    assert words_of(world.say(address)) == report.DOWN
    clock.now += PAUSE + 1
    world.report(world.say(address))
    assert len(tenhou.judge.requests) == 3
    assert not breaker.is_open
    # Tenhou had not seen yet that the client closed the first two connections
    tenhou.judge.rudeness.clear()


def test_missing_and_damaged_records_do_not_pause_requests(
    world: RecordWorld, tenhou: FakeTenhou
) -> None:
    for record in IDS[1:5]:
        assert words_of(world.say(f"https://tenhou.net/0/?log={record}")) == report.NOT_THERE
    address = serve(tenhou, IDS[0])
    for _ in range(3):
        tenhou.fail("/0/log/", body=b"\x1f\x8bxx")
        assert words_of(world.say(address)) == report.DOWN
    world.report(world.say(address))


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (404, TenhouNotFound),
        (500, TenhouUnreachable),
        (503, TenhouUnreachable),
        (429, TenhouUnreachable),
        (400, TenhouError),
    ],
)
def test_error_depends_on_the_status(
    tenhou: FakeTenhou, status: int, kind: type[TenhouError]
) -> None:
    tenhou.fail("/0/log/", status=status)
    with TenhouClient(tenhou.url) as client, pytest.raises(TenhouError) as raised:
        client.paifu(IDS[0])
    assert type(raised.value) is kind


class EmptyStore:
    def get(self, record_id: str) -> bytes | None:
        return None

    def put(self, record_id: str, data: bytes) -> None:
        pass


class SlowTenhou:
    """A connection that answers once `may_answer` is set."""

    def __init__(self) -> None:
        self.may_answer = threading.Event()
        self.has_request = threading.Event()

    def __enter__(self) -> SlowTenhou:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def paifu(self, paifu_id: str) -> bytes:
        self.has_request.set()
        assert self.may_answer.wait(30)
        return b"<mjloggm/>"


def renew_nothing() -> None:
    """Renews a lease that is never lost."""


def fetcher_of(
    state: State, tenhou: SlowTenhou, renew: Callable[[], None] = renew_nothing
) -> PaifuFetcher:
    return PaifuFetcher("", state, lambda: nullcontext(renew), lambda: tenhou)


def test_few_threads_wait_for_tenhou(state: State) -> None:
    tenhou = SlowTenhou()
    fetcher = fetcher_of(state, tenhou)
    threads = [
        threading.Thread(target=fetcher.get, args=(paifu, EmptyStore())) for paifu in IDS[:IN_LINE]
    ]
    for thread in threads:
        thread.start()
    until(lambda: fetcher._queue._value == 0)  # type: ignore[attr-defined]
    with pytest.raises(TenhouError, match="too many"):
        fetcher.get(IDS[-1], EmptyStore())
    tenhou.may_answer.set()
    for thread in threads:
        thread.join(30)
    assert fetcher.get(IDS[-1], EmptyStore())


def test_no_request_after_the_connection_was_taken_over(state: State) -> None:
    def renew() -> None:
        raise TenhouBusy("another process took over")

    tenhou = SlowTenhou()
    fetcher = fetcher_of(state, tenhou, renew)
    with pytest.raises(TenhouBusy, match="took over"):
        fetcher.get(IDS[0], EmptyStore())
    assert not tenhou.has_request.is_set()


def test_waiting_caller_gets_an_error_when_requests_are_paused(state: State) -> None:
    tenhou = SlowTenhou()
    fetcher = fetcher_of(state, tenhou)
    errors: list[str] = []

    def fetch(paifu_id: str) -> None:
        try:
            fetcher.get(paifu_id, EmptyStore())
        except TenhouError as error:
            errors.append(str(error))

    first = threading.Thread(target=fetch, args=(IDS[0],))
    first.start()
    assert tenhou.has_request.wait(30)
    second = threading.Thread(target=fetch, args=(IDS[1],))
    second.start()
    until(lambda: fetcher._queue._value == IN_LINE - 2)  # type: ignore[attr-defined]
    fetcher.breaker.worked = lambda: None  # type: ignore[method-assign]
    for _ in range(FAILURES):
        fetcher.breaker.failed()
    tenhou.may_answer.set()
    first.join(30)
    second.join(30)
    assert len(errors) == 1
    assert "left alone" in errors[0]
