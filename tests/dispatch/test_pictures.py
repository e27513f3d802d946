import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.chat.replies import Picture, Reply
from bot.dispatch import pictures as pictures_module
from bot.dispatch.pictures import TRUST, Pictures
from storage.addresses import ImageOptions
from storage.database import Database
from storage.folder import FolderImages
from storage.ports import StorageError
from storage.state import State
from storage.values import Values
from tests.clock import Clock

PNG = b"\x89PNG\r\n\x1a\n"


class Watched(Values):
    """Values that note when a second process finds that the picture is already being drawn."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.refused = threading.Event()
        self.down = False

    def add(self, key: str, value: str, ttl: float | None = None) -> bool:
        if self.down:
            raise StorageError("down")
        added = super().add(key, value, ttl)
        if not added:
            self.refused.set()
        return added


@pytest.fixture
def values(state: State) -> Watched:
    return Watched(state.database)


def images(folder: Path) -> FolderImages:
    return FolderImages(folder / "images", ImageOptions(b"s" * 32, lambda: "https://bot.example"))


def address(pictures: Pictures, picture: Picture) -> str:
    (part,) = pictures.stored(Reply((picture,))).parts
    assert isinstance(part, Picture)
    return part.url


def pictures_of(store: FolderImages, values: Values) -> Pictures:
    return Pictures(SimpleNamespace(images=store), "secret", values)


class CountedImages(FolderImages):
    """Images that count the queries for one."""

    queries = 0

    def has(self, key: str) -> bool:
        self.queries += 1
        return super().has(key)


def counted_images(folder: Path) -> CountedImages:
    return CountedImages(folder / "images", ImageOptions(b"s" * 32, lambda: "https://bot.example"))


def test_a_new_picture_is_not_looked_up_in_the_store(values: Watched, tmp_path: Path) -> None:
    drawn: list[str] = []

    def draw(chart: str) -> bytes:
        drawn.append(chart)
        return PNG

    stores = [counted_images(tmp_path) for _ in range(3)]
    for store in stores:
        pictures = pictures_of(store, values)
        for chart in ("one", "another"):
            pictures.keep(Picture(chart, draw, "alt"))
    assert drawn == ["one", "another"]
    assert [store.queries for store in stores] == [0, 0, 0]


def test_a_picture_stored_long_ago_is_looked_up(values: Watched, tmp_path: Path) -> None:
    drawn: list[str] = []

    def draw(chart: str) -> bytes:
        drawn.append(chart)
        return PNG

    def keep() -> int:
        store = counted_images(tmp_path)
        key = pictures_of(store, values).keep(Picture("chart", draw, "alt"))
        values.put(f"drawing:{key}", repr(time.time() - TRUST - 1))
        return store.queries

    assert [keep(), keep(), keep()] == [0, 1, 1]
    assert drawn == ["chart"]
    for file in (tmp_path / "images").rglob("*.png"):
        file.unlink()  # as a bucket's own rules do
    keep()
    assert drawn == ["chart", "chart"]


def test_another_process_draws_after_a_failure(values: Watched, tmp_path: Path) -> None:
    tried: list[int] = []

    def draw(_: object) -> bytes:
        tried.append(1)
        if len(tried) == 1:
            assert values.refused.wait(10)
            raise RuntimeError("no ink")
        return PNG

    def keep(pictures: Pictures) -> bool:
        try:
            pictures.keep(Picture("chart", draw, "alt"))
        except RuntimeError:
            return False
        return True

    processes = [pictures_of(images(tmp_path), values) for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(keep, processes)) == [False, True]


def test_a_picture_is_drawn_without_the_database(values: Watched, tmp_path: Path) -> None:
    values.down = True
    pictures = pictures_of(images(tmp_path), values)
    assert images(tmp_path).has(pictures.keep(Picture("chart", lambda _: PNG, "alt")))
    picture = Picture("a", lambda _: PNG, "alt")
    assert picture.key("1|one secret") != picture.key("1|another")


def test_the_claim_of_a_killed_process_ends(
    values: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.dispatch.pictures.DRAWING", 0.1)
    pictures = pictures_of(images(tmp_path), values)
    picture = Picture("chart", lambda _: PNG, "alt")
    values.put(f"drawing:{picture.key(pictures._renderer)}", "")
    assert images(tmp_path).has(pictures.keep(picture))


def test_many_taps_at_once_cost_one_drawing(values: Watched, tmp_path: Path) -> None:
    """In two processes of eight threads."""
    drawn: list[str] = []
    processes = [pictures_of(images(tmp_path), values) for _ in range(2)]
    store = images(tmp_path)
    pictures = processes[0]

    def draw(chart: str) -> bytes:
        assert chart == "b" or values.refused.wait(10)
        drawn.append(chart)
        return PNG

    with ThreadPoolExecutor(16) as pool:
        [url] = set(
            pool.map(
                lambda n: address(processes[n % 2], Picture("a", draw, "alt")),
                range(64),
            )
        )
    assert drawn == ["a"]
    assert store.open(url.rpartition("/")[2]).data == PNG
    assert address(pictures, Picture("b", draw, "alt")) != url


def test_a_picture_that_the_bucket_removed_is_drawn_again(
    values: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[float] = []
    clock = Clock()
    monkeypatch.setattr(pictures_module, "time", SimpleNamespace(time=clock, monotonic=clock))
    pictures = pictures_of(images(tmp_path), values)

    def draw(_: str) -> bytes:
        drawn.append(clock.now)
        return PNG

    for clock.now in (0.0, 1.0, TRUST):
        address(pictures, Picture("a", draw, "alt"))
        for file in (tmp_path / "images").rglob("*.png"):
            file.unlink()
    assert drawn == [0.0, TRUST]
