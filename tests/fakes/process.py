"""Runs the service as it is deployed: the Procfile's command in its own process, with its own
environment.
"""

import os
import shlex
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[2]
START = 30.0  # seconds a service may take until its first answer


@dataclass
class Running:
    """A running service on loopback. `log` holds the lines that it has written so far."""

    port: int
    process: subprocess.Popen[str]
    log: list[str]
    started: float  # seconds to the first answer

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def memory(self) -> float:
        """The memory of the process and its children in MiB, shared pages counted once (PSS)."""
        family = _family(self.process.pid)
        return sum(process.memory_full_info().pss for process in family) / 2**20

    def processor(self) -> float:
        """The processor seconds that the process and its children, the ended ones too, have used so
        far.
        """
        family = _family(self.process.pid)
        return sum(sum(process.cpu_times()[:4]) for process in family)


def _family(process: int) -> list[psutil.Process]:
    parent = psutil.Process(process)
    return [parent, *parent.children(recursive=True)]


def wrong_clock(ahead: float) -> dict[str, str]:
    """The variables of a service whose clock is `ahead` seconds ahead."""
    return {"PYTHONPATH": str(Path(__file__).with_name("skew")), "CLOCK_AHEAD": str(ahead)}


@contextmanager
def frozen(process: int) -> Iterator[None]:
    """Stop a process and its children with SIGSTOP: connections stay, and nobody answers."""
    psutil.Process(process).suspend()  # first, so that it begins no child that is missed below
    for each in _family(process)[1:]:
        each.suspend()
    try:
        yield
    finally:
        for each in reversed(_family(process)):
            each.resume()


GUNICORN = (sys.executable, "-m", "gunicorn")


def web_command(kind: str = "web", root: Path = ROOT) -> list[str]:
    """The Procfile's web (or worker) command, run by this Python."""
    lines = (root / "Procfile").read_text().splitlines()
    line = next(line for line in lines if line.startswith(f"{kind}:"))
    words = shlex.split(line.removeprefix(f"{kind}:"))
    if words[0] == "python":
        return [sys.executable, *words[1:]]
    return [sys.executable, "-m", *words]


def clean_env(**more: str) -> dict[str, str]:
    """An environment with none of the developer's own settings, and `more`."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    own = {"HOME": "/nonexistent", "PYTHONUNBUFFERED": "1", "JANROKU_ENV_FILE": os.devnull}
    return {**kept, **own, **more}


@contextmanager
def service(
    port: int,
    env: dict[str, str],
    command: list[str] | None = None,
    restart: bool = False,
    root: Path = ROOT,
) -> Iterator[Running]:
    """Start the service, wait for its first answer (unless it is a worker), and stop it with its
    children at the end.

    With `restart` a process that fails is started again, as systemd does by docs/janroku.service
    and as Heroku does. `root` is the checkout whose service it is.
    """
    began = time.perf_counter()

    def start() -> subprocess.Popen[str]:
        return subprocess.Popen(
            command or web_command(root=root),
            cwd=root,
            env=clean_env(PORT=str(port), **env),
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    running = Running(port, start(), [], 0.0)
    ending = threading.Event()
    keeper = threading.Thread(
        target=_keep,
        args=(running, ending, start, restart),
        daemon=True,
    )
    keeper.start()
    try:
        if command is None or "bot.worker" not in command:
            _until_it_answers(running.process, f"http://127.0.0.1:{port}/healthz", running.log)
        running.started = time.perf_counter() - began
        yield running
    finally:
        ending.set()
        with suppress(ProcessLookupError):
            os.killpg(running.process.pid, signal.SIGTERM)
        keeper.join(20)
        if keeper.is_alive():
            os.killpg(running.process.pid, signal.SIGKILL)
            keeper.join(5)


def _keep(
    running: Running,
    ending: threading.Event,
    start: Callable[[], subprocess.Popen[str]],
    restart: bool,
) -> None:
    """Collect the process's lines until it ends; where it is to be restarted, again and again."""
    while True:
        process = running.process
        reader = threading.Thread(target=_read, args=(process, running.log), daemon=True)
        reader.start()
        failed = process.wait() != 0
        if not (failed and restart) or ending.is_set():
            reader.join(5)
            return
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # its children
        reader.join(5)
        if ending.wait(1.0):
            return
        running.process = start()


def _read(process: subprocess.Popen[str], log: list[str]) -> None:
    assert process.stdout is not None
    with process.stdout as lines:
        log.extend(lines)


def _until_it_answers(
    process: subprocess.Popen[str],
    url: str,
    log: list[str],
) -> None:
    end = time.monotonic() + START
    pause = threading.Event()
    while time.monotonic() < end:
        if process.poll() is not None:
            raise AssertionError("the service ended: " + "".join(log)[-2000:])
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except urllib.error.HTTPError:
            return
        except OSError:
            pause.wait(0.05)  # the port is not open yet
    raise AssertionError("the service did not answer: " + "".join(log)[-2000:])
