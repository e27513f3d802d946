"""Find what is wrong or doubtful in a log folder, and make the safe mends one by one (`flask league
check`).

A mend is written after it was shown. A step that moves games first writes the log that gets them: a
crash leaves doubles, which the next check mends.
"""

import difflib
import json
import re
import unicodedata
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from bot.league.check_logs import LogFinding, Move, check_log, doubles, in_wrong_seasons, misplaced
from bot.league.files import LEAGUE_FILE, PAIFU_LOG, RATING_FILE, TEAM_LOG, change, current, is_read
from bot.league.in_force import UnusableFile
from bot.league.season_log import with_remembered
from bot.league.snapshot import (
    SAME_TWICE,
    LeagueSnapshot,
    read_league,
    team_log_problems,
    toml_problem,
    unread_logs,
)
from bot.runtime.translation import translated as _
from rating.encoding import UTF8, EncodingError, as_text, as_utf8
from rating.league import League
from rating.league_file import parse_ratings, strange_keys
from rating.logdates import JST
from rating.names import canonical_name
from rating.roomlog import LogLine, RoomLog, is_guest, tenhou_form
from storage.ports import LogSource

_BEGIN = r"(?<![a-z0-9])"
_COPY = r"(\s*\(| - | copy|のコピー|~|\.|$)"
_LOG = re.compile(_BEGIN + r"logvol[\s_.-]*([0-9]*)(?!.*\.(png|jpe?g|pdf|xlsx?|csv|zip)$)")
_NAMED = {
    LEAGUE_FILE: re.compile(f"{_BEGIN}league{_COPY}.*toml|^league(\\.txt)?$"),
    RATING_FILE: re.compile(f"{_BEGIN}rating{_COPY}.*txt|^rating$"),
    TEAM_LOG: re.compile(f"{_BEGIN}teamlog{_COPY}"),
    PAIFU_LOG: re.compile(f"{_BEGIN}recordlog{_COPY}"),
}
ACKNOWLEDGED = "history/acknowledged.json"
_DASHES = str.maketrans("ー―−", "---")


@dataclass(frozen=True, slots=True)
class Checked:
    """The findings in order of file and line, and the usable season logs. `moves` are the games
    that stand in another season's log than theirs; `acknowledged` counts the findings left out for
    that."""

    findings: tuple[LogFinding, ...]
    logs: Mapping[str, RoomLog]
    moves: tuple[Move, ...] = ()
    acknowledged: int = 0


def check_folder(
    logs: LogSource,
    today: date | None = None,
    offered: Mapping[date, Sequence[bytes]] | None = None,
) -> Checked:
    """Check the folder's season logs, league.toml, rating.txt and teamlog.txt, and the names of its
    files. `today` is the day in Japan; `offered` has Tenhou's known lines by day. Raises
    StorageError."""
    today = today or datetime.now(JST).date()
    snapshot = read_league(logs, datetime.combine(today, time(), JST))
    league = snapshot.league
    refused = {fault.file: fault for fault in snapshot.refused}
    usable = {name: log for name, log in snapshot.logs.items() if name not in refused}
    moves = misplaced(usable, league, today, locked=refused)
    found = [*_league_faults(snapshot), *map(_unusable, refused.values())]
    mend = _("the first write saves it as UTF-8, as does --fix")
    for log in usable.values():
        found += [
            *_other_encoding(log.name, log.encoding, mend, safe=True),
            *check_log(log, league),
        ]
    found += doubles(usable, league, with_remembered(logs, offered or {}))
    found += in_wrong_seasons(moves)
    found += ignored(logs.revisions(), logs.folders())
    found += _players(usable, league)
    found += _rooms_without_games(snapshot, usable)
    mend = _("put all games of a season into one file")
    for problem in unread_logs(snapshot):
        found.append(
            LogFinding(
                problem.file,
                problem.line,
                text=problem.text,
                kind="unread",
                reason=problem.reason,
                mend=mend,
            )
        )
    found += [
        fault
        for name in (RATING_FILE, TEAM_LOG, PAIFU_LOG)
        for fault in _file_faults(snapshot, name)
    ]
    found += _text_faults(snapshot, usable)
    known = Counter(_acknowledged(current(logs, ACKNOWLEDGED)[0]))
    left = []
    for finding in sorted(found, key=lambda f: (f.file, f.line)):
        if known[finding.cause] > 0:
            known[finding.cause] -= 1
        else:
            left.append(finding)
    moves = tuple(move for move in moves if any(f in left for f in in_wrong_seasons([move])))
    return Checked(tuple(left), usable, moves, len(found) - len(left))


