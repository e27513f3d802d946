"""Give a member who wants to be forgotten another name in all files of a league. Former versions of
the files stay as they are.
"""

import gzip
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from bot.league.files import LEAGUE_FILE, PAIFU_LOG, RATING_FILE, TEAM_LOG, change, paifu_file
from bot.league.snapshot import LeagueSnapshot
from rating.encoding import as_utf8
from rating.league_edit import Forgotten, apply
from rating.league_file import decoded
from rating.models import MODELS
from rating.names import canonical_name
from rating.paifu.formats import rename_player
from rating.paifu.tiles import PaifuError
from rating.roomlog import LogLine, RoomLog
from storage.ports import LogSource, NotFound

FORMER = "退会者"
_POINTS = re.compile("[(（][^(（]*$")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"?')  # in a line that was cut, the last one is open


def unused_name(snapshot: LeagueSnapshot) -> str:
    """退会者1, or the next number that no player has."""
    used_names = set(snapshot.league.players)
    for game in snapshot.all_games():
        used_names.update(game.players)
    number = 1
    while f"{FORMER}{number}" in used_names:
        number += 1
    return f"{FORMER}{number}"


def rename(
    logs: LogSource, snapshot: LeagueSnapshot, player: str, new: str, now: datetime
) -> list[str]:
    """Write `new` for a member (a name on Tenhou) and the member's other names; return the files
    changed. league.toml comes last, so that a run that was stopped can be done again."""
    member = snapshot.league.players.get(player)
    names = {player}
    if member is not None:
        names.update(alias.name for alias in member.aliases)
    renaming = _Renaming(logs, snapshot, player, names, new, now)
    renaming.write_season_logs()
    renaming.write_lists()
    renaming.write_records()
    if member is not None:
        renaming.write_league_file()
    return renaming.changed


@dataclass(frozen=True)
class _Renaming:
    """Writes `new` in the files of a folder for the member `player`, who has these names.
    `changed` lists the files that it changed."""

    logs: LogSource
    snapshot: LeagueSnapshot
    player: str
    names: set[str]
    new: str
    now: datetime
    changed: list[str] = field(default_factory=list)

    def _write(self, file: str, renamed: Callable[[bytes], bytes], keeping: bool = True) -> None:
        """Change a file that the snapshot has. `renamed` returns its new bytes."""
        before = self.snapshot.files.get(file)
        if before is None:
            return
        if change(self.logs, file, renamed, self.now, keeping=keeping) != before:
            self.changed.append(file)

    def write_season_logs(self) -> None:
        for name, log in self.snapshot.logs.items():
            self._write(name, partial(self._renamed_log, log))

    def _renamed_log(self, log: RoomLog, data: bytes) -> bytes:
        """The log with `new` on the lines where the name is the member's on that day."""
        names_by_line = {line.raw: self._names_on(line) for line in log.lines}
        renamed = []
        for raw in as_utf8(data).data.splitlines(keepends=True):
            names = names_by_line.get(raw, set())
            renamed.append(_renamed_words(raw, names, self.new, _before_points))
        return b"".join(renamed)

    def _names_on(self, line: LogLine) -> set[str]:
        """The names on a line that are the member's on its day."""
        league = self.snapshot.league
        names = _players_of(line)
        return {name for name in names if league.player_of(name, line.day) == self.player}

    def write_lists(self) -> None:
        """Write the team log and the ratings before the first game."""
        for name in (TEAM_LOG, RATING_FILE):
            self._write(name, self._renamed_list)

    def _renamed_list(self, data: bytes) -> bytes:
        return _renamed_words(as_utf8(data).data, self.names, self.new, _before_comma)

    def write_records(self) -> None:
        """Write the records of the member's games, then the log of all records."""
        for entry in self.snapshot.paifus:
            players = {name for name, _counts in entry.statistics.players}
            if not players.isdisjoint(self.names):
                _rename_record(self.logs, paifu_file(entry.file), self.names, self.new)
        self._write(PAIFU_LOG, self._renamed_json, keeping=False)

    def _renamed_json(self, data: bytes) -> bytes:
        return _renamed_texts(data, self.names, self.new)

    def write_league_file(self) -> None:
        self._write(LEAGUE_FILE, self._renamed_toml)

    def _renamed_toml(self, data: bytes) -> bytes:
        edit = Forgotten(self.player, self.new)
        return apply(decoded(data), edit, list(MODELS)).encode()


def _players_of(line: LogLine) -> tuple[str, ...]:
    if line.game is not None:
        return line.game.players
    return (line.fine.player,) if line.fine is not None else ()


def _before_points(word: str) -> str:
    """The name in a word of a season log: what is before the last bracket."""
    match = _POINTS.search(word)
    return word[: match.start()] if match else ""


def _before_comma(word: str) -> str:
    """The name in a word of another file."""
    return word.partition(",")[0]


def _renamed_words(
    data: bytes,
    names: set[str],
    new: str,
    name_in: Callable[[str], str],
) -> bytes:
    """The bytes with `new` for each of the names; `name_in` returns the name that a word begins
    with.
    """
    words = re.split(r"(\s+)", data.decode("utf-8", "surrogateescape"))
    for index, word in enumerate(words):
        name = name_in(word)
        if canonical_name(name) in names:
            words[index] = new + word[len(name) :]
    return "".join(words).encode("utf-8", "surrogateescape")


def _renamed_texts(data: bytes, names: set[str], new: str) -> bytes:
    """JSON with `new` for each text that is one of the names."""

    def replaced(quoted: re.Match[str]) -> str:
        try:
            name = json.loads(quoted[0])
        except ValueError:  # in a line that was cut
            return quoted[0]
        if canonical_name(name) not in names:
            return quoted[0]
        return json.dumps(new)

    text = data.decode("utf-8", "surrogateescape")
    return _QUOTED.sub(replaced, text).encode("utf-8", "surrogateescape")


def _rename_record(logs: LogSource, file: str, names: set[str], new: str) -> None:
    """Write `new` for the names in a record's bytes. Bytes that are no record are removed: nobody
    can read them, and they may contain the names."""
    try:
        data = rename_player(logs.read(file).data, names, new)
    except NotFound:
        return
    except PaifuError:
        logs.remove(file)
        return
    logs.overwrite(file, gzip.compress(data, mtime=0))
