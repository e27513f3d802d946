"""The last good version of a file stays in force while a newer one is unusable, after a restart
too.
"""

import json
import logging
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.league.check import check_folder
from bot.league.files import read_version, versions, write_keeping
from bot.league.in_force import logs_in_force
from bot.league.last_good import INDEX, GoodFile, LastGood
from bot.league.repository import HEAVIER, LeagueRegistry, LeagueRepository
from bot.league.snapshot import LeagueSnapshot
from storage.folder import FolderLogs
from storage.ports import FRESH, Denied
from tests.answers.world import away

GAME = "C6529 | 15:52 | 三般南喰赤祝 | {0}(+77.0,+5枚) {1}(-7.0,+1枚) {2}(-70.0,-6枚)\n"
LOG = "20200101\n" + GAME.format("佐藤", "高橋", "鈴木")
MIXED = LOG.encode("cp932") + LOG.encode()
NOW = datetime(2026, 11, 22, 9, 0, tzinfo=UTC)


@pytest.fixture
def logs(tmp_path: Path) -> FolderLogs:
    (tmp_path / "logvol1.txt").write_text(LOG, "utf-8")
    (tmp_path / "league.toml").write_text(
        'name = "雀録杯"\n[player."佐藤"]\nname = "さとう"\n', "utf-8"
    )
    return FolderLogs(tmp_path)


def restarted(logs: FolderLogs) -> LeagueSnapshot:
    """What a new process knows; it keeps what is good."""
    registry = LeagueRegistry(lambda folder: FolderLogs(logs._directory), 96)
    snapshot = registry.league().snapshot()
    registry.settle()
    return snapshot


def test_last_good_league_toml_is_used_while_it_is_broken(
    logs: FolderLogs, caplog: pytest.LogCaptureFixture
) -> None:
    restarted(logs)
    assert caplog.messages == []
    logs.overwrite("league.toml", b'name = "B"\nrooms = 3\n')
    for _ in range(2):
        snapshot = restarted(logs)
        assert (snapshot.league.name, snapshot.league.shown("佐藤")) == ("雀録杯", "さとう")
        (fault,) = snapshot.unusable
        assert (fault.file, fault.line, fault.has_former) == ("league.toml", 2, True)
        assert fault.since is not None
        message = "league.toml:2: rooms must be a list, not 3; the last good version of 20"
        assert str(fault).startswith(message)
    assert str(fault) in caplog.messages
    logs.overwrite("league.toml", b'name = "B"\n')
    assert (restarted(logs).league.name, restarted(logs).unusable) == ("B", ())


def test_broken_file_without_good_version_counts_as_missing(logs: FolderLogs) -> None:
    logs.overwrite("league.toml", b"rooms = 3\n")
    logs.overwrite("logvol1.txt", MIXED)
    snapshot = restarted(logs)
    assert (snapshot.league.players, snapshot.all_games()) == ({}, ())
    message = "league.toml:1: rooms must be a list, not 3; no good version of it is known"
    assert str(snapshot.unusable[0]) == message
    assert [fault.has_former for fault in snapshot.refused] == [False]


def test_a_log_that_is_no_text_is_served_as_it_was_last(logs: FolderLogs) -> None:
    good = restarted(logs)
    logs.overwrite("logvol1.txt", MIXED)
    for _ in range(2):
        snapshot = restarted(logs)
        assert len(good.all_games()) == 1
        assert snapshot.all_games() == good.all_games()
        (fault,), (problem,) = snapshot.refused, snapshot.problems
        assert (fault.file, fault.has_former, fault.large) == ("logvol1.txt", True, False)
        assert problem.file == "logvol1.txt"
        assert problem.reason == "it is neither UTF-8 nor Shift-JIS: save it as UTF-8"
    logs.overwrite("history/logvol1.txt/good.txt", MIXED)  # somebody breaks the stored version too
    snapshot = restarted(logs)
    assert (snapshot.all_games(), [fault.has_former for fault in snapshot.refused]) == ((), [False])


def test_newest_former_version_is_used_without_a_good_one(logs: FolderLogs) -> None:
    file = logs.read("logvol1.txt")
    write_keeping(logs, "logvol1.txt", MIXED, file.rev, NOW, file.data)
    (fault,) = restarted(logs).refused
    assert (fault.has_former, fault.since) == (True, NOW)
    assert len(restarted(logs).all_games()) == 1


