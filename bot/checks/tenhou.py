"""Check Tenhou, the leagues' own rooms there, and when the last sync was. Tenhou gets one small
request that begins no round of its results (bot/tenhou/throttle.py).
"""

import math
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from bot.checks.parts import CheckedParts, unreachable
from bot.runtime.finding import Code, Finding, fault, good, trouble
from bot.runtime.translation import Message, message as _, untranslated
from bot.settings import TENHOU
from bot.sync.jobs import Job, Stage
from bot.sync.own_results import OwnResults
from bot.sync.run import OLD_SYNC, last_sync
from bot.tenhou.client import TenhouBusy, TenhouClient, TenhouError
from bot.tenhou.room import RoomMemory
from bot.tenhou.throttle import Throttle
from rating.logdates import JST
from storage.ports import StorageError

ROOM = "TENHOU_ROOM_ID"
URL = "TENHOU_URL"
PATIENCE = 6.0  # seconds
MOST = 20  # leagues of a host that are looked at one by one
MEANWHILE = _("the day's files bring the results meanwhile")


def check_rooms(parts: CheckedParts) -> Iterator[Finding]:
    """Yield a finding for each league with a room, which is requested only when it is due.

    Raises StorageError.
    """
    rooms = parts.room_ids.leagues()
    if not parts.has_rooms:
        yield good(ROOM, _("not asked: the demo league has no room at Tenhou"))
        return
    if not rooms:
        yield good(ROOM, _("no league has a room of its own; results come with the day's files"))
        return
    for league, room in sorted(rooms.items())[:MOST]:
        yield _room_finding(parts, league, room)
    if len(rooms) > MOST:
        yield good(
            "rooms", _("{count} more leagues have rooms of their own", count=len(rooms) - MOST)
        )


def _room_finding(parts: CheckedParts, league: str, room: str) -> Finding:
    name = ROOM
    if league:
        name = f"room of {league}"
    try:
        look = _look_at_room(parts, league, room)
    except (StorageError, ValueError) as error:
        cause = " ".join(str(error).split())
        return fault(name, "unreadable", _("{room}: {told}", room=room, told=cause))
    messages = (_("{room}: {told}", room=room, told=look.messages[0]), *look.messages[1:])
    if look.code:
        return trouble(name, look.code, *messages)
    return good(name, *messages)


class RoomLook(NamedTuple):
    """The code of what is wrong with a league's room, None where nothing is, and the messages."""

    code: Code | None
    messages: list[Message]


def _look_at_room(parts: CheckedParts, league: str, room: str) -> RoomLook:
    """Look at a league's room. Raises ValueError for an id that can't be decrypted, and
    StorageError."""
    parts.room_ids.get(league)
    prepared = parts.league_work(Job(Stage.PREPARE, league))
    if room in prepared.rooms:
        return _request_room(parts, league, room, frozenset(prepared.rooms))
    if not prepared.rooms:
        why = "; ".join(prepared.problems) or "no room counts in this league"
        return RoomLook("elsewhere", [_("not asked: {why}", why=why)])
    unlisted = _(
        "not asked: put it into `rooms` of league.toml (there: {rooms})",
        rooms=", ".join(prepared.rooms),
    )
    return RoomLook("elsewhere", [unlisted])


def _request_room(
    parts: CheckedParts, league: str, room: str, league_rooms: frozenset[str]
) -> RoomLook:
    """Request the room's results where that is due, and judge the last answer."""
    news = parts.room_watch.look({league: league_rooms})
    now = parts.now().astimezone(JST).replace(tzinfo=None)
    memory = parts.room_watch.memory(league)
    problems = news.by_league[league].problems
    if problems:
        problem = "; ".join(problems).removeprefix(f"{room}: ")
        return RoomLook("away", [_room_problem(problem), MEANWHILE])
    if news.busy or memory is None or memory.requested is None:
        busy = _("not asked: another process is asking Tenhou at this moment")
        return RoomLook(None, [busy])
    if memory.answered is None or memory.answered < memory.requested:
        no_answer = _(
            "no answer at {asked:%H:%M}; it may be asked again at {again:%H:%M}",
            asked=memory.requested,
            again=memory.due_from(now),
        )
        return RoomLook("away", [no_answer, MEANWHILE])
    return RoomLook(None, _room_messages(parts, league, memory, now))


