"""A game to be recorded, as its buttons carry it: what is written is what was shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from bot.answers.common.members import checksum
from bot.chat.command import Ask, data_of
from rating.games import Game, Seat
from rating.paifu.record import GameRules
from rating.roomlog import GUEST, MAHJONG_SOUL, TABLE, format_game

TITLE = "卓の結果"
MAHJONG_SOUL_TITLE = "雀魂の対局"


@dataclass(frozen=True, slots=True)
class TableDraft:
    """A game as the buttons carry it: players best first, results in tenths of a thousand, points
    at the table in hundreds or (), chips or (), when (JST), a nonce, and the day of the message.
    `rules` are those of a game on Mahjong Soul, None for one at a table."""

    players: tuple[str, ...]
    results: tuple[int, ...]
    points: tuple[int, ...]
    chips: tuple[int, ...]
    at: datetime
    nonce: str
    sent: date
    rules: GameRules | None = None

    @property
    def title(self) -> str:
        if self.rules is None:
            return TITLE
        return MAHJONG_SOUL_TITLE

    @property
    def game(self) -> Game:
        chips = self.chips or (None,) * len(self.players)
        values = zip(self.players, self.results, chips, strict=True)
        seats = tuple(Seat(player, result / 10, count) for player, result, count in values)
        if self.rules is not None:
            return Game(seats, None, self.at.time(), MAHJONG_SOUL, self.rules.name)
        rule = f"{'三' if len(seats) == 3 else '四'}般南喰赤{'祝' if self.chips else '－'}"
        return Game(seats, None, self.at.time(), TABLE, rule)

    @property
    def line(self) -> str:
        """The game's line in the season log, in Tenhou's form."""
        return format_game(self.game)

    def data(self, everyone: Sequence[str], **more: object) -> str:
        picks = ("g" if player == GUEST else str(everyone.index(player)) for player in self.players)
        sent = ""
        if self.sent - self.at.date() > timedelta(days=1):
            sent = f"{self.sent:%Y%m%d}"
        rules = ""
        if self.rules is not None:
            rules = str(self.rules.bits)
        return data_of(
            Ask.TABLE_GAME,
            m=".".join(picks),
            f=".".join(map(str, self.results)),
            p=".".join(map(str, self.points)),
            c=".".join(map(str, self.chips)),
            d=f"{self.at:%Y%m%d%H%M}",
            k=checksum(tuple(everyone)),
            n=self.nonce,
            b=sent,
            r=rules,
            **more,
        )