def test_good_files_are_written_when_they_change(
    logs: FolderLogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    real = FolderLogs.overwrite

    def spy(self: FolderLogs, name: str, data: bytes) -> str:
        written.append(name)
        return real(self, name, data)

    monkeypatch.setattr(FolderLogs, "overwrite", spy)
    restarted(logs)
    assert written == ["history/league.toml/good.toml", "history/logvol1.txt/good.txt"]
    written.clear()
    since = logs.read(INDEX).data
    restarted(logs)
    assert (written, logs.read(INDEX).data) == ([], since)
    (logs._directory / "logvol1.txt").write_text(LOG + GAME.format("鈴木", "佐藤", "高橋"), "utf-8")
    restarted(logs)
    assert written == ["history/logvol1.txt/00.txt", "history/logvol1.txt/good.txt"]


def test_reading_writes_nothing(logs: FolderLogs) -> None:
    LeagueRepository(logs).snapshot()
    assert sorted(path.name for path in logs._directory.iterdir()) == ["league.toml", "logvol1.txt"]


@pytest.mark.parametrize(
    "index", [b"", b"[]", b"{", b'{"league.toml": 3}', b'{"league.toml": {"sha256": 1}}']
)
def test_broken_index_loses_only_the_date(logs: FolderLogs, index: bytes) -> None:
    restarted(logs)
    logs.overwrite(INDEX, index)
    good = LastGood(logs)
    assert good.get("league.toml") == GoodFile(logs.read("league.toml").data)
    good.add({"league.toml": logs.read("league.toml").data}, NOW)
    good.store()
    assert json.loads(logs.read(INDEX).data)["league.toml"]["since"] == "20261122T090000Z"
    again = LastGood(logs).get("league.toml")
    assert again is not None
    assert again.since == NOW


def test_read_only_folder_is_read(logs: FolderLogs, caplog: pytest.LogCaptureFixture) -> None:
    def denied(*_: object) -> str:
        raise Denied("read-only")

    caplog.set_level(logging.INFO)
    clock = iter(range(0, 1000, 100))
    league = LeagueRepository(FolderLogs(logs._directory), lambda: next(clock))
    league.snapshot()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(FolderLogs, "overwrite", denied)
        league.reader.good.store()
    assert caplog.messages == ["the last good version can't be stored: read-only"]
    logs.overwrite("league.toml", b"rooms = 3\n")
    assert league.snapshot().league.name == "雀録杯"  # this process knows it


def test_failed_snapshot_is_made_again(logs: FolderLogs) -> None:
    restarted(logs)
    now = 0.0
    league = LeagueRepository(FolderLogs(logs._directory), lambda: now)
    first = league.snapshot()
    league.reader.good = LastGood(logs)  # as if another process had read it
    logs.overwrite("logvol1.txt", MIXED)
    now += FRESH

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("bot.league.last_good.LastGood.get", away)
        assert league.snapshot() is first
        assert league.trouble == "away"
    now += FRESH
    assert [fault.has_former for fault in league.snapshot().refused] == [True]


def test_oldest_of_logs_too_large_together_is_not_read(
    monkeypatch: pytest.MonkeyPatch, logs: FolderLogs
) -> None:
    """Also where the last good versions serve."""
    monkeypatch.setattr("bot.league.in_force.LARGEST", 25)
    files = {f"logvol{number}.txt": b"#" * 10 for number in (2, 10, 1)} | {"x.txt": b"#" * 99}
    in_force, unusable = logs_in_force(files, {}, LastGood(logs))
    assert [(fault.file, fault.large) for fault in unusable] == [("logvol1.txt", True)]
    assert "with the newer seasons' logs it has" in unusable[0].reason
    assert sorted(in_force) == ["logvol10.txt", "logvol2.txt", "x.txt"]
    good = LastGood(logs)
    good.add({"logvol1.txt": b"#" * 20, "logvol2.txt": b"#" * 10}, NOW)
    large = {"logvol1.txt": "large", "logvol2.txt": "large"}
    in_force, unusable = logs_in_force({"logvol3.txt": b"#" * 10}, large, good)
    assert [(fault.file, fault.has_former) for fault in unusable] == [
        ("logvol1.txt", False),
        ("logvol2.txt", True),
    ]
    assert sorted(in_force) == ["logvol2.txt", "logvol3.txt"]


def test_weight_counts_the_log_in_force(logs: FolderLogs) -> None:
    logs.overwrite("logvol1.txt", LOG.encode() * 1000)
    restarted(logs)
    logs.overwrite("logvol1.txt", MIXED)
    league = LeagueRepository(logs)
    assert len(league.snapshot().all_games()) == 1000
    assert league.weight > HEAVIER * 1000 * len(LOG.encode())


def test_equal_bytes_of_two_reads_are_stored_once(logs: FolderLogs) -> None:
    good = LastGood(logs)
    for _ in range(2):
        data = bytes(bytearray(LOG.encode()))
        good.add({"logvol1.txt": data}, NOW)
        good.store()
        stored = good.get("logvol1.txt")
        assert stored is not None
        assert stored.data is data


def test_record_log_too_large_to_read_is_a_finding(
    logs: FolderLogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.folder.LARGEST", 1000)
    logs.overwrite("recordlog.txt", b"#" * 1001)
    assert [problem.file for problem in restarted(logs).problems] == ["recordlog.txt"]
    files = [
        finding.file for finding in check_folder(logs).findings if finding.kind == "unreadable"
    ]
    assert files == ["recordlog.txt"]


def season(games: int, first: int = 0) -> str:
    """A log of so many games, each of a minute of its own."""
    line = GAME.format("佐藤", "高橋", "鈴木")
    minutes = range(first, first + games)
    return "20200101\n" + "".join(
        line.replace("15:52", f"{n // 60:02d}:{n % 60:02d}") for n in minutes
    )


@pytest.mark.parametrize(
    ("remaining", "lost"),
    [
        (None, "gone"),
        ("", "empty"),
        (season(18), "fewer"),
        (season(26), "fewer"),
        (season(28), ""),
        (season(27), "fewer"),
        (season(27) + GAME.format("鈴木", "佐藤", "高橋"), ""),
        (season(30)[9:], ""),
    ],
)
def test_former_log_is_in_force_until_a_loss_is_accepted(
    logs: FolderLogs, remaining: str | None, lost: str
) -> None:
    logs.overwrite("logvol1.txt", season(30).encode())
    restarted(logs)
    running = LeagueRepository(FolderLogs(logs._directory))
    running.snapshot()
    if remaining is None:
        logs.remove("logvol1.txt")
    else:
        logs.overwrite("logvol1.txt", remaining.encode())
    for snapshot in (restarted(logs), restarted(logs), running.snapshot()):
        assert [fault.lost for fault in snapshot.unusable] == ([lost] if lost else [])
        assert len(snapshot.all_games()) == (30 if lost else (remaining or "").count("|") // 3)
    texts = {
        logs.read(f"history/logvol1.txt/{v.slot:02d}.txt").data
        for v in versions(logs, "logvol1.txt")
    }
    assert not remaining or remaining.encode() in texts or not lost  # what was read is stored
    assert lost or season(30).encode() in texts
    if lost:
        LastGood(logs).accept(
            "logvol1.txt", remaining.encode() if remaining is not None else None, NOW
        )
        for snapshot in (running.snapshot(), restarted(logs)):
            assert (snapshot.unusable, len(snapshot.all_games())) == (
                (),
                remaining.count("|") // 3 if remaining else 0,
            )
        texts = {read_version(logs, "logvol1.txt", v.name) for v in versions(logs, "logvol1.txt")}
        assert season(30).encode() in texts


def test_loss_is_counted_from_the_version_of_another_process(
    logs: FolderLogs,
) -> None:
    logs.overwrite("logvol1.txt", season(10).encode())
    registry = LeagueRegistry(lambda folder: FolderLogs(logs._directory), 96)
    registry.league().snapshot()
    registry.settle()
    logs.overwrite("logvol1.txt", season(30).encode())
    restarted(logs)
    logs.overwrite("logvol1.txt", season(12).encode())
    snapshot = registry.league().snapshot()
    assert ([fault.games for fault in snapshot.unusable], len(snapshot.all_games())) == (
        [(30, 12)],
        30,
    )


def test_games_moved_to_another_log_are_not_lost(logs: FolderLogs) -> None:
    logs.overwrite("logvol1.txt", season(30).encode())
    restarted(logs)
    logs.overwrite("logvol2.txt", season(15, 15).encode())
    logs.overwrite("logvol1.txt", season(15).encode())
    assert restarted(logs).unusable == ()
    logs.overwrite("logvol3.txt", season(15).encode())
    logs.remove("logvol1.txt")
    assert restarted(logs).unusable == ()


@pytest.mark.parametrize("remaining", [None, b"", b"# empty\n"])
def test_former_league_toml_is_in_force_until_accepted(
    logs: FolderLogs, remaining: bytes | None
) -> None:
    restarted(logs)
    if remaining is None:
        logs.remove("league.toml")
    else:
        logs.overwrite("league.toml", remaining)
    snapshot = restarted(logs)
    assert (snapshot.league.name, [f.file for f in snapshot.unusable]) == (
        "雀録杯",
        ["league.toml"],
    )
    LastGood(logs).accept("league.toml", remaining, NOW)
    assert (restarted(logs).league.name, restarted(logs).unusable) == ("", ())
