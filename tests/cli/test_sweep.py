"""`flask sweep` removes old pictures alone, and never one that a link may lead to."""

import os
import time
from pathlib import Path

import pytest

from storage.addresses import LIFETIME
from tests.cli.running import Run, Runner, json_of
from tests.fakes.s3_lifecycle import s3_lifecycle
from tests.fakes.servers import S3Server

DAYS = 2 * LIFETIME // 86400 + 1  # a link may be given for as long as another lives


def test_old_pictures_go_and_others_stay(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "images/charts"
    folder.mkdir(parents=True)
    for days in (1, DAYS - 1, DAYS + 1, 40):
        (folder / f"{days}.png").write_bytes(b"\x89PNG")
        then = time.time() - days * 86400
        os.utime(folder / f"{days}.png", (then, then))
    assert json_of(run("sweep", "--days", "30", "--json")) == {"removed": 1, "days": 30}
    assert run("sweep").output == f"1 pictures older than {DAYS} days removed\n"
    assert sorted(path.name for path in folder.iterdir()) == ["1.png", f"{DAYS - 1}.png"]


def test_a_bucket_gets_its_own_rule(
    runner: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with s3_lifecycle() as server:
        for name, value in S3Server(0, tmp_path).env().items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", server.url)
        run = runner(tmp_path, tmp_path, IMAGES_URL="s3://janroku-test/charts")
        assert json_of(run("sweep", "--lifecycle", "--json")) == {"changed": True, "days": DAYS}
        assert "has the rule already" in run("sweep", "--lifecycle").output
        server.denied = True
        refused = run("sweep", "--lifecycle")
        assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
        assert "AccessDenied" in refused.stderr
        whole = runner(tmp_path, tmp_path, IMAGES_URL="s3://janroku-test")("sweep", "--lifecycle")
        assert (whole.exit_code, "prefix" in whole.stderr) == (2, True)
