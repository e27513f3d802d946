"""Postgres: the database, and in it logs and pictures where LOGS_URL and IMAGES_URL name it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from bot.runtime.translation import message as _
from bot.settings.store_kind import Advice, SetupOffer, StoreKind, check_names_something
from bot.settings.variable import Reading, Wording
from storage.addresses import ImageOptions, split
from storage.files import is_name
from storage.ports import Guard, ImageStore, LogSource

if TYPE_CHECKING:
    from storage.database import Database

_SCHEME = "postgres:"
_DATABASES = ("postgres://", "postgresql://")


def _open_logs(
    url: str, _variables: Mapping[str, str], database: Database | None, guard: Guard
) -> LogSource:
    from storage.postgres import PostgresLogs  # SQLAlchemy is loaded only where it is used

    return PostgresLogs(database, url.removeprefix(_SCHEME), guard)


def _open_images(_url: str, options: ImageOptions) -> ImageStore:
    from storage.postgres import PostgresImages

    return PostgresImages(options)


def _check(reading: Reading, url: str, scheme: str) -> None:
    if scheme == _SCHEME:
        _check_place(reading, url)
    elif url.removeprefix(scheme).strip("/"):
        if split(url) is None:
            reading.report(_("is no address such as postgres://user:password@host/name"))
    else:
        check_names_something(reading, url, scheme)


def _check_place(reading: Reading, url: str) -> None:
    """Report what is wrong with an address of logs or pictures in the database."""
    if (reading.name == "IMAGES_URL" and url != _SCHEME) or url.startswith("postgres://"):
        reading.report(_("must be postgres: alone (the database's own address is DATABASE_URL's)"))
    elif not reading.text_of("DATABASE_URL").startswith(_DATABASES):
        reading.report(_("is postgres:, so DATABASE_URL must be postgres://… too"))
    elif reading.name == "LOGS_URL" and not is_name(url.removeprefix(_SCHEME).strip("/") or "logs"):
        reading.report(_("is no folder's name: write postgres: or postgres:/FOLDER"))


_ADVICE = (
    Advice(
        re.compile(r"SQLSTATE 25006|read-only transaction"),
        "",
        "read_only",
        _("the database can only be read now: is it a copy, or full, or at its plan's limit?"),
        passing=True,
    ),
    Advice(
        re.compile(r"SQLSTATE 53300|too many (connections|clients)|connection slots are reserved"),
        "",
        "limit",
        _("the database has no connection free: set WEB_CONCURRENCY lower, or take a larger plan"),
        passing=True,
    ),
    Advice(
        re.compile(
            r"(password )?authentication failed|no password supplied|not permitted to log in|"
            r"no pg_hba.conf entry|SQLSTATE 28"
        ),
        "DATABASE_URL",
        "refused",
        _("the database refuses its user or password"),
    ),
    Advice(
        re.compile(r'database "[^"]*" does not exist|permission denied'),
        "DATABASE_URL",
        "permission",
        _("the database's user has no such database, or may not write in it"),
    ),
    Advice(
        re.compile(r"invalid connection option|invalid \w+ value|invalid URI query parameter"),
        "DATABASE_URL",
        "malformed",
        _("it has an unknown parameter: take away what follows the question mark"),
    ),
    Advice(
        re.compile(r"does not support SSL"),
        "DATABASE_URL",
        "untrusted",
        _("the database speaks no TLS: take sslmode away, or turn TLS on there"),
    ),
)

POSTGRES = StoreKind(
    name="postgres",
    title="Postgres",
    scheme=_SCHEME,
    state_schemes=_DATABASES,
    form=Wording(
        "`postgres:` (in the database of `DATABASE_URL`)",
        "`postgres:`（`DATABASE_URL` のデータベースの中）",
    ),
    open_logs=_open_logs,
    open_images=_open_images,
    check=_check,
    in_database=True,
    advice=_ADVICE,
    away=_("the database can't be reached: is its address right, and does it run?"),
    logs_offer=SetupOffer(_("the database alone: nothing else is needed"), _SCHEME),
    images_offer=SetupOffer(_("the database"), _SCHEME),
)
