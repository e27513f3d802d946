"""Have S3 itself remove old pictures: one rule of the bucket's lifecycle, beside the rules that others have made.

https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketLifecycleConfiguration.html
"""

from __future__ import annotations

from typing import Any

from storage.ports import StorageError

RULE = "janroku-pictures"
"""The name of our rule. A bucket has one for each prefix: `janroku-pictures/charts`."""
Rule = dict[str, Any]


def rule(prefix: str, days: int) -> Rule:
    """The rule that removes what is under `prefix` after `days`, former versions and broken uploads with it.

    Raises ValueError without a prefix, because the rule would be for all that is in the bucket.
    """
    if not prefix:
        raise ValueError("a rule for the whole bucket would remove more than pictures: name a prefix")
    return {
        "ID": f"{RULE}/{prefix.strip('/')}"[:255],
        "Filter": {"Prefix": prefix},
        "Status": "Enabled",
        "Expiration": {"Days": days},
        "NoncurrentVersionExpiration": {"NoncurrentDays": 1},
        "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 1},
    }


def expire_after(client: Any, bucket: str, prefix: str, days: int) -> bool:
    """Give the bucket the rule, and return whether anything was changed. Other rules stay as they are.

    Raises ValueError without a prefix, StorageError where the server takes a rule and forgets it, and the SDK's errors.
    """
    wanted = rule(prefix, days)
    there, more = _rules(client, bucket)
    others = [_with_filter(one) for one in there if one.get("ID") != wanted["ID"]]
    if [*others, wanted] == there:
        return False
    client.put_bucket_lifecycle_configuration(
        Bucket=bucket, LifecycleConfiguration={"Rules": [*others, wanted]}, **more
    )
    if wanted["ID"] not in [one.get("ID") for one in _rules(client, bucket)[0]]:
        raise StorageError(f"s3://{bucket}: the server keeps no lifecycle rules")
    return True


def _rules(client: Any, bucket: str) -> tuple[list[Rule], dict[str, str]]:
    """The bucket's rules, and what else the bucket's lifecycle says."""
    try:
        answer = client.get_bucket_lifecycle_configuration(Bucket=bucket)
    except client.exceptions.ClientError as error:
        if error.response.get("Error", {}).get("Code") == "NoSuchLifecycleConfiguration":
            return [], {}
        raise
    size = "TransitionDefaultMinimumObjectSize"
    return answer.get("Rules", []), {size: answer[size]} if size in answer else {}


def _with_filter(other: Rule) -> Rule:
    """A rule in the form that S3 takes beside ours: the old form names its prefix outside a filter."""
    if "Prefix" not in other:
        return other
    return {
        **{key: value for key, value in other.items() if key != "Prefix"},
        "Filter": {"Prefix": other["Prefix"]},
    }
