"""Find what is wrong or doubtful in a log folder, with file, line, text and a suggested mend (`flask league
check`)."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from gettext import gettext as _

from bot.league.check_doubles import doubles
from bot.league.check_encoding import encoding_faults, file_faults, unreadable
from bot.league.check_log import LogFinding, check_log
from bot.league.check_names import ignored
from bot.league.check_seasons import Move, in_wrong_seasons, misplaced
from bot.league.corrections import with_remembered
from bot.league.files import LEAGUE_FILE, PAIFU_LOG, RATING_FILE, TEAM_LOG
from bot.league.in_force import read_files, refusals
from bot.league.league_folder import look_in_force
from bot.league.snapshot import league_problem, same_twice, unread_logs
from rating.encoding import as_text
from rating.folder import parse_logs
from rating.league import League
from rating.league_file import parse_ratings, strange_keys
from rating.logdates import JST
from rating.roomlog import RoomLog, is_guest
from rating.teamlog import parse as parse_teamlog
from storage.ports import LogSource


@dataclass(frozen=True, slots=True)
class Checked:
    """The findings in order of file and line, and the season logs they were found in, by file name.

    `moves` are the games that stand in another season's log than theirs.
    """

    findings: tuple[LogFinding, ...]
    logs: Mapping[str, RoomLog]
    moves: tuple[Move, ...] = ()


def check_folder(
    logs: LogSource, today: date | None = None, offered: Mapping[date, Sequence[bytes]] | None = None
) -> Checked:
    """Check the folder's season logs, league.toml, rating.txt and teamlog.txt, and the names of its files.

    `today` is the day in Japan. `offered` are the lines that Tenhou is known to offer, by day. Raises
    StorageError when the folder cannot be read.
    """
    listing = logs.changes()
    names = listing.files
    league, found = _league(logs)
    league = league.with_logs(names)
    files, large = read_files(logs, [season.log for season in league.seasons if season.log in names])
    refused = refusals(files, large)
    found += [unreadable(name, reason) for name, reason in refused.items()]
    usable = {name: data for name, data in files.items() if name not in refused}
    today = today or datetime.now(JST).date()
    parsed = parse_logs(league, usable, today)
    found += [f for log in parsed.values() for f in (*encoding_faults(log), *check_log(log, league))]
    found += doubles(parsed, league, with_remembered(logs, offered or {}))
    moves = misplaced(parsed, league, today, locked=refused)
    found += in_wrong_seasons(moves)
    found += ignored(names, listing.folders)
    found += _players(parsed, league)
    found += [
        LogFinding(
            p.file,
            p.line,
            text=p.text,
            kind="unread",
            reason=p.reason,
            mend=_("put all games of a season into one file"),
        )
        for p in unread_logs(league, names)
    ]
    texts, large = read_files(logs, [name for name in (RATING_FILE, TEAM_LOG, PAIFU_LOG) if name in names])
    found += [unreadable(name, reason) for name, reason in large.items()]
    found += [*file_faults(texts), *_ratings(texts, parsed, league), *_sessions(texts, league)]
    return Checked(tuple(sorted(found, key=lambda f: (f.file, f.line))), parsed, moves)


def _ratings(texts: Mapping[str, bytes], logs: Mapping[str, RoomLog], league: League) -> Iterator[LogFinding]:
    """Yield what is wrong in rating.txt."""
    text = as_text(texts.get(RATING_FILE, b""))
    starts, odd = parse_ratings(text)
    yield from _starts(text, starts, logs, league)
    mend = _("write player, rating and games")
    for n, line in odd:
        yield LogFinding(
            RATING_FILE, n, text=line, kind="unreadable", reason=_("not `player R games`"), mend=mend
        )


def _sessions(texts: Mapping[str, bytes], league: League) -> Iterator[LogFinding]:
    """Yield what is wrong in teamlog.txt."""
    sessions, odd = parse_teamlog(as_text(texts.get(TEAM_LOG, b"")))
    mend = _("write it as `2026-11-03 | 東 南 西 北 | o x o`")
    for p in odd:
        yield LogFinding(p.file, p.line, text=p.text, kind="unreadable", reason=p.reason, mend=mend)
    for p in same_twice(league, sessions):
        mend = _("write four different players")
        yield LogFinding(p.file, p.line, text=p.text, kind="same", reason=p.reason, mend=mend)


def _league(logs: LogSource) -> tuple[League, list[LogFinding]]:
    """Return the league in force, and what is wrong with league.toml."""
    found = look_in_force(logs)
    files = read_files(logs, [LEAGUE_FILE])[0]
    text = as_text(files.get(LEAGUE_FILE, b""))
    if found.error is None or found.unusable is None:
        return found.league, [*file_faults(files), *_strange_keys(text)]
    fault = league_problem(found.error, text)
    mend = _("correct league.toml; until then {outcome}").format(outcome=found.unusable.outcome)
    return found.league, [
        LogFinding(fault.file, fault.line, text=fault.text, kind="league", reason=fault.reason, mend=mend)
    ]


def _strange_keys(text: str) -> Iterator[LogFinding]:
    """Yield the keys of league.toml that nobody reads. Most likely they are typing errors."""
    lines = text.splitlines()
    for strange in strange_keys(text):
        mend = (
            _("write `{meant}`").format(meant=strange.meant)
            if strange.meant
            else _("take it out, or make it a remark (#)")
        )
        reason = _("{where}: unknown key {key!r}: it says nothing").format(
            where=strange.where, key=strange.key
        )
        quoted = lines[strange.line - 1].strip() if 0 < strange.line <= len(lines) else ""
        yield LogFinding(LEAGUE_FILE, strange.line, text=quoted, kind="key", reason=reason, mend=mend)


def _starts(
    text: str, starts: Mapping[str, object], logs: Mapping[str, RoomLog], league: League
) -> Iterator[LogFinding]:
    """Yield the names of rating.txt under which nobody plays."""
    met = {player for log in logs.values() for game in log.games for player in game.players}
    known = {league.player_of(player) for player in met} | set(league.players)
    lines = text.splitlines()
    for name in starts:
        if met and league.player_of(name) not in known:
            number = next((n for n, line in enumerate(lines, 1) if line.split()[:1] == [name]), 0)
            quoted = lines[number - 1].strip() if number else name
            mend = _("write the name as Tenhou has it, or add it to a player's aliases in league.toml")
            yield LogFinding(
                RATING_FILE,
                number,
                text=quoted,
                kind="unknown",
                reason=_("nobody plays as {name}").format(name=name),
                mend=mend,
            )


def _players(logs: Mapping[str, RoomLog], league: League) -> Iterator[LogFinding]:
    """Yield names that are no player's, and names that look like another's (typed wrong, or renamed)."""
    lines = [(name, line) for name, log in logs.items() for line in log.lines if line.game]
    games = Counter(p for _, line in lines if line.game for p in line.game.players if not is_guest(p))
    known = {*league.players, *(alias.name for player in league.players.values() for alias in player.aliases)}
    met = {
        frozenset((a, b))
        for _, line in lines
        if line.game
        for a in line.game.players
        for b in line.game.players
    }
    for player, count in games.items():
        if player in known:
            continue
        near = [
            other for other in games
            if other != player and (games[other], other) > (count, player)
            and _alike(player, other) and frozenset((player, other)) not in met
        ]  # fmt: skip
        if not near and not league.players:
            continue
        first, line = next((name, ln) for name, ln in lines if ln.game and player in ln.game.players)
        if near:
            other = max(near, key=lambda name: games[name])
            reason = _(
                "{player} ({count} games) looks like {other} ({more}): typed wrong, or renamed"
            ).format(player=player, count=count, other=other, more=games[other])
            mend = _('correct the name, or add "{player}" to the aliases of {other} in league.toml').format(
                player=player, other=other
            )
            yield LogFinding.of(first, line, kind="renamed", reason=reason, mend=mend)
        else:
            reason = _("{player} ({count} games) is no player of league.toml").format(
                player=player, count=count
            )
            mend = _(
                'add [player."{player}"] to league.toml, or the name to the aliases of who that is'
            ).format(player=player)
            yield LogFinding.of(first, line, kind="unknown", reason=reason, mend=mend)


def _alike(one: str, other: str) -> bool:
    """Return whether two names are likely one person's.

    They are if they are equal without regard to width, case and dashes, or (from three characters on) one
    edit apart.
    """
    a, b = _plain(one), _plain(other)
    if a == b:
        return True
    return min(len(a), len(b)) >= 3 and _one_edit(a, b)


def _plain(name: str) -> str:
    return (
        unicodedata.normalize("NFKC", name).casefold().replace("ー", "-").replace("―", "-").replace("−", "-")
    )


def _one_edit(a: str, b: str) -> bool:
    """Return whether one character was changed, added or left out, or two neighbours were swapped."""
    if abs(len(a) - len(b)) > 1:
        return False
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    if len(a) == len(b):
        swapped = a[:start] + a[start + 1 : start + 2] + a[start : start + 1] + a[start + 2 :]
        return a[start + 1 :] == b[start + 1 :] or swapped == b
    short, long = sorted((a, b), key=len)
    return short[start:] == long[start + 1 :]
