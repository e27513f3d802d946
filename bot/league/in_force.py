"""What is in force of the files that people edit: the file itself or, while it is unusable or has
lost games, its last good version (`bot.league.last_good`).

A season log has lost games when it is gone or empty, or when a tenth of its games, and at least
three, are in no log any more. It counts as good again once they are back, or an admin has accepted
the loss (`LastGood.accept`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from bot.league.files import LEAGUE_FILE
from bot.league.last_good import GoodFile, LastGood
from bot.runtime.translation import translated as _
from rating.encoding import as_text, refusal
from rating.league import LOG_NAME, League
from rating.league_file import LeagueError, decoded, line_of, parse_league
from rating.logdates import JST
from rating.models import MODELS
from rating.roomlog import parse
from rating.same_game import identity
from storage.ports import LARGEST, LogSource, NotFound, TooLarge, too_large

FEW = 3  # games that a person takes out; fewer are a correction


class Loss(StrEnum):
    """What a file has lost that can be read."""

    NONE = ""
    GONE = "gone"
    EMPTY = "empty"
    FEWER = "fewer"


class FolderFiles(NamedTuple):
    """The bytes of files, and the reason for each that is too large to be read."""

    files: dict[str, bytes]
    large: dict[str, str]


class LogsInForce(NamedTuple):
    """The files with the season logs in force, and the logs that can't be used."""

    files: dict[str, bytes]
    unusable: list[UnusableFile]


@dataclass(frozen=True, slots=True)
class UnusableFile:
    """A file that can't be used, with the line (from 1, 0 if unknown) and the reason. `large`: the
    reason is its size. `lost`: it can be read, and what is missing; `games` before and now.
    `has_former`: a former version is in force, `since` as in GoodFile; otherwise the file counts as
    missing."""

    file: str
    line: int
    reason: str
    large: bool = False
    has_former: bool = False
    since: datetime | None = None
    lost: Loss = Loss.NONE
    games: tuple[int, int] = (0, 0)

    def replaced_by(self, good: GoodFile | None) -> UnusableFile:
        """Return the fault with a former version in force, if there is one."""
        if good is None:
            return self
        return replace(self, has_former=True, since=good.since)

    @property
    def outcome(self) -> str:
        if not self.has_former:
            return _("no good version of it is known")
        if not self.since:
            return _("the last good version stays in force")
        since = self.since.astimezone(JST)
        return _("the last good version of {since:%Y-%m-%d %H:%M} JST stays in force", since=since)

    @property
    def cure(self) -> str:
        """What brings lost games back; "" where nothing is lost."""
        if not self.lost:
            return ""
        return _(
            "`flask league restore {file} good` puts it back, `flask league accept {file}` takes it as it is"
        ).format(file=self.file)

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return "; ".join(filter(None, (f"{place}: {self.reason}", self.outcome, self.cure)))


@dataclass(frozen=True)
class LeagueInForce:
    """The league in force, and what is wrong with league.toml where another version is in force."""

    league: League
    error: LeagueError | None = None
    unusable: UnusableFile | None = None


def read_in_force(logs: LogSource, now: datetime | None = None) -> LeagueInForce:
    """Return the league of a folder's league.toml, or of its last good version. With `now`, a good
    file is stored as the last good version. Raises LeagueError when neither can be used, because
    writing by a guess would misplace games, and StorageError."""
    files, large = read_files(logs, [LEAGUE_FILE])
    good = LastGood(logs)
    league = league_in_force(files.get(LEAGUE_FILE), good, now, large.get(LEAGUE_FILE, ""))
    good.store()
    has_former = league.unusable is not None and league.unusable.has_former
    if league.error is not None and not has_former:
        raise league.error
    return league


