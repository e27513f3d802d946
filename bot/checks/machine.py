"""Check the machine: its font, its memory, and which Janroku runs on it."""

import os
import resource
import sys
from contextlib import suppress
from pathlib import Path

from bot.checks.parts import CheckedParts
from bot.draw.lines import warm
from bot.runtime.finding import Finding, fault, good, trouble
from bot.runtime.translation import message as _
from bot.runtime.version import release
from bot.settings import Settings

MIB = 1 << 20

# MiB of Heroku's Eco, Basic and Standard-1X dynos
# (https://devcenter.heroku.com/articles/dyno-types).
DYNO = 512
OWN = 25  # MiB of a web process, without the shared ones and those of its leagues' games
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
