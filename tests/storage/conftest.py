import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.state import State, open_state
from tests.backend import Backend
from tests.clock import Clock
from tests.fakes import servers
from tests.fakes.dropbox import FakeDropbox


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    certificates = {"REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"}
    for name in list(os.environ):
        if name.startswith(("AWS_", "DROPBOX_")) or name in certificates:
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def postgres_server(backend: Backend) -> Iterator[servers.PostgresServer]:
    """A Postgres for the cloud backend's storage tests alone, which they may stop and lock."""
    with servers.postgres() as server:
        yield server


@pytest.fixture(scope="session")
def s3_server() -> Iterator[servers.S3Server]:
    try:
        with servers.rclone_s3() as server:
            yield server
    except servers.Missing as missing:
        pytest.skip(f"{missing} is not installed")


@pytest.fixture
def s3(s3_server: servers.S3Server, monkeypatch: pytest.MonkeyPatch) -> servers.S3Server:
    """The S3 server; the AWS SDK's variables point to it."""
    for name, value in s3_server.env().items():
        monkeypatch.setenv(name, value)
    return s3_server


@pytest.fixture
def dropbox() -> Iterator[FakeDropbox]:
    """A new fake of Dropbox. Clients made in this process use it."""
    with FakeDropbox() as fake, fake.patched():
        yield fake


@pytest.fixture
def state(backend: Backend, tmp_path: Path, clock: Clock) -> Iterator[State]:
    """An empty state, whose clock the test sets."""
    made = open_state(backend.database(tmp_path), clock=clock)
    yield made
    made.close()
