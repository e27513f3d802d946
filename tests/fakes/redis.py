"""A Redis server that can die and come back at the same address."""

import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.fakes.certificates import server_context
from tests.fakes.servers import accepts, free_port, program, until_ready

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
        until_ready(self._process, lambda: accepts(self.port))

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
