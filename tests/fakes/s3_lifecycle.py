"""A stand-in for S3's lifecycle of a bucket, as strict as S3 about what it takes. It checks no
signature.

https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketLifecycleConfiguration.html
"""

import zlib
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

from tests.fakes.http import Handler, serving

SPACE = "{http://s3.amazonaws.com/doc/2006-03-01/}"
PARTS = {
    "ID",
    "Filter",
    "Prefix",
    "Status",
    "Expiration",
    "NoncurrentVersionExpiration",
    "AbortIncompleteMultipartUpload",
    "Transition",
}


class LifecycleServer(ThreadingHTTPServer):
    """`kept` is the configuration as S3 would return it, `denied` has every request refused."""

    kept: bytes | None = None
    puts = 0
    denied = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


def fault_of(body: bytes) -> str:
    """Return S3's code for a configuration that it does not take, or "" for a good one."""
    root = ElementTree.fromstring(body)
    if root.tag != f"{SPACE}LifecycleConfiguration":
        return "MalformedXML"
    rules = root.findall(f"{SPACE}Rule")
    names = [rule.findtext(f"{SPACE}ID") or "" for rule in rules]
    if (
        not 1 <= len(rules) <= 1000
        or len(set(names)) < len(names)
        or any(len(name) > 255 for name in names)
    ):
        return "InvalidArgument"
    forms = {"Filter" if rule.find(f"{SPACE}Filter") is not None else "Prefix" for rule in rules}
    if len(forms) > 1:
        return "InvalidRequest"  # Filter element can only be used in Lifecycle V2
    for rule in rules:
        if {part.tag.removeprefix(SPACE) for part in rule} - PARTS:
            return "MalformedXML"
        if rule.findtext(f"{SPACE}Status") not in ("Enabled", "Disabled"):
            return "MalformedXML"
        days = rule.findtext(f"{SPACE}Expiration/{SPACE}Days") or "1"
        if not (days.isdecimal() and int(days) > 0):
            return "InvalidArgument"
    return ""


class _Handler(Handler):
    server: LifecycleServer

    def do_GET(self) -> None:
        if self._asked():
            kept = self.server.kept
            if kept:
                self.answer(200, kept)
            else:
                self._fault(404, "NoSuchLifecycleConfiguration")

    def do_PUT(self) -> None:
        body = self.body()
        if not self._asked():
            return
        sent = self.headers.get("x-amz-checksum-crc32")
        if sent != b64encode(zlib.crc32(body).to_bytes(4, "big")).decode():
            self._fault(
                400, "InvalidRequest"
            )  # Missing required header for this request: Content-MD5
        elif fault := fault_of(body):
            self._fault(400, fault)
        else:
            self.server.kept = body
            self.server.puts = self.server.puts + 1
            self.answer(200)

    def _asked(self) -> bool:
        """Answer what is not about the lifecycle of the one bucket; return whether it is."""
        parts = urlsplit(self.path)
        if self.server.denied:
            self._fault(403, "AccessDenied")
        elif parts.path.strip("/") != "janroku-test":
            self._fault(404, "NoSuchBucket")
        elif "lifecycle" not in parse_qs(parts.query, keep_blank_values=True):
            self._fault(400, "InvalidRequest")
        else:
            return True
        return False

    def _fault(self, status: int, code: str) -> None:
        self.answer(status, f"<Error><Code>{code}</Code></Error>".encode())


@contextmanager
def s3_lifecycle() -> Iterator[LifecycleServer]:
    server = LifecycleServer(("127.0.0.1", 0), _Handler)
    with serving(server):
        yield server