def acknowledge(logs: LogSource, findings: Iterable[LogFinding], anew: bool = False) -> None:
    """Leave these findings out from now on, until their lines change; with `anew`, none but these.
    Raises StorageError."""
    more = [finding.cause for finding in findings]

    def joined(old: bytes) -> bytes:
        known = [] if anew else _acknowledged(old)
        return json.dumps(sorted(known + more), ensure_ascii=False, indent=0).encode()

    change(logs, ACKNOWLEDGED, joined, datetime.now(UTC), keeping=False)


def _acknowledged(text: bytes) -> list[str]:
    try:
        found = json.loads(text)
    except ValueError:
        return []
    return [cause for cause in found if isinstance(cause, str)] if isinstance(found, list) else []


def ignored(files: Iterable[str], folders: Iterable[str]) -> Iterator[LogFinding]:
    """Yield the files and folders that look like the league's and are not read: copies that
    Dropbox, Syncthing, Windows and macOS make, names in other letters, Notepad's second ending."""
    there = set(files)
    for name in sorted(there):
        plain = unicodedata.normalize("NFKC", name).casefold().strip()
        meant = next(
            (meant for meant, pattern in _NAMED.items() if pattern.search(plain)),
            "",
        )
        if found := _LOG.search(plain):
            meant = f"logvol{int(found[1])}.txt" if found[1] else "logvolN.txt"
        if meant and not is_read(name):
            mend = _("give it the name {meant} if it is that file, else another name")
            if meant in there:
                mend = _("take over into {meant} what it lacks, then remove {name}")
            reason = _("not read: its name is not a league's file's")
            mend = mend.format(meant=meant, name=name)
            yield LogFinding(name, 1, text="", kind="ignored", reason=reason, mend=mend)
    for name in sorted(filter(is_read, folders)):
        reason = _("not read: it is a folder, not a file")
        mend = _("give the folder another name, and take a file out of it that belongs here")
        yield LogFinding(name, 1, text="", kind="ignored", reason=reason, mend=mend)


def _unusable(fault: UnusableFile) -> LogFinding:
    if not fault.lost:
        return unreadable(fault.file, fault.reason)
    return LogFinding(
        fault.file,
        1,
        text="",
        kind="lost",
        reason=fault.reason,
        mend=fault.cure,
    )


def unreadable(name: str, reason: str) -> LogFinding:
    mend = _(
        "take out what is no game, or put a former version back: `flask league history`, `flask league "
        "restore`"
    )
    if "UTF-8" in reason:
        mend = _(
            "save it as UTF-8, or put a former version back: `flask league history`, `flask league restore`"
        )
    return LogFinding(name, 1, text="", kind="unreadable", reason=reason, mend=mend)


def _other_encoding(
    name: str,
    encoding: str,
    mend: str,
    safe: bool = False,
) -> list[LogFinding]:
    if encoding == UTF8:
        return []
    reason = _("the file is {encoding}, not UTF-8", encoding=encoding)
    return [
        LogFinding(
            name,
            1,
            text="",
            kind="encoding",
            reason=reason,
            mend=mend,
            safe=safe,
        )
    ]


def _file_faults(snapshot: LeagueSnapshot, name: str) -> list[LogFinding]:
    if name in snapshot.large:
        return [unreadable(name, snapshot.large[name])]
    try:
        encoding = as_utf8(snapshot.files.get(name, b"")).encoding
    except EncodingError as error:
        return [unreadable(name, str(error))]
    return _other_encoding(name, encoding, _("save it as UTF-8"))


def _league_faults(snapshot: LeagueSnapshot) -> Iterator[LogFinding]:
    for fault in snapshot.unusable:
        if fault.file == LEAGUE_FILE and fault.lost:
            yield _unusable(fault)
            return
    if problem := toml_problem(snapshot):
        outcome = next(fault.outcome for fault in snapshot.unusable if fault.file == LEAGUE_FILE)
        mend = _("correct league.toml; until then {outcome}", outcome=outcome)
        yield LogFinding(
            problem.file,
            problem.line,
            text=problem.text,
            kind="league",
            reason=problem.reason,
            mend=mend,
        )
        return
    yield from _file_faults(snapshot, LEAGUE_FILE)
    text = snapshot.text(LEAGUE_FILE)
    lines = text.splitlines()
    for strange in strange_keys(text):
        mend = _("take it out, or make it a remark (#)")
        if strange.meant:
            mend = _("write `{meant}`", meant=strange.meant)
        reason = _(
            "{where}: unknown key {key!r}: it says nothing", where=strange.where, key=strange.key
        )
        quoted = ""
        if 0 < strange.line <= len(lines):
            quoted = lines[strange.line - 1].strip()
        yield LogFinding(
            LEAGUE_FILE, strange.line, text=quoted, kind="key", reason=reason, mend=mend
        )


