"""Make the findings of `flask doctor`: try each part of the set-up with real calls."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.charts.warm import warm
from bot.league.check import check_folder
from bot.league.check_names import ignored
from bot.line.client import LineDown
from bot.service import Service
from bot.settings import LINE_API, allowed_address
from bot.sync.own_results import all_offered
from storage.ports import NotFound, StorageError

SHOWN = 20  # how many unreadable lines are listed one by one


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """What was checked, whether it works, and what to know or mend.

    `content`: it is about the league's files or its room, not the set-up, so it stops no release.
    """

    what: str
    ok: bool
    text: str
    content: bool = False


def examine(service: Service) -> Iterator[DoctorFinding]:
    """Yield the findings: LINE, the chats, the stores, Redis, the font, then the league's files."""
    checks: list[tuple[str, Callable[[Service], str]]] = [
        ("LINE_CHANNEL_ACCESS_TOKEN", _line),
        ("LEAGUE_CHATS", _chats),
        ("LOGS_URL", _logs),
        ("DATABASE_URL", _state),
        ("IMAGES_URL", _images),
        ("REDIS_URL", _redis),
        ("font", _font),
    ]
    for what, check in checks:
        try:
            yield DoctorFinding(what, True, check(service))
        except _Mend as error:
            yield DoctorFinding(what, False, str(error))
        except (StorageError, LineDown, ValueError, OSError) as error:
            yield DoctorFinding(what, False, " ".join(str(error).split()))
    try:
        yield from _league(service)
    except StorageError:
        return  # the finding of LOGS_URL says that the logs can't be reached


class _Mend(Exception):
    """Something must be mended; the message says what."""


def _line(service: Service) -> str:
    if service.settings.console:
        return "the console plays LINE (no channel is set)"
    try:
        return f"the channel answers as {service.line.bot_name()}"
    except LineDown as error:
        address = service.settings.line_api_url
        where = "" if address == LINE_API else f" at {address}"
        if error.status in (401, 403):
            mend = f"LINE{where} says {error}; issue a new long-lived token in the LINE Developers console"
        elif error.status is not None:
            mend = f"LINE{where} says {error}; the token was not looked at, so try again later"
        else:
            mend = f"LINE can't be reached at {address} ({error}): is the network up, and LINE_API_URL right?"
        raise _Mend(mend) from None


def _chats(service: Service) -> str:
    settings = service.settings
    groups = service.access.groups()
    if not groups and not settings.league_chats and not settings.admin_user_ids:
        raise _Mend("nobody may use the bot: set ADMIN_USER_IDS, and send 登録 in the group")
    odd = [i for i in (*settings.league_chats, *settings.admin_user_ids) if len(i) != 33]
    if odd:
        raise _Mend(f"{odd[0]!r} is no LINE id: those are U, C or R and 32 hexadecimal digits")
    return f"{len(groups)} groups and rooms, {len(settings.admin_user_ids)} admins"


def _logs(service: Service) -> str:
    snapshot = service.registry.league().snapshot()
    service.registry.keep_good()
    return f"reached; {len(snapshot.all_games())} games in {len(snapshot.logs)} season logs"


def _league(service: Service) -> Iterator[DoctorFinding]:
    """Yield what must be mended in the folder's files, line by line."""
    snapshot = service.registry.league().snapshot()
    for fault in snapshot.unusable:
        yield DoctorFinding("league", False, str(fault), content=True)
    if not snapshot.logs and not snapshot.refused:
        text = "the folder has no logvolN.txt; put the season's log there, or run `flask sync`"
        yield DoctorFinding("league", False, text, content=True)
        yield from _ignored(service)
        return
    said = {fault.file for fault in snapshot.unusable}
    problems = [problem for problem in snapshot.problems if problem.file not in said]
    for problem in problems[:SHOWN]:
        text = f"{problem.file}:{problem.line}: {problem.reason}: {problem.text}"
        yield DoctorFinding("league", False, text.strip(" :"), content=True)
    if len(problems) > SHOWN:
        text = f"{len(problems) - SHOWN} more lines can't be read: see `flask league check`"
        yield DoctorFinding("league", False, text, content=True)
    try:
        offered = all_offered(service.state)
    except StorageError:
        offered = {}  # the finding of DATABASE_URL says why
    found = len(check_folder(service.stores.open_logs(), offered=offered).findings)
    words = f"{found} things to look at: see `flask league check`" if found else "nothing to mend in the logs"
    yield DoctorFinding("league", True, words, content=True)


def _ignored(service: Service) -> Iterator[DoctorFinding]:
    """Yield the files that nobody reads though their names look like a log's, where the logs are missing."""
    listing = service.stores.open_logs().changes()
    for finding in ignored(listing.files, listing.folders):
        text = f"{finding.file}: {finding.reason}; {finding.mend}"
        yield DoctorFinding("league", False, text, content=True)


def _state(service: Service) -> str:
    key, value = f"doctor:{secrets.token_hex(8)}", secrets.token_hex(8)
    service.state.put(key, value, 60)
    if service.state.get(key) != value:
        raise _Mend("what was written could not be read again")
    service.state.delete(key)
    return "written and read"


def _images(service: Service) -> str:
    images, key = service.images, f"doctor/{secrets.token_hex(8)}.png"
    images.put(key, b"\x89PNG\r\n\x1a\n")
    if not images.has(key):
        raise NotFound("what was written can't be found again")
    if not service.settings.images_url.startswith("s3:"):
        if not service.settings.public_url:
            return "written and found; links use the host LINE calls (or set PUBLIC_URL)"
        return f"written and found; links start with {service.settings.public_url}"
    if not allowed_address(images.url(key)):
        raise _Mend("the pictures' address is not https: LINE would refuse it")
    return "written, found and signed"


def _redis(service: Service) -> str:
    if not service.settings.redis_url:
        return "taps run in threads of the web process"
    from bot.runtime.work_queue import ping  # Redis is loaded only where it is used

    ping(service.settings.redis_url)
    return "reached; taps run on the workers"


def _font(service: Service) -> str:
    warm()
    return "a chart was drawn"
