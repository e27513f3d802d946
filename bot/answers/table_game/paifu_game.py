"""A game on Mahjong Soul (雀魂) as its record has it, to be recorded in the season log.

The results are the room's own where the record has them, else those of the league's uma and oka.
Players who are no members are guests.
"""

import secrets
from datetime import datetime
from typing import NamedTuple

from bot.answers.common.members import members_of
from bot.answers.table_game.draft import TableDraft
from bot.chat.command import Ask, Question, Tools, choice
from bot.chat.replies import UserError
from bot.league.paifu_log import PaifuFolder
from rating.paifu.record import GamePlatform, Record
from rating.paifu.tiles import PaifuError
from rating.roomlog import GUEST
from rating.scoring import UNIT, SeatResult, scoring_of

NOT_KEPT = "この牌譜のファイルはもう残っていません。もう一度ファイルを送ってください。"
NO_END = "終局の点数がない牌譜なので、対局として記録できません。"
NOT_OURS = "メンバーが半分に満たない対局なので、記録できません。"
MEMBERS_ONLY = "このリーグではメンバーだけの対局を数えます。メンバーでない名前：{names}"
GUESTS = "{names}はメンバーの名前にないので、ゲストとして記録します。"
NO_TIME = "牌譜に日時がないので、きょうの対局としています。日付を確かめてください。"
MENU = choice("メニュー", Ask.MENU)


class PaifuDraft(NamedTuple):
    """The game of a record, and notes on how it was read."""

    draft: TableDraft
    notes: tuple[str, ...]


def paifu_draft(question: Question, tools: Tools, file: str) -> PaifuDraft:
    """The game of a stored record. Raises UserError where it can't be recorded."""
    if not any(entry.file == file for entry in question.snapshot.paifus):
        raise UserError(NOT_KEPT, (MENU,))
    record = _stored_record(tools, file)
    if record.final is None:
        raise UserError(NO_END, (MENU,))
    now = question.now.replace(tzinfo=None, second=0, microsecond=0)
    at = now
    if record.played_at is not None:
        at = min(now, record.played_at.replace(tzinfo=None, second=0, microsecond=0))
    notes = []
    if record.played_at is None:
        notes.append(NO_TIME)
    players = _players(question, record, at)
    strangers = "、".join(
        name for name, player in zip(record.players, players, strict=True) if player == GUEST
    )
    if 2 * players.count(GUEST) > record.seats:
        raise UserError(NOT_OURS, (MENU,))
    if strangers:
        if question.snapshot.league.members_only:
            raise UserError(MEMBERS_ONLY.format(names=strangers), (MENU,))
        notes.append(GUESTS.format(names=strangers))
    results = _results(question, record, record.final)
    draft = TableDraft(
        players=tuple(players[seat] for seat, _ in results),
        results=tuple(round(result * 10) for _, result in results),
        points=tuple(record.final[seat] // UNIT for seat, _ in results),
        chips=(),
        at=at,
        nonce=secrets.token_hex(6),
        sent=question.now.date(),
        rules=record.rules,
    )
    return PaifuDraft(draft, tuple(notes))


def _stored_record(tools: Tools, file: str) -> Record:
    """The record of a file. Raises UserError for one that is not stored, or of another platform."""
    folder = PaifuFolder(tools.logs)
    data = folder.get(file)
    if data is None:
        raise UserError(NOT_KEPT, (MENU,))
    try:
        record = folder.parsed(data)
    except PaifuError:
        raise UserError(NOT_KEPT, (MENU,)) from None
    if record.platform != GamePlatform.MAHJONG_SOUL:
        raise UserError(NOT_KEPT, (MENU,))
    return record


def _players(question: Question, record: Record, at: datetime) -> list[str]:
    """The members by seat, GUEST for everybody else."""
    league = question.snapshot.league
    everyone = members_of(question)
    players = []
    for name in record.players:
        player = league.player_of(name, at.date())
        if player in everyone and player not in players:
            players.append(player)
        else:
            players.append(GUEST)
    return players


def _results(question: Question, record: Record, final: tuple[int, ...]) -> list[SeatResult]:
    """The seats with their results, best first."""
    if record.scores is None:
        return scoring_of(question.snapshot.league.rules, record.seats).results(final)
    results = [SeatResult(seat, score) for seat, score in enumerate(record.scores)]
    return sorted(results, key=lambda seat: -seat.result)
