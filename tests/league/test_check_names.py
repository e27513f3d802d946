"""Files and folders that look like the league's and are read by nobody are findings."""

from bot.league.check import check_folder
from storage.folder import FolderLogs
from tests.real import cases

NAMES = cases("file_names.tsv")
IGNORED = [name for kind, name in NAMES if kind == "ignored"]
OTHERS = [name for kind, name in NAMES if kind == "other"]
READ = ["logvol1.txt", "recordlog.txt"]


def test_what_is_ignored_is_named_with_what_to_do(logs: FolderLogs) -> None:
    for name in (*OTHERS, *READ, *IGNORED):
        logs.overwrite(name, b"")
    for name in ("logvol10.txt", "logvol1"):
        logs.overwrite(f"{name}/x.txt", b"")
    found = [finding for finding in check_folder(logs).findings if finding.kind == "ignored"]
    assert sorted(finding.file for finding in found) == sorted([*IGNORED, "logvol10.txt"])
    words = {finding.file: str(finding) for finding in found}
    assert words["logvol1 (1).txt"] == (
        "logvol1 (1).txt:1: not read: its name is not a league's file's [ignored]\n"
        "    -> take over into logvol1.txt what it lacks, then remove logvol1 (1).txt"
    )
    assert "give it the name logvol2.txt if it is that file" in words["LogVol2.txt"]
    assert "give it the name league.toml if it is that file" in words["league.toml.txt"]
    assert "not read: it is a folder, not a file" in words["logvol10.txt"]


def test_a_folder_named_league_toml_is_named(logs: FolderLogs) -> None:
    logs.overwrite("league.toml/x.txt", b"")
    (found,) = check_folder(logs).findings
    assert (found.file, found.kind) == ("league.toml", "ignored")


def test_a_folder_as_it_should_be_has_no_finding(logs: FolderLogs) -> None:
    for name in (*OTHERS, "league.toml"):
        logs.overwrite(name, b"")
    for name in ("history/logvol1.txt/00.txt", "charts/rating.png"):
        logs.overwrite(name, b"")
    assert check_folder(logs).findings == ()
