"""Find files and folders that nobody reads though their names look like those of the league's files.

Such are copies that Dropbox, Syncthing, Windows and macOS make, names in other letters, and Notepad's second
ending.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from gettext import gettext as _

from bot.league.check_log import LogFinding
from bot.league.files import LEAGUE_FILE, PAIFU_LOG, RATING_FILE, TEAM_LOG, is_read

_BEGIN, _COPY = r"(?<![a-z0-9])", r"(\s*\(| - | copy|のコピー|~|\.|$)"
_LOG = re.compile(_BEGIN + r"logvol[\s_.-]*([0-9]*)(?!.*\.(png|jpe?g|pdf|xlsx?|csv|zip)$)")
_NAMED = {
    LEAGUE_FILE: re.compile(f"{_BEGIN}league{_COPY}.*toml|^league(\\.txt)?$"),
    RATING_FILE: re.compile(f"{_BEGIN}rating{_COPY}.*txt|^rating$"),
    TEAM_LOG: re.compile(f"{_BEGIN}teamlog{_COPY}"),
    PAIFU_LOG: re.compile(f"{_BEGIN}recordlog{_COPY}"),
}


def ignored(files: Iterable[str], folders: Iterable[str]) -> Iterator[LogFinding]:
    """Yield the files and folders at the top of the log folder that look like a file of the league and are
    not read."""
    there = set(files)
    for name in sorted(there):
        if not is_read(name) and (meant := _meant(name)):
            yield _finding(name, _("not read: its name is not a league's file's"), _mend(name, meant, there))
    for name in sorted(folders):
        if is_read(name):
            mend = _("give the folder another name, and take a file out of it that belongs here")
            yield _finding(name, _("not read: it is a folder, not a file"), mend)


def _meant(name: str) -> str:
    """Return the league's file a name looks like, "logvolN.txt" for a log without a number, or "" for
    none."""
    plain = unicodedata.normalize("NFKC", name).casefold().strip()
    if found := _LOG.search(plain):
        return f"logvol{int(found[1])}.txt" if found[1] else "logvolN.txt"
    return next((meant for meant, pattern in _NAMED.items() if pattern.search(plain)), "")


def _mend(name: str, meant: str, there: set[str]) -> str:
    if meant in there:
        return _("take over into {meant} what it lacks, then remove {name}").format(meant=meant, name=name)
    return _("give it the name {meant} if it is that file, else another name").format(meant=meant)


def _finding(name: str, reason: str, mend: str) -> LogFinding:
    return LogFinding(name, 1, text="", kind="ignored", reason=reason, mend=mend)
