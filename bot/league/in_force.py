"""Say what is in force of the files that people edit: the file itself or, while it is unusable, its last good
version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from bot.league.last_good import LastGood, UnusableFile
from rating.encoding import as_text, refusal
from rating.league import LOG_NAME, League
from rating.league_faults import LEAGUE_FILE, LeagueError
from rating.league_file import decoded, line_of, parse_league
from rating.models import MODELS
from storage.ports import LARGEST, LogSource, NotFound, TooLarge, too_large


@dataclass(frozen=True)
class LeagueInForce:
    """The league in force, and what is wrong with league.toml where that is its last good version (or
    none)."""

    league: League
    error: LeagueError | None = None
    unusable: UnusableFile | None = None


def league_in_force(
    data: bytes | None, good: LastGood, now: datetime | None = None, large: str = ""
) -> LeagueInForce:
    """Return what the bytes of league.toml say (None: there is no file), or the last good version of them.

    `large` says why the file was not read, where it is too large. With `now`, `good` meets good bytes.
    Without any known version the league is empty. Raises StorageError when the folder cannot be reached.
    """
    if large:
        return _former(LeagueError("too_large", words=large), b"", good)
    if data is None:
        return LeagueInForce(League())
    try:
        league = _parsed(data)
    except LeagueError as error:
        return _former(error, data, good)
    if now is not None:
        good.meet({LEAGUE_FILE: data}, now)
    return LeagueInForce(league)


def _parsed(data: bytes) -> League:
    return parse_league(decoded(data), tuple(MODELS))


def _former(error: LeagueError, data: bytes, good: LastGood) -> LeagueInForce:
    """Return the last good version of an unusable league.toml, or an empty league."""
    line, league = line_of(error, as_text(data)), None
    found = good.get(LEAGUE_FILE)
    if found is not None:
        try:
            league = _parsed(found.data)
        except LeagueError:  # written by an older or a newer Janroku
            found = None
    large = error.code == "too_large"
    unusable = UnusableFile(LEAGUE_FILE, line, error.reason, large).instead(found)
    return LeagueInForce(league or League(), error, unusable)


@dataclass
class LogsInForce:
    """The files in force by name, and the season logs that cannot be used, with what is in force instead."""

    files: dict[str, bytes] = field(default_factory=dict)
    unusable: list[UnusableFile] = field(default_factory=list)


def read_files(logs: LogSource, names: Iterable[str]) -> tuple[dict[str, bytes], dict[str, str]]:
    """Return the bytes of these files by name, and the reason for each that is too large to read.

    A file that is gone is in neither. Raises StorageError when the folder cannot be reached.
    """
    files, large = {}, {}
    for name in names:
        try:
            files[name] = logs.read(name).data
        except NotFound:
            continue
        except TooLarge as error:
            large[name] = too_large(error.size)
    return files, large


def refusals(files: Mapping[str, bytes], large: Mapping[str, str]) -> dict[str, str]:
    """Return why season logs cannot be used, by name: they are no text, too large (`large`), or so together.

    Of logs that are too large together, the oldest seasons' are refused.
    """
    found = {name: reason for name, reason in large.items() if LOG_NAME.match(name)}
    total = 0
    for name in sorted((n for n in files if LOG_NAME.match(n)), key=_number, reverse=True):
        total += len(files[name])
        if total > LARGEST:
            found[name] = too_large(total, "with the newer seasons' logs it has ")
        elif reason := refusal(files[name]):
            found[name] = reason
    return found


def logs_in_force(
    files: Mapping[str, bytes], large: Mapping[str, str], good: LastGood, now: datetime | None = None
) -> LogsInForce:
    """Return the season logs among the files as they are in force; the other files are left as they are.

    `large` has the reason of each file that was not read because of its size. With `now`, `good` meets the
    good logs. A last good version for which LARGEST leaves no room beside the other logs in force is not in
    force. Raises StorageError when the folder cannot be reached.
    """
    refused = refusals(files, large)
    result = LogsInForce({name: data for name, data in files.items() if name not in refused})
    room = LARGEST - sum(len(data) for name, data in result.files.items() if LOG_NAME.match(name))
    for name in sorted(refused, key=_number, reverse=True):
        former = good.get_text(name)
        if former is not None and len(former.data) > room:
            former = None
        if former is not None:
            room -= len(former.data)
            result.files[name] = former.data
        is_large = name in large or refused[name] != refusal(files[name])
        result.unusable.append(UnusableFile(name, 0, refused[name], is_large).instead(former))
    result.unusable.sort(key=lambda fault: fault.file)
    if now is not None:
        logs = {n: data for n, data in result.files.items() if LOG_NAME.match(n) and n not in refused}
        good.meet(logs, now)
    return result


def _number(name: str) -> tuple[int, str]:
    found = LOG_NAME.match(name)
    return (int(found[1]) if found else 0, name)
