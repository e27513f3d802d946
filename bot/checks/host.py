"""Check the machine: the font and the drawing library, memory, and which version this is."""

from __future__ import annotations

import os
import resource
import sys
from contextlib import suppress
from pathlib import Path

from bot.checks.parts import CheckedParts
from bot.draw.lines import warm
from bot.runtime.finding import CheckFinding, fault, good, trouble
from bot.runtime.finding import message as _
from bot.runtime.version import release
from bot.settings import Settings

MIB = 1 << 20
# MiB of Heroku's Eco, Basic and Standard-1X dynos (https://devcenter.heroku.com/articles/dyno-types).
DYNO = 512
OWN = 25  # MiB that a web process takes beside what all share and its leagues' games
_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def check_font(parts: CheckedParts) -> CheckFinding:
    """Draw a chart with Japanese in it."""
    try:
        warm()
    except (OSError, ValueError, RuntimeError) as error:
        return fault("font", _("no chart can be drawn: {error}", error=" ".join(str(error).split())))
    return good("font", _("a chart was drawn"))


def check_memory(parts: CheckedParts) -> CheckFinding:
    """Whether the web processes have room: what this process took to load everything, and for each its
    games."""
    what, limit, need = "memory", _limit(parts.settings), _needed(parts.settings)
    if need > limit:
        told = _(
            "the web processes may need {need} MB of {limit}: set WEB_CONCURRENCY or CACHE_MB lower",
            need=need,
            limit=limit,
        )
        return trouble(what, told)
    return good(what, _("{need} of {limit} MB are needed at most", need=need, limit=limit))


def _needed(settings: Settings) -> int:
    """The MiB that the web processes take when their caches are full, of which all share what is loaded
    before they fork."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Kilobytes but for macOS (getrusage(2)).
    shared = peak // MIB if sys.platform == "darwin" else peak // 1024
    return shared + settings.web_concurrency * (OWN + settings.cache_mb)


def _limit(settings: Settings) -> int:
    """The MiB this process and its siblings may take: a container's limit, a dyno's, or the machine's
    memory."""
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // MIB
    for path in map(Path, _LIMITS):
        with suppress(OSError):
            text = path.read_text().strip()
            if text.isdecimal() and int(text) // MIB < machine:  # a greater number means none
                return int(text) // MIB
    return DYNO if settings.dyno else machine


def check_version(parts: CheckedParts) -> CheckFinding:
    return good("version", _("Janroku {release}", release=release(parts.settings.commit)))
