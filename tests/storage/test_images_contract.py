import itertools
import secrets
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import requests

from bot.settings.stores import IMAGE_KINDS, open_images
from storage.addresses import ImageOptions
from storage.ports import ImageStore, NotFound
from storage.postgres import PostgresImages
from storage.s3_images import S3Images

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 400
OTHER = b"\x89PNG\r\n\x1a\n" + b"other"
JPEG = b"\xff\xd8\xff\xe0" + b"jpeg"

BASE = "https://janroku.example"
Maker = Callable[..., ImageStore]


def _served(kind: Callable[[ImageOptions], ImageStore], **more: Any) -> Maker:
    def made(**options: Any) -> ImageStore:
        return kind(ImageOptions(b"s" * 32, BASE, **more, **options))

    return made


def _by_address(scheme: str) -> Callable[[pytest.FixtureRequest, Path], Maker]:
    def maker(_: pytest.FixtureRequest, folder: Path) -> Maker:
        return _served(partial(open_images, f"{scheme}{folder / 'images'}"))

    return maker


def _in_postgres(request: pytest.FixtureRequest, _: Path) -> Maker:
    return _served(PostgresImages, database=request.getfixturevalue("database"))


def _in_s3(request: pytest.FixtureRequest, _: Path) -> Maker:
    server = request.getfixturevalue("s3")
    prefix = f"charts/{secrets.token_hex(4)}"

    def made(**options: Any) -> S3Images:
        store = S3Images(server.bucket, prefix, **options)
        request.addfinalizer(store.close)
        return store

    return made


MAKERS: dict[str, Callable[[pytest.FixtureRequest, Path], Maker]] = {
    **{kind.scheme: _by_address(kind.scheme) for kind in IMAGE_KINDS},
    "s3://": _in_s3,
    "postgres:": _in_postgres,
}
"""What makes a store for an address beginning so; this suite runs on each. A store
that needs no server for tests needs no line: it is opened by an address with a path.
"""


@pytest.fixture(params=MAKERS)
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Maker:
    return MAKERS[request.param](request, tmp_path)


def test_every_kind_of_address_is_tested_here() -> None:
    assert set(MAKERS) == {kind.scheme for kind in IMAGE_KINDS}


@pytest.fixture
def images(make: Maker) -> ImageStore:
    return make()


def fetch(store: ImageStore, url: str) -> tuple[bytes, str]:
    """The bytes and content type that a phone gets. Raises NotFound where it gets none."""
    base, _, token = url.rpartition("/")
    if base == f"{BASE}/images":
        return store.open(token)[:2]
    with requests.get(url, timeout=10) as answer:
        if answer.status_code == 200:
            return answer.content, answer.headers["Content-Type"]
        assert answer.status_code in (400, 403, 404)
        raise NotFound(str(answer.status_code))


def test_a_picture_is_read_by_its_link(images: ImageStore) -> None:
    for key in ("a.png", "charts/2020/ratings-1_2.png", "A", "0" * 64 + ".png"):
        images.put(key, PNG)
        assert fetch(images, images.url(key)) == (PNG, "image/png")


def test_pictures_of_both_kinds_are_there_and_may_be_put_again(images: ImageStore) -> None:
    images.put("a.jpg", JPEG, "image/jpeg")
    assert fetch(images, images.url("a.jpg")) == (JPEG, "image/jpeg")
    assert not images.has("a.png")
    images.put("a.png", PNG)
    assert images.has("a.png")
    assert not images.has("a")
    images.put("a.png", OTHER)
    images.put("a.png", PNG)
    assert fetch(images, images.url("a.png"))[0] == PNG


def test_a_link_is_good_after_a_restart(make: Maker) -> None:
    make().put("a.png", PNG)
    url = make().url("a.png")
    assert fetch(make(), url)[0] == PNG


def test_a_link_opens_its_own_picture_only(images: ImageStore) -> None:
    images.put("a.png", PNG)
    images.put("b.png", OTHER)
    assert fetch(images, images.url("b.png"))[0] == OTHER
    with pytest.raises(NotFound):
        fetch(images, images.url("missing.png"))


def test_a_link_altered_anywhere_is_refused(images: ImageStore) -> None:
    images.put("a.png", PNG)
    url = images.url("a.png")
    start = url.rindex("/") + 1
    step = 1
    if "?" in url:
        start = url.index("Signature=") + 10
        step = 7
    for place in range(start, len(url), step):
        if url[place] != ".":
            other = "A" if url[place] != "A" else "B"
            altered = url[:place] + other + url[place + 1 :]
            with pytest.raises(NotFound):
                fetch(images, altered)


def test_keys_that_lead_elsewhere_are_refused(images: ImageStore) -> None:
    paths = ("", "/a", "a/", "a//b", "../a", "a/../b", ".a")
    signs = ("a b", "雀.png", "a?b", "a%2e", "a\0")
    keys = (*paths, *signs)
    acts: list[Callable[[str], object]] = [
        lambda key: images.put(key, PNG),
        images.has,
        images.url,
    ]
    for act, key in itertools.product(acts, keys):
        with pytest.raises(ValueError, match="not a key"):
            act(key)


def test_sweeping_removes_old_pictures_only(make: Maker) -> None:
    assert make().sweep(0) == 0
    images = make()
    for number in range(3):
        images.put(f"charts/{number}.png", PNG)
    assert images.sweep(3600) == 0
    later = make(clock=lambda: time.time() + 7200)
    assert (later.sweep(10_000), later.sweep(3600)) == (0, 3)
    assert not images.has("charts/0.png")
    assert later.sweep(3600) == 0
