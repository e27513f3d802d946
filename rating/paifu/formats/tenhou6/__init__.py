"""Reads tenhou.net/6's JSON: games of Tenhou, of its editor, and of Mahjong Soul (雀魂).

Several converters and browser scripts write Mahjong Soul's games in this form. They differ in the
head (`head`), in the language of results (`results`, `yaku`), and in how they write a table of three. The
order between the seats is not in the file: `order` restores it, and `playing` then plays the round
tile by tile. Which copy of a tile it is, when players were away, and the wall are not in it.

What was read otherwise than it is written, such as wrong changes of points, is a line of
`Record.notes`.
"""

import json
from collections.abc import Set
from typing import Any

from rating.names import canonical_name
from rating.paifu.formats.tenhou6.head import read_head
from rating.paifu.formats.tenhou6.loading import load, looks_like_game
from rating.paifu.formats.tenhou6.rounds import read_rounds
from rating.paifu.record import Record

ENDINGS = (".json",)
FOLDER_ENDINGS: tuple[str, ...] = ()


def recognises(data: bytes) -> bool:
    """Whether the bytes begin as a JSON object with names of this form."""
    return looks_like_game(data)


def read(data: bytes) -> Record:
    """The record in the JSON of a game. Raises PaifuError when no round can be read. Each round of
    the record has passed `table.check`: discards and winning hands agree."""
    game = load(data)
    head = read_head(game)
    log = read_rounds(game["log"], head)
    return Record(
        head.rules,
        head.players,
        rounds=log.rounds,
        version=head.version,
        lobby=head.lobby,
        final=log.final,
        scores=head.scores,
        problems=log.problems,
        lost=len(game["log"]) - len(log.rounds),
        notes=log.notes,
        platform=head.platform,
        played_at=head.played_at,
    )


def rename_player(data: bytes, names: Set[str], new: str) -> bytes:
    """The JSON with the name `new` for a player who has one of these canonical names."""
    game = load(data)

    def renamed(name: Any) -> Any:
        if isinstance(name, str) and canonical_name(name) in names:
            return new
        return name

    if isinstance(game.get("name"), list):
        game["name"] = [renamed(name) for name in game["name"]]
    if isinstance(game.get("playerMapping"), list):
        for player in game["playerMapping"]:
            if isinstance(player, dict) and "nickname" in player:
                player["nickname"] = renamed(player["nickname"])
    return json.dumps(game, ensure_ascii=False, separators=(",", ":")).encode()
