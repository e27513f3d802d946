"""Keeps images in an S3 bucket; phones read them under presigned links.

Presigned links: https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-presigned-url.html
"""

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from typing import Any, NamedTuple

from storage.addresses import LIFETIME, attachment, checked_address, checked_key, file_name
from storage.ports import Clock, Denied, Guard, NotFound, StorageError, StoredImage

# Seconds of a step, in which the same link is given again: a phone loads the image once.
_REUSED = 600
_LINKS = 2_000  # links kept for reuse
# Seconds; an answer may wait for Dropbox too, and a LINE reply token lives about a minute.
_TIMEOUT = 5.0
Rule = dict[str, Any]
_ATTEMPTS = 2
_BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
_REFUSED = (
    "ExpiredToken",
    "InvalidToken",
    "InvalidAccessKeyId",
    "SignatureDoesNotMatch",
    "TokenRefreshRequired",
)
_OTHER_REGION = (
    "PermanentRedirect",
    "AuthorizationHeaderMalformed",
    "IllegalLocationConstraintException",
    "301",
)


class _Lifecycle(NamedTuple):
    """A bucket's lifecycle rules, and its other settings of the lifecycle by name."""

    rules: list[Rule]
    settings: dict[str, str]


class S3Images:
    """An ImageStore in a bucket, under `prefix`. Threads may share it.

    Credentials come from where AWS SDKs look, the region from AWS_DEFAULT_REGION, AWS_REGION or the
    profile. Links use Signature Version 4 on the region's own host: the SDK's default is an old
    signature on a global host, which newer regions refuse. AWS_ENDPOINT_URL_S3 (or
    AWS_ENDPOINT_URL) names another server that speaks S3; the bucket is then in the path.

    The credentials need s3:PutObject, s3:GetObject and s3:ListBucket (without it S3 answers 403 for
    a missing image, and `has` raises Denied); `sweep` also needs s3:DeleteObject."""

    def __init__(
        self,
        bucket: str,
        prefix: str = "",
        *,
        clock: Clock = time.time,
        guard: Guard = nullcontext,
    ) -> None:
        """Raises ValueError when the bucket's name is none, or the AWS settings are wrong."""
        if not _BUCKET.fullmatch(bucket):
            raise ValueError(f"{bucket!r} is no bucket's name; write s3://BUCKET/PREFIX")
        prefix = prefix.strip("/")
        self._bucket = bucket
        self._prefix = checked_key(prefix) + "/" if prefix else ""
        self._clock = clock
        self._guard = guard
        self._link = lru_cache(_LINKS)(self._signed)
        self._client = _client(bucket)

    def put(self, key: str, data: bytes, content_type: str = "image/png") -> None:
        """Raises NotFound when there is no such bucket."""
        name = self._name(key)
        saved = {
            "ContentType": content_type,
            "CacheControl": f"private, max-age={LIFETIME}, immutable",
        }
        if not content_type.startswith("image/"):
            saved["ContentDisposition"] = attachment(file_name(key))
        with self._guard(), self._errors(name):
            self._client.put_object(Bucket=self._bucket, Key=name, Body=data, **saved)

    def has(self, key: str) -> bool:
        name = self._name(key)
        try:
            with self._guard(), self._errors(name):
                self._client.head_object(Bucket=self._bucket, Key=name)
        except NotFound:
            return False
        return True

    def url(self, key: str) -> str:
        """Raises Denied when there are no credentials to sign with."""
        return self._link(self._name(key), self._clock() // _REUSED)

    def _signed(self, name: str, _step: float) -> str:
        image = {"Bucket": self._bucket, "Key": name}
        with self._errors(name):
            address = self._client.generate_presigned_url("get_object", image, LIFETIME)
            return checked_address(address)

    def open(self, token: str) -> StoredImage:
        """Phones fetch images from S3."""
        raise NotFound("there is no such picture here")

    def sweep(self, older_than: float) -> int:
        """It lists every image under the prefix, a thousand per request."""
        oldest = self._clock() - older_than
        gone = 0
        for page in self._pages():
            old = [entry["Key"] for entry in page if entry["LastModified"].timestamp() < oldest]
            gone += len(old)
            self._delete(old)
        return gone

    def names(self) -> list[str]:
        """The keys of everything under the prefix."""
        names: list[str] = []
        for page in self._pages():
            names += [entry["Key"].removeprefix(self._prefix) for entry in page]
        return names

    def read(self, key: str) -> bytes:
        """Raises NotFound."""
        name = self._name(key)
        with self._guard(), self._errors(name):
            answer = self._client.get_object(Bucket=self._bucket, Key=name)
            return bytes(answer["Body"].read())

    def remove(self, key: str) -> None:
        self._delete([self._name(key)])

    def _pages(self) -> list[list[dict[str, Any]]]:
        with self._guard(), self._errors(self._prefix + "*"):
            pages = self._client.get_paginator("list_objects_v2")
            here = {"Bucket": self._bucket, "Prefix": self._prefix}
            return [page.get("Contents", []) for page in pages.paginate(**here)]

    def _delete(self, names: list[str]) -> None:
        with self._guard(), self._errors(self._prefix + "*"):
            if not names:
                return
            objects = {"Objects": [{"Key": name} for name in names], "Quiet": True}
            answer = self._client.delete_objects(Bucket=self._bucket, Delete=objects)
            for error in answer.get("Errors", []):
                error_class = Denied if error.get("Code") == "AccessDenied" else StorageError
                raise error_class(f"s3://{self._bucket}/{error.get('Key')}: {error.get('Code')}")

    def expire_after(self, days: int) -> bool:
        """Have S3 itself remove images of more than `days` days; return whether its rule is new or
        changed.

        Other rules of the bucket stay. The credentials need s3:GetLifecycleConfiguration and
        s3:PutLifecycleConfiguration. Raises ValueError when the address has no prefix, because the
        rule would be for the whole bucket, StorageError where the server takes a rule and forgets
        it.

        https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketLifecycleConfiguration.html"""
        if not self._prefix:
            raise ValueError(
                "a rule for the whole bucket would remove more than images: name a prefix"
            )
        our_rule: Rule = {
            # One for each prefix; S3 takes 255 characters. The ID never changes, since the rule under a
            # former one would stay in the bucket.
            "ID": f"janroku-pictures/{self._prefix.strip('/')}"[:255],
            "Filter": {"Prefix": self._prefix},
            "Status": "Enabled",
            "Expiration": {"Days": days},
            "NoncurrentVersionExpiration": {"NoncurrentDays": 1},
            "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 1},
        }
        with self._guard(), self._errors("the lifecycle"):
            current = self._lifecycle()
            wanted_rules = [
                _with_filter(rule) for rule in current.rules if rule.get("ID") != our_rule["ID"]
            ]
            wanted_rules.append(our_rule)
            if wanted_rules == current.rules:
                return False
            # S3 has no way to add one rule: all rules and settings are written at once.
            self._client.put_bucket_lifecycle_configuration(
                Bucket=self._bucket,
                LifecycleConfiguration={"Rules": wanted_rules},
                **current.settings,
            )
            # Some servers that speak S3 accept rules without storing them, so they are read back.
            stored = self._lifecycle()
            if our_rule["ID"] not in [rule.get("ID") for rule in stored.rules]:
                raise StorageError(f"s3://{self._bucket}: the server keeps no lifecycle rules")
        return True

    def close(self) -> None:
        self._client.close()

    def _lifecycle(self) -> _Lifecycle:
        """The bucket's present lifecycle, empty where it has none."""
        client = self._client
        try:
            answer = client.get_bucket_lifecycle_configuration(Bucket=self._bucket)
        except client.exceptions.ClientError as error:
            if error.response.get("Error", {}).get("Code") == "NoSuchLifecycleConfiguration":
                return _Lifecycle([], {})
            raise
        size = "TransitionDefaultMinimumObjectSize"
        settings = {}
        if size in answer:
            settings[size] = answer[size]
        return _Lifecycle(answer.get("Rules", []), settings)

    def _name(self, key: str) -> str:
        return self._prefix + checked_key(key)

    @contextmanager
    def _errors(self, name: str) -> Iterator[None]:
        """Turn botocore's errors into the port's; `name` is the object or setting they are about."""
        from botocore import exceptions

        no_credentials = (
            exceptions.CredentialRetrievalError,
            exceptions.LoginError,
            exceptions.NoAuthTokenError,
            exceptions.NoCredentialsError,
            exceptions.PartialCredentialsError,
            exceptions.SSOError,
            exceptions.TokenRetrievalError,
            exceptions.UnknownCredentialError,
        )
        where = f"s3://{self._bucket}/{name}"
        try:
            yield
        except exceptions.ClientError as error:
            raise _port_error(where, error.response) from error
        except no_credentials as error:
            raise Denied(f"{where}: no usable AWS credentials") from error
        except exceptions.BotoCoreError as error:
            reason = f"S3 can't be reached ({type(error).__name__})"
            raise StorageError(f"{where}: {reason}") from error


def _client(bucket: str) -> Any:
    """A client for the bucket.

    Raises ValueError when the AWS settings are wrong or name no region.
    """
    import boto3
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError
    from botocore.handlers import add_expect_header

    elsewhere = bool(os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL"))
    # Some other servers that speak S3 don't know the SDK's newer checksums.
    checksums = "when_required" if elsewhere else "when_supported"
    # As a host name, a bucket with a dot in its name has no valid certificate.
    addressing_style = "path" if elsewhere or "." in bucket else "virtual"
    config = Config(
        signature_version="s3v4",
        connect_timeout=min(3.0, _TIMEOUT),
        read_timeout=_TIMEOUT,
        retries={"mode": "standard", "total_max_attempts": _ATTEMPTS},
        max_pool_connections=10,
        tcp_keepalive=True,
        s3={
            "addressing_style": addressing_style,
            "us_east_1_regional_endpoint": "regional",
        },
        request_checksum_calculation=checksums,
        response_checksum_validation=checksums,
    )
    try:
        session = boto3.session.Session()
        region = session.region_name or os.environ.get("AWS_REGION")
        if not region and elsewhere:
            region = "us-east-1"
        if not region:
            raise ValueError(
                f"the region of the bucket {bucket} is not known; set AWS_DEFAULT_REGION"
            )
        client = session.client("s3", region_name=region, config=config)
    except BotoCoreError as error:
        raise ValueError(f"the AWS settings can't be used: {error}") from error
    # Send an image together with its headers: `Expect: 100-continue` would cost one more round
    # trip.
    client.meta.events.unregister("before-call.s3", add_expect_header)
    return client


def _port_error(where: str, response: Any) -> StorageError:
    """The port's error for an error that S3 answered with."""
    code = str(response.get("Error", {}).get("Code", ""))
    status = response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    if code in _OTHER_REGION:
        return StorageError(
            f"{where}: the bucket is in another region than AWS_DEFAULT_REGION says ({code})"
        )
    if status == 403 or code in _REFUSED:
        return Denied(f"{where}: S3 refuses the credentials or the permission ({code})")
    if status == 404:
        return NotFound(f"{where}: there is no such bucket or picture ({code})")
    return StorageError(f"{where}: S3 answered {status} ({code})")


def _with_filter(rule: Rule) -> Rule:
    """A rule with its prefix in a filter.

    The older form has the prefix next to the filter, and S3 refuses rules of both forms together.
    """
    if "Prefix" not in rule:
        return rule
    with_filter: Rule = {"Filter": {"Prefix": rule["Prefix"]}}
    for setting, value in rule.items():
        if setting != "Prefix":
            with_filter[setting] = value
    return with_filter
