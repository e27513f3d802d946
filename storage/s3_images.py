"""Keeps images in an S3 bucket; phones read them under presigned links.

Presigned links: https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-presigned-url.html
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from storage.addresses import LIFETIME, checked_address, checked_key
from storage.file_names import attachment, file_name
from storage.files import PerProcess
from storage.ports import Denied, Guard, NotFound, StorageError
from storage.s3_lifecycle import expire_after

# For at most so many seconds the same link is given again, so a phone that has the image need not load it again.
_REUSED = 600
_LINKS = 2_000  # links kept for reuse
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

    Credentials come from where AWS SDKs look (AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, ...), the region
    from AWS_DEFAULT_REGION, AWS_REGION or the profile. Links use Signature Version 4 on the region's own host: the SDK's
    default is an old signature on a global host, which newer regions refuse. A link made with temporary credentials expires
    with them. AWS_ENDPOINT_URL_S3 (or AWS_ENDPOINT_URL) names another server that speaks S3; the bucket is then in the path.

    The credentials need s3:PutObject, s3:GetObject and s3:ListBucket; `sweep` also needs s3:DeleteObject. Without
    s3:ListBucket S3 answers 403 for a missing image, and `has` raises Denied.
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
        guard: Guard = nullcontext,
    ) -> None:
        """`lifetime` of links in seconds, at most a week, S3's own limit; `timeout` in seconds; `attempts` per call.

        `clock` gives seconds since 1970. Raises ValueError when `lifetime` is out of range, the bucket's name is none, or
        the AWS settings are wrong or name no region.
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
        self._guard = guard
        self._links: OrderedDict[str, tuple[float, str]] = OrderedDict()
        self._lock = threading.Lock()
        self._client = PerProcess(lambda: _client(bucket, timeout, attempts))
        self._client.prepare()

    def put(self, key: str, data: bytes, content_type: str = "image/png") -> None:
        """See `ImageStore`. Raises NotFound when there is no such bucket."""
        name = self._name(key)
        saved = (
            {} if content_type.startswith("image/") else {"ContentDisposition": attachment(file_name(key))}
        )
        with self._errors(name):
            self._client.get().put_object(
                Bucket=self._bucket,
                Key=name,
                Body=data,
                ContentType=content_type,
                CacheControl=f"private, max-age={self._lifetime}, immutable",
                **saved,
            )

    def has(self, key: str) -> bool:
        """See `ImageStore`."""
        name = self._name(key)
        try:
            with self._errors(name):
                self._client.get().head_object(Bucket=self._bucket, Key=name)
        except NotFound:
            return False
        return True

    def url(self, key: str) -> str:
        """See `ImageStore`. Raises Denied when there are no credentials to sign with."""
        name, now = self._name(key), self._clock()
        with self._lock:
            made, link = self._links.get(key, (float("-inf"), ""))
        if 0 <= now - made < min(_REUSED, self._lifetime // 100):
            return link
        with self._errors(name, nullcontext):
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

    def open(self, token: str) -> tuple[bytes, str, str]:
        """See `ImageStore`: phones fetch images from S3."""
        raise NotFound("there is no such picture here")

    def sweep(self, older_than: float) -> int:
        """See `ImageStore`. It lists every image under the prefix, a thousand per request."""
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

    def expire_after(self, days: int) -> bool:
        """Have S3 itself remove images of more than `days` days; return whether its rule is new or changed.

        The credentials need s3:GetLifecycleConfiguration and s3:PutLifecycleConfiguration. Raises ValueError when the
        address has no prefix, because the rule would be for all that is in the bucket.
        """
        with self._errors("the lifecycle"):
            return expire_after(self._client.get(), self._bucket, self._prefix, days)

    def close(self) -> None:
        """Close the connections; the next call opens new ones."""
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
    def _errors(self, name: str, guard: Guard | None = None) -> Iterator[None]:
        with (guard or self._guard)(), self._translated(name):
            yield

    @contextmanager
    def _translated(self, name: str) -> Iterator[None]:
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
    """A client for the bucket. Raises ValueError when the AWS settings are wrong or name no region."""
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
            # As a host name, a bucket with a dot in its name has no valid certificate.
            "addressing_style": "path" if elsewhere or "." in bucket else "virtual",
            "us_east_1_regional_endpoint": "regional",
        },
        # Some other servers that speak S3 don't know the SDK's newer checksums.
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
    # Send an image together with its headers: `Expect: 100-continue` would cost one more round trip.
    client.meta.events.unregister("before-call.s3", add_expect_header)
    return client


def _answer(response: Any) -> tuple[type[StorageError], str]:
    """The port's error for an error that S3 answered with, and the reason in words."""
    code = str(response.get("Error", {}).get("Code", ""))
    status = response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    if code in _OTHER_REGION:
        return StorageError, f"the bucket is in another region than AWS_DEFAULT_REGION says ({code})"
    if status == 403 or code in _REFUSED:
        return Denied, f"S3 refuses the credentials or the permission ({code})"
    if status == 404:
        return NotFound, f"there is no such bucket or picture ({code})"
    return StorageError, f"S3 answered {status} ({code})"
