"""A Redis server that can die and come back at the same address."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.fakes.certificates import server_context
from tests.fakes.servers import Program, free_port, program

DATABASES = 10_000


class RedisServer(Program):
    """A Redis server that keeps nothing on disk: once stopped its data are gone."""

    def __init__(self, folder: str, *words: str, tls: bool = False) -> None:
        """`words` are further ones of its command line.

        `tls`: with a certificate nobody trusts (Heroku).
        """
        port = free_port()
        self._scheme = "rediss" if tls else "redis"
        command = [
            program("redis-server"),
            *words,
            "--port",
            "0" if tls else str(port),
            "--bind",
            "127.0.0.1",
        ]
        command += ["--save", "", "--appendonly", "no", "--databases", str(DATABASES)]
        if tls:
            server_context(Path(folder))
            command += [
                "--tls-port",
                str(port),
                "--tls-auth-clients",
                "no",
                "--tls-cert-file",
                "server.pem",
            ]
            command += ["--tls-key-file", "server.pem", "--tls-ca-cert-file", "authority.pem"]
        super().__init__(port, command, folder)

    @property
    def url(self) -> str:
        return self.address(0)

    def address(self, number: int) -> str:
        """The address of database `number`, from 0 to DATABASES - 1."""
        return f"{self._scheme}://127.0.0.1:{self.port}/{number}"


@contextmanager
def redis_server(*words: str, tls: bool = False) -> Iterator[RedisServer]:
    with (
        tempfile.TemporaryDirectory(prefix="janroku-redis-") as folder,
        RedisServer(folder, *words, tls=tls) as server,
    ):
        yield server
