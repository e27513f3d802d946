from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import pytest

from bot.league.moment_text import moment_text, moment_text_in
from rating.paifu.checked_walls import open_walls
from rating.paifu.moments import MOST, RULES, MomentKind, all_moments, moments
from rating.paifu.record import Away, Discard, Draw, Record, Riichi
from rating.paifu.wall import RoundWall
from tests.rating.paifu.records import read, record_of
from tests.rating.paifu.script import Script
from tests.real import RECORDS

WAITING = "123m456p789s2355s"  # waits for 1s and 4s
IISHANTEN = "123m456p789s2357s"
FAR = "123m456p147s258m1z"
ORPHANS = "19m19p19s1234567z"
Played = tuple[Record, tuple[RoundWall] | None]


class Case(NamedTuple):
    """Makes the round with the moment of `seat`, part of whose words it has, and one that nearly
    has it.
    """

    seat: int
    words: str
    has: Callable[[], Played]
    nearly: Callable[[], Played]


def riichi(*others: str, **more: str) -> Script:
    """Seat 0 declares riichi with its first discard, an east, waiting for 1s and 4s."""
    return Script(WAITING, *others, keep="14s1567z", **more).go("1z", riichi=True)


def opened(
    script: Script,
    final: tuple[int, ...] | None = None,
    **wall: str,
) -> Played:
    return script.record(final), script.wall(**wall)


def without_wall(script: Script, final: tuple[int, ...] | None = None) -> Played:
    return script.record(final), None


def won(
    yaku: tuple[tuple[int, int], ...] = ((1, 1),),
    **more: object,
) -> Played:
    return without_wall(
        riichi("1s")
        .go(throw="1s")
        .ron(
            0,
            yaku=yaku,
            **more,
        )
    )


def drawn(*yaku: tuple[int, int], turns: int = 19) -> Played:
    return without_wall(riichi().around(turns).tsumo("4s", yaku=yaku))


def double_ron(seats: int) -> Played:
    script = riichi("34m", "123m456p789s2355s").around(2).go(draw="1s")
    for seat in (0, 2)[:seats]:
        script.ron(seat)
    return without_wall(script)


def chased(ippatsu: int) -> Played:
    script = riichi("123m456p678s3477p").go("1z", riichi=True).around(2)
    return without_wall(
        script.go("2p").ron(
            1,
            yaku=((1, 1), (ippatsu, 1)),
        )
    )


