"""Check Tenhou: that it answers, by one small request that begins no round of its results
(bot/tenhou/throttle.py); leagues' own rooms there; and how long ago the last sync was."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from bot.checks.parts import NO_TRUST, UNTRUSTED, CheckedParts
from bot.runtime.finding import Code, Finding, Message, fault, good, plain, trouble
from bot.runtime.finding import message as _
from bot.settings import TENHOU
from bot.sync.jobs import Job
from bot.sync.league_job import OwnResults
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
    """Yield a finding for each league with a room, asked only when it is due. Raises StorageError."""
    rooms = parts.room_ids.leagues()
    if not parts.has_rooms:
        yield good(ROOM, _("not asked: the demo league has no room at Tenhou"))
        return
    if not rooms:
        yield good(ROOM, _("no league has a room of its own; results come with the day's files"))
        return
    for league, room in sorted(rooms.items())[:MOST]:
        what = f"room of {league}" if league else ROOM
        try:
            code, messages = _look(parts, league, room)
        except (StorageError, ValueError) as error:
            yield fault(what, "unreadable", _("{room}: {told}", room=room, told=" ".join(str(error).split())))
            continue
        named = (_("{room}: {told}", room=room, told=messages[0]), *messages[1:])
        yield trouble(what, code, *named) if code else good(what, *named)
    if len(rooms) > MOST:
        yield good("rooms", _("{count} more leagues have rooms of their own", count=len(rooms) - MOST))


def _look(parts: CheckedParts, league: str, room: str) -> tuple[Code | None, list[Message]]:
    """The code of what is wrong with a league's room, if anything, and what was found. Raises ValueError for
    an id that can't be decrypted, and StorageError."""
    parts.room_ids.get(league)
    prepared = parts.league_work(Job("prepare", league))
    if room not in prepared.rooms:
        if not prepared.rooms:
            why = "; ".join(prepared.problems) or "no room counts in this league"
            return "elsewhere", [_("not asked: {why}", why=why)]
        words = _(
            "not asked: put it into `rooms` of league.toml (there: {rooms})", rooms=", ".join(prepared.rooms)
        )
        return "elsewhere", [words]
    news = parts.room_watch.look({league: frozenset(prepared.rooms)})
    now = parts.now().astimezone(JST).replace(tzinfo=None)
    memory = parts.room_watch.memory(league)
    if news.said[league].problems:
        told = "; ".join(news.said[league].problems).removeprefix(f"{room}: ")
        reason = plain(told)
        if "404" in told or "known form" in told or "403" in told:  # time won't help
            reason = _("{told} (is it the whole id of the management page? see docs/runbook.md)", told=told)
        return "away", [reason, MEANWHILE]
    if news.busy or memory is None or memory.asked is None:
        return None, [_("not asked: another process is asking Tenhou at this moment")]
    if memory.looked is None or memory.looked < memory.asked:
        told_at = _(
            "no answer at {asked:%H:%M}; it may be asked again at {again:%H:%M}",
            asked=memory.asked,
            again=memory.due_from(now),
        )
        return "away", [told_at, MEANWHILE]
    return None, _told(parts, league, memory, now)


def _told(parts: CheckedParts, league: str, memory: RoomMemory, now: datetime) -> list[Message]:
    days = [now.date() - timedelta(days=back) for back in (1, 0)]
    games = len(OwnResults(parts.state, league).read(days))
    words = [_("answered at {at:%H:%M}", at=memory.looked)]
    if memory.active is None:
        none = _(
            "no game yet (where some were played in the last day, the id is another room's or a wrong one)"
        )
        words.append(none)
    else:
        one = _("1 game yesterday and today, the last row at {at:%m-%d %H:%M}", at=memory.active)
        many = _(
            "{games} games yesterday and today, the last row at {at:%m-%d %H:%M}",
            games=games,
            at=memory.active,
        )
        words.append(one if games == 1 else many)
    if memory.playing(now):
        words.append(_("a game is being played"))
    if parts.state.records.next(league) is not None:
        words.append(_("records are waited for"))
    return [*words, _("asked again from {at:%H:%M}", at=memory.due_from(now))]


def check_tenhou(parts: CheckedParts) -> Finding:
    """Whether Tenhou can be reached. Raises StorageError when the state store cannot."""
    if not parts.has_rooms:
        return good(URL, _("not asked: the demo league has no room at Tenhou"))
    url = parts.settings.tenhou_url
    try:
        turn = Throttle(parts.state, parts.now, wait=_not_long).turn()
        with turn, TenhouClient(url, patience=PATIENCE) as tenhou:
            tenhou.answers()
    except TenhouBusy:
        return good(URL, _("not asked: another process is asking Tenhou at this moment"))
    except TenhouError as error:
        told = _("{url} does not answer ({error}); results come later", url=url, error=error)
        code: Code = "away"
        if UNTRUSTED in str(error):
            told, code = NO_TRUST, "untrusted"
        return (trouble if url == TENHOU else fault)(URL, code, told)
    return good(URL, _("{url} answers", url=url))


def _not_long(_seconds: float) -> None:
    raise TenhouBusy("the connection is taken")


def check_sync(parts: CheckedParts) -> Finding:
    """How long ago the last good sync was; the web process does one every hour."""
    what = "sync"
    if not parts.has_rooms:
        return good(what, _("the demo league has nothing to fetch"))
    at, now = last_sync(parts.state), parts.now()
    if at is None:
        told = _("none has been good yet: run `flask sync`, which says what is in its way")
        return trouble(what, "missing", told)
    when = at.astimezone(JST).strftime("%Y-%m-%d %H:%M")
    if at - now > timedelta(hours=1):
        told = _(
            "the last one is said to be at {when}, which is to come: is this machine's clock right?",
            when=when,
        )
        return trouble(what, "clock", told)
    if now - at > OLD_SYNC:
        told = _("the last good one was at {when}: `flask sync` says what is in its way", when=when)
        return trouble(what, "old", told)
    return good(what, _("the last one was at {when}", when=when))
