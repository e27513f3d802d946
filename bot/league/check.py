"""Find what is wrong or doubtful in a log folder, and make the safe corrections one by one (`flask
league check`).

A correction is written after it was shown. A step that moves games first writes the log they are
moved to: a crash leaves games in both logs, which the next check corrects. Shown by
tests/league/test_check.py (test_games_in_both_logs_after_a_crash_are_corrected).
"""

from __future__ import annotations

import difflib
import json
import re
import unicodedata
from codecs import BOM_UTF8
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from operator import attrgetter
from typing import NamedTuple

from bot.league.check_logs import (
    FindingKind,
    LogFinding,
    Move,
    check_log,
    doubles,
    in_wrong_seasons,
    misplaced,
)
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
_LOG = re.compile(
    _BEGIN + r"logvol[\s_.-]*(?P<number>[0-9]*)(?!.*\.(png|jpe?g|pdf|xlsx?|csv|zip)$)"
)
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
    """The findings in order of file and line, and the usable season logs. `moves` are the games in
    the log of another season; `acknowledged` is the number of findings omitted because an admin
    acknowledged them."""

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
    refused = {fault.file for fault in snapshot.refused}
    usable = {name: log for name, log in snapshot.logs.items() if name not in refused}
    moves = misplaced(usable, snapshot.league, today, locked=refused)
    findings = [
        *_league_faults(snapshot),
        *map(_unusable, snapshot.refused),
        *_log_faults(usable, snapshot.league),
        *doubles(usable, snapshot.league, with_remembered(logs, offered or {})),
        *in_wrong_seasons(moves),
        *ignored(logs.revisions(), logs.folders()),
        *_players(usable, snapshot.league),
        *_rooms_without_games(snapshot, usable),
        *_second_logs(snapshot),
        *_other_file_faults(snapshot),
        *_text_faults(snapshot, usable),
    ]
    shown = _without_acknowledged(findings, _acknowledged(current(logs, ACKNOWLEDGED).data))
    shown_moves = [move for move in moves if _is_shown(move, shown)]
    return Checked(tuple(shown), usable, tuple(shown_moves), len(findings) - len(shown))


def _is_shown(move: Move, shown: Collection[LogFinding]) -> bool:
    """Whether a finding of the move was not acknowledged."""
    return any(finding in shown for finding in in_wrong_seasons([move]))


def _log_faults(logs: Mapping[str, RoomLog], league: League) -> Iterator[LogFinding]:
    mend = _("the first write saves it as UTF-8, as does --fix")
    for log in logs.values():
        yield from _other_encoding(log.name, log.encoding, mend, safe=True)
        yield from check_log(log, league)


def _other_file_faults(snapshot: LeagueSnapshot) -> Iterator[LogFinding]:
    for name in (RATING_FILE, TEAM_LOG, PAIFU_LOG):
        yield from _file_faults(snapshot, name)


def _second_logs(snapshot: LeagueSnapshot) -> Iterator[LogFinding]:
    """Yield the logs whose season has another log."""
    for problem in unread_logs(snapshot):
        yield LogFinding(
            problem.file,
            problem.line,
            text=problem.text,
            kind=FindingKind.UNREAD,
            reason=problem.reason,
            mend=_("put all games of a season into one file"),
        )


def _without_acknowledged(
    findings: Iterable[LogFinding], causes: Iterable[str]
) -> list[LogFinding]:
    """Return the findings by file and line, without one for each acknowledged cause."""
    acknowledged = Counter(causes)
    shown = []
    for finding in sorted(findings, key=attrgetter("file", "line")):
        if acknowledged[finding.cause] > 0:
            acknowledged[finding.cause] -= 1
        else:
            shown.append(finding)
    return shown


def acknowledge(logs: LogSource, findings: Iterable[LogFinding], replacing: bool = False) -> None:
    """Omit these findings from now on until their lines change; with `replacing`, only these.
    Raises StorageError."""
    causes = [finding.cause for finding in findings]

    def joined(data: bytes) -> bytes:
        earlier = [] if replacing else _acknowledged(data)
        return json.dumps(sorted(earlier + causes), ensure_ascii=False, indent=0).encode()

    change(logs, ACKNOWLEDGED, joined, datetime.now(UTC), keeping=False)


