"""Check the whole set-up with real calls in parallel, each within a time limit.

The checks of the machine, of the league's files and of Tenhou are here, the others in the modules of
this package. Tenhou gets one small request that begins no round of its results
(bot/tenhou/throttle.py).
"""

import math
import os
import queue
import resource
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from bot.checks.channel import check_calls, check_channel, check_chats, check_quota, check_rich_menu
from bot.checks.parts import NO_TRUST, UNTRUSTED, CheckedParts
from bot.checks.stores import (
    check_backups,
    check_heartbeat,
    check_images,
    check_logs,
    check_state,
    check_workers,
)
from bot.draw.lines import warm
from bot.league.check import check_folder, ignored
from bot.league.snapshot import LeagueSnapshot
from bot.line.client import line_sdk
from bot.runtime.finding import CHECKS, Code, Finding, fault, good, trouble
from bot.runtime.translation import Message, message as _, untranslated
from bot.runtime.version import release
from bot.settings import TENHOU, Settings
from bot.sync.jobs import Job, Stage
from bot.sync.own_results import OwnResults, all_offered
from bot.sync.run import OLD_SYNC, last_sync
from bot.tenhou.client import TenhouBusy, TenhouClient, TenhouError
from bot.tenhou.room import RoomMemory
from bot.tenhou.throttle import Throttle
from rating.logdates import JST
from storage.ports import StorageError

LIMIT = 8.0  # seconds for each of the rounds of checks
Check = Callable[[CheckedParts], Finding | Iterable[Finding]]
DEEP = ("LINE_CHANNEL_ACCESS_TOKEN", "DATABASE_URL", "LOGS_URL", "IMAGES_URL", "sync")
"""The checks whose failures an external watcher gets (`/healthz?deep=1`)."""
SHOWN = 20  # how many unreadable lines are listed one by one
MIB = 1 << 20
# MiB of Heroku's Eco, Basic and Standard-1X dynos
# (https://devcenter.heroku.com/articles/dyno-types).
DYNO = 512
AHEAD = timedelta(days=180)  # a season that begins later is a slip
OWN = 25  # MiB of a web process, without the shared ones and those of its leagues' games
ROOM = "TENHOU_ROOM_ID"
URL = "TENHOU_URL"
PATIENCE = 6.0  # seconds
MOST = 20  # leagues of a host that are looked at one by one
MEANWHILE = _("the day's files bring the results meanwhile")
_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def check_font(parts: CheckedParts) -> Finding:
    try:
        warm()
    except (OSError, ValueError, RuntimeError) as error:
        return fault(
            "font",
            "missing",
            _("no chart can be drawn: {error}", error=" ".join(str(error).split())),
        )
    return good("font", _("a chart was drawn"))


def check_memory(parts: CheckedParts) -> Finding:
    """Whether the web processes have room: what this process took to load everything, and for each
    its games."""
    name = "memory"
    limit = _limit(parts.settings)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # All share what is loaded before they fork. The unit is a kilobyte, on macOS a byte
    # (getrusage(2)).
    shared = peak // 1024
    if sys.platform == "darwin":
        shared = peak // MIB
    need = shared + parts.settings.web_concurrency * (OWN + parts.settings.cache_mb)
    if need > limit:
        message = _(
            "the web processes may need {need} MB of {limit}: set WEB_CONCURRENCY or CACHE_MB lower",
            need=need,
            limit=limit,
        )
        return trouble(name, "limit", message)
    return good(name, _("{need} of {limit} MB are needed at most", need=need, limit=limit))


def _limit(settings: Settings) -> int:
    """The MiB these processes may take: a container's limit, a dyno's, or the machine's memory."""
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // MIB
    for path in map(Path, _LIMITS):
        with suppress(OSError):
            text = path.read_text().strip()
            if text.isdecimal() and int(text) // MIB < machine:  # a greater number means none
                return int(text) // MIB
    if settings.dyno:
        return DYNO
    return machine


