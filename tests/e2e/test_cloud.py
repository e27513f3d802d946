"""A tap with the cloud stores: a log in Dropbox becomes a picture in S3, and LINE gets its
address.
"""

import json
import urllib.error
import urllib.request

import pytest

from bot.demo_chat import DEMO_GROUP, DEMO_STRANGER
from bot.league.demo import demo_files
from tests.e2e.conftest import Cloud
from tests.e2e.fleet import until
from tests.e2e.taps import MIDORI, announce, fetch, image_of, tap

pytestmark = [pytest.mark.usefixtures("by_the_worker"), pytest.mark.xdist_group("cloud")]


def test_a_tap_becomes_a_picture_in_the_bucket(cloud: Cloud) -> None:
    url = image_of(tap(cloud))
    assert url.startswith(f"{cloud.s3.endpoint}/{cloud.s3.bucket}/charts/")
    data = fetch(url)
    assert data.startswith(b"\x89PNG")
    assert len(data) < 1_000_000


def test_an_altered_address_is_refused(cloud: Cloud) -> None:
    url = image_of(tap(cloud))
    altered = url[:-1] + ("0" if url[-1] != "0" else "1")
    for bad in (altered, url.partition("?")[0]):
        with pytest.raises(urllib.error.HTTPError) as refused:
            fetch(bad)
        assert refused.value.code in (400, 403)
        refused.value.close()


def test_a_second_tap_reads_and_stores_nothing(cloud: Cloud) -> None:
    first = image_of(tap(cloud))
    before = dict(cloud.dropbox.calls)
    second = image_of(tap(cloud))
    assert second.partition("?")[0] == first.partition("?")[0]
    assert cloud.dropbox.calls["files/download"] == before["files/download"]
    bucket = cloud.s3.folder / cloud.s3.bucket
    assert len(list(bucket.rglob("*.png"))) == 1


def test_a_new_line_shows_on_the_next_tap_and_only_its_file_is_read(cloud: Cloud) -> None:
    first = image_of(tap(cloud))
    until(
        lambda: "/league/history/good.json" in cloud.dropbox.account.paths()
    )  # written after the answer
    log = cloud.dropbox.account.get("/league/logvol3.txt")
    read = cloud.dropbox.account.read
    processes = 2 if cloud.worker else 1
    logs = [f"/league/{name}" for name in demo_files() if name.startswith("logvol")]
    until(
        lambda: all(read.count(path) >= processes for path in logs)
    )  # a process that starts reads them all
    read.clear()
    cloud.dropbox.account.put("/league/logvol3.txt", log + log.splitlines()[-1] + b"\n")
    announce(cloud)
    second = image_of(tap(cloud))
    assert second.partition("?")[0] != first.partition("?")[0]
    assert {path for path in read if "/history/" not in path} == {"/league/logvol3.txt"}
    assert fetch(second) != fetch(first)


def test_a_stranger_gets_one_sentence_and_no_data(cloud: Cloud) -> None:
    stranger = DEMO_STRANGER.id
    (message,) = cloud.line.answers(cloud.line.tap(stranger, stranger, "request_rating"))
    assert message["type"] == "text"
    assert "メンバー専用" in message["text"]


def test_a_redelivered_tap_is_answered_once(cloud: Cloud) -> None:
    tapped = cloud.line.tap(DEMO_GROUP, MIDORI, "request_rating")
    cloud.line.answers(tapped)
    replies = len(cloud.line.sent)
    again = cloud.line.redeliver(tapped)
    assert again.status == 200
    tap(cloud)  # by this answer, any work for the redelivered tap is done
    assert len(cloud.line.sent) == replies + 1
    assert cloud.line.refused() == []


def test_every_line_of_every_process_has_one_form(cloud: Cloud) -> None:
    """gunicorn's lines and the worker's too; a tap's tells its steps."""
    tap(cloud)
    until(lambda: any('"result": "answered"' in line for line in cloud.log))
    lines = [json.loads(line) for line in cloud.log]
    assert all({"time", "level", "logger", "message"} <= line.keys() for line in lines)
    assert {"gunicorn.error", "bot.dispatch.dispatcher"} <= {line["logger"] for line in lines}
    taps = [line for line in lines if line.get("command") == "rating"]
    assert {"event", "chat", "who", "league", "result", "ms", "steps"} <= taps[-1].keys()
