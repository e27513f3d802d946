"""Decide which chat uses which league, and which users have access at all.

A chat gets access by LEAGUE_CHATS, ADMIN_USER_IDS, or 登録; a member of an enrolled group also has
it in a 1:1 chat, if LINE confirms the membership
(https://developers.line.biz/en/reference/messaging-api/, group member profiles). A confirmation is
stored for a day, a refusal for ten minutes; both are removed when the user joins or leaves."""

import logging
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from bot.league.folder_names import check_folder_name
from bot.runtime.cache import Lru
from storage.chats import Chats, SeenChat
from storage.ports import StorageError

MEMBER_DAY = 24 * 3600.0  # seconds a membership is valid that LINE confirmed
ASKING_TIME = 60.0  # seconds within which LINE's answer is stored
STRANGER_TIME = 600.0  # seconds a refusal is valid
HOME = 400 * 24 * 3600.0  # seconds for which the group is stored in which a user was seen
REMEMBERED = 10_000  # users and chats in memory
# Groups that are looked up at LINE for one user. A user of another group has to write there first.
LOOKUPS = 30
_ASKING = "asking "  # begins the mark of a user while LINE is requested
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Access:
    """What a chat may do: its league's folder ("" is the root), whether the user is an admin, the
    name on Tenhou that the user gave ("" for none, None where it was not read). `hidden`: no names
    are shown."""

    league: str
    admin: bool
    player: str | None = None
    hidden: bool = False


