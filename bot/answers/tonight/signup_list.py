"""The list of a chat's evening (募集): who comes. It is made of the taps themselves, so the order
in which they arrive, a tap that LINE delivers again and two at once change nothing."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta

from bot.chat.command import normal
from bot.chat.feature import Occurrence
from storage.state import mark_of
from storage.values import Values

IN = "in"
LATE = "late"
OUT = "out"
LEFT = "left"
END = time(5)  # JST; the list of an evening is over
KEPT = 86400.0  # seconds a list is kept at least
LONGEST = 40  # characters of a call
MOST = 2000  # taps of a list that are kept
UNNAMED = "名前未登録の人"
_KEY = "signup:"
_TIME = r"(?P<hour>[0-9]{1,2})(?:[時じ](?:(?P<half>半)|(?P<minute>[0-5]?[0-9])分)?|:(?P<clock>[0-5][0-9]))"
_WHEN = re.compile(rf"{_TIME}\s?(?:から|開始|に|で|すたーと|~|〜)")
_CALL = re.compile(
    r"(?:(?:参加者|めんつ|面子|めんばー)の?)?募集(?:中|します|です|して|したい|よろしく|かけて|かけといて|かける|お願いします)?"
)
_SEATS = re.compile(r"(?P<kanji>[三四])(?:人打ち|人|麻)|(?P<digit>[34])人(?:打ち)?|さんま")
_TODAY = re.compile(r"(?:今日|今夜|今晩|きょう|こんや|こんばん)(?:は|の|って)?")
_GAME = re.compile(r"(?:麻雀|まーじゃん|天鳳)(?:を|に|の)?")
_WHO = re.compile(
    r"(?:やる|やれる|打つ|打てる|うつ|うてる|できる|来る|来れる|来られる|くる|参加する|入れる|やりたい|打ちたい)"
    r"(?:人|ひと|方|かた|やつ|奴|めんつ|面子)(?:は|って)?(?:い(?:る|ます|ない|ません)か?|おる)?"
)
_FORMS = {
    "when": _WHEN,
    "call": _CALL,
    "seats": _SEATS,
    "who": _WHO,
    "game": _GAME,
    "today": _TODAY,
}
_ASKED = re.compile(
    "い(?:る|ます|ない|ません)|おる|[?？!！]"
)  # else 今日打てる人 tells of somebody
_REST = re.compile(r"[\s、,。.!?〜~ー-]*")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on the list: the LINE user, the name shown, the name on Tenhou ("" where it is not
    known).
    """

    user: str
    name: str
    player: str = ""
    late: bool = False


@dataclass(frozen=True, slots=True)
class SignUpList:
    """A list: its buttons' mark, its end (epoch seconds), seats, hour (`21:00`, or ""), its taps as
    (LINE's time in epoch seconds, user, word), names by user. Of somebody who left, it keeps the
    time and a mark in the user's place: a tap of before that comes late does not count."""

    nonce: str
    until: float
    seats: int
    start: str = ""
    taps: tuple[tuple[float, str, str], ...] = ()
    names: tuple[tuple[str, str, str], ...] = ()

    def with_tap(
        self, at: float, user: str, word: str, name: str = "", player: str = ""
    ) -> SignUpList:
        """The list with a tap; a tap that it has is no other, and one of before the user left is
        none. `name` "" leaves the one that is known.
        """
        mark = mark_of(user)
        if any(gone == mark and at <= left for left, gone, _ in self.taps):
            return self
        names = {known[0]: known for known in self.names} | (
            {user: (user, name, player)} if name else {}
        )
        taps = sorted({*self.taps, (at, user, word)})[-MOST:]
        return replace(self, taps=tuple(taps), names=tuple(names.values()))

    def without(self, user: str, at: float) -> SignUpList:
        """The list after a user left it, with nothing of the user but what came later."""
        others = [tap for tap in self.taps if tap[1] != user or tap[0] > at]
        taps = sorted({*others, (at, mark_of(user), LEFT)})
        back = any(tap[1] == user for tap in others)
        names = tuple(known for known in self.names if known[0] != user or back)
        return replace(self, taps=tuple(taps[-MOST:]), names=names)

    @property
    def people(self) -> tuple[Person, ...]:
        """Who comes, in the order in which they signed up; those who come late too."""
        words: dict[str, str] = {}
        for _, user, word in self.taps:
            if word in (OUT, LEFT):
                words.pop(user, None)
            else:
                words[user] = word
        named = dict.fromkeys(words, (UNNAMED, ""))
        named |= {user: (name, player) for user, name, player in self.names}
        people = []
        for user, word in words.items():
            name, player = named[user]
            people.append(Person(user, name, player, late=word == LATE))
        return tuple(people)

    @property
    def full(self) -> bool:
        return len(self.people) >= self.seats

    def made_full_by(self, at: float, user: str) -> bool:
        """Whether the list is full by this tap."""
        before = replace(
            self,
            taps=tuple(tap for tap in self.taps if tap[:2] != (at, user)),
        )
        return self.full and not before.full


