"""A game analysed once for its table and all its pictures, and the words of both."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from bot.draw.names import distinct_names
from bot.league.snapshot import LeagueSnapshot
from rating.columns import Floats
from rating.paifu.chances import AS_MUCH, Turning, chances_of, turning_of
from rating.paifu.checked_walls import open_walls
from rating.paifu.deal_in import SOURCE_GAMES, DealInCount, DealInRate, Ron, class_rates
from rating.paifu.efficiency import EfficiencyRating, TileChoice
from rating.paifu.luck import Luck, luck_of
from rating.paifu.moments import Moment, moments
from rating.paifu.record import GamePlatform, Record
from rating.paifu.recordlog import total
from rating.paifu.reference import GAMES_OF_THREE
from rating.paifu.review import Push, Review, review
from rating.paifu.story import Story, stories
from rating.paifu.top_table.review import (
    Agreement,
    TopTableChoice,
    agreements,
    choices_of,
)

NOT_RIICHI = "リーチ以外"
MAHJONG_SOUL_RULE = "雀魂 {rule}"
SOURCE = f"天鳳の四人打ち{SOURCE_GAMES:,}戦"
SOURCE_OF_THREE = f"天鳳の三人打ち最上位卓{GAMES_OF_THREE:,}戦"


def subtitle(record: Record) -> str:
    """The rule and the number of rounds: 四鳳南喰赤・12局, 雀魂 四南喰赤・12局."""
    rule = record.rules.name.replace("－", "")
    if record.platform == GamePlatform.MAHJONG_SOUL:
        rule = MAHJONG_SOUL_RULE.format(rule=rule.replace("般", ""))
    return f"{rule}・{len(record.rounds)}局"


def final_points(record: Record, seat: int) -> str:
    """The points of a seat at the end of the game: 35,600, −200; － where they are unknown."""
    return "－" if record.final is None else f"{record.final[seat]:,}".replace("-", "−")


def points_words(change: int) -> str:
    """Points gained or lost: +8,000, −1,000, ±0."""
    return f"{change:+,}".replace("-", "−") if change else "±0"


def shanten_words(shanten: int) -> str:
    """アガリ, テンパイ, イーシャンテン, or the number: 3シャンテン."""
    return {-1: "アガリ", 0: "テンパイ", 1: "イーシャンテン"}.get(shanten, f"{shanten}シャンテン")


def percent(chance: DealInRate) -> str:
    """A chance to deal in as 7.7%, or 9.8%（6.1〜15.3%） where it was measured on few records."""
    words = f"{100 * chance.rate:.1f}%" if chance.high else "0%"
    if chance.own:
        words += f"（{100 * chance.low:.1f}〜{100 * chance.high:.1f}%）"
    return words


def whole_percent(chance: DealInRate) -> str:
    """A chance to deal in in whole per cents: 8; <1 where it rounds to 0, 0 for a safe tile."""
    if not chance.high:
        return "0"
    return f"{100 * chance.rate:.0f}" if chance.rate >= 0.005 else "<1"


def deal_ins(dealt: DealInCount) -> str:
    """Deal-ins by who won: リーチに2・リーチ以外に1, and 0 as なし."""
    parts = []
    if dealt.to_riichi:
        parts.append(f"リーチに{dealt.to_riichi}")
    if dealt.to_others:
        parts.append(f"{NOT_RIICHI}に{dealt.to_others}")
    return "・".join(parts) or "なし"


def verdict(push: Push) -> str:
    """What became of a discard into a riichi, or else what the rule of push or fold says of it."""
    steps = "テンパイ" if push.shanten == 0 else f"{push.shanten}シャンテン"
    judged = "押し"
    if push.deal_ins.to_riichi:
        judged = "放銃"
    elif push.kept_back:
        judged = "押しすぎ"
    words = f"{steps}・{judged}"
    if push.deal_ins.to_others:
        words += f"（{NOT_RIICHI}に放銃）"
    return words


def strip_words(pushes: Sequence[Push], robbed: Sequence[Ron]) -> str:
    """What became of a seat's discards into a riichi; `robbed` are the rons on its kans or kita."""
    riichi = sum(push.deal_ins.to_riichi for push in pushes)
    others = sum(push.deal_ins.to_others for push in pushes)
    kept_back = sum(1 for push in pushes if push.kept_back)
    parts = []
    if riichi:
        parts.append(_times("放銃", riichi))
    if robbed:
        parts.append(_times("槍槓で放銃", len(robbed)))
    if others:
        parts.append(f"{NOT_RIICHI}に{'も' if parts else '放銃'}")
    if parts:
        return "・".join(parts)
    return f"押しすぎ{kept_back}" if kept_back else ""


def _times(words: str, count: int) -> str:
    """An event with its count where there are several: 放銃, 放銃×2."""
    return f"{words}×{count}" if count > 1 else words