class ChatAccess:
    """Knows which chats and users have access.

    `is_member(chat, user)` requests it from LINE, and raises where there is no answer. Thread-safe.
    """

    def __init__(
        self,
        chats: Chats,
        is_member: Callable[[str, str], bool],
        league_chats: frozenset[str],
        admins: frozenset[str],
    ) -> None:
        """`league_chats` and `admins` are LEAGUE_CHATS and ADMIN_USER_IDS."""
        self._stored = chats
        self._is_member = is_member
        self._league_chats = league_chats
        self._admins = admins
        self._seen: Lru[tuple[str, str], bool] = Lru(REMEMBERED)  # (user, chat)
        self._chats: Lru[str, SeenChat] = Lru(REMEMBERED)

    def is_admin(self, user: str) -> bool:
        return user in self._admins

    @property
    def admins(self) -> list[str]:
        return sorted(self._admins)

    def admins_of(self, league: str) -> list[str]:
        """The admins in a group of this league; all, where there is none, or one league alone.
        Raises StorageError, and what `is_member` raises."""
        groups = self.groups()
        league_groups = [chat for chat, folder in groups.items() if folder == league][:LOOKUPS]
        if len(league_groups) == len(groups):
            return self.admins

        def is_member(user: str) -> bool:
            return any(self._is_member(chat, user) for chat in league_groups)

        return [user for user in self.admins if is_member(user)] or self.admins

    def access(self, chat: str, user: str) -> Access | None:
        """The access of a user in a chat, None for a stranger's chat.

        Raises StorageError when nothing is known.
        """
        admin = self.is_admin(user)
        stored = self._league_and_player(chat, user)
        if stored.league is not None:
            if user and chat[:1] in "CR":
                self._note_home(user, chat)
            return Access(stored.league, admin, stored.player, stored.hidden)
        if chat != user:
            return None
        league = self._league_of_member(user, admin)
        if league is None:
            return None
        return Access(league, admin, None, stored.hidden)

    def hides_names(self, chat: str) -> bool:
        """Whether a chat's members are not to be named there. Raises StorageError."""
        return self._stored.league_and_player(chat, "").hidden

    def known_league(self, chat: str) -> str | None:
        """The folder of the league that the chat used last, or None; read from memory alone."""
        last_seen = self._chats.get(chat)
        if last_seen:
            return last_seen.league
        return "" if chat in self._league_chats else None

    def members_changed(self, users: Iterable[str]) -> None:
        """Look users who joined or left a group up at LINE again. Raises StorageError."""
        for user in users:
            self._stored.forget_group(user)

    def bot_left(self, chat: str) -> None:
        """Remove a chat because the bot has left it. Its members are looked up at LINE again.
        Raises StorageError."""
        self.remove(chat)

    def _league_and_player(self, chat: str, user: str) -> SeenChat:
        """What is stored of a chat with access, and of the user in it. Without the state store the
        last answer is valid, names hidden as they were; for other chats StorageError is raised."""
        fixed = "" if chat in self._league_chats else None
        try:
            stored = self._stored.league_and_player(chat, user, fixed)
        except StorageError as error:
            log.warning("the state store can't be read: %s", error)
            last_seen = self._chats.get(chat)
            if last_seen is None and fixed is None:
                raise
            return last_seen or SeenChat(fixed)
        if stored.league is None:
            self._chats.forget(chat)
        else:
            self._chats.put(chat, stored._replace(player=None))
        return stored

    def _league_of_member(self, user: str, admin: bool) -> str | None:
        """The league of a group the user is in, the root's for an admin in no group; LINE is
        requested once a day."""
        group = self._stored_group(user)
        league = self._league_of_group(group)
        is_enrolled_no_longer = bool(group) and league is None
        if group is None or is_enrolled_no_longer:
            league = self._league_of_group(self._look_up_group(user))
        if league is None and admin:
            return ""
        return league

    def _stored_group(self, user: str) -> str | None:
        """The group that LINE confirmed, "" where it confirmed none, None where that is unknown."""
        try:
            group = self._stored.group_of(user)
        except StorageError as error:
            log.warning("the state store can't be read: %s", error)
            return None
        if group is None or group.startswith(_ASKING):
            return None
        return group

    def _league_of_group(self, group: str | None) -> str | None:
        if not group:
            return None
        return self._league_and_player(group, "").league

    def _look_up_group(self, user: str) -> str:
        """An enrolled group the user is in, or "". The group where the user was last seen comes
        first. Raises StorageError: then nobody is taken for a stranger.

        The mark guarantees that LINE's answer is stored only if the user has not joined or left
        meanwhile, in any process: joining and leaving remove the mark. Shown by
        tests/chat/test_access.py::test_member_who_leaves_during_a_lookup_loses_access."""
        groups = self.groups()
        mark = _ASKING + secrets.token_hex(8)
        with _written():
            self._stored.set_group(user, mark, ASKING_TIME)
        home = ""
        with suppress(StorageError):
            home = self._stored.home_of(user)
        chats = [chat for chat in groups if chat == home]
        chats += [chat for chat in groups if chat != home]
        try:
            group = next((chat for chat in chats[:LOOKUPS] if self._is_member(chat, user)), "")
        except Exception as error:
            # LINE is out of reach: not a member for now, requested again next time.
            log.warning("membership could not be asked: %s", type(error).__name__)
            return ""
        with _written():
            self._stored.confirm_group(user, mark, group, MEMBER_DAY if group else STRANGER_TIME)
        return group

    def _note_home(self, user: str, chat: str) -> None:
        """Store in which group a user was first seen by this process: of thousands of groups, that
        one is looked up at LINE first.
        """
        if not self._seen.put((user, chat), True):
            return
        try:
            if self._stored.home_of(user) != chat:
                self._stored.set_home(user, chat, HOME)
                if self._stored.group_of(user) == "":  # the user was taken for a stranger
                    self._stored.forget_group(user)
        except StorageError as error:
            log.warning("where a user was seen could not be kept: %s", error)

    def groups(self) -> dict[str, str]:
        """The enrolled groups and rooms, with their leagues' folders. Raises StorageError."""
        groups = dict.fromkeys(sorted(self._league_chats), "") | self._stored.all()
        return {chat: league for chat, league in groups.items() if chat[:1] in "CR"}

    def leagues(self) -> set[str]:
        """The folders of the leagues that a chat is enrolled for.

        Raises StorageError as `groups`.
        """
        leagues = set(self._stored.all().values())
        if self._league_chats:
            leagues.add("")
        return leagues

    def enrol(self, chat: str, league: str = "") -> None:
        """Give a chat access to that folder's league.

        Raises ValueError for a malformed name, StorageError.
        """
        check_folder_name(league)
        self._stored.enrol(chat, league)

    def remove(self, chat: str) -> None:
        """End a chat's access. A chat that LEAGUE_CHATS names keeps it. Raises StorageError."""
        self._stored.remove(chat)

    def player_of(self, league: str, user: str) -> str:
        """The name on Tenhou that a user gave with 自分; "" for none, or without the state
        store.
        """
        with suppress(StorageError):
            return self._stored.player(league, user) if user else ""
        return ""

    def is_fixed(self, chat: str) -> bool:
        """Whether LEAGUE_CHATS names the chat, so that only the environment can end its access."""
        return chat in self._league_chats


@contextmanager
def _written() -> Iterator[None]:
    """Ignore a state store that can't be written: what it would have stored is requested from LINE
    again.
    """
    try:
        yield
    except StorageError as error:
        log.warning("the state store can't be written: %s", error)
