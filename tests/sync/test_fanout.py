import io
import sys
import threading
import weakref
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from datetime import date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from bot.cli import sync as admin_module
from bot.league.season_log import LeagueFolder
from bot.sync import jobs as runner_module
from bot.sync.jobs import LEAGUES, SLOW, Job, JobRunner, Outcome
from bot.sync.league_job import LeagueWork, OnDaysMerged
from bot.sync.run import SyncResult, sync_leagues
from bot.tenhou.client import TenhouClient
from rating.league import League, Season
from rating.league_file import LeagueError, Place
from storage.folder import FolderLogs
from storage.ports import Denied
from storage.state import State
from tests.fakes.tenhou import FakeTenhou
from tests.sync.single import sync

DAY = date(2020, 5, 17)
SEASONS = (Season(1, "logvol1.txt", start=datetime(2020, 1, 1)),)


class Folder(FolderLogs):
    """A league's folder that first calls a function of the test."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        self.before_look: Callable[[], object] = lambda: None
        self.before_write: Callable[[], object] = lambda: None

    def revisions(self) -> dict[str, str]:
        self.before_look()
        return super().revisions()

    def write(self, name: str, data: bytes, rev: str | None) -> str:
        self.before_write()
        return super().write(name, data, rev)


class Leagues:
    """Leagues l0, l1, … with one room each, and the fake Tenhou where they play."""

    def __init__(self, home: Path, tenhou: FakeTenhou, state: State, count: int) -> None:
        self.tenhou = tenhou
        self.state = state
        self.names = [f"l{number}" for number in range(count)]
        self.rooms = {name: f"C{number:04}" for number, name in enumerate(self.names)}
        self.folders: dict[str, Folder] = {}
        for name in self.names:
            (home / name).mkdir()
            self.folders[name] = Folder(home / name)

    def play(self, day: date, *names: str) -> None:
        game = f"20:00 | 三般南喰赤－ | 東(+{day.day}.0) 南(0.0) 西(-{day.day}.0)"
        self.tenhou.put(day, [f"{self.rooms[name]} | {game}" for name in names or self.names])

    def target(self, name: str) -> LeagueFolder:
        return LeagueFolder(
            self.folders[name],
            League(
                rooms=(self.rooms[name],),
                seasons=SEASONS,
            ),
            name,
        )

    def work(self, after: OnDaysMerged | None = None) -> LeagueWork:
        return LeagueWork(self.target, self.state, self.tenhou.clock, after, lambda _: None)

    def sync(self, runner: JobRunner | None = None, **options: Any) -> SyncResult:
        with TenhouClient(self.tenhou.url) as client:
            runner = runner or JobRunner(self.work())
            return sync_leagues(
                self.names, runner, self.state, client, self.tenhou.clock, **options
            )

    def games(self, name: str) -> int:
        path = self.folders[name]._directory / "logvol1.txt"
        return path.read_bytes().count(b"\n") // 2 if path.exists() else 0


LeaguesMaker = Callable[[int], Leagues]


@pytest.fixture
def make_leagues(tmp_path: Path, tenhou: FakeTenhou, state: State) -> LeaguesMaker:
    def make(count: int) -> Leagues:
        made = Leagues(tmp_path, tenhou, state, count)
        made.play(DAY)
        return made

    return make


def test_games_wait_while_a_folder_does_not_answer(
    make_leagues: LeaguesMaker,
) -> None:
    leagues = make_leagues(4)
    leagues.sync()
    leagues.play(DAY + timedelta(days=1))
    leagues.tenhou.clock.forward(hours=1)
    answers = threading.Event()
    leagues.folders["l1"].before_look = lambda: answers.wait(30)
    result = leagues.sync(
        JobRunner(
            leagues.work(),
            limits={"prepare": 0.3, "deliver": 60},
        )
    )
    answers.set()
    assert [problem.partition(":")[0] for problem in result.problems] == ["l1"]
    assert "keeps us waiting" in result.problems[0]
    assert [leagues.games(name) for name in leagues.names] == [2, 1, 2, 2]
    leagues.folders["l1"].before_look = lambda: None
    again = leagues.sync()
    assert (again.downloaded, again.added) == (0, {"l1/logvol1.txt": 1})


def test_problem_of_a_broken_league_has_its_name(make_leagues: LeaguesMaker) -> None:
    leagues = make_leagues(5)

    def odd() -> None:
        raise KeyError("secret")

    broken = LeagueError("kind", Place(key="rooms"), wanted="list", value=3)
    leagues.folders["l1"].before_look = Mock(side_effect=broken)
    leagues.folders["l2"].before_write = Mock(side_effect=Denied("logvol1.txt: Permission denied"))
    leagues.folders["l3"].before_write = odd
    followed: list[str] = []
    work = leagues.work(lambda league, days: not followed.append(league))
    result = leagues.sync(JobRunner(work))
    assert sorted(followed) == ["l0", "l4"]
    of_l1, of_l2, of_l3, *_ = result.problems
    assert of_l1 == "l1: league.toml: rooms must be a list, not 3"
    assert of_l2 == "l2: logvol1.txt: Permission denied"
    assert of_l3.startswith("l3: KeyError at test_fanout.py:")
    for folder in leagues.folders.values():
        folder.before_look = folder.before_write = lambda: None
    mended = leagues.sync()
    assert list(mended.added) == ["l2/logvol1.txt", "l3/logvol1.txt"]
    leagues.tenhou.clock.forward(hours=1)
    assert list(leagues.sync().added) == ["l1/logvol1.txt"]
    leagues.tenhou.judge.rudeness.clear()  # l1's room is new to the sync, so the file is read again


def test_host_whose_root_folder_has_no_league(tmp_path: Path, make_leagues: LeaguesMaker) -> None:
    leagues = make_leagues(2)
    (tmp_path / "root").mkdir()
    targets = [
        LeagueFolder(FolderLogs(tmp_path / "root"), League(), ""),
        *map(leagues.target, leagues.names),
    ]
    with TenhouClient(leagues.tenhou.url) as client:
        result = sync(targets, leagues.state, client, leagues.tenhou.clock)
        assert (result.games, result.problems) == (2, [])
        result = sync(targets[:1], leagues.state, client, leagues.tenhou.clock)
        (alone,) = result.problems
    assert "no room is known" in alone


def test_slow_jobs_free_their_threads_and_hanging_jobs_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of four jobs that hang on two threads the last begin when the first are slow, and end after
    these.
    """
    monkeypatch.setattr(runner_module, "LOOK", 0.01)
    monkeypatch.setattr(runner_module, "THREADS", 2)
    begins = threading.Semaphore(0)
    go = threading.Event()
    end: list[float] = []
    looks = 0

    def work(job: Job) -> Outcome:
        begins.release()
        return Outcome(rooms=[str(go.wait(30))])

    def clock() -> float:
        """Let each time last for twenty looks, by which no thread begins that should not."""
        nonlocal looks
        looks += 1
        if looks in (20, 40):
            assert all(begins.acquire(timeout=10) for _ in range(2))
            assert not begins.acquire(timeout=0)
        if end:
            return end[0]
        if looks <= 20:
            return 0.0
        if looks <= 40:
            return SLOW + 1
        return 31.0

    monkeypatch.setattr(runner_module, "time", SimpleNamespace(monotonic=clock))
    jobs = [Job("prepare", f"l{number}") for number in range(4)]
    done = JobRunner(work).do(jobs)
    given_up = [next(done) for _ in range(2)]
    assert [job for job, _ in given_up] == jobs[:1:-1]
    assert all("more than 30 seconds" in outcome.problems[0] for _, outcome in given_up)
    end.append(31.0)
    go.set()
    ended = dict(done)
    assert set(ended) == set(jobs[:2])
    assert all(outcome == Outcome(rooms=["True"]) for outcome in ended.values())


