"""A picture is drawn once and stored once; after that only its address is signed again."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.chat.replies import Picture
from bot.dispatch.pictures import TRUST, Pictures
from storage.folder import FolderImages


@dataclass(frozen=True)
class Chart:
    title: str


class Pen:
    """Draws pictures and counts them."""

    def __init__(self) -> None:
        self.drawn = 0
        self.lock = threading.Lock()

    def draw(self, chart: Any) -> bytes:
        with self.lock:
            self.drawn += 1
        return b"\x89PNG\r\n\x1a\n" + chart.title.encode()

    def picture(self, title: str = "a") -> Picture:
        return Picture(Chart(title), self.draw, title)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def images(tmp_path: Path) -> FolderImages:
    return FolderImages(tmp_path / "images", secret=b"s" * 32, base_url="https://example.com")


def token(url: str) -> str:
    return url.rpartition("/")[2]


def test_many_who_ask_at_once_cost_one_drawing(images: FolderImages) -> None:
    pen, pictures = Pen(), Pictures(lambda: images, "secret")
    with ThreadPoolExecutor(16) as pool:
        urls = set(pool.map(lambda _: pictures.url(pen.picture()), range(64)))
    assert len(urls) == 1
    assert pen.drawn == 1
    assert images.open(token(urls.pop()))[0].endswith(b"a")


def test_another_process_finds_what_was_stored(images: FolderImages) -> None:
    pen = Pen()
    Pictures(lambda: images, "secret").url(pen.picture())
    Pictures(lambda: images, "secret").url(pen.picture())
    assert pen.drawn == 1


def test_other_data_have_another_address(images: FolderImages) -> None:
    pen, pictures = Pen(), Pictures(lambda: images, "secret")
    assert pictures.url(pen.picture("a")) != pictures.url(pen.picture("b"))


def test_an_address_cannot_be_made_without_the_secret() -> None:
    picture = Pen().picture()
    assert picture.key("1|one secret") != picture.key("1|another")


def test_a_picture_removed_by_the_buckets_rules_is_drawn_again(images: FolderImages, tmp_path: Path) -> None:
    clock, pen = Clock(), Pen()
    pictures = Pictures(lambda: images, "secret", clock)
    pictures.url(pen.picture())
    for file in (tmp_path / "images").rglob("*.png"):
        file.unlink()
    clock.now += TRUST
    pictures.url(pen.picture())
    assert pen.drawn == 2
