"""Find files that are not saved as UTF-8, and those that cannot be read at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from gettext import gettext as _

from bot.league.check_log import LogFinding
from rating.encoding import UTF8, EncodingError, as_utf8
from rating.roomlog import RoomLog


def encoding_faults(log: RoomLog) -> Iterator[LogFinding]:
    """Yield one finding if a season log is in another encoding."""
    if log.encoding != UTF8:
        yield _other(log.name, log.encoding, _("the first write saves it as UTF-8, as does --fix"), safe=True)


def file_faults(files: Mapping[str, bytes]) -> Iterator[LogFinding]:
    """Yield one finding for each of these files, by name, that is in another encoding or is no text."""
    for name, data in files.items():
        try:
            encoding = as_utf8(data).encoding
        except EncodingError as error:
            yield unreadable(name, str(error))
            continue
        if encoding != UTF8:
            yield _other(name, encoding, _("save it as UTF-8"), safe=False)


def unreadable(name: str, reason: str) -> LogFinding:
    """Return the finding for a file that cannot be read: it is no text, or too large."""
    saved = _(
        "save it as UTF-8, or put a former version back: `flask league history`, `flask league restore`"
    )
    shorter = _(
        "take out what is no game, or put a former version back: `flask league history`, `flask league "
        "restore`"
    )
    mend = saved if "UTF-8" in reason else shorter
    return LogFinding(name, 1, text="", kind="unreadable", reason=reason, mend=mend)


def _other(name: str, encoding: str, mend: str, safe: bool) -> LogFinding:
    reason = _("the file is {encoding}, not UTF-8").format(encoding=encoding)
    return LogFinding(name, 1, text="", kind="encoding", reason=reason, mend=mend, safe=safe)
