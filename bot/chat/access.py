"""Decide which chat asks for which league, and who may ask at all.

A chat is let in by LEAGUE_CHATS, by ADMIN_USER_IDS, or by an admin's 登録 (kept in the state store as `chat:ID`). In a
1:1 chat a member of an enrolled group may ask: LINE says whether the user is a member
(https://developers.line.biz/en/reference/messaging-api/, group member profiles). `member:USER` keeps the group for a
day, or nothing for a stranger for ten minutes. LINE is asked again as soon as it says that the user joined or left.
"""

from __future__ import annotations

import json
import logging
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bot.chat.identity import key_of
from bot.league.registry import check_folder_name
from storage.ports import StateStore, StorageError

MEMBER_DAY = 24 * 3600.0  # seconds a membership holds that LINE confirmed
ASKING_TIME = 60.0  # seconds within which LINE's answer is remembered
STRANGER_TIME = 600.0  # seconds a refusal holds
HOME = 400 * 24 * 3600.0  # seconds it is remembered in which group a user was seen
REMEMBERED = 10_000  # users and chats held in memory
ASKED = 30  # groups LINE is asked about for one user; a user of another group has to write there first
_ASKING = "asking "  # how the mark begins that stands for a user while LINE is asked
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Access:
    """What a chat may do: its league's folder ("" is the root), and whether the user is an admin.

    `player` is the name on Tenhou that the user gave, "" for none, and None where it was not read along.
    """

    league: str
    admin: bool
    player: str | None = None


