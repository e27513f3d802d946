"""A paifu as plain values: its events and endings, rules, players and rounds.

Seats are 0-3 (seat 0 deals first), tiles 0-135 as in `tiles`, points single points (35600, not
356).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from rating.paifu.melds import Meld


class Draw(NamedTuple):
    """A tile taken from the wall; after a kan or kita, from the dead wall."""

    seat: int
    tile: int


class Discard(NamedTuple):
    """A discarded tile; `drawn`: it is the tile just drawn (tsumogiri)."""

    seat: int
    tile: int
    drawn: bool


class Call(NamedTuple):
    seat: int
    meld: Meld


class Riichi(NamedTuple):
    """Riichi declared (step 1, before the discard) or paid for (step 2, nobody won on the
    discard).
    """

    seat: int
    step: int


class NewDora(NamedTuple):
    """A further dora indicator (a tile), turned because of a kan."""

    indicator: int


class Away(NamedTuple):
    """A player lost the connection (`gone`) or came back. Tenhou throws away what an absent
    player's seat draws."""

    seat: int
    gone: bool

    def update(self, away: set[int]) -> None:
        """Change the set of the seats whose players are away."""
        if self.gone:
            away.add(self.seat)
        else:
            away.discard(self.seat)


Event = Draw | Discard | Call | Riichi | NewDora | Away


YAKU = (
    "門前清自摸和",
    "立直",
    "一発",
    "槍槓",
    "嶺上開花",
    "海底摸月",
    "河底撈魚",
    "平和",
    "断幺九",
    "一盃口",
    "自風 東",
    "自風 南",
    "自風 西",
    "自風 北",
    "場風 東",
    "場風 南",
    "場風 西",
    "場風 北",
    "役牌 白",
    "役牌 發",
    "役牌 中",
    "両立直",
    "七対子",
    "混全帯幺九",
    "一気通貫",
    "三色同順",
    "三色同刻",
    "三槓子",
    "対々和",
    "三暗刻",
    "小三元",
    "混老頭",
    "二盃口",
    "純全帯幺九",
    "混一色",
    "清一色",
    "人和",
    "天和",
    "地和",
    "大三元",
    "四暗刻",
    "四暗刻単騎",
    "字一色",
    "緑一色",
    "清老頭",
    "九蓮宝燈",
    "純正九蓮宝燈",
    "国士無双",
    "国士無双十三面",
    "大四喜",
    "小四喜",
    "四槓子",
    "ドラ",
    "裏ドラ",
    "赤ドラ",
)

TSUMO, RIICHI, IPPATSU, ROBBED_KAN, RINSHAN, LAST_DRAW, LAST_DISCARD = range(7)
DOUBLE_RIICHI = 21
DORA = 52
URA = 53
RED = 54


Yaku = int | str  # Tenhou's number, or the name of a yaku without one (a local yaku)


def yaku_name(number: Yaku) -> str:
    """The name of a yaku; that of a number which is not known is "役" and the number.

    >>> yaku_name(7), yaku_name("三連刻")
    ('平和', '三連刻')
    """
    if isinstance(number, str):
        return number
    return YAKU[number] if 0 <= number < len(YAKU) else f"役{number}"


class Win(NamedTuple):
    """One winning hand. `giver` is the seat that dealt in, on tsumo the winner's.

    `hand` holds the concealed tiles with the winning `tile`. `value` is the hand's own worth in
    points, `limit` 0 below mangan, 1 for mangan, 5 for yakuman. `yaku` are pairs of (Tenhou's yaku
    number, its place in YAKU, or the name of a yaku without one; han), `yakuman` numbers or names
    alone. `dora` and `ura` are indicators
    (tiles). `liable` is the seat that pays for a yakuman by sekinin barai, else None. `before` and
    `change` are points by seat; `change` includes riichi sticks and honba."""

    seat: int
    giver: int
    hand: tuple[int, ...]
    melds: tuple[Meld, ...]
    tile: int
    fu: int
    value: int
    limit: int
    yaku: tuple[tuple[Yaku, int], ...]
    yakuman: tuple[Yaku, ...]
    dora: tuple[int, ...]
    ura: tuple[int, ...]
    liable: int | None
    before: tuple[int, ...]
    change: tuple[int, ...]

    @property
    def tsumo(self) -> bool:
        return self.seat == self.giver


class NoWin(NamedTuple):
    """A round without a win. `type` is "" for an empty wall, else Tenhou's word (yao9, reach4,
    ron3, kan4, kaze4, nm). `shown` has the tiles each seat showed, None for the others. `before` and `change` are
    points by seat."""

    type: str
    shown: tuple[tuple[int, ...] | None, ...]
    before: tuple[int, ...]
    change: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameRules:
    """The rules, from the bits of the attribute `type` of the element GO: 1 people play, 2 no red
    fives, 4 no open tanyao, 8 south is played too, 16 three seats, 64 fast."""

    bits: int = 1

    @property
    def seats(self) -> int:
        return 3 if self.bits & 0x10 else 4

    @property
    def south_rounds(self) -> bool:
        """Whether south is played too (南), not east alone (東)."""
        return bool(self.bits & 8)

    @property
    def name(self) -> str:
        """The rule as Tenhou's result logs (https://tenhou.net/sc/raw/) write it: 四鳳南喰赤－.
        With chips it ends in 祝, and the ranks above 般 have other names and a digit for the worth
        of a chip (四琥南喰赤祝２). Private rooms are 般, without that digit: 三般南喰赤祝."""
        bits = self.bits
        chips = self.bits & 0x600
        rank = (bits >> 4 & 2) | (bits >> 7 & 1)
        worth = ""
        if rank:
            worth = {0x200: "２", 0x400: "０", 0x600: "５"}.get(chips, "")
        seats = "三" if self.seats == 3 else "四"
        ranks = "般銀琥孔" if chips else "般上特鳳"
        winds = "南" if self.south_rounds else "東"
        open_tanyao = "－" if bits & 4 else "喰"
        red_fives = "－" if bits & 2 else "赤"
        if chips:
            ending = "祝"
        elif bits & 0x40:
            ending = "速"
        else:
            ending = "－"
        return f"{seats}{ranks[rank]}{winds}{open_tanyao}{red_fives}{ending}{worth}"


