"""The service deployed on loopback: Dropbox over TLS, rclone's S3, the console's LINE, gunicorn by the Procfile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from bot.console import Platform
from bot.demo import demo_files
from tests.fakes.dropbox import FakeDropbox
from tests.fakes.line import fake_line
from tests.fakes.process import Running, service
from tests.fakes.servers import S3Server, free_port, rclone_s3


@dataclass
class Cloud:
    """Everything of a deployment on the cloud stores."""

    line: Platform
    dropbox: FakeDropbox
    s3: S3Server
    web: Running


@pytest.fixture(scope="module")
def cloud(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cloud]:
    state = tmp_path_factory.mktemp("state") / "state.sqlite3"
    port = free_port()
    with (
        FakeDropbox() as dropbox,
        rclone_s3() as s3,
        fake_line(f"http://127.0.0.1:{port}/callback") as (line, line_env),
    ):
        for name, data in demo_files().items():
            dropbox.account.put(f"/league/{name}", data)
        env = {
            **line_env,
            **dropbox.env(),
            **s3.env(),
            "LOGS_URL": "dropbox:/league",
            "IMAGES_URL": f"s3://{s3.bucket}/charts",
            "DATABASE_URL": f"sqlite:///{state}",
            "WEB_CONCURRENCY": "1",
        }
        with service(port, env) as web:
            yield Cloud(line, dropbox, s3, web)
