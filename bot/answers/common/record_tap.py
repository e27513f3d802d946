"""The tap on a game that opens the report of its record (牌譜)."""

from __future__ import annotations

from typing import TypedDict

from bot import texts
from bot.chat.command import Ask, data_of
from bot.league.snapshot import LeagueSnapshot
from rating.games import Game


class RecordTap(TypedDict, total=False):
    """The fields of a Row that a tap on it needs."""

    data: str
    said: str
    mark: str


def record_tap(snapshot: LeagueSnapshot, game: Game, whose: str = "") -> RecordTap:
    """What a row of the game gets; nothing where the game has no record. The seat of `whose` is marked in the
    report."""
    options = record_options(snapshot, game, whose)
    if not options:
        return {}
    when = " ".join(filter(None, (texts.short_day(game.day), f"{game.start:%H:%M}" if game.start else "")))
    said = f"{when}の牌譜" if when else "牌譜"
    return {"data": data_of(Ask.RECORD_REPORT, **options), "said": said, "mark": "牌譜"}


def record_options(snapshot: LeagueSnapshot, game: Game, whose: str = "") -> dict[str, str]:
    """The options of the report of a game's record, {} where it has none."""
    entry = snapshot.paifu_of.get(game)
    if entry is None:
        return {}
    players = [snapshot.league.player_of(name, entry.day or game.day) for name, _ in entry.scores]
    seat = {"tw": str(players.index(whose))} if whose in players else {}
    return {"id": entry.file, **seat}
