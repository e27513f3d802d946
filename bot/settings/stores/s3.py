"""S3: a bucket of Amazon's, or of another server that speaks S3, for pictures and backups."""

import re
from collections.abc import Mapping

from bot.runtime.translation import message as _
from bot.settings.store_kind import (
    Advice,
    Expiry,
    Hint,
    SetupOffer,
    StoreKind,
    check_names_something,
)
from bot.settings.variable import (
    Heroku,
    PlainText,
    Reading,
    SetupQuestion,
    Topic,
    Variable,
    Wording,
)
from storage.addresses import ImageOptions
from storage.backups import BackupPlace
from storage.ports import ImageStore
from storage.s3_images import S3Images

_SCHEME = "s3://"


def _open_images(url: str, options: ImageOptions) -> ImageStore:
    return S3Images(*url.removeprefix(_SCHEME).split("/", 1), guard=options.guard)


def _open_backups(url: str, _variables: Mapping[str, str]) -> BackupPlace:
    return S3Images(*url.removeprefix(_SCHEME).split("/", 1))


def _check(reading: Reading, url: str, scheme: str) -> None:
    if url.startswith("s3:///") and url[len(scheme) :].strip("/"):
        reading.report(_("names no bucket: write s3://BUCKET/PREFIX"))
    else:
        check_names_something(reading, url, scheme)


# The SDK reads them itself.
_VARIABLES = (
    Variable(
        "AWS_DEFAULT_REGION",
        PlainText(),
        Topic.STORES,
        Wording("the bucket's region", "バケットのリージョン"),
        question=SetupQuestion(_("The bucket's region"), default="ap-northeast-1"),
        heroku=Heroku(),
    ),
    Variable(
        "AWS_ACCESS_KEY_ID",
        PlainText(),
        Topic.STORES,
        Wording(
            "the key of the bot's user in S3 (AWS console > IAM > the user > Security credentials)",
            "S3を使うユーザーのキー（AWSコンソール > IAM > ユーザー > セキュリティ認証情報）",
        ),
        question=SetupQuestion(_("Access key ID"), hidden=True),
        heroku=Heroku(),
    ),
    Variable(
        "AWS_SECRET_ACCESS_KEY",
        PlainText(),
        Topic.STORES,
        Wording(
            "the key's secret, shown once when the key is made",
            "そのキーのシークレット（作ったときに一度だけ表示される）",
        ),
        secret=True,
        question=SetupQuestion(_("Secret access key")),
        heroku=Heroku(),
    ),
)

_ADVICE = (
    Advice(
        re.compile(r"InvalidAccessKeyId"),
        "AWS_ACCESS_KEY_ID",
        "refused",
        _("AWS knows no such key: make one in IAM"),
    ),
    Advice(
        re.compile(r"SignatureDoesNotMatch"),
        "AWS_SECRET_ACCESS_KEY",
        "refused",
        _("it does not belong to AWS_ACCESS_KEY_ID: make a new key in IAM"),
    ),
    Advice(
        re.compile(r"no usable AWS credentials"),
        "AWS_ACCESS_KEY_ID",
        "missing",
        _("is missing, or AWS_SECRET_ACCESS_KEY is"),
    ),
    Advice(
        re.compile(r"another region|AWS_DEFAULT_REGION"),
        "AWS_DEFAULT_REGION",
        "elsewhere",
        _("is missing, or not the bucket's region"),
    ),
    Advice(
        re.compile(r"\((ExpiredToken|InvalidToken|TokenRefreshRequired)\)"),
        "AWS_SESSION_TOKEN",
        "refused",
        _(
            "these credentials have ended: make a key in IAM, which lasts, and take AWS_SESSION_TOKEN away"
        ),
    ),
    Advice(
        re.compile(r"\(RequestTimeTooSkewed\)"),
        "",
        "clock",
        _("S3 refuses this machine's clock: set it, and have NTP keep it"),
    ),
    Advice(
        re.compile(r"\((AllAccessDisabled|AccountProblem|NotSignedUp)\)"),
        "",
        "refused",
        _("AWS has closed the bucket's account: look at the AWS console"),
    ),
    Advice(
        re.compile(r"S3 refuses the credentials or the permission"),
        "",
        "permission",
        _(
            "AWS refuses it: the key's user needs s3:PutObject, s3:GetObject and s3:ListBucket for the bucket"
        ),
    ),
    Advice(re.compile(r"no such bucket"), "", "missing", _("there is no such bucket")),
)

S3 = StoreKind(
    name="s3",
    title="S3",
    scheme=_SCHEME,
    form=Wording("`s3://BUCKET/PREFIX`", "`s3://BUCKET/PREFIX`"),
    open_images=_open_images,
    open_backups=_open_backups,
    check=_check,
    variables=_VARIABLES,
    advice=_ADVICE,
    away=_(
        "S3 does not answer at the moment; try again later (is AWS_ENDPOINT_URL_S3 right, if it is set?)"
    ),
    keeps_pictures=None,
    serves_pictures=True,
    picture_refused=_(
        "S3 answers {status} to a phone that fetches a picture: the key's user needs s3:GetObject"
    ),
    expiry=Expiry(
        added=_("S3 removes pictures older than {days} days by itself from now on"),
        present=_("S3 has the rule already: pictures older than {days} days are removed"),
        needs_prefix=_(
            "IMAGES_URL has no prefix, and a rule for the whole bucket would remove more than pictures"
        ),
        setup_added=_("S3 removes pictures after {days} days"),
        setup_failed=_(
            "The bucket has taken no lifecycle rule: set one that expires objects after {days} days in the "
            "S3 console, or run `flask sweep` every week."
        ),
    ),
    images_offer=SetupOffer(
        _("S3: a bucket of your AWS account"), "", _("Bucket, as s3://BUCKET/charts")
    ),
    hints=(
        Hint(
            "AWS_ACCESS_KEY_ID",
            _(
                "In the S3 console create a bucket (all public access blocked); in IAM a user who may put, get, "
                "delete and list in it, and an access key for it (README has the policy)."
            ),
        ),
    ),
)
