"""Open a service's stores when they are first used, and call each one through a circuit breaker."""

import hashlib
from contextvars import ContextVar
from functools import cached_property

from bot.league.demo import ensure_demo
from bot.runtime.circuit_breaker import CircuitBreaker
from bot.runtime.encryption import Encryption
from bot.settings import Settings
from bot.settings.store_kind import AccountAddress
from bot.settings.stores import kind_of, kind_with_accounts, open_images, open_logs
from storage.addresses import ImageOptions
from storage.ports import ImageStore, LogSource, StorageError
from storage.state import State, open_state

BASE: ContextVar[str] = ContextVar("base", default="")
"""The address LINE called us at, which is where embedded pictures are."""


class Stores:
    """The state, the image store and the log folders that the settings name. Opening one makes no
    request. Each raises ValueError, whose text is the reason, when its address can't be used."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._logs = CircuitBreaker(settings.logs_url.partition(":")[0])
        self._images = CircuitBreaker("images")
        self._state = CircuitBreaker("state", failures=3, pause=2.0)

    @cached_property
    def state(self) -> State:
        return open_state(
            self.settings.database_url, around=lambda statement, write: self._state.call()
        )

    @cached_property
    def images(self) -> ImageStore:
        secret = hashlib.sha256(b"images " + self.settings.channel_secret.encode()).digest()
        options = ImageOptions(
            secret,
            base_url=self.settings.public_url or BASE.get,
            database=self.state.database,
            guard=self._images.call,
            variables=self.settings.store_variables,
        )
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
        """A league's log source ("" for the root), perhaps in an account of its own.

        Raises StorageError.
        """
        settings = self.settings
        database = self.state.database
        if settings.demo and not folder:
            ensure_demo(settings.logs_url.removeprefix("file:"))
        account = self._account_of(folder)
        if account is not None:
            # An outage of this account concerns this league only.
            guard = CircuitBreaker(kind_of(account.url).name).call
            return open_logs(account.url, account.variables, database=database, guard=guard)
        url = settings.logs_url
        if folder:
            url = f"{url.rstrip('/')}/{folder}"
        return open_logs(url, settings.store_variables, database=database, guard=self._logs.call)

    def _account_of(self, league: str) -> AccountAddress | None:
        """The address and credentials of a league's own account; None where it has none."""
        if not league:
            return None
        account = self.state.accounts.get(league)
        if account is None:
            return None
        settings = self.settings
        kind, accounts = kind_with_accounts()
        subject = f"the {kind.title} token of league {league}"
        if not settings.secret_key:
            raise StorageError(f"{subject}: needs JANROKU_SECRET_KEY, which is missing")
        try:
            token = Encryption(settings.secret_key).decrypt(account.token)
        except ValueError as error:
            raise StorageError(f"{subject}: {error}") from None
        return accounts.address(account.folder, token, settings.store_variables)

    def sweep(self) -> None:
        """Remove old rows and pictures without a valid link, once a day and in one process.

        `values.add` guarantees it: of all processes one adds the value, which expires after a day
        (tests/storage/test_once.py).
        """
        if not self.state.values.add("sweep", "", 24 * 3600.0):
            return
        self.state.sweep()
        seconds = kind_of(self.settings.images_url).keeps_pictures
        if seconds is not None:
            self.images.sweep(seconds)
