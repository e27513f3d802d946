"""flask doctor: its first lines, and another language; its findings: tests/checks."""

import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

from click.testing import CliRunner, Result

from app import create_app
from bot.cli.version import Ordered
from tests.cli.running import Runner


def test_doctor_speaks_japanese_where_the_environment_does(runner: Runner, tmp_path: Path) -> None:
    result = runner(tmp_path, tmp_path)("doctor", env={"LANGUAGE": "ja"})
    assert "要対応  league: フォルダにlogvolN.txtがありません" in result.stdout
    assert "正常    DATABASE_URL: 読み書きできました" in result.stdout


def test_doctor_names_its_configuration_and_refuses_the_demo(tmp_path: Path) -> None:
    file = tmp_path / "janroku.env"
    env = {"PATH": os.environ["PATH"], "LANGUAGE": "en", "JANROKU_ENV_FILE": str(file)}

    def flask(*words: str) -> Result:
        with patch.dict(os.environ, env, clear=True):
            return CliRunner().invoke(
                Ordered(name="flask", load_dotenv=False, create_app=create_app), words
            )

    backup = flask("backup", str(tmp_path / "x.zip"))
    assert backup.stdout == ""
    doctor = flask("doctor")
    assert doctor.stdout == f"configuration: environment (no {file})\n"
    for refused in (backup, doctor):
        assert refused.exit_code == 2
        assert "LOGS_URL is not set: this would be about the demo league" in refused.stderr
    file.write_text(f"LOGS_URL=file:{tmp_path / 'none' / 'none'}\nADMIN_USER_IDS=me\n")
    assert flask("doctor").stdout.startswith(f"configuration: {file}; environment\nMEND  ")
    file.write_bytes(b"LOGS_URL=\xff\xfe\n")
    lines = flask("doctor").stdout.splitlines()
    (line,) = [line for line in lines if line.startswith("MEND")]
    assert line == f"MEND  JANROKU_ENV_FILE: {file}: can't be read (UnicodeDecodeError)"
    # In a process of its own, where Flask would read .env before the app does.
    command = [sys.executable, "-c", "from bot.cli.version import main; main()", "standings"]
    result = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert "can't be read (UnicodeDecodeError)" in result.stderr
