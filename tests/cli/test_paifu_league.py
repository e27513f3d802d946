"""`flask paifu` fetches the record of an address; with `--into-league` it keeps records of the
log's games: files, folders, ids; it can be stopped.
"""

import gzip
import json
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from rating.games import Game, Seat
from rating.paifu.recordlog import read as read_log
from rating.roomlog import format_game
from tests.answers.paifu.world import ID, serve
from tests.cli.running import Run, Runner, json_of, refused
from tests.fakes.tenhou import FakeTenhou
from tests.rating.paifu.records import made, read

pytestmark = pytest.mark.any_backend("keeps files; stores of files have their own contract suite")

DAY = date(2026, 5, 4)


def line(seed: int, start: str, room: str = "C1934") -> str:
    record = read(seed, 3)
    assert record.scores is not None
    results = zip(record.players, record.scores, strict=True)
    seats = [Seat(name, score) for name, score in results]
    seats.sort(key=lambda seat: -seat.score)
    start_time = datetime.strptime(start, "%H:%M").time()
    return format_game(Game(tuple(seats), DAY, start_time, room, "三般南喰赤－"))


def name(seed: int, hour: int, room: str = "11934") -> str:
    return f"{DAY:%Y%m%d}{hour:02}gm-0019-{room}-{seed:08x}"


IDS = [name(seed, seed + 17) for seed in (1, 2, 3, 4)]


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A league with the games 1 to 4, an hour apart from 18:10."""
    folder = tmp_path / "logs"
    folder.mkdir()
    games = [line(seed, f"{seed + 17}:10") for seed in (1, 2, 3, 4)]
    (folder / "logvol1.txt").write_text("\n".join(["20260504", *games]) + "\n")
    return folder


@pytest.fixture
def league(
    runner: Runner, logs: Path, tmp_path: Path, tenhou: FakeTenhou, monkeypatch: pytest.MonkeyPatch
) -> Run:
    monkeypatch.setattr("bot.cli.record_filing.BETWEEN", 0.0)
    run = runner(logs, tmp_path / "state", TENHOU_URL=tenhou.url)
    return lambda *args, **options: run("paifu", "--into-league", *args, **options)


def printed_json(result: Any) -> dict[str, Any]:
    output: dict[str, Any] = json.loads(result.stdout)
    return output


def file_names(rows: list[dict[str, Any]]) -> list[str]:
    return [Path(row["file"]).name for row in rows]


def kept(logs: Path) -> dict[str, str]:
    """Each record's id (or file) and its day, as recordlog.txt has them; its bytes are there."""
    entries = read_log((logs / "recordlog.txt").read_bytes())
    for entry in entries:
        data = (logs / f"records/{entry.file}.mjlog").read_bytes()
        assert gzip.decompress(data).startswith(b"<mjloggm")
    return {entry.id or entry.file[:5]: str(entry.day or "") for entry in entries}


def test_a_folder_of_files(league: Run, logs: Path, tmp_path: Path) -> None:
    """By a name with the id, by any name, packed, twice, of another league, and what is no
    record.
    """
    folder = tmp_path / "mjlogs"
    folder.mkdir()
    (folder / f"{name(1, 18)}&tw=2.mjlog").write_bytes(gzip.compress(made(1, 3).xml()))
    (folder / "two.xml").write_bytes(made(2, 3).xml())
    (folder / "two again.xml").write_bytes(made(2, 3).xml())
    (folder / "other.xml").write_bytes(made(9, 3).xml())
    (folder / f"{name(3, 9)}.mjlog").write_bytes(made(3, 3).xml())
    (folder / "cut.mjlog").write_bytes(gzip.compress(made(4, 3).xml())[:40])
    (folder / "notes.txt").write_text("no record")
    result = league(str(folder), "--json")
    assert result.exit_code == 1
    report = printed_json(result)
    kinds = "matched", "doubled", "unmatched", "unreadable"
    assert {kind: file_names(report[kind]) for kind in kinds} == {
        "matched": [f"{name(1, 18)}&tw=2.mjlog", "two again.xml"],
        "doubled": ["two.xml"],
        "unmatched": [f"{name(3, 9)}.mjlog", "other.xml"],
        "unreadable": ["cut.mjlog"],
    }
    assert report["matched"][0]["start"] == "18:10"
    assert sorted(report["matched"][0]["players"]) == sorted(read(1, 3).players)
    assert (report["games"], report["games_with_record"]) == (4, 2)
    assert kept(logs) == {name(1, 18): "2026-05-04", "file-": ""}
    again = league(str(folder))
    assert again.exit_code == 1
    counted = "0 matched, 3 doubled, 2 unmatched, 1 unreadable"
    assert again.stdout.splitlines() == [counted, "2 of 4 games have a record"]
    assert "other.xml: the log has no game of these players and points" in again.stderr
    assert "Traceback" not in again.output