def _text_faults(snapshot: LeagueSnapshot, logs: Mapping[str, RoomLog]) -> Iterator[LogFinding]:
    text = snapshot.text(RATING_FILE)
    league = snapshot.league
    starts, odd = parse_ratings(text)
    met = {player for log in logs.values() for game in log.games for player in game.players}
    known = {league.player_of(player) for player in met} | set(league.players)
    lines = text.splitlines()
    for name in starts:
        if met and league.player_of(name) not in known:
            number = _line_of_player(lines, name)
            quoted = lines[number - 1].strip() if number else name
            reason = _("nobody plays as {name}", name=name)
            mend = _(
                "write the name as Tenhou has it, or add it to a player's aliases in league.toml"
            )
            yield LogFinding(
                RATING_FILE, number, text=quoted, kind="unknown", reason=reason, mend=mend
            )
    reason = _("not `player R games`")
    mend = _("write player, rating and games")
    for number, line in odd:
        yield LogFinding(
            RATING_FILE, number, text=line, kind="unreadable", reason=reason, mend=mend
        )
    for problem in team_log_problems(snapshot):
        kind = "unreadable"
        mend = _("write it as `2026-11-03 | 東 南 西 北 | o x o`")
        if problem.reason == SAME_TWICE:
            kind = "same"
            mend = _("write four different players")
        yield LogFinding(
            TEAM_LOG, problem.line, problem.text, kind=kind, reason=problem.reason, mend=mend
        )


def _rooms_without_games(
    snapshot: LeagueSnapshot, logs: Mapping[str, RoomLog]
) -> Iterator[LogFinding]:
    """Yield the rooms of league.toml that no game of the logs has; none where there is no game."""
    played = Counter(game.room for log in logs.values() for game in log.games)
    if not played:
        return
    text = snapshot.text(LEAGUE_FILE)
    lines = text.splitlines()
    for room in dict.fromkeys(snapshot.league.rooms):
        if room in played:
            continue
        number = next(
            (n for n, line in enumerate(lines, 1) if _names_room(line, room)),
            0,
        )
        quoted = lines[number - 1].strip() if number else ""
        reason = _("no game was played in {room}", room=room)
        mend = _("correct the room's number, or take it out (rooms) if nobody will play there")
        yield LogFinding(
            LEAGUE_FILE, number, text=quoted, kind="empty_room", reason=reason, mend=mend
        )


def _names_room(line: str, room: str) -> bool:
    return f'"{room}"' in line or f"'{room}'" in line


def _line_of_player(lines: Sequence[str], player: str) -> int:
    """The line of rating.txt (from 1) that begins with this name; 0 where there is none."""
    for number, line in enumerate(lines, 1):
        words = line.replace(",", " ").split()
        if words and canonical_name(words[0]) == player:
            return number
    return 0


def _players(logs: Mapping[str, RoomLog], league: League) -> Iterator[LogFinding]:
    lines = [
        (name, line, line.game) for name, log in logs.items() for line in log.lines if line.game
    ]
    games = Counter(
        player for _, _, game in lines for player in game.players if not is_guest(player)
    )
    known = {
        *league.players,
        *(alias.name for player in league.players.values() for alias in player.aliases),
    }
    met: set[frozenset[str]] = set()
    for _log, _line, game in lines:
        met |= {frozenset((a, b)) for a in game.players for b in game.players}
    for player, count in games.items():
        if player in known:
            continue
        near = [
            other
            for other in games
            if other != player
            and (games[other], other) > (count, player)
            and _alike(player, other)
            and frozenset((player, other)) not in met
        ]
        if not near and not league.players:
            continue
        first, line = next((name, line) for name, line, game in lines if player in game.players)
        said = {"player": player, "count": count}
        if near:
            other = max(near, key=lambda name: games[name])
            said |= {"other": other, "more": games[other]}
            reason = _(
                "{player} ({count} games) looks like {other} ({more}): typed wrong, or renamed"
            )
            mend = _('correct the name, or add "{player}" to the aliases of {other} in league.toml')
        else:
            reason = _("{player} ({count} games) is no player of league.toml")
            mend = _(
                'add [player."{player}"] to league.toml, or the name to the aliases of who that is'
            )
        reason = reason.format(**said)
        mend = mend.format(**said)
        kind = "renamed" if near else "unknown"
        yield LogFinding.of(first, line, kind=kind, reason=reason, mend=mend)


