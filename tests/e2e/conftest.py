"""The service deployed on loopback: Dropbox over TLS, rclone's S3, the console's LINE, gunicorn by the Procfile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.console import Platform
from bot.demo import demo_files
from storage.state import SqlState
from tests.e2e.fleet import until
from tests.fakes.dropbox import FakeDropbox
from tests.fakes.line import fake_line
from tests.fakes.process import Running, service, web_command
from tests.fakes.redis import redis_server
from tests.fakes.servers import S3Server, free_port, postgres, rclone_s3


@dataclass
class Cloud:
    """Everything of a deployment on the cloud stores."""

    line: Platform
    dropbox: FakeDropbox
    s3: S3Server
    web: Running
    worker: Running | None = None


@contextmanager
def deployed(folder: Path, kind: str = "threads") -> Iterator[Cloud]:
    """`threads`: SQLite and nothing else. `celery`: Postgres, Redis and one worker process."""
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
            "DATABASE_URL": f"sqlite:///{folder / 'state.sqlite3'}",
            "WEB_CONCURRENCY": "1",
            "WORKER_CONCURRENCY": "1",
        }
        if kind == "celery":
            env["REDIS_URL"] = stack.enter_context(redis_server()).url
            env["DATABASE_URL"] = stack.enter_context(postgres()).url
        web = stack.enter_context(service(port, env))
        worker = stack.enter_context(service(port, env, web_command("worker"))) if kind == "celery" else None
        state = SqlState(env["DATABASE_URL"])
        stack.callback(state.close)
        until(lambda: len(state.items("alive:")) >= (2 if worker else 1), 30)
        yield Cloud(line, dropbox, s3, web, worker)


@pytest.fixture(scope="module")
def cloud(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cloud]:
    with deployed(tmp_path_factory.mktemp("state")) as made:
        yield made
