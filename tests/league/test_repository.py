"""A league's repository reads only changed files, and returns its last snapshot while the source
cannot be reached.
"""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from bot.league import ratings as league_ratings
from bot.league.change_signal import ChangeSignal
from bot.league.ratings import RatedGames
from bot.league.repository import LeagueRegistry, LeagueRepository as League
from rating.models.base import Replay
from rating.models.jansou import Jansou
from rating.models.tenhou import Tenhou
from storage.folder import FolderLogs
from storage.ports import FRESH, LogFile, StorageError
from storage.state import State
from tests.clock import Clock
from tests.world.stores import FolderInMemory

GAME = "C6529 | 15:52 | 三般南喰赤祝 | {0}(+77.0,+5枚) {1}(-7.0,+1枚) {2}(-70.0,-6枚)\n"


class CountingLogs(FolderInMemory):
    """A log source in the cloud that counts its calls and can be made to fail."""

    fresh = FRESH

    def __init__(self) -> None:
        super().__init__()
        self.reads: list[str] = []
        self.looks = 0
        self.away = False

    def revisions(self) -> dict[str, str]:
        self.looks += 1
        if self.away:
            raise StorageError("away")
        return super().revisions()

    def read(self, name: str) -> LogFile:
        if not name.startswith("history/"):
            self.reads.append(name)
        return super().read(name)


@pytest.fixture
def logs() -> CountingLogs:
    logs = CountingLogs()
    write(logs, "logvol1.txt", "20200101\n" + GAME.format("あ", "い", "う"))
    write(logs, "logvol2.txt", "20200201\n" + GAME.format("い", "う", "あ"))
    write(logs, "notes.md", "not ours")
    return logs


@pytest.fixture
def repository(logs: CountingLogs, clock: Clock) -> League:
    return League(logs, clock)


def write(logs: CountingLogs, name: str, text: str) -> None:
    logs.overwrite(name, text.encode())


def rated(
    league: League,
    model: str,
    season: int | None = None,
    **options: object,
) -> RatedGames:
    """The ratings of the league's newest snapshot."""
    return league.ratings(league.snapshot()).rated(model, season, **options)


def append(logs: CountingLogs, name: str, text: str) -> None:
    logs.overwrite(name, logs.files[name].data + text.encode())


def test_only_changed_files_are_read(repository: League, logs: CountingLogs, clock: Clock) -> None:
    first = repository.snapshot()
    assert sorted(logs.reads) == ["logvol1.txt", "logvol2.txt"]
    assert [len(first.all_games(n)) for n in (None, 1, 2)] == [2, 1, 1]
    logs.reads.clear()
    append(logs, "logvol2.txt", GAME.format("う", "あ", "い"))
    assert repository.snapshot() is first
    assert logs.looks == 1
    clock.now += FRESH
    second = repository.snapshot()
    assert logs.reads == ["logvol2.txt"]
    assert second.revision != first.revision
    assert len(second.all_games()) == 3


def test_announced_change_is_read_at_once(repository: League, logs: CountingLogs) -> None:
    assert len(repository.snapshot().all_games()) == 2
    append(logs, "logvol2.txt", GAME.format("う", "あ", "い"))
    repository.expire()
    assert len(repository.snapshot().all_games()) == 3


def test_unreachable_source_without_a_snapshot_raises(logs: CountingLogs, clock: Clock) -> None:
    logs.away = True
    with pytest.raises(StorageError):
        League(logs, clock).snapshot()


def test_last_snapshot_is_used_while_the_source_is_unreachable(
    repository: League, logs: CountingLogs, clock: Clock
) -> None:
    first = repository.snapshot()
    logs.away = True
    clock.now += FRESH
    assert repository.snapshot() is first
    assert repository.trouble == "away"
    logs.away = False
    clock.now += FRESH
    repository.snapshot()
    assert repository.trouble == ""