def _room_problem(problem: str) -> Message:
    """A problem's message, with a hint where time won't solve it."""
    if "404" in problem or "known form" in problem or "403" in problem:
        return _(
            "{told} (is it the whole id of the management page? see docs/runbook.md)", told=problem
        )
    return untranslated(problem)


def _room_messages(
    parts: CheckedParts, league: str, memory: RoomMemory, now: datetime
) -> list[Message]:
    """The messages about a room that has answered."""
    days = [now.date() - timedelta(days=1), now.date()]
    games = len(OwnResults(parts.state, league).read(days))
    messages = [_("answered at {at:%H:%M}", at=memory.answered)]
    if memory.active is None:
        messages.append(
            _(
                "no game yet (where some were played in the last day, the id is another room's or a wrong one)"
            )
        )
    elif games == 1:
        messages.append(
            _("1 game yesterday and today, the last row at {at:%m-%d %H:%M}", at=memory.active)
        )
    else:
        messages.append(
            _(
                "{games} games yesterday and today, the last row at {at:%m-%d %H:%M}",
                games=games,
                at=memory.active,
            )
        )
    if memory.playing(now):
        messages.append(_("a game is being played"))
    if parts.state.records.due([league], math.inf, 1):
        messages.append(_("records are waited for"))
    return [*messages, _("asked again from {at:%H:%M}", at=memory.due_from(now))]


def check_tenhou(parts: CheckedParts) -> Finding:
    """Whether Tenhou can be reached. Raises StorageError when the state store cannot."""
    if not parts.has_rooms:
        return good(URL, _("not asked: the demo league has no room at Tenhou"))
    url = parts.settings.tenhou_url
    try:
        turn = Throttle(parts.state, parts.now, wait=_do_not_wait).turn()
        with turn, TenhouClient(url, patience=PATIENCE) as tenhou:
            tenhou.answers()
    except TenhouBusy:
        return good(URL, _("not asked: another process is asking Tenhou at this moment"))
    except TenhouError as error:
        message = _("{url} does not answer ({error}); results come later", url=url, error=error)
        return unreachable(URL, error, message, is_public=url == TENHOU)
    return good(URL, _("{url} answers", url=url))


def _do_not_wait(_seconds: float) -> None:
    raise TenhouBusy("the connection is taken")


def check_sync(parts: CheckedParts) -> Finding:
    """How long ago the last good sync was; the web process does one every hour."""
    name = "sync"
    if not parts.has_rooms:
        return good(name, _("the demo league has nothing to fetch"))
    at = last_sync(parts.state)
    now = parts.now()
    if at is None:
        return trouble(
            name,
            "missing",
            _("none has been good yet: run `flask sync`, which says what is in its way"),
        )
    when = at.astimezone(JST).strftime("%Y-%m-%d %H:%M")
    if at - now > timedelta(hours=1):
        message = _(
            "the last one is said to be at {when}, which is to come: is this machine's clock right?",
            when=when,
        )
        return trouble(name, "clock", message)
    if now - at > OLD_SYNC:
        return trouble(
            name,
            "old",
            _("the last good one was at {when}: `flask sync` says what is in its way", when=when),
        )
    return good(name, _("the last one was at {when}", when=when))


def ask_tenhou(parts: CheckedParts) -> Iterator[Finding]:
    """Tenhou and the leagues' own rooms there: one after the other, as Tenhou wishes."""
    yield check_tenhou(parts)
    yield from check_rooms(parts)
