"""A Redis server that can die and come back at the same address."""

import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.fakes.certificates import server_context
from tests.fakes.servers import free_port, program

DATABASES = 10_000


class RedisServer:
    """A Redis server that keeps nothing on disk: after `kill` its data are gone."""

    def __init__(self, folder: str, *words: str, tls: bool = False) -> None:
        """`words` are further ones of its command line. `tls`: with a certificate nobody trusts (Heroku)."""
        self.port = free_port()
        self._folder = folder
        self._words = [*words, "--port", "0" if tls else str(self.port)]
        self._scheme = "rediss" if tls else "redis"
        if tls:
            server_context(Path(folder))
            self._words += ["--tls-port", str(self.port), "--tls-auth-clients", "no"]
            self._words += ["--tls-cert-file", "server.pem", "--tls-key-file", "server.pem"]
            self._words += ["--tls-ca-cert-file", "authority.pem"]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return self.address(0)

    def address(self, number: int) -> str:
        """The address of database `number`, from 0 to DATABASES - 1."""
        return f"{self._scheme}://127.0.0.1:{self.port}/{number}"

    def start(self) -> None:
        command = [program("redis-server"), *self._words, "--bind", "127.0.0.1"]
        command += ["--save", "", "--appendonly", "no", "--databases", str(DATABASES)]
        nowhere = subprocess.DEVNULL
        self._process = subprocess.Popen(command, cwd=self._folder, stdout=nowhere, stderr=nowhere)
        give_up = time.monotonic() + 20
        while time.monotonic() < give_up:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.02)
        raise RuntimeError("Redis takes no connections")

    @property
    def process(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait(10)
            self._process = None


@contextmanager
def redis_server(*words: str, tls: bool = False) -> Iterator[RedisServer]:
    with tempfile.TemporaryDirectory(prefix="janroku-redis-") as folder:
        server = RedisServer(folder, *words, tls=tls)
        server.start()
        try:
            yield server
        finally:
            server.kill()
