import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from bot.runtime.work_queue import Sender, work
from bot.sync import jobs as runner_module
from bot.sync.jobs import (
    LEAGUE,
    LIMITS,
    Job,
    JobRunner,
    Outcome,
    Work,
    Workers,
    outcomes,
    work_through,
)
from storage.state import State, open_state
from tests.backend import Backend
from tests.fakes.redis import redis_server
from tests.sync.evenings import no_wait

WORKER = "worker"  # the name by which the worker lives
JOBS = [Job("prepare", f"l{number}") for number in range(20)]


class Site:
    """Runs jobs with the runner under test, and counts what is done, where, and how often at
    once.
    """

    def __init__(self, state: State, redis: str) -> None:
        self.state = state
        self.redis = redis
        self.does: Work = lambda job: Outcome()
        self.places: Counter[str] = Counter()
        self.under_way: Counter[Job] = Counter()
        self.at_once = 0
        self._lock = threading.Lock()

    def do(self, job: Job) -> Outcome:
        place = "here" if threading.current_thread().name == "league" else WORKER
        with self._lock:
            self.places[place] += 1
            self.under_way[job] += 1
            self.at_once = max(self.at_once, self.under_way[job])
        try:
            return self.does(job)
        finally:
            with self._lock:
                self.under_way[job] -= 1

    def run(
        self,
        jobs: list[Job],
        limits: Mapping[str, float] = LIMITS,
    ) -> dict[str, Outcome]:
        if not self.redis:
            return outcomes(JobRunner(self.do, limits=limits), jobs, wait=no_wait)
        with closing(Sender(self.redis)) as sender:
            self.state.events.show_alive(WORKER, True)
            workers = Workers(self.state.jobs, sender)
            return outcomes(JobRunner(self.do, workers, limits), jobs, wait=no_wait)


@contextmanager
def sites(state: State, kind: str) -> Iterator[Site]:
    if kind == "threads":
        yield Site(state, "")
        return
    with redis_server() as redis:
        site = Site(state, redis.url)

        def does(number: int) -> None:
            work_through(state.jobs, number, WORKER, lambda job: site.do(job))

        engine = work(redis.url, {LEAGUE: does}, 4)
        yield site
        engine.stop(timeout=20_000)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory, backend: Backend) -> Iterator[Site]:
    state = open_state(backend.database(tmp_path_factory.mktemp("runner")))
    with sites(state, backend.kind) as site:
        yield site
    state.close()


@pytest.fixture
def site(opened: Site) -> Site:
    opened.__init__(opened.state, opened.redis)  # type: ignore[misc]
    return opened


pytestmark = pytest.mark.xdist_group("runner")


def test_every_job_is_done_once_and_has_its_own_outcome(site: Site) -> None:
    site.does = lambda job: Outcome(
        rooms=[job.league],
        added={"logvol1.txt": 2},
        notes=["あ"],
    )
    done = site.run(JOBS)
    assert list(done) == [job.league for job in JOBS]
    assert all(
        outcome.rooms == [league] and outcome.notes == ["あ"] for league, outcome in done.items()
    )
    assert sum(site.places.values()) == len(JOBS)
    assert list(site.places) == [WORKER if site.redis else "here"]


@given(prevented=st.lists(st.integers(0, 3), max_size=6))
@settings(
    max_examples=8, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_what_an_outage_prevents_is_done_again(site: Site, prevented: list[int]) -> None:
    """Each job is begun once more than it is prevented; whoever begins it, never twice at the same
    time.
    """
    jobs = [Job("prepare", f"l{number}") for number in range(len(prevented))]
    remaining = dict(zip(jobs, prevented, strict=True))

    def does(job: Job) -> Outcome:
        remaining[job] -= 1
        return Outcome(
            again=remaining[job] >= 0,
            failed=remaining[job] >= 0,
            added={"logvol1.txt": 1},
        )

    site.does = does
    before = sum(site.places.values())
    done = site.run(jobs)
    assert [outcome.again for outcome in done.values()] == [False] * len(jobs)
    assert [outcome.added["logvol1.txt"] for outcome in done.values()] == [
        tries + 1 for tries in prevented
    ]
    assert sum(site.places.values()) - before == sum(prevented) + len(prevented)
    assert site.at_once <= 1


def test_outages_and_failed_stores_end_the_tries(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner_module, "GOES", 8)
    done = Counter[str]()

    def does(job: Job) -> Outcome:
        done[job.league] += 1
        return Outcome(
            again=job.league == "l0",
            failed=job.league != "l2",
            problems=[job.league],
        )

    site.does = does
    outcomes = site.run(JOBS[:3])
    assert done == {"l0": 8, "l1": 2, "l2": 1}
    problems = [outcome.problems for outcome in outcomes.values()]
    assert problems == [["l0"], ["l1"], ["l2"]]


def test_hanging_league_is_given_up_and_delays_no_other(site: Site) -> None:
    others = threading.Semaphore(0)
    go_on = threading.Event()

    def does(job: Job) -> Outcome:
        if job.league == "l0":
            go_on.wait(30)
        else:
            others.release()
        return Outcome()

    site.does = does
    done = site.run(JOBS, {"prepare": 1.0})
    go_on.set()
    assert "more than 1 seconds" in done["l0"].problems[0]
    assert all(others.acquire(timeout=0) for _ in JOBS[1:])
    assert [league for league, outcome in done.items() if outcome.problems] == ["l0"]
