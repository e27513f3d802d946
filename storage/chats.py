"""What the database keeps of chats: who may ask for which league, who is who, and which questions
were answered."""

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from sqlalchemy import (
    ColumnElement,
    Table,
    Text,
    bindparam,
    exists,
    func,
    select,
)

from storage.database import Subject
from storage.schema import (
    CHATS,
    HIDDEN,
    HOMES,
    IDENTITIES,
    MEMBERS,
    QUOTES,
)

QUOTED = 7 * 86400.0  # seconds a sent answer can be quoted


# Made once, as every tap asks it: to make it costs as much as to run it.
_CHAT_LEAGUE = select(CHATS.c.league).where(CHATS.c.chat == bindparam("asked_chat"))
_LEAGUE = func.coalesce(_CHAT_LEAGUE.scalar_subquery(), bindparam("other", type_=Text))
_ASKER = IDENTITIES.c.league == _LEAGUE, IDENTITIES.c.user == bindparam("asked_user")
_PLAYER = select(IDENTITIES.c.player).where(*_ASKER)
_IS_HIDDEN = exists().where(HIDDEN.c.chat == bindparam("asked_chat"))
_LEAGUE_AND_PLAYER = select(_LEAGUE, _PLAYER.scalar_subquery(), _IS_HIDDEN)


class SeenChat(NamedTuple):
    """A chat's league, None for one not let in; the name on Tenhou that a user gave there ("" for
    none, None where it was not read); whether names are hidden in it."""

    league: str | None
    player: str | None = ""
    hidden: bool = False


class Chats(Subject):
    """The chats that are let in, and their members. Times to live are in seconds."""

    def league_and_player(self, chat: str, user: str, other: str | None = None) -> SeenChat:
        """What is known of a chat and a user there; `other` is the league of a chat let in without
        us.
        """
        asked = {"asked_chat": chat, "asked_user": user, "other": other}
        league, player, hidden = self._database.first(_LEAGUE_AND_PLAYER, values=asked)
        return SeenChat(league, player or "", bool(hidden))

    def hide_names(self, chat: str, hidden: bool) -> None:
        if hidden:
            self._database.put(HIDDEN, {"chat": chat, "since": self._database.clock()})
        else:
            self._remove(HIDDEN, HIDDEN.c.chat == chat)

    def all(self) -> dict[str, str]:
        """The chats that are let in, in order, with their leagues."""
        rows = self._database.rows(select(CHATS).order_by(CHATS.c.chat))
        return {row.chat: row.league for row in rows}

    def enrol(self, chat: str, league: str) -> None:
        """Let a chat in for a league. Who was taken for a stranger may be a member now."""
        self._database.put(CHATS, {"chat": chat, "league": league})
        self._remove(MEMBERS, MEMBERS.c.chat == "")

    def remove(self, chat: str) -> None:
        """Let a chat out. LINE is asked anew about its members."""
        self._remove(CHATS, CHATS.c.chat == chat)
        self._remove(MEMBERS, MEMBERS.c.chat == chat)

    def group_of(self, user: str) -> str | None:
        """The group a user is in as LINE has said, "" for a stranger, None where it is not
        known.
        """
        return self._chat(MEMBERS, user)

    def set_group(self, user: str, chat: str, ttl: float) -> None:
        self._database.put(MEMBERS, {"user": user, "chat": chat, "until": self._end(ttl)})

    def confirm_group(self, user: str, mark: str, chat: str, ttl: float) -> None:
        """Note a user's group, where `mark` is still what was noted."""
        same = MEMBERS.c.user == user, MEMBERS.c.chat == mark
        self._change(MEMBERS, *same, chat=chat, until=self._end(ttl))

    def forget_group(self, user: str) -> None:
        """Have LINE asked anew about a user."""
        self._remove(MEMBERS, MEMBERS.c.user == user)

    def home_of(self, user: str) -> str:
        """The group a user was last seen in, "" for none."""
        return self._chat(HOMES, user) or ""

    def set_home(self, user: str, chat: str, ttl: float) -> None:
        self._database.put(HOMES, {"user": user, "chat": chat, "until": self._end(ttl)})

    def player(self, league: str, user: str) -> str:
        """The name on Tenhou that a user gave, "" for none."""
        return self._value(IDENTITIES.c.player, *_identity(league, user)) or ""

    def users_of(
        self,
        league: str,
        player_of: Callable[[str], str],
        player: str,
    ) -> list[str]:
        """The users who gave a name of this player, as `player_of` reads names."""
        rows = self._database.rows(select(IDENTITIES).where(IDENTITIES.c.league == league))
        return sorted(row.user for row in rows if player_of(row.player) == player)

    def set_player(self, league: str, user: str, player: str) -> None:
        self._database.put(IDENTITIES, {"league": league, "user": user, "player": player})

    def forget_player(self, league: str, user: str) -> None:
        self._remove(IDENTITIES, *_identity(league, user))

    def question(self, chat: str, message: str) -> str:
        """The question that a sent message answered, as postback data; "" where it is not known."""
        here = QUOTES.c.chat == chat, QUOTES.c.message == message
        recent = QUOTES.c.sent > self._database.clock() - QUOTED
        return self._value(QUOTES.c.question, *here, recent) or ""

    def answered(self, questions: Mapping[tuple[str, str], str]) -> None:
        """Keep which question each sent message answered, by chat and message."""
        now = self._database.clock()
        rows = [
            {"chat": chat, "message": message, "question": question, "sent": now}
            for (chat, message), question in questions.items()
        ]
        self._database.put(QUOTES, *rows)

    def forget_answers(self, chats: Collection[str]) -> None:
        self._remove(QUOTES, QUOTES.c.chat.in_(sorted(chats)))

    def sweep(self) -> int:
        now = self._database.clock()
        members = self._remove(MEMBERS, MEMBERS.c.until <= now)
        homes = self._remove(HOMES, HOMES.c.until <= now)
        quotes = self._remove(QUOTES, QUOTES.c.sent <= now - QUOTED)
        return members + homes + quotes

    def _chat(self, table: Table, user: str) -> str | None:
        lasts = table.c.until > self._database.clock()
        return self._value(table.c.chat, table.c.user == user, lasts)


def _identity(league: str, user: str) -> tuple[ColumnElement[bool], ...]:
    return IDENTITIES.c.league == league, IDENTITIES.c.user == user
