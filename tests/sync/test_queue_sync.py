"""`flask sync` with workers: real Redis, real Postgres and the Procfile's worker, also when some of them fail."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import pytest
from kombu import Connection

from bot.chat.command import Command
from bot.dispatch.pending import QUEUE, PendingEvent
from bot.dispatch.queue import RedisQueue
from bot.line.webhook import Event
from bot.runtime.work_queue import NAME, celery_app
from bot.sync import job_queue
from bot.sync.job_queue import JobQueue, JobWorker, key_of
from bot.sync.job_runner import JobRunner
from bot.sync.league_job import Job, Outcome
from storage.state import SqlState
from tests.backend import Backend
from tests.e2e.fleet import until
from tests.fakes.process import Running, service, web_command
from tests.fakes.redis import RedisServer, redis_server
from tests.fakes.servers import free_port
from tests.sync.hosts import Host, host

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
    assert league_host.state.items("sync/") == {}
    redis.kill()
    league_host.play(date(2020, 5, 18), ["l4", "l5"])
    status, told = league_host.sync()
    assert (status, told["added"]) == (0, {"l4/logvol1.txt": 3, "l5/logvol1.txt": 3})


def test_half_of_the_workers_at_most_have_a_league_in_hand(redis: RedisServer, state: SqlState) -> None:
    jobs = deque(Job("prepare", f"l{number}") for number in range(10))
    queue = JobQueue(redis.url, state)
    assert not queue.offer(jobs)
    workers = [JobWorker(redis.url, state, lambda job: Outcome()) for _ in range(5)]
    for one in workers:
        one.here()
    queue._counted = float("-inf")
    assert queue.offer(jobs)
    assert (queue.busy, len(jobs)) == (2, 8)
    for one in workers:
        one.leave()
    queue.close()


def test_what_is_given_up_still_counts_while_a_worker_has_it(
    redis: RedisServer, state: SqlState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_queue, "UNCLAIMED", 0.0)
    monkeypatch.setattr(job_queue, "COUNTED", 0.0)
    queue = JobQueue(redis.url, state, {"prepare": 0.0, "deliver": 0.0})
    worker = JobWorker(redis.url, state, lambda job: Outcome())
    worker.here()
    jobs = deque([Job("prepare", "l0"), Job("prepare", "l1")])
    assert queue.offer(jobs)
    state.put(key_of(queue._run, Job("prepare", "l0")), "taken worker")
    ((_, outcome),), lost = queue.look()
    assert "keeps us waiting" in outcome.problems[0]
    assert queue.offer(jobs)
    assert (queue.busy, len(jobs), lost) == (0, 1, [])
    state.delete(key_of(queue._run, Job("prepare", "l0")))
    assert queue.offer(jobs)
    assert (queue.busy, len(jobs)) == (1, 0)
    queue.close()


def test_a_tap_goes_before_leagues_that_came_first(redis: RedisServer, state: SqlState) -> None:
    queue = JobQueue(redis.url, state)
    JobWorker(redis.url, state, lambda job: Outcome()).here()
    assert queue.offer(deque([Job("prepare", "l0")]))
    taps = RedisQueue(redis.url)
    event = Event("a", "postback", "C1", "U1", "token", 1.0)
    assert taps.send("C1", PendingEvent(event, Command("help"), {}, "", 1.0, QUEUE, key="event:1:a"))
    with Connection(redis.url, transport_options=celery_app(redis.url).conf.broker_transport_options) as line:
        waiting = line.SimpleQueue(NAME)
        taken = [waiting.get(timeout=5) for _ in range(2)]
        for message in taken:
            message.ack()
        waiting.close()
    assert [message.headers["task"] for message in taken] == ["janroku.answer", "janroku.sync"]
    taps.close()
    queue.close()


def test_a_job_is_done_once_a_run(redis: RedisServer, state: SqlState) -> None:
    done: list[Job] = []

    def work(job: Job) -> Outcome:
        done.append(job)
        return Outcome(added={"logvol1.txt": 3}, days=["2020-05-16"])

    one, two = (JobWorker(redis.url, state, work) for _ in range(2))
    job = Job("deliver", "l0")
    assert one.do("run", job) == Outcome(added={"logvol1.txt": 3}, days=["2020-05-16"])
    assert two.do("run", job) is None
    assert len(done) == 1
    assert Outcome.from_text(state.get(key_of("run", job)) or "").days == ["2020-05-16"]
    assert two.do("another run", job) is not None


class Nobody:
    """A JobWorkers whose workers take jobs and never finish one."""

    def __init__(self) -> None:
        self.out: list[Job] = []
        self.forgotten: list[Job] = []

    def offer(self, left: deque[Job]) -> bool:
        if left and not self.out:
            self.out.append(left.popleft())
        return True

    def look(self) -> tuple[list[tuple[Job, Outcome]], list[Job]]:
        lost, self.out = self.out, []
        self.forgotten += lost
        return [], lost

    def take_back(self, job: Job) -> bool:
        return True

    @property
    def busy(self) -> int:
        return len(self.out)

    def close(self) -> None:
        """Nothing to do."""


def test_what_helpers_leave_is_done_here() -> None:
    done: list[Job] = []
    helpers = Nobody()
    jobs = [Job("prepare", f"l{number}") for number in range(20)]
    runner = JobRunner(lambda job: done.append(job) or Outcome(), helpers, head_start=0)  # type: ignore[func-returns-value]
    assert {job for job, _ in runner.do(jobs)} == set(jobs)
    assert sorted(done, key=str) == sorted(jobs, key=str)
    assert helpers.forgotten
