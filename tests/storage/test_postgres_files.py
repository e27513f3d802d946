from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from bot.settings.stores import open_images, open_logs
from storage.addresses import ImageOptions
from storage.database import Database
from storage.files import content_rev
from storage.ports import IN_THE_WAY, Conflict, NotFound, StorageError, TooLarge
from storage.postgres import PostgresImages, PostgresLogs
from tests.clock import Clock
from tests.storage.races import check_that_no_line_is_lost, grow_postgres

PNG = b"\x89PNG\r\n\x1a\n"


def test_a_league_is_a_folder_of_the_root(database: Database) -> None:
    root = open_logs("postgres:", {}, database)
    east = open_logs("postgres:/east", {}, database)
    with pytest.raises(NotFound, match="postgres:/east: no such folder"):
        east.revisions()
    for name in ("history/logvol1.txt/00.txt", "logvol1.txt"):
        east.overwrite(name, b"1")
    for folder in ("east-2", "east0", "East", "雀", "a b"):
        open_logs(f"postgres:/{folder}", {}, database).overwrite("x/y/z", b"1")
    root.overwrite("logvol1.txt", b"root")
    assert set(root.revisions()) == {"logvol1.txt"}
    assert root.folders() == {"east", "east-2", "east0", "East", "雀", "a b"}
    assert east.folders() == {"history"}
    assert east.below("history") == ["history/logvol1.txt/00.txt"]
    assert root.read("east/logvol1.txt").data == b"1"
    east.remove("logvol1.txt")
    east.remove("history/logvol1.txt/00.txt")
    assert dict(east.revisions()) == {}
    assert "east" in root.folders()


def test_a_change_is_seen_at_once_by_others(database: Database) -> None:
    ours = PostgresLogs(database)
    theirs = PostgresLogs(database)
    assert ours.revisions() == {}
    rev = theirs.write("logvol1.txt", b"1", None)
    assert ours.fresh == 0
    assert ours.revisions() == {"logvol1.txt": rev}
    assert rev == content_rev(b"1")


def test_what_could_not_be_read_is_not_written(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("postgres", "ports"):
        monkeypatch.setattr(f"storage.{module}.LARGEST", 4 << 20)
    logs = PostgresLogs(database)
    data = b"#" * ((4 << 20) + 1)
    rev = logs.write("logvol1.txt", b"1", None)
    words = r"logvol1\.txt: 4 MB, more than the 4 MB that are read"
    with pytest.raises(TooLarge, match=words):
        logs.write("logvol1.txt", data, rev)
    with pytest.raises(TooLarge, match=words):
        logs.overwrite("logvol1.txt", data)
    assert logs.read("logvol1.txt").data == b"1"
    images = PostgresImages(ImageOptions(b"s" * 32, database=database))
    with pytest.raises(TooLarge, match="a"):
        images.put("a.png", data)
    assert not images.has("a.png")


def test_a_file_and_a_folder_of_one_name_are_not_both_made(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.postgres._WRITE_TIMEOUT", 1)
    root = PostgresLogs(database)
    league = PostgresLogs(database, "east")
    begin = database.begin

    @contextmanager
    def begin_then_write(*arguments: Any, **options: Any) -> Iterator[Connection]:
        with begin(*arguments, **options) as connection:
            yield connection
            monkeypatch.setattr(database, "begin", begin)
            with pytest.raises(StorageError, match="statement timeout"):
                league.write("logvol1.txt", b"1", None)

    monkeypatch.setattr(database, "begin", begin_then_write)
    root.write("east", b"1", None)
    with pytest.raises(Conflict, match=IN_THE_WAY):
        league.write("logvol1.txt", b"1", None)


def test_processes_growing_one_log_lose_no_line(database: Database, database_url: str) -> None:
    check_that_no_line_is_lost(PostgresLogs(database, "league"), grow_postgres, database_url)


def test_a_sweep_bounds_the_bytes_of_all_images(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.postgres.ROOM", 3000)
    clock = Clock()
    images = PostgresImages(ImageOptions(b"s" * 32, database=database, clock=clock))
    for number in range(6):
        clock.now += 60
        images.put(f"{number}.png", PNG + b"x" * (1000 - len(PNG)))
    assert images.sweep(3600) == 3
    stored = [number for number in range(6) if images.has(f"{number}.png")]
    assert stored == [3, 4, 5]
    clock.now += 3600 - 60
    assert (images.sweep(3600), images.sweep(3600)) == (1, 0)


def test_a_picture_put_again_counts_from_then(database: Database) -> None:
    clock = Clock()
    images = PostgresImages(ImageOptions(b"s" * 32, database=database, clock=clock))
    images.put("a.png", PNG)
    clock.now += 3000
    images.put("a.png", PNG)
    clock.now += 3000
    assert (images.sweep(3600), images.sweep(2000)) == (0, 1)


def test_another_database_is_refused(tmp_path: Path) -> None:
    for database in (None, Database(f"sqlite:///{tmp_path}/state.db")):
        with pytest.raises(ValueError, match="DATABASE_URL must be postgres"):
            open_logs("postgres:", {}, database)
        with pytest.raises(ValueError, match="DATABASE_URL must be postgres"):
            open_images("postgres:", ImageOptions(b"s" * 32, database=database))
