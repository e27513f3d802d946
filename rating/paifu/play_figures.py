"""The figures of a player's play beyond wins and deal-ins, each with its cases and a 95 % interval.

The shares are defined as 雀魂牌譜屋, the statistics site of the largest mahjong game, words them
(https://github.com/SAPikachu/amae-koromo, src/locales/ja.json); each is quoted beside its figure.
"局" counts rounds dealt (配牌回数). The site's words do not define 和了巡数, 立直巡目, 平均和了 and
平均放銃, and its values differ from ours: those definitions are our own, beside their names.

A count has one name ("wins"); a number whose mean is wanted has three: "NAME" how often, "NAME.sum"
and "NAME.squares".

Counts the rounds and games of one player: rates, mean win, mean placing and the balance sheet.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from rating.paifu.deal_in import CountSums, DealInCount, count, rons
from rating.paifu.efficiency import EfficiencyRating, acceptance, efficiency_row, shanten_of
from rating.paifu.luck import Luck, luck_row
from rating.paifu.opened import exhausted
from rating.paifu.record import (
    IPPATSU,
    OPEN,
    URA,
    Call,
    Discard,
    Record,
    Riichi,
    Round,
    Win,
    yaku_name,
)
from rating.paifu.table import TableState
from rating.paifu.tiles import counts
from rating.proportions import t_quantile, wilson

GOOD_WAIT = 6  # copies that the seat cannot see
FEWEST = 3  # cases; a mean of fewer has no interval


def play_counts(record: Record) -> list[Counter[str]]:
    """The counts of each seat over a record, in seat order. A round at whose end a player was away
    is none of that player's.

    Busts count only where the record has its end.
    """
    total: list[Counter[str]] = [Counter() for _ in range(record.seats)]
    for played in record.rounds:
        away = played.away_at_end
        for seat, counted in enumerate(_round_counts(played)):
            if seat not in away:
                total[seat].update(counted)
    for seat, points in enumerate(record.final or ()):
        _tick(total[seat], games=True, busts=points < 0)
    return total


def _round_counts(played: Round) -> list[Counter[str]]:
    """The counts of each seat in a round."""
    total: list[Counter[str]] = [Counter() for _ in range(played.seats)]
    table = TableState(played)
    riichi: list[int] = []
    for event in played.events:
        table.apply(event)
        if type(event) is Discard and table.rivers[event.seat][-1].riichi:
            _count_riichi(total[event.seat], table, event.seat, chasing=bool(riichi))
            riichi.append(event.seat)
    for seat in riichi:
        _tick(total[seat], chased_riichi=seat != riichi[-1])
        add(total[seat], "riichi balance", played.change[seat])
    called = {seat for seat in range(played.seats) if table.is_open(seat)}
    for seat, hand in enumerate(played.hands):
        _tick(total[seat], rounds=True, calls=seat in called)
        add(total[seat], "deal shanten", shanten_of(counts(hand), played.seats))
    for win in played.wins:
        _count_win(total, played, win, riichi, called)
    _count_deal_ins(total, played, riichi, called)
    if exhausted(played):
        for seat, mine in enumerate(total):
            _tick(
                mine,
                draws=True,
                tenpai_draws=shanten_of(table.held[seat], table.seats) == 0,
                riichi_draws=seat in riichi,
                call_draws=seat in called,
            )
    return total


def _count_deal_ins(
    total: Sequence[Counter[str]],
    played: Round,
    riichi: Collection[int],
    called: Collection[int],
) -> None:
    """Count the deal-ins of a round; a double ron is one round and two values."""
    given = rons(played)
    for seat in {ron.giver for ron in given}:
        _tick(
            total[seat],
            deal_ins=True,
            riichi_deal_ins=seat in riichi,
            call_deal_ins=seat in called,
        )
    for ron in given:
        value = next(win.value for win in played.wins if win.seat == ron.winner)
        if ron.to_riichi:
            kind = "riichi"
        elif ron.winner in called:
            kind = "open"
        else:
            kind = "dama"
        add(total[ron.giver], "deal-in", value)
        add(total[ron.giver], f"deal-in to {kind}", value)


def _tick(total: Counter[str], **happened: bool) -> None:
    """Count one of each name, written with `_` for a space, that happened."""
    total.update(name.replace("_", " ") for name, did in happened.items() if did)


def add(total: Counter[str], name: str, value: int) -> None:
    """Count one number whose mean is wanted."""
    total.update({name: 1, f"{name}.sum": value, f"{name}.squares": value * value})


def _count_riichi(mine: Counter[str], table: TableState, seat: int, chasing: bool) -> None:
    shanten, waits = acceptance(table.held[seat], table.seats)
    waits = waits if shanten == 0 else ()
    unseen = table.unseen(seat)
    river = table.rivers[seat]
    tiles = sum(unseen[kind] for kind in waits)
    _tick(
        mine,
        riichi=True,
        first_riichi=not chasing,
        chasing_riichi=chasing,
        good_wait=tiles >= GOOD_WAIT,
        many_kinds=len(waits) >= 2,
        furiten_riichi=any(thrown.tile // 4 in waits for thrown in river),
    )
    add(mine, "riichi turn", len(river))
    add(mine, "riichi tiles", tiles)


def _count_win(
    total: Sequence[Counter[str]],
    played: Round,
    win: Win,
    riichi: Collection[int],
    called: Collection[int],
) -> None:
    """Count one win, and what it cost the dealer who did not deal in: mangan or more is
    痛い親かぶり, but for a yakuman that a liable player pays alone.
    """
    mine = total[win.seat]
    seat = win.seat
    yaku = {number for number, han in win.yaku if han > 0} | set(win.yakuman)
    _tick(
        mine,
        wins=True,
        tsumo=win.tsumo,
        dama=seat not in riichi and seat not in called,
        riichi_wins=seat in riichi,
        call_wins=seat in called,
        ippatsu=IPPATSU in yaku,
        ura=URA in yaku,
        yakuman=bool(win.yakuman),
    )
    mine.update([*(f"yaku {number}" for number in yaku), f"on {win.tile // 4}"])
    add(mine, "win turn", played.win_turn(win))
    if win.tsumo:
        for other in range(played.seats):
            _tick(total[other], tsumo_against=other != seat)
        if seat != played.dealer and win.limit >= 1 and win.liable is None:
            add(total[played.dealer], "dealer loss", -win.change[played.dealer])


# {name: (counted, of which)}; the comment quotes the site's definition.
SHARES: dict[str, tuple[str, str]] = {
    "tsumo": ("tsumo", "wins"),  # ツモ率: ツモ回数 / 和了回数
    "dama": ("dama", "wins"),  # ダマ率: 門前ダマ和了回数 / 和了回数
    "draw": ("draws", "rounds"),  # 流局率: 流局回数 / 配牌回数 (those for lack of tiles)
    "tenpai_at_draw": ("tenpai draws", "draws"),  # 流局聴牌率: 流局聴牌回数 / 流局回数
    "riichi_win": ("riichi wins", "riichi"),  # 立直和了: 立直和了回数 / 立直回数
    "riichi_deal_in": (
        "riichi deal ins",
        "riichi",
    ),  # 立直放銃A: 立直放銃回数（立直瞬間を含む） / 立直回数
    "riichi_draw": ("riichi draws", "riichi"),  # 立直流局: 立直流局回数 / 立直回数
    "call_win": ("call wins", "calls"),  # 副露後和了率: 副露和了回数 / 副露回数
    "call_deal_in": ("call deal ins", "calls"),  # 副露後放銃率: 副露放銃回数 / 副露回数
    "call_draw": ("call draws", "calls"),  # 副露後流局率: 副露流局回数 / 副露回数
    "first_riichi": ("first riichi", "riichi"),  # 先制率: 最初に立直した回数 / 立直回数
    "chasing_riichi": ("chasing riichi", "riichi"),  # 追っかけ率: 追っかけ立直した回数 / 立直回数
    "chased_riichi": (
        "chased riichi",
        "riichi",
    ),  # 追っかけられ率: 立直を追っかけられた回数 / 立直回数
    "ippatsu": ("ippatsu", "riichi wins"),  # 一発率: 一発回数 / 立直和了回数
    "ura": ("ura", "riichi wins"),  # 裏ドラ率: 裏ドラある和了回数 / 立直和了回数
    "good_wait": (
        "good wait",
        "riichi",
    ),  # 立直良形: 立直の時に自分の視点で残り枚数が６以上 / 立直回数
    "many_kinds": (
        "many kinds",
        "riichi",
    ),  # 立直多面: 二面以上待ち（シャンポン待ちを含む） / 立直回数
    "furiten_riichi": (
        "furiten riichi",
        "riichi",
    ),  # 振聴率: 振聴立直回数（見逃しを除く） / 立直回数
    "deal_in_in_riichi": ("riichi deal ins", "deal ins"),  # 放銃時立直率: 立直放銃回数 / 放銃回数
    "deal_in_with_calls": ("call deal ins", "deal ins"),  # 放銃時副露率: 副露放銃回数 / 放銃回数
    # 痛い親かぶり率: 満貫以上の親かぶり回数 / ツモされた回数
    "dealer_tsumo_loss": ("dealer loss", "tsumo against"),
    "yakuman": ("yakuman", "wins"),  # 役満: 役満和了回数
    "bust": ("busts", "games"),  # 飛び率: 0点未満で終わった戦の割合
}
# {name: the number whose mean it is}; points are those of the winning hand, without honba and
# sticks.
MEANS: dict[str, str] = {
    "mean_win": "win value",  # 平均和了: the value of a win, counted by `PaifuTally`
    "win_turn": "win turn",  # 和了巡数: `Round.win_turn`
    "riichi_turn": "riichi turn",  # 立直巡目: the number of the discard declared with
    "mean_deal_in": "deal-in",  # 平均放銃
    "mean_deal_in_to_riichi": "deal-in to riichi",
    "mean_deal_in_to_open": "deal-in to open",
    "mean_deal_in_to_dama": "deal-in to dama",
    "riichi_tiles": "riichi tiles",  # copies of the waits that the seat cannot see, at its riichi
    "riichi_balance": "riichi balance",  # 立直収支: 立直時の収支（供託を含む） / 立直回数
    # 痛い親かぶり平均: 満貫以上の親かぶり点数 / 回数 (as paid, with honba).
    "mean_dealer_tsumo_loss": ("dealer loss"),
    "deal_shanten": "deal shanten",  # 平均配牌向聴
}


class PlayFigure(NamedTuple):
    """A share (0-1) or a mean of `cases` cases, with its 95 % interval. `value` is None without
    cases; `low` and `high` are None where a mean has fewer than FEWEST. `counted`: a share's count,
    None for a mean."""

    cases: int
    counted: int | None
    value: float | None
    low: float | None
    high: float | None


def play_figures(counts: Mapping[str, int]) -> dict[str, PlayFigure]:
    """The figures of counts that `play_counts` made, by the names in SHARES and MEANS.

    >>> play_figures({"wins": 4, "tsumo": 1})["tsumo"].value
    0.25
    """
    shares = {
        name: share(counts.get(counted, 0), counts.get(of, 0))
        for name, (counted, of) in SHARES.items()
    }
    return shares | {name: _mean(counts, number) for name, number in MEANS.items()}


def winning_kinds(counts: Mapping[str, int]) -> Counter[int]:
    """The kinds of tile (0-33) that completed the wins -> how many; older lines of a record log
    tell none.
    """
    wins = {word: number for word, number in counts.items() if word.startswith("on ")}
    return Counter({int(word[3:]): number for word, number in wins.items()})


def yaku_shares(counts: Mapping[str, int]) -> dict[str, PlayFigure]:
    """{yaku: share of the wins that had it}, the most frequent first; dora count as one a win."""
    wins = counts.get("wins", 0)
    yaku = {word: number for word, number in counts.items() if word.startswith("yaku ")}
    found = {word[5:]: number for word, number in yaku.items() if number}
    ordered = sorted(found.items(), key=lambda item: (-item[1], int(item[0])))
    return {yaku_name(int(number)): share(count, wins) for number, count in ordered}


def share(count: int, of: int, dispersion: float = 1.0) -> PlayFigure:
    """The share `count` of `of` cases, whose variance between games is `dispersion` times that of
    chance.
    """
    low, high = wilson(count / dispersion, of / dispersion)
    return PlayFigure(of, count, count / of if of else None, low, high)


def _mean(counts: Mapping[str, int], number: str) -> PlayFigure:
    """The mean of a number, and the interval of its standard error by Student's t."""
    cases = counts.get(number, 0)
    total = counts.get(f"{number}.sum", 0)
    squares = counts.get(f"{number}.squares", 0)
    if cases < FEWEST:
        return PlayFigure(cases, None, total / cases if cases else None, None, None)
    mean = total / cases
    variance = max(0.0, (squares - total * total / cases) / (cases - 1))
    half = t_quantile(cases - 1) * sqrt(variance / cases)
    return PlayFigure(cases, None, mean, mean - half, mean + half)


