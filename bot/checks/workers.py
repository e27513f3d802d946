"""Check the services beside the stores: Redis with its workers, and the external watcher."""

import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urljoin

from bot.checks.links import FETCH
from bot.checks.parts import NO_TRUST, UNTRUSTED, CheckedParts
from bot.runtime.finding import Finding, fault, good, trouble
from bot.runtime.translation import message as _
from bot.settings.store_kind import Advice


def check_heartbeat(parts: CheckedParts) -> Iterator[Finding]:
    """Whether the external watcher answers.

    Only the root of its site is requested: a request to HEARTBEAT_URL would report a sync.
    """
    name = "HEARTBEAT_URL"
    url = parts.settings.heartbeat_url
    if not url:
        return
    try:
        # Settings allow only http and https (S310). Any HTTP status shows that the watcher answers.
        place = urljoin(url, "/")
        with suppress(urllib.error.HTTPError), urllib.request.urlopen(place, timeout=FETCH):  # noqa: S310
            pass
    except (OSError, ValueError) as error:
        words = str(getattr(error, "reason", error))
        yield trouble(name, "away", _("the watcher can't be reached ({error})", error=words))
    else:
        yield good(name, _("the watcher answers"))


# Patterns of Redis's errors, and what to do.
_REDIS = (
    Advice(
        re.compile(
            r"NOAUTH|WRONGPASS|[Aa]uthentication|invalid username-password|without any password"
        ),
        "",
        "refused",
        _("Redis refuses the password: write redis://:PASSWORD@HOST:PORT as it is set there"),
    ),
    Advice(re.compile(UNTRUSTED), "", "untrusted", NO_TRUST),
    Advice(
        re.compile(r"WRONG_VERSION_NUMBER|wrong version number|record layer failure"),
        "",
        "untrusted",
        _("Redis speaks no TLS at this address: write redis:// instead of rediss://"),
    ),
    Advice(
        re.compile("NOPERM|NoPermission"),
        "",
        "permission",
        _("this Redis user may not do all: give it +@all ~* &*"),
    ),
    Advice(
        re.compile(r"READONLY|read only replica"),
        "",
        "read_only",
        _("this Redis can only be read: name the one it copies"),
    ),
    Advice(
        re.compile(r"OOM|maxmemory"),
        "",
        "limit",
        _("Redis's memory is full: give it more, or another policy than noeviction"),
    ),
    Advice(
        re.compile(r"DB index"),
        "",
        "malformed",
        _("Redis has no database of the number at the end of the address: write /0"),
    ),
)


def check_workers(parts: CheckedParts) -> Finding:
    name = "REDIS_URL"
    url = parts.settings.redis_url
    if not url:
        return good(name, _("taps run in threads of the web process"))
    from bot.runtime.work_queue import (
        NAME,
        OUTAGE,
        connect,
    )  # Redis is loaded only where it is used

    try:
        connect(url).set(f"{NAME}:doctor", 1, ex=10)
        living = parts.state.events.workers()
    except (*OUTAGE, ValueError) as error:
        for advice in _REDIS:
            if advice.pattern.search(f"{type(error).__name__} {error}"):
                return fault(name, advice.code, advice.message)
        message = _(
            "Redis can't be reached ({error}); threads of the web process answer meanwhile (is the address "
            "right: redis:// without TLS, rediss:// with it?)",
            error=type(error).__name__,
        )
        return trouble(name, "away", message)
    if not living:
        message = _(
            "Redis is reached, but no worker lives: start one (`heroku ps:scale worker=1`), or take "
            "REDIS_URL away"
        )
        return trouble(name, "missing", message)
    return good(name, _("reached; {count} workers live", count=living))
