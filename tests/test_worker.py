"""The worker process: what it says of faulty settings, and that it keeps its processes."""

import os
import signal
import subprocess
import sys

import pytest

from bot import worker
from bot.settings import read_settings
from tests.fakes.process import ROOT, clean_env

KEEPER = """
import os, signal, sys
from bot import worker
worker.PAUSE = 0.01

def serve():
    os.write(1, f"{os.getpid()}\\n".encode())  # at once: two processes write
    signal.sigwait({signal.SIGTERM})
    os.write(1, b"ended\\n")

worker.keep(2, serve)
"""


@pytest.mark.parametrize(
    ("env", "fault"),
    [
        ({}, "REDIS_URL: is missing"),
        ({"REDIS_URL": "redis://h", "WORKER_CONCURRENCY": "0"}, "WORKER_CONC"),
    ],
)
def test_a_faulty_setting_is_a_line_and_no_traceback(
    env: dict[str, str], fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "read_settings", lambda: read_settings(env))
    monkeypatch.setattr(worker.lifecycle, "save_memory", lambda: None)
    with pytest.raises(SystemExit) as ended:
        worker.main()
    first, line = str(ended.value.code).splitlines()
    assert first == "Janroku's worker can't start:"
    assert line.strip().startswith(fault)


def test_a_killed_process_is_started_again() -> None:
    keeper = subprocess.Popen(
        [sys.executable, "-c", KEEPER],
        cwd=ROOT,
        env=clean_env(PYTHONPATH=str(ROOT)),
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert keeper.stdout is not None
    try:
        first, second = (int(keeper.stdout.readline()) for _ in range(2))
        os.kill(first, signal.SIGKILL)
        assert int(keeper.stdout.readline()) not in (first, second)
        keeper.terminate()
        assert keeper.stdout.read().split() == ["ended", "ended"]
        assert keeper.wait(20) == 0
    finally:
        if keeper.poll() is None:
            os.killpg(keeper.pid, signal.SIGKILL)
        keeper.stdout.close()
        keeper.wait(20)