def test_sync_ends_and_reports_the_rest_when_all_jobs_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner_module, "THREADS", 40)
    go = threading.Event()
    jobs = [Job("prepare", f"l{number}") for number in range(50)]
    runner = JobRunner(
        lambda job: Outcome(rooms=[str(go.wait(30))]),
        limits={"prepare": 0.05},
    )
    outcomes = dict(runner.do(jobs))
    go.set()
    assert set(outcomes) == set(jobs)
    reasons = [outcome.problems[0] for outcome in outcomes.values()]
    assert sum("gone on without it" in reason for reason in reasons) == 32
    assert sum("too much hangs" in reason for reason in reasons) == 18


def test_of_many_leagues_few_are_in_memory(
    make_leagues: LeaguesMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner_module, "THREADS", 4)
    leagues = make_leagues(60)
    living: weakref.WeakSet[Any] = weakref.WeakSet()
    living_counts: list[int] = []

    class Held(FolderLogs):
        pass

    def open_league(name: str) -> LeagueFolder:
        logs = Held(leagues.folders[name]._directory)
        living.add(logs)
        return LeagueFolder(
            logs,
            League(rooms=(leagues.rooms[name],), seasons=SEASONS),
            name,
        )

    work = LeagueWork(open_league, leagues.state, leagues.tenhou.clock)
    result = leagues.sync(
        JobRunner(work),
        progress=lambda *_: living_counts.append(len(living)),
    )
    assert result.games == 60
    assert max(living_counts) <= 12
    assert len(living) == 0