def _alike(one: str, other: str) -> bool:
    """Return whether two names are likely one person's: equal but for width, case and dashes, or
    (from three characters on) one edit apart."""
    a, b = (
        unicodedata.normalize("NFKC", name).casefold().translate(_DASHES) for name in (one, other)
    )
    if a == b:
        return True
    if min(len(a), len(b)) < 3 or abs(len(a) - len(b)) > 1:
        return False
    start = next(
        (
            i
            for i, (x, y) in enumerate(
                zip(
                    a,
                    b,
                    strict=False,
                )
            )
            if x != y
        ),
        min(len(a), len(b)),
    )
    if len(a) == len(b):  # one character was changed, or two neighbours were swapped
        neighbours = a[start : start + 2]
        swapped = a[:start] + neighbours[::-1] + a[start + 2 :]
        return a[start + 1 :] == b[start + 1 :] or swapped == b
    short, long = sorted((a, b), key=len)
    return short[start:] == long[start + 1 :]


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file's bytes before and after; `old` is empty for a new file."""

    name: str
    old: bytes
    new: bytes

    def __str__(self) -> str:
        return difference(self.name, self.old, self.new)


@dataclass(frozen=True, slots=True)
class Mend:
    """A step: the files to write, in this order, and the question to the admin."""

    question: str
    files: tuple[FileChange, ...]


def mend(
    checked: Checked,
    look: Callable[[], Checked],
    write: Callable[[Mend], bool],
) -> Checked:
    """Make the safe mends one after the other, and return what `look` finds afterwards. `write`
    does a step, or returns False where it is not wanted."""
    declined: set[str] = set()
    # Twice, because where a date was typed onto a second copy, the date gets its own line first.
    for stage in (_within_logs, _within_logs, _between_logs, _within_logs):
        asked = set(declined)
        while step := next((step for step in stage(checked) if step.question not in asked), None):
            asked.add(step.question)
            if write(step):
                checked = look()
            else:
                declined.add(step.question)
    return checked


def _within_logs(checked: Checked) -> Iterator[Mend]:
    for name, log in checked.logs.items():
        doubles = {
            f.line for f in checked.findings if f.file == name and f.kind == "twice" and f.safe
        }
        old = log.to_bytes()
        new = mended(log, doubles)
        if old != new:
            yield Mend(_("Write {name}?", name=name), (FileChange(name, old, new),))


def _between_logs(checked: Checked) -> Iterator[Mend]:
    for move in checked.moves:
        if move.after is not None:
            count = sum(line.glued is None for line in move.lines)
            games = _("1 game") if count == 1 else _("{count} games", count=count)
            told = _("Move {games} from {source} to {target}?")
            changes = tuple(
                map(
                    FileChange,
                    (move.target, move.source),
                    move.before,
                    move.after,
                )
            )
            yield Mend(
                told.format(games=games, source=move.source, target=move.target),
                changes,
            )


def mended(log: RoomLog, doubles: Collection[int]) -> bytes:
    """Return the log after the safe mends, as UTF-8; one that can't be read stays. The lines in
    `doubles` (numbers) are removed, glued dates get a line of their own, games get Tenhou's form,
    and the last line its end.
    """
    if log.refused:
        return log.to_bytes()
    newline = b"\r\n" if log.lines and log.lines[0].raw.endswith(b"\r\n") else b"\n"
    result = bytearray()
    for line in log.lines:
        if line.number in doubles:
            continue
        result += _mended_line(line, newline)
    if result and not result.endswith((b"\n", b"\r")):
        result += newline
    return bytes(result)


def _mended_line(line: LogLine, newline: bytes) -> bytes:
    """The line in Tenhou's form, with its date on a line of its own."""
    body = line.before_date
    rest = line.raw[len(body) :]
    if form := tenhou_form(line):
        indent = line.raw[: len(line.raw) - len(line.raw.lstrip())]
        if line.raw.startswith(BOM_UTF8):
            indent = BOM_UTF8
        body = indent + form.encode()
    if line.glued:
        rest = newline + rest.lstrip()
    return body + rest


def difference(name: str, old: bytes, new: bytes) -> str:
    before, after = (as_text(data).splitlines() for data in (old, new))
    changed = _("{name} (mended)", name=name)
    lines = "\n".join(
        difflib.unified_diff(
            before,
            after,
            name,
            changed,
            lineterm="",
            n=1,
        )
    )
    return lines or (
        _("{name}: the same text in another encoding", name=name) if old != new else ""
    )
