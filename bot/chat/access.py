"""Which chat asks for which league, and who may ask at all.

A chat is let in by LEAGUE_CHATS, by ADMIN_USER_IDS, or by an admin's 登録 (kept in the StateStore as `chat:ID`). In a 1:1
chat a member of an enrolled group may ask; LINE is asked once a day whether he is one (`member:USER` holds the group, or
nothing for a stranger), and again as soon as it says that he left.
"""

from __future__ import annotations

import json
import logging
import re
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.league.repository import Library
from bot.runtime import metrics
from bot.settings import Settings
from storage.ports import LogSource, StateStore, StorageError

LEAGUES_KEPT = 10_000  # leagues held in memory, if CACHE_MB has room for them
MEMBER_DAY = 24 * 3600.0  # how long a membership LINE confirmed holds, seconds
STRANGER_TIME = 600.0  # how long a refusal holds, seconds
HOME = 400 * 24 * 3600.0  # how long it is remembered in which group a user was seen, seconds
SEEN_KEPT = 10_000  # users whose group is held in memory
ASKED = 30  # groups LINE is asked about for one user; in further ones he has to be seen first
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
        self._seen: OrderedDict[str, str] = OrderedDict()
        self._chats: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()

    def library(self, league: str = "") -> Library:
        """The library of a league; where memory runs short those go that were not used for longest, and giants first."""
        with self._lock:
            library = self._libraries.get(league)
            if library is not None:
                self._libraries.move_to_end(league)
        metrics.count("cache", cache="league", known=str(library is not None).lower())
        if library is not None:
            return library
        opened = Library(self._open_logs(league))  # may ask the state store, so without the lock
        with self._lock:
            library = self._libraries.setdefault(league, opened)
            self._make_room(league)
            return library

    def _make_room(self, newest: str) -> None:
        room = self.settings.cache_mb << 20
        weights = {name: library.weight for name, library in self._libraries.items() if name != newest}
        total = sum(weights.values())
        giants = [name for name in weights if weights[name] > room // 4]
        for name in [*giants, *(name for name in weights if name not in giants)]:
            if total <= room and len(self._libraries) <= LEAGUES_KEPT:
                return
            total -= weights[name]
            del self._libraries[name]

    def reopen(self, league: str) -> None:
        """Forget a league's library: its logs are elsewhere now."""
        with self._lock:
            self._libraries.pop(league, None)

    def known(self) -> list[Library]:
        """The libraries in memory."""
        with self._lock:
            return list(self._libraries.values())

    def access(self, chat: str, user: str) -> Access | None:
        """What may be asked here; None for a stranger's chat."""
        admin = user in self.settings.admin_user_ids
        league = self._league_of(chat)
        if league is not None and user and chat[:1] in "CR":
            self._saw(user, chat)
        if league is None and chat == user:
            league = self._league_of_member(user, admin)
        if league is None:
            return None
        return Access(league, admin)

    def hear(self, raw: Any) -> None:
        """An event of LINE's: whoever left or joined a group is asked about anew, and so is everybody where the bot left."""
        if not isinstance(raw, dict) or raw.get("type") not in ("memberLeft", "memberJoined", "leave"):
            return
        source = raw["source"] if isinstance(raw.get("source"), dict) else {}
        chat = source.get("groupId") or source.get("roomId")
        try:
            if raw["type"] == "leave":
                self._forget_members_of(str(chat))
            for user in _users(raw.get("left")) + _users(raw.get("joined")):
                self._state().delete(f"member:{user}")
        except StorageError as error:
            log.warning("the state store can't be written: %s", error)

    def _league_of(self, chat: str) -> str | None:
        """The league of a chat that may ask. Without the state store what was known last holds; StorageError for others."""
        fixed = "" if chat in self.settings.league_chats else None
        try:
            enrolled = self._state().get(f"chat:{chat}")
        except StorageError as error:
            log.warning("the state store can't be read: %s", error)
            with self._lock:
                known = self._chats.get(chat, fixed)
            if known is None:
                raise
            return known
        league = fixed if enrolled is None else str(json.loads(enrolled).get("league", ""))
        with self._lock:
            self._chats.pop(chat, None)
            if league is not None:
                self._chats[chat] = league
            while len(self._chats) > SEEN_KEPT:
                self._chats.popitem(last=False)
        return league

    def _league_of_member(self, user: str, admin: bool) -> str | None:
        """The league of a group the user is in, asked of LINE once a day."""
        chat = self._get(f"member:{user}")
        league = self._league_of(chat) if chat else None
        if chat is None or (chat and league is None):  # unknown, or the group is enrolled no longer
            chat = self._ask(user)
            league = self._league_of(chat) if chat else None
        if league is not None:
            return league
        return "" if admin else None

    def _ask(self, user: str) -> str:
        """An enrolled group the user is in, "" where there is none. The group he was last seen in is asked first."""
        groups = self.groups()
        home = self._get(f"home:{user}") or ""
        first = [home] if home in groups else []
        for chat in list(dict.fromkeys([*first, *groups]))[:ASKED]:
            try:
                inside = self._is_member(chat, user)
            except Exception as error:  # LINE out of reach: not a member for now, asked again next time
                log.warning("membership could not be asked: %s", type(error).__name__)
                return ""
            if inside:
                self._put(f"member:{user}", chat, MEMBER_DAY)
                return chat
        self._put(f"member:{user}", "", STRANGER_TIME)
        return ""

    def _saw(self, user: str, chat: str) -> None:
        """Remember in which group a user was seen: of thousands, that one is asked about him."""
        with self._lock:
            known = self._seen.get(user) == chat
            self._seen[user] = chat
            self._seen.move_to_end(user)
            while len(self._seen) > SEEN_KEPT:
                self._seen.popitem(last=False)
        if not known and self._get(f"home:{user}") != chat:
            self._put(f"home:{user}", chat, HOME)
            if self._get(f"member:{user}") == "":  # he was taken for a stranger
                self._forget(f"member:{user}")

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
        self.check(league)
        self._state().put(f"chat:{chat}", json.dumps({"league": league}))
        for key, value in self._state().items("member:").items():
            if not value:  # taken for a stranger so far
                self._state().delete(key)

    @staticmethod
    def check(league: str) -> None:
        """ValueError for what can't be the name of a league's folder."""
        if league and not _FOLDER.fullmatch(league):
            raise ValueError(f"no name for a league's folder: {league!r}")

    def remove(self, chat: str) -> None:
        """Let a chat out again; what LEAGUE_CHATS names stays in."""
        self._state().delete(f"chat:{chat}")
        self._forget_members_of(chat)

    def fixed(self, chat: str) -> bool:
        """Whether LEAGUE_CHATS names the chat, so that only the environment can let it out."""
        return chat in self.settings.league_chats

    def _forget_members_of(self, chat: str) -> None:
        for key, value in self._state().items("member:").items():
            if value == chat:
                self._state().delete(key)

    def _forget(self, key: str) -> None:
        try:
            self._state().delete(key)
        except StorageError as error:
            log.warning("the state store can't be written: %s", error)

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


def _users(part: Any) -> list[str]:
    """The users a memberLeft or memberJoined event names."""
    members = part.get("members") if isinstance(part, dict) else None
    found = [m.get("userId") for m in members if isinstance(m, dict)] if isinstance(members, list) else []
    return [user for user in found if isinstance(user, str)]
