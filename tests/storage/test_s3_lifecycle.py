"""The bucket's rule that removes old pictures: set once, beside the rules that are there."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from xml.etree import ElementTree

import pytest

from storage.ports import Denied, StorageError
from storage.s3_images import S3Images

SPACE = "{http://s3.amazonaws.com/doc/2006-03-01/}"
MINE = f'<LifecycleConfiguration xmlns="{SPACE[1:-1]}"><Rule><ID>mine</ID><Filter><Prefix>x/</Prefix></Filter><Status>Enabled</Status><Expiration><Days>3</Days></Expiration></Rule></LifecycleConfiguration>'


class Bucket(ThreadingHTTPServer):
    """A bucket of which only the lifecycle rules are played; `refusal` is the code of every answer instead."""

    rules, refusal = "", ""

    def ids(self) -> list[str]:
        return [str(one.text) for one in ElementTree.fromstring(self.rules).iter(f"{SPACE}ID")]


class Handler(BaseHTTPRequestHandler):
    server: Bucket

    def do_GET(self) -> None:
        self._answer(self.server.rules, "NoSuchLifecycleConfiguration")

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if not self.server.refusal:
            self.server.rules = body
        self._answer("<ok/>", "")

    def _answer(self, text: str, missing: str) -> None:
        assert self.path.endswith("?lifecycle"), self.path
        code = self.server.refusal or ("" if text else missing)
        body = (f"<Error><Code>{code}</Code></Error>" if code else text).encode()
        statuses = {"": 200, "NoSuchLifecycleConfiguration": 404, "AccessDenied": 403}
        self.send_response(statuses.get(code, 501))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None: ...


@contextmanager
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Bucket, S3Images]]:
    with Bucket(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        for name, value in {
            "AWS_ENDPOINT_URL_S3": f"http://127.0.0.1:{server.server_port}",
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_DEFAULT_REGION": "ap-northeast-1",
        }.items():
            monkeypatch.setenv(name, value)
        images = S3Images("pictures", "charts", attempts=1)
        yield server, images
        images.close()
        server.shutdown()


def test_the_rule_is_set_once_and_others_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    with bucket(monkeypatch) as (server, images):
        images.expire_after(15)
        assert server.ids() == ["janroku charts/"]
        server.rules = MINE
        images.expire_after(15)
        images.expire_after(20)
        assert server.ids() == ["mine", "janroku charts/"]
        days = [one.text for one in ElementTree.fromstring(server.rules).iter(f"{SPACE}Days")]
        assert days == ["3", "20"]


@pytest.mark.parametrize(("code", "kind"), [("AccessDenied", Denied), ("NotImplemented", StorageError)])
def test_a_refusal_changes_nothing(monkeypatch: pytest.MonkeyPatch, code: str, kind: type[Exception]) -> None:
    with bucket(monkeypatch) as (server, images):
        server.rules, server.refusal = MINE, code
        with pytest.raises(kind, match=code):
            images.expire_after(15)
        assert server.rules == MINE
