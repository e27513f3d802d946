import base64
import os
import re
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from bot.settings.stores import open_images
from storage import folder
from storage.addresses import LIFETIME, ImageOptions
from storage.folder import FolderImages, FolderLogs
from storage.ports import Denied, NotFound, StorageError
from tests.clock import Clock

Patch = pytest.MonkeyPatch
FULL = OSError(28, "No space left on device")
DENIED = PermissionError(13, "Permission denied")


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are opened to hash their bytes for a listing."""
    names: list[str] = []
    real_open = Path.open

    def spy(self: Path, *args: object, **options: object) -> object:
        names.append(self.name)
        return real_open(self, *args, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", spy)
    return names


def settle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every file count as old enough for its time stamp to be trusted."""
    monkeypatch.setattr(folder, "_SETTLED", -3600.0)


def test_file_is_read_until_its_stamp_is_trusted(
    tmp_path: Path, reads: list[str], monkeypatch: Patch
) -> None:
    (tmp_path / "logvol1.txt").write_bytes(b"1")
    reads.clear()
    logs = FolderLogs(tmp_path)
    logs.revisions()
    logs.revisions()
    settle(monkeypatch)
    for _ in range(3):
        logs.revisions()
    assert reads == ["logvol1.txt"] * 3


def test_change_within_a_step_of_the_clock_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "logvol1.txt").write_bytes(b"1")

    def stamp_of_size(status: os.stat_result) -> tuple[int, ...]:
        return 0, 0, status.st_size, 0

    monkeypatch.setattr(folder, "_stamp", stamp_of_size)
    logs = FolderLogs(tmp_path)
    first = logs.revisions()
    (tmp_path / "logvol1.txt").write_bytes(b"2")
    assert logs.revisions() != first


def test_file_restored_with_its_old_time_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(monkeypatch)
    path = tmp_path / "logvol1.txt"
    path.write_bytes(b"1")
    logs = FolderLogs(tmp_path)
    first = logs.revisions()
    status = path.stat()
    path.write_bytes(b"2")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert logs.revisions() != first


def test_equal_bytes_have_equal_revisions(tmp_path: Path) -> None:
    logs = FolderLogs(tmp_path)
    first = logs.write("logvol1.txt", b"1", None)
    second = logs.write("logvol1.txt", b"2", first)
    assert logs.write("logvol1.txt", b"1", second) == first
    assert FolderLogs(tmp_path / "other").write("copy.txt", b"1", None) == first


def test_file_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "logvol1.txt"
    path.write_bytes(b"1")
    path.chmod(0o640)
    FolderLogs(tmp_path).overwrite("logvol1.txt", b"2")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_name_that_is_not_utf8_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "logvol1.txt").write_bytes(b"1")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.txt")).write_bytes(b"1")
    assert list(FolderLogs(tmp_path).revisions()) == ["logvol1.txt"]


PNG = b"\x89PNG\r\n\x1a\n"
SECRET = b"a secret of 32 bytes, more or less"
BASE = "https://janroku.example"
QUARTER = LIFETIME // 4


@pytest.fixture
def images(tmp_path: Path, clock: Clock) -> FolderImages:
    store = FolderImages(tmp_path, ImageOptions(SECRET, BASE, clock=clock))
    store.put("a.png", PNG)
    return store


def token(url: str) -> str:
    return url.rsplit("/", 1)[-1]


def test_link_stays_the_same_for_a_quarter_of_its_life(images: FolderImages, clock: Clock) -> None:
    clock.now -= clock.now % QUARTER
    first = images.url("a.png")
    clock.now += QUARTER - 1
    assert images.url("a.png") == first
    clock.now += 1
    assert images.url("a.png") != first


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(start=st.integers(0, LIFETIME))
def test_link_lives_three_quarters_of_its_life_at_least(
    images: FolderImages, clock: Clock, start: int
) -> None:
    clock.now += start
    link = token(images.url("a.png"))
    clock.now += 3 * QUARTER
    assert images.open(link) == (PNG, "image/png", "a.png")
    clock.now += QUARTER
    with pytest.raises(NotFound):
        images.open(link)


def test_another_secret_opens_nothing(images: FolderImages, tmp_path: Path, clock: Clock) -> None:
    options = ImageOptions(b"another secret of 32 bytes.....", BASE, clock=clock)
    other = FolderImages(tmp_path, options)
    with pytest.raises(NotFound):
        other.open(token(images.url("a.png")))


def test_short_secret_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        FolderImages(tmp_path, ImageOptions(b"short"))


