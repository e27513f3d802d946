"""The leagues' jobs, their outcomes, and how they are done: in threads here and by workers.

What is guaranteed, and the tests that show it (tests/sync/test_fanout.py, tests/sync/test_runner.py):
no league waits for a slow one. A job that takes longer than SLOW seconds does not count among the
threads any more, so another one begins. A job that takes longer than its stage allows is given up and
reported with its league's name. Its thread can't be ended and goes on; this is harmless, because
whatever it still does may be done twice. The process does not wait for such threads when it ends,
as it would for those of a ThreadPoolExecutor.

When a service outside fails for all leagues, the jobs it prevented are done again after a few
seconds. So a short outage of Dropbox costs no league its results.
"""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from enum import StrEnum
from gettext import gettext as _
from queue import Empty, SimpleQueue
from typing import NamedTuple, Protocol, Self

from bot.league.season_log import HandsVersion
from storage.jobs import HERE, Jobs, KeptJob
from storage.ports import StorageError


class Stage(StrEnum):
    """What a job does for its league (bot/sync/league_job.py)."""

    PREPARE = "prepare"
    DELIVER = "deliver"
    RECORDS = "records"


THREADS = 8
SLOW = 20.0  # seconds after which a job no longer counts among the threads
MOST = 32  # threads in all, with those of slow jobs and of jobs given up
# Seconds by stage. That of `prepare` is short because Tenhou is read only after every league is
# prepared.
LIMITS = {Stage.PREPARE: 30.0, Stage.DELIVER: 900.0, Stage.RECORDS: 300.0}
HEAD_START = 5.0  # seconds in which only workers begin jobs
# seconds until jobs are done again that a service outside (bot/runtime/circuit_breaker.py) has prevented
REST = 2.0
GOES = 60  # how often a job may be done: two minutes of rests
LOOK = 0.1  # seconds between looks at the workers' jobs
LEAGUE = "league"  # the workers' name for a job
LEAGUES = "leagues"  # the name given to `progress` while leagues are counted


@dataclass(frozen=True, slots=True)
class Job:
    """One stage for one league.

    `since`: `prepare` has the stored lines from that day on merged once more.
    """

    stage: Stage
    league: str
    since: date | None = None

    def to_text(self) -> str:
        since = self.since.isoformat() if self.since else None
        return json.dumps([self.stage, self.league, since])

    @classmethod
    def from_text(cls, text: str) -> Self:
        stage, league, since = json.loads(text)
        if since is None:
            return cls(Stage(stage), league)
        return cls(Stage(stage), league, date.fromisoformat(since))


@dataclass(slots=True)
class Outcome:
    """The result of a job. `added` counts games by log. `corrected` lists the games that a hand
    corrected and Tenhou offers. The admin should act on `problems`; `notes` only inform."""

    rooms: list[str] = field(default_factory=list)
    nothing: bool = False  # the folder has no league
    refused: bool = False  # a season log cannot be read; its games wait
    # No request is sent to a service outside at the moment (Unavailable): do the job once more.
    again: bool = False
    failed: bool = False  # a store failed: do the job once more if an outage is noticed later
    added: dict[str, int] = field(default_factory=dict)
    days: list[str] = field(default_factory=list)  # ISO dates that got new games
    corrected: list[HandsVersion] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def add_games(self, days_by_log: Mapping[str, Collection[date]]) -> None:
        """Count games that were added; of each the day, by log."""
        days = set(self.days)
        for log, game_days in days_by_log.items():
            self.added[log] = self.added.get(log, 0) + len(game_days)
            days.update(day.isoformat() for day in game_days)
        self.days = sorted(days)

    def to_text(self) -> str:
        """JSON, without empty fields. There `corrected` is "kept", as in earlier versions, whose
        workers may do jobs of ours."""
        fields = asdict(self)
        fields["kept"] = fields.pop("corrected")
        return json.dumps({key: value for key, value in fields.items() if value})

    @classmethod
    def from_text(cls, text: str) -> Self:
        fields = json.loads(text)
        fields["corrected"] = [HandsVersion(**version) for version in fields.pop("kept", ())]
        return cls(**fields)

    def after(self, before: "Outcome") -> Self:
        """Join two tries' outcomes: games (a corrected one once) and notes of both, problems of
        this.
        """
        added = Counter(before.added)
        added.update(self.added)
        corrected = [game for game in self.corrected if game not in before.corrected]
        return replace(
            self,
            added=dict(added),
            days=sorted({*before.days, *self.days}),
            corrected=[*before.corrected, *corrected],
            notes=[*before.notes, *self.notes],
        )


