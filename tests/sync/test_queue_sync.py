import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from sqlalchemy import select

from bot.dispatch.dispatcher import TAP
from bot.runtime.work_queue import Sender, TryAgain, work
from bot.service import Service
from bot.settings import read_settings
from bot.sync.jobs import LEAGUE, Job, Outcome, work_through
from bot.worker import calls_of
from storage.jobs import HERE
from storage.ports import StorageError
from storage.schema import JOBS
from storage.state import State
from tests.backend import Backend, close
from tests.e2e.fleet import until
from tests.fakes.process import Running, service, web_command
from tests.fakes.redis import RedisServer, redis_server
from tests.fakes.servers import free_port
from tests.fakes.tenhou import FakeTenhou
from tests.sync.hosts import Host, host
from tests.sync.nights import NIGHT, nights

pytestmark = [
    pytest.mark.cloud_only("leagues' parts of a sync"),
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
        until(lambda: made.state.events.workers() >= processes, 30)
        yield running


def test_workers_sync_leagues_and_report_a_broken_one_by_name(
    league_host: Host,
) -> None:
    league_host.write("l2", "league.toml", "rooms = 3\n")
    (league_host.home / "l3" / ".janroku.lock").mkdir()  # so the folder can't be written
    with worker_of(league_host) as worker:
        status, result = league_host.sync()
        until(lambda: any("games added" in line for line in worker.log))
        assert "Traceback" not in "".join(worker.log)
    well = [league for league in LEAGUES if league not in ("l2", "l3")]
    assert status == 1
    assert [problem.partition(":")[0] for problem in result["problems"]] == ["l2", "l3"]
    assert "rooms must be a list" in result["problems"][0]
    assert result["added"] == {f"{league}/logvol1.txt": 6 for league in well}
    assert (result["games"], result["days"]) == (24, ["2020-05-16", "2020-05-17"])
    assert (result["seen"], result["downloaded"]) == (2, 2)
    assert all(map(league_host.complete, well))
    assert [league for league in LEAGUES if league_host.drawn(league)] == well
    digests = [league_host.digests(league) for league in LEAGUES]
    assert digests == [1, 1, 0, 0, 1, 1]


def test_a_worker_that_is_killed_in_the_middle(league_host: Host) -> None:
    pipe = league_host.home / "l0" / "logvol1.txt"
    os.mkfifo(pipe)  # whoever reads it waits
    work = Job("deliver", "l0").to_text()
    claimed = select(JOBS.c.number).where(
        JOBS.c.work == work, JOBS.c.owner != "", JOBS.c.owner != HERE
    )
    with worker_of(league_host) as worker:
        running = league_host.begin_sync()
        until(lambda: league_host.state.database.rows(claimed))
        os.killpg(worker.process.pid, signal.SIGKILL)
        pipe.unlink()
        status, result = league_host.sync(running)
    assert (status, result["problems"]) == (0, [])
    assert all(map(league_host.complete, LEAGUES))
    assert result["added"]["l0/logvol1.txt"] == 6
    assert all(map(league_host.drawn, LEAGUES))
    assert [league_host.digests(league) for league in LEAGUES] == [1] * 6
    assert max(league_host.tenhou.judge.downloads.values()) == 1


def test_without_a_worker_and_without_redis(league_host: Host, redis: RedisServer) -> None:
    status, result = league_host.sync()
    assert (status, result["games"]) == (0, 36)
    assert all(map(league_host.complete, LEAGUES))
    redis.kill()
    league_host.play(date(2020, 5, 18), ["l4", "l5"])
    status, result = league_host.sync()
    assert (status, result["added"]) == (0, {"l4/logvol1.txt": 3, "l5/logvol1.txt": 3})


def noted(
    jobs: list[str],
    name_of: Callable[[Any], str],
    work: Callable[[Any], Any],
) -> Callable[[Any], Any]:
    """Return `work` so that it first appends the name of its argument to `jobs`."""

    def noting(argument: Any) -> Any:
        jobs.append(name_of(argument))
        return work(argument)

    return noting


def test_a_rooms_games_and_records_go_to_the_workers(
    tmp_path: Path,
    backend: Backend,
    redis: RedisServer,
    tenhou: FakeTenhou,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The process that asks the room leaves merging and records to a worker, as messages."""
    monkeypatch.setattr("bot.sync.jobs.HEAD_START", 60.0)  # however slow the machine is
    with nights(tmp_path, tenhou, backend, REDIS_URL=redis.url) as night:
        played = night.room.play(
            NIGHT + timedelta(minutes=1),
            NIGHT + timedelta(minutes=30),
            ("a", "b", "c"),
            (1, 0, -1),
        )
        answering = night.service()
        web = night.service()
        night.services.remove(answering)
        answering.room_loop.close()
        answering.background.start()
        jobs: list[str] = []
        calls = calls_of(answering)
        calls[LEAGUE] = noted(jobs, lambda number: stage_of(answering, number), calls[LEAGUE])
        web.room_loop.runner.work = noted(jobs, lambda job: f"here {job.stage}", web.league_work)
        engine = work(redis.url, calls, 2)
        night.until(played.end + timedelta(minutes=12), timedelta(minutes=1))
        engine.stop(timeout=20_000)
        night.services.append(answering)
        assert played.line.encode() in night.log
        assert night.room.fetched == [played.id]
        assert (set(jobs), jobs.count("deliver")) == (
            {"prepare", "deliver", "records"},
            1,
        )


def stage_of(service: Service, number: int) -> str:
    """The stage of the job with this number."""
    query = select(JOBS.c.work).where(JOBS.c.number == number)
    row = service.state.database.first(query)
    return Job.from_text(row.work).stage


def test_a_tap_goes_before_leagues(redis: RedisServer) -> None:
    begins = threading.Event()
    go_on = threading.Event()
    done: list[object] = []

    def slow(number: int) -> None:
        begins.set()
        go_on.wait(20)
        done.append(number)

    with closing(Sender(redis.url)) as sender:
        assert all(sender.send(LEAGUE, number) for number in range(3))
        engine = work(redis.url, {TAP: done.append, LEAGUE: slow}, 1)
        assert begins.wait(20)
        assert sender.send(TAP, "a")
        until(lambda: engine.work_queue.qsize() >= 2)
        go_on.set()
        until(lambda: len(done) == 4)
        engine.stop(timeout=20_000)
    assert done[1] == "a"


def test_leagues_leave_threads_to_taps(league_host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of a worker's threads have leagues in hand, whatever waits; the others come again."""
    monkeypatch.setattr("bot.worker.THREADS", 4)
    bot = Service(read_settings(league_host.env), worker=True)
    go_on = threading.Event()
    busy: list[str] = []

    def hangs(job: Job) -> Outcome:
        busy.append(job.league)
        go_on.wait(20)
        return Outcome()

    bot.league_work = hangs  # type: ignore[assignment]
    bot.pending.show_alive()
    sync_league = calls_of(bot)[LEAGUE]
    texts = [Job("prepare", f"l{number}").to_text() for number in range(3)]
    numbers = bot.state.jobs.put(texts)
    threads = [threading.Thread(target=sync_league, args=(number,)) for number in numbers[:2]]
    for thread in threads:
        thread.start()
    until(lambda: len(busy) == 2)
    with pytest.raises(TryAgain):
        sync_league(numbers[2])
    go_on.set()
    for thread in threads:
        thread.join()
    sync_league(numbers[2])
    assert sorted(busy) == ["l0", "l1", "l2"]
    close(bot)


def does_nothing(job: Job) -> Outcome:
    return Outcome(added={"logvol1.txt": 3}, days=["2020-05-16"])


def test_job_is_done_again_only_if_its_outcome_is_not_stored(state: State) -> None:
    for process in ("one", "two"):
        state.events.show_alive(process, True)
    job = Job("deliver", "l0")
    first, second = state.jobs.put([job.to_text(), job.to_text()])
    assert work_through(state.jobs, first, "one", does_nothing) == (job, does_nothing(job))
    assert work_through(state.jobs, first, "two", does_nothing) is None
    ((_, owner, outcome),) = state.jobs.look([first])
    assert (owner, Outcome.from_text(outcome).days) == ("one", ["2020-05-16"])
    assert work_through(state.jobs, second, "two", does_nothing) is not None
    state.events.show_alive("one", True)
    (number,) = state.jobs.put([Job("deliver", "l0").to_text()])
    with (
        patch.object(state.jobs, "done", side_effect=StorageError("away")),
        pytest.raises(StorageError),
    ):
        work_through(state.jobs, number, "one", does_nothing)
    assert work_through(state.jobs, number, "one", does_nothing) is not None
