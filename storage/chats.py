"""What the database keeps of chats: who may ask for which league, who is who, what was answered and
noted, messages sent once, faults that last, leases; and leagues' Dropbox accounts."""

import hashlib
import secrets
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Table,
    Text,
    bindparam,
    delete,
    exists,
    func,
    or_,
    select,
    update,
)

from storage.database import Database, Subject
from storage.schema import (
    ACCOUNTS,
    CHATS,
    FAULTS,
    HIDDEN,
    HOMES,
    IDENTITIES,
    LEASES,
    MEMBERS,
    NOTICES,
    QUOTES,
    VALUES,
)

_PAST = 30 * 86400.0  # seconds in which somebody may ask what is over


class Values(Subject):
    """Text under keys. Each method is atomic between processes; an expired value counts as none.
    Text with NUL (which Postgres does not keep) or lone surrogates raises ValueError."""

    def get(self, key: str) -> str | None:
        return self._value(VALUES.c.value, VALUES.c.key == kept_text(key), self._living)

    def put(self, key: str, value: str, ttl: float | None = None) -> None:
        """Set the value; it expires after `ttl` seconds (None: never)."""
        self._database.put(VALUES, self._row(key, value, ttl))

    def add(self, key: str, value: str, ttl: float | None = None) -> bool:
        """Set the value if there is none; return whether it was set."""
        expired = VALUES.c.expires <= self._database.clock()
        count = self._database.put(VALUES, self._row(key, value, ttl), where=expired)
        return count > 0

    def replace(
        self,
        key: str,
        old: str,
        new: str,
        ttl: float | None = None,
    ) -> bool:
        same = VALUES.c.key == kept_text(key), VALUES.c.value == old, self._living
        return self._change(VALUES, *same, **self._row(key, new, ttl)) > 0

    def change(
        self,
        key: str,
        new: Callable[[str | None], str],
        ttl: float | None = None,
    ) -> str:
        """Set what `new` makes of the value, also where others change it at once, and return it."""
        while True:
            value = self.get(key)
            made = new(value)
            if value is None:
                was_set = self.add(key, made, ttl)
            else:
                was_set = self.replace(key, value, made, ttl)
            if was_set:
                return made

    def delete(self, key: str) -> None:
        self._remove(VALUES, VALUES.c.key == kept_text(key))

    def erase(self, *words: str, by_value: bool = False) -> None:
        """Remove the values in whose key (or value) all these words stand."""
        text = VALUES.c.value if by_value else VALUES.c.key
        self._remove(VALUES, *(text.contains(word, autoescape=True) for word in words))

    def items(self, prefix: str, holding: str = "") -> dict[str, str]:
        """The living values whose keys begin with `prefix` and that contain `holding`, in the order
        of keys.
        """
        begins = func.substr(VALUES.c.key, 1, len(prefix)) == kept_text(prefix)
        holds = VALUES.c.value.contains(holding, autoescape=True)
        query = select(VALUES).where(begins, holds, self._living).order_by(VALUES.c.key)
        return {row.key: row.value for row in self._database.rows(query)}

    def present(self, keys: Collection[str]) -> set[str]:
        """Those of the keys that have a value."""
        query = select(VALUES.c.key).where(VALUES.c.key.in_(sorted(keys)), self._living)
        return {row.key for row in self._database.rows(query)}

    def sweep(self) -> int:
        return self._remove(VALUES, VALUES.c.expires <= self._database.clock())

    @property
    def _living(self) -> ColumnElement[bool]:
        return or_(VALUES.c.expires.is_(None), VALUES.c.expires > self._database.clock())

    def _row(self, key: str, value: str, ttl: float | None) -> dict[str, Any]:
        return {"key": kept_text(key), "value": kept_text(value), "expires": self._end(ttl)}


def kept_text(text: str) -> str:
    """Return the text. Raises ValueError for one that no database keeps."""
    with suppress(UnicodeEncodeError):
        if "\0" not in text and (text.isascii() or text.encode()):
            return text
    raise ValueError(f"the database keeps no text like {text[:80]!r}")


def mark_of(user: str) -> str:
    """A mark that stands for a user who is to be forgotten: nobody can compute the id from it."""
    return hashlib.sha256(user.encode()).hexdigest()[:32]


