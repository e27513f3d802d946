"""A league's repository reads only what changed, and serves what it knows while the source is
away.
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


class Counted(FolderInMemory):
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
def logs() -> Counted:
    made = Counted()
    write(made, "logvol1.txt", "20200101\n" + GAME.format("あ", "い", "う"))
    write(made, "logvol2.txt", "20200201\n" + GAME.format("い", "う", "あ"))
    write(made, "notes.md", "not ours")
    return made


@pytest.fixture
def repository(logs: Counted, clock: Clock) -> League:
    return League(logs, clock)


def write(logs: Counted, name: str, text: str) -> None:
    logs.overwrite(name, text.encode())


def rated(
    league: League,
    model: str,
    season: int | None = None,
    **options: object,
) -> RatedGames:
    """The ratings of the league's newest snapshot."""
    return league.ratings(league.snapshot()).rated(model, season, **options)


def append(logs: Counted, name: str, text: str) -> None:
    logs.overwrite(name, logs.files[name].data + text.encode())


def test_a_changed_file_alone_is_read_later_or_at_once(
    repository: League, logs: Counted, clock: Clock
) -> None:
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
    append(logs, "logvol2.txt", GAME.format("う", "あ", "い"))
    repository.expire()
    assert len(repository.snapshot().all_games()) == 4


def test_what_is_known_serves_while_the_source_is_away(
    repository: League, logs: Counted, clock: Clock
) -> None:
    first = repository.snapshot()
    logs.away = True
    clock.now += FRESH
    assert repository.snapshot() is first
    assert repository.trouble == "away"
    with pytest.raises(StorageError):
        League(logs, clock).snapshot()
    logs.away = False
    clock.now += FRESH
    repository.snapshot()
    assert repository.trouble == ""


def test_the_rating_goes_on_from_the_last_known_game(
    repository: League, logs: Counted, clock: Clock, monkeypatch: pytest.MonkeyPatch
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


def test_a_broken_league_toml_leaves_the_last_good_one(
    repository: League, logs: Counted, clock: Clock
) -> None:
    write(logs, "league.toml", 'name = "A"\n')
    assert repository.snapshot().league.name == "A"
    write(logs, "league.toml", 'name = "B\n')
    clock.now += FRESH
    snapshot = repository.snapshot()
    assert snapshot.league.name == "A"
    (problem,) = snapshot.problems
    assert (problem.file, problem.line) == ("league.toml", 1)


def test_chips_count_as_league_toml_says_season_by_season(logs: Counted) -> None:
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


def test_only_the_leagues_rooms_count(logs: Counted) -> None:
    write(
        logs, "logvol1.txt", "20200101\n" + GAME.format("あ", "い", "う").replace("C6529", "C0001")
    )
    assert len(League(logs).snapshot().all_games()) == 2
    write(logs, "league.toml", 'rooms = ["C6529"]\n')
    assert [game.room for game in League(logs).snapshot().all_games()] == ["C6529"]


def test_starting_ratings_go_to_whoever_the_name_stands_for(logs: Counted) -> None:
    write(logs, "rating.txt", "旧名 1700 50\nい 1600\n")
    write(logs, "league.toml", '[player."あ"]\naliases = ["旧名"]\n[player."う"]\ngames = 100\n')
    repository = League(logs)
    assert repository.snapshot().starts == {
        "あ": (1700.0, 50),
        "い": (1600.0, 0),
        "う": (1500.0, 100),
    }
    found = rated(repository, "tenhou", 1)
    assert found.history["あ"].start == 1700
    assert found.standings["あ"].games == 51


def test_what_is_not_read_is_a_problem(logs: Counted) -> None:
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


def test_every_system_takes_what_the_leagues_files_say(logs: Counted) -> None:
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
    """A log source whose `revisions` waits until `go` is set."""

    fresh = FRESH

    def __init__(self, folder: Path) -> None:
        self.inner = FolderLogs(folder)
        self.go = threading.Event()
        self.asked = threading.Event()
        self.go.set()

    def revisions(self) -> Any:
        self.asked.set()
        assert self.go.wait(20)
        return self.inner.revisions()

    def read(self, name: str) -> Any:
        return self.inner.read(name)


def test_a_source_that_hangs_holds_one_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.league.repository.LOOKING", 0.01)
    source = SlowLogs(tmp_path)
    repository = League(source)  # type: ignore[arg-type]
    known = repository.snapshot()
    repository.expire()
    source.go.clear()
    source.asked.clear()
    hanging = threading.Thread(target=repository.snapshot)
    hanging.start()
    assert source.asked.wait(10)
    assert repository.snapshot() is known
    source.go.set()
    hanging.join(10)


def test_ratings_belong_to_their_snapshot(repository: League, logs: Counted, clock: Clock) -> None:
    """When the folder changes while an answer is made, the answer keeps to the games of its
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


def test_what_takes_long_is_computed_once_though_many_ask(repository: League) -> None:
    ratings = repository.ratings(repository.snapshot())
    made: list[int] = []
    go = threading.Event()

    def compute() -> int:
        assert go.wait(10)
        made.append(1)
        return 7

    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(ratings.computed, "key", compute) for _ in range(4)]
        go.set()
    assert ([each.result() for each in asked], made) == ([7] * 4, [1])
    assert ratings.computed("other", lambda: None) is None
    assert ratings.computed("other", compute) is None


@pytest.mark.parametrize("seconds", [0.0, 0.001, 100.0])
def test_a_change_of_a_folder_shows_on_the_next_question(tmp_path: Path, seconds: float) -> None:
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


def test_a_change_announced_during_a_look_is_looked_at(tmp_path: Path) -> None:
    source = SlowLogs(tmp_path)
    repository = League(source)  # type: ignore[arg-type]
    source.go.clear()
    looking = threading.Thread(target=repository.snapshot)
    looking.start()
    assert source.asked.wait(10)
    repository.expire()
    source.go.set()
    looking.join(10)
    source.asked.clear()
    repository.snapshot()
    assert source.asked.is_set()


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


def test_leagues_in_memory_stay_within_their_room(tmp_path: Path) -> None:
    leagues, write = make_leagues(tmp_path, 8)
    for number in range(40):
        write(f"l{number}", 40_000)
        leagues.league(f"l{number}").snapshot()
    assert sum(repository.weight for repository in leagues._known.values()) <= (8 << 20) + 700_000
    assert 5 <= len(leagues._known) < 20


def test_a_giant_goes_first(tmp_path: Path) -> None:
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


class Leagues:
    times = 0

    def expire_all(self) -> None:
        self.times += 1


def test_every_process_looks_again_once(state: State) -> None:
    one = Leagues()
    other = Leagues()
    hearing = ChangeSignal(state, one)  # type: ignore[arg-type]
    listening = ChangeSignal(state, other)  # type: ignore[arg-type]
    listening.listen()
    assert other.times == 0
    hearing.announce()
    for _ in range(3):
        hearing.listen()
        listening.listen()
    assert (one.times, other.times) == (1, 1)
    hearing.announce()
    listening.listen()
    assert other.times == 2
