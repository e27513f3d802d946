"""`flask sync` with workers: real Redis, real Postgres and the Procfile's worker, also when some of them fail."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.chat.command import Command
from bot.dispatch.pending import QUEUE, PendingEvent
from bot.dispatch.queue import TAP, RedisQueue
from bot.line.webhook import Event
from bot.runtime.work_queue import DEAD, Sender, TryAgain, _Broker, work
from bot.sync.job_queue import LEAGUE, SYNC, JobQueue, JobWorker, claim, key_of
from bot.sync.league_job import Job, Outcome
from bot.worker import calls_of
from storage.ports import StorageError
from storage.state import SqlState
from tests.backend import Backend
from tests.e2e.fleet import until
from tests.fakes.process import Running, service, web_command
from tests.fakes.redis import RedisServer, redis_server
from tests.fakes.servers import free_port
from tests.fakes.tenhou import FakeTenhou
from tests.sync.hosts import Host, host
from tests.sync.nights import NIGHT, PAUSES, nights

pytestmark = [
    pytest.mark.cloud_only("leagues' parts of a sync on Workers"),
    pytest.mark.xdist_group("sync-queue"),
]
LEAGUES = [f"l{number}" for number in range(6)]


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    """A Redis for one test, which may kill it."""
    with redis_server() as server:
        yield server


@pytest.fixture
def league_host(tmp_path: Path, backend: Backend, redis: RedisServer) -> Iterator[Host]:
    with host(tmp_path, LEAGUES, backend.database(tmp_path), REDIS_URL=redis.url) as made:
        yield made


@contextmanager
def worker_of(made: Host, processes: int = 2) -> Iterator[Running]:
    """A running worker, once all its processes show that they live."""
    env = {**made.env, "WORKER_CONCURRENCY": str(processes)}
    with service(free_port(), env, web_command("worker")) as running:
        until(lambda: len(made.state.items("alive:")) >= processes, 30)
        yield running


def test_workers_serve_the_leagues_and_one_leagues_trouble_is_told_by_its_name(league_host: Host) -> None:
    league_host.write("l2", "league.toml", "rooms = 3\n")
    (league_host.home / "l3" / ".janroku.lock").mkdir()  # so the folder can't be written
    with worker_of(league_host) as worker:
        status, told = league_host.sync()
        until(lambda: any("games added" in line for line in worker.log))
        assert "Traceback" not in "".join(worker.log)
    well = [league for league in LEAGUES if league not in ("l2", "l3")]
    assert status == 1
    assert [problem.partition(":")[0] for problem in told["problems"]] == ["l2", "l3"]
    assert "rooms must be a list" in told["problems"][0]
    assert told["added"] == {f"{league}/logvol1.txt": 6 for league in well}
    assert (told["games"], told["days"]) == (24, ["2020-05-16", "2020-05-17"])
    assert (told["seen"], told["downloaded"]) == (2, 2)
    assert all(map(league_host.complete, well))
    assert [league for league in LEAGUES if league_host.drawn(league)] == well
    assert [league_host.digests(league) for league in LEAGUES] == [1, 1, 0, 0, 1, 1]


def test_a_worker_that_is_killed_in_the_middle(league_host: Host) -> None:
    pipe = league_host.home / "l0" / "logvol1.txt"
    os.mkfifo(pipe)  # whoever reads it waits
    with worker_of(league_host) as worker:
        running = league_host.begin_sync()
        until(lambda: any("/deliver/l0" in key for key in league_host.state.items("sync/")))
        os.killpg(worker.process.pid, signal.SIGKILL)
        pipe.unlink()
        status, told = league_host.sync(running)
    assert (status, told["problems"]) == (0, [])
    assert all(map(league_host.complete, LEAGUES))
    assert told["added"]["l0/logvol1.txt"] == 6
    assert all(map(league_host.drawn, LEAGUES))
    assert [league_host.digests(league) for league in LEAGUES] == [1] * 6
    assert max(league_host.tenhou.judge.downloads.values()) == 1


def test_without_a_worker_and_without_redis(league_host: Host, redis: RedisServer) -> None:
    status, told = league_host.sync()
    assert (status, told["games"]) == (0, 36)
    assert all(map(league_host.complete, LEAGUES))
    redis.kill()
    league_host.play(date(2020, 5, 18), ["l4", "l5"])
    status, told = league_host.sync()
    assert (status, told["added"]) == (0, {"l4/logvol1.txt": 3, "l5/logvol1.txt": 3})


def test_a_rooms_games_and_records_go_to_the_workers(
    tmp_path: Path, backend: Backend, redis: RedisServer, tenhou: FakeTenhou, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process that asks the room leaves the merging and the records to a worker, which has them as messages."""
    for pause in PAUSES:
        monkeypatch.setattr(pause, 0.0)
    with nights(tmp_path, tenhou, backend, REDIS_URL=redis.url) as night:
        played = night.room.play(
            NIGHT + timedelta(minutes=1), NIGHT + timedelta(minutes=30), ("a", "b", "c"), (1, 0, -1)
        )
        answering, web = night.service(), night.service()
        night.services.remove(answering)
        answering.room_loop.close()
        answering.background.start()
        jobs: list[str] = []
        calls = calls_of(answering)
        sync_league = calls[LEAGUE]
        calls[LEAGUE] = lambda run, words: (jobs.append(words[0]), sync_league(run, words))[1]
        web.room_loop._here._threads._work = lambda job: (
            jobs.append(f"here {job.stage}"),
            web.league_work(job),
        )[1]
        engine = work(redis.url, calls, 2)
        night.until(played.end + timedelta(minutes=12), timedelta(minutes=1))
        engine.stop(timeout=20_000)
        night.services.append(answering)
        assert played.line.encode() in night.log
        assert night.room.fetched == [played.id]
        assert set(jobs) == {"here prepare", "deliver", "records"}
        assert jobs.count("deliver") == 1


