"""Two processes need the same new picture at once: it is drawn once."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bot.chat.replies import Picture
from bot.dispatch.pictures import TRUST, Pictures
from storage.folder_images import FolderImages
from storage.ports import StorageError
from storage.state import SqlState
from tests.backend import Backend

PNG = b"\x89PNG\r\n\x1a\n"


class Watched(SqlState):
    """A store that notes when a second process finds that the picture is already being drawn."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
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
def state(tmp_path: Path, backend: Backend) -> Iterator[Watched]:
    store = Watched(backend.database(tmp_path))
    yield store
    store.close()


def images(folder: Path) -> FolderImages:
    return FolderImages(folder / "images", secret=b"s" * 32, base_url=lambda: "https://bot.example")


def test_one_draws_and_the_other_waits_for_it(state: Watched, tmp_path: Path) -> None:
    drawn: list[int] = []

    def draw(_: object) -> bytes:
        assert state.refused.wait(10)
        drawn.append(1)
        return PNG

    processes = [Pictures(images(tmp_path), "secret", state=state) for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda pictures: pictures.keep(Picture("chart", draw, "alt")), processes)
    assert first == second
    assert drawn == [1]


class Asked(FolderImages):
    """Images that count how often they are asked for one."""

    asked = 0

    def has(self, key: str) -> bool:
        self.asked += 1
        return super().has(key)


def asked(folder: Path) -> Asked:
    return Asked(folder / "images", secret=b"s" * 32, base_url=lambda: "https://bot.example")


def test_the_image_store_is_not_asked_for_what_is_new_or_was_just_drawn(
    state: Watched, tmp_path: Path
) -> None:
    drawn: list[str] = []

    def draw(chart: str) -> bytes:
        drawn.append(chart)
        return PNG

    stores = [asked(tmp_path) for _ in range(3)]
    for store in stores:
        pictures = Pictures(store, "secret", state=state)
        for chart in ("one", "another"):
            pictures.keep(Picture(chart, draw, "alt"))
    assert drawn == ["one", "another"]
    assert [store.asked for store in stores] == [0, 0, 0]


def test_a_picture_stored_long_ago_is_asked_for(state: Watched, tmp_path: Path) -> None:
    drawn: list[str] = []

    def draw(chart: str) -> bytes:
        drawn.append(chart)
        return PNG

    def keep() -> int:
        store = asked(tmp_path)
        key = Pictures(store, "secret", state=state).keep(Picture("chart", draw, "alt"))
        state.put(f"drawing:{key}", repr(time.time() - TRUST - 1))
        return store.asked

    assert [keep(), keep(), keep()] == [0, 1, 1]
    assert drawn == ["chart"]
    for file in (tmp_path / "images").rglob("*.png"):
        file.unlink()  # as a bucket's own rules do
    keep()
    assert drawn == ["chart", "chart"]


def test_who_fails_leaves_it_to_the_other(state: Watched, tmp_path: Path) -> None:
    tried: list[int] = []

    def draw(_: object) -> bytes:
        tried.append(1)
        if len(tried) == 1:
            assert state.refused.wait(10)
            raise RuntimeError("no ink")
        return PNG

    def keep(pictures: Pictures) -> bool:
        try:
            pictures.keep(Picture("chart", draw, "alt"))
        except RuntimeError:
            return False
        return True

    processes = [Pictures(images(tmp_path), "secret", state=state) for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(keep, processes)) == [False, True]


def test_without_the_state_store_it_is_drawn(state: Watched, tmp_path: Path) -> None:
    state.down = True
    pictures = Pictures(images(tmp_path), "secret", state=state)
    assert pictures.images.has(pictures.keep(Picture("chart", lambda _: PNG, "alt")))


def test_a_mark_left_behind_does_not_stop_it(
    state: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.dispatch.pictures.DRAWING", 0.1)
    pictures = Pictures(images(tmp_path), "secret", state=state)
    picture = Picture("chart", lambda _: PNG, "alt")
    state.put(f"drawing:{picture.key(pictures._renderer)}", "")
    assert pictures.images.has(pictures.keep(picture))