def test_ids_on_standard_input(league: Run, logs: Path, tenhou: FakeTenhou) -> None:
    """Addresses and bare ids are fetched once each, but only those that may be of a game of the
    log.
    """
    for seed in (1, 2, 3):
        tenhou.records[name(seed, seed + 17)] = gzip.compress(made(seed, 3).xml())
    ids = [name(2, 19), name(2, 19), name(4, 21), name(3, 20, "10777"), name(3, 3)]
    lines = ["# the spring", f"http://tenhou.net/0/?log={name(1, 18)}&tw=1", *ids, "hello"]
    result = league("--json", input="\n".join(lines) + "\n")
    assert result.exit_code == 1
    report = printed_json(result)
    assert file_names(report["matched"]) == [name(1, 18), name(2, 19)]
    assert file_names(report["doubled"]) == [name(2, 19)]
    assert file_names(report["unmatched"]) == [name(3, 20, "10777"), name(3, 3)]
    assert file_names(report["unreadable"]) == [name(4, 21), "hello"]
    assert "404" in report["unreadable"][0]["text"]
    assert tenhou.judge.requests == [
        f"/0/log/?{record_id}" for record_id in IDS if record_id != IDS[2]
    ]
    assert kept(logs) == {name(1, 18): "2026-05-04", name(2, 19): "2026-05-04"}
    good = league(name(1, 18), f"https://tenhou.net/3/?log={name(2, 19)}")
    assert good.exit_code == 0, good.output
    assert good.stdout.splitlines()[0] == "0 matched, 2 doubled, 0 unmatched, 0 unreadable"
    assert len(tenhou.judge.requests) == 3


def test_an_id_names_a_file_that_was_sent(
    league: Run, logs: Path, tmp_path: Path, tenhou: FakeTenhou
) -> None:
    (tmp_path / "one.mjlog").write_bytes(made(1, 3).xml())
    assert league(str(tmp_path / "one.mjlog")).exit_code == 0
    tenhou.records[name(1, 18)] = made(1, 3).xml()
    (matched,) = printed_json(league(name(1, 18), "--json"))["matched"]
    assert matched["file"] == name(1, 18)
    assert kept(logs) == {name(1, 18): "2026-05-04"}


