"""Give a member who wants to be forgotten another name in all files of a league; former versions
are kept.
"""

import gzip
import json
import re
from collections.abc import Callable
from datetime import datetime

from bot.league.files import LEAGUE_FILE, PAIFU_LOG, RATING_FILE, TEAM_LOG, change, paifu_file
from bot.league.snapshot import LeagueSnapshot
from rating.encoding import as_utf8
from rating.league_edit import Forgotten, apply
from rating.league_file import decoded
from rating.models import MODELS
from rating.names import canonical_name
from rating.paifu.formats import rename_player
from rating.paifu.tiles import PaifuError
from rating.roomlog import LogLine
from storage.ports import LogSource, NotFound

FORMER = "退会者"
_POINTS = re.compile("[(（][^(（]*$")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"?')  # in a line that was cut, the last one is open


def unused_name(snapshot: LeagueSnapshot) -> str:
    """退会者1, or the next number that no player has."""
    taken = set(snapshot.league.players)
    for game in snapshot.all_games():
        taken.update(game.players)
    number = 1
    while f"{FORMER}{number}" in taken:
        number += 1
    return f"{FORMER}{number}"


def rename(
    logs: LogSource, snapshot: LeagueSnapshot, player: str, new: str, now: datetime
) -> list[str]:
    """Write `new` for a member (a name on Tenhou) and the member's other names; return the files
    changed. league.toml comes last, so that a run that was stopped can be done again."""
    league = snapshot.league
    changed: list[str] = []
    known = league.players.get(player)
    names = {player, *(alias.name for alias in known.aliases)} if known else {player}

    def write(
        file: str,
        renamed: Callable[[bytes], bytes],
        keeping: bool = True,
    ) -> None:
        old = snapshot.files.get(file)
        if old is not None and change(logs, file, renamed, now, keeping=keeping) != old:
            changed.append(file)

    def lines_of(data: bytes, seen: tuple[LogLine, ...]) -> bytes:
        mine = {
            line.raw: {
                name for name in _players_of(line) if league.player_of(name, line.day) == player
            }
            for line in seen
        }
        return b"".join(
            _words(line, mine.get(line, set()), new, _before_points)
            for line in as_utf8(data).data.splitlines(keepends=True)
        )

    for name, log in snapshot.logs.items():
        write(name, lambda data, log=log: lines_of(data, log.lines))  # type: ignore[misc]
    for name in (TEAM_LOG, RATING_FILE):
        write(
            name,
            lambda data: _words(
                as_utf8(data).data, names, new, lambda word: word.partition(",")[0]
            ),
        )
    for entry in snapshot.paifus:
        if names.intersection(name for name, _ in entry.statistics.players):
            _rename_record(logs, paifu_file(entry.file), names, new)
    write(PAIFU_LOG, lambda data: _quoted(data, names, new), keeping=False)
    if known:
        edit = Forgotten(player, new)
        write(
            LEAGUE_FILE,
            lambda data: apply(decoded(data), edit, list(MODELS)).encode(),
        )
    return changed


def _players_of(line: LogLine) -> tuple[str, ...]:
    if line.game is not None:
        return line.game.players
    return (line.fine.player,) if line.fine is not None else ()


def _before_points(word: str) -> str:
    """The name in a word of a season log: what is before the last bracket."""
    match = _POINTS.search(word)
    return word[: match.start()] if match else ""


def _words(
    data: bytes,
    names: set[str],
    new: str,
    name_in: Callable[[str], str],
) -> bytes:
    """The bytes with `new` for each of the names; `name_in` returns the name that a word begins
    with.
    """
    words = re.split(r"(\s+)", data.decode("utf-8", "surrogateescape"))
    for at, word in enumerate(words):
        name = name_in(word)
        if canonical_name(name) in names:
            words[at] = new + word[len(name) :]
    return "".join(words).encode("utf-8", "surrogateescape")


def _quoted(data: bytes, names: set[str], new: str) -> bytes:
    """JSON with `new` for each text that is one of the names."""

    def replaced(quoted: re.Match[str]) -> str:
        try:
            name = json.loads(quoted[0])
        except ValueError:  # in a line that was cut
            return quoted[0]
        return json.dumps(new) if canonical_name(name) in names else quoted[0]

    text = data.decode("utf-8", "surrogateescape")
    return _QUOTED.sub(replaced, text).encode("utf-8", "surrogateescape")


def _rename_record(logs: LogSource, file: str, names: set[str], new: str) -> None:
    """Write `new` for the names in a record's bytes. Bytes that are no record are removed: nobody
    can read them, and they may hold the names."""
    try:
        data = rename_player(logs.read(file).data, names, new)
    except NotFound:
        return
    except PaifuError:
        logs.remove(file)
        return
    logs.overwrite(file, gzip.compress(data, mtime=0))
