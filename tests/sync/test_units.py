import configparser
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.fakes.process import ROOT
from tests.fakes.servers import free_port

UNITS = "janroku.service", "janroku-sync.service", "janroku-sync.timer"
KNOWN = {
    "Unit": {"Description", "After", "Wants"},
    "Service": {
        "Type",
        "NotifyAccess",
        "User",
        "WorkingDirectory",
        "Environment",
        "EnvironmentFile",
        "ExecStart",
        "ExecReload",
        "KillMode",
        "TimeoutStopSec",
        "Restart",
        "RestartSec",
        "MemoryMax",
        "NoNewPrivileges",
        "PrivateTmp",
        "ProtectHome",
        "ProtectSystem",
        "ReadWritePaths",
    },
    "Timer": {"OnCalendar", "RandomizedDelaySec", "FixedRandomDelay", "Persistent"},
    "Install": {"WantedBy"},
}


COMPILED = shutil.ignore_patterns("__pycache__")


def unit(name: str) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(
        interpolation=None, delimiters=("=",), comment_prefixes=("#",)
    )
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(ROOT / "docs" / name)
    return parser


def container() -> list[tuple[str, str]]:
    """The container file's instructions, each with its arguments."""
    instructions = []
    for line in (ROOT / "Containerfile").read_text().splitlines():
        if line and not line.startswith("#"):
            word, _, arguments = line.partition(" ")
            instructions.append((word, arguments))
    return instructions


@pytest.mark.parametrize("name", UNITS)
def test_units_have_only_settings_of_systemd(name: str) -> None:
    parsed = unit(name)
    assert set(parsed.sections()) <= set(KNOWN)
    for section in parsed.sections():
        assert set(parsed[section]) <= KNOWN[section]


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)
def test_systemd_finds_no_fault(tmp_path: Path) -> None:
    for name in UNITS:
        text = (ROOT / "docs" / name).read_text()
        text = re.sub(r"ExecStart=\S+", "ExecStart=/bin/true", text).replace(
            "User=janroku", "User=root"
        )
        (tmp_path / name).write_text(text)
        verify = ["systemd-analyze", "verify", str(tmp_path / name)]
        done = subprocess.run(verify, capture_output=True, text=True)
        assert name not in done.stderr, done.stderr


def test_units_and_container_start_the_procfiles_command() -> None:
    processes = filter(None, (ROOT / "Procfile").read_text().splitlines())
    web = dict(line.split(": ", 1) for line in processes)["web"]
    assert (
        unit("janroku.service")["Service"]["ExecStart"].removeprefix("/opt/janroku/.venv/bin/")
        == web
    )
    assert " ".join(json.loads(dict(container())["CMD"])) == web
    assert unit("janroku-sync.service")["Service"]["ExecStart"].endswith("/flask sync")
    words = [word for word, _ in container()]
    assert dict(container())["FROM"].endswith("python:3.11-slim")
    assert (ROOT / "runtime.txt").read_text().strip().startswith("python-3.11")
    assert words.index("USER") < words.index("CMD")
    copied = [arguments.split()[0] for word, arguments in container() if word == "COPY"]
    assert all((ROOT / path).exists() for path in copied)


def test_unit_and_container_boot(tmp_path: Path) -> None:
    """What the container file copies, with the settings of both and nothing else, prints where it
    listens, and is healthy. Both start the same command (above)."""
    for word, arguments in container():
        if word == "COPY":
            source, target = arguments.split()
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, tmp_path / target, ignore=COMPILED)
            else:
                shutil.copy(ROOT / source, tmp_path / target)
    settings = f"{unit('janroku.service')['Service']['Environment']} {dict(container())['ENV']}"
    env = dict(pair.split("=", 1) for pair in settings.split())
    port = free_port()
    env |= {
        "PORT": str(port),
        "PATH": "/usr/bin:/bin",
        "HOME": str(tmp_path),
        "MPLCONFIGDIR": str(tmp_path / "mpl"),
    }
    program, *words = json.loads(dict(container())["CMD"])
    command = [sys.executable, "-m", program, *words]
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        command, cwd=tmp_path, env=env, stdout=pipe, stderr=subprocess.STDOUT, text=True
    )
    try:
        output = ""
        for line in process.stdout:
            output += line
            if f"127.0.0.1:{port}/console" in line:
                break
        else:
            pytest.fail(output)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=20) as answer:
            assert answer.status == 200
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()
    assert os.access(tmp_path / "var", os.W_OK)
