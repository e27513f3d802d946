"""The tables of chats: which may use the bot, their members, players and answered questions.

The tables, of which a row is:

- `chats`: a chat that is let in, and the league it requests.
- `members`: in which group LINE found a user, "" for a stranger. It expires, as LINE has to be queried
  again some day.
- `homes`: the group in which a user was last seen; it expires too.
- `identities`: the name on Tenhou that a user gave in a league.
- `hidden`: a chat in which names are hidden.
- `quotes`: which question a sent message answered, for QUOTED seconds. Members can quote it.

What the tables promise: no answer goes to a chat that is not in `chats`, and a user's name is known in
the league alone in which they gave it. What expired counts as unknown, and is removed by `sweep` later.
tests/storage/test_chats.py and tests/chat/test_access.py check it.
"""

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

import sqlalchemy as sa

from storage.database import Subject
from storage.schema import CHATS, HIDDEN, HOMES, IDENTITIES, MEMBERS, QUOTES

QUOTED = 7 * 86400.0  # seconds for which a sent answer can be quoted


# This query is made once for all taps, since making it costs as much time as running it.
_IS_CHAT = CHATS.c.chat == sa.bindparam("asked_chat")
_CHAT_LEAGUE = sa.select(CHATS.c.league).where(_IS_CHAT)
_LEAGUE = sa.func.coalesce(
    _CHAT_LEAGUE.scalar_subquery(),
    sa.bindparam("other", type_=sa.Text),
)
_PLAYER = sa.select(IDENTITIES.c.player).where(
    IDENTITIES.c.league == _LEAGUE,
    IDENTITIES.c.user == sa.bindparam("asked_user"),
)
_IS_HIDDEN = sa.exists().where(HIDDEN.c.chat == sa.bindparam("asked_chat"))
_LEAGUE_AND_PLAYER = sa.select(_LEAGUE, _PLAYER.scalar_subquery(), _IS_HIDDEN)


class SeenChat(NamedTuple):
    """A chat and a user there: the league, the name on Tenhou that the user gave, and whether names
    are hidden in the chat.

    `league` is None for a chat that is not let in. `player` is "" for a user without a name, and
    None where it was not read.
    """

    league: str | None
    player: str | None = ""
    hidden: bool = False


class Chats(Subject):
    """The chats that are let in, and their members. Times to live are in seconds."""

    def league_and_player(self, chat: str, user: str, other: str | None = None) -> SeenChat:
        """Return what is known of a chat and a user there, in one query.

        `other` is the league of a chat that is not in the table but let in by a variable.
        """
        values = {"asked_chat": chat, "asked_user": user, "other": other}
        league, player, hidden = self._database.first(_LEAGUE_AND_PLAYER, values=values)
        return SeenChat(league, player or "", bool(hidden))

    def hide_names(self, chat: str, hidden: bool) -> None:
        if hidden:
            self._database.put(HIDDEN, {"chat": chat, "since": self._database.clock()})
        else:
            self._remove(HIDDEN, HIDDEN.c.chat == chat)

    def all(self) -> dict[str, str]:
        """The leagues of the chats that are let in, by chat and in the order of chats."""
        rows = self._database.rows(sa.select(CHATS).order_by(CHATS.c.chat))
        return {row.chat: row.league for row in rows}

    def enrol(self, chat: str, league: str) -> None:
        """Let a chat in for a league. Strangers are forgotten, as they may be members now."""
        self._database.put(CHATS, {"chat": chat, "league": league})
        self._remove(MEMBERS, MEMBERS.c.chat == "")

    def remove(self, chat: str) -> None:
        """Let a chat out, and forget its members, so that LINE is queried again."""
        self._remove(CHATS, CHATS.c.chat == chat)
        self._remove(MEMBERS, MEMBERS.c.chat == chat)

    def group_of(self, user: str) -> str | None:
        """The group in which LINE found a user, "" for a stranger, None where it is not known."""
        return self._chat_in(MEMBERS, user)

    def set_group(self, user: str, chat: str, ttl: float) -> None:
        row = {"user": user, "chat": chat, "until": self._end(ttl)}
        self._database.put(MEMBERS, row)

    def confirm_group(self, user: str, mark: str, chat: str, ttl: float) -> None:
        """Set a user's group, unless something else than `mark` has been set meanwhile."""
        is_unchanged = MEMBERS.c.user == user, MEMBERS.c.chat == mark
        self._change(MEMBERS, *is_unchanged, chat=chat, until=self._end(ttl))

    def forget_group(self, user: str) -> None:
        """Forget the group, so that LINE is queried about the user again."""
        self._remove(MEMBERS, MEMBERS.c.user == user)

    def home_of(self, user: str) -> str:
        """The group in which a user was last seen, "" for none."""
        return self._chat_in(HOMES, user) or ""

    def set_home(self, user: str, chat: str, ttl: float) -> None:
        row = {"user": user, "chat": chat, "until": self._end(ttl)}
        self._database.put(HOMES, row)

    def player(self, league: str, user: str) -> str:
        """The name on Tenhou that a user gave, "" for none."""
        return self._value(IDENTITIES.c.player, *_is_identity(league, user)) or ""

    def users_of(
        self,
        league: str,
        player_of: Callable[[str], str],
        player: str,
    ) -> list[str]:
        """The users who gave a name of this player; `player_of` returns the player of a name."""
        rows = self._rows(IDENTITIES, IDENTITIES.c.league == league)
        return sorted(row.user for row in rows if player_of(row.player) == player)

    def set_player(self, league: str, user: str, player: str) -> None:
        self._database.put(IDENTITIES, {"league": league, "user": user, "player": player})

    def forget_player(self, league: str, user: str) -> None:
        self._remove(IDENTITIES, *_is_identity(league, user))

    def question(self, chat: str, message: str) -> str:
        """The question that a sent message answered, as postback data; "" where it is unknown."""
        is_message = QUOTES.c.chat == chat, QUOTES.c.message == message
        is_recent = QUOTES.c.sent > self._database.clock() - QUOTED
        return self._value(QUOTES.c.question, *is_message, is_recent) or ""

    def set_questions(self, questions: Mapping[tuple[str, str], str]) -> None:
        """Store which question each sent message answered, by chat and message."""
        now = self._database.clock()
        rows = [
            {"chat": chat, "message": message, "question": question, "sent": now}
            for (chat, message), question in questions.items()
        ]
        self._database.put(QUOTES, *rows)

    def forget_questions(self, chats: Collection[str]) -> None:
        self._remove(QUOTES, QUOTES.c.chat.in_(sorted(chats)))

    def sweep(self) -> int:
        """Remove expired members, homes and questions; return their number."""
        now = self._database.clock()
        members = self._remove(MEMBERS, MEMBERS.c.until <= now)
        homes = self._remove(HOMES, HOMES.c.until <= now)
        quotes = self._remove(QUOTES, QUOTES.c.sent <= now - QUOTED)
        return members + homes + quotes

    def _chat_in(self, table: sa.Table, user: str) -> str | None:
        """The chat of a user in `members` or `homes`, None where it is not known or has expired."""
        is_valid = table.c.until > self._database.clock()
        return self._value(table.c.chat, table.c.user == user, is_valid)


def _is_identity(league: str, user: str) -> tuple[sa.ColumnElement[bool], ...]:
    return IDENTITIES.c.league == league, IDENTITIES.c.user == user
