"""Files and folders that look like the league's and are not read are findings."""

from bot.league.check import check_folder
from storage.folder import FolderLogs
from tests.real import cases

NAMES = cases("file_names.tsv")
IGNORED = [name for kind, name in NAMES if kind == "ignored"]
OTHERS = [name for kind, name in NAMES if kind == "other"]
READ = ["logvol1.txt", "recordlog.txt"]


def test_ignored_files_are_listed_with_what_to_do(logs: FolderLogs) -> None:
    for name in (*OTHERS, *READ, *IGNORED):
        logs.overwrite(name, b"")
    for name in ("logvol10.txt", "logvol1"):
        logs.overwrite(f"{name}/x.txt", b"")
    texts = {
        finding.file: str(finding)
        for finding in check_folder(logs).findings
        if finding.kind == "ignored"
    }
    assert sorted(texts) == sorted([*IGNORED, "logvol10.txt"])
    assert texts["logvol1 (1).txt"] == (
        "logvol1 (1).txt:1: not read: its name is not a league's file's [ignored]\n"
        "    -> take over into logvol1.txt what it lacks, then remove logvol1 (1).txt"
    )
    assert "give it the name logvol2.txt if it is that file" in texts["LogVol2.txt"]
    assert "give it the name league.toml if it is that file" in texts["league.toml.txt"]
    assert "not read: it is a folder, not a file" in texts["logvol10.txt"]


def test_folder_named_league_toml_is_a_finding(logs: FolderLogs) -> None:
    logs.overwrite("league.toml/x.txt", b"")
    (finding,) = check_folder(logs).findings
    assert finding.file == "league.toml"
    assert finding.kind == "ignored"


def test_folder_without_faults_has_no_finding(logs: FolderLogs) -> None:
    for name in (*OTHERS, "league.toml"):
        logs.overwrite(name, b"")
    for name in ("history/logvol1.txt/00.txt", "charts/rating.png"):
        logs.overwrite(name, b"")
    assert check_folder(logs).findings == ()
