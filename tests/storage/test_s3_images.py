import socket
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator

import pytest
import requests

from bot.settings.stores import open_images
from storage.addresses import LIFETIME, ImageOptions, key_part
from storage.ports import Denied, NotFound, StorageError
from storage.s3_images import S3Images
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
        lambda: images.put("a.png", PNG),
        lambda: images.has("a.png"),
        lambda: images.sweep(0),
    ]


def query(url: str) -> dict[str, str]:
    parts = urllib.parse.urlsplit(url)
    return dict(urllib.parse.parse_qsl(parts.query, strict_parsing=True))


@pytest.mark.parametrize("region", ["ap-northeast-1", "us-east-1"])
@pytest.mark.usefixtures("aws")
def test_amazons_links_are_signed_by_v4_on_the_regions_own_host(
    region: str, monkeypatch: Patch
) -> None:
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
def test_signing_asks_nobody_and_gives_a_link_for_ten_minutes(monkeypatch: Patch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert S3Images("jan").url("a.png").startswith("https://jan.s3.")
    now = [999_600.0]  # a step of ten minutes begins
    images = S3Images("jan", clock=lambda: now[0])
    first = images.url("a.png")
    assert images.url("b.png") != first
    now[0] += 599
    assert images.url("a.png") is first
    now[0] += 2
    assert images.url("a.png") is not first


@pytest.mark.usefixtures("aws")
def test_the_region_may_be_named_as_on_lambda(monkeypatch: Patch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    monkeypatch.setenv("AWS_REGION", "eu-west-1")
    assert ".s3.eu-west-1." in S3Images("jan").url("a.png")
    monkeypatch.delenv("AWS_REGION")
    with pytest.raises(ValueError, match="AWS_DEFAULT_REGION"):
        S3Images("jan")


@pytest.mark.usefixtures("aws")
def test_a_link_longer_than_line_takes_is_an_error(monkeypatch: Patch) -> None:
    monkeypatch.setenv("AWS_SESSION_TOKEN", "t" * 1500)
    assert len(S3Images("jan").url("a.png")) < 2000
    monkeypatch.setenv("AWS_SESSION_TOKEN", "t" * 2000)
    with pytest.raises(StorageError, match="2000"):
        S3Images("jan").url("a.png")


BUCKETS = ("", "x", "Jan", "jan_roku", "jan/", "雀録", "arn:aws:s3:::jan")
BAD = [(bucket, "", "bucket's name") for bucket in BUCKETS]
BAD += [("jan", prefix, "not a key") for prefix in ("../x", "a b", ".x", "a//b")]


@pytest.mark.parametrize(("bucket", "prefix", "words"), BAD)
def test_a_bucket_or_prefix_that_is_none_is_refused(bucket: str, prefix: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        S3Images(bucket, prefix)


@pytest.mark.usefixtures("aws")
def test_no_credentials_are_denied(monkeypatch: Patch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    images = S3Images("jan")
    for act in (lambda: images.url("a.png"), *calls(images)[:2]):
        with pytest.raises(Denied, match=r"s3://jan/a\.png: no usable AWS credentials"):
            act()


def test_objects_lie_under_the_prefix_with_their_headers_and_names(
    s3: S3Server, images: S3Images
) -> None:
    images.put("rating/a.png", PNG)
    assert (s3.folder / s3.bucket / "charts/rating/a.png").read_bytes() == PNG
    answer = requests.get(images.url("rating/a.png"), timeout=10)
    assert (answer.content, answer.headers["Content-Type"]) == (PNG, "image/png")
    head = images._client.head_object(Bucket=s3.bucket, Key="charts/rating/a.png")
    assert head["CacheControl"] == f"private, max-age={LIFETIME}, immutable"
    key = f"export/{key_part('雀録杯.csv')}"
    images.put(key, b"a,b", "text/csv; charset=utf-8")
    told = requests.get(images.url(key), timeout=10).headers["Content-Disposition"]
    assert told.endswith("filename*=UTF-8''%E9%9B%80%E9%8C%B2%E6%9D%AF.csv")
    for url in (f"s3://{s3.bucket}", f"s3://{s3.bucket}/"):
        top = open_images(url, ImageOptions())
        top.put("top.png", url.encode())
        assert (s3.folder / s3.bucket / "top.png").read_bytes() == url.encode()
        top.close()  # type: ignore[attr-defined]


def test_a_picture_comes_with_its_head(images: S3Images, s3: S3Server, monkeypatch: Patch) -> None:
    heard: list[bytes] = []

    def listen(server: socket.socket) -> None:
        connection, _ = server.accept()
        with connection, socket.create_connection(("127.0.0.1", s3.port)) as there:
            for _ in range(20):
                heard.append(connection.recv(1 << 16))
                if b"picture" in heard[-1]:
                    break
            there.sendall(b"".join(heard))
            connection.sendall(there.recv(1 << 16))

    with socket.create_server(("127.0.0.1", 0)) as server:
        relay = threading.Thread(target=listen, args=(server,))
        relay.start()
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://127.0.0.1:{server.getsockname()[1]}")
        monkeypatch.setattr("storage.s3_images._ATTEMPTS", 1)
        relayed = S3Images(s3.bucket, "charts")
        relayed.put("head.png", PNG)
        relay.join()
        relayed.close()
    assert images.has("head.png")
    assert b"expect" not in b"".join(heard).lower()


def test_a_missing_bucket_is_not_found_by_name(s3: S3Server) -> None:
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
    for act in calls(images):
        with pytest.raises(Denied) as caught:
            act()
        assert "somethingwrong" not in str(caught.value)
    images.close()


def test_s3_down_or_silent_is_an_error_soon(s3: S3Server, monkeypatch: Patch) -> None:
    monkeypatch.setattr("storage.s3_images._TIMEOUT", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        for port in (silent.getsockname()[1], free_port()):
            monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://127.0.0.1:{port}")
            images = S3Images(s3.bucket)
            began = time.monotonic()
            for act in calls(images):
                with pytest.raises(StorageError, match="can't be reached") as caught:
                    act()
                assert not isinstance(caught.value, (Denied, NotFound))
            assert time.monotonic() - began < 10
            images.close()


def test_sweeping_leaves_what_is_not_under_the_prefix(s3: S3Server, images: S3Images) -> None:
    neighbour = S3Images(s3.bucket, "charts2", clock=lambda: time.time() + 100)
    neighbour.put("kept.png", PNG)
    images.put("gone.png", PNG)
    later = S3Images(s3.bucket, "charts", clock=lambda: time.time() + 100)
    assert later.sweep(50) >= 1
    assert neighbour.has("kept.png")
    assert not images.has("gone.png")
    for store in (neighbour, later):
        store.close()
