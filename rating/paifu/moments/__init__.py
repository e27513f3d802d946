"""Moments (名場面) of a game: what friends talk about afterwards, each confirmed by the record's
facts.

RULES is the table of them: how rare a moment is, and what finds it in a round. The finders are by
subject in the modules of this folder; their words are the bot's.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate

from rating.paifu.moments import game_end, play, waits, wins
from rating.paifu.moments.moment import (
    LeastChance,
    Moment,
    MomentKind,
    MomentRule,
    Replacement,
    Subject,
)
from rating.paifu.record import DOUBLE_RIICHI, RINSHAN, ROBBED_KAN, Away, Record, Round
from rating.paifu.review import Review
from rating.paifu.story import stories
from rating.paifu.wall import RoundWall

__all__ = [
    "MOST",
    "RULES",
    "LeastChance",
    "Moment",
    "MomentKind",
    "MomentRule",
    "Replacement",
    "Subject",
    "all_moments",
    "moments",
]

MOST = 5
RULES = (
    MomentRule(MomentKind.DEAD_RIICHI, 1, waits.dead_riichi),
    MomentRule(MomentKind.DEAD_RIICHI_WON, 3, waits.dead_riichi_won),
    MomentRule(MomentKind.LAST_COPY, 2, waits.last_copy),
    MomentRule(MomentKind.HELD_BY_ONE, 4, waits.held_by_one),
    MomentRule(MomentKind.MANY_LIVE, 3, waits.many_live),
    MomentRule(MomentKind.NEXT_DRAW, 2, waits.next_draw),
    MomentRule(MomentKind.SHIFTED, 4, waits.shifted),
    MomentRule(MomentKind.URA_UNTURNED, 3, waits.ura_unturned),
    MomentRule(MomentKind.RINSHAN_ASLEEP, 3, waits.rinshan_asleep),
    MomentRule(MomentKind.KAN_PASSED, 5, waits.kan_passed),
    MomentRule(MomentKind.YAKUMAN, 5, wins.yakuman),
    MomentRule(MomentKind.LARGE, 3, wins.large),
    MomentRule(MomentKind.URA, 4, wins.ura),
    MomentRule(MomentKind.DORA, 4, wins.dora),
    MomentRule(MomentKind.IPPATSU_TSUMO, 1, wins.ippatsu_tsumo),
    MomentRule(MomentKind.DOUBLE_RIICHI, 4, wins.with_yaku(DOUBLE_RIICHI)),
    MomentRule(MomentKind.RINSHAN, 4, wins.with_yaku(RINSHAN)),
    MomentRule(MomentKind.ROBBED_KAN, 5, wins.with_yaku(ROBBED_KAN)),
    MomentRule(MomentKind.LAST_TILE, 4, wins.last_tile),
    MomentRule(MomentKind.QUICK, 3, wins.quick),
    MomentRule(MomentKind.DOUBLE_RON, 4, wins.double_ron),
    MomentRule(MomentKind.IPPATSU_TO_CHASER, 4, wins.ippatsu_to_chaser),
    MomentRule(MomentKind.DEALT_TENPAI, 5, play.dealt(-1, 0)),
    MomentRule(MomentKind.DEALT_IISHANTEN, 2, play.dealt(1)),
    MomentRule(MomentKind.SAFE_TILES, 2, wins.safe_tiles),
    MomentRule(MomentKind.FURITEN_PASSED, 5, play.passed(furiten=True)),
    MomentRule(MomentKind.PASSED, 5, play.passed(furiten=False)),
    MomentRule(MomentKind.USELESS, 3, play.runs(hit=False, least=15)),
    MomentRule(MomentKind.USEFUL, 3, play.runs(hit=True, least=5)),
    MomentRule(MomentKind.TENPAI_REFUSED, 2, play.tenpai_refused),
    MomentRule(MomentKind.ORPHANS, 5, waits.orphans),
    MomentRule(MomentKind.SAME_WAIT, 5, waits.same_wait),
    MomentRule(MomentKind.ALL_TENPAI, 5, play.all_tenpai),
    MomentRule(MomentKind.NAGASHI, 5, play.nagashi),
    MomentRule(MomentKind.ABORTED, 5, play.aborted),
    MomentRule(MomentKind.HONBA, 4, play.honba),
    MomentRule(MomentKind.LAST_TO_FIRST, 5, game_end.last_to_first),
    MomentRule(MomentKind.COMEBACK, 3, game_end.comeback),
    MomentRule(MomentKind.GREAT_COMEBACK, 4, game_end.great_comeback),
    MomentRule(MomentKind.NARROW, 4, game_end.narrow),
    MomentRule(MomentKind.BUST, 2, game_end.bust),
)
"""All rules. The moments of a round are in this order."""


def moments(
    record: Record, walls: Sequence[RoundWall] | None = None, reviewed: Review | None = None
) -> tuple[Moment, ...]:
    """The rarest moments of a record, at most MOST, in order of play. `walls` are those of
    `open_walls`; without them there are no moments of the wall. `reviewed` is the record's review where
    it is there already. A second moment of a kind comes in only when fewer than MOST kinds have one."""
    candidates = list(all_moments(record, walls, reviewed))
    first_of_kind: dict[MomentKind, int] = {}
    for index, moment in enumerate(candidates):
        first_of_kind.setdefault(moment.rule, index)

    def rarity(index: int) -> tuple[bool, int, int]:
        moment = candidates[index]
        is_repeated = first_of_kind[moment.rule] != index
        return is_repeated, -moment.grade, index

    rarest = sorted(range(len(candidates)), key=rarity)[:MOST]
    return tuple(candidates[index] for index in sorted(rarest))


def all_moments(
    record: Record, walls: Sequence[RoundWall] | None = None, reviewed: Review | None = None
) -> Iterator[Moment]:
    """Yield every moment that a rule finds, in order of play."""
    for story in stories(record, walls, reviewed):
        shown = _shown_events(story.played)
        for rule in RULES:
            for sighting in rule.find(story):
                at = shown[-1] + 1
                if sighting.at is not None:
                    at = shown[sighting.at]
                yield Moment(
                    rule=rule.kind,
                    grade=rule.grade,
                    round=story.round,
                    seat=sighting.seat,
                    kinds=sighting.kinds,
                    subject=sighting.subject,
                    other=sighting.other,
                    at=at,
                )


def _shown_events(played: Round) -> list[int]:
    """How many of the first n events are shown, by n: all but those of players who leave."""
    return list(accumulate((type(event) is not Away for event in played.events), initial=0))
