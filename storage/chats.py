"""Which chats may ask for which league, who is who in them, what was answered; leagues' Dropbox accounts."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from sqlalchemy import Table, Text, bindparam, delete, exists, func, select, update

from storage.database import Subject
from storage.schema import ACCOUNTS, CHATS, HIDDEN, HOMES, IDENTITIES, MEMBERS, QUOTES

QUOTED = 7 * 86400.0  # seconds a sent answer can be quoted
_OWN = select(CHATS.c.league).where(CHATS.c.chat == bindparam("asked_chat")).scalar_subquery()
_LEAGUE = func.coalesce(_OWN, bindparam("other", type_=Text))
_PLAYER = select(IDENTITIES.c.player).where(
    IDENTITIES.c.league == _LEAGUE, IDENTITIES.c.user == bindparam("asked_user")
)
_IS_HIDDEN = exists().where(HIDDEN.c.chat == bindparam("asked_chat"))
_LEAGUE_AND_PLAYER = select(_LEAGUE, _PLAYER.scalar_subquery(), _IS_HIDDEN)


class SeenChat(NamedTuple):
    """A chat's league, None for one not let in; the name on Tenhou that a user gave there ("" for none, None
    where it was not read); whether names are hidden in it."""

    league: str | None
    player: str | None = ""
    hidden: bool = False


class Chats(Subject):
    """The chats that are let in, and their members. Times to live are in seconds."""

    def league_and_player(self, chat: str, user: str, other: str | None = None) -> SeenChat:
        """What is known of a chat and a user there; `other` is the league of a chat let in without us."""
        asked = {"asked_chat": chat, "asked_user": user, "other": other}
        league, player, hidden = self._database.first(_LEAGUE_AND_PLAYER, values=asked)
        return SeenChat(league, player or "", bool(hidden))

    def hide_names(self, chat: str, hidden: bool) -> None:
        if hidden:
            self._database.put(HIDDEN, {"chat": chat, "since": self._database.clock()})
        else:
            self._database.write(delete(HIDDEN).where(HIDDEN.c.chat == chat))

    def all(self) -> dict[str, str]:
        """The chats that are let in, in order, with their leagues."""
        return {row.chat: row.league for row in self._database.rows(select(CHATS).order_by(CHATS.c.chat))}

    def enrol(self, chat: str, league: str) -> None:
        """Let a chat in for a league. Who was taken for a stranger may be a member now."""
        self._database.put(CHATS, {"chat": chat, "league": league})
        self._database.write(delete(MEMBERS).where(MEMBERS.c.chat == ""))

    def remove(self, chat: str) -> None:
        """Let a chat out. LINE is asked anew about its members."""
        self._database.write(delete(CHATS).where(CHATS.c.chat == chat))
        self._database.write(delete(MEMBERS).where(MEMBERS.c.chat == chat))

    def group_of(self, user: str) -> str | None:
        """The group a user is in as LINE has said, "" for a stranger, None where it is not known."""
        return self._chat(MEMBERS, user)

    def set_group(self, user: str, chat: str, ttl: float) -> None:
        """Note a user's group, "" for a stranger."""
        self._database.put(MEMBERS, {"user": user, "chat": chat, "until": self._database.clock() + ttl})

    def confirm_group(self, user: str, mark: str, chat: str, ttl: float) -> None:
        """Note a user's group, where `mark` is still what was noted."""
        same = update(MEMBERS).where(MEMBERS.c.user == user, MEMBERS.c.chat == mark)
        self._database.write(same.values(chat=chat, until=self._database.clock() + ttl))

    def forget_group(self, user: str) -> None:
        """Have LINE asked anew about a user."""
        self._database.write(delete(MEMBERS).where(MEMBERS.c.user == user))

    def home_of(self, user: str) -> str:
        """The group a user was last seen in, "" for none."""
        return self._chat(HOMES, user) or ""

    def set_home(self, user: str, chat: str, ttl: float) -> None:
        self._database.put(HOMES, {"user": user, "chat": chat, "until": self._database.clock() + ttl})

    def player(self, league: str, user: str) -> str:
        """The name on Tenhou that a user gave, "" for none."""
        who = IDENTITIES.c.league == league, IDENTITIES.c.user == user
        return self._database.value(select(IDENTITIES.c.player).where(*who)) or ""

    def users_of(self, league: str, player_of: Callable[[str], str], player: str) -> list[str]:
        """The users who gave a name of this player, as `player_of` reads names."""
        rows = self._database.rows(select(IDENTITIES).where(IDENTITIES.c.league == league))
        return sorted(row.user for row in rows if player_of(row.player) == player)

    def set_player(self, league: str, user: str, player: str) -> None:
        self._database.put(IDENTITIES, {"league": league, "user": user, "player": player})

    def forget_player(self, league: str, user: str) -> None:
        who = IDENTITIES.c.league == league, IDENTITIES.c.user == user
        self._database.write(delete(IDENTITIES).where(*who))

    def question(self, chat: str, message: str) -> str:
        """The question that a sent message answered, as postback data; "" where it is not known."""
        here = QUOTES.c.chat == chat, QUOTES.c.message == message
        known = QUOTES.c.sent > self._database.clock() - QUOTED
        return self._database.value(select(QUOTES.c.question).where(*here, known)) or ""

    def answered(self, questions: Mapping[tuple[str, str], str]) -> None:
        """Keep which question each sent message answered, by chat and message."""
        names, now = ("chat", "message", "question", "sent"), self._database.clock()
        rows = [dict(zip(names, (*key, asked, now), strict=True)) for key, asked in questions.items()]
        self._database.put(QUOTES, *rows)

    def sweep(self) -> int:
        """Remove what has expired and return the number of rows."""
        now = self._database.clock()
        old = [delete(table).where(table.c.until <= now) for table in (MEMBERS, HOMES)]
        return sum(map(self._database.write, [*old, delete(QUOTES).where(QUOTES.c.sent <= now - QUOTED)]))

    def _chat(self, table: Table, user: str) -> str | None:
        here = table.c.user == user, table.c.until > self._database.clock()
        return self._database.value(select(table.c.chat).where(*here))


class Account(NamedTuple):
    """A league's folder in its own Dropbox account, and the account's refresh token, encrypted."""

    folder: str
    token: str


class Accounts(Subject):
    """The accounts by league."""

    def get(self, league: str) -> Account | None:
        query = select(ACCOUNTS.c.folder, ACCOUNTS.c.token).where(ACCOUNTS.c.league == league)
        row = self._database.first(query)
        return Account(*row) if row else None

    def set(self, league: str, account: Account) -> None:
        self._database.put(ACCOUNTS, {"league": league, **account._asdict()})

    def remove(self, league: str) -> None:
        self._database.write(delete(ACCOUNTS).where(ACCOUNTS.c.league == league))