def shifted() -> Played:
    script = riichi("5z", "", "55z6z", indicator="1p")
    script.go(throw="5z").pon(3, "6z").around(2)
    has_nine = any(tile // 4 == 8 for tile in script.hands[2])
    return opened(script.go("4s", "9m" if has_nine else "").end())


def unshifted() -> Played:
    return opened(riichi().around(3).tsumo("4s"))


def with_four(riichi: bool = False, last: str = "1m") -> Script:
    """Seat 0 waits for 1s and 4s with three 1m in hand, and draws the fourth."""
    script = Script("111m456p789s2355s", keep="14s1m1567z").go("1z", riichi=riichi).around(3)
    return script.go(last).around(3)


def useful(second: str) -> Played:
    script = Script("1357m1357p1357s1z", keep="123567m123567p1357s12z")
    draws = ("2m", second, "2p", "6p")
    discards = ("1z", "1s", "3s", "5s")
    for draw, throw in zip(draws, discards, strict=True):
        script.go(draw, throw).around(3)
    return without_wall(script.go("7s").end())


def passing(first: str, win: bool = False) -> Played:
    script = Script(WAITING, "1s", keep="14s1567z")
    script.go(first, riichi=True).go(throw="1s")
    return without_wall(script.ron(0) if win else script.end())


def last_round(start: tuple[int, ...], final: tuple[int, ...]) -> Played:
    script = Script().go()
    script.start = start
    return without_wall(script.end(), final)


EVEN = (25000, 25000, 25000, 25000)
BEHIND = (38000, 26000, 24000, 12000)
FAR_BEHIND = (75000, 15000, 10000, 0)
CASES = {
    "dead riichi": Case(
        0,
        "山に0枚のリーチ",
        lambda: opened(riichi("1111s4444s").around(3).end()),
        lambda: opened(riichi("1111s444s").around(3).end(), coming="4s"),
    ),
    "dead riichi won": Case(
        0,
        "山に0枚",
        lambda: opened(riichi("1111s4444s").go(throw="1s").ron(0)),
        lambda: opened(riichi("1111s444s").go(throw="1s").ron(0), coming="4s"),
    ),
    "last copy": Case(
        0,
        "最後の1枚",
        lambda: opened(riichi("1111s444s").around(3).tsumo("4s")),
        lambda: opened(riichi("1111s44s").around(3).tsumo("4s"), coming="4s"),
    ),
    "held by one": Case(
        0,
        "8枚は全部南原",
        lambda: without_wall(riichi("1111s4444s").around(3).end()),
        lambda: without_wall(riichi("1111s", "4444s").around(3).end()),
    ),
    "many live": Case(
        0,
        "山に4枚あったのに",
        lambda: opened(riichi("4444s").around(3).end(), coming="1111s"),
        lambda: opened(riichi("4444s1s").around(3).end(), coming="111s"),
    ),
    "next draw": Case(
        0,
        "次巡でツモれていた",
        lambda: opened(riichi().go().end(), coming="5z6z4s"),
        lambda: opened(riichi("1111s").go().end(), coming="5z6z7z5z6z7z4s"),
    ),
    "shifted": Case(0, "鳴きがなければ", shifted, unshifted),
    "ura unturned": Case(
        0,
        "裏2枚",
        lambda: opened(riichi("4s").around(3).end(), ura="4s"),
        lambda: opened(riichi().around(3).end(), ura="3p"),
    ),
    "rinshan asleep": Case(
        0,
        "嶺上に当たり牌",
        lambda: opened(riichi().around(3).end(), rinshan="4s"),
        lambda: opened(riichi().around(3).end(), rinshan="7z4s"),
    ),
    "kan passed": Case(
        0,
        "カンしていれば嶺上開花",
        lambda: opened(with_four().end(), rinshan="4s"),
        lambda: opened(with_four().end(), rinshan="3s4s"),
    ),
    "yakuman": Case(
        0,
        "役満　四暗刻",
        lambda: won((), yakuman=(40,), limit=5, value=32000),
        lambda: won(),
    ),
    "large": Case(
        0,
        "倍満　16,000点",
        lambda: won(limit=3, value=16000),
        lambda: won(limit=2, value=12000),
    ),
    "ura": Case(
        0,
        "裏3枚乗った",
        lambda: won(((1, 1), (53, 3))),
        lambda: won(((1, 1), (53, 2))),
    ),
    "dora": Case(
        0,
        "ドラ7",
        lambda: won(((1, 1), (52, 4), (54, 3))),
        lambda: won(((1, 1), (52, 4), (54, 2))),
    ),
    "ippatsu tsumo": Case(
        0,
        "一発ツモ",
        lambda: drawn((1, 1), (2, 1), (0, 1)),
        lambda: won(((1, 1), (2, 1))),
    ),
    "double riichi": Case(
        0,
        "ダブルリーチ",
        lambda: won(((21, 2),)),
        lambda: won(),
    ),
    "rinshan": Case(
        0,
        "嶺上開花",
        lambda: drawn((4, 1)),
        lambda: drawn((0, 1)),
    ),
    "robbed kan": Case(
        0,
        "槍槓",
        lambda: won(((3, 1),)),
        lambda: won(),
    ),
    "last tile": Case(
        0,
        "海底ツモ",
        lambda: drawn((5, 1)),
        lambda: drawn((0, 1)),
    ),
    "quick": Case(
        0,
        "4巡目のアガリ",
        lambda: drawn(turns=11),
        lambda: drawn(turns=15),
    ),
    "double ron": Case(3, "ダブロンに放銃", lambda: double_ron(2), lambda: double_ron(1)),
    "ippatsu to chaser": Case(0, "追っかけ", lambda: chased(2), lambda: chased(7)),
    "dealt tenpai": Case(
        0,
        "配牌テンパイ",
        lambda: without_wall(Script(WAITING).go().end()),
        lambda: without_wall(Script(IISHANTEN).go().end()),
    ),
    "dealt iishanten": Case(
        0,
        "配牌イーシャンテン",
        lambda: without_wall(Script(IISHANTEN).go().end()),
        lambda: without_wall(Script(FAR).go().end()),
    ),
    "safe tiles": Case(
        1,
        "安牌3枚",
        lambda: without_wall(riichi("111z1s").go("7z", throw="1s").ron(0)),
        lambda: without_wall(riichi("11z1s").go("7z", throw="1s").ron(0)),
    ),
    "furiten passed": Case(0, "フリテン", lambda: passing("4s"), lambda: passing("1z")),
    "passed": Case(
        0,
        "見逃し",
        lambda: passing("1z"),
        lambda: passing("1z", win=True),
    ),
    "useless": Case(
        0,
        "15巡連続ムダヅモ",
        lambda: without_wall(Script(WAITING, keep="14s").around(60).end()),
        lambda: without_wall(Script(WAITING, keep="14s").around(56).end()),
    ),
    "useful": Case(0, "5巡連続で有効牌", lambda: useful("6m"), lambda: useful("2z")),
    "tenpai refused": Case(
        0,
        "8枚待ち",
        lambda: without_wall(Script(WAITING).go("1z", "5s").end()),
        lambda: without_wall(Script(WAITING).go("1z").end()),
    ),
    "orphans": Case(
        0,
        "国士無双テンパイ",
        lambda: without_wall(Script(ORPHANS).go().end()),
        lambda: without_wall(Script("19m19p19s123456z2m").go().end()),
    ),
    "same wait": Case(
        1,
        "東野と同じ待ち",
        lambda: without_wall(riichi("123m456p789s2355s").go("1z", riichi=True).end()),
        lambda: without_wall(riichi("123m456p789s34s55z").go("1z", riichi=True).end()),
    ),
    "all tenpai": Case(
        0,
        "全員テンパイ",
        lambda: without_wall(Script().go().end(tenpai=(0, 1, 2, 3))),
        lambda: without_wall(Script().go().end(tenpai=(0, 1, 2))),
    ),
    "nagashi": Case(
        2,
        "流し満貫",
        lambda: without_wall(Script().go().end("nm", change=(-4000, -2000, 8000, -2000))),
        lambda: without_wall(Script().go().end()),
    ),
    "aborted": Case(
        0,
        "四風連打",
        lambda: without_wall(Script().go().end("kaze4")),
        lambda: without_wall(Script().go().end("yao9")),
    ),
    "honba": Case(
        0,
        "4本場",
        lambda: without_wall(Script(honba=4).go().end()),
        lambda: without_wall(Script(honba=3).go().end()),
    ),
    "comeback": Case(
        3,
        "東1局の8%から逆転トップ",
        lambda: last_round(BEHIND, (22000, 26000, 24000, 28000)),
        lambda: last_round(FAR_BEHIND, (22000, 26000, 24000, 28000)),
    ),
    "great comeback": Case(
        3,
        "東1局の1%未満から大逆転トップ",
        lambda: last_round(FAR_BEHIND, (22000, 26000, 24000, 28000)),
        lambda: last_round(BEHIND, (22000, 26000, 24000, 28000)),
    ),
    "last to first": Case(
        3,
        "ラスから逆転",
        lambda: last_round((30000, 26000, 24000, 20000), (22000, 26000, 24000, 28000)),
        lambda: last_round((30000, 26000, 20000, 24000), (22000, 26000, 24000, 28000)),
    ),
    "narrow": Case(
        1,
        "1,000点差",
        lambda: last_round(EVEN, (26000, 27000, 25000, 22000)),
        lambda: last_round(EVEN, (25900, 27000, 25000, 22100)),
    ),
    "bust": Case(
        2,
        "飛び",
        lambda: last_round(EVEN, (50000, 30000, -100, 20100)),
        lambda: last_round(EVEN, (50000, 30000, 0, 20000)),
    ),
}


def of(rule: str, played: Played) -> list[tuple[int, str]]:
    record, walls = played
    of_rule = (moment for moment in all_moments(record, walls) if moment.rule == rule)
    return [(moment.seat, moment_text_in(moment, record)) for moment in of_rule]


def test_last_copy_is_in_the_live_wall() -> None:
    """One copy is live, and the win is by the other, drawn after a kan."""
    script = (
        Script("123m999p789s2355s", "1111s4s", keep="14s9p1567z").go("1z", riichi=True).around(3)
    )
    script = script.kan("9p", "4s").tsumo()
    assert of("last copy", opened(script, coming="4s")) == []


def test_every_rule_has_a_case() -> None:
    assert sorted(CASES) == sorted(rule.kind for rule in RULES)
    assert len(RULES) >= 30
    assert {rule.grade for rule in RULES} == {1, 2, 3, 4, 5}


@pytest.mark.parametrize("rule", CASES)
def test_rule_applies_to_its_case_and_not_to_a_near_one(rule: str) -> None:
    case = CASES[rule]
    sightings = of(rule, case.has())
    assert any(seat == case.seat and case.words in words for seat, words in sightings), sightings
    assert all(seat != case.seat for seat, _ in of(rule, case.nearly()))


def test_kan_passed_in_riichi_leaves_the_waits() -> None:
    for last, rinshan, count in (
        ("1m", "4s", 1),
        ("6z", "4s", 0),
        ("1m", "6z", 0),
    ):  # 6z: no fourth tile
        script = with_four(True, last)
        assert len(of("kan passed", opened(script.end(), rinshan=rinshan))) == count
    # 1112m waits for 2m and 3m; without the three 1m only 2m is left, so no kan in riichi is
    # allowed.
    for riichi, count in ((True, 0), (False, 1)):
        script = Script("1112m456p789s555s", keep="123m5s1567z").go("1z", riichi=riichi).around(3)
        script.go("1m", throw="1m").around(3)
        assert len(of("kan passed", opened(script.end(), rinshan="2m"))) == count


def test_kan_made_is_not_passed() -> None:
    made = Script("111m456p789s2355s", keep="14s1m1567z").go("1z").around(3)
    made.kan("1m", "4s").tsumo()
    assert of("kan passed", opened(made)) == []
    north = (
        Script("111p456p789s2355s", seats=3, keep="14s1p1234567z")
        .go("1z")
        .around(2)
        .go("4z")
        .around(2)
    )
    ((_, words),) = of(
        "kan passed",
        opened(north.end(), rinshan="4s"),
    )
    assert words == "北を抜いていれば嶺上開花"
    pon = Script("5z", "55z456p789s2355s", keep="14s5z1z")
    pon.go(throw="5z").pon(1, "5s")
    assert of("kan passed", opened(pon.end(), rinshan="4s")) == []


def test_texts_of_moments_have_shown_names() -> None:
    record, walls = CASES["same wait"].has()
    moments = all_moments(record, walls)
    moment = next(moment for moment in moments if moment.rule is MomentKind.SAME_WAIT)
    assert (moment.other, moment_text(moment)) == (0, "{}と同じ待ちのリーチ")
    assert moment_text_in(moment, record) == "東野と同じ待ちのリーチ"
    record, _ = CASES["dead riichi"].has()
    assert of("dead riichi", (record, None)) == []


def test_game_has_its_five_rarest_moments_in_order() -> None:
    for seed in range(4):
        for seats in (3, 4):
            record = read(seed, seats)
            every = list(all_moments(record))
            best = moments(record)
            assert len(best) == min(MOST, len(every))
            assert [moment.round for moment in best] == sorted(moment.round for moment in best)
            assert set(best) <= set(every)
            if len({moment.rule for moment in every}) >= MOST:
                assert len({moment.rule for moment in best}) == MOST
            texts = [moment_text_in(moment, record) for moment in every]
            assert all(text and "\n" not in text for text in texts)
            assert all(moment.seat < seats for moment in every)


SHOWS = {
    **dict.fromkeys(("dead riichi", "held by one", "same wait"), "riichi"),
    **dict.fromkeys(("tenpai refused", "safe tiles", "orphans"), "discard"),
    **dict.fromkeys(("passed", "furiten passed"), "other's discard"),
    **dict.fromkeys(("useful", "useless", "kan passed"), "draw"),
    **dict.fromkeys(("dealt tenpai", "dealt iishanten", "honba"), "deal"),
}
"""What has just been played when a rule's moment shows; else the round is over."""


def test_moment_points_to_its_event() -> None:
    counted = Counter[str]()
    for path in RECORDS:
        record = record_of(path)
        for moment in all_moments(record, open_walls(record).rounds):
            played = record.rounds[moment.round]
            events = [event for event in played.events if type(event) is not Away]
            event_kind = SHOWS.get(moment.rule, "end")
            before = None
            last = None
            if 1 <= moment.at <= len(events):
                last = events[moment.at - 1]
            if 2 <= moment.at <= len(events):
                before = events[moment.at - 2]
            counted[event_kind] += 1
            if event_kind in ("riichi", "discard"):
                assert isinstance(last, Discard)
                assert last.seat == moment.seat
                assert isinstance(before, Riichi) or event_kind == "discard"
            elif event_kind == "other's discard":
                assert isinstance(last, Discard)
                assert last.seat != moment.seat
                assert last.tile // 4 == moment.kinds[0]
            elif event_kind == "draw":
                assert isinstance(last, Draw)
                assert last.seat == moment.seat
            else:
                assert moment.at == (0 if event_kind == "deal" else len(events) + 1)
    assert (
        min(counted[event_kind] for event_kind in ("riichi", "discard", "draw", "deal", "end")) > 3
    )
