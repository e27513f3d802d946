"""Decide which chat asks for which league, and who may ask at all.

A chat is let in by LEAGUE_CHATS, ADMIN_USER_IDS, or 登録; a member of an enrolled group also in a
1:1 chat, if LINE says so (https://developers.line.biz/en/reference/messaging-api/, group member
profiles). That is kept for a day, a refusal for ten minutes, and asked anew when the user joins or
leaves."""

import logging
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from bot.league.folder_names import check_folder_name
from bot.runtime.cache import Lru
from storage.chats import Chats, SeenChat
from storage.ports import StorageError

MEMBER_DAY = 24 * 3600.0  # seconds a membership holds that LINE confirmed
ASKING_TIME = 60.0  # seconds within which LINE's answer is remembered
STRANGER_TIME = 600.0  # seconds a refusal holds
HOME = 400 * 24 * 3600.0  # seconds it is remembered in which group a user was seen
REMEMBERED = 10_000  # users and chats held in memory
ASKED = (
    30  # groups LINE is asked about for one user; a user of another group has to write there first
)
_ASKING = "asking "  # how the mark begins that stands for a user while LINE is asked
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Access:
    """What a chat may do: its league's folder ("" is the root), whether the user is an admin, the
    name on Tenhou that the user gave ("" for none, None where it was not read). `hidden`: no names
    are told."""

    league: str
    admin: bool
    player: str | None = None
    hidden: bool = False


class ChatAccess:
    """Knows who may ask.

    `is_member(chat, user)` asks LINE, and raises where it does not say. Thread-safe.
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
        league_groups = [chat for chat, folder in groups.items() if folder == league][:ASKED]
        if len(league_groups) == len(groups):
            return self.admins

        def is_member(user: str) -> bool:
            return any(self._is_member(chat, user) for chat in league_groups)

        return [user for user in self.admins if is_member(user)] or self.admins

    def access(self, chat: str, user: str) -> Access | None:
        """What may be asked here, None for a stranger's chat.

        Raises StorageError when nothing is known.
        """
        admin = self.is_admin(user)
        seen = self._league_and_player(chat, user)
        league = seen.league
        player = seen.player if seen.league is not None else None
        if league is not None and user and chat[:1] in "CR":
            self._saw(user, chat)
        if league is None and chat == user:
            league = self._league_of_member(user, admin)
        return None if league is None else Access(league, admin, player, seen.hidden)

    def hides_names(self, chat: str) -> bool:
        """Whether a chat's members are not to be named there. Raises StorageError."""
        return self._stored.league_and_player(chat, "").hidden

    def known_league(self, chat: str) -> str | None:
        """The folder of the league that the chat was last seen to ask for, or None.

        No store is asked.
        """
        last_seen = self._chats.get(chat)
        if last_seen:
            return last_seen.league
        return "" if chat in self._league_chats else None

    def members_changed(self, users: Iterable[str]) -> None:
        """Have LINE asked again about users who joined or left a group. Raises StorageError."""
        for user in users:
            self._stored.forget_group(user)

    def bot_left(self, chat: str) -> None:
        """Let a chat out because the bot has left it. LINE is asked again about its members. Raises
        StorageError."""
        self.remove(chat)

    def _league_and_player(self, chat: str, user: str) -> SeenChat:
        """What is known of a chat that may ask, and of the user in it. Without the state store the
        last answer holds, names hidden as they were; for other chats StorageError is raised."""
        fixed = "" if chat in self._league_chats else None
        try:
            seen = self._stored.league_and_player(chat, user, fixed)
        except StorageError as error:
            log.warning("the state store can't be read: %s", error)
            last_seen = self._chats.get(chat)
            if last_seen is None and fixed is None:
                raise
            return last_seen or SeenChat(fixed)
        if seen.league is None:
            self._chats.forget(chat)
        else:
            self._chats.put(chat, seen._replace(player=None))
        return seen

    def _league_of_member(self, user: str, admin: bool) -> str | None:
        """The league of a group the user is in; LINE is asked once a day."""
        try:
            chat = self._stored.group_of(user)
        except StorageError as error:
            log.warning("the state store can't be read: %s", error)
            chat = None
        if chat and chat.startswith(_ASKING):
            chat = None
        league = self._league_and_player(chat, "").league if chat else None
        if chat is None or (chat and league is None):  # unknown, or the group is enrolled no longer
            chat = self._ask(user)
            league = self._league_and_player(chat, "").league if chat else None
        return "" if league is None and admin else league

    def _ask(self, user: str) -> str:
        """An enrolled group the user is in, or "", the one last seen first. Raises StorageError:
        then nobody is taken for a stranger.

        The mark guarantees that LINE's answer is stored only if the user has not joined or left
        meanwhile, in any process: joining and leaving remove the mark. Shown by
        tests/chat/test_access.py::test_who_leaves_while_line_is_asked_is_out_at_once."""
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
            group = next(
                (chat for chat in chats[:ASKED] if self._is_member(chat, user)),
                "",
            )
        except Exception as error:
            # LINE is out of reach: not a member for now, asked again next time.
            log.warning("membership could not be asked: %s", type(error).__name__)
            return ""
        with _written():
            self._stored.confirm_group(user, mark, group, MEMBER_DAY if group else STRANGER_TIME)
        return group

    def _saw(self, user: str, chat: str) -> None:
        """Store in which group a user was first seen by this process: of thousands of groups, LINE
        is asked about that one first.
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
        """Let a chat in, for that folder's league.

        Raises ValueError for a malformed name, StorageError.
        """
        check_folder_name(league)
        self._stored.enrol(chat, league)

    def remove(self, chat: str) -> None:
        """Let a chat out again. A chat that LEAGUE_CHATS names stays in. Raises StorageError."""
        self._stored.remove(chat)

    def player_of(self, league: str, user: str) -> str:
        """The name on Tenhou that a user gave with 自分; "" for none, or without the state
        store.
        """
        with suppress(StorageError):
            return self._stored.player(league, user) if user else ""
        return ""

    def is_fixed(self, chat: str) -> bool:
        """Whether LEAGUE_CHATS names the chat, so that only the environment can let it out."""
        return chat in self._league_chats


@contextmanager
def _written() -> Iterator[None]:
    """Ignore a state store that can't be written: LINE is asked again for what it would have
    stored.
    """
    try:
        yield
    except StorageError as error:
        log.warning("the state store can't be written: %s", error)
