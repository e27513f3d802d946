"""Which chat asks for which league, and who may ask at all.

A chat is let in by LEAGUE_CHATS, by ADMIN_USER_IDS, or by an admin's 登録 (kept in the state store as `chat:ID`). In a 1:1
chat a member of an enrolled group may ask; LINE is asked once a day whether he is one (`member:USER` holds the group, or
nothing for a stranger), and again as soon as it says that he left.
"""

from __future__ import annotations

import json
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bot.league.registry import check_folder_name
from storage.ports import StateStore, StorageError

MEMBER_DAY = 24 * 3600.0  # how long a membership LINE confirmed holds, seconds
STRANGER_TIME = 600.0  # how long a refusal holds, seconds
HOME = 400 * 24 * 3600.0  # how long it is remembered in which group a user was seen, seconds
REMEMBERED = 10_000  # users and chats held in memory
ASKED = 30  # groups LINE is asked about for one user; in further ones he has to be seen first
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Access:
    """What a chat may do: its league's folder ("" is the root), whether the user is an admin."""

    league: str
    admin: bool


class ChatAccess:
    """Who may ask. `is_member(chat, user)` asks LINE, and raises where LINE does not say. Safe in threads."""

    def __init__(
        self,
        state: StateStore,
        is_member: Callable[[str, str], bool],
        league_chats: frozenset[str],
        admins: frozenset[str],
    ) -> None:
        """`league_chats` and `admins` are LEAGUE_CHATS and ADMIN_USER_IDS."""
        self._state = state
        self._is_member = is_member
        self._league_chats = league_chats
        self._admins = admins
        self._seen: OrderedDict[str, str] = OrderedDict()
        self._chats: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()

    def is_admin(self, user: str) -> bool:
        """Whether a user is an admin, in whatever chat."""
        return user in self._admins

    def access(self, chat: str, user: str) -> Access | None:
        """What may be asked here; None for a stranger's chat. Raises StorageError where nothing is known of the chat."""
        admin = self.is_admin(user)
        league = self._league_of(chat)
        if league is not None and user and chat[:1] in "CR":
            self._saw(user, chat)
        if league is None and chat == user:
            league = self._league_of_member(user, admin)
        if league is None:
            return None
        return Access(league, admin)

    def members_changed(self, users: Iterable[str]) -> None:
        """These users joined or left a group: LINE is asked about them anew."""
        for user in users:
            self._forget(f"member:{user}")

    def bot_left(self, chat: str) -> None:
        """The bot is in the chat no longer: it is let out, and its members are asked about anew."""
        try:
            self.remove(chat)
        except StorageError as error:
            log.warning("the state store can't be written: %s", error)

    def _league_of(self, chat: str) -> str | None:
        """The league of a chat that may ask.

        Without the state store what was known last holds. Raises StorageError for other chats then.
        """
        fixed = "" if chat in self._league_chats else None
        try:
            enrolled = self._state.get(f"chat:{chat}")
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
            while len(self._chats) > REMEMBERED:
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
            while len(self._seen) > REMEMBERED:
                self._seen.popitem(last=False)
        if not known and self._get(f"home:{user}") != chat:
            self._put(f"home:{user}", chat, HOME)
            if self._get(f"member:{user}") == "":  # he was taken for a stranger
                self._forget(f"member:{user}")

    def groups(self) -> dict[str, str]:
        """Enrolled groups and rooms -> their league's folder."""
        result = {chat: "" for chat in sorted(self._league_chats) if chat[0] in "CR"}
        try:
            stored = self._state.items("chat:")
        except StorageError as error:
            log.warning("the state store can't be read: %s", error)
            stored = {}
        for key, value in stored.items():
            chat = key.removeprefix("chat:")
            if chat[:1] in "CR":
                result[chat] = str(json.loads(value).get("league", ""))
        return result

    def enrol(self, chat: str, league: str = "") -> None:
        """Let a chat in, for the league of that folder.

        Raises ValueError for a folder's name that can't be, and StorageError.
        """
        check_folder_name(league)
        self._state.put(f"chat:{chat}", json.dumps({"league": league}))
        for key, value in self._state.items("member:").items():
            if not value:  # taken for a stranger so far
                self._state.delete(key)

    def remove(self, chat: str) -> None:
        """Let a chat out again; what LEAGUE_CHATS names stays in. Raises StorageError."""
        self._state.delete(f"chat:{chat}")
        for key, value in self._state.items("member:").items():
            if value == chat:
                self._state.delete(key)

    def is_fixed(self, chat: str) -> bool:
        """Whether LEAGUE_CHATS names the chat, so that only the environment can let it out."""
        return chat in self._league_chats

    def _forget(self, key: str) -> None:
        try:
            self._state.delete(key)
        except StorageError as error:
            log.warning("the state store can't be written: %s", error)

    def _get(self, key: str) -> str | None:
        try:
            return self._state.get(key)
        except StorageError as error:
            log.warning("the state store can't be read: %s", error)
            return None

    def _put(self, key: str, value: str, ttl: float) -> None:
        try:
            self._state.put(key, value, ttl)
        except StorageError as error:
            log.warning("the state store can't be written: %s", error)
