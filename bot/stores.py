"""Open a service's stores when they are first used, and call each one through a circuit breaker."""

import hashlib
from contextvars import ContextVar
from functools import cached_property

from bot.league.demo import ensure_demo
from bot.runtime.circuit_breaker import CircuitBreaker
from bot.runtime.encryption import Encryption
from bot.settings import Settings
from storage.addresses import LIFETIME, ImageOptions
from storage.ports import ImageStore, LogSource, StorageError
from storage.state import State, open_state
from storage.stores import open_images, open_logs

OLD = 60 * 24 * 3600.0  # seconds after which a picture on a disk is removed
UNREACHABLE = 2.0 * LIFETIME + 24 * 3600.0
"""Seconds after which no link leads to a picture: it may be given for LIFETIME, and then live for
as long.
"""
BASE: ContextVar[str] = ContextVar("base", default="")
"""The address LINE called us at, which is where embedded pictures are."""


class Stores:
    """The state, the image store and the log folders that the settings name. Opening one makes no
    request. Each raises ValueError, which says what is wrong, when its address can't be used."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._logs = CircuitBreaker(settings.logs_url.partition(":")[0])
        self._images = CircuitBreaker("images")
        self._state = CircuitBreaker("state", failures=3, pause=2.0)

    @cached_property
    def state(self) -> State:
        return open_state(self.settings.database_url, around=lambda what, write: self._state.call())

    @cached_property
    def images(self) -> ImageStore:
        secret = hashlib.sha256(b"images " + self.settings.channel_secret.encode()).digest()
        options = ImageOptions(secret, self.base, self.state.database, self._images.call)
        return open_images(self.settings.images_url, options)

    def base(self) -> str:
        """The service's address from outside, "" while it is not known."""
        return self.settings.public_url or BASE.get()

    def prepare(self) -> None:
        """Open images and state, have an old database upgraded, and close its connection, so that a
        fork is safe. Raises NewerSchema, and StorageError where it cannot be reached."""
        try:
            _ = self.images, self.state.values.get("schema")
        finally:
            self.state.close()

    def open_logs(self, folder: str = "") -> LogSource:
        """A league's log source ("" for the root), perhaps its own Dropbox's.

        Raises StorageError.
        """
        url = self.settings.logs_url
        guard = self._logs.call
        env = self.settings.stores
        if self.settings.demo and not folder:
            ensure_demo(url.removeprefix("file:"))
        if own := self._own_dropbox(folder):
            url, env = own
            guard = CircuitBreaker(
                "dropbox"
            ).call  # an outage of this account concerns this league only
        elif folder:
            url = f"{url.rstrip('/')}/{folder}"
        return open_logs(url, env, database=self.state.database, guard=guard)

    def _own_dropbox(self, league: str) -> tuple[str, dict[str, str]] | None:
        """The address and credentials of a league's own Dropbox account; None where it has none."""
        if not league or (account := self.state.accounts.get(league)) is None:
            return None
        settings = self.settings
        whose = f"the Dropbox token of league {league}"
        if not settings.secret_key:
            raise StorageError(f"{whose}: needs JANROKU_SECRET_KEY, which is missing")
        try:
            token = Encryption(settings.secret_key).decrypt(account.token)
        except ValueError as error:
            raise StorageError(f"{whose}: {error}") from None
        app = {
            "DROPBOX_APP_KEY": settings.dropbox_app_key,
            "DROPBOX_APP_SECRET": settings.dropbox_app_secret,
        }
        return f"dropbox:{account.folder}", {**app, "DROPBOX_REFRESH_TOKEN": token}

    def sweep(self) -> None:
        """Remove old rows and pictures without a valid link, once a day and in one process; no
        bucket's.
        """
        if not self.state.values.add("sweep", "", 24 * 3600.0):
            return
        self.state.sweep()
        if not self.settings.images_url.startswith("s3:"):
            self.images.sweep(OLD if self.settings.images_url.startswith("file:") else UNREACHABLE)