class Notices(Subject):
    """Messages that were sent, by key: nobody gets one twice."""

    def was_sent(self, key: str) -> bool:
        lasts = or_(NOTICES.c.until.is_(None), NOTICES.c.until > self._database.clock())
        return self._value(NOTICES.c.key, NOTICES.c.key == key, lasts) is not None

    def sent(self, key: str, ttl: float | None = None) -> None:
        """Note that it was sent; for `ttl` seconds, None: for ever."""
        self._database.put(NOTICES, {"key": key, "until": self._end(ttl)})

    def sweep(self) -> int:
        return self._remove(NOTICES, NOTICES.c.until <= self._database.clock())


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a league ("" for the root or the host): its kind, and from when to when it lasts
    or lasted, in epoch seconds. `about` tells two of a kind apart, `said` is said of it, `told` is
    when admins were."""

    kind: str
    about: str
    said: str
    since: float
    told: float | None
    ended: float | None = None


_COLUMNS = (
    FAULTS.c.kind,
    FAULTS.c.about,
    FAULTS.c.said,
    FAULTS.c.since,
    FAULTS.c.told,
    FAULTS.c.ended,
)


class Faults(Subject):
    """Which faults last, since when, and which are over: one record for all processes."""

    def lasts(self, league: str, kind: str, about: str, said: str) -> Fault:
        """Note that a fault is there, and return it; one about something else than before begins
        anew.
        """
        new = Fault(kind, about, said, self._database.clock(), None)
        with self._database.begin(f"fault {kind} {league}", alone=f"fault/{league}") as connection:
            lasting = _lasting(league, kind)
            known = connection.execute(select(*_COLUMNS).where(*lasting)).first()
            if known is not None and known.about == about:
                return Fault(*known)
            connection.execute(delete(FAULTS).where(*lasting))
            connection.execute(FAULTS.insert().values(league=league, **asdict(new)))
        return new

    def lasting(self, league: str) -> list[Fault]:
        query = select(*_COLUMNS).where(
            FAULTS.c.league == league,
            FAULTS.c.ended.is_(None),
        )
        rows = self._database.rows(query.order_by(FAULTS.c.since))
        return [Fault(*row) for row in rows]

    def told(self, league: str, kind: str) -> None:
        """Note that the admins have been told."""
        self._change(FAULTS, *_lasting(league, kind), told=self._database.clock())

    def over(self, league: str, kind: str) -> None:
        """Note that a fault is not there. One that was told of is kept until somebody takes it."""
        now = self._database.clock()
        lasting = _lasting(league, kind)
        with self._database.begin(f"over {kind} {league}") as connection:
            connection.execute(delete(FAULTS).where(*lasting, FAULTS.c.told.is_(None)))
            connection.execute(update(FAULTS).where(*lasting).values(ended=now))

    def past(self, league: str, kind: str, since: float) -> None:
        """Note a fault that was told of and is over now."""
        fault = Fault(kind, "", "", since, since, self._database.clock())
        self._database.write(FAULTS.insert().values(league=league, **asdict(fault)))

    def take_past(self, league: str) -> list[Fault]:
        """A league's faults that are over and were told of, the latest of each kind, once, for a
        month.
        """
        old = self._database.clock() - _PAST
        removal = delete(FAULTS).where(
            FAULTS.c.league == league,
            FAULTS.c.ended.is_not(None),
        )
        rows = self._database.rows(removal.returning(*_COLUMNS))
        faults = sorted((Fault(*row) for row in rows), key=_end_of)
        latest = {fault.kind: fault for fault in faults}
        recent = [fault for fault in latest.values() if _end_of(fault) > old]
        return sorted(recent, key=attrgetter("since"))


def _end_of(fault: Fault) -> float:
    return fault.ended or 0


def _lasting(league: str, kind: str) -> tuple[ColumnElement[bool], ...]:
    return (
        FAULTS.c.league == league,
        FAULTS.c.kind == kind,
        FAULTS.c.ended.is_(None),
    )


class Lease:
    """A lease by the database's clock: one process of all has it, as long as it renews it; one that
    was killed loses it after `life` seconds. For use in one thread; for errors see Database."""

    def __init__(self, database: Database, name: str, life: float) -> None:
        self._database = database
        self._name = name
        self._life = life
        self._holder = secrets.token_hex(8)
        self._mine = False  # perhaps: whether there is something to release

    def take(self) -> bool:
        """Take the lease, or renew it; False while another's lasts, or when this one has run out by
        now: the process stood still, and another may have it."""
        now = self._database.clock()
        row = {"name": self._name, "holder": self._holder, "until": now + self._life}
        # Another may have read the clock a moment later; more than two lives are left where it
        # was set back.
        left = LEASES.c.until - now
        free = or_(
            LEASES.c.holder == self._holder,
            left <= 0,
            left > 2 * self._life,
        )
        self._mine = True  # where no answer comes, too
        self._mine = self._database.put(LEASES, row, where=free) > 0
        return self._mine and self._database.now() < now + self._life

    def renew(self) -> bool:
        """Make the lease last from now on; False when another has taken it over, or it was never
        ours.
        """
        mine = update(LEASES).where(
            LEASES.c.name == self._name,
            LEASES.c.holder == self._holder,
        )
        until = self._database.clock() + self._life
        renewed = self._database.write(mine.values(until=until))
        return renewed > 0 and self._database.now() < until

    def release(self) -> None:
        """Leave the lease to whoever wants it next; nothing is asked where it was never taken."""
        mine = LEASES.c.name == self._name, LEASES.c.holder == self._holder
        if self._mine:
            self._database.write(delete(LEASES).where(*mine))


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


class Account(NamedTuple):
    """A league's folder in its own Dropbox account, and the account's refresh token, encrypted."""

    folder: str
    token: str


class Accounts(Subject):
    def get(self, league: str) -> Account | None:
        row = self._database.first(select(ACCOUNTS).where(ACCOUNTS.c.league == league))
        return Account(row.folder, row.token) if row else None

    def set(self, league: str, account: Account) -> None:
        self._database.put(ACCOUNTS, {"league": league, **account._asdict()})

    def remove(self, league: str) -> None:
        self._remove(ACCOUNTS, ACCOUNTS.c.league == league)
