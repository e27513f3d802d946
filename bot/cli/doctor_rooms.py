"""Make `flask doctor`'s findings about leagues' own rooms at Tenhou: ask those that may be asked, and say what is known."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from bot.cli.doctor_checks import DoctorFinding
from bot.service import Service
from bot.sync.league_job import Job
from bot.sync.own_results import OwnResults
from bot.sync.paifu_queue import PaifuQueue
from bot.sync.room_memory import RoomMemory
from rating.logdates import JST
from storage.ports import StorageError

WHAT = "TENHOU_ROOM_ID"
MOST = 20  # leagues of a host that are looked at one by one
MEANWHILE = "; the day's files bring the results meanwhile"


def examine_rooms(service: Service) -> Iterator[DoctorFinding]:
    """Yield a finding for each league with a room. A room is asked only when it is due (bot/sync/room_memory.py)."""
    try:
        rooms = service.room_ids.leagues()
    except StorageError as error:
        yield DoctorFinding(WHAT, False, " ".join(str(error).split()))
        return
    if not service.has_rooms:
        yield DoctorFinding(WHAT, True, "not asked: the demo league has no room at Tenhou")
        return
    if not rooms:
        yield DoctorFinding(WHAT, True, "no league has a room of its own; results come with the day's files")
        return
    for league, room in sorted(rooms.items())[:MOST]:
        what = f"room of {league}" if league else WHAT
        try:
            ok, text = _look(service, league, room)
            yield DoctorFinding(what, ok, f"{room}: {text}", content=True)
        except (StorageError, ValueError) as error:
            yield DoctorFinding(what, False, f"{room}: {' '.join(str(error).split())}")
    if len(rooms) > MOST:
        yield DoctorFinding("rooms", True, f"{len(rooms) - MOST} more leagues have rooms of their own")


def _look(service: Service, league: str, room: str) -> tuple[bool, str]:
    """Return whether a league's room works, and what was found.

    Raises ValueError when its id can't be decrypted, and StorageError when a store can't be reached.
    """
    service.room_ids.get(league)
    prepared = service.league_work(Job("prepare", league))
    if room not in prepared.rooms:
        if not prepared.rooms:
            return False, f"not asked: {'; '.join(prepared.problems) or 'no room counts in this league'}"
        others = ", ".join(prepared.rooms)
        return False, f"not asked: put it into `rooms` of league.toml (there: {others})"
    news = service.room_watch.look({league: frozenset(prepared.rooms)})
    now = service.now().astimezone(JST).replace(tzinfo=None)
    memory = service.room_watch.memory(league)
    if news.problems:
        told = "; ".join(news.problems[league]).removeprefix(f"{room}: ")
        return False, f"{told}{_hint(told)}{MEANWHILE}"
    if news.busy or memory is None or memory.asked is None:
        return True, "not asked: another process is asking Tenhou at this moment"
    if memory.looked is None or memory.looked < memory.asked:
        again = memory.due_from(now)
        return (
            False,
            f"no answer at {memory.asked:%H:%M}; it may be asked again at {again:%H:%M}{MEANWHILE}",
        )
    return True, _told(service, league, memory, now)


def _hint(told: str) -> str:
    """Return what to do about a refusal or an answer of another form; "" where time may help."""
    if "404" in told or "known form" in told or "403" in told:
        return " (is it the whole id of the management page? see docs/runbook.md)"
    return ""


def _told(service: Service, league: str, memory: RoomMemory, now: datetime) -> str:
    days = [now.date() - timedelta(days=back) for back in (1, 0)]
    games = OwnResults(service.state, league).read(days)
    words = [f"answered at {memory.looked:%H:%M}"]
    if memory.active is None:
        words.append(
            "no game yet (where some were played in the last day, the id is another room's or a wrong one)"
        )
    else:
        last = f"the last row at {memory.active:%m-%d %H:%M}"
        words.append(f"{len(games)} game{'s' * (len(games) != 1)} yesterday and today, {last}")
    if memory.playing(now):
        words.append("a game is being played")
    if PaifuQueue(service.state, league).next() is not None:
        words.append("records are waited for")
    return "; ".join([*words, f"asked again from {memory.due_from(now):%H:%M}"])