LEAST = 5  # games; with fewer no interval is given
SHUFFLES = 2000


class Difference(NamedTuple):
    """How much a figure over so many games differs from another, and half its 95 % interval (None:
    unknown)."""

    games: int
    value: float
    half: float | None


def loss_difference(mine: Sequence[EfficiencyRating], usual: float) -> Difference:
    """The mean loss of a decision beyond the `usual` one; `mine` are the ratings of a player's
    games. Decisions of one game resemble each other, so the interval is that of a ratio of games'
    sums (W. G. Cochran, Sampling Techniques, 3rd edition, 1977, chapter 2)."""
    games = [one for one in mine if one.decisions]
    decisions = sum(one.decisions for one in games)
    if not decisions:
        return Difference(0, 0.0, None)
    mean = sum(one.losses for one in games) / decisions
    if len(games) < LEAST:
        return Difference(len(games), mean - usual, None)
    squares = sum((one.losses - mean * one.decisions) ** 2 for one in games)
    error = sqrt(squares * len(games) / (len(games) - 1)) / decisions
    return Difference(len(games), mean - usual, t_quantile(len(games) - 1) * error)


def surely_apart(every: Sequence[Sequence[EfficiencyRating]]) -> list[int]:
    """For each player's games -1: loses surely less a discard than all together, 1: surely more,
    else 0. In at most 1 of 100 leagues in which nobody differs is anybody told apart: games are
    dealt to the players anew SHUFFLES times (seeded), and the greatest difference of a league must
    be rarer than that (P. Westfall and S. Young, Resampling-Based Multiple Testing, 1993). Players
    of fewer than LEAST games stand at 0."""
    kept = [[one for one in mine if one.decisions] for mine in every]
    told = [place for place, mine in enumerate(kept) if len(mine) >= LEAST]
    games = [one for mine in kept for one in mine]
    if len(told) < 2:
        return [0] * len(every)
    usual = sum(one.losses for one in games) / sum(one.decisions for one in games)
    beyond = np.array([one.losses - usual * one.decisions for one in games])
    ends = np.cumsum([len(mine) for mine in kept])
    edges = np.concatenate(([0], ends))
    roots = np.array([sqrt(len(kept[place])) for place in told])

    def apart(shuffled: np.ndarray) -> np.ndarray:
        running = np.concatenate(([0.0], np.cumsum(shuffled)))
        sums = np.diff(running[edges])
        return np.array(sums[told] / roots)

    rng = np.random.default_rng(0)
    greatest = []
    for _ in range(SHUFFLES):
        differences = apart(rng.permutation(beyond))
        greatest.append(np.abs(differences).max())
    bound = np.quantile(greatest, 0.99)
    found = [0] * len(every)
    for place, value in zip(told, apart(beyond), strict=True):
        if abs(value) > bound:
            found[place] = int(np.sign(value))
    return found