def check_version(parts: CheckedParts) -> Finding:
    return good("version", _("Janroku {release}", release=release(parts.settings.commit)))


def check_league(parts: CheckedParts) -> Iterator[Finding]:
    """Yield what needs a fix in the folder's files, line by line. Raises StorageError."""
    snapshot = parts.registry.league().snapshot()
    for unusable in snapshot.unusable:
        code: Code = "unreadable"
        if unusable.lost:
            code = "lost"
        yield trouble("league", code, untranslated(unusable))
    if not snapshot.logs and not snapshot.refused:
        yield from _no_logs(parts)
        return
    yield from _unreadable_lines(snapshot)
    yield from _left_out_rooms(snapshot)
    yield from _distant_seasons(snapshot, parts.now().date())
    report = check_folder(parts.stores.open_logs(), offered=all_offered(parts.state))
    count = len(report.findings)
    message = _("nothing to mend in the logs")
    if count:
        message = _("{count} things to look at: see `flask league check`", count=count)
    yield good("league", message)


def _no_logs(parts: CheckedParts) -> Iterator[Finding]:
    """Yield that the folder has no log, and the files that are ignored because of their names."""
    message = _("the folder has no logvolN.txt; put the season's log there, or run `flask sync`")
    yield trouble("league", "missing", message)
    logs = parts.stores.open_logs()
    for finding in ignored(logs.revisions(), logs.folders()):
        text = f"{finding.file}: {finding.reason}; {finding.mend}"
        yield trouble("league", "elsewhere", untranslated(text))


def _unreadable_lines(snapshot: LeagueSnapshot) -> Iterator[Finding]:
    reported = {unusable.file for unusable in snapshot.unusable}
    problems = [problem for problem in snapshot.problems if problem.file not in reported]
    for problem in problems[:SHOWN]:
        place = f"{problem.file}:{problem.line}: {problem.reason}: {problem.text}"
        yield trouble("league", "unreadable", untranslated(place.strip(" :")))
    if len(problems) > SHOWN:
        message = _(
            "{count} more lines can't be read: see `flask league check`",
            count=len(problems) - SHOWN,
        )
        yield trouble("league", "unreadable", message)


def _left_out_rooms(snapshot: LeagueSnapshot) -> Iterator[Finding]:
    games = [game for log in snapshot.logs.values() for game in log.games]
    left_out = Counter(game.room for game in games if game.room not in snapshot.league.rooms)
    if snapshot.league.rooms and left_out.total() * 10 > len(games):
        message = _(
            "`rooms` of league.toml leaves out {count} of {games} games: {rooms}; add the rooms, or take the "
            "games out of the logs",
            count=left_out.total(),
            games=len(games),
            rooms=", ".join(f"{room} ({count})" for room, count in left_out.most_common(5)),
        )
        yield trouble("league", "elsewhere", message)


def _distant_seasons(snapshot: LeagueSnapshot, today: date) -> Iterator[Finding]:
    for season in snapshot.league.seasons:
        if season.start and season.start.date() > today + AHEAD:
            message = _(
                "league.toml: season {name} begins on {start}, far in the future: is the year right?",
                name=season.name or season.number,
                start=season.start.date(),
            )
            yield trouble("league", "malformed", message)


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
    if room not in prepared.rooms:
        if not prepared.rooms:
            why = "; ".join(prepared.problems) or "no room counts in this league"
            return RoomLook("elsewhere", [_("not asked: {why}", why=why)])
        unlisted = _(
            "not asked: put it into `rooms` of league.toml (there: {rooms})",
            rooms=", ".join(prepared.rooms),
        )
        return RoomLook("elsewhere", [unlisted])
    news = parts.room_watch.look({league: frozenset(prepared.rooms)})
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
        code: Code = "away"
        if UNTRUSTED in str(error):
            message = NO_TRUST
            code = "untrusted"
        if url == TENHOU:
            return trouble(URL, code, message)
        return fault(URL, code, message)
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