def league_in_force(
    data: bytes | None, good: LastGood, now: datetime | None = None, large: str = ""
) -> LeagueInForce:
    """Return the league of these bytes of league.toml (None: there is no file), or of their last
    good version, else an empty league. `large`: why the file was not read, if it is too large. With
    `now`, good bytes are added to `good`. Raises StorageError."""
    try:
        if large:
            raise LeagueError("too_large", words=large)
        former = _former_of_nothing(data, good)
        if former is not None:
            return former
        if data is None:
            return LeagueInForce(League())
        league = _parsed(data)
    except LeagueError as error:
        if now is not None and data is not None:
            good.add_unusable({LEAGUE_FILE: data}, now)
        line = line_of(error, as_text(data or b""))
        fault = UnusableFile(LEAGUE_FILE, line, error.reason, large=bool(large))
        return _former_league(good, error, fault)
    if now is not None:
        good.add({LEAGUE_FILE: data}, now)
    return LeagueInForce(league)


def _former_of_nothing(data: bytes | None, good: LastGood) -> LeagueInForce | None:
    """Return the last good version of a league.toml that is gone or empty, if that has anything.
    Raises LeagueError when it can't be used."""
    if not _is_blank(data):
        return None
    former = good.before(LEAGUE_FILE, data)
    if former is None or _is_blank(former.data):
        return None
    lost = Loss.GONE if data is None else Loss.EMPTY
    fault = UnusableFile(LEAGUE_FILE, 0, _loss_text(lost), lost=lost)
    return LeagueInForce(_parsed(former.data), unusable=fault.replaced_by(former))


def _former_league(good: LastGood, error: LeagueError, fault: UnusableFile) -> LeagueInForce:
    """Return the league of the last good league.toml, an empty one where that can't be used."""
    version = good.get(LEAGUE_FILE)
    if version is None:
        return LeagueInForce(League(), error, fault)
    try:
        return LeagueInForce(_parsed(version.data), error, fault.replaced_by(version))
    except LeagueError:  # written by an older or a newer Janroku
        return LeagueInForce(League(), error, fault)


def read_files(logs: LogSource, names: Iterable[str]) -> FolderFiles:
    """Read these files; one that is gone is left out. Raises StorageError."""
    read = FolderFiles({}, {})
    for name in names:
        try:
            read.files[name] = logs.read(name).data
        except NotFound:
            continue
        except TooLarge as error:
            read.large[name] = too_large(error.size)
    return read


def refusals(
    files: Mapping[str, bytes],
    large: Mapping[str, str],
) -> dict[str, str]:
    """Return why season logs can't be used: they are not text, too large (`large`), or too large
    together: then the oldest are refused."""
    reasons = {name: reason for name, reason in large.items() if LOG_NAME.match(name)}
    total = 0
    for name in _newest_first(filter(LOG_NAME.match, files)):
        total += len(files[name])
        if total > LARGEST:
            reasons[name] = too_large(total, "with the newer seasons' logs it has ")
            continue
        reason = refusal(files[name])
        if reason:
            reasons[name] = reason
    return reasons


def losses(
    logs: Mapping[str, bytes], good: LastGood, gone: Iterable[str]
) -> dict[str, UnusableFile]:
    """Return which season logs have lost games, of all that can be read and of those that are
    `gone`. Raises StorageError."""
    former = {name: good.before(name, data) for name, data in logs.items()}
    former |= {name: good.before(name, None) for name in gone}
    faults: dict[str, UnusableFile] = {}
    for name, before in former.items():
        if before is not None:
            fault = _loss(name, before, logs)
            if fault is not None:
                faults[name] = fault
    return faults


def _loss(name: str, before: GoodFile, logs: Mapping[str, bytes]) -> UnusableFile | None:
    """Return what a season log has lost since its last good version; games that moved to another
    log are not lost."""
    data = logs.get(name, b"")
    if before.data and data.startswith(before.data):
        return None
    games_before = _games(name, before.data)
    games = _games(name, data)
    missing = len(games_before) - len(games)
    if not _is_loss(missing, games_before, games):
        return None
    # Only now the other logs are parsed, which takes longer.
    missing -= len((games_before - games) & _games_elsewhere(name, logs))
    if not _is_loss(missing, games_before, games):
        return None
    lost = Loss.GONE
    if games:
        lost = Loss.FEWER
    elif name in logs:
        lost = Loss.EMPTY
    had = len(games_before)
    has = len(games)
    reason = _loss_text(lost).format(had=had, has=has)
    return UnusableFile(name, 0, reason, lost=lost, games=(had, has)).replaced_by(before)


