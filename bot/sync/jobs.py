"""The leagues' jobs: what each is, what comes of it, and how they are done here in threads and by
workers.

No league waits for a slow one. A job that takes longer than SLOW seconds keeps its thread but no
longer counts, so another one begins. A job that takes longer than its stage allows is given up and
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
from gettext import gettext as _
from queue import Empty, SimpleQueue
from typing import Literal, NamedTuple, Protocol, Self

from bot.league.season_log import HandsVersion
from storage.events import HERE, Jobs
from storage.ports import StorageError

THREADS = 8
SLOW = 20.0  # seconds after which a job no longer counts among the threads
MOST = 32  # threads in all, with those of slow jobs and of jobs given up
# Seconds by stage. That of `prepare` is short because Tenhou is read only after every league is
# prepared.
LIMITS = {"prepare": 30.0, "deliver": 900.0, "records": 300.0}
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

    `since`: `prepare` has the kept lines from that day on merged once more.
    """

    stage: Literal["prepare", "deliver", "records"]
    league: str
    since: date | None = None

    def to_text(self) -> str:
        return json.dumps(
            [
                self.stage,
                self.league,
                self.since and self.since.isoformat(),
            ]
        )

    @classmethod
    def from_text(cls, text: str) -> Self:
        stage, league, since = json.loads(text)
        return cls(stage, league, date.fromisoformat(since) if since else None)


@dataclass(slots=True)
class Outcome:
    """What a job found and did. `added` counts games by log. `kept` tells the games that a hand
    corrected and Tenhou offers. The admin should act on `problems`; `notes` only inform."""

    rooms: list[str] = field(default_factory=list)
    nothing: bool = False  # the folder holds no league
    refused: bool = False  # a season log cannot be read; its games keep waiting
    again: bool = (
        False  # a service outside is not asked at the moment (Unavailable): do the job once more
    )
    failed: bool = False  # a store failed: do the job once more if an outage is noticed later
    added: dict[str, int] = field(default_factory=dict)
    days: list[str] = field(default_factory=list)  # ISO dates that got new games
    kept: list[HandsVersion] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def to_text(self) -> str:
        """JSON, without empty fields."""
        fields = asdict(self)
        return json.dumps({key: value for key, value in fields.items() if value})

    @classmethod
    def from_text(cls, text: str) -> Self:
        read = json.loads(text)
        read["kept"] = [HandsVersion(**version) for version in read.get("kept", ())]
        return cls(**read)

    def after(self, before: "Outcome") -> Self:
        """Join two tries' outcomes: games (a corrected one once) and notes of both, problems of
        this.
        """
        added = Counter(before.added)
        added.update(self.added)
        corrected = [game for game in self.kept if game not in before.kept]
        return replace(
            self,
            added=dict(added),
            days=sorted({*before.days, *self.days}),
            kept=[*before.kept, *corrected],
            notes=[*before.notes, *self.notes],
        )


Done = tuple[Job, Outcome]
Work = Callable[[Job], Outcome]
Progress = Callable[[int, int, str], None]


class Messenger(Protocol):
    """Sends messages to the workers: `bot.runtime.work_queue.Sender`."""

    def send(
        self,
        task: str,
        word: str | int,
        time_limit: float | None = None,
    ) -> bool: ...


class Workers(NamedTuple):
    """The way to other processes that do jobs, by their numbers in the database. A message that is
    lost does no harm: whoever put the job does itself what no worker claims."""

    jobs: Jobs
    sender: Messenger


def work_through(jobs: Jobs, number: int, owner: str, work: Work) -> Done | None:
    """Do a job in a worker; None when another process has it or has done it.

    Raises StorageError.
    """
    text = jobs.claim(number, owner)
    if text is None:
        return None
    job = Job.from_text(text)
    outcome = work(job)
    jobs.done(number, outcome.to_text())
    return job, outcome