class ChatAccess:
    """Knows who may ask. `is_member(chat, user)` asks LINE, and raises when LINE does not say. Safe in threads."""

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
        self._seen: OrderedDict[tuple[str, str], None] = OrderedDict()  # (user, chat)
        self._chats: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()

    def is_admin(self, user: str) -> bool:
        """Return whether a user is an admin, in whatever chat."""
        return user in self._admins

    @property
    def admins(self) -> list[str]:
        """All admins' user ids."""
        return sorted(self._admins)

    def admins_of(self, league: str) -> list[str]:
        """Return the admins who are in a group of this league; all, where none is, or where there is one league alone.

        Raises StorageError when the state store cannot be reached, and what `is_member` raises when LINE does not say.
        """
        groups = self.groups()
        own = [chat for chat, folder in groups.items() if folder == league][:ASKED]
        if len(own) == len(groups):
            return self.admins
        found = [user for user in self.admins if any(self._is_member(chat, user) for chat in own)]
        return found or self.admins

    def access(self, chat: str, user: str) -> Access | None:
        """Return what may be asked here, or None for a stranger's chat.

        Raises StorageError when the state store cannot be reached and nothing is known of the chat.
        """
        admin = self.is_admin(user)
        league, player = self._league_and_player(chat, user)
        if league is not None and user and chat[:1] in "CR":
            self._saw(user, chat)
        if league is None and chat == user:
            league = self._league_of_member(user, admin)
        if league is None:
            return None
        return Access(league, admin, player)

    def known_league(self, chat: str) -> str | None:
        """Return the folder of the league that the chat was last seen to ask for, or None. No store is asked."""
        with self._lock:
            return self._chats.get(chat, "" if chat in self._league_chats else None)

    def members_changed(self, users: Iterable[str]) -> None:
        """Have LINE asked anew about users who joined or left a group."""
        for user in users:
            self._forget(f"member:{user}")

    def bot_left(self, chat: str) -> None:
        """Let a chat out because the bot has left it. LINE is asked anew about its members."""
        try:
            self.remove(chat)
        except StorageError as error:
            log.warning("the state store can't be written: %s", error)

    def _league_of(self, chat: str) -> str | None:
        """Return the league of a chat that may ask, or None."""
        return self._league_and_player(chat, "")[0]

    def _league_and_player(self, chat: str, user: str) -> tuple[str | None, str | None]:
        """Return the league of a chat that may ask, or None; and Access.player, if the league is the one it last was.

        Without the state store the last answer holds. For other chats StorageError is raised then.
        """
        fixed, key = "" if chat in self._league_chats else None, f"chat:{chat}"
        with self._lock:
            known = self._chats.get(chat, fixed)
        own = "" if known is None or not user else key_of(known, user)
        try:
            found = self._state.get_all((key, own) if own else (key,))
        except StorageError as error:
            log.warning("the state store can't be read: %s", error)
            if known is None:
                raise
            return known, None
        league = str(json.loads(found[key]).get("league", "")) if key in found else fixed
        with self._lock:
            self._chats.pop(chat, None)
            if league is not None:
                self._chats[chat] = league
            while len(self._chats) > REMEMBERED:
                self._chats.popitem(last=False)
        return league, found.get(own, "") if own and league == known else None

    def _league_of_member(self, user: str, admin: bool) -> str | None:
        """Return the league of a group the user is in; LINE is asked once a day."""
        chat = self._get(f"member:{user}")
        chat = None if chat and chat.startswith(_ASKING) else chat
        league = self._league_of(chat) if chat else None
        if chat is None or (chat and league is None):  # unknown, or the group is enrolled no longer
            chat = self._ask(user)
            league = self._league_of(chat) if chat else None
        if league is not None:
            return league
        return "" if admin else None

    def _ask(self, user: str) -> str:
        """Return an enrolled group the user is in, or "". The group the user was last seen in is asked first.

        Raises StorageError when the groups cannot be read: then nobody is taken for a stranger.
        """
        groups, mark = self.groups(), _ASKING + secrets.token_hex(8)
        self._put(f"member:{user}", mark, ASKING_TIME)
        home = self._get(f"home:{user}") or ""
        first = [home] if home in groups else []
        for chat in list(dict.fromkeys([*first, *groups]))[:ASKED]:
            try:
                inside = self._is_member(chat, user)
            except Exception as error:  # LINE out of reach: not a member for now, asked again next time
                log.warning("membership could not be asked: %s", type(error).__name__)
                return ""
            if inside:
                self._told(user, mark, chat, MEMBER_DAY)
                return chat
        self._told(user, mark, "", STRANGER_TIME)
        return ""

    def _told(self, user: str, mark: str, chat: str, ttl: float) -> None:
        """Remember what LINE said of a user, unless the user has joined or left since it was asked."""
        try:
            self._state.replace(f"member:{user}", mark, chat, ttl)
        except StorageError as error:
            log.warning("the state store can't be written: %s", error)

    def _saw(self, user: str, chat: str) -> None:
        """Remember in which group a user was seen anew: of thousands, LINE is asked about that one first."""
        with self._lock:
            known = (user, chat) in self._seen
            self._seen[user, chat] = None
            self._seen.move_to_end((user, chat))
            while len(self._seen) > REMEMBERED:
                self._seen.popitem(last=False)
        if not known and self._get(f"home:{user}") != chat:
            self._put(f"home:{user}", chat, HOME)
            if self._get(f"member:{user}") == "":  # the user was taken for a stranger
                self._forget(f"member:{user}")

    def groups(self) -> dict[str, str]:
        """Return the enrolled groups and rooms, with their leagues' folders.

        Raises StorageError when the state store cannot be reached.
        """
        result = {chat: "" for chat in sorted(self._league_chats) if chat[0] in "CR"}
        for key, value in self._state.items("chat:").items():
            chat = key.removeprefix("chat:")
            if chat[:1] in "CR":
                result[chat] = str(json.loads(value).get("league", ""))
        return result

    def enrol(self, chat: str, league: str = "") -> None:
        """Let a chat in, for the league of that folder.

        Raises ValueError for a malformed folder name, and StorageError when the state store cannot be reached.
        """
        check_folder_name(league)
        self._state.put(f"chat:{chat}", json.dumps({"league": league}))
        for key, value in self._state.items("member:").items():
            if not value:  # taken for a stranger so far
                self._state.delete(key)

    def remove(self, chat: str) -> None:
        """Let a chat out again. A chat that LEAGUE_CHATS names stays in.

        Raises StorageError when the state store cannot be reached.
        """
        self._state.delete(f"chat:{chat}")
        for key, value in self._state.items("member:").items():
            if value == chat:
                self._state.delete(key)

    def is_fixed(self, chat: str) -> bool:
        """Return whether LEAGUE_CHATS names the chat, so that only the environment can let it out."""
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