class DoneJob(NamedTuple):
    job: Job
    outcome: Outcome


Work = Callable[[Job], Outcome]
Progress = Callable[[int, int, str], None]
"""Called with how many are done, of how many, and the name of what is under way."""


def no_progress(done: int, total: int, name: str) -> None:
    """Show nothing."""


class Messenger(Protocol):
    """Sends messages to the workers: `bot.runtime.work_queue.Sender`."""

    def send(
        self,
        task: str,
        word: str | int,
        time_limit: float | None = None,
    ) -> bool: ...


class Workers(NamedTuple):
    """The way to other processes that do jobs, by their numbers in the database.

    A claim guarantees that of several living processes one does a job. A message that is lost does
    no harm: whoever put the job does itself what no worker claims; a killed worker's claim ends
    with its sign of life. Shown by tests/sync/test_queue_sync.py and tests/storage/test_events.py.
    """

    jobs: Jobs
    sender: Messenger


def work_through(jobs: Jobs, number: int, owner: str, work: Work) -> DoneJob | None:
    """Do a job in a worker; None where another process has claimed it or has done it.

    Raises StorageError.
    """
    text = jobs.claim(number, owner)
    if text is None:
        return None
    job = Job.from_text(text)
    outcome = work(job)
    jobs.done(number, outcome.to_text())
    return DoneJob(job, outcome)


class JobRunner:
    """Does jobs in no fixed order, in threads and by the workers."""

    def __init__(
        self, work: Work, workers: Workers | None = None, limits: Mapping[Stage, float] = LIMITS
    ) -> None:
        self.work = work
        self._workers = workers
        self._limits = limits
        self._threads: list[threading.Thread] = []

    def do(self, jobs: Sequence[Job]) -> Iterator[DoneJob]:
        """Yield every job with its outcome as it ends, or takes longer than its stage allows.

        Each turn of the loop begins jobs where threads are free, then collects the jobs that ended
        on a thread here or at a worker, and those that are given up. Of a job that ends twice, here
        and at a worker, or after it was given up, the first outcome counts.
        """
        run = _JobRun(jobs, numbers=self._offered(jobs))
        while run.waiting or run.begun_here:
            now = time.monotonic()
            if now >= run.alone_from:
                self._begin_jobs(run, now)
            if run.is_stuck and not self._is_thread_free((), now):
                for job in run.waiting:
                    yield DoneJob(job, Outcome(problems=[_("not begun: too much hangs")]))
                return
            done_jobs: list[DoneJob] = []
            with suppress(Empty):
                done_jobs.append(run.ended.get(timeout=LOOK))
            done_jobs += self._done_by_workers(run, now)
            done_jobs += self._overdue(run, now)
            for done in done_jobs:
                if run.end(done.job):
                    yield done

    def _begin_jobs(self, run: "_JobRun", now: float) -> None:
        """Begin jobs while threads are free, from the last: workers have the first."""
        for job in [job for job in reversed(run.waiting) if job not in run.begun_there]:
            if not self._is_thread_free(run.begun_here.values(), now):
                return
            if self._begin(job, run.numbers.get(job), run.ended):
                del run.waiting[job]
                run.begun_here[job] = now

    def _overdue(self, run: "_JobRun", now: float) -> list[DoneJob]:
        """The jobs that take longer than their stage allows, as given up."""
        text = _(
            "its folder keeps us waiting for more than {seconds:.0f} seconds: gone on without it"
        )
        overdue: list[DoneJob] = []
        for job, since in (run.begun_here | run.begun_there).items():
            limit = self._limits[job.stage]
            if now - since > limit:
                overdue.append(DoneJob(job, Outcome(problems=[text.format(seconds=limit)])))
        return overdue

    def _done_by_workers(self, run: "_JobRun", now: float) -> list[DoneJob]:
        """Note which jobs living workers have, and return those they have done."""
        if not run.waiting or not run.numbers or now - run.looked_at < LOOK:
            return []
        run.looked_at = now
        jobs = {run.numbers[job]: job for job in run.waiting}
        done: list[DoneJob] = []
        under_way: dict[Job, float] = {}
        for stored in self._stored(jobs):
            job = jobs[stored.number]
            if stored.outcome:
                done.append(DoneJob(job, Outcome.from_text(stored.outcome)))
            elif stored.owner:
                under_way[job] = run.begun_there.get(job, now)
        run.begun_there = under_way
        return done

    def _stored(self, jobs: Mapping[int, Job]) -> list[KeptJob]:
        if self._workers is not None:
            with suppress(StorageError):
                return self._workers.jobs.look(jobs)
        return []

    def _offered(self, jobs: Collection[Job]) -> dict[Job, int]:
        """Offer jobs to the workers, and return the jobs' numbers; none where no worker can be
        notified.
        """
        if self._workers is None or not jobs:
            return {}
        try:
            stored_numbers = self._workers.jobs.put([job.to_text() for job in jobs])
        except StorageError:
            return {}
        numbers = dict(zip(jobs, stored_numbers, strict=True))
        is_sent = False
        for job, number in numbers.items():
            if self._workers.sender.send(LEAGUE, number, self._limits[job.stage]):
                is_sent = True
        if not is_sent:
            return {}
        return numbers

    def _is_thread_free(self, begin_times: Iterable[float], now: float) -> bool:
        """Whether another job may begin, where jobs that began at these times are under way."""
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        quick = sum(now - begin < SLOW for begin in begin_times)
        return quick < THREADS and len(self._threads) < MOST

    def _begin(self, job: Job, number: int | None, ended: SimpleQueue[DoneJob]) -> bool:
        """Begin a job on a thread; False when a worker has it or has done it."""
        if self._workers is not None and number is not None:
            # Where the claim fails, the job may be done twice, which is harmless.
            with suppress(StorageError):
                if self._workers.jobs.claim(number, HERE) is None:
                    return False

        def do_job() -> None:
            ended.put(DoneJob(job, self.work(job)))

        thread = threading.Thread(target=do_job, name="league", daemon=True)
        self._threads.append(thread)
        thread.start()
        return True