def test_a_tap_goes_before_leagues_that_came_first(redis: RedisServer, state: SqlState) -> None:
    """With one thread, which is busy until all wait; a league's part is in hand by then, and the tap overtakes the others."""
    begun, go_on, done = threading.Event(), threading.Event(), list[str]()

    def slow(run: str, words: list[Any]) -> None:
        begun.set()
        go_on.wait(20)
        done.append(words[1])

    leagues, taps = JobQueue(redis.url, state, set), RedisQueue(redis.url)
    assert leagues.offer([Job("prepare", f"l{number}") for number in range(3)])
    engine = work(redis.url, {TAP: lambda key, value: done.append(key), LEAGUE: slow}, 1)
    assert begun.wait(20)
    event = Event("a", "postback", "C1", "U1", "token", 1.0)
    assert taps.send(PendingEvent(event, Command("help"), {}, "", 1.0, QUEUE, key="event:1:a"))
    until(lambda: engine.work_queue.qsize())
    go_on.set()
    until(lambda: len(done) == 4)
    engine.stop(timeout=20_000)
    assert done[:2] == ["l0", "event:1:a"]
    taps.close()
    leagues.close()


def test_leagues_leave_threads_to_taps(redis: RedisServer, state: SqlState) -> None:
    go_on, tapped = threading.Event(), threading.Event()
    busy: list[str] = []

    def hangs(run: str, words: list[Any]) -> None:
        busy.append(words[1])
        go_on.wait(20)

    leagues, taps = JobQueue(redis.url, state, set), RedisQueue(redis.url)
    engine = work(redis.url, {TAP: lambda key, value: tapped.set(), LEAGUE: hangs}, 4)
    assert leagues.offer([Job("prepare", f"l{number}") for number in range(10)])
    until(lambda: len(busy) == 2)
    event = Event("a", "postback", "C1", "U1", "token", 1.0)
    assert taps.send(PendingEvent(event, Command("help"), {}, "", 1.0, QUEUE, key="event:1:a"))
    assert tapped.wait(20)
    assert len(busy) == 2
    go_on.set()
    engine.stop(timeout=20_000)
    taps.close()
    leagues.close()


def test_too_many_taps_are_left_to_threads(redis: RedisServer) -> None:
    few = Sender(redis.url, replace(TAP, waiting=3))
    sent = 0
    while few.send("event:1:a", "") and sent < 1000:
        few._counted = float("-inf")
        sent += 1
    assert sent == 3
    few.close()


def test_what_waits_too_long_is_dropped(redis: RedisServer) -> None:
    done: list[str] = []
    old, fresh = (Sender(redis.url, replace(TAP, life=life)) for life in (0.001, 60))
    assert old.send("old")
    assert fresh.send("fresh")
    engine = work(redis.url, {TAP: done.append}, 1)
    until(lambda: done)
    engine.stop(timeout=20_000)
    assert done == ["fresh"]
    old.close()
    fresh.close()


def test_what_a_dead_process_had_is_handed_out_again(redis: RedisServer) -> None:
    """The first process takes the message and is heard of no more."""
    done: list[str] = []
    sender = Sender(redis.url, TAP)
    assert sender.send("event:1:a")
    gone = _Broker(redis.url)
    assert len(gone.do_fetch(TAP.name, 1)) == 1
    began = time.monotonic()
    engine = work(redis.url, {TAP: done.append}, 1)
    until(lambda: done, 30)
    assert time.monotonic() - began > DEAD - 1
    engine.stop(timeout=20_000)
    sender.close()
    gone.client.close()


def test_a_job_is_done_once_a_run(state: SqlState) -> None:
    done: list[Job] = []
    alive = {"one", "two"}

    def does(job: Job) -> Outcome:
        done.append(job)
        return Outcome(added={"logvol1.txt": 3}, days=["2020-05-16"])

    one, two = (JobWorker(state, lambda name=name: name, lambda: alive, does) for name in ("one", "two"))  # type: ignore[misc]
    job = Job("deliver", "l0")
    assert one.do("run", job.to_words()) == Outcome(added={"logvol1.txt": 3}, days=["2020-05-16"])
    assert two.do("run", job.to_words()) is None
    assert done == [job]
    assert Outcome.from_text(state.get(key_of("run", job)) or "").days == ["2020-05-16"]
    assert two.do("another run", job.to_words()) is not None


def test_a_claim_holds_while_its_process_lives(state: SqlState) -> None:
    alive = {"one", "two"}
    assert claim(state, "sync/x", "one", lambda: alive)
    assert claim(state, "sync/x", "one", lambda: alive)  # the engine hands its message out again
    assert not claim(state, "sync/x", "two", lambda: alive)
    alive.remove("one")
    assert claim(state, "sync/x", "two", lambda: alive)
    assert not claim(state, "sync/x", "one", lambda: alive)
    assert claim(state, "sync/y", SYNC, lambda: alive)
    assert not claim(state, "sync/y", "two", lambda: alive)


def test_a_job_whose_outcome_cannot_be_kept_is_tried_again(state: SqlState) -> None:
    class Away(SqlState):
        def put(self, key: str, value: str, ttl: float | None = None) -> None:
            raise StorageError("away")

    away = Away.__new__(Away)
    away.__dict__ = state.__dict__
    job = Job("deliver", "l0")
    with pytest.raises(TryAgain):
        JobWorker(away, lambda: "one", set, lambda job: Outcome()).do("run", job.to_words())
    assert JobWorker(state, lambda: "one", set, lambda job: Outcome()).do("run", job.to_words()) == Outcome()
