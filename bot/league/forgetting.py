"""Give a member who wants to be forgotten another name in all files of a league; former versions
are kept.
"""

import gzip
import json
import re
from collections.abc import Callable
from datetime import datetime
from urllib.parse import quote

from bot.league.files import LEAGUE_FILE, PAIFU_LOG, RATING_FILE, TEAM_LOG, change, paifu_file
from bot.league.snapshot import LeagueSnapshot
from rating.encoding import as_utf8
from rating.league_edit import Forgotten, apply
from rating.league_file import decoded
from rating.models import MODELS
from rating.roomlog import LogLine
from storage.ports import LogSource, NotFound

FORMER = "退会者"


def unused_name(snapshot: LeagueSnapshot) -> str:
    """退会者1, or the next number that no player has."""
    taken = {*snapshot.league.players, *(p for game in snapshot.all_games() for p in game.players)}
    return next(
        name for number in range(1, len(taken) + 2) if (name := f"{FORMER}{number}") not in taken
    )


def rename(
    logs: LogSource, snapshot: LeagueSnapshot, player: str, new: str, now: datetime
) -> list[str]:
    """Write `new` for a member (a name on Tenhou) and the member's other names; return the files
    changed. league.toml comes last, so that a run that was stopped can be done again."""
    league, changed = snapshot.league, list[str]()
    known = league.players.get(player)
    names = {player, *(alias.name for alias in known.aliases)} if known else {player}

    def write(file: str, renamed: Callable[[bytes], bytes], keeping: bool = True) -> None:
        old = snapshot.files.get(file)
        if old is not None and change(logs, file, renamed, now, keeping=keeping) != old:
            changed.append(file)

    def lines_of(data: bytes, seen: tuple[LogLine, ...]) -> bytes:
        mine = {
            line.raw: {p for p in game.players if league.player_of(p, game.day) == player}
            for line in seen
            if (game := line.game) is not None
        }
        return b"".join(
            _words(line, mine.get(line, set()), new, lambda word: word.rpartition(b"(")[0])
            for line in as_utf8(data).data.splitlines(keepends=True)
        )

    for name, log in snapshot.logs.items():
        write(name, lambda data, log=log: lines_of(data, log.lines))  # type: ignore[misc]
    for name in (TEAM_LOG, RATING_FILE):
        write(
            name,
            lambda data: _words(
                as_utf8(data).data, names, new, lambda word: word.partition(b",")[0]
            ),
        )
    for entry in snapshot.paifus:
        if names.intersection(name for name, _ in entry.statistics.players):
            _rename_record(logs, paifu_file(entry.file), names, new)
    write(PAIFU_LOG, lambda data: _quoted(data, names, new), keeping=False)
    if known:
        edit = Forgotten(player, new)
        write(LEAGUE_FILE, lambda data: apply(decoded(data), edit, list(MODELS)).encode())
    return changed


def _words(data: bytes, names: set[str], new: str, name_in: Callable[[bytes], bytes]) -> bytes:
    """The bytes with `new` for each of the names; `name_in` returns the name that a word begins
    with.
    """
    old, words = {name.encode() for name in names}, re.split(rb"(\s+)", data)
    heads = [(word, name_in(word)) for word in words]
    return b"".join(
        new.encode() + word[len(head) :] if head in old else word for word, head in heads
    )


def _quoted(data: bytes, names: set[str], new: str) -> bytes:
    for name in names:
        for escaped in (True, False):
            data = data.replace(
                json.dumps(name, ensure_ascii=escaped).encode(), json.dumps(new).encode()
            )
    return data


def _rename_record(logs: LogSource, file: str, names: set[str], new: str) -> None:
    try:
        packed = logs.read(file).data
    except NotFound:
        return
    data = gzip.decompress(packed)
    for name in names:
        data = data.replace(f'="{quote(name)}"'.encode(), f'="{quote(new)}"'.encode())
    logs.overwrite(file, gzip.compress(data, mtime=0))