@given(st.text())
@example("a.b.c")
@example("=.=")
@example("雀.録")
@example("\ud800.\ud800")
@example("../../etc/passwd")
def test_arbitrary_text_is_no_token(text: str) -> None:
    with pytest.raises(NotFound):
        FolderImages("nowhere", ImageOptions(SECRET)).open(text)


def test_later_expiry_or_another_key_needs_the_secret(images: FolderImages) -> None:
    images.put("b.png", PNG)
    payload, _, signature = token(images.url("a.png")).partition(".")
    for wanted in ("ffffffff.a.png", "5f5e9000.b.png"):
        forged = base64.urlsafe_b64encode(wanted.encode()).decode().rstrip("=")
        with pytest.raises(NotFound):
            images.open(f"{forged}.{signature}")
    for padded in (f"{payload}=.{signature}", f"{payload}.{signature}=", f"{payload}.{signature}."):
        with pytest.raises(NotFound):
            images.open(padded)


def test_token_has_only_characters_that_need_no_escape(images: FolderImages) -> None:
    assert re.fullmatch(r"[\w.-]+", token(images.url("a.png")), re.ASCII)


def test_bytes_that_are_no_picture_are_served_as_octets(images: FolderImages) -> None:
    images.put("a.html", b"<script>", "text/html")
    page = images.open(token(images.url("a.html")))
    assert page == (b"<script>", "application/octet-stream", "a.html")


def test_link_longer_than_line_accepts_is_an_error(images: FolderImages) -> None:
    with pytest.raises(StorageError, match="2000"):
        images.url("a" * 1600)


def test_base_may_become_known_later(tmp_path: Path) -> None:
    base = ""

    def base_of_links() -> str:
        return base

    images = FolderImages(tmp_path, ImageOptions(SECRET, base_of_links))
    with pytest.raises(StorageError, match="PUBLIC_URL"):
        images.url("a.png")
    base = "https://late.example/"
    assert images.url("a.png").startswith("https://late.example/images/")


@pytest.mark.parametrize(
    "base", ["http://janroku.example", "janroku.example", "ftp://localhost", "//x"]
)
def test_address_that_line_refuses_is_an_error(tmp_path: Path, base: str) -> None:
    with pytest.raises(StorageError, match="https"):
        FolderImages(tmp_path, ImageOptions(SECRET, base)).url("a.png")


@pytest.mark.parametrize("error", [FULL, DENIED])
def test_failed_write_leaves_the_old_bytes(
    images: FolderImages, tmp_path: Path, monkeypatch: Patch, error: OSError
) -> None:
    logs = FolderLogs(tmp_path / "logs")
    logs.write("logvol1.txt", b"1", None)

    def refuse(*_: object) -> None:
        raise error

    refusals: list[tuple[object, str, Callable[[], object]]] = [
        (os, "fsync", partial(logs.overwrite, "logvol1.txt", b"2")),
        (Path, "read_bytes", partial(logs.read, "logvol1.txt")),
        (Path, "replace", partial(images.put, "b.png", PNG)),
    ]
    for module, function, call in refusals:
        with monkeypatch.context() as patched:
            patched.setattr(module, function, refuse)
            with pytest.raises(StorageError, match=error.strerror) as caught:
                call()
        assert type(caught.value) is (Denied if error is DENIED else StorageError)
    assert logs.read("logvol1.txt").data == b"1"
    assert sorted(os.listdir(tmp_path / "logs")) == [".janroku.lock", "logvol1.txt"]
    assert sorted(os.listdir(tmp_path)) == ["a.png", "logs"]


def test_sweep_removes_files_of_a_crash_without_counting_them(
    images: FolderImages, tmp_path: Path
) -> None:
    (tmp_path / ".0123.tmp").write_bytes(b"half a pict")
    os.utime(tmp_path / ".0123.tmp", (0, 0))
    assert images.sweep(60) == 0
    assert os.listdir(tmp_path) == ["a.png"]


def test_opening_by_address(tmp_path: Path) -> None:
    images = open_images(f"file:{tmp_path}", ImageOptions(SECRET, BASE))
    assert isinstance(images, FolderImages)
    images.put("a.png", PNG)
    assert (tmp_path / "a.png").read_bytes() == PNG
    for url in ("", "x", "file:", "s3:bucket", "s3://", "ftp://x"):
        with pytest.raises(ValueError, match=r"place|directory|bucket"):
            open_images(url, ImageOptions(SECRET))
