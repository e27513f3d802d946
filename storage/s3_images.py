"""Charts in an S3 bucket, read by phones under presigned links."""

from __future__ import annotations

import os
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from storage.addresses import LIFETIME, checked_address, checked_key
from storage.files import PerProcess
from storage.ports import Denied, NotFound, StorageError

_REUSED = (
    600  # seconds: a link is given again for so long, and a phone that has the picture need not fetch it anew
)
_LINKS = 2_000  # links kept for that
_BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
_REFUSED = {
    "ExpiredToken",
    "InvalidToken",
    "InvalidAccessKeyId",
    "SignatureDoesNotMatch",
    "TokenRefreshRequired",
}
_OTHER_REGION = {
    "PermanentRedirect",
    "AuthorizationHeaderMalformed",
    "IllegalLocationConstraintException",
    "301",
}


class S3Images:
    """An ImageStore in a bucket, under `prefix`. Threads may share it.

    Credentials come the way of the AWS SDKs (AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, ...), the region
    from AWS_DEFAULT_REGION, AWS_REGION or the profile. Links are Signature Version 4 on the region's own host: the SDK's
    default is an old signature on a global host, which newer regions refuse. A link made with temporary credentials dies
    with them. With AWS_ENDPOINT_URL_S3 (or AWS_ENDPOINT_URL) another S3-speaking server is used, bucket in the path.

    The credentials need s3:PutObject, s3:GetObject and s3:ListBucket (without the last, S3 answers 403 where a picture
    is missing, and `has` raises Denied); `sweep` needs s3:DeleteObject.
    """

    def __init__(
        self,
        bucket: str,
        prefix: str = "",
        *,
        lifetime: int = LIFETIME,
        timeout: float = 10.0,
        attempts: int = 3,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`lifetime` of links in seconds, a week at most; `timeout` in seconds for an answer, `attempts` a call.

        ValueError where these or the bucket's name can't be, or no region is known.
        """
        if not _BUCKET.fullmatch(bucket):
            raise ValueError(f"{bucket!r} is no bucket's name; write s3://BUCKET/PREFIX")
        if not 1 <= lifetime <= LIFETIME:
            raise ValueError(f"links to S3 live 1 to {LIFETIME} seconds, not {lifetime}")
        prefix = prefix.strip("/")
        self._bucket = bucket
        self._prefix = checked_key(prefix) + "/" if prefix else ""
        self._lifetime = lifetime
        self._clock = clock
        self._links: OrderedDict[str, tuple[float, str]] = OrderedDict()
        self._lock = threading.Lock()
        self._client = PerProcess(lambda: _client(bucket, timeout, attempts))
        self._client.prepare()

    def put(self, key: str, data: bytes, content_type: str = "image/png") -> None:
        """See the port; NotFound where there is no such bucket."""
        name = self._name(key)
        with self._errors(name):
            self._client.get().put_object(
                Bucket=self._bucket,
                Key=name,
                Body=data,
                ContentType=content_type,
                CacheControl=f"private, max-age={self._lifetime}, immutable",
            )

    def has(self, key: str) -> bool:
        """See the port."""
        name = self._name(key)
        try:
            with self._errors(name):
                self._client.get().head_object(Bucket=self._bucket, Key=name)
        except NotFound:
            return False
        return True

    def url(self, key: str) -> str:
        """See the port; Denied where there are no credentials to sign with."""
        name, now = self._name(key), self._clock()
        with self._lock:
            made, link = self._links.get(key, (float("-inf"), ""))
        if 0 <= now - made < min(_REUSED, self._lifetime // 100):
            return link
        with self._errors(name):
            url: str = self._client.get().generate_presigned_url(
                "get_object", Params={"Bucket": self._bucket, "Key": name}, ExpiresIn=self._lifetime
            )
        link = checked_address(url)
        with self._lock:
            self._links[key] = (now, link)
            self._links.move_to_end(key)
            while len(self._links) > _LINKS:
                self._links.popitem(last=False)
        return link

    def sweep(self, older_than: float) -> int:
        """See the port; looks at every picture under the prefix, a thousand a request."""
        oldest = self._clock() - older_than
        client, gone = self._client.get(), 0
        with self._errors(self._prefix + "*"):
            for page in client.get_paginator("list_objects_v2").paginate(
                Bucket=self._bucket, Prefix=self._prefix
            ):
                old = [
                    entry["Key"]
                    for entry in page.get("Contents", [])
                    if entry["LastModified"].timestamp() < oldest
                ]
                if old:
                    self._delete(client, old)
                    gone += len(old)
        return gone

    def close(self) -> None:
        """Hang up; the next call connects again."""
        client = self._client.drop()
        if client is not None:
            client.close()

    def _delete(self, client: Any, names: list[str]) -> None:
        objects = [{"Key": name} for name in names]
        answer = client.delete_objects(Bucket=self._bucket, Delete={"Objects": objects, "Quiet": True})
        for error in answer.get("Errors", []):
            kind = Denied if error.get("Code") == "AccessDenied" else StorageError
            raise kind(f"s3://{self._bucket}/{error.get('Key')}: {error.get('Code')}")

    def _name(self, key: str) -> str:
        return self._prefix + checked_key(key)

    @contextmanager
    def _errors(self, name: str) -> Iterator[None]:
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            yield
        except ClientError as error:
            kind, reason = _answer(error.response)
            raise kind(f"s3://{self._bucket}/{name}: {reason}") from error
        except BotoCoreError as error:
            kind = Denied if "Credential" in type(error).__name__ else StorageError
            reason = (
                "no usable AWS credentials"
                if kind is Denied
                else f"S3 can't be reached ({type(error).__name__})"
            )
            raise kind(f"s3://{self._bucket}/{name}: {reason}") from error


def _client(bucket: str, timeout: float, attempts: int) -> Any:
    """A client for the bucket; ValueError where the AWS settings are at fault."""
    import boto3
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError
    from botocore.handlers import add_expect_header

    elsewhere = bool(os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL"))
    config = Config(
        signature_version="s3v4",
        connect_timeout=min(3.0, timeout),
        read_timeout=timeout,
        retries={"mode": "standard", "total_max_attempts": attempts},
        max_pool_connections=10,
        tcp_keepalive=True,
        s3={
            # A bucket with a dot in its name has no valid certificate as a host.
            "addressing_style": "path" if elsewhere or "." in bucket else "virtual",
            "us_east_1_regional_endpoint": "regional",
        },
        # The SDK's newer checksums are beyond some servers that speak S3.
        request_checksum_calculation="when_required" if elsewhere else "when_supported",
        response_checksum_validation="when_required" if elsewhere else "when_supported",
    )
    try:
        session = boto3.session.Session()
        region = session.region_name or os.environ.get("AWS_REGION") or ("us-east-1" if elsewhere else None)
        if region is None:
            raise ValueError(f"the region of the bucket {bucket} is not known; set AWS_DEFAULT_REGION")
        client = session.client("s3", region_name=region, config=config)
    except BotoCoreError as error:
        raise ValueError(f"the AWS settings can't be used: {error}") from error
    # A picture is sent with its head, not after asking whether it may be (`Expect: 100-continue`, one more way there and back).
    client.meta.events.unregister("before-call.s3", add_expect_header)
    return client


def _answer(response: Any) -> tuple[type[StorageError], str]:
    """The port's error for an error S3 answered with, and its reason in words."""
    code = str(response.get("Error", {}).get("Code", ""))
    status = response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    if code in _OTHER_REGION:
        return StorageError, f"the bucket is in another region than AWS_DEFAULT_REGION says ({code})"
    if status == 403 or code in _REFUSED:
        return Denied, f"S3 refuses the credentials or the permission ({code})"
    if status == 404:
        return NotFound, f"there is no such bucket or picture ({code})"
    return StorageError, f"S3 answered {status} ({code})"
