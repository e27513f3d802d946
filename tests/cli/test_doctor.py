"""flask doctor: the faults it finds, and what it says about them."""

import json
import os
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import Runner
from tests.fakes.tenhou import FakeTenhou


def doctor_finds(runner: Runner, tmp_path: Path, what: str, **env: str) -> str:
    """The text of the fault that doctor finds in the setting `what`."""
    result = runner(tmp_path, tmp_path, **env)("doctor", "--json")
    return next(f["text"] for f in json.loads(result.stdout)["findings"] if f["what"] == what and not f["ok"])


@pytest.fixture
def channel() -> dict[str, str]:
    return {"LINE_CHANNEL_SECRET": "5" * 32, "LINE_CHANNEL_ACCESS_TOKEN": "t" * 40}


def test_doctor_tells_line_out_of_reach_from_a_token_refused(
    runner: Runner, tmp_path: Path, channel: dict[str, str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        closed = f"http://127.0.0.1:{server.getsockname()[1]}"
    found = doctor_finds(runner, tmp_path, "LINE_CHANNEL_ACCESS_TOKEN", LINE_API_URL=closed, **channel)
    assert found.startswith(f"LINE can't be reached at {closed} (")
    assert "issue a new" not in found


@pytest.mark.parametrize(("status", "token"), [(401, True), (403, True), (404, False), (500, False)])
def test_doctor_asks_for_a_new_token_where_it_was_refused(
    runner: Runner, tmp_path: Path, channel: dict[str, str], status: int, token: bool
) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(b'{"message": "no"}')

        def log_message(self, *_: Any) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        found = doctor_finds(runner, tmp_path, "LINE_CHANNEL_ACCESS_TOKEN", LINE_API_URL=url, **channel)
        server.shutdown()
    assert f"at {url} says {status}" in found
    assert ("issue a new long-lived token" in found) == token


def test_doctor_says_that_pictures_cannot_be_written(runner: Runner, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    found = doctor_finds(runner, tmp_path, "IMAGES_URL", IMAGES_URL=f"file:{tmp_path / 'file' / 'images'}")
    assert "can't be written: Not a directory" in found


def test_the_leagues_files_stop_no_release(runner: Runner, tmp_path: Path, tenhou: FakeTenhou) -> None:
    (tmp_path / "league").mkdir()
    run = runner(tmp_path / "league", tmp_path, TENHOU_URL=tenhou.url)
    result = run("doctor", "--json")
    assert result.exit_code == 1
    bad = [finding["what"] for finding in json.loads(result.stdout)["findings"] if not finding["ok"]]
    assert "league" in bad
    assert run("doctor", "--release").exit_code == 0


def test_doctor_names_files_that_nobody_reads_where_a_log_is_missing(runner: Runner, tmp_path: Path) -> None:
    (tmp_path / "league").mkdir()
    (tmp_path / "league" / "LogVol1.txt").write_text("20200518\n")
    out = runner(tmp_path / "league", tmp_path)("doctor").stdout
    assert "the folder has no logvolN.txt" in out
    assert "LogVol1.txt: not read: its name is not a league's file's; give it the name logvol1.txt" in out


def test_doctor_names_every_line_that_cannot_be_read(runner: Runner, tmp_path: Path) -> None:
    folder = tmp_path / "league"
    folder.mkdir()
    (folder / "logvol1.txt").write_text("だれ？\nC1 | x\n", "utf-8")
    (folder / "league.toml").write_text("rooms = 3\n")
    result = runner(folder, tmp_path)("doctor")
    assert result.exit_code == 1
    for place in ("logvol1.txt:1", "logvol1.txt:2", "league.toml"):
        assert place in result.stdout


def test_doctor_speaks_japanese_where_the_environment_does(runner: Runner, tmp_path: Path) -> None:
    result = runner(tmp_path, tmp_path)("doctor", env={"LANGUAGE": "ja"})
    assert "要対応  league: フォルダにlogvolN.txtがありません" in result.stdout
    assert "正常    DATABASE_URL: 読み書きできました" in result.stdout


def test_the_first_line_says_what_was_read_and_the_demo_league_is_not_meant(tmp_path: Path) -> None:
    """In a process of its own: Flask would read .env before the app does."""
    file, env = tmp_path / "janroku.env", {"PATH": os.environ["PATH"], "LANGUAGE": "en"}
    call = "from bot.cli.version import main; main()"

    def flask(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
        given = env | {"JANROKU_ENV_FILE": str(file)} | more
        command = [sys.executable, "-c", call, *words]
        return subprocess.run(command, env=given, capture_output=True, text=True, timeout=120)

    for words in (("doctor",), ("backup", str(tmp_path / "x.zip"))):
        refused = flask(*words)
        assert refused.returncode == 2
        assert "LOGS_URL is not set: this would be about the demo league" in refused.stderr
    assert refused.stdout == ""
    assert flask("doctor").stdout == f"configuration: environment (no {file})\n"
    file.write_text(f"LOGS_URL=file:{tmp_path / 'none' / 'none'}\nADMIN_USER_IDS=me\n")
    assert flask("doctor").stdout.startswith(f"configuration: {file}; environment\nMEND  ")
    file.write_bytes(b"LOGS_URL=\xff\xfe\n")
    for words in (("doctor",), ("standings",), ("--help",)):
        told = flask(*words)
        assert "Traceback" not in told.stderr
    (line,) = [line for line in flask("doctor").stdout.splitlines() if line.startswith("MEND")]
    assert line == f"MEND  JANROKU_ENV_FILE: {file}: can't be read (UnicodeDecodeError)"