class _JobRun:
    """Where the jobs of one `JobRunner.do` are."""

    def __init__(self, jobs: Sequence[Job], numbers: Mapping[Job, int]) -> None:
        self.numbers = numbers  # the workers' numbers of the jobs; none where no worker has them
        self.waiting = dict.fromkeys(jobs)  # those that no thread here has begun
        self.begun_here: dict[Job, float] = {}  # those that threads have begun, and since when
        self.begun_there: dict[Job, float] = {}  # those that workers have
        self.ended = SimpleQueue[DoneJob]()  # where threads put what they have done
        self.looked_at = 0.0  # when the workers' jobs were last looked at
        self.alone_from = time.monotonic() + HEAD_START if numbers else 0.0

    @property
    def is_stuck(self) -> bool:
        """Whether jobs wait and none is under way."""
        return bool(self.waiting) and not self.begun_here and not self.begun_there

    def end(self, job: Job) -> bool:
        """Take a job off; False where it was given up or reported before."""
        is_open = job in self.begun_here or job in self.waiting
        self.begun_here.pop(job, None)
        self.waiting.pop(job, None)
        return is_open


def outcomes(
    runner: JobRunner,
    jobs: Sequence[Job],
    progress: Progress = no_progress,
    wait: Callable[[float], None] = time.sleep,
) -> dict[str, Outcome]:
    """Have one stage's jobs done, and those again that an outage has prevented. Return the outcome
    of each by league, in the order of the jobs. `wait` sleeps so many seconds.

    The retry guarantees that a short outage of a store or of Dropbox costs no league its results;
    it ends after `GOES` attempts. Shown by tests/sync/test_runner.py."""
    by_league: dict[str, Outcome] = {}
    open_jobs = jobs
    for attempt in range(GOES):
        for job, outcome in runner.do(open_jobs):
            before = by_league.get(job.league, Outcome())
            by_league[job.league] = outcome.after(before)
            progress(len(by_league), len(jobs), LEAGUES)
        is_first = attempt == 0
        open_jobs = [job for job in open_jobs if _was_prevented(by_league[job.league], is_first)]
        if not open_jobs:
            break
        if any(by_league[job.league].again for job in open_jobs):
            wait(REST)
    return {job.league: by_league[job.league] for job in jobs}


def _was_prevented(outcome: Outcome, is_first: bool) -> bool:
    """Whether a job is to be done again. Where a store failed, an outage may have begun, which the
    first attempt does not know yet."""
    return outcome.again or (is_first and outcome.failed)
