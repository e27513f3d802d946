"""Moments (名場面) of a game: what friends talk about afterwards, each confirmed by the record's
facts.

RULES is the table of them: how rare a moment is, its words, and what finds it in a round.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, groupby
from typing import NamedTuple

from rating.paifu.chances import chances_of, deals_of
from rating.paifu.efficiency import acceptance, shanten_of
from rating.paifu.opened import HELD, LIVE, OWN, SHOWN, OpenedWait, exhausted
from rating.paifu.record import (
    DORA,
    DOUBLE_RIICHI,
    IPPATSU,
    LAST_DISCARD,
    LAST_DRAW,
    PON,
    RED,
    RINSHAN,
    ROBBED_KAN,
    URA,
    Away,
    Call,
    Discard,
    Draw,
    NoWin,
    Record,
    Round,
    Win,
    yaku_name,
)
from rating.paifu.review import Review
from rating.paifu.story import Story, drawer_of, passed_waits, stories
from rating.paifu.table import REPLACED, TableState, WallCount
from rating.paifu.tiles import NORTH, TERMINALS_AND_HONOURS, counts
from rating.paifu.wall import RoundWall

MOST = 5
# least chances of the winner of 1 game in 10 and in 31 (with three seats)
COMEBACK = 0.12
GREAT = 0.05
LIMITS = {3: "倍満", 4: "三倍満", 5: "数え役満"}
LAST_TILE = {LAST_DRAW: "海底ツモ", LAST_DISCARD: "河底ロン"}
ABORTED = {"reach4": "四家立直", "ron3": "三家和", "kan4": "四開槓", "kaze4": "四風連打"}


class Moment(NamedTuple):
    """A moment of a game. `rule` is the rule's name, `round` an index into the rounds; `words` are
    Japanese, without a name before. `said` are the words with {} where the name of the seat `other`
    stands, so that it can be told by another name. `at` is how many events of the round have been
    played when it shows, without those of players who leave; one more than there are where it is
    the round's end."""

    rule: str
    grade: int
    round: int
    seat: int
    words: str
    kinds: tuple[int, ...]
    said: str = ""
    other: int | None = None
    at: int = 0


class Found(NamedTuple):
    """Whose moment it is, and the kinds (0-33) it speaks of; `what` and the name of the seat
    `other` stand in its words. `at` is how many events have been played when it shows, None at the
    round's end."""

    seat: int
    kinds: tuple[int, ...] = ()
    what: object = ""
    other: int | None = None
    at: int | None = None


Find = Callable[[Story], Iterator[Found]]


class MomentRule(NamedTuple):
    """A rule. `grade` tells how rare its moments are: 1 in more than one of three games, 2 in more
    than one of six, 3 of twelve, 4 of thirty, 5 rarer still (`python -m tests.tools.bench.wall`
    counts them). `words` have {what} and {} where those of Found stand."""

    name: str
    grade: int
    words: str
    find: Find


def moments(
    record: Record, walls: Sequence[RoundWall] | None = None, reviewed: Review | None = None
) -> tuple[Moment, ...]:
    """The rarest moments of a record, at most MOST, in order of play. `walls` are those of
    `open_walls`; without them nothing is said of the wall. `reviewed` is the record's review where
    it is there already. No rule is told twice while another has something to tell."""
    found = list(all_moments(record, walls, reviewed))
    first: dict[str, int] = {}
    for place, moment in enumerate(found):
        first.setdefault(moment.rule, place)

    def rarity(place: int) -> tuple[bool, int, int]:
        return first[found[place].rule] != place, -found[place].grade, place

    rarest = sorted(range(len(found)), key=rarity)[:MOST]
    return tuple(found[place] for place in sorted(rarest))


def all_moments(
    record: Record, walls: Sequence[RoundWall] | None = None, reviewed: Review | None = None
) -> Iterator[Moment]:
    """Yield every moment that a rule finds, in order of play."""
    for story in stories(record, walls, reviewed):
        shown = list(
            accumulate((type(event) is not Away for event in story.played.events), initial=0)
        )
        for rule in RULES:
            for seat, kinds, what, other, at in rule.find(story):
                said = rule.words.replace("{what}", str(what))
                words = said if other is None else said.replace("{}", record.players[other])
                place = shown[-1] + 1 if at is None else shown[at]
                yield Moment(
                    rule.name, rule.grade, story.round, seat, words, kinds, said, other, place
                )