ABSENT = "{names}は席を離れていた時間があります（離席中の打牌と、離席のまま終わった局は、本人の成績に数えません）。"
WORST = 2  # discards of a round that are shown
LEAST = 0.1  # of the accepted tiles given up: less is not shown
POINTS = 2000.0  # of needless risk that weigh as much as a discard that gave up all speed


@dataclass(frozen=True)
class Analysis:
    """A game analysed. `record` has the names shown; `seat` (0-3) is the one to mark, else None.
    `stories` are its rounds, `luck` and `efficiency` by seat, `moments` the best ones. `opened`:
    the wall is known. `colours` are the members' own by seat, "" for others."""

    review: Review
    stories: tuple[Story, ...]
    luck: tuple[Luck, ...]
    efficiency: tuple[EfficiencyRating, ...]
    moments: tuple[Moment, ...]
    opened: bool
    seat: int | None = None
    colours: tuple[str, ...] = ("", "", "", "")

    @property
    def record(self) -> Record:
        return self.review.record

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players' names as they are drawn, by seat."""
        shown = distinct_names(self.record.players)
        return tuple(shown[name] for name in self.record.players)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The seats by placing, the first one first; in order where the end is unknown."""
        placings = self.record.placings() or tuple(range(self.record.seats))
        return tuple(sorted(range(self.record.seats), key=placings.__getitem__))

    @cached_property
    def absent(self) -> tuple[int, ...]:
        """The seats for which tiles were discarded while their players were away."""
        return tuple(seat for seat, count in enumerate(self.record.discards_away()) if count)

    @cached_property
    def chances(self) -> tuple[Floats, ...] | None:
        """The chances of the places at each deal and at the end (`chances_of`)."""
        return chances_of(self.record)

    @cached_property
    def turning(self) -> Turning | None:
        """The first round that changed the chances of first as much as any; None where none did or
        they are unknown.
        """
        return None if self.chances is None else turning_of(self.chances, AS_MUCH)

    @cached_property
    def choices(self) -> tuple[TopTableChoice, ...]:
        """What the top table would have discarded; () with four seats."""
        return choices_of(self.record)

    @cached_property
    def agreements(self) -> tuple[Agreement, ...]:
        """How often each seat discarded as the top table would."""
        return agreements(self.choices)

    @property
    def absent_note(self) -> str:
        """The sentence about players who were away."""
        names = "・".join(self.record.players[seat] for seat in self.absent)
        return ABSENT.format(names=names)

    def moments_of(self, number: int) -> tuple[Moment, ...]:
        """The best moments of the round at index `number`."""
        return tuple(moment for moment in self.moments if moment.round == number)

    def worst_choices(self, number: int, most: int = WORST) -> tuple[TileChoice, ...]:
        """The discards that gave up most speed, the marked seat's first, then those nearer to
        tenpai.
        """
        lost = [choice for choice in self.stories[number].choices if choice.loss >= LEAST]
        order = sorted(
            lost,
            key=lambda choice: (
                choice.seat != self.seat,
                -choice.loss,
                choice.best.shanten,
                choice.turn,
            ),
        )
        return tuple(sorted(order[:most], key=lambda choice: choice.turn))

    def weight(self, number: int) -> float:
        """How much there is to see in a round: rare moments, the worst discards, needless risk."""
        rare = sum(moment.grade for moment in self.moments_of(number))
        lost = sum(choice.loss for choice in self.worst_choices(number))
        spare = sum(push.spare for push in self.review.of_round(number)) / POINTS
        return rare + lost + spare + 0.1 * len(self.stories[number].riichi)

    @cached_property
    def by_weight(self) -> tuple[int, ...]:
        """The indices of the rounds with something to see, those with the most first."""
        weights = {number: self.weight(number) for number in range(len(self.record.rounds))}
        worth = [number for number, weight in weights.items() if weight > 0]
        return tuple(sorted(worth, key=lambda number: -weights[number]))


def rates_with(snapshot: LeagueSnapshot, seats: int) -> dict[str, DealInRate]:
    """Each class's chance to deal in; with three seats by the league's own records, where they
    suffice.
    """
    if seats == 4:
        return class_rates()
    statistics = total(entry for entry in snapshot.paifus if entry.seats == seats)
    return class_rates(seats, statistics.deal_ins[seats])


def analysed(
    record: Record,
    rates: Mapping[str, DealInRate],
    seat: int | None = None,
    colours: tuple[str, ...] = ("", "", "", ""),
) -> Analysis:
    """The record analysed; `rates` are the chances to deal in (`deal_in.class_rates`)."""
    done = review(record, rates)
    walls = open_walls(record).rounds
    told = stories(record, walls, done)
    efficiency = [EfficiencyRating()] * record.seats
    for story in told:
        for choice in story.choices:
            best_taken = int(choice.loss == 0)
            efficiency[choice.seat] += EfficiencyRating(1, best_taken, choice.loss)
    luck = luck_of(record)
    best = moments(record, walls, done)
    opened = walls is not None
    return Analysis(done, told, luck, tuple(efficiency), best, opened, seat, colours)