def _acknowledged(text: bytes) -> list[str]:
    """Return the acknowledged causes, none of a file that can't be read."""
    try:
        causes = json.loads(text)
    except ValueError:
        return []
    if not isinstance(causes, list):
        return []
    return [cause for cause in causes if isinstance(cause, str)]


def ignored(files: Iterable[str], folders: Iterable[str]) -> Iterator[LogFinding]:
    """Yield the files and folders whose names look like the league's but are not read: copies made
    by Dropbox, Syncthing, Windows and macOS, names in other letters, Notepad's second ending."""
    names = set(files)
    for name in sorted(names):
        intended = _intended_name(name)
        if intended and not is_read(name):
            mend = _("give it the name {meant} if it is that file, else another name")
            if intended in names:
                mend = _("take over into {meant} what it lacks, then remove {name}")
            reason = _("not read: its name is not a league's file's")
            yield _ignored(name, reason, mend.format(meant=intended, name=name))
    for name in sorted(filter(is_read, folders)):
        reason = _("not read: it is a folder, not a file")
        mend = _("give the folder another name, and take a file out of it that belongs here")
        yield _ignored(name, reason, mend)


def _intended_name(name: str) -> str:
    """Return the name of the league's file that a name looks like, "" for no such file."""
    plain = unicodedata.normalize("NFKC", name).casefold().strip()
    log = _LOG.search(plain)
    if log and log["number"]:
        return f"logvol{int(log['number'])}.txt"
    if log:
        return "logvolN.txt"
    for intended, pattern in _NAMED.items():
        if pattern.search(plain):
            return intended
    return ""


def _ignored(name: str, reason: str, mend: str) -> LogFinding:
    return LogFinding(name, 1, text="", kind=FindingKind.IGNORED, reason=reason, mend=mend)


def _unusable(fault: UnusableFile) -> LogFinding:
    if not fault.lost:
        return unreadable(fault.file, fault.reason)
    return LogFinding(
        fault.file,
        1,
        text="",
        kind=FindingKind.LOST,
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
    return LogFinding(name, 1, text="", kind=FindingKind.UNREADABLE, reason=reason, mend=mend)


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
            kind=FindingKind.ENCODING,
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
    problem = toml_problem(snapshot)
    if problem is not None:
        outcome = next(fault.outcome for fault in snapshot.unusable if fault.file == LEAGUE_FILE)
        mend = _("correct league.toml; until then {outcome}", outcome=outcome)
        yield LogFinding(
            problem.file,
            problem.line,
            text=problem.text,
            kind=FindingKind.LEAGUE,
            reason=problem.reason,
            mend=mend,
        )
        return
    yield from _file_faults(snapshot, LEAGUE_FILE)
    yield from _unknown_keys(snapshot.text(LEAGUE_FILE))


def _unknown_keys(text: str) -> Iterator[LogFinding]:
    """Yield the keys of a league.toml that mean nothing."""
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
            LEAGUE_FILE, strange.line, text=quoted, kind=FindingKind.KEY, reason=reason, mend=mend
        )


def _text_faults(snapshot: LeagueSnapshot, logs: Mapping[str, RoomLog]) -> Iterator[LogFinding]:
    """Yield the faulty lines of rating.txt and teamlog.txt."""
    text = snapshot.text(RATING_FILE)
    league = snapshot.league
    ratings = parse_ratings(text)
    players: set[str] = set()
    for log in logs.values():
        for game in log.games:
            players.update(game.players)
    canonical_players = {league.player_of(player) for player in players} | set(league.players)
    lines = text.splitlines()
    for name in ratings.starts:
        if players and league.player_of(name) not in canonical_players:
            number = _line_of_player(lines, name)
            yield _rating_finding(
                number,
                lines[number - 1].strip() if number else name,
                FindingKind.UNKNOWN,
                reason=_("nobody plays as {name}", name=name),
                mend=_(
                    "write the name as Tenhou has it, or add it to a player's aliases in league.toml"
                ),
            )
    reason = _("not `player R games`")
    mend = _("write player, rating and games")
    for number, line in ratings.odd:
        yield _rating_finding(number, line, FindingKind.UNREADABLE, reason, mend)
    yield from _team_log_faults(snapshot)


def _rating_finding(
    number: int, text: str, kind: FindingKind, reason: str, mend: str
) -> LogFinding:
    return LogFinding(RATING_FILE, number, text=text, kind=kind, reason=reason, mend=mend)