def round_name(number: int, honba: int) -> str:
    """The name of a round.

    >>> round_name(0, 0), round_name(6, 2)
    ('東1局', '南3局2本場')
    """
    name = f"{'東南西北'[number // 4 % 4]}{number % 4 + 1}局"
    if honba:
        return f"{name}{honba}本場"
    return name


@dataclass(frozen=True, slots=True)
class Round:
    """One dealt hand. `number` counts from 0 (east 1), four a wind also with three seats.

    `sticks` is the number of riichi sticks on the table at the start, `indicator` the first dora
    indicator (a tile), `start` the points by seat, `hands` the 13 dealt tiles by seat. `endings`
    has the wins (two for a double ron) or one NoWin. `dice` are the two dice, 0-5, None where the
    record does not have them. `deal` counts all deals of the file from 0, those that could not be
    read too. `away` are the seats whose players were away at the deal."""

    number: int
    honba: int
    sticks: int
    dealer: int
    indicator: int
    start: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    events: tuple[Event, ...]
    endings: tuple[Win | NoWin, ...]
    dice: tuple[int, int] | None = None
    deal: int = 0
    away: frozenset[int] = frozenset()

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def name(self) -> str:
        """The round's name: 東1局, 南3局2本場."""
        return round_name(self.number, self.honba)

    @property
    def away_at_end(self) -> frozenset[int]:
        """The seats whose players were away when the round ended."""
        away = set(self.away)
        for event in self.events:
            if isinstance(event, Away):
                event.update(away)
        return frozenset(away)

    @property
    def wins(self) -> tuple[Win, ...]:
        return tuple(ending for ending in self.endings if isinstance(ending, Win))

    @property
    def after(self) -> tuple[int, ...]:
        last = self.endings[-1]
        points = zip(last.before, last.change, strict=True)
        return tuple(before + change for before, change in points)

    def win_turn(self, win: Win) -> int:
        """In which go-around the win fell, from 1: the winner's discards, and one where its turn
        was to come. On a ron it was not to come where the discarder sits later, counted from the
        dealer."""
        made = sum(type(event) is Discard and event.seat == win.seat for event in self.events)
        giver_place = (win.giver - self.dealer) % self.seats
        winner_place = (win.seat - self.dealer) % self.seats
        if win.tsumo or giver_place <= winner_place or made == 0:
            return made + 1
        return made

    @property
    def change(self) -> tuple[int, ...]:
        """Points each seat gained or lost in the round; its own riichi stick counts."""
        points = zip(self.after, self.start, strict=True)
        return tuple(after - start for after, start in points)


class GamePlatform(StrEnum):
    """Where a game was played."""

    TENHOU = "tenhou"
    MAHJONG_SOUL = "mahjong soul"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Record:
    """One game. `dans`, `rates`, `final` (points), `scores` (with uma, in thousands) and `chips`
    are by seat.

    `final`, `scores` and `chips` are None, `dans` and `rates` empty or None for a seat, where the
    record does not have them. `problems` are plain lines about what could not be read; `rounds` are the rounds that
    could. `unread` are the others as far as they could be read, `lost` counts the deals of which
    nothing could be. `notes` are plain lines about what was read otherwise than it is written.
    `played_at` is the time in the record (JST). `seed` is the record's own seed of its walls (""
    without): it and `unread` are there for `wall`."""

    rules: GameRules
    players: tuple[str, ...]
    rounds: tuple[Round, ...]
    version: str = ""
    lobby: str = ""
    dans: tuple[int | None, ...] = ()
    rates: tuple[float | None, ...] = ()
    final: tuple[int, ...] | None = None
    scores: tuple[float, ...] | None = None
    chips: tuple[int, ...] | None = None
    problems: tuple[str, ...] = field(default=())
    seed: str = ""
    unread: tuple[Round, ...] = ()
    lost: int = 0
    notes: tuple[str, ...] = ()
    platform: GamePlatform = GamePlatform.TENHOU
    played_at: datetime | None = None

    @property
    def seats(self) -> int:
        return self.rules.seats

    @property
    def deals(self) -> int:
        """How many rounds were dealt, those that could not be read too."""
        return len(self.rounds) + len(self.unread) + self.lost

    def placings(self) -> tuple[int, ...] | None:
        """Placing by seat, 0 the best; None where the record does not have the final points."""
        return None if self.final is None else placings(self.final)

    def discards_away(self) -> tuple[int, ...]:
        """How many tiles each seat discarded while its player was away."""
        counts = [0] * self.seats
        for played in self.rounds:
            away = set(played.away)
            for event in played.events:
                if isinstance(event, Away):
                    event.update(away)
                elif isinstance(event, Discard) and event.seat in away:
                    counts[event.seat] += 1
        return tuple(counts)


def placings(points: Sequence[int]) -> tuple[int, ...]:
    """Placing by seat, 0 the best. On equal points the seat that dealt earlier is better. This is
    Tenhou's rule (https://tenhou.net/man/#RULE)."""
    order = sorted(range(len(points)), key=lambda seat: (-points[seat], seat))
    return tuple(order.index(seat) for seat in range(len(points)))
