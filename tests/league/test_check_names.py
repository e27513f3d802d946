"""Files and folders that look like the league's and are read by nobody are findings, in a folder and at
Dropbox."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.league.check import check_folder
from tests.fakes.dropbox import FakeDropbox
from tests.storage.places import PLACES, Place

IGNORED = [
    "logvol1 (John's conflicted copy 2026-01-02).txt", "logvol1（みどりの競合コピー 2026-01-02）.txt", "logvol1 (1).txt",
    "logvol3 - コピー.txt", "logvol3のコピー.txt", "Copy of logvol3.txt", "LogVol2.txt", "logvol4.TXT", "ｌｏｇｖｏｌ５.txt", "logvol６.txt",
    "logvol-7.txt", "logvol 8.txt", "logvol.txt", "logvol9", "logvol1.txt.txt", "logvol1.sync-conflict-20260102-030405-ABC.txt",
    "League.toml", "league.toml.txt", "league (みどりの競合コピー 2026-01-02).toml", "league.txt", "Rating.txt", "rating (1).txt",
    "TeamLog.txt", "recordlog (1).txt",
]  # fmt: skip
OTHERS = [
    "README.txt",
    "logvol1.png",
    "メモ.txt",
    "league photo.jpg",
    "ratings of 2019.txt",
    "rating chart.png",
    "mylogvol.txt",
]
READ = ["logvol1.txt", "recordlog.txt"]


@pytest.fixture
def dropbox() -> Iterator[FakeDropbox]:
    with FakeDropbox() as fake, fake.patched():
        yield fake


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return PLACES[request.param](request, tmp_path)


def test_what_is_ignored_is_named_with_what_to_do(place: Place) -> None:
    for name in (*OTHERS, *READ, *IGNORED):
        place.put(name, b"")
    for name in ("logvol10.txt", "logvol1"):
        place.open().overwrite(f"{name}/x.txt", b"")
    found = [finding for finding in check_folder(place.open()).findings if finding.kind == "ignored"]
    assert sorted(finding.file for finding in found) == sorted([*IGNORED, "logvol10.txt"])
    words = {finding.file: str(finding) for finding in found}
    assert words["logvol1 (1).txt"] == (
        "logvol1 (1).txt:1: not read: its name is not a league's file's [ignored]\n"
        "    -> take over into logvol1.txt what it lacks, then remove logvol1 (1).txt"
    )
    assert "give it the name logvol2.txt if it is that file" in words["LogVol2.txt"]
    assert "give it the name league.toml if it is that file" in words["league.toml.txt"]
    assert "not read: it is a folder, not a file" in words["logvol10.txt"]


def test_a_folder_named_league_toml_is_named(place: Place) -> None:
    place.open().overwrite("league.toml/x.txt", b"")
    (found,) = check_folder(place.open()).findings
    assert (found.file, found.kind) == ("league.toml", "ignored")


def test_a_folder_as_it_should_be_has_no_finding(place: Place) -> None:
    for name in (*OTHERS, "league.toml"):
        place.put(name, b"")
    for name in ("history/logvol1.txt/00.txt", "charts/rating.png"):
        place.open().overwrite(name, b"")
    assert check_folder(place.open()).findings == ()