def _team_log_faults(snapshot: LeagueSnapshot) -> Iterator[LogFinding]:
    for problem in team_log_problems(snapshot):
        kind = FindingKind.UNREADABLE
        mend = _("write it as `2026-11-03 | 東 南 西 北 | o x o`")
        if problem.reason == SAME_TWICE:
            kind = FindingKind.SAME
            mend = _("write four different players")
        yield LogFinding(
            TEAM_LOG, problem.line, problem.text, kind=kind, reason=problem.reason, mend=mend
        )


def _rooms_without_games(
    snapshot: LeagueSnapshot, logs: Mapping[str, RoomLog]
) -> Iterator[LogFinding]:
    """Yield the rooms of league.toml without a game in the logs; none if the logs have no game."""
    played: Counter[str] = Counter()
    for log in logs.values():
        played.update(game.room for game in log.games)
    if not played:
        return
    text = snapshot.text(LEAGUE_FILE)
    lines = text.splitlines()
    for room in dict.fromkeys(snapshot.league.rooms):
        if room in played:
            continue
        number = _line_of_room(lines, room)
        quoted = lines[number - 1].strip() if number else ""
        reason = _("no game was played in {room}", room=room)
        mend = _("correct the room's number, or take it out (rooms) if nobody will play there")
        yield LogFinding(
            LEAGUE_FILE, number, text=quoted, kind=FindingKind.EMPTY_ROOM, reason=reason, mend=mend
        )


def _line_of_room(lines: Sequence[str], room: str) -> int:
    """Return the line of league.toml (from 1) with this room in quotes; 0 if there is none."""
    for number, line in enumerate(lines, 1):
        if f'"{room}"' in line or f"'{room}'" in line:
            return number
    return 0


def _line_of_player(lines: Sequence[str], player: str) -> int:
    """Return the line of rating.txt (from 1) that begins with this name; 0 if there is none."""
    for number, line in enumerate(lines, 1):
        words = line.replace(",", " ").split()
        if words and canonical_name(words[0]) == player:
            return number
    return 0


class _PlayerNames:
    """The names in the games of the logs: the number of games of each, its first line, and which
    names played each other."""

    def __init__(self, logs: Mapping[str, RoomLog]) -> None:
        self.games: Counter[str] = Counter()
        self._first_lines: dict[str, _GameLine] = {}
        self._opponents: dict[str, set[str]] = defaultdict(set)
        for log_name, log in logs.items():
            for line in log.lines:
                if line.game is not None:
                    self._add(_GameLine(log_name, line), line.game.players)

    def _add(self, line: _GameLine, players: Sequence[str]) -> None:
        for player in players:
            self._first_lines.setdefault(player, line)
            self._opponents[player].update(players)
            if not is_guest(player):
                self.games[player] += 1

    def finding(self, player: str, kind: FindingKind, reason: str, mend: str) -> LogFinding:
        """Return a finding at the player's first line."""
        first = self._first_lines[player]
        return LogFinding.of(first.log, first.line, kind=kind, reason=reason, mend=mend)

    def similar(self, player: str) -> str:
        """Return the similar name with the most games, if it has more than the player, and the two
        never played each other; "" if there is none."""
        names = [
            name
            for name in self.games
            if (self.games[name], name) > (self.games[player], player)
            and name not in self._opponents[player]
            and are_similar(player, name)
        ]
        return max(names, key=self.games.__getitem__, default="")


class _GameLine(NamedTuple):
    log: str
    line: LogLine


def _players(logs: Mapping[str, RoomLog], league: League) -> Iterator[LogFinding]:
    """Yield the names that are no player's: names similar to another, and unknown ones if
    league.toml lists the players."""
    names = _PlayerNames(logs)
    known_names = set(league.players)
    for member in league.players.values():
        known_names.update(alias.name for alias in member.aliases)
    for player, count in names.games.items():
        if player in known_names:
            continue
        similar = names.similar(player)
        if similar:
            reason = _(
                "{player} ({count} games) looks like {other} ({more}): typed wrong, or renamed",
                player=player,
                count=count,
                other=similar,
                more=names.games[similar],
            )
            mend = _(
                'correct the name, or add "{player}" to the aliases of {other} in league.toml',
                player=player,
                other=similar,
            )
            yield names.finding(player, FindingKind.RENAMED, reason, mend)
        elif league.players:
            reason = _(
                "{player} ({count} games) is no player of league.toml", player=player, count=count
            )
            mend = _(
                'add [player."{player}"] to league.toml, or the name to the aliases of who that is',
                player=player,
            )
            yield names.finding(player, FindingKind.UNKNOWN, reason, mend)