class SignUps:
    """The list of a chat, one at a time. Raises StorageError where the store can't be reached."""

    def __init__(self, values: Values, chat: str, now: float) -> None:
        self._values = values
        self._key = _KEY + chat
        self._now = now

    def now(self) -> SignUpList | None:
        """The list that is open."""
        return self._read(self._values.get(self._key))

    def open(self, at: datetime, seats: int, start: str) -> SignUpList:
        """Open a list until 5:00, or change the open one by what is given (`seats` 0: as usual,
        three).
        """
        last_day = at.date()
        if at.time() >= END:
            last_day += timedelta(days=1)
        night = datetime.combine(last_day, END, at.tzinfo)
        new = SignUpList(secrets.token_hex(6), night.timestamp(), seats or 3, start)

        def opened(value: str | None) -> str:
            known = self._read(value)
            if known is None:
                return _text(new)
            return _text(replace(known, seats=seats or known.seats, start=start or known.start))

        return self._changed(opened) or new

    def tap(
        self,
        nonce: str,
        at: float,
        user: str,
        word: str,
        name: str = "",
        player: str = "",
    ) -> SignUpList | None:
        """Note a tap; None where the list it belongs to is over.

        `nonce` "": of the list that is open.
        """

        def tapped(value: str | None) -> str:
            known = self._read(value)
            if known is None or nonce not in ("", known.nonce):
                return value or ""
            return _text(known.with_tap(at, user, word, name, player))

        found = self._changed(tapped)
        return found if found is not None and nonce in ("", found.nonce) else None

    def left(self, users: Collection[str], at: float) -> SignUpList | None:
        """Take those off the list who have left the group, also off one that is over."""
        if not users or self._values.get(self._key) is None:
            return None

        def changed(value: str | None) -> str:
            known = _parsed(value)
            if known is None:
                return ""
            for user in users:
                known = known.without(user, at)
            return _text(known)

        return self._changed(changed)

    def _changed(self, new: Callable[[str | None], str]) -> SignUpList | None:
        return self._read(self._values.change(self._key, new, KEPT))

    def _read(self, value: str | None) -> SignUpList | None:
        """The list of a value; None where it is over."""
        known = _parsed(value)
        return known if known is not None and self._now < known.until else None


def members_left(occurrence: Occurrence) -> None:
    """Take those who left a group off its list. Raises StorageError."""
    at = occurrence.at
    SignUps(occurrence.state.values, occurrence.chat, at).left(occurrence.users, at)


def user_forgotten(occurrence: Occurrence) -> None:
    """Take a user off the lists of all chats. Raises StorageError."""
    values = occurrence.state.values
    at = occurrence.at
    for user in occurrence.users:
        for key in values.items(_KEY, holding=f'"{user}"'):
            SignUps(values, key.removeprefix(_KEY), at).left([user], at)


def _parsed(value: str | None) -> SignUpList | None:
    if not value:
        return None
    nonce, until, seats, start, taps, names = json.loads(value)
    return SignUpList(
        nonce,
        until,
        seats,
        start,
        tuple(map(tuple, taps)),
        tuple(map(tuple, names)),
    )


def _text(value: SignUpList) -> str:
    parts = (
        value.nonce,
        value.until,
        value.seats,
        value.start,
        value.taps,
        value.names,
    )
    return json.dumps(parts, ensure_ascii=False)


def is_call(text: str) -> bool:
    """Whether a text calls for players and says nothing else: 募集, 21時から, 今日やる人？."""
    plain = normal(text)[:LONGEST]
    found = set()
    for word, form in _FORMS.items():
        plain, count = form.subn("", plain, count=1)
        if count:
            found.add(word)
    if len(text) >= LONGEST or _REST.fullmatch(plain) is None:
        return False
    if "call" in found or "when" in found:
        return True
    details = found & {"today", "game", "when", "seats"}
    return "who" in found and bool(_ASKED.search(text)) and bool(details)


def wanted(text: str, now: datetime) -> tuple[int, str]:
    """The seats (0: not said) and the hour ("": not said) that a call names; 9時 in the evening is
    21:00.
    """
    plain = normal(text)
    seats = _SEATS.search(plain)
    when = re.search(_TIME, plain)
    number = 0
    if seats is not None:
        number = 3
        if seats["kanji"] == "四" or seats["digit"] == "4":
            number = 4
    if when is None or int(when["hour"]) > 29:
        return number, ""
    hour = int(when["hour"]) % 24
    minute = 30 if when["half"] else int(when["minute"] or when["clock"] or 0)
    if END.hour < hour < 12 and now.hour >= hour:
        hour += 12
    return number, f"{hour}:{minute:02d}"