WIN = "win"
DEAL_IN = "deal-in"
OTHERS_TSUMO = "other's tsumo"
OTHERS_RON = "others' ron"
DRAW = "draw"
ENDINGS = (WIN, DEAL_IN, OTHERS_TSUMO, OTHERS_RON, DRAW)
TO_RIICHI = "riichi"
TO_OTHERS = "others"
BILLIONTH = 1e-9
DISPERSION = 1.2
"""The variance of deal-ins between games over that of chance alone; 1.12 on 4,500 seats of Tenhou's
top table with three seats (error 0.02), 1.14 on 216 with four (0.10). Other rates have none to
speak of (wins 1.03)."""
LUCK = ("draws", "variance", "dealt", "ura", "ura variance")  # of the sums


class Share(NamedTuple):
    """The result of one round for one seat. `ending` is one of ENDINGS. `change` is in points, with
    the seat's own riichi stick. `value` is that of its winning hand in points, 0 without a win.
    `called`: it called a tile of another seat. `deal_ins` counts the rons on its tiles."""

    ending: str
    change: int
    value: int
    riichi: bool
    called: bool
    deal_ins: DealInCount = DealInCount()


def shares(played: Round) -> Iterator[Share]:
    wins = played.wins
    values = {win.seat: win.value for win in wins}
    given = rons(played)
    givers = {ron.giver for ron in given}
    tsumo = any(win.tsumo for win in wins)
    riichi = {event.seat for event in played.events if isinstance(event, Riichi)}
    called = {
        event.seat for event in played.events if isinstance(event, Call) and event.meld.type in OPEN
    }
    for seat, change in enumerate(played.change):
        ending = ending_of(seat, values, givers, tsumo)
        value = values.get(seat, 0)
        dealt = count(given, seat)
        yield Share(ending, change, value, seat in riichi, seat in called, dealt)