def test_a_round_without_news_asks_the_database_little(
    make_leagues: LeaguesMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    leagues = make_leagues(40)
    for number in range(1, 6):
        leagues.play(DAY - timedelta(days=number))
    assert leagues.sync().games == 240
    leagues.tenhou.clock.forward(hours=1)
    calls: list[Any] = []

    def noted(statement: Any, write: bool) -> Any:
        calls.append(statement)
        return nullcontext()

    monkeypatch.setattr(leagues.state.database, "_around", noted)
    result = leagues.sync()
    assert (result.seen, result.downloaded, result.games) == (6, 0, 0)
    assert len(calls) < 20


def test_a_room_taken_out_asks_for_nothing_again(make_leagues: LeaguesMaker) -> None:
    leagues = make_leagues(2)
    leagues.rooms["l0"] = "C0000"
    two_rooms = LeagueFolder(
        leagues.folders["l0"], League(rooms=("C0000", "C0009"), seasons=SEASONS), "l0"
    )
    with TenhouClient(leagues.tenhou.url) as client:
        assert sync([two_rooms], leagues.state, client, leagues.tenhou.clock).downloaded == 1
        leagues.tenhou.clock.forward(hours=1)
        folders = [leagues.target("l0")]
        assert sync(folders, leagues.state, client, leagues.tenhou.clock).downloaded == 0


class Killed(BaseException):
    pass


def test_what_follows_is_owed_until_it_is_done(make_leagues: LeaguesMaker) -> None:
    leagues = make_leagues(1)
    line = f"{leagues.rooms['l0']} | 20:00 | 三般南喰赤－ | 東(+1.0) 南(0.0) 西(-1.0)"
    leagues.state.results.put(
        "l0",
        DAY,
        100,
        {leagues.rooms["l0"]},
        [line.encode()],
    )

    def killed(league: str, days: Sequence[date]) -> None:
        raise Killed

    with pytest.raises(Killed):
        leagues.work(killed)(Job("deliver", "l0"))
    assert leagues.games("l0") == 1
    followed: list[tuple[str, Sequence[date]]] = []
    leagues.tenhou.packed.clear()
    leagues.play(DAY + timedelta(days=1), "l0")
    for _ in range(2):
        leagues.sync(JobRunner(leagues.work(lambda *league: not followed.append(league))))
    assert followed == [("l0", [DAY, DAY + timedelta(days=1)])]


def test_a_league_without_a_new_game_is_followed_by_nothing(make_leagues: LeaguesMaker) -> None:
    leagues = make_leagues(3)
    leagues.sync()
    leagues.play(DAY + timedelta(days=1), "l1")
    leagues.tenhou.clock.forward(hours=1)
    followed: list[tuple[str, Sequence[date]]] = []
    work = leagues.work(lambda *league: not followed.append(league))
    result = leagues.sync(JobRunner(work))
    assert followed == [("l1", [DAY + timedelta(days=1)])]
    assert result.added == {"l1/logvol1.txt": 1}


def test_the_connection_is_closed_before_leagues_are_delivered(make_leagues: LeaguesMaker) -> None:
    """Another process may query Tenhou then. The fake server reports a second connection."""
    leagues = make_leagues(1)
    indexes: list[int] = []

    def query_tenhou() -> None:
        with TenhouClient(leagues.tenhou.url) as client:
            leagues.tenhou.judge.round = None  # this request is not about the time between rounds
            indexes.append(len(client.index()))

    leagues.folders["l0"].before_write = query_tenhou
    leagues.sync()
    assert indexes == [1]
    assert leagues.tenhou.judge.rudeness == []


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_bar_counts_files_and_leagues(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    start = datetime(2020, 5, 18)
    moments = (start + timedelta(seconds=n) for n in range(99))
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(admin_module, "datetime", SimpleNamespace(now=lambda zone: next(moments)))
    with admin_module.progress_bars() as progress:
        for number in range(3):
            progress(number, 3, LEAGUES)
        for number in range(7):
            progress(number, 7, "sca20200517.log.gz")
        progress(7, 7, "")
        for number in range(1, 6):
            progress(number, 5, LEAGUES)
    drawn = screen.getvalue()
    assert "Tenhou  [####################################]  100%" in drawn
    assert "leagues  [####################################]  100%" in drawn
    assert drawn.index("Tenhou") < drawn.rindex("leagues")


def test_jobs_and_outcomes_travel_as_text() -> None:
    for job in (
        Job("prepare", "l0", date(2020, 5, 1)),
        Job("deliver", ""),
    ):
        assert Job.from_text(job.to_text()) == job
    outcome = Outcome(
        ["C0001"],
        False,
        True,
        added={"logvol1.txt": 2},
        days=["2020-05-17"],
        notes=["あ"],
    )
    assert Outcome.from_text(outcome.to_text()) == outcome
    assert Outcome.from_text(Outcome().to_text()) == Outcome()
