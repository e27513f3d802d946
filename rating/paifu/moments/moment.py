"""What a moment (名場面) is: its kind, and what a rule reports of it."""

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import NamedTuple

from rating.paifu.record import NoWin, Win
from rating.paifu.story import Story


class MomentKind(StrEnum):
    """The kinds of moments, by their names in JSON."""

    DEAD_RIICHI = "dead riichi"
    DEAD_RIICHI_WON = "dead riichi won"
    LAST_COPY = "last copy"
    HELD_BY_ONE = "held by one"
    MANY_LIVE = "many live"
    NEXT_DRAW = "next draw"
    SHIFTED = "shifted"
    URA_UNTURNED = "ura unturned"
    RINSHAN_ASLEEP = "rinshan asleep"
    KAN_PASSED = "kan passed"
    YAKUMAN = "yakuman"
    LARGE = "large"
    URA = "ura"
    DORA = "dora"
    IPPATSU_TSUMO = "ippatsu tsumo"
    DOUBLE_RIICHI = "double riichi"
    RINSHAN = "rinshan"
    ROBBED_KAN = "robbed kan"
    LAST_TILE = "last tile"
    QUICK = "quick"
    DOUBLE_RON = "double ron"
    IPPATSU_TO_CHASER = "ippatsu to chaser"
    DEALT_TENPAI = "dealt tenpai"
    DEALT_IISHANTEN = "dealt iishanten"
    SAFE_TILES = "safe tiles"
    FURITEN_PASSED = "furiten passed"
    PASSED = "passed"
    USELESS = "useless"
    USEFUL = "useful"
    TENPAI_REFUSED = "tenpai refused"
    ORPHANS = "orphans"
    SAME_WAIT = "same wait"
    ALL_TENPAI = "all tenpai"
    NAGASHI = "nagashi"
    ABORTED = "aborted"
    HONBA = "honba"
    LAST_TO_FIRST = "last to first"
    COMEBACK = "comeback"
    GREAT_COMEBACK = "great comeback"
    NARROW = "narrow"
    BUST = "bust"


class Replacement(StrEnum):
    """How a seat draws from the dead wall."""

    KAN = "kan"
    KITA = "kita"


class LeastChance(NamedTuple):
    """The least chance of first that the winner of a game had, and the name of that deal."""

    deal: str
    chance: float


Subject = int | Replacement | LeastChance | Win | NoWin | None
"""What a moment is about, in addition to its kind: a number of tiles, turns, points or honba; how a tile
would have been drawn; a chance; the winning hand or the ending without one."""


class Sighting(NamedTuple):
    """What a rule reports: the seat, the kinds (0-33) and another seat that the moment is about.
    `at` is how many events have been played when it shows, None at the round's end."""

    seat: int
    kinds: tuple[int, ...] = ()
    subject: Subject = None
    other: int | None = None
    at: int | None = None


Find = Callable[[Story], Iterator[Sighting]]


class MomentRule(NamedTuple):
    """A rule. `grade` is the rarity of its moments: 1 in more than one of three games, 2 in more
    than one of six, 3 of twelve, 4 of thirty, 5 rarer still (`python -m tests.tools.bench.wall`
    counts them). `find` yields the moments of a round."""

    kind: MomentKind
    grade: int
    find: Find


class Moment(NamedTuple):
    """A moment of a game. `rule` is its kind, `round` an index into the rounds, `seat` whose it is,
    `other` another seat that it is about. `at` is how many events of the round have been played
    when it shows, without those of players who leave; one more than there are where it is the
    round's end."""

    rule: MomentKind
    grade: int
    round: int
    seat: int
    kinds: tuple[int, ...]
    subject: Subject = None
    other: int | None = None
    at: int = 0
