"""Which chat asks for which league, and who may ask at all.

A chat is let in by LEAGUE_CHATS, by ADMIN_USER_IDS, or by an admin's 登録 (kept in the StateStore as `chat:ID`). In a 1:1
chat a member of an enrolled group may ask; LINE is asked once a day whether he is one.
"""

from __future__ import annotations

import json
import logging
import re
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from bot.library import Library
from bot.settings import Settings
from storage.ports import LogSource, StateStore, StorageError

LEAGUES_KEPT = 500  # leagues held in memory
MEMBER_DAY = 24 * 3600.0  # how long a membership LINE confirmed holds, seconds
STRANGER_HOUR = 600.0  # how long a refusal holds, seconds
_FOLDER = re.compile(r"^[A-Za-z0-9_-]{1,40}$")
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Access:
    """What a chat may do: its league's folder ("" is the root), whether the user is an admin."""

    league: str
    admin: bool


class Leagues:
    """The leagues of this service. `open_logs(folder)` gives the log source of a league's folder."""

    def __init__(
        self,
        settings: Settings,
        state: Callable[[], StateStore],
        open_logs: Callable[[str], LogSource],
        is_member: Callable[[str, str], bool],
    ) -> None:
        self.settings = settings
        self._state = state
        self._open_logs = open_logs
        self._is_member = is_member
        self._libraries: OrderedDict[str, Library] = OrderedDict()
        self._lock = threading.Lock()

    def library(self, league: str = "") -> Library:
        """The library of a league; the least used one goes when there are too many."""
        with self._lock:
            library = self._libraries.get(league)
            if library is None:
                library = self._libraries[league] = Library(self._open_logs(league))
            self._libraries.move_to_end(league)
            while len(self._libraries) > LEAGUES_KEPT:
                self._libraries.popitem(last=False)
            return library

    def known(self) -> list[Library]:
        """The libraries in memory."""
        with self._lock:
            return list(self._libraries.values())

    def access(self, chat: str, user: str) -> Access | None:
        """What may be asked here; None for a stranger's chat."""
        admin = user in self.settings.admin_user_ids
        league = self._league_of(chat)
        if league is None and chat == user:
            league = self._league_of_member(user, admin)
        if league is None:
            return None
        return Access(league, admin)

    def _league_of(self, chat: str) -> str | None:
        enrolled = self._get(f"chat:{chat}")
        if enrolled is not None:
            return str(json.loads(enrolled).get("league", ""))
        return "" if chat in self.settings.league_chats else None

    def _league_of_member(self, user: str, admin: bool) -> str | None:
        """The league of a group the user is in, asked of LINE once a day."""
        known = self._get(f"member:{user}")
        if known is None:
            known = self._ask(user)
        if known:
            return str(json.loads(known)["league"])
        return "" if admin else None

    def _ask(self, user: str) -> str:
        for chat, league in self.groups().items():
            try:
                inside = self._is_member(chat, user)
            except Exception as error:  # LINE out of reach: not a member for now, asked again next time
                log.warning("membership could not be asked: %s", type(error).__name__)
                return ""
            if inside:
                value = json.dumps({"league": league})
                self._put(f"member:{user}", value, MEMBER_DAY)
                return value
        self._put(f"member:{user}", "", STRANGER_HOUR)
        return ""

    def groups(self) -> dict[str, str]:
        """Enrolled groups and rooms -> their league's folder."""
        result = {chat: "" for chat in sorted(self.settings.league_chats) if chat[0] in "CR"}
        try:
            stored = self._state().items("chat:")
        except StorageError as error:
            log.warning("the state store can't be read: %s", error)
            stored = {}
        for key, value in stored.items():
            chat = key.removeprefix("chat:")
            if chat[:1] in "CR":
                result[chat] = str(json.loads(value).get("league", ""))
        return result

    def enrol(self, chat: str, league: str = "") -> None:
        """Let a chat in, for the league of that folder; ValueError for a folder's name that can't be."""
        if league and not _FOLDER.match(league):
            raise ValueError(f"no name for a league's folder: {league!r}")
        self._state().put(f"chat:{chat}", json.dumps({"league": league}))

    def remove(self, chat: str) -> None:
        """Let a chat out again."""
        self._state().delete(f"chat:{chat}")

    def _get(self, key: str) -> str | None:
        try:
            return self._state().get(key)
        except StorageError as error:
            log.warning("the state store can't be read: %s", error)
            return None

    def _put(self, key: str, value: str, ttl: float) -> None:
        try:
            self._state().put(key, value, ttl)
        except StorageError as error:
            log.warning("the state store can't be written: %s", error)
