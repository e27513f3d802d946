"""The service on loopback:

Dropbox over TLS, rclone's S3, the console as LINE, the Procfile's gunicorn.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.league.demo import demo_files
from storage.state import open_state
from tests.backend import Backend
from tests.e2e.fleet import Fleet, fleet, unharmed, until
from tests.fakes.dropbox import FakeDropbox
from tests.fakes.line import fake_line
from tests.fakes.platform import Platform
from tests.fakes.process import Running, service, web_command
from tests.fakes.servers import S3Server, free_port, rclone_s3
from tests.kept import alive


@dataclass
class Cloud:
    """The parts of a deployment with Dropbox and S3."""

    line: Platform
    dropbox: FakeDropbox
    s3: S3Server
    database: str
    web: Running
    worker: Running | None = None

    @property
    def log(self) -> list[str]:
        """The log lines of all processes."""
        return self.web.log + (self.worker.log if self.worker else [])


@contextmanager
def deployed(folder: Path, backend: Backend) -> Iterator[Cloud]:
    """A deployment with one web process, and one worker process where workers answer taps."""
    port = free_port()
    with ExitStack() as stack:
        dropbox = stack.enter_context(FakeDropbox())
        s3 = stack.enter_context(rclone_s3())
        line, line_env = stack.enter_context(fake_line(f"http://127.0.0.1:{port}/callback"))
        for name, data in demo_files().items():
            dropbox.account.put(f"/league/{name}", data)
        env = {
            **line_env,
            **dropbox.env(),
            **s3.env(),
            "LOGS_URL": "dropbox:/league",
            "IMAGES_URL": f"s3://{s3.bucket}/charts",
            "WEB_CONCURRENCY": "1",
            "WORKER_CONCURRENCY": "1",
            **backend.env(folder),
        }
        queued = backend.kind == "workers"
        worker = stack.enter_context(service(port, env, web_command("worker"))) if queued else None
        web = stack.enter_context(service(port, env))
        state = open_state(env["DATABASE_URL"])
        stack.callback(state.close)
        until(lambda: alive(state) >= (2 if queued else 1), 30)
        logs = [f"/league/{name}" for name in demo_files() if name.startswith("logvol")]
        until(
            lambda: set(logs) <= set(dropbox.account.read), 30
        )  # the web process reads them when it starts
        yield Cloud(line, dropbox, s3, env["DATABASE_URL"], web, worker)


@pytest.fixture(scope="session")
def cloud(tmp_path_factory: pytest.TempPathFactory, backend: Backend) -> Iterator[Cloud]:
    with deployed(tmp_path_factory.mktemp("state"), backend) as made:
        yield made


@pytest.fixture
def by_the_worker(cloud: Cloud) -> Iterator[None]:
    """Check that the worker answered during the test, where there is one."""

    def answers() -> int:
        if not cloud.worker:
            return 0
        return sum(1 for line in cloud.worker.log if '"postback answered"' in line)

    before = answers()
    yield
    if cloud.worker:
        until(lambda: answers() > before)


@pytest.fixture(scope="module")
def ships(tmp_path_factory: pytest.TempPathFactory, backend: Backend) -> Iterator[Fleet]:
    with fleet(tmp_path_factory.mktemp("fleet"), backend.kind) as made:
        yield made


@pytest.fixture
def whole(ships: Fleet) -> Iterator[None]:
    with unharmed(ships):
        yield