def test_ratings_continue_from_the_last_known_game(
    repository: League, logs: CountingLogs, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[tuple[int, bool]] = []
    real = league_ratings.replay

    def counting(
        model: object, games: list[object], known: Replay[object] | None = None
    ) -> Replay[object]:
        played.append((len(games), known is not None))
        return real(model, games, known)  # type: ignore[arg-type]

    monkeypatch.setattr(league_ratings, "replay", counting)
    rated(repository, "tenhou")
    append(logs, "logvol2.txt", GAME.format("う", "あ", "い"))
    clock.now += FRESH
    grown = rated(repository, "tenhou").standings
    rated(repository, "tenhou")
    assert played == [(2, False), (1, True)]
    fresh = rated(League(logs), "tenhou").standings
    assert dict(grown) == dict(fresh)


def test_broken_league_toml_leaves_the_last_good_one(
    repository: League, logs: CountingLogs, clock: Clock
) -> None:
    write(logs, "league.toml", 'name = "A"\n')
    assert repository.snapshot().league.name == "A"
    write(logs, "league.toml", 'name = "B\n')
    clock.now += FRESH
    snapshot = repository.snapshot()
    assert snapshot.league.name == "A"
    (problem,) = snapshot.problems
    assert (problem.file, problem.line) == ("league.toml", 1)


def test_league_toml_sets_the_chip_of_each_season(logs: CountingLogs) -> None:
    plain = rated(League(logs), "jansou").standings
    write(logs, "league.toml", "[rules]\nchip = 2.0\n[[season]]\n[[season]]\nchip = 5\n")
    repository = League(logs)
    first = rated(repository, "jansou", 1).standings
    assert first == rated(repository, "jansou", 1, chip=2.0).standings
    assert first["あ"].value > plain["あ"].value
    assert (
        rated(repository, "jansou", 2).standings == rated(repository, "jansou", 2, chip=5).standings
    )
    every = rated(repository, "jansou").standings
    assert every not in (plain, rated(repository, "jansou", chip=2.0).standings)


def test_only_games_in_the_leagues_rooms_count(logs: CountingLogs) -> None:
    write(
        logs, "logvol1.txt", "20200101\n" + GAME.format("あ", "い", "う").replace("C6529", "C0001")
    )
    assert len(League(logs).snapshot().all_games()) == 2
    write(logs, "league.toml", 'rooms = ["C6529"]\n')
    assert [game.room for game in League(logs).snapshot().all_games()] == ["C6529"]


def test_starting_rating_of_an_alias_is_its_players(logs: CountingLogs) -> None:
    write(logs, "rating.txt", "旧名 1700 50\nい 1600\n")
    write(logs, "league.toml", '[player."あ"]\naliases = ["旧名"]\n[player."う"]\ngames = 100\n')
    repository = League(logs)
    assert repository.snapshot().starts == {
        "あ": (1700.0, 50),
        "い": (1600.0, 0),
        "う": (1500.0, 100),
    }
    ratings = rated(repository, "tenhou", 1)
    assert ratings.history["あ"].start == 1700
    assert ratings.standings["あ"].games == 51


def test_unread_lines_and_logs_are_problems(logs: CountingLogs) -> None:
    write(logs, "logvol01.txt", "20200101\n" + GAME.format("あ", "い", "う"))
    write(logs, "league.toml", '[player."あ"]\naliases = ["旧名"]\n')
    write(
        logs,
        "teamlog.txt",
        "2020-01-01 | あ 旧名 い う | o x o\n2020-01-02 | あ い う え | o x o\n",
    )
    snapshot = League(logs).snapshot()
    assert len(snapshot.all_games()) == 2
    assert [(p.file, p.line) for p in snapshot.problems] == [
        ("teamlog.txt", 1),
        ("logvol01.txt", 1),
    ]


def test_rating_systems_use_the_leagues_files(logs: CountingLogs) -> None:
    write(
        logs,
        "league.toml",
        '[rules]\nchip = 2.0\n[[season]]\nchip = 5\n[player."あ"]\nrating = 1700\n',
    )
    systems = League(logs).snapshot().systems()
    assert systems["jansou"] == Jansou(
        chip=2.0, season_chip={"logvol1.txt": 5}, starts={"あ": (1700.0, 0)}
    )
    assert systems["tenhou"] == Tenhou(starts={"あ": (1700.0, 0)})
    assert "team_elo" not in systems


class SlowLogs:
    """A log source whose `revisions` waits until `may_answer` is set."""

    fresh = FRESH

    def __init__(self, folder: Path) -> None:
        self.inner = FolderLogs(folder)
        self.may_answer = threading.Event()
        self.has_request = threading.Event()
        self.may_answer.set()

    def revisions(self) -> Any:
        self.has_request.set()
        assert self.may_answer.wait(20)
        return self.inner.revisions()

    def read(self, name: str) -> Any:
        return self.inner.read(name)


def test_slow_source_blocks_one_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.league.repository.LOOKING", 0.01)
    source = SlowLogs(tmp_path)
    repository = League(source)  # type: ignore[arg-type]
    snapshot = repository.snapshot()
    repository.expire()
    source.may_answer.clear()
    source.has_request.clear()
    blocked = threading.Thread(target=repository.snapshot)
    blocked.start()
    assert source.has_request.wait(10)
    assert repository.snapshot() is snapshot
    source.may_answer.set()
    blocked.join(10)


def test_ratings_belong_to_their_snapshot(
    repository: League, logs: CountingLogs, clock: Clock
) -> None:
    """If the folder changes while an answer is computed, the answer uses the games of its
    snapshot.
    """
    before = repository.snapshot()
    ratings = repository.ratings(before)
    append(logs, "logvol2.txt", GAME.format("う", "あ", "い") * 3)
    clock.now += FRESH
    after = repository.snapshot()
    old = ratings.rated("tenhou")
    new = repository.ratings(after).rated("tenhou")
    assert [len(old.games), len(new.games)] == [2, 5]
    assert ratings.rated("tenhou").games == list(before.all_games())
    assert ratings.rated("tenhou").standings == old.standings
    assert rated(repository, "tenhou").standings == new.standings


def test_value_requested_by_many_threads_is_computed_once(repository: League) -> None:
    ratings = repository.ratings(repository.snapshot())
    computations: list[int] = []
    may_compute = threading.Event()

    def compute() -> int:
        assert may_compute.wait(10)
        computations.append(1)
        return 7

    with ThreadPoolExecutor(4) as pool:
        requests = [pool.submit(ratings.computed, "key", compute) for _ in range(4)]
        may_compute.set()
    assert [request.result() for request in requests] == [7] * 4
    assert len(computations) == 1


def test_computed_none_is_not_computed_again(repository: League) -> None:
    ratings = repository.ratings(repository.snapshot())
    assert ratings.computed("key", lambda: None) is None
    assert ratings.computed("key", lambda: 7) is None


@pytest.mark.parametrize("seconds", [0.0, 0.001, 100.0])
def test_change_of_a_folder_is_in_the_next_snapshot(tmp_path: Path, seconds: float) -> None:
    logs = FolderLogs(tmp_path)
    clock = Clock()
    repository = League(logs, clock)
    assert repository.snapshot().all_games() == ()
    for count in range(1, 5):
        (tmp_path / "logvol1.txt").write_text(
            "20200101\n" + GAME.format("あ", "い", "う") * count, "utf-8"
        )
        clock.now += seconds
        changed = repository.snapshot()
        assert len(changed.all_games()) == count
        assert repository.snapshot() is changed


def test_change_announced_during_a_look_is_read(tmp_path: Path) -> None:
    source = SlowLogs(tmp_path)
    repository = League(source)  # type: ignore[arg-type]
    source.may_answer.clear()
    looking = threading.Thread(target=repository.snapshot)
    looking.start()
    assert source.has_request.wait(10)
    repository.expire()
    source.may_answer.set()
    looking.join(10)
    source.has_request.clear()
    repository.snapshot()
    assert source.has_request.is_set()


def make_leagues(
    folder: Path,
    megabytes: int,
) -> tuple[LeagueRegistry, Callable[[str, int], None]]:
    def write(league: str, size: int) -> None:
        (folder / league).mkdir(exist_ok=True)
        (folder / league / "logvol1.txt").write_bytes(
            b"x" * 99 + b"\n" + (b" " * 99 + b"\n") * (size // 100)
        )

    return LeagueRegistry(lambda name: FolderLogs(folder / name), megabytes), write


def test_leagues_in_memory_stay_within_the_limit(tmp_path: Path) -> None:
    leagues, write = make_leagues(tmp_path, 8)
    for number in range(40):
        write(f"l{number}", 40_000)
        leagues.league(f"l{number}").snapshot()
    assert sum(repository.weight for repository in leagues._known.values()) <= (8 << 20) + 700_000
    assert 5 <= len(leagues._known) < 20


def test_very_large_league_is_removed_first(tmp_path: Path) -> None:
    leagues, write = make_leagues(tmp_path, 8)
    write("small", 1000)
    small = leagues.league("small")
    small.snapshot()
    write("giant", 800_000)
    giant = leagues.league("giant")
    giant.snapshot()
    write("other", 1000)
    leagues.league("other").snapshot()
    assert leagues.league("small") is small
    assert leagues.league("giant") is not giant


class CountingRegistry:
    """Counts how often its leagues are to look again."""

    expirations = 0

    def expire_all(self) -> None:
        self.expirations += 1


class SignallingProcess:
    def __init__(self, state: State) -> None:
        self.registry = CountingRegistry()
        self.signal = ChangeSignal(state, self.registry)  # type: ignore[arg-type]


def test_every_process_looks_again_once_after_a_change(state: State) -> None:
    writer = SignallingProcess(state)
    reader = SignallingProcess(state)
    reader.signal.listen()
    assert reader.registry.expirations == 0
    writer.signal.announce()
    for _ in range(3):
        writer.signal.listen()
        reader.signal.listen()
    assert writer.registry.expirations == 1
    assert reader.registry.expirations == 1
    writer.signal.announce()
    reader.signal.listen()
    assert reader.registry.expirations == 2
