"""Check the whole set-up with real calls, side by side, each within a time limit.

The checks of the machine, of the league's files and of Tenhou are here, the others beside this
module. Tenhou gets one small request that begins no round of its results (bot/tenhou/throttle.py).
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
from datetime import datetime, timedelta
from pathlib import Path

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
Look = Callable[[CheckedParts], Finding | Iterable[Finding]]
DEEP = ("LINE_CHANNEL_ACCESS_TOKEN", "DATABASE_URL", "LOGS_URL", "IMAGES_URL", "sync")
"""What a watcher outside is told of (`/healthz?deep=1`)."""
SHOWN = 20  # how many unreadable lines are listed one by one
MIB = 1 << 20
# MiB of Heroku's Eco, Basic and Standard-1X dynos
# (https://devcenter.heroku.com/articles/dyno-types).
DYNO = 512
AHEAD = timedelta(days=180)  # a season that begins later is a slip
OWN = 25  # MiB that a web process takes beside what all share and its leagues' games
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
    what = "memory"
    limit = _limit(parts.settings)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # All share what is loaded before they fork: kilobytes but for macOS (getrusage(2)).
    shared = peak // MIB if sys.platform == "darwin" else peak // 1024
    need = shared + parts.settings.web_concurrency * (OWN + parts.settings.cache_mb)
    if need > limit:
        told = _(
            "the web processes may need {need} MB of {limit}: set WEB_CONCURRENCY or CACHE_MB lower",
            need=need,
            limit=limit,
        )
        return trouble(what, "limit", told)
    return good(what, _("{need} of {limit} MB are needed at most", need=need, limit=limit))


def _limit(settings: Settings) -> int:
    """The MiB these processes may take: a container's limit, a dyno's, or the machine's memory."""
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // MIB
    for path in map(Path, _LIMITS):
        with suppress(OSError):
            text = path.read_text().strip()
            if text.isdecimal() and int(text) // MIB < machine:  # a greater number means none
                return int(text) // MIB
    return DYNO if settings.dyno else machine


def check_version(parts: CheckedParts) -> Finding:
    return good("version", _("Janroku {release}", release=release(parts.settings.commit)))


def check_league(parts: CheckedParts) -> Iterator[Finding]:
    """Yield what must be mended in the folder's files, line by line. Raises StorageError."""
    snapshot = parts.registry.league().snapshot()
    for unusable in snapshot.unusable:
        yield trouble("league", "lost" if unusable.lost else "unreadable", untranslated(unusable))
    if not snapshot.logs and not snapshot.refused:
        told = _("the folder has no logvolN.txt; put the season's log there, or run `flask sync`")
        yield trouble("league", "missing", told)
        logs = parts.stores.open_logs()
        near = ignored(logs.revisions(), logs.folders())  # nobody reads them, but for their names
        yield from (
            trouble("league", "elsewhere", untranslated(f"{f.file}: {f.reason}; {f.mend}"))
            for f in near
        )
        return
    said = {unusable.file for unusable in snapshot.unusable}
    problems = [problem for problem in snapshot.problems if problem.file not in said]
    for problem in problems[:SHOWN]:
        place = f"{problem.file}:{problem.line}: {problem.reason}: {problem.text}"
        yield trouble("league", "unreadable", untranslated(place.strip(" :")))
    if len(problems) > SHOWN:
        told = _(
            "{count} more lines can't be read: see `flask league check`",
            count=len(problems) - SHOWN,
        )
        yield trouble("league", "unreadable", told)
    games = [game for log in snapshot.logs.values() for game in log.games]
    left_out = Counter(game.room for game in games if game.room not in snapshot.league.rooms)
    if snapshot.league.rooms and left_out.total() * 10 > len(games):
        told = _(
            "`rooms` of league.toml leaves out {count} of {games} games: {rooms}; add the rooms, or take the "
            "games out of the logs",
            count=left_out.total(),
            games=len(games),
            rooms=", ".join(f"{room} ({count})" for room, count in left_out.most_common(5)),
        )
        yield trouble("league", "elsewhere", told)
    for season in snapshot.league.seasons:
        if season.start and season.start.date() > parts.now().date() + AHEAD:
            told = _(
                "league.toml: season {name} begins on {start}, far in the future: is the year right?",
                name=season.name or season.number,
                start=season.start.date(),
            )
            yield trouble("league", "malformed", told)
    found = len(check_folder(parts.stores.open_logs(), offered=all_offered(parts.state)).findings)
    some = _("{count} things to look at: see `flask league check`", count=found)
    yield good("league", some if found else _("nothing to mend in the logs"))


