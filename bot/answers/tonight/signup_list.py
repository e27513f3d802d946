"""The list of a chat's evening (募集): who comes. It is made of the taps themselves, so the order
in which they arrive, a tap that LINE delivers again and two at once change nothing."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import NamedTuple

from bot.chat.command import normal
from bot.chat.feature import Occurrence
from storage.state import mark_of
from storage.values import Values

END = time(5)  # JST; the list of an evening is over
STORED = 86400.0  # seconds a list is stored at least
LONGEST = 40  # characters of a call
MOST = 2000  # taps of a list that are stored
USUAL_SEATS = 3
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
# Without one of these 今日打てる人 describes somebody.
_IS_QUESTION = re.compile("い(?:る|ます|ない|ません)|おる|[?？!！]")
_FILLERS = re.compile(r"[\s、,。.!?〜~ー-]*")


class SignUpWord(StrEnum):
    """What a tap says about its user. LEFT: the user left the group."""

    IN = "in"
    LATE = "late"
    OUT = "out"
    LEFT = "left"


class SignUpTap(NamedTuple):
    """LINE's time of a tap (epoch seconds), its user and its word. Of somebody who left, `user` is
    a mark in the user's place."""

    at: float
    user: str
    word: str


class SignedName(NamedTuple):
    """The name of a LINE user as shown, and the name on Tenhou, "" where it is not known."""

    user: str
    name: str
    player: str


class SignUpCall(NamedTuple):
    """What a call for players names: the seats (0: none) and the hour ("": none)."""

    seats: int
    start: str


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
    """A list: its buttons' mark, its end (epoch seconds), seats, hour (`21:00`, or ""), its taps
    and the names of its users. The tap of somebody who left stays with a mark in the user's place:
    an earlier tap that arrives after it does not count."""

    nonce: str
    until: float
    seats: int
    start: str = ""
    taps: tuple[SignUpTap, ...] = ()
    names: tuple[SignedName, ...] = ()

    def with_tap(
        self, at: float, user: str, word: str, name: str = "", player: str = ""
    ) -> SignUpList:
        """The list with a tap. A tap that it has already, or one from before the user left, changes
        nothing. With `name` "" the user's present name stays.
        """
        mark = mark_of(user)
        if any(tap.user == mark and at <= tap.at for tap in self.taps):
            return self
        names = {signed.user: signed for signed in self.names}
        if name:
            names[user] = SignedName(user, name, player)
        taps = sorted({*self.taps, SignUpTap(at, user, word)})
        return replace(self, taps=tuple(taps[-MOST:]), names=tuple(names.values()))

    def without(self, user: str, at: float) -> SignUpList:
        """The list after a user left it: without the user's taps up to then, and without the name
        unless there are later taps."""
        remaining = [tap for tap in self.taps if tap.user != user or tap.at > at]
        taps = sorted({*remaining, SignUpTap(at, mark_of(user), SignUpWord.LEFT)})
        is_back = any(tap.user == user for tap in remaining)
        names = self.names
        if not is_back:
            names = tuple(signed for signed in names if signed.user != user)
        return replace(self, taps=tuple(taps[-MOST:]), names=names)

    @property
    def people(self) -> tuple[Person, ...]:
        """Who comes, in the order in which they signed up; those who come late too."""
        words: dict[str, str] = {}
        for tap in self.taps:
            if tap.word in (SignUpWord.OUT, SignUpWord.LEFT):
                words.pop(tap.user, None)
            else:
                words[tap.user] = tap.word
        name_of = {signed.user: signed for signed in self.names}
        people = []
        for user, word in words.items():
            signed = name_of.get(user, SignedName(user, UNNAMED, ""))
            is_late = word == SignUpWord.LATE
            people.append(Person(user, signed.name, signed.player, late=is_late))
        return tuple(people)

    @property
    def full(self) -> bool:
        return len(self.people) >= self.seats

    def made_full_by(self, at: float, user: str) -> bool:
        """Whether the list is full by this tap."""
        others = [tap for tap in self.taps if (tap.at, tap.user) != (at, user)]
        before = replace(self, taps=tuple(others))
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
        """Open a list until 5:00, or change the open one by the values given: `seats` 0 and `start`
        "" are none. A new list has by default USUAL_SEATS.
        """
        last_day = at.date()
        if at.time() >= END:
            last_day += timedelta(days=1)
        night = datetime.combine(last_day, END, at.tzinfo)
        new = SignUpList(secrets.token_hex(6), night.timestamp(), seats or USUAL_SEATS, start)

        def opened(value: str | None) -> str:
            signups = self._read(value)
            if signups is None:
                return _text(new)
            changed = replace(
                signups,
                seats=seats or signups.seats,
                start=start or signups.start,
            )
            return _text(changed)

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
        """Record a tap; None where the list it belongs to is over.

        `nonce` "": of the list that is open.
        """

        def tapped(value: str | None) -> str:
            signups = self._read(value)
            if signups is None or nonce not in ("", signups.nonce):
                return value or ""
            return _text(signups.with_tap(at, user, word, name, player))

        signups = self._changed(tapped)
        if signups is None or nonce not in ("", signups.nonce):
            return None
        return signups

    def left(self, users: Collection[str], at: float) -> SignUpList | None:
        """Take those off the list who have left the group, also off one that is over."""
        if not users or self._values.get(self._key) is None:
            return None

        def changed(value: str | None) -> str:
            signups = _parsed(value)
            if signups is None:
                return ""
            for user in users:
                signups = signups.without(user, at)
            return _text(signups)

        return self._changed(changed)

    def _changed(self, new: Callable[[str | None], str]) -> SignUpList | None:
        return self._read(self._values.change(self._key, new, STORED))

    def _read(self, value: str | None) -> SignUpList | None:
        """The list of a value; None where it is over."""
        signups = _parsed(value)
        if signups is None or self._now >= signups.until:
            return None
        return signups


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
        tuple(SignUpTap(*tap) for tap in taps),
        tuple(SignedName(*name) for name in names),
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
    """Whether a text calls for players, without anything else: 募集, 21時から, 今日やる人？."""
    remaining = normal(text)[:LONGEST]
    parts = set()
    for part, form in _FORMS.items():
        remaining, count = form.subn("", remaining, count=1)
        if count:
            parts.add(part)
    if len(text) >= LONGEST or _FILLERS.fullmatch(remaining) is None:
        return False
    if "call" in parts or "when" in parts:
        return True
    has_details = bool(parts & {"today", "game", "seats"})
    return "who" in parts and has_details and bool(_IS_QUESTION.search(text))


def read_call(text: str, now: datetime) -> SignUpCall:
    plain = normal(text)
    return SignUpCall(_seats_in(plain), _start_in(plain, now))


def _seats_in(text: str) -> int:
    seats = _SEATS.search(text)
    if seats is None:
        return 0
    if seats["kanji"] == "四" or seats["digit"] == "4":
        return 4
    return 3


def _start_in(text: str, now: datetime) -> str:
    """The hour in a text; 9時 in the evening is 21:00."""
    clock = re.search(_TIME, text)
    if clock is None or int(clock["hour"]) > 29:
        return ""
    hour = int(clock["hour"]) % 24
    minute = int(clock["minute"] or clock["clock"] or 0)
    if clock["half"]:
        minute = 30
    if END.hour < hour < 12 and now.hour >= hour:
        hour += 12
    return f"{hour}:{minute:02d}"