def _ask_tenhou(parts: CheckedParts) -> Iterator[Finding]:
    """Tenhou and the leagues' own rooms there: one after the other, as Tenhou wishes."""
    yield check_tenhou(parts)
    yield from check_rooms(parts)


CHECK_OF: Mapping[str, Check] = {
    "LINE_CHANNEL_ACCESS_TOKEN": check_channel,
    "DATABASE_URL": check_state,
    "LOGS_URL": check_logs,
    "IMAGES_URL": check_images,
    "REDIS_URL": check_workers,
    "BACKUP_URL": check_backups,
    "HEARTBEAT_URL": check_heartbeat,
    "richmenu": check_rich_menu,
    "font": check_font,
    "LEAGUE_CHATS": check_chats,
    "webhook": check_calls,
    "quota": check_quota,
    "sync": check_sync,
    "TENHOU_URL": _ask_tenhou,
    "league": check_league,
    "memory": check_memory,
    "version": check_version,
}
"""The function of each check, by its name in `bot.runtime.finding.CHECKS`."""


def checks(parts: CheckedParts, limit: float = LIMIT) -> list[Finding]:
    """Return the findings of all checks, within about twice `limit` seconds."""
    return list(examine(parts, limit))


def failing(parts: CheckedParts) -> list[str]:
    """The names of the checks of DEEP that fail; that of the token only where LINE refuses it."""
    token = DEEP[0]
    names = set()
    for name, finding in _in_parallel(DEEP, parts, LIMIT / 2):
        if not finding.ok and (finding.stops_release or name != token):
            names.add(name)
    return sorted(names)


def examine(parts: CheckedParts, limit: float = LIMIT) -> Iterator[Finding]:
    """Yield the findings in the order of the list, each as soon as those before it are complete."""
    if not parts.settings.console:
        line_sdk()  # here, because a check's thread would spend its time on the import
    passed: dict[str, bool] = {}  # by check: whether its first finding is good
    for turn in (1, 2, 3):
        if turn == 2 and not passed["DATABASE_URL"]:
            continue
        checks_of_turn = [check for check in CHECKS if check.turn == turn]
        names = [check.name for check in checks_of_turn if passed.get(check.needs, True)]
        for name, finding in _in_parallel(names, parts, limit):
            passed.setdefault(name, finding.ok)
            yield finding


def _in_parallel(
    names: Sequence[str], parts: CheckedParts, limit: float
) -> Iterator[tuple[str, Finding]]:
    """Run the checks in threads. Yield each check's name with its findings, in order. One that does
    not end within `limit` seconds yields that instead: it delays no other and not the end of the
    process (tests/checks/test_run.py).
    """
    until = time.monotonic() + limit
    queues = {name: _start(name, parts) for name in names}
    for name, results in queues.items():
        try:
            findings = results.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            message = _("no answer within {limit:.0f} seconds", limit=limit)
            findings = [trouble(name, "away", message)]
        for finding in findings:
            yield name, finding


def _start(name: str, parts: CheckedParts) -> queue.SimpleQueue[Sequence[Finding]]:
    """Start a check in a thread that does not keep the process from ending. Return the queue that
    gets its findings.
    """
    results: queue.SimpleQueue[Sequence[Finding]] = queue.SimpleQueue()

    def run() -> None:
        results.put(_findings(name, parts))

    threading.Thread(target=run, name=f"check {name}", daemon=True).start()
    return results


def _findings(name: str, parts: CheckedParts) -> Sequence[Finding]:
    try:
        findings = CHECK_OF[name](parts)
        if isinstance(findings, Finding):
            return [findings]
        return list(findings)
    except StorageError as error:  # the finding of the store's own variable is more precise
        cause = " ".join(str(error).split())
        return [trouble(name, "away", _("a store did not answer: {error}", error=cause))]
    except (OSError, ValueError, RuntimeError) as error:
        cause = " ".join(str(error).split())
        return [fault(name, "unreadable", _("it could not be checked: {error}", error=cause))]