def check_rooms(parts: CheckedParts) -> Iterator[Finding]:
    """Yield a finding for each league with a room, asked only when it is due.

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
        what = f"room of {league}" if league else ROOM
        try:
            code, messages = _look(parts, league, room)
        except (StorageError, ValueError) as error:
            yield fault(
                what,
                "unreadable",
                _("{room}: {told}", room=room, told=" ".join(str(error).split())),
            )
            continue
        named = (
            _(
                "{room}: {told}",
                room=room,
                told=messages[0],
            ),
            *messages[1:],
        )
        yield trouble(what, code, *named) if code else good(what, *named)
    if len(rooms) > MOST:
        yield good(
            "rooms", _("{count} more leagues have rooms of their own", count=len(rooms) - MOST)
        )


def _look(
    parts: CheckedParts,
    league: str,
    room: str,
) -> tuple[Code | None, list[Message]]:
    """The code of what is wrong with a league's room, if anything, and what was found. Raises
    ValueError for an id that can't be decrypted, and StorageError."""
    parts.room_ids.get(league)
    prepared = parts.league_work(Job(Stage.PREPARE, league))
    if room not in prepared.rooms:
        if not prepared.rooms:
            why = "; ".join(prepared.problems) or "no room counts in this league"
            return "elsewhere", [_("not asked: {why}", why=why)]
        words = _(
            "not asked: put it into `rooms` of league.toml (there: {rooms})",
            rooms=", ".join(prepared.rooms),
        )
        return "elsewhere", [words]
    news = parts.room_watch.look({league: frozenset(prepared.rooms)})
    now = parts.now().astimezone(JST).replace(tzinfo=None)
    memory = parts.room_watch.memory(league)
    if news.by_league[league].problems:
        told = "; ".join(news.by_league[league].problems).removeprefix(f"{room}: ")
        reason = untranslated(told)
        if "404" in told or "known form" in told or "403" in told:  # time won't help
            reason = _(
                "{told} (is it the whole id of the management page? see docs/runbook.md)", told=told
            )
        return "away", [reason, MEANWHILE]
    if news.busy or memory is None or memory.requested is None:
        return None, [_("not asked: another process is asking Tenhou at this moment")]
    if memory.answered is None or memory.answered < memory.requested:
        told_at = _(
            "no answer at {asked:%H:%M}; it may be asked again at {again:%H:%M}",
            asked=memory.requested,
            again=memory.due_from(now),
        )
        return "away", [told_at, MEANWHILE]
    return None, _told(parts, league, memory, now)


def _told(parts: CheckedParts, league: str, memory: RoomMemory, now: datetime) -> list[Message]:
    games = len(
        OwnResults(parts.state, league).read([now.date() - timedelta(days=back) for back in (1, 0)])
    )
    words = [_("answered at {at:%H:%M}", at=memory.answered)]
    if memory.active is None:
        words.append(
            _(
                "no game yet (where some were played in the last day, the id is another room's or a wrong one)"
            )
        )
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
    if parts.state.records.due([league], math.inf, 1):
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
            told = NO_TRUST
            code = "untrusted"
        return (trouble if url == TENHOU else fault)(URL, code, told)
    return good(URL, _("{url} answers", url=url))


def _not_long(_seconds: float) -> None:
    raise TenhouBusy("the connection is taken")