class JobRunner:
    """Does jobs in no fixed order, in threads and by the workers."""

    def __init__(
        self, work: Work, workers: Workers | None = None, limits: Mapping[str, float] = LIMITS
    ) -> None:
        self.work = work
        self._workers = workers
        self._limits = limits
        self._threads: list[threading.Thread] = []

    def do(self, jobs: Sequence[Job]) -> Iterator[Done]:
        """Yield every job with its outcome as it ends, or takes longer than its stage allows."""
        words = _(
            "its folder keeps us waiting for more than {seconds:.0f} seconds: gone on without it"
        )
        left = dict.fromkeys(jobs)  # those that no thread here has begun
        here: dict[Job, float] = {}  # the jobs that threads have begun, and since when
        there: dict[Job, float] = {}  # those that workers have
        ended = SimpleQueue[Done]()
        numbers = self._offered(left)
        looked = 0.0
        alone_from = time.monotonic() + HEAD_START if numbers else 0.0
        while left or here:
            now = time.monotonic()
            if now >= alone_from:
                # Workers have the first.
                for job in [job for job in reversed(left) if job not in there]:
                    if not self._free(here.values(), now):
                        break
                    if self._begin(job, numbers.get(job), ended):
                        del left[job]
                        here[job] = now
            if left and not here and not there and not self._free((), now):
                for job in left:
                    yield job, Outcome(problems=[_("not begun: too much hangs")])
                return
            done: list[Done] = []
            with suppress(Empty):
                done.append(ended.get(timeout=LOOK))
            if left and numbers and now - looked >= LOOK:
                looked = now
                told, has = self._look({numbers[job]: job for job in left})
                done += told
                there = {job: there.get(job, now) for job in has}
            for job, since in (here | there).items():
                limit = self._limits[job.stage]
                if now - since > limit:
                    done.append((job, Outcome(problems=[words.format(seconds=limit)])))
            for job, outcome in done:
                if job in here or job in left:  # else it was given up
                    here.pop(job, None)
                    left.pop(job, None)
                    yield job, outcome

    def _offered(self, jobs: Collection[Job]) -> dict[Job, int]:
        """Offer jobs to the workers, and return the jobs' numbers; none where nobody hears of
        them.
        """
        if self._workers is None or not jobs:
            return {}
        try:
            put = self._workers.jobs.put([job.to_text() for job in jobs])
        except StorageError:
            return {}
        numbers = dict(zip(jobs, put, strict=True))
        send = self._workers.sender.send
        sent = False
        for job, number in numbers.items():
            if send(LEAGUE, number, self._limits[job.stage]):
                sent = True
        return numbers if sent else {}

    def _free(self, begun: Iterable[float], now: float) -> bool:
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        quick = sum(now - since < SLOW for since in begun)
        return quick < THREADS and len(self._threads) < MOST

    def _begin(self, job: Job, number: int | None, ended: SimpleQueue[Done]) -> bool:
        """Begin a job on a thread; False when a worker has it or has done it."""
        if self._workers is not None and number is not None:
            with suppress(StorageError):  # the job may be done twice, which is harmless
                if self._workers.jobs.claim(number, HERE) is None:
                    return False

        def does() -> None:
            ended.put((job, self.work(job)))

        thread = threading.Thread(target=does, name="league", daemon=True)
        self._threads.append(thread)
        thread.start()
        return True

    def _look(
        self,
        jobs: Mapping[int, Job],
    ) -> tuple[list[Done], list[Job]]:
        """Which of these jobs the workers have done, and which of them living workers have."""
        if self._workers is not None:
            with suppress(StorageError):
                kept = self._workers.jobs.look(jobs)
                done = [
                    (jobs[one.number], Outcome.from_text(one.outcome))
                    for one in kept
                    if one.outcome
                ]
                return done, [jobs[one.number] for one in kept if one.owner and not one.outcome]
        return [], []


def outcomes(
    runner: JobRunner,
    jobs: Sequence[Job],
    progress: Progress = lambda done, total, name: None,
    wait: Callable[[float], None] = time.sleep,
) -> dict[str, Outcome]:
    """Have one stage's jobs done, and those again that an outage has prevented. Return what came of
    each by league, in the order of the jobs. `wait` sleeps so many seconds."""
    found: dict[str, Outcome] = {}
    left = jobs
    for go in range(GOES):
        for job, outcome in runner.do(left):
            found[job.league] = outcome.after(found.get(job.league, Outcome()))
            progress(len(found), len(jobs), LEAGUES)
        prevented = []
        for job in left:
            outcome = found[job.league]
            # Where a store failed, an outage may have begun.
            if outcome.again or (go == 0 and outcome.failed):
                prevented.append(job)
        left = prevented
        if not left:
            break
        if any(found[job.league].again for job in left):
            wait(REST)
    return {job.league: found[job.league] for job in jobs}