def _after(played: Round, event: type[Discard | Draw], tile: int) -> int:
    """How many events have been played when the tile is drawn or discarded."""
    numbered = enumerate(played.events, 1)
    return next(n for n, one in numbered if type(one) is event and one.tile == tile)


def _made(played: Round, seat: int, turn: int) -> int:
    """How many events have been played when the seat has made its discard number `turn`."""
    numbered = enumerate(played.events, 1)
    discards = [n for n, one in numbered if type(one) is Discard and one.seat == seat]
    return discards[turn - 1]


def _wins(told: Callable[[Win], object], tile: bool = True) -> Find:
    def find(story: Story) -> Iterator[Found]:
        for win in story.played.wins:
            kinds: tuple[int, ...] = ()
            if tile:
                kinds = (win.tile // 4,)
            if what := told(win):
                yield Found(win.seat, kinds, what)

    return find


def _riichi(told: Callable[[OpenedWait], object], drawn: bool = False) -> Find:
    def find(story: Story) -> Iterator[Found]:
        for one in story.riichi:
            if (exhausted(story.played) or not drawn) and (what := told(one)):
                at = None if drawn or one.won else _made(story.played, one.seat, one.turn)
                yield Found(one.seat, one.waits, what, at=at)

    return find


def _no_wins(told: Callable[[NoWin], object]) -> Find:
    def find(story: Story) -> Iterator[Found]:
        for ending in story.played.endings:
            if isinstance(ending, NoWin) and (what := told(ending)):
                yield Found(story.played.dealer, what=what)

    return find


def _seats(
    told: Callable[[Story, int], object],
    at: int | None = None,
) -> Find:
    def find(story: Story) -> Iterator[Found]:
        for seat in range(story.record.seats):
            if what := told(story, seat):
                yield Found(seat, what=what, at=at)

    return find


def _dealt(*shanten: int) -> Find:
    return _seats(
        lambda story, seat: (
            shanten_of(counts(story.played.hands[seat]), story.record.seats) in shanten
        ),
        0,
    )


def _runs(hit: bool, least: int) -> Find:
    def find(story: Story) -> Iterator[Found]:
        for seat in range(story.record.seats):
            draws = (draw for draw in story.draws if draw.seat == seat)
            runs = groupby(draws, key=lambda draw: draw.hit)
            run = max((list(run) for kind, run in runs if kind == hit), key=len, default=[])
            if len(run) >= least:
                at = _after(story.played, Draw, run[-1].tile)
                yield Found(seat, what=len(run), at=at)

    return find


def _passed(furiten: bool) -> Find:
    def find(story: Story) -> Iterator[Found]:
        for tile, waiting in passed_waits(story):
            at = _after(story.played, Discard, tile)
            for seat, is_furiten in waiting:
                if is_furiten == furiten:
                    yield Found(seat, (tile // 4,), at=at)

    return find


def _at_least(number: int | None, least: int) -> int:
    return number if number is not None and number >= least else 0


def _han(least: int, *numbers: int) -> Find:
    return _wins(
        lambda win: _at_least(sum(han for number, han in win.yaku if number in numbers), least),
        tile=False,
    )


def _last_copy(story: Story) -> Iterator[Found]:
    for one in story.riichi:
        win = story.win_of(one.seat)
        last = [copy.tile for copy in one.copies if copy.place == LIVE]
        if win is not None and win.tsumo and last == [win.tile]:
            yield Found(one.seat, (win.tile // 4,))


def _held_by_one(story: Story) -> Iterator[Found]:
    """Every copy of the waits that is not in the own hand or shown is in one other hand."""
    for one in story.riichi:
        holders = [copy.seat for copy in one.copies if copy.place == HELD]
        hidden = any(copy.place not in (OWN, SHOWN, HELD) for copy in one.copies)
        if len(holders) >= 2 and len(set(holders)) == 1 and not hidden:
            at = _made(story.played, one.seat, one.turn)
            yield Found(one.seat, one.waits, len(holders), holders[0], at)


def _next_draw(story: Story) -> Iterator[Found]:
    for hand in story.end.tenpai if story.end else ():
        if hand.own is not None and hand.own <= story.record.seats:
            yield Found(hand.seat, hand.waits)


def _shifted(story: Story) -> Iterator[Found]:
    """The first copy of a riichi's waits was to be its own draw, and a call or kan gave it to
    another.
    """
    for one in story.riichi:
        live = (copy for copy in one.copies if copy.place == LIVE)
        first = min(live, key=lambda copy: copy.draws or 0, default=None)
        if first is None or first.seat != one.seat or one.won:
            continue
        drawer = drawer_of(story.played, first.tile)
        if drawer is not None and drawer != one.seat:
            yield Found(one.seat, (first.tile // 4,))


def _rinshan_asleep(story: Story) -> Iterator[Found]:
    """The next tile of the dead wall completes a hand in riichi that did not win."""
    if story.end and (tile := story.end.rinshan) is not None:
        for hand in story.end.tenpai:
            if hand.riichi and tile // 4 in hand.waits:
                yield Found(hand.seat, (tile // 4,))


def _kan_passed(story: Story) -> Iterator[Found]:
    """A kan, or with three seats a kita, would have drawn the winning tile; the first of each
    seat.
    """
    if story.wall is None:
        return
    table = TableState(story.played)
    count = WallCount()
    told = set[int]()
    events = story.played.events
    for event, after in zip(events, (*events[1:], None), strict=True):
        table.apply(event)
        count.apply(event)
        if type(event) is not Draw or event.seat in told or event.seat in table.away:
            continue
        called = type(after) is Call and after.meld.type in REPLACED
        won = after is None and story.win_of(event.seat) is not None
        if not called and not won and (what := _would_win(story.wall, table, count, event)):
            told.add(event.seat)
            at = _after(story.played, Draw, event.tile)
            kinds = (story.wall.rinshan[count.taken] // 4,)
            yield Found(event.seat, kinds, what, at=at)


def _would_win(wall: RoundWall, table: TableState, count: WallCount, drawn: Draw) -> str:
    """What the seat that has just drawn could have done to win with the next tile of the dead wall;
    "" for nothing. After riichi a kan must be of the tile drawn and leave the waits as they are
    (https://tenhou.net/man/#RULE)."""
    if count.taken >= len(wall.rinshan):
        return ""
    if not wall.rest(count.drawn, count.taken):
        return ""
    held = table.held[drawn.seat]
    kind = drawn.tile // 4

    def without(other: int, number: int) -> tuple[int, tuple[int, ...]]:
        remaining = list(held)
        remaining[other] -= number
        return acceptance(remaining, table.seats)

    before: tuple[int, ...] | None = None
    if table.riichi[drawn.seat] is not None:
        _, before = without(kind, 1)
    melds = table.melds[drawn.seat]
    pons = {meld.called // 4 for meld in melds if meld.type == PON}
    for other, number in enumerate(held):
        parts: list[tuple[int, str]] = []
        if number == 4 or (number > 0 and other in pons):
            parts.append((number, "カンして"))
        if number > 0 and other == NORTH and table.seats == 3:
            parts.append((1, "北を抜いて"))
        for taken, words in parts:
            shanten, waits = without(other, taken)
            allowed = before is None or (other == kind and waits == before)
            if shanten == 0 and allowed and wall.rinshan[count.taken] // 4 in waits:
                return words
    return ""


def _quick(story: Story) -> Iterator[Found]:
    for win in story.played.wins:
        if (turn := story.played.win_turn(win)) <= 4:
            yield Found(win.seat, (win.tile // 4,), turn)


def _double_ron(story: Story) -> Iterator[Found]:
    wins = story.played.wins
    if len(wins) > 1 and wins[0].giver not in story.played.away_at_end:
        yield Found(wins[0].giver, (wins[0].tile // 4,))


def _ippatsu_to_chaser(story: Story) -> Iterator[Found]:
    """A player in riichi deals in at once to one who declared later."""
    order = [one.seat for one in story.riichi if one.seat not in story.played.away_at_end]
    for win in story.played.wins:
        if win.tsumo or win.giver not in order or win.seat not in order:
            continue
        declared_later = order.index(win.giver) < order.index(win.seat)
        if declared_later and IPPATSU in dict(win.yaku):
            yield Found(win.giver, (win.tile // 4,))


def _safe_tiles(story: Story) -> Iterator[Found]:
    """A deal-in to a riichi with three or more tiles in hand that were safe against every
    riichi.
    """
    for push in story.pushes:
        facing = push.facing
        safe = [tile for tile in facing.hand if all(one[tile // 4] for one in facing.safe)]
        if not facing.in_riichi and push.deal_ins.to_riichi and len(safe) >= 3:
            at = _after(story.played, Discard, facing.tile)
            yield Found(facing.seat, (facing.kind,), len(safe), at=at)


def _tenpai_refused(story: Story) -> Iterator[Found]:
    for choice in story.choices:
        best = choice.best
        if best.shanten == 0 and choice.taken.shanten > 0 and best.tiles >= 6:
            at = _after(story.played, Discard, choice.tile)
            yield Found(choice.seat, best.kinds, best.tiles, at=at)


def _orphans(story: Story) -> Iterator[Found]:
    """Tenpai for thirteen orphans that did not win; the first of each seat."""
    told: set[int] = set()
    for one in story.opened:
        kinds = {tile // 4 for tile in one.hand}
        nearly_orphans = len(kinds) >= 12 and kinds <= TERMINALS_AND_HONOURS
        if nearly_orphans and not one.won and one.seat not in told:
            told.add(one.seat)
            at = _made(story.played, one.seat, one.turn)
            yield Found(one.seat, one.waits, at=at)


def _same_wait(story: Story) -> Iterator[Found]:
    for place, one in enumerate(story.riichi):
        for other in story.riichi[:place]:
            if one.waits and one.waits == other.waits:
                at = _made(story.played, one.seat, one.turn)
                yield Found(one.seat, one.waits, other=other.seat, at=at)


def _ura_unturned(story: Story, seat: int) -> int:
    if story.end is None:
        return 0
    return _at_least(story.end.ura_hits[seat], 2)


def _nagashi(story: Story, seat: int) -> bool:
    changes = [
        one.change for one in story.played.endings if isinstance(one, NoWin) and one.type == "nm"
    ]
    return any(change.index(max(change)) == seat for change in changes)


def _from_last_to_first(story: Story, seat: int) -> bool:
    start = story.played.start
    alone_last = start[seat] == min(start) and start.count(start[seat]) == 1
    return story.last and alone_last and _wins_game(story.record, seat)


def _wins_game(record: Record, seat: int) -> bool:
    placings = record.placings()
    return placings is not None and placings[seat] == 0


def _comeback(low: float, high: float) -> Find:
    def told(story: Story, seat: int) -> str:
        record = story.record
        if not story.last or not _wins_game(record, seat):
            return ""
        chances = chances_of(record)
        if chances is None:
            return ""
        first = [float(places[seat, 0]) for places in chances]
        least = min(first)
        if not low <= least < high:
            return ""
        share = f"{least:.0%}" if least >= 0.005 else "1%未満"
        deal, _ = deals_of(record)[first.index(least)]
        return f"{deal.name}の{share}"

    return _seats(told)


def _narrow(story: Story, seat: int) -> str:
    final = story.record.final
    if final is None or not story.last or not _wins_game(story.record, seat):
        return ""
    first, second = sorted(final, reverse=True)[:2]
    if first - second > 1000:
        return ""
    return f"{first - second:,}点差の" if first > second else "同点"


def _bust(story: Story, seat: int) -> bool:
    final = story.record.final
    return final is not None and story.last and final[seat] < 0


RULES = (
    MomentRule(
        "dead riichi", 1, "山に0枚のリーチ", _riichi(lambda one: one.live == 0 and not one.won)
    ),
    MomentRule(
        "dead riichi won", 3, "山に0枚の待ちでロン", _riichi(lambda one: one.live == 0 and one.won)
    ),
    MomentRule("last copy", 2, "山に最後の1枚をツモ", _last_copy),
    MomentRule("held by one", 4, "残りの当たり牌{what}枚は全部{}の手の中", _held_by_one),
    MomentRule(
        "many live",
        3,
        "山に{what}枚あったのに流局",
        _riichi(lambda one: _at_least(one.live, 4), True),
    ),
    MomentRule("next draw", 2, "次巡でツモれていた", _next_draw),
    MomentRule("shifted", 4, "鳴きがなければツモだった", _shifted),
    MomentRule(
        "ura unturned",
        3,
        "裏{what}枚は乗っていた",
        _seats(_ura_unturned),
    ),
    MomentRule("rinshan asleep", 3, "嶺上に当たり牌が眠っていた", _rinshan_asleep),
    MomentRule("kan passed", 5, "{what}いれば嶺上開花", _kan_passed),
    MomentRule(
        "yakuman", 5, "役満　{what}", _wins(lambda win: "・".join(map(yaku_name, win.yakuman)))
    ),
    MomentRule(
        "large",
        3,
        "{what}点",
        _wins(
            lambda win: (
                ""
                if win.yakuman or win.limit not in LIMITS
                else f"{LIMITS[win.limit]}　{win.value:,}"
            )
        ),
    ),
    MomentRule("ura", 4, "裏{what}枚乗った", _han(3, URA)),
    MomentRule("dora", 4, "ドラ{what}のアガリ", _han(7, DORA, URA, RED)),
    MomentRule(
        "ippatsu tsumo", 1, "一発ツモ", _wins(lambda win: win.tsumo and IPPATSU in dict(win.yaku))
    ),
    MomentRule(
        "double riichi",
        4,
        "ダブルリーチでアガリ",
        _wins(lambda win: DOUBLE_RIICHI in dict(win.yaku)),
    ),
    MomentRule("rinshan", 4, "嶺上開花", _wins(lambda win: RINSHAN in dict(win.yaku))),
    MomentRule("robbed kan", 5, "槍槓", _wins(lambda win: ROBBED_KAN in dict(win.yaku))),
    MomentRule(
        "last tile",
        4,
        "{what}",
        _wins(
            lambda win: next(
                (LAST_TILE[number] for number, _ in win.yaku if number in LAST_TILE), ""
            )
        ),
    ),
    MomentRule("quick", 3, "{what}巡目のアガリ", _quick),
    MomentRule("double ron", 4, "ダブロンに放銃", _double_ron),
    MomentRule("ippatsu to chaser", 4, "追っかけリーチに一発で放銃", _ippatsu_to_chaser),
    MomentRule("dealt tenpai", 5, "配牌テンパイ", _dealt(-1, 0)),
    MomentRule("dealt iishanten", 2, "配牌イーシャンテン", _dealt(1)),
    MomentRule("safe tiles", 2, "安牌{what}枚あって放銃", _safe_tiles),
    MomentRule("furiten passed", 5, "フリテンで見逃し", _passed(furiten=True)),
    MomentRule("passed", 5, "リーチ後に当たり牌を見逃し", _passed(furiten=False)),
    MomentRule("useless", 3, "{what}巡連続ムダヅモ", _runs(hit=False, least=15)),
    MomentRule("useful", 3, "{what}巡連続で有効牌", _runs(hit=True, least=5)),
    MomentRule("tenpai refused", 2, "{what}枚待ちのテンパイ取らず", _tenpai_refused),
    MomentRule("orphans", 5, "国士無双テンパイ", _orphans),
    MomentRule("same wait", 5, "{}と同じ待ちのリーチ", _same_wait),
    MomentRule(
        "all tenpai", 5, "全員テンパイで流局", _no_wins(lambda end: not end.type and all(end.shown))
    ),
    MomentRule("nagashi", 5, "流し満貫", _seats(_nagashi)),
    MomentRule("aborted", 5, "{what}で流局", _no_wins(lambda ending: ABORTED.get(ending.type))),
    MomentRule(
        "honba",
        4,
        "{what}本場",
        _seats(
            lambda story, seat: seat == story.played.dealer and _at_least(story.played.honba, 4), 0
        ),
    ),
    MomentRule("last to first", 5, "最終局でラスから逆転トップ", _seats(_from_last_to_first)),
    MomentRule("comeback", 3, "{what}から逆転トップ", _comeback(GREAT, COMEBACK)),
    MomentRule("great comeback", 4, "{what}から大逆転トップ", _comeback(0.0, GREAT)),
    MomentRule("narrow", 4, "{what}トップ", _seats(_narrow)),
    MomentRule("bust", 2, "飛び", _seats(_bust)),
)
