"""`flask backup` and `flask restore`: the demo league elsewhere, and what can't be restored."""

from pathlib import Path

import pytest

from tests.cli.running import Run, Runner, json_of, refused


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "janroku.zip"


def test_the_demo_league_put_back_elsewhere(
    runner: Runner, run: Run, tmp_path: Path, file: Path
) -> None:
    report = json_of(run("backup", str(file), "--json"))
    figures = [report[name] for name in ("leagues", "problems", "left_out", "bytes")]
    assert figures == [1, [], [], file.stat().st_size]
    assert file.stat().st_mode & 0o077 == 0
    elsewhere = runner(tmp_path / "elsewhere", tmp_path / "other")
    done = json_of(elsewhere("restore", str(file), "--json"))
    assert done["written"] == report["files"]
    assert done["unchanged"] == 0
    assert done["copy"] is None
    for call in ("standings --json", "forecast --json --left 9"):
        words = call.split()
        assert json_of(elsewhere(*words)) == json_of(run(*words))
    assert "0 files written" in elsewhere("restore", str(file)).output
    assert list(tmp_path.glob(".janroku-*")) == []


def test_over_keeps_a_copy_of_what_was_there(
    runner: Runner, run: Run, tmp_path: Path, file: Path
) -> None:
    run("backup", str(file))
    (tmp_path / "else").mkdir()
    (tmp_path / "else/logvol7.txt").write_bytes(b"20260101\n")
    elsewhere = runner(tmp_path / "else", tmp_path / "other")
    assert "logvol7.txt is there already, and not in the backup" in refused(
        elsewhere("restore", str(file))
    )
    assert [path.name for path in (tmp_path / "else").glob("*.t*")] == ["logvol7.txt"]
    done = json_of(elsewhere("restore", str(file), "--over", "--json"))
    assert not (tmp_path / "else/logvol7.txt").exists()
    again = runner(tmp_path / "again", tmp_path / "third")
    assert again("restore", done["copy"]).exit_code == 0
    assert (tmp_path / "again/logvol7.txt").read_bytes() == b"20260101\n"


def test_what_is_no_backup_is_named(run: Run, tmp_path: Path, file: Path) -> None:
    assert "janroku.zip" in refused(run("restore", str(file)))
    file.write_bytes(b"no zip")
    assert "janroku.zip is no zip file, or a broken one" in refused(run("restore", str(file)))
    assert "is there already and is no backup" in refused(run("backup", str(file)))
    assert file.read_bytes() == b"no zip"
    assert "no such folder" in refused(run("backup", str(tmp_path / "none" / "x.zip")))


def test_a_backup_of_nothing_replaces_none(
    runner: Runner, run: Run, tmp_path: Path, file: Path
) -> None:
    run("backup", str(file))
    before = file.read_bytes()
    empty = runner(tmp_path / "typo", tmp_path / "empty")
    assert "there is nothing to back up" in refused(empty("backup", str(file)))
    assert file.read_bytes() == before
    assert list(tmp_path.glob(".janroku-*")) == []
