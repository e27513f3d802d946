from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from bot.chat.replies import Reply
from bot.dispatch.ahead import IN_USE, USED, Ahead
from bot.service import Service
from bot.settings import read_settings
from storage.folder import FolderLogs
from storage.ports import FRESH, StorageError
from tests.answers.leagues import NINE, log_of
from tests.answers.world import LEAGUE, LOG
from tests.backend import Backend, close

LAST_MONTH = date.today() - timedelta(days=9)
GAME = "C1934 | 23:59 | 三般南喰赤速 | みどり(+52.0,+3枚) 東風(-10.0,0枚) さくら(-42.0,-3枚)\n"


class Cloud(FolderLogs):
    """A folder that is taken for one in the cloud, and counts the looks at it."""

    fresh = FRESH
    looks: dict[str, int]
    away = False

    def revisions(self) -> dict[str, str]:
        name = self._directory.name
        self.looks[name] = self.looks.get(name, 0) + 1
        if Cloud.away:
            raise StorageError("away")
        return super().revisions()


class Host:
    """A service with three leagues in a cloud, whose clock stands still."""

    def __init__(self, folder: Path, backend: Backend) -> None:
        self.folder = folder
        self.now = 0.0
        Cloud.looks = {}
        Cloud.away = False
        for name in ("one", "two", "three"):
            (folder / name).mkdir()
            (folder / name / "league.toml").write_text(LEAGUE, "utf-8")
            (folder / name / "logvol1.txt").write_text(LOG, "utf-8")
        env = {"LOGS_URL": f"file:{folder}", "IMAGES_URL": f"file:{folder / 'images'}"}
        env |= {"PUBLIC_URL": "https://bot.example", **backend.env(folder)}
        self.service = Service(read_settings(env))
        self.service.registry._open_logs = lambda name: Cloud(folder / name)
        self.service.registry._clock = lambda: self.now
        self.ahead: Ahead = self.service.ahead

    def ask(self, name: str) -> None:
        league = self.service.registry.league(name)
        league._clock = lambda: self.now
        league.snapshot()

    def add_a_game(self, name: str) -> None:
        log = self.folder / name / "logvol1.txt"
        log.write_text(log.read_text("utf-8") + GAME, "utf-8")

    def plan(self, name: str, games: int) -> None:
        """Give a league a season of which two thirds are played."""
        folder = self.folder / name
        (folder / "league.toml").write_text(f"[[season]]\ngames = {games}\n", "utf-8")
        (folder / "logvol1.txt").write_bytes(
            log_of(
                NINE[:5],
                games * 2 // 3,
                first=LAST_MONTH,
            )
        )

    @property
    def drawn(self) -> int:
        return len(list((self.folder / "images").rglob("*.png")))


@pytest.fixture
def host(tmp_path: Path, backend: Backend) -> Iterator[Host]:
    made = Host(tmp_path, backend)
    yield made
    close(made.service)


def test_only_what_changed_is_drawn(host: Host) -> None:
    host.ask("one")
    host.ask("two")
    host.ahead.look(USED, 0.0)
    assert host.drawn == 0
    host.now += 1
    host.add_a_game("one")
    host.add_a_game("three")  # nobody uses this one
    host.ahead.look(USED, 0.0)
    first = host.drawn
    assert first
    assert "three" not in Cloud.looks
    host.now += 1
    for _ in range(3):
        host.ahead.look(USED, 0.0)
    assert host.drawn == first


def test_a_tap_after_it_finds_its_picture_and_does_not_look(host: Host) -> None:
    host.ask("one")
    host.now += 4
    host.add_a_game("one")
    host.ahead.look(IN_USE, 3.5)
    before = dict(Cloud.looks)
    drawn = host.drawn
    reply = host.ahead.ask("one", "rating")
    for picture in host.ahead.pictures_of("one", "rating"):
        host.service.pictures.keep(picture)
    assert reply.parts
    assert (Cloud.looks, host.drawn) == (before, drawn)
    last_game = host.service.registry.known("one").snapshot().all_games()[-1]
    assert last_game.seats[0].score == 52.0


def test_slow_answers_are_ready_after_a_start(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also their pictures; a tap computes nothing of what takes seconds."""
    host.plan("one", games=60)
    host.ask("one")
    host.ahead.watch()
    host.ahead.close()

    def refuse(*_: object) -> None:
        raise AssertionError("it is computed ahead")

    monkeypatch.setattr("bot.answers.common.outlooks.curve", refuse)
    drawn = host.drawn
    (chances,) = host.ahead.pictures_of("one", "forecast")
    (report,) = host.ahead.pictures_of("one", "summary")
    for picture in (chances, report):
        host.service.pictures.keep(picture)
    assert host.drawn == drawn > 0


def test_slow_answers_are_made_once_a_change(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[str]()
    ask = host.ahead.ask

    def counted(folder: str, name: str, *args: bool, **options: str) -> Reply:
        asked.append(name)
        return ask(folder, name, *args, **options)

    monkeypatch.setattr(host.ahead, "ask", counted)
    host.ahead.prepare_slow("one")
    assert asked == [], "nobody has asked for the league yet"
    host.ask("one")
    for _ in range(2):
        host.ahead.prepare_slow("one")
    assert asked == ["forecast", "summary"]
    host.now += 5
    host.add_a_game("one")
    host.ask("one")
    host.ahead.prepare_slow("one")
    assert asked == ["forecast", "summary"] * 2


def test_only_stale_leagues_in_use_are_looked_at(host: Host) -> None:
    host.ask("one")
    host.now += IN_USE - 1
    host.ask("two")
    looks = dict(Cloud.looks)
    host.ahead.look(
        IN_USE, 3.5
    )  # one is in use and was looked at long ago, two was looked at just now
    assert Cloud.looks == {**looks, "one": looks["one"] + 1}
    host.now += 5
    host.ahead.look(IN_USE, 3.5)
    assert Cloud.looks == {"one": looks["one"] + 1, "two": looks["two"] + 1}


def test_a_cloud_out_of_reach_stops_nothing(host: Host) -> None:
    host.ask("one")
    host.ask("two")
    host.now += 5
    Cloud.away = True
    host.ahead.look(USED, 0.0)
    Cloud.away = False
    host.add_a_game("two")
    host.now += 1
    host.ahead.look(USED, 0.0)
    assert host.drawn
