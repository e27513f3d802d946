"""The library: only what changed is read, and what is known serves while the source is away."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.league.repository import FRESH, Library
from rating.models.base import Replay
from rating.models.jansou import Jansou
from rating.models.tenhou import Tenhou
from storage.logs import FolderLogs
from storage.ports import Changes, LogFile, StorageError

GAME = "C6529 | 15:52 | 三般南喰赤祝 | {0}(+77.0,+5枚) {1}(-7.0,+1枚) {2}(-70.0,-6枚)\n"


class Counted:
    """A log source that counts what is asked of it, and can be away."""

    def __init__(self, directory: Path) -> None:
        self.inner = FolderLogs(directory)
        self.reads: list[str] = []
        self.looks = 0
        self.away = False

    def changes(self, cursor: str | None = None) -> Changes:
        self.looks += 1
        if self.away:
            raise StorageError("away")
        return self.inner.changes(cursor)

    def read(self, name: str) -> LogFile:
        self.reads.append(name)
        return self.inner.read(name)

    def write(self, name: str, data: bytes, rev: str | None) -> str:
        return self.inner.write(name, data, rev)

    def overwrite(self, name: str, data: bytes) -> str:
        return self.inner.overwrite(name, data)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def logs(tmp_path: Path) -> Counted:
    (tmp_path / "logvol1.txt").write_text("20200101\n" + GAME.format("あ", "い", "う"), "utf-8")
    (tmp_path / "logvol2.txt").write_text("20200201\n" + GAME.format("い", "う", "あ"), "utf-8")
    (tmp_path / "notes.md").write_text("not ours", "utf-8")
    return Counted(tmp_path)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def library(logs: Counted, clock: Clock) -> Library:
    return Library(logs, clock)


def append(logs: Counted, name: str, text: str) -> None:
    file = logs.inner.read(name)
    logs.inner.write(name, file.data + text.encode(), file.rev)


def test_everything_is_read_once(library: Library, logs: Counted) -> None:
    snapshot = library.snapshot()
    assert sorted(logs.reads) == ["logvol1.txt", "logvol2.txt"]
    assert [len(snapshot.all_games(n)) for n in (None, 1, 2)] == [2, 1, 1]
    library.snapshot()
    assert logs.looks == 1


def test_only_the_changed_file_is_read_again(library: Library, logs: Counted, clock: Clock) -> None:
    first = library.snapshot()
    logs.reads.clear()
    append(logs, "logvol2.txt", GAME.format("う", "あ", "い"))
    assert library.snapshot() is first
    clock.now += FRESH
    second = library.snapshot()
    assert logs.reads == ["logvol2.txt"]
    assert second.revision != first.revision
    assert len(second.all_games()) == 3


def test_an_announced_change_is_looked_at_at_once(library: Library, logs: Counted) -> None:
    library.snapshot()
    append(logs, "logvol2.txt", GAME.format("う", "あ", "い"))
    library.stale()
    assert len(library.snapshot().all_games()) == 3


def test_what_is_known_serves_while_the_source_is_away(library: Library, logs: Counted, clock: Clock) -> None:
    first = library.snapshot()
    logs.away = True
    clock.now += FRESH
    assert library.snapshot() is first
    assert library.trouble == "away"
    logs.away = False
    clock.now += FRESH
    library.snapshot()
    assert library.trouble == ""


def test_a_league_never_read_is_an_error(logs: Counted, clock: Clock) -> None:
    logs.away = True
    with pytest.raises(StorageError):
        Library(logs, clock).snapshot()


def test_the_rating_goes_on_from_the_last_known_game(
    library: Library, logs: Counted, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    import bot.league.repository as module

    played: list[tuple[int, bool]] = []
    real = module.replay

    def counting(model: object, games: list[object], known: Replay[object] | None = None) -> Replay[object]:
        played.append((len(games), known is not None))
        return real(model, games, known)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "replay", counting)
    library.replayed("tenhou")
    append(logs, "logvol2.txt", GAME.format("う", "あ", "い"))
    clock.now += FRESH
    grown, _, _ = library.replayed("tenhou")
    library.replayed("tenhou")
    assert played == [(2, False), (1, True)]
    fresh, _, _ = Library(logs.inner).replayed("tenhou")
    assert dict(grown) == dict(fresh)


def test_a_broken_league_toml_leaves_the_last_good_one_in_force(
    library: Library, logs: Counted, clock: Clock
) -> None:
    logs.inner.write("league.toml", b'name = "A"\n', None)
    assert library.snapshot().league.name == "A"
    logs.inner.overwrite("league.toml", b'name = "B\n')
    clock.now += FRESH
    snapshot = library.snapshot()
    assert snapshot.league.name == "A"
    (problem,) = snapshot.problems
    assert (problem.file, problem.line) == ("league.toml", 1)


def test_starting_ratings_come_from_rating_txt(library: Library, logs: Counted) -> None:
    logs.inner.write("rating.txt", "あ 1700 400\n".encode(), None)
    result, history, _ = library.replayed("tenhou", 1)
    assert history["あ"].start == 1700
    assert result["あ"].games == 401


def write(logs: Counted, name: str, text: str) -> None:
    logs.overwrite(name, text.encode())


def test_chips_count_as_league_toml_says_season_by_season(logs: Counted) -> None:
    plain = Library(logs).replayed("jansou")[0]
    write(logs, "league.toml", "[rules]\nchip = 2.0\n[[season]]\n[[season]]\nchip = 5\n")
    library = Library(logs)
    first = library.replayed("jansou", 1)[0]
    assert first == library.replayed("jansou", 1, chip=2.0)[0]
    assert first["あ"].value > plain["あ"].value
    assert library.replayed("jansou", 2)[0] == library.replayed("jansou", 2, chip=5)[0]
    assert library.replayed("jansou")[0] not in (plain, library.replayed("jansou", chip=2.0)[0])


def test_only_the_leagues_rooms_count(logs: Counted) -> None:
    write(logs, "logvol1.txt", "20200101\n" + GAME.format("あ", "い", "う").replace("C6529", "C0001"))
    assert len(Library(logs).snapshot().all_games()) == 2
    write(logs, "league.toml", 'rooms = ["C6529"]\n')
    assert [game.room for game in Library(logs).snapshot().all_games()] == ["C6529"]


def test_starting_ratings_go_to_whoever_the_name_stands_for(logs: Counted) -> None:
    write(logs, "rating.txt", "旧名 1700 50\nい 1600\n")
    write(logs, "league.toml", '[player."あ"]\naliases = ["旧名"]\n[player."う"]\ngames = 100\n')
    assert Library(logs).snapshot().starts == {"あ": (1700.0, 50), "い": (1600.0, 0), "う": (1500.0, 100)}


def test_what_is_not_read_is_a_problem(logs: Counted) -> None:
    write(logs, "logvol01.txt", "20200101\n" + GAME.format("あ", "い", "う"))
    write(logs, "league.toml", '[player."あ"]\naliases = ["旧名"]\n')
    write(logs, "teamlog.txt", "2020-01-01 | あ 旧名 い う | o x o\n2020-01-02 | あ い う え | o x o\n")
    snapshot = Library(logs).snapshot()
    assert len(snapshot.all_games()) == 2
    assert [(p.file, p.line) for p in snapshot.problems] == [("teamlog.txt", 1), ("logvol01.txt", 1)]


def test_every_system_takes_what_the_leagues_files_say(logs: Counted) -> None:
    write(logs, "league.toml", '[rules]\nchip = 2.0\n[[season]]\nchip = 5\n[player."あ"]\nrating = 1700\n')
    systems = Library(logs).snapshot().systems()
    assert systems["jansou"] == Jansou(chip=2.0, season_chip={"logvol1.txt": 5}, starts={"あ": (1700.0, 0)})
    assert systems["tenhou"] == Tenhou(starts={"あ": (1700.0, 0)})
    assert "team_elo" not in systems
