from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.dispatch.pictures import IN_USE, USED, Ahead
from bot.service import Service
from bot.settings import read_settings
from storage.folder import FolderLogs
from storage.ports import FRESH, StorageError
from tests.answers.world import LEAGUE, LOG
from tests.backend import Backend, close

GAME = "C1934 | 23:59 | 三般南喰赤速 | みどり(+52.0,+3枚) 東風(-10.0,0枚) さくら(-42.0,-3枚)\n"


class Cloud(FolderLogs):
    """A folder that is taken for one in the cloud, and counts the looks at it."""

    fresh = FRESH
    looks: dict[str, int]
    away = False

    def revisions(self) -> dict[str, str]:
        self.looks[self._directory.name] = self.looks.get(self._directory.name, 0) + 1
        if Cloud.away:
            raise StorageError("away")
        return super().revisions()


class Host:
    """A service with three leagues in a cloud, whose clock stands still."""

    def __init__(self, folder: Path, backend: Backend) -> None:
        self.folder, self.now, Cloud.looks, Cloud.away = folder, 0.0, {}, False
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
    before, drawn = dict(Cloud.looks), host.drawn
    reply = host.ahead.ask("one", "rating")
    for picture in host.ahead.pictures_of("one", "rating"):
        host.service.pictures.keep(picture)
    assert reply.parts
    assert (Cloud.looks, host.drawn) == (before, drawn)
    assert host.service.registry.known("one").snapshot().all_games()[-1].seats[0].score == 52.0


def test_leagues_out_of_use_and_fresh_ones_are_left_alone(host: Host) -> None:
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
