"""Reads how a round ended: wins with their worth and yaku, or the reason why nobody won.

The reasons are those that Tenhou, the converters of Mahjong Soul and the scripts in English write.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from rating.paifu.efficiency import shanten_of
from rating.paifu.formats.tenhou6.playing import Playing
from rating.paifu.formats.tenhou6.values import listed, points_of, shortened, whole
from rating.paifu.formats.tenhou6.worth import Payers, read_worth
from rating.paifu.formats.tenhou6.yaku import Winds, read_yaku
from rating.paifu.record import NoWin, Win, round_name
from rating.paifu.tiles import PaifuError, counts

WON = ("和了", "agari")
# The reasons as `NoWin.type`.
NO_WIN_TYPES = {
    "流局": "",
    "全員聴牌": "",
    "全員不聴": "",
    "ryuukyoku": "",
    "exhaustive draw": "",
    "流し満貫": "nm",
    "nagashi mangan": "nm",
    "mangan at draw": "nm",
    "九種九牌": "yao9",
    "kyuushu kyuuhai": "yao9",
    "nine terminal abortion": "yao9",
    "四風連打": "kaze4",
    "suufon renda": "kaze4",
    "four wind abortion": "kaze4",
    "四家立直": "reach4",
    "suucha riichi": "reach4",
    "four riichi abortion": "reach4",
    "四槓散了": "kan4",
    "四開槓": "kan4",
    "suukaikan": "kan4",
    "four kan abortion": "kan4",
    "三家和了": "ron3",
    "三家和": "ron3",
    "sanchahou": "ron3",
    "three ron abortion": "ron3",
    "不明": "不明",
}
MOST_WINS = 3


class WrittenDeal(NamedTuple):
    """The number of a round, its honba and sticks, and the points of each seat."""

    number: int
    honba: int
    sticks: int
    start: tuple[int, ...]

    @property
    def dealer(self) -> int:
        return self.number % 4

    @property
    def seats(self) -> int:
        return len(self.start)

    @property
    def name(self) -> str:
        return round_name(self.number, self.honba)


class Indicators(NamedTuple):
    """The dora and ura dora indicators of a round, as tiles."""

    dora: tuple[int, ...]
    ura: tuple[int, ...]


def is_win(result: Any) -> bool:
    """Whether somebody won."""
    return _reason(result) in WON


def givers(result: Any, seats: int) -> tuple[int, ...]:
    """The seats whose tile was won on, by ron."""
    wins = _written_wins(result, seats)
    return tuple(win.giver for win in wins if win.giver != win.winner)


def no_win_type(result: Any) -> str:
    """The reason of a round without a win, as `NoWin.type`."""
    reason = _reason(result)
    if reason not in NO_WIN_TYPES:
        raise PaifuError(f"there is no result {shortened(reason)}")
    return NO_WIN_TYPES[reason]


def _reason(result: Any) -> str:
    parts = listed(result, "the result")
    if not parts or not isinstance(parts[0], str):
        raise PaifuError("the result has no name")
    return parts[0].strip().casefold()


class _WrittenWin(NamedTuple):
    """A win as it is written. `giver` is the winner after a tsumo, and so is `liable` where nobody
    is liable for a yakuman. `worth` and `yaku` are texts for `read_worth` and `read_yaku`."""

    change: tuple[int, ...]
    winner: int
    giver: int
    liable: int
    worth: str
    yaku: list[str]


def _written_wins(result: Sequence[Any], seats: int) -> Iterator[_WrittenWin]:
    """The wins of a result, which is written as the reason and for each win its change of the points
    and its hand."""
    if len(result) % 2 == 0 or not 3 <= len(result) <= 1 + 2 * MOST_WINS:
        raise PaifuError("a win without its points and its hand")
    changes = result[1::2]
    hands = result[2::2]
    for change, hand in zip(changes, hands, strict=True):
        yield _written_win(change, hand, seats)


def _written_win(change: Any, hand: Any, seats: int) -> _WrittenWin:
    """Read one win. Its hand is written as [winner, giver, liable, worth, yaku, yaku, ...]."""
    fields = listed(hand, "a win")
    texts = fields[3:]
    if not texts or not all(isinstance(text, str) for text in texts):
        raise PaifuError("a win without its hand's worth")
    last_seat = seats - 1
    written_seats = [whole(seat, "the seat of a win", 0, last_seat) for seat in fields[:3]]
    winner, giver, liable = written_seats
    return _WrittenWin(
        change=points_of(change, "the points of a win", seats),
        winner=winner,
        giver=giver,
        liable=liable,
        worth=texts[0],
        yaku=texts[1:],
    )


def read_wins(
    result: Sequence[Any], deal: WrittenDeal, playing: Playing, indicators: Indicators
) -> tuple[Win, ...]:
    """The wins of a round that was played to its end."""
    before = points_before(deal, playing)
    wins: list[Win] = []
    for written in _written_wins(result, deal.seats):
        win = _read_win(written, deal, playing, indicators, before)
        wins.append(win)
        before = added(win.before, win.change)
    return tuple(wins)


def added(points: Sequence[int], change: Sequence[int]) -> tuple[int, ...]:
    """The points of each seat after a change."""
    return tuple(old + new for old, new in zip(points, change, strict=True))


def points_before(deal: WrittenDeal, playing: Playing) -> tuple[int, ...]:
    """The points of each seat at the end of a round, less the sticks of those who declared."""
    points = list(deal.start)
    for seat in playing.riichi_paid:
        points[seat] -= 1000
    return tuple(points)


def _read_win(
    written: _WrittenWin,
    deal: WrittenDeal,
    playing: Playing,
    indicators: Indicators,
    before: tuple[int, ...],
) -> Win:
    winner = written.winner
    payers = Payers(
        is_dealer=winner == deal.dealer,
        is_tsumo=winner == written.giver,
        seats=deal.seats,
    )
    worth = read_worth(written.worth, payers)
    own_wind = (winner - deal.dealer) % deal.seats
    winds = Winds(own_wind, round=deal.number // 4 % 4)
    yaku = read_yaku(written.yaku, winds)
    tile = _winning_tile(written, playing)
    ura: tuple[int, ...] = ()
    if winner in playing.riichi_paid:
        ura = indicators.ura
    liable = None
    if written.liable != winner:
        liable = written.liable
    return Win(
        seat=winner,
        giver=written.giver,
        hand=tuple(sorted(playing.hands[winner].tiles | {tile})),
        melds=tuple(reversed(playing.hands[winner].melds)),
        tile=tile,
        fu=worth.fu,
        value=worth.value,
        limit=worth.limit,
        yaku=yaku.counted,
        yakuman=yaku.yakuman,
        dora=indicators.dora,
        ura=ura,
        liable=liable,
        before=before,
        change=written.change,
    )


def _winning_tile(written: _WrittenWin, playing: Playing) -> int:
    if written.winner == written.giver:
        drawn = playing.hands[written.winner].drawn
        if drawn is None:
            raise PaifuError("a win by tsumo without a draw")
        return drawn
    last_tile = playing.last_tile
    if last_tile is None or last_tile.seat != written.giver:
        raise PaifuError("a ron on a tile that is not the last of the round")
    return last_tile.tile


def read_no_win(result: Sequence[Any], deal: WrittenDeal, playing: Playing) -> NoWin:
    """The end of a round without a win. Where no points are written there is no change."""
    change = (0,) * deal.seats
    for points in result[1:]:
        change = points_of(points, "the points of a draw", deal.seats)
    reason = no_win_type(result)
    return NoWin(
        reason,
        shown=tuple(_shown_hands(reason, change, playing)),
        before=points_before(deal, playing),
        change=change,
    )


def _shown_hands(
    reason: str, change: tuple[int, ...], playing: Playing
) -> Iterator[tuple[int, ...] | None]:
    """The hands shown, which are not written. Where the wall is empty they are those that got
    points, or where nobody did those that are tenpai."""
    for seat, hand in enumerate(playing.hands):
        if reason == "" and any(change):
            is_shown = change[seat] > 0
        elif reason in ("", "nm"):
            is_shown = _is_tenpai(hand.tiles, len(playing.hands))
        elif reason == "yao9":
            is_shown = len(hand.tiles) % 3 == 2
        else:
            is_shown = reason == "reach4"
        if is_shown:
            yield tuple(sorted(hand.tiles))
        else:
            yield None


def _is_tenpai(tiles: set[int], seats: int) -> bool:
    is_complete = len(tiles) % 3 == 1
    return is_complete and shanten_of(counts(tiles), seats) == 0