def test_stop_and_go_on(
    league: Run, logs: Path, tenhou: FakeTenhou, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed, record_id in enumerate(IDS, 1):
        tenhou.records[record_id] = made(seed, 3).xml()
    waits: list[float] = []

    def stop(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("bot.cli.record_filing.LeagueRecords.__init__.__defaults__", (stop,))
    first = league("--json", input="\n".join(IDS))
    assert first.exit_code == 1
    assert printed_json(first)["stopped"] == "stopped; the same command goes on"
    assert len(kept(logs)) == 2
    second = league("--json", input="\n".join(IDS))
    assert second.exit_code == 0
    rows = printed_json(second)
    assert len(rows["matched"]) == 2
    assert len(rows["doubled"]) == 2
    assert len(kept(logs)) == 4


def test_tenhou_is_left_alone_once_it_does_not_answer(league: Run, tenhou: FakeTenhou) -> None:
    tenhou.fail("/0/log/", status=503, times=9)
    report = printed_json(league("--json", input="\n".join(IDS)))
    assert [row["file"] for row in report["left"]] == IDS
    assert len(tenhou.judge.requests) == 2


def test_a_league_of_a_host(runner: Runner, logs: Path, tmp_path: Path) -> None:
    other = logs / "spring"
    other.mkdir()
    (logs / "logvol1.txt").rename(other / "logvol1.txt")
    (tmp_path / "one.mjlog").write_bytes(made(1, 3).xml())
    run = runner(logs, tmp_path / "state")
    result = run("paifu", "--into-league", "--league", "spring", str(tmp_path / "one.mjlog"))
    assert result.exit_code == 0, result.output
    assert len(kept(other)) == 1
    assert not (logs / "recordlog.txt").exists()


REFUSED = [
    ("/no/such/folder", "no such file or folder"),
    ("--league ../x .", "no name for a league's folder"),
    ("--wall .", "not for --into-league"),
    ("", "no record is named"),
]


@pytest.mark.parametrize(("args", "words"), REFUSED)
def test_wrong_calls_end_with_one_line(league: Run, args: str, words: str) -> None:
    assert words in refused(league(*args.split(), input=""))


def test_too_many_at_once(league: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.cli.record_filing.MOST", 3)
    ids = [name(seed, 18) for seed in range(1, 5)]
    assert "3 at most" in refused(league(input="\n".join(ids)))


def test_records_are_written_in_batches_and_the_oldest_dropped(
    league: Run, logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.cli.record_filing.BATCH", 2)
    monkeypatch.setattr("bot.cli.record_filing.KEPT", 3)
    monkeypatch.setattr("bot.league.paifu_log.drop_oldest.__defaults__", (3,))
    folder = tmp_path / "mjlogs"
    folder.mkdir()
    for seed, record_id in enumerate(IDS, 1):
        (folder / f"{record_id}.mjlog").write_bytes(made(seed, 3).xml())
    assert league(str(folder)).exit_code == 0
    assert len(read_log((logs / "recordlog.txt").read_bytes())) == 4
    stored = sorted(path.stem for path in (logs / "records").iterdir())
    assert stored == IDS[1:]


def test_without_sources_or_without_games_it_is_refused(
    runner: Runner, logs: Path, tmp_path: Path
) -> None:
    run = runner(logs, tmp_path / "state")
    assert "name files, folders or addresses" in refused(run("paifu"))
    assert "--league is for --into-league" in refused(run("paifu", "--league", "x", "."))
    (tmp_path / "one.mjlog").write_bytes(made(1, 3).xml())
    (logs / "logvol1.txt").unlink()
    line = refused(run("paifu", "--into-league", str(tmp_path / "one.mjlog")))
    assert "no games in its log" in line


@pytest.fixture
def fetch(runner: Runner, tmp_path: Path, tenhou: FakeTenhou) -> Run:
    run = runner(tmp_path / "logs", tmp_path, TENHOU_URL=tenhou.url)
    return lambda *args: run("paifu", *args)


def test_a_record_by_its_address(fetch: Run, tenhou: FakeTenhou) -> None:
    address = serve(tenhou)
    for _ in range(2):
        result = fetch(address, "--json")
        game = json_of(result)["games"][0]
        assert game["file"] == address
        assert game["final"] == list(read(1).final)
    assert tenhou.judge.requests == [f"/0/log/?{ID}"]


@pytest.mark.parametrize(
    "host", ["https://evil.example", "https://tenhou.net@evil.example", "http://x"]
)
def test_no_other_host(fetch: Run, tenhou: FakeTenhou, host: str) -> None:
    assert "not the address of a game record at Tenhou" in refused(fetch(f"{host}/0/?log={ID}"))
    assert tenhou.judge.requests == []


def test_an_unknown_record(fetch: Run) -> None:
    assert "404" in refused(fetch(f"https://tenhou.net/0/?log={ID}"))
