"""The stores of a service, each opened when first needed and asked through a circuit breaker."""

from __future__ import annotations

import hashlib
import json
import threading
from contextvars import ContextVar

from bot.dispatch.pictures import Pictures
from bot.runtime.circuit_breaker import Breaker, guarded
from bot.settings import Settings
from storage.ports import ImageStore, LogSource, StateStore, StorageError

OLD = 60 * 24 * 3600.0  # seconds after which an embedded picture goes; links to it live a week
BASE: ContextVar[str] = ContextVar(
    "base", default=""
)  # the host LINE called us at: where embedded pictures are


class Stores:
    """State, images and logs as the settings name them."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._lock = threading.RLock()
        self._state: StateStore | None = None
        self._images: ImageStore | None = None
        self._pictures: Pictures | None = None
        self._dropbox = Breaker("dropbox")

    @property
    def state(self) -> StateStore:
        with self._lock:
            if self._state is None:
                from storage.state import open_state

                store: StateStore = open_state(self.settings.database_url)
                breaker = Breaker("state", failures=3, pause=2.0)
                self._state = guarded(store, breaker, "get", "put", "add", "replace", "delete", "items")
            return self._state

    @property
    def images(self) -> ImageStore:
        with self._lock:
            if self._images is None:
                from storage.images import open_images

                secret = hashlib.sha256(b"images " + self.settings.channel_secret.encode()).digest()
                store: ImageStore = open_images(
                    self.settings.images_url,
                    secret=secret,
                    base_url=lambda: self.settings.public_url or BASE.get(),
                )
                self._images = guarded(store, Breaker("images"), "has", "put")
            return self._images

    @property
    def pictures(self) -> Pictures:
        with self._lock:
            if self._pictures is None:
                self._pictures = Pictures(self.images, self.settings.channel_secret, state=lambda: self.state)
            return self._pictures

    def open_all(self) -> None:
        """Open every store, which asks nobody. ValueError says what is wrong with an address."""
        self.open_logs()
        _ = self.pictures, self.state

    def open_logs(self, folder: str = "") -> LogSource:
        """The log source of a league's folder, "" for the root. A league with a Dropbox account of its own has it there."""
        from storage.logs import open_logs

        url, breaker = self.settings.logs_url, self._dropbox
        if self.settings.demo and not folder:
            from bot.league.demo import ensure_demo

            ensure_demo(url.removeprefix("file:"))
        env = self.settings.dropbox
        if own := self._own_dropbox(folder):
            url, env = own
            breaker = Breaker("dropbox")  # what befalls its account is this league's trouble alone
        elif folder:
            url = f"{url.rstrip('/')}/{folder}"
        logs: LogSource = open_logs(url, env)
        if not url.startswith("dropbox:"):
            return logs
        return guarded(logs, breaker, "changes", "read", "write", "overwrite")

    def _own_dropbox(self, league: str) -> tuple[str, dict[str, str]] | None:
        """The address and credentials of a league's own Dropbox account. StorageError where they can't be read."""
        if not league or not self.settings.secret_key:
            return None
        kept = self.state.get(own_key(league))
        if kept is None:
            return None
        from bot.runtime.encryption import Vault

        data = json.loads(kept)
        try:
            token = Vault(self.settings.secret_key).open(data["token"])
        except ValueError as error:
            raise StorageError(f"the Dropbox token of league {league}: {error}") from None
        env = {
            "DROPBOX_APP_KEY": self.settings.dropbox_app_key,
            "DROPBOX_APP_SECRET": self.settings.dropbox_app_secret,
        }
        return f"dropbox:{data['folder']}", {**env, "DROPBOX_REFRESH_TOKEN": token}

    def sweep(self) -> None:
        """Once a day, on one process: embedded pictures nobody can have a link to go. A bucket has its own rules for that."""
        if self.settings.images_url.startswith("file:") and self.state.add("sweep", "", 24 * 3600.0):
            self.images.sweep(OLD)


def own_key(league: str) -> str:
    """Where the StateStore keeps a league's own Dropbox account."""
    return f"dropbox:{league}"