def check_sync(parts: CheckedParts) -> Finding:
    """How long ago the last good sync was; the web process does one every hour."""
    what = "sync"
    if not parts.has_rooms:
        return good(what, _("the demo league has nothing to fetch"))
    at = last_sync(parts.state)
    now = parts.now()
    if at is None:
        return trouble(
            what,
            "missing",
            _("none has been good yet: run `flask sync`, which says what is in its way"),
        )
    when = at.astimezone(JST).strftime("%Y-%m-%d %H:%M")
    if at - now > timedelta(hours=1):
        told = _(
            "the last one is said to be at {when}, which is to come: is this machine's clock right?",
            when=when,
        )
        return trouble(what, "clock", told)
    if now - at > OLD_SYNC:
        return trouble(
            what,
            "old",
            _("the last good one was at {when}: `flask sync` says what is in its way", when=when),
        )
    return good(what, _("the last one was at {when}", when=when))


def _ask_tenhou(parts: CheckedParts) -> Iterator[Finding]:
    """Tenhou and the leagues' own rooms there: one after the other, as Tenhou wishes."""
    yield check_tenhou(parts)
    yield from check_rooms(parts)


LOOKS: Mapping[str, Look] = {
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
"""What each check of the list does."""


def checks(parts: CheckedParts, limit: float = LIMIT) -> list[Finding]:
    """Return the findings of all checks, within about twice `limit` seconds."""
    return list(examine(parts, limit))


def failing(parts: CheckedParts) -> list[str]:
    """The checks of DEEP that fail: the token where LINE refuses it, the others where they are not
    well.
    """
    found = _side_by_side([(name, LOOKS[name]) for name in DEEP], parts, LIMIT / 2)
    return sorted(
        {name for name, one in found if not one.ok and (one.stops_release or name != DEEP[0])}
    )


def examine(parts: CheckedParts, limit: float = LIMIT) -> Iterator[Finding]:
    """Yield the findings in the order of the list, each as soon as those before it are there."""
    if not parts.settings.console:
        line_sdk()  # here, because a check's thread would spend its time on the import
    worked: dict[str, bool] = {}  # by check: whether its first finding is well
    for turn in (1, 2, 3):
        wanted = [check for check in CHECKS if check.turn == turn and worked.get(check.needs, True)]
        if turn == 2 and not worked["DATABASE_URL"]:
            continue
        looks = [(check.name, LOOKS[check.name]) for check in wanted]
        for what, finding in _side_by_side(looks, parts, limit):
            worked.setdefault(what, finding.ok)
            yield finding


def _side_by_side(
    wanted: Sequence[tuple[str, Look]], parts: CheckedParts, limit: float
) -> Iterator[tuple[str, Finding]]:
    """Make the checks in threads; yield each one's name with its findings, in order, or that it
    hangs.
    """
    until = time.monotonic() + limit
    answers = [_begun(what, look, parts) for what, look in wanted]
    for (what, _look), answer in zip(wanted, answers, strict=True):
        try:
            findings = answer.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            findings = [
                trouble(what, "away", _("no answer within {limit:.0f} seconds", limit=limit))
            ]
        yield from ((what, finding) for finding in findings)


def _begun(
    what: str,
    look: Look,
    parts: CheckedParts,
) -> queue.SimpleQueue[Sequence[Finding]]:
    """Make a check in a thread that does not keep the process from ending; findings come in the
    queue.
    """
    answer: queue.SimpleQueue[Sequence[Finding]] = queue.SimpleQueue()

    def findings() -> Sequence[Finding]:
        try:
            found = look(parts)
            return [found] if isinstance(found, Finding) else list(found)
        except (StorageError, OSError, ValueError, RuntimeError) as error:
            words = " ".join(str(error).split())
            if isinstance(error, StorageError):  # the finding of the store's own variable says more
                return [trouble(what, "away", _("a store did not answer: {error}", error=words))]
            return [fault(what, "unreadable", _("it could not be checked: {error}", error=words))]

    threading.Thread(
        target=lambda: answer.put(findings()), name=f"check {what}", daemon=True
    ).start()
    return answer