def ending_of(
    seat: int,
    winners: Collection[int],
    givers: Collection[int],
    tsumo: bool,
) -> str:
    """What a round with these winners was for a seat, one of ENDINGS; `givers` dealt in."""
    if not winners:
        return DRAW
    if seat in winners:
        return WIN
    if seat in givers:
        return DEAL_IN
    if tsumo:
        return OTHERS_TSUMO
    return OTHERS_RON


@dataclass(slots=True)
class PaifuTally(CountSums):
    """The sums over rounds and games of one player; tallies can be added with `+=`.

    `placings` is keyed from 0. `endings` counts rounds by ending, `points` sums their changes.
    `win_value` is in points. `deal_ins` counts rons by TO_RIICHI and TO_OTHERS: each winner of a
    double ron, where `endings` has one round. `play` holds the counts of `play_counts`, the value
    of wins, and of luck and tile efficiency those that are whole numbers. `sums` holds the others
    in billionths, so that tallies are the same in whatever order they are added."""

    games: int = 0
    placings: Counter[int] = field(default_factory=Counter)
    rounds: int = 0
    riichis: int = 0
    called: int = 0
    win_value: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    points: Counter[str] = field(default_factory=Counter)
    deal_ins: Counter[str] = field(default_factory=Counter)
    play: Counter[str] = field(default_factory=Counter)
    sums: Counter[str] = field(default_factory=Counter)

    def count(self, share: Share) -> None:
        """Add one round."""
        self.rounds += 1
        if share.riichi:
            self.riichis += 1
        if share.called:
            self.called += 1
        self.win_value += share.value
        if share.ending == WIN:
            add(self.play, "win value", share.value)
        self.endings[share.ending] += 1
        self.points[share.ending] += share.change
        self.deal_ins.update(
            {TO_RIICHI: share.deal_ins.to_riichi, TO_OTHERS: share.deal_ins.to_others}
        )

    def finish(self, placing: int) -> None:
        self.games += 1
        self.placings[placing] += 1

    def watch(self, play: Counter[str], luck: Luck, efficiency: EfficiencyRating) -> None:
        """Add what a game showed of the player's play, luck and tile efficiency."""
        self.play.update(play)
        self.play.update(
            {"deals": luck.rounds, "decisions": efficiency.decisions, "best": efficiency.best}
        )
        values = (
            luck.draws,
            luck.variance,
            luck.dealt,
            luck.ura,
            luck.ura_variance,
            efficiency.losses,
        )
        names = (*LUCK, "losses")
        self.sums.update(
            {name: round(n / BILLIONTH) for name, n in zip(names, values, strict=True)}
        )

    @property
    def luck(self) -> Luck:
        draws, variance, dealt, ura, ura_variance = (self.sums[name] * BILLIONTH for name in LUCK)
        return Luck(draws, variance, dealt, self.play["deals"], ura, ura_variance)

    @property
    def efficiency(self) -> EfficiencyRating:
        return EfficiencyRating(
            self.play["decisions"], self.play["best"], self.sums["losses"] * BILLIONTH
        )

    @property
    def split(self) -> DealInCount | None:
        """The deal-ins by who won; None where a record log of version 0.1 does not tell them."""
        known = DealInCount(self.deal_ins[TO_RIICHI], self.deal_ins[TO_OTHERS])
        return known if known.total >= self.endings[DEAL_IN] else None

    def mean(self, name: str) -> float:
        """One of FIGURES; 0.0 without cases."""
        total, cases = FIGURES[name](self)
        return total / cases if cases else 0.0

    def rates(self) -> dict[str, PlayFigure]:
        """The shares of the rounds that ended in a win or a deal-in, or were played with riichi or
        calls.
        """
        rates = {}
        for name in ("win", "deal_in", "riichi", "call"):
            counted, of = FIGURES[name](self)
            dispersion = DISPERSION if name == "deal_in" else 1.0
            rates[name] = share(int(counted), int(of), dispersion)
        return rates

    def all_figures(self) -> dict[str, PlayFigure]:
        """The figures of play, and `rates`.

        Older lines tell the sum of wins alone: no interval then.
        """
        found = play_figures(self.play) | self.rates()
        wins = self.endings[WIN]
        if found["mean_win"].cases != wins:
            found["mean_win"] = PlayFigure(wins, None, self.mean("mean_win"), None, None)
        return found

    def balance(self) -> dict[str, dict[str, float]]:
        """{ending: {"share": share of the rounds (0-1), "points": mean change of points in
        them}}.
        """
        return {
            ending: {
                "share": self.endings[ending] / self.rounds if self.rounds else 0.0,
                "points": self.points[ending] / self.endings[ending]
                if self.endings[ending]
                else 0.0,
            }
            for ending in ENDINGS
        }

    def figures(self) -> dict[str, Any]:
        """The figures of rounds and games by name, for JSON; rates are 0-1, `placings` four counts.
        `deal_in` is the share of the rounds, `deal_ins` counts rons by kind (null where a log does
        not tell them)."""
        split = self.split
        deal_ins: dict[str, int] | None = None
        if split is not None:
            deal_ins = {"to_riichi": split.to_riichi, "to_others": split.to_others}
        return {
            "games": self.games,
            "rounds": self.rounds,
            "win": self.mean("win"),
            "deal_in": self.mean("deal_in"),
            "deal_ins": deal_ins,
            **{name: self.mean(name) for name in ("riichi", "call", "mean_win", "mean_placing")},
            "placings": [self.placings[placing] for placing in range(4)],
            "balance": self.balance(),
            "mean": self.mean("mean"),
        }

    def play_rows(self, seats: int) -> dict[str, dict[str, Any]]:
        """What `watch` added, for JSON: `play` and `yaku` have the fields of PlayFigure."""
        play = play_figures(self.play)
        yaku = yaku_shares(self.play)
        return {
            "play": {name: figure._asdict() for name, figure in play.items()},
            "yaku": {name: figure._asdict() for name, figure in yaku.items()},
            "luck": luck_row(self.luck),
            "efficiency": efficiency_row(self.efficiency, seats, self.games),
        }


FIGURES: dict[str, Callable[[PaifuTally], tuple[float, float]]] = {
    "win": lambda tally: (tally.endings[WIN], tally.rounds),
    "deal_in": lambda tally: (tally.endings[DEAL_IN], tally.rounds),
    "riichi": lambda tally: (tally.riichis, tally.rounds),
    "call": lambda tally: (tally.called, tally.rounds),
    "mean_win": lambda tally: (tally.win_value, tally.endings[WIN]),
    "mean_placing": lambda tally: (
        sum((p + 1) * n for p, n in tally.placings.items()),
        tally.games,
    ),
    "mean": lambda tally: (sum(tally.points.values()), tally.rounds),
}
"""The figures of rounds and games as (sum, cases): shares of the rounds, the mean value of the
winning hands without honba and sticks, the mean placing (1 the best), the mean change of points a
round."""
