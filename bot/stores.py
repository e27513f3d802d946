"""Open a service's stores when they are first used, and call each one through a circuit breaker."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from typing import Any, TypeVar, cast

from bot.league.demo import ensure_demo
from bot.runtime.circuit_breaker import CircuitBreaker
from bot.runtime.encryption import Encryption
from bot.settings import Settings
from storage.images import open_images
from storage.logs import open_logs
from storage.ports import LASTING, ImageStore, LogSource, StateStore, StorageError, Unavailable
from storage.state import SqlState, open_state

T = TypeVar("T")
OLD = 60 * 24 * 3600.0  # seconds after which a picture on a disk is removed
UNREACHABLE = 15 * 24 * 3600.0
"""Seconds after which no link leads to a picture: a link of the last moment in which it is given again lives for a week."""
BASE: ContextVar[str] = ContextVar("base", default="")
"""The address LINE called us at, which is where embedded pictures are."""


class Stores:
    """The state store, the image store and the log folders that the settings name."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.state = guarded(
            StateStore,  # type: ignore[type-abstract]
            lambda: open_state(settings.database_url),
            CircuitBreaker("state", failures=3, pause=2.0),
            asks_nobody=("now",),
        )
        self.images = guarded(
            ImageStore,  # type: ignore[type-abstract]
            self._open_images,
            CircuitBreaker("images"),
            asks_nobody=("url",),
        )
        self._logs = CircuitBreaker(settings.logs_url.partition(":")[0])

    def _open_images(self) -> ImageStore:
        secret = hashlib.sha256(b"images " + self.settings.channel_secret.encode()).digest()
        return open_images(
            self.settings.images_url,
            secret=secret,
            base_url=lambda: self.settings.public_url or BASE.get(),
            database_url=self.settings.database_url,
        )

    def open_all(self) -> None:
        """Open every store, which makes no request. Raises ValueError, which says what is wrong with an address."""
        self.open_logs()
        for store in (self.state, self.images):
            cast(_Guarded, store).opened()

    def check_schema(self) -> None:
        """Have the database upgraded if an older version left it. Its connection is closed, so that a fork follows safely.

        Raises NewerSchema where a newer version has written it, and StorageError where it cannot be reached.
        """
        state = open_state(self.settings.database_url)
        try:
            state.get("schema")
        finally:
            if isinstance(state, SqlState):
                state.close()

    def open_logs(self, folder: str = "") -> LogSource:
        """Return the log source of a league's folder ("" for the root).

        The folder of a league with its own Dropbox account is in that account. Raises StorageError when the account's
        token cannot be read.
        """
        url, breaker = self.settings.logs_url, self._logs
        if self.settings.demo and not folder:
            ensure_demo(url.removeprefix("file:"))
        env = self.settings.stores
        if own := self._own_dropbox(folder):
            url, env = own
            breaker = CircuitBreaker("dropbox")  # an outage of this account concerns this league only
        elif folder:
            url = f"{url.rstrip('/')}/{folder}"
        logs: LogSource = open_logs(url, env)
        if url.startswith("file:"):
            return logs
        return guarded(LogSource, lambda: logs, breaker)  # type: ignore[type-abstract]

    def _own_dropbox(self, league: str) -> tuple[str, dict[str, str]] | None:
        """Return the address and credentials of a league's own Dropbox account, or None if it has none.

        Raises StorageError when they cannot be read.
        """
        if not league:
            return None
        kept = self.state.get(own_key(league))
        if kept is None:
            return None
        if not self.settings.secret_key:
            raise StorageError(
                f"the Dropbox token of league {league}: needs JANROKU_SECRET_KEY, which is missing"
            )
        data = json.loads(kept)
        try:
            token = Encryption(self.settings.secret_key).decrypt(data["token"])
        except ValueError as error:
            raise StorageError(f"the Dropbox token of league {league}: {error}") from None
        env = {
            "DROPBOX_APP_KEY": self.settings.dropbox_app_key,
            "DROPBOX_APP_SECRET": self.settings.dropbox_app_secret,
        }
        return f"dropbox:{data['folder']}", {**env, "DROPBOX_REFRESH_TOKEN": token}

    def sweep(self) -> None:
        """Remove embedded pictures that no valid link leads to, once a day and in one process.

        A bucket is swept by `flask sweep`, or by a lifecycle rule of its own.
        """
        if not self.settings.images_url.startswith("s3:") and self.state.add("sweep", "", 24 * 3600.0):
            self.images.sweep(OLD if self.settings.images_url.startswith("file:") else UNREACHABLE)


def own_key(league: str) -> str:
    """Return the state store's key of a league's own Dropbox account."""
    return f"dropbox:{league}"


def guarded(
    port: type[T], open_store: Callable[[], T], breaker: CircuitBreaker, asks_nobody: tuple[str, ...] = ()
) -> T:
    """Return a store that is opened when first used, and whose port's methods are called through the breaker.

    While the breaker is open they raise Unavailable at once, except those in `asks_nobody`. What the store can do
    beyond its port (serve an embedded picture, close) is called directly.
    """
    methods = {name for name, member in vars(port).items() if callable(member) and not name.startswith("_")}
    return cast(T, _Guarded(open_store, breaker, frozenset(methods.difference(asks_nobody))))


class _Guarded:
    def __init__(
        self, open_store: Callable[[], Any], breaker: CircuitBreaker, methods: frozenset[str]
    ) -> None:
        self._open = open_store
        self._breaker = breaker
        self._methods = methods
        self._store: Any = None
        self._lock = threading.Lock()

    def opened(self) -> Any:
        """Return the store itself, and open it if it is not open yet."""
        with self._lock:
            if self._store is None:
                self._store = self._open()
            return self._store

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.opened(), name)
        if name in self._methods:
            found = self._through_breaker(found)
            self.__dict__[name] = found  # looked up once
        return found

    def _through_breaker(self, method: Callable[..., Any]) -> Callable[..., Any]:
        breaker = self._breaker

        @wraps(method)
        def call(*args: Any, **kwargs: Any) -> Any:
            if not breaker.allow():
                refusal = Unavailable(
                    f"{breaker.name} does not answer at the moment; it is asked again in seconds"
                )
                refusal.store = breaker.name
                raise refusal
            try:
                result = method(*args, **kwargs)
            except StorageError as error:
                error.store = breaker.name
                if isinstance(error, LASTING):
                    breaker.worked()
                else:
                    breaker.failed()
                raise
            breaker.worked()
            return result

        return call
