import socket
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
import requests

from bot.settings.stores import open_images
from storage.addresses import LIFETIME, ImageOptions, key_part
from storage.ports import Denied, NotFound, StorageError
from storage.s3_images import S3Images
from tests.clock import Clock
from tests.fakes.servers import S3Server, free_port

Patch = pytest.MonkeyPatch
PNG = b"\x89PNG\r\n\x1a\n" + b"picture"


@pytest.fixture
def aws(monkeypatch: Patch) -> None:
    """Credentials for Amazon's own S3, which no test talks to."""
    keys = {
        "ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE",
        "SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    }
    files = dict.fromkeys(("CONFIG_FILE", "SHARED_CREDENTIALS_FILE"), "/dev/null")
    options = {"DEFAULT_REGION": "ap-northeast-1", "EC2_METADATA_DISABLED": "true"}
    for name, value in (keys | files | options).items():
        monkeypatch.setenv(f"AWS_{name}", value)


@pytest.fixture
def images(s3: S3Server) -> Iterator[S3Images]:
    store = S3Images(s3.bucket, "charts")
    yield store
    store.close()


def calls(images: S3Images) -> list[Callable[[], object]]:
    return [
        partial(images.put, "a.png", PNG),
        partial(images.has, "a.png"),
        partial(images.sweep, 0),
    ]


def port_of(server: socket.socket) -> int:
    _, port = server.getsockname()
    return int(port)


def in_100_seconds() -> float:
    return time.time() + 100


def query(url: str) -> dict[str, str]:
    parts = urllib.parse.urlsplit(url)
    return dict(urllib.parse.parse_qsl(parts.query, strict_parsing=True))


@pytest.mark.parametrize("region", ["ap-northeast-1", "us-east-1"])
@pytest.mark.usefixtures("aws")
def test_links_are_signed_by_v4_on_the_host_of_the_region(region: str, monkeypatch: Patch) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", region)
    dotted = S3Images("jan.example", "c").url("a.png")
    url = S3Images("jan", "c").url("a.png")
    assert dotted.startswith(f"https://s3.{region}.amazonaws.com/jan.example/c/a.png?")
    assert url.startswith(f"https://jan.s3.{region}.amazonaws.com/c/a.png?")
    assert query(url)["X-Amz-Algorithm"] == "AWS4-HMAC-SHA256"
    assert query(url)["X-Amz-Expires"] == str(LIFETIME)
    assert f"/{region}/s3/aws4_request" in query(url)["X-Amz-Credential"]
    assert len(url) < 500


@pytest.mark.usefixtures("aws")
def test_signing_opens_no_connection(monkeypatch: Patch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert S3Images("jan").url("a.png").startswith("https://jan.s3.")


@pytest.mark.usefixtures("aws")
def test_link_stays_the_same_for_ten_minutes(clock: Clock) -> None:
    clock.now = 999_600.0  # a step of ten minutes begins
    images = S3Images("jan", clock=clock)
    first = images.url("a.png")
    assert images.url("b.png") != first
    clock.now += 599
    assert images.url("a.png") is first
    clock.now += 2
    assert images.url("a.png") is not first


@pytest.mark.usefixtures("aws")
def test_region_is_read_from_either_variable(monkeypatch: Patch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    monkeypatch.setenv("AWS_REGION", "eu-west-1")
    assert ".s3.eu-west-1." in S3Images("jan").url("a.png")
    monkeypatch.delenv("AWS_REGION")
    with pytest.raises(ValueError, match="AWS_DEFAULT_REGION"):
        S3Images("jan")


@pytest.mark.usefixtures("aws")
def test_link_longer_than_line_accepts_is_an_error(monkeypatch: Patch) -> None:
    monkeypatch.setenv("AWS_SESSION_TOKEN", "t" * 1500)
    assert len(S3Images("jan").url("a.png")) < 2000
    monkeypatch.setenv("AWS_SESSION_TOKEN", "t" * 2000)
    with pytest.raises(StorageError, match="2000"):
        S3Images("jan").url("a.png")


BUCKETS = ("", "x", "Jan", "jan_roku", "jan/", "雀録", "arn:aws:s3:::jan")


@pytest.mark.parametrize("bucket", BUCKETS)
def test_invalid_bucket_is_refused(bucket: str) -> None:
    with pytest.raises(ValueError, match="bucket's name"):
        S3Images(bucket, "")


@pytest.mark.parametrize("prefix", ["../x", "a b", ".x", "a//b"])
def test_invalid_prefix_is_refused(prefix: str) -> None:
    with pytest.raises(ValueError, match="not a key"):
        S3Images("jan", prefix)


@pytest.mark.usefixtures("aws")
def test_missing_credentials_are_denied(monkeypatch: Patch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    images = S3Images("jan")
    for call in (partial(images.url, "a.png"), *calls(images)[:2]):
        with pytest.raises(Denied, match=r"s3://jan/a\.png: no usable AWS credentials"):
            call()


@pytest.mark.usefixtures("aws")
def test_missing_login_of_a_profile_is_denied(monkeypatch: Patch, tmp_path: Path) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    profile = {
        "sso_start_url": "https://example.awsapps.com/start",
        "sso_region": "us-east-1",
        "sso_account_id": "123456789012",
        "sso_role_name": "images",
    }
    lines = [f"{name} = {value}" for name, value in profile.items()]
    config = tmp_path / "config"
    config.write_text("\n".join(["[profile work]", *lines]))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(config))
    monkeypatch.setenv("AWS_PROFILE", "work")
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(Denied, match=r"s3://jan/a\.png: no usable AWS credentials"):
        S3Images("jan").url("a.png")


def test_object_is_under_the_prefix_with_its_headers(s3: S3Server, images: S3Images) -> None:
    images.put("rating/a.png", PNG)
    assert (s3.folder / s3.bucket / "charts/rating/a.png").read_bytes() == PNG
    answer = requests.get(images.url("rating/a.png"), timeout=10)
    assert (answer.content, answer.headers["Content-Type"]) == (PNG, "image/png")
    head = images._client.head_object(Bucket=s3.bucket, Key="charts/rating/a.png")
    assert head["CacheControl"] == f"private, max-age={LIFETIME}, immutable"


def test_object_has_its_file_name(images: S3Images) -> None:
    key = f"export/{key_part('雀録杯.csv')}"
    images.put(key, b"a,b", "text/csv; charset=utf-8")
    disposition = requests.get(images.url(key), timeout=10).headers["Content-Disposition"]
    assert disposition.endswith("filename*=UTF-8''%E9%9B%80%E9%8C%B2%E6%9D%AF.csv")


@pytest.mark.parametrize("ending", ["", "/"])
def test_address_without_a_prefix_is_the_top_of_the_bucket(s3: S3Server, ending: str) -> None:
    images = open_images(f"s3://{s3.bucket}{ending}", ImageOptions())
    images.put("top.png", ending.encode())
    assert (s3.folder / s3.bucket / "top.png").read_bytes() == ending.encode()
    images.close()  # type: ignore[attr-defined]


def test_picture_is_sent_together_with_its_headers(
    images: S3Images, s3: S3Server, monkeypatch: Patch
) -> None:
    received: list[bytes] = []

    def listen(server: socket.socket) -> None:
        connection, _ = server.accept()
        with connection, socket.create_connection(("127.0.0.1", s3.port)) as upstream:
            for _ in range(20):
                received.append(connection.recv(1 << 16))
                if b"picture" in received[-1]:
                    break
            upstream.sendall(b"".join(received))
            connection.sendall(upstream.recv(1 << 16))

    with socket.create_server(("127.0.0.1", 0)) as server:
        relay = threading.Thread(target=listen, args=(server,))
        relay.start()
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://127.0.0.1:{port_of(server)}")
        monkeypatch.setattr("storage.s3_images._ATTEMPTS", 1)
        relayed = S3Images(s3.bucket, "charts")
        relayed.put("head.png", PNG)
        relay.join()
        relayed.close()
    assert images.has("head.png")
    assert b"expect" not in b"".join(received).lower()


def test_missing_bucket_is_not_found_by_name(s3: S3Server) -> None:
    images = S3Images("no-such-bucket", "charts")
    with pytest.raises(NotFound, match=r"s3://no-such-bucket/charts/a\.png"):
        images.put("a.png", PNG)
    with pytest.raises(NotFound, match="no-such-bucket"):
        images.sweep(0)
    images.close()


@pytest.mark.parametrize("variable", ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"])
def test_wrong_credentials_are_denied(s3: S3Server, variable: str, monkeypatch: Patch) -> None:
    monkeypatch.setenv(variable, "somethingwrong")
    images = S3Images(s3.bucket)
    for call in calls(images):
        with pytest.raises(Denied) as caught:
            call()
        assert "somethingwrong" not in str(caught.value)
    images.close()


def test_unreachable_s3_is_an_error_soon(s3: S3Server, monkeypatch: Patch) -> None:
    monkeypatch.setattr("storage.s3_images._TIMEOUT", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        for port in (port_of(silent), free_port()):
            monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://127.0.0.1:{port}")
            images = S3Images(s3.bucket)
            start = time.monotonic()
            for call in calls(images):
                with pytest.raises(StorageError, match="can't be reached") as caught:
                    call()
                assert not isinstance(caught.value, (Denied, NotFound))
            assert time.monotonic() - start < 10
            images.close()


def test_sweep_keeps_objects_outside_the_prefix(s3: S3Server, images: S3Images) -> None:
    neighbour = S3Images(s3.bucket, "charts2", clock=in_100_seconds)
    neighbour.put("kept.png", PNG)
    images.put("gone.png", PNG)
    later = S3Images(s3.bucket, "charts", clock=in_100_seconds)
    assert later.sweep(50) >= 1
    assert neighbour.has("kept.png")
    assert not images.has("gone.png")
    for store in (neighbour, later):
        store.close()