def _games_elsewhere(name: str, logs: Mapping[str, bytes]) -> set[object]:
    """Return the games of the logs other than this one."""
    games: set[object] = set()
    for other, data in logs.items():
        if other != name:
            games |= _games(other, data)
    return games


def logs_in_force(
    files: Mapping[str, bytes],
    large: Mapping[str, str],
    good: LastGood,
    now: datetime | None = None,
    gone: Iterable[str] | None = None,
) -> LogsInForce:
    """Return the files with the season logs that are in force, and the logs that can't be used,
    with what is in force instead. `large`: the reasons of files that were not read. `gone`: logs
    that are not there any more; by default those with a good version that are in neither. With
    `now`, good logs are added to `good`, and the others as unusable. A good version for which
    LARGEST leaves no room next to the others is not in force. Raises StorageError.
    """
    if gone is None:
        gone = _missing_logs(good, {*files, *large})
    faults = _log_faults(files, large, good, gone)
    unused = {name: data for name, data in files.items() if name in faults}
    in_force = {name: data for name, data in files.items() if name not in faults}
    usable = {name: data for name, data in in_force.items() if LOG_NAME.match(name) is not None}
    if now is not None:
        good.add_unusable(unused, now)
    former = _former_logs(faults, good, LARGEST - sum(map(len, usable.values())))
    for name, version in former.items():
        in_force[name] = version.data
    if now is not None:
        good.add(usable, now)
    unusable = [fault.replaced_by(former.get(name)) for name, fault in sorted(faults.items())]
    return LogsInForce(in_force, unusable)


def _missing_logs(good: LastGood, present: Collection[str]) -> list[str]:
    """Return the season logs with a good version that are not among the files `present`."""
    names = [name for name in good.names() if LOG_NAME.match(name)]
    return [name for name in names if name not in present]


def _log_faults(
    files: Mapping[str, bytes], large: Mapping[str, str], good: LastGood, gone: Iterable[str]
) -> dict[str, UnusableFile]:
    """Return the season logs that can't be used: those that were refused or have lost games."""
    refused = refusals(files, large)
    names = [name for name in files if LOG_NAME.match(name) is not None and name not in refused]
    readable = {name: files[name] for name in names}
    faults = losses(readable, good, gone)
    for name, reason in refused.items():
        is_large = name in large or reason != refusal(files[name])
        faults[name] = UnusableFile(name, 0, reason, is_large)
    return faults


def _former_logs(
    names: Collection[str],
    good: LastGood,
    room: int,
) -> dict[str, GoodFile]:
    """Return the last good versions of season logs, the newest logs first, as far as they fit into
    `room` bytes. Raises StorageError."""
    former: dict[str, GoodFile] = {}
    for name in _newest_first(names):
        version = good.get_text(name)
        if version is not None and len(version.data) <= room:
            room -= len(version.data)
            former[name] = version
    return former


def _parsed(data: bytes) -> League:
    return parse_league(decoded(data), tuple(MODELS))


def _is_blank(data: bytes | None) -> bool:
    """Whether a league.toml is missing, or has nothing but comments."""
    lines = [line.strip() for line in (data or b"").splitlines()]
    return all(not line or line.startswith(b"#") for line in lines)


def _games(name: str, data: bytes) -> frozenset[object]:
    lines = parse(name, data).lines
    return frozenset(identity(line) for line in lines if line.game is not None)


def _is_loss(missing: int, before: Collection[object], after: Collection[object]) -> bool:
    if missing <= 0:
        return False
    return not after or missing >= max(FEW, len(before) / 10)


def _loss_text(loss: Loss) -> str:
    if loss is Loss.GONE:
        return _("the file is gone")
    if loss is Loss.EMPTY:
        return _("nothing of it is left")
    return _("it has {has} games, and had {had} before")


def _newest_first(names: Iterable[str]) -> list[str]:
    """Return the names of season logs by the number of the season, the newest first."""
    return sorted(sorted(names, reverse=True), key=_number, reverse=True)


def _number(name: str) -> int:
    log_name = LOG_NAME.match(name)
    if log_name is None:
        return 0
    return int(log_name[1])