def are_similar(first: str, second: str) -> bool:
    """Return whether two names are likely one person's: equal except for width, case and dashes, or
    (from three characters on) different in one edit."""
    a = _comparable(first)
    b = _comparable(second)
    if a == b:
        return True
    if min(len(a), len(b)) < 3 or abs(len(a) - len(b)) > 1:
        return False
    start = _common_length(a, b)
    if len(a) == len(b):  # one character was changed, or two neighbours were swapped
        neighbours = a[start : start + 2]
        swapped = a[:start] + neighbours[::-1] + a[start + 2 :]
        return a[start + 1 :] == b[start + 1 :] or swapped == b
    short, long = sorted((a, b), key=len)
    return short[start:] == long[start + 1 :]


def _common_length(first: str, second: str) -> int:
    """Return the number of characters at the beginning that are equal."""
    for index, (a, b) in enumerate(zip(first, second, strict=False)):
        if a != b:
            return index
    return min(len(first), len(second))


def _comparable(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold().translate(_DASHES)


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
    """Make the safe corrections one after the other, and return the result of `look` afterwards.
    `write` writes a step, or returns False if the admin declines it."""
    declined: set[str] = set()
    # Twice, because where a date was typed onto a second copy, the date gets its own line first.
    for stage in (_within_logs, _within_logs, _between_logs, _within_logs):
        questions = set(declined)
        step = _next_step(stage(checked), questions)
        while step is not None:
            questions.add(step.question)
            if write(step):
                checked = look()
            else:
                declined.add(step.question)
            step = _next_step(stage(checked), questions)
    return checked


def _next_step(steps: Iterable[Mend], questions: Collection[str]) -> Mend | None:
    """Return the first step whose question is not among those already put."""
    for step in steps:
        if step.question not in questions:
            return step
    return None


def _within_logs(checked: Checked) -> Iterator[Mend]:
    for name, log in checked.logs.items():
        repeated = {
            finding.line
            for finding in checked.findings
            if finding.file == name and finding.kind == FindingKind.TWICE and finding.safe
        }
        old = log.to_bytes()
        new = mended(log, repeated)
        if old != new:
            yield Mend(_("Write {name}?", name=name), (FileChange(name, old, new),))


def _between_logs(checked: Checked) -> Iterator[Mend]:
    for move in checked.moves:
        if move.after is not None:
            count = sum(line.glued is None for line in move.lines)
            games = _("1 game") if count == 1 else _("{count} games", count=count)
            question = _("Move {games} from {source} to {target}?")
            yield Mend(
                question.format(games=games, source=move.source, target=move.target),
                (
                    FileChange(move.target, move.before.target, move.after.target),
                    FileChange(move.source, move.before.source, move.after.source),
                ),
            )


def mended(log: RoomLog, repeated: Collection[int]) -> bytes:
    """Return the log after the safe corrections, as UTF-8; one that can't be read does not change.
    The lines with the numbers `repeated` are removed, glued dates get a line of their own, games
    get Tenhou's form, and the last line gets its end.
    """
    if log.refused:
        return log.to_bytes()
    newline = b"\r\n" if log.lines and log.lines[0].raw.endswith(b"\r\n") else b"\n"
    result = bytearray()
    for line in log.lines:
        if line.number in repeated:
            continue
        result += _mended_line(line, newline)
    if result and not result.endswith((b"\n", b"\r")):
        result += newline
    return bytes(result)


def _mended_line(line: LogLine, newline: bytes) -> bytes:
    """Return the line in Tenhou's form, with its date on a line of its own."""
    body = line.before_date
    after_body = line.raw[len(body) :]
    form = tenhou_form(line)
    if form:
        indent = line.raw[: len(line.raw) - len(line.raw.lstrip())]
        if line.raw.startswith(BOM_UTF8):
            indent = BOM_UTF8
        body = indent + form.encode()
    if line.glued:
        after_body = newline + after_body.lstrip()
    return body + after_body


def difference(name: str, old: bytes, new: bytes) -> str:
    """Return the changed lines as a unified diff, a sentence if only the encoding differs."""
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
    if not lines and old != new:
        return _("{name}: the same text in another encoding", name=name)
    return lines
