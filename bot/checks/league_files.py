"""Check the files of the only league's folder."""

from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta

from bot.checks.parts import CheckedParts
from bot.league.check import check_folder, ignored
from bot.league.snapshot import LeagueSnapshot
from bot.runtime.finding import Code, Finding, good, trouble
from bot.runtime.translation import message as _, untranslated
from bot.sync.own_results import all_offered

SHOWN = 20  # how many unreadable lines are listed one by one
AHEAD = timedelta(days=180)  # a season that begins later is a slip


def check_league(parts: CheckedParts) -> Iterator[Finding]:
    """Yield what needs a fix in the folder's files, line by line. Raises StorageError."""
    snapshot = parts.registry.league().snapshot()
    for unusable in snapshot.unusable:
        code: Code = "unreadable"
        if unusable.lost:
            code = "lost"
        yield trouble("league", code, untranslated(unusable))
    if not snapshot.logs and not snapshot.refused:
        yield from _no_logs(parts)
        return
    yield from _unreadable_lines(snapshot)
    yield from _left_out_rooms(snapshot)
    yield from _distant_seasons(snapshot, parts.now().date())
    report = check_folder(parts.stores.open_logs(), offered=all_offered(parts.state))
    count = len(report.findings)
    message = _("nothing to mend in the logs")
    if count:
        message = _("{count} things to look at: see `flask league check`", count=count)
    yield good("league", message)


def _no_logs(parts: CheckedParts) -> Iterator[Finding]:
    """Yield that the folder has no log, and the files that are ignored because of their names."""
    message = _("the folder has no logvolN.txt; put the season's log there, or run `flask sync`")
    yield trouble("league", "missing", message)
    logs = parts.stores.open_logs()
    for finding in ignored(logs.revisions(), logs.folders()):
        text = f"{finding.file}: {finding.reason}; {finding.mend}"
        yield trouble("league", "elsewhere", untranslated(text))


def _unreadable_lines(snapshot: LeagueSnapshot) -> Iterator[Finding]:
    reported = {unusable.file for unusable in snapshot.unusable}
    problems = [problem for problem in snapshot.problems if problem.file not in reported]
    for problem in problems[:SHOWN]:
        place = f"{problem.file}:{problem.line}: {problem.reason}: {problem.text}"
        yield trouble("league", "unreadable", untranslated(place.strip(" :")))
    if len(problems) > SHOWN:
        message = _(
            "{count} more lines can't be read: see `flask league check`",
            count=len(problems) - SHOWN,
        )
        yield trouble("league", "unreadable", message)


def _left_out_rooms(snapshot: LeagueSnapshot) -> Iterator[Finding]:
    games = [game for log in snapshot.logs.values() for game in log.games]
    left_out = Counter(game.room for game in games if game.room not in snapshot.league.rooms)
    if snapshot.league.rooms and left_out.total() * 10 > len(games):
        message = _(
            "`rooms` of league.toml leaves out {count} of {games} games: {rooms}; add the rooms, or take the "
            "games out of the logs",
            count=left_out.total(),
            games=len(games),
            rooms=", ".join(f"{room} ({count})" for room, count in left_out.most_common(5)),
        )
        yield trouble("league", "elsewhere", message)


def _distant_seasons(snapshot: LeagueSnapshot, today: date) -> Iterator[Finding]:
    for season in snapshot.league.seasons:
        if season.start and season.start.date() > today + AHEAD:
            message = _(
                "league.toml: season {name} begins on {start}, far in the future: is the year right?",
                name=season.name or season.number,
                start=season.start.date(),
            )
            yield trouble("league", "malformed", message)
