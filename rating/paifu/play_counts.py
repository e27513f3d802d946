"""Counts of how a player played: what happened how often, and the sums of which means are made.

A counter has three kinds of keys, all of which recordlog.txt keeps: a PlayCount; a PlayNumber with
its sum and its sum of squares; and for each yaku of a win and each kind that completed one, the
names that `yaku_key` and `winning_kind_key` make.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum

from rating.paifu.deal_in import rons
from rating.paifu.efficiency import acceptance, shanten_of
from rating.paifu.opened import exhausted
from rating.paifu.record import IPPATSU, URA, Discard, Record, Round, Win, Yaku
from rating.paifu.table import TableState
from rating.paifu.tiles import counts

GOOD_WAIT = 6  # copies that the seat cannot see
MANGAN = 1  # `Win.limit` from which a tsumo is counted as the dealer's loss
_YAKU = "yaku "
_WINNING_KIND = "on "


class PlayCount(StrEnum):
    """What is counted, by its name in recordlog.txt. Riichi, calls and draws are rounds."""

    GAMES = "games"
    BUSTS = "busts"
    ROUNDS = "rounds"
    CALLS = "calls"
    DRAWS = "draws"
    TENPAI_DRAWS = "tenpai draws"
    RIICHI_DRAWS = "riichi draws"
    CALL_DRAWS = "call draws"
    DEAL_INS = "deal ins"
    RIICHI_DEAL_INS = "riichi deal ins"
    CALL_DEAL_INS = "call deal ins"
    RIICHI = "riichi"
    FIRST_RIICHI = "first riichi"
    CHASING_RIICHI = "chasing riichi"
    CHASED_RIICHI = "chased riichi"
    GOOD_WAIT = "good wait"
    MANY_KINDS = "many kinds"
    FURITEN_RIICHI = "furiten riichi"
    WINS = "wins"
    TSUMO = "tsumo"
    DAMA = "dama"
    RIICHI_WINS = "riichi wins"
    CALL_WINS = "call wins"
    IPPATSU = "ippatsu"
    URA = "ura"
    YAKUMAN = "yakuman"
    TSUMO_AGAINST = "tsumo against"
    # of luck and tile efficiency
    DEALS = "deals"
    DECISIONS = "decisions"
    BEST = "best"


class PlayNumber(StrEnum):
    """A number of which the mean is wanted. Under its own name is how often it was counted."""

    WIN_VALUE = "win value"
    WIN_TURN = "win turn"
    RIICHI_TURN = "riichi turn"
    RIICHI_TILES = "riichi tiles"
    RIICHI_BALANCE = "riichi balance"
    DEAL_IN = "deal-in"
    DEAL_IN_TO_RIICHI = "deal-in to riichi"
    DEAL_IN_TO_OPEN = "deal-in to open"
    DEAL_IN_TO_DAMA = "deal-in to dama"
    DEALER_LOSS = "dealer loss"
    DEAL_SHANTEN = "deal shanten"

    @property
    def sum_key(self) -> str:
        """The key of the sum of the numbers."""
        return f"{self}.sum"

    @property
    def squares_key(self) -> str:
        """The key of the sum of their squares."""
        return f"{self}.squares"


def yaku_key(yaku: Yaku) -> str:
    return f"{_YAKU}{yaku}"


def winning_kind_key(kind: int) -> str:
    return f"{_WINNING_KIND}{kind}"


def yaku_counts(counts: Mapping[str, int]) -> Counter[Yaku]:
    """{the number of a yaku, or its name where it has none: the wins that had it}."""
    yaku: Counter[Yaku] = Counter()
    for key, count in counts.items():
        if key.startswith(_YAKU):
            word = key.removeprefix(_YAKU)
            yaku[int(word) if word.isdecimal() else word] = count
    return yaku


def winning_kinds(counts: Mapping[str, int]) -> Counter[int]:
    """The kinds of tile (0-33) that completed the wins -> how many; older lines of a record log
    tell none.
    """
    return Counter(
        {
            int(key.removeprefix(_WINNING_KIND)): count
            for key, count in counts.items()
            if key.startswith(_WINNING_KIND)
        }
    )


def add(total: Counter[str], name: PlayNumber, value: int) -> None:
    """Count one number whose mean is wanted."""
    total.update({name: 1, name.sum_key: value, name.squares_key: value * value})


def _count(total: Counter[str], happened: Mapping[PlayCount, bool]) -> None:
    """Count one of each that happened."""
    total.update(name for name, did_happen in happened.items() if did_happen)


def play_counts(record: Record) -> list[Counter[str]]:
    """The counts of each seat over a record, in seat order. A round at whose end a player was away
    is none of that player's.

    Busts count only where the record has its end.
    """
    totals: list[Counter[str]] = [Counter() for _ in range(record.seats)]
    for played in record.rounds:
        away = played.away_at_end
        for seat, counted in enumerate(_round_counts(played)):
            if seat not in away:
                totals[seat].update(counted)
    for seat, points in enumerate(record.final or ()):
        _count(totals[seat], {PlayCount.GAMES: True, PlayCount.BUSTS: points < 0})
    return totals


def _round_counts(played: Round) -> list[Counter[str]]:
    """The counts of each seat in a round."""
    totals: list[Counter[str]] = [Counter() for _ in range(played.seats)]
    table = TableState(played)
    riichi: list[int] = []
    for event in played.events:
        table.apply(event)
        if type(event) is Discard and table.rivers[event.seat][-1].riichi:
            _count_riichi(totals[event.seat], table, event.seat, chasing=bool(riichi))
            riichi.append(event.seat)
    for seat in riichi:
        _count(totals[seat], {PlayCount.CHASED_RIICHI: seat != riichi[-1]})
        add(totals[seat], PlayNumber.RIICHI_BALANCE, played.change[seat])
    called = {seat for seat in range(played.seats) if table.is_open(seat)}
    for seat, hand in enumerate(played.hands):
        _count(totals[seat], {PlayCount.ROUNDS: True, PlayCount.CALLS: seat in called})
        add(totals[seat], PlayNumber.DEAL_SHANTEN, shanten_of(counts(hand), played.seats))
    for win in played.wins:
        _count_win(totals, played, win, riichi, called)
    _count_deal_ins(totals, played, riichi, called)
    if exhausted(played):
        _count_draw(totals, table, riichi, called)
    return totals


def _count_draw(
    totals: Sequence[Counter[str]],
    table: TableState,
    riichi: Collection[int],
    called: Collection[int],
) -> None:
    """Count the end of a round for lack of tiles."""
    for seat, total in enumerate(totals):
        _count(
            total,
            {
                PlayCount.DRAWS: True,
                PlayCount.TENPAI_DRAWS: shanten_of(table.held[seat], table.seats) == 0,
                PlayCount.RIICHI_DRAWS: seat in riichi,
                PlayCount.CALL_DRAWS: seat in called,
            },
        )


def _count_deal_ins(
    totals: Sequence[Counter[str]],
    played: Round,
    riichi: Collection[int],
    called: Collection[int],
) -> None:
    """Count the deal-ins of a round; a double ron is one round and two values."""
    round_rons = rons(played)
    for seat in {ron.giver for ron in round_rons}:
        _count(
            totals[seat],
            {
                PlayCount.DEAL_INS: True,
                PlayCount.RIICHI_DEAL_INS: seat in riichi,
                PlayCount.CALL_DEAL_INS: seat in called,
            },
        )
    values = {win.seat: win.value for win in played.wins}
    for ron in round_rons:
        if ron.to_riichi:
            number = PlayNumber.DEAL_IN_TO_RIICHI
        elif ron.winner in called:
            number = PlayNumber.DEAL_IN_TO_OPEN
        else:
            number = PlayNumber.DEAL_IN_TO_DAMA
        add(totals[ron.giver], PlayNumber.DEAL_IN, values[ron.winner])
        add(totals[ron.giver], number, values[ron.winner])


def _count_riichi(total: Counter[str], table: TableState, seat: int, chasing: bool) -> None:
    accepted = acceptance(table.held[seat], table.seats)
    waits: tuple[int, ...] = ()
    if accepted.shanten == 0:
        waits = accepted.kinds
    unseen = table.unseen(seat)
    river = table.rivers[seat]
    tiles = sum(unseen[kind] for kind in waits)
    _count(
        total,
        {
            PlayCount.RIICHI: True,
            PlayCount.FIRST_RIICHI: not chasing,
            PlayCount.CHASING_RIICHI: chasing,
            PlayCount.GOOD_WAIT: tiles >= GOOD_WAIT,
            PlayCount.MANY_KINDS: len(waits) >= 2,
            PlayCount.FURITEN_RIICHI: any(thrown.tile // 4 in waits for thrown in river),
        },
    )
    add(total, PlayNumber.RIICHI_TURN, len(river))
    add(total, PlayNumber.RIICHI_TILES, tiles)


def _count_win(
    totals: Sequence[Counter[str]],
    played: Round,
    win: Win,
    riichi: Collection[int],
    called: Collection[int],
) -> None:
    total = totals[win.seat]
    yaku = {number for number, han in win.yaku if han > 0} | set(win.yakuman)
    _count(
        total,
        {
            PlayCount.WINS: True,
            PlayCount.TSUMO: win.tsumo,
            PlayCount.DAMA: win.seat not in riichi and win.seat not in called,
            PlayCount.RIICHI_WINS: win.seat in riichi,
            PlayCount.CALL_WINS: win.seat in called,
            PlayCount.IPPATSU: IPPATSU in yaku,
            PlayCount.URA: URA in yaku,
            PlayCount.YAKUMAN: bool(win.yakuman),
        },
    )
    total.update(yaku_key(number) for number in yaku)
    total.update([winning_kind_key(win.tile // 4)])
    add(total, PlayNumber.WIN_TURN, played.win_turn(win))
    if win.tsumo:
        _count_tsumo_against(totals, played, win)


def _count_tsumo_against(totals: Sequence[Counter[str]], played: Round, win: Win) -> None:
    """Count a tsumo for those who pay. What mangan or more cost the dealer is 痛い親かぶり, but for
    a yakuman that a liable player pays alone."""
    for seat in range(played.seats):
        _count(totals[seat], {PlayCount.TSUMO_AGAINST: seat != win.seat})
    if win.seat != played.dealer and win.limit >= MANGAN and win.liable is None:
        add(totals[played.dealer], PlayNumber.DEALER_LOSS, -win.change[played.dealer])
