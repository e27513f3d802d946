"""flask doctor says whether Redis can be reached."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.cli.doctor_checks import examine
from bot.runtime.work_queue import ping
from bot.service import Service
from bot.settings import read_settings
from tests.backend import Backend, close
from tests.fakes.redis import redis_server
from tests.fakes.servers import Missing, free_port


def finding(backend: Backend, folder: Path, redis: str) -> tuple[bool, str]:
    env = {
        "LINE_CHANNEL_SECRET": "channel-secret-0123456789",
        "LINE_CHANNEL_ACCESS_TOKEN": "channel-access-token-0123456789",
        "LINE_API_URL": f"http://127.0.0.1:{free_port()}",
        "LOGS_URL": f"file:{folder}",
        "IMAGES_URL": f"file:{folder / 'images'}",
        "DATABASE_URL": backend.database(folder),
        "REDIS_URL": redis,
    }
    service = Service(read_settings(env))
    try:
        (found,) = (finding for finding in examine(service) if finding.what == "REDIS_URL")
    finally:
        close(service)
    return found.ok, found.text


def test_a_redis_that_is_not_there_is_to_mend(tmp_path: Path, backend: Backend) -> None:
    ok, text = finding(backend, tmp_path, f"redis://:redis-word-777@127.0.0.1:{free_port()}/0")
    assert not ok
    assert "can't be reached" in text
    assert "redis-word-777" not in text


def test_a_redis_that_answers_is_said_to(tmp_path: Path, backend: Backend) -> None:
    try:
        with redis_server() as server:
            assert finding(backend, tmp_path, server.url) == (True, "reached; taps run on the workers")
            server.kill()
            with pytest.raises(ConnectionError):
                ping(server.url)
    except Missing as missing:
        pytest.skip(f"{missing} is not installed")
