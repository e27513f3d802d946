"""ポスター: what it tells of a night, and that it comes by itself once a day."""

from collections.abc import Sequence
from datetime import date, datetime

import pytest

from bot.answers.recaps.poster_picture import Poster
from bot.chat.command import Command
from bot.chat.replies import Picture, Reply
from bot.league.paifu_log import entry_of
from rating.logdates import JST
from rating.paifu.chances import AS_MUCH, chances_of, deals_of, turning_of
from rating.paifu.formats import parse
from rating.paifu.recordlog import log_bytes
from tests.answers.leagues import LeagueWorld, game, world
from tests.real import DATA

RULES = 'name = "雀録杯"\n[rules]\numa = [20, 0, -20]\n'
BEFORE = [game("甲(+40.0)", "乙(0.0)", "丙(-40.0)")] * 7
NIGHT = [
    game("乙(+35.0)", "丙(-5.0)", "甲(-30.0)", at="20:00"),
    game("甲(+25.0)", "乙(+4.4)", "丙(-29.4)", at="20:30"),
    game("甲(+60.0)", "乙(-10.0)", "NoName(-50.0)", at="21:00"),
]


def night(*games: str, toml: str = RULES) -> LeagueWorld:
    return world("20260601", *BEFORE, "20260602", *games, toml=toml)


def charts(league: LeagueWorld, what: str = "request_poster") -> list[Poster]:
    return [picture.chart for picture in league.ask(what).pictures]


def test_a_night_in_figures() -> None:
    (poster,) = charts(night(*NIGHT))
    assert (poster.heading, poster.title, poster.subtitle) == ("雀録杯", "6月2日(火)", "全3戦")
    assert poster.mvp is not None
    assert (poster.mvp.value, poster.mvp.detail) == ("甲", "+55.0　トップ2回　平均着順1.67")
    assert [(ribbon.value, ribbon.detail) for ribbon in poster.ribbons] == [
        ("乙", "10戦連続ラス回避！")
    ]
    rows = [f"{row.place} {row.name} {row.points} {row.counted}" for row in poster.rows]
    assert rows == ["1 甲 +55.0 2-0-1", "2 乙 +29.4 1-2-0", "3 丙 −34.4 0-1-1"]
    facts = [f"{fact.label} {fact.value} {fact.detail}" for fact in poster.facts]
    best = "最高スコア 甲 +60.0　21:00の対局"
    closest = "最接戦 甲・乙 600点差　20:30の対局"
    assert facts == [best, closest, "1日の大逆転 甲 −30.0から+55.0へ"]
    assert poster.note == ""
    (poster,) = charts(night(*NIGHT, toml=""))  # without uma the gap is of scores
    assert "スコアの差 20.6　20:30の対局" in [fact.detail for fact in poster.facts]


def test_ratings_are_those_of_today_and_places_move() -> None:
    league = night(*[game("丙(+40.0)", "乙(0.0)", "甲(-40.0)")] * 9)
    (poster,) = charts(league)
    today = league.ask("今日 2026-06-02").table
    season = league.ask("レーティング").table
    ratings = {row.name: row.value for row in season.rows}
    for row, shown in zip(poster.rows, today.rows, strict=True):
        assert row.rating == ratings[shown.name]
        assert row.change == shown.extra[-1]
    assert [row.rank for row in poster.rows] == ["1位▲2", "2位", "3位▼2"]


TIE = (game("甲(+10.0)", "乙(0.0)", "丙(-10.0)"), game("乙(+10.0)", "甲(0.0)", "丙(-10.0)"))
LOST = game("NoName(+70.0)", "甲(-20.0)", "乙(-50.0)")  # nobody above zero
MVPS = [
    (NIGHT[1:2], ("甲", "+25.0")),
    (TIE, ("乙・甲", None)),
    ([LOST], None),
]


@pytest.mark.parametrize(("games", "mvp"), MVPS)
def test_who_is_mvp(
    games: Sequence[str],
    mvp: tuple[str, str | None] | None,
) -> None:
    (poster,) = charts(night(*games))
    assert (poster.mvp is None) == (mvp is None)
    if mvp and poster.mvp:
        assert poster.mvp.value == mvp[0]
        assert poster.mvp.detail == (mvp[1] or poster.mvp.detail)
    if len(games) == 1:
        assert poster.facts == (), "one game has no best of several"


def test_a_night_of_three_and_of_four_seats_has_a_poster_each() -> None:
    four = game("甲(+30.0)", "乙(+10.0)", "丙(-10.0)", "丁(-30.0)")
    found = charts(night(four, *NIGHT[:2]))
    assert [poster.subtitle for poster in found] == ["四人打ち全1戦", "三人打ち全2戦"]


def test_round_numbers_and_the_seasons_best() -> None:
    turns = [
        game("甲(+40.0)", "乙(0.0)", "丙(-40.0)"),
        game("丙(+40.0)", "甲(0.0)", "乙(-40.0)"),
    ] * 49
    games = game("丁(+20.0)", "乙(0.0)", "丙(-20.0)"), game("乙(+50.0)", "甲(0.0)", "丙(-50.0)")
    league = world("20260601", *turns, "20260602", *games, game("甲(+1.0)", "乙(0.0)", "丙(-1.0)"))
    facts = {fact.label: fact.value for fact in charts(league)[0].facts}
    assert facts["今季最高スコア"] == "乙"
    assert facts["通算100戦"] in ("乙", "甲", "丙")
    # The season's best is told of a single game too.
    league = world("20260601", *BEFORE * 5, "20260602", game("乙(+41.0)", "甲(0.0)", "丙(-41.0)"))
    first = charts(league)[0].facts[0]
    assert (first.label, first.value) == ("今季最高スコア", "乙")


def test_the_words_and_the_days() -> None:
    league = night(*NIGHT)
    for words in ("ポスター", "今夜のまとめ", "今夜のポスター", "ポスター 6/2"):
        assert "6月2日(火)の全3戦" in league.ask(words).words
    assert "6月1日(月)の全7戦" in league.ask("ポスター 6/1").words
    assert "2026年6月3日の対局はありません。" in league.ask("ポスター 6/3").words
    assert "月報　2026年6月" in league.ask("ポスター 6月").words
    guests = night(game("NoName(+20.0)", "NoName(0.0)", "NoName(-20.0)"))
    assert "メンバーの対局がない" in guests.ask("ポスター").words
    assert "まだ対局の記録がありません。" in world("", toml="").ask("ポスター").words
    assert "日付のある対局がない" in world(*NIGHT).ask("ポスター").words


def test_the_result_in_one_line() -> None:
    def picture_texts(league: LeagueWorld) -> list[str]:
        return [picture.alt for picture in league.ask("ポスター").pictures]

    assert picture_texts(night(*NIGHT)) == [
        "6月2日(火)の全3戦：MVP 甲 +55.0、乙 10戦連続ラス回避！"
    ]
    four = game("甲(+30.0)", "乙(+10.0)", "丙(-10.0)", "丁(-30.0)")
    of_four, of_three = picture_texts(night(four, NIGHT[0]))
    assert of_four == "6月2日(火)の四人打ち全1戦：MVP 甲 +30.0"
    assert of_three == "6月2日(火)の三人打ち全1戦：MVP 乙 +35.0、乙 8戦連続ラス回避！"


COMES = {"2 21:30": False, "2 22:29": False, "2 22:30": True, "3 09:00": True, "4 09:00": False}


@pytest.mark.parametrize(("now", "comes"), COMES.items())
def test_it_comes_when_the_evening_is_over(
    now: str, comes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An hour after the last game, which began at 21:00, or the next day; before, nobody is MVP."""
    moment = datetime.strptime(f"2026-06-0{now}", "%Y-%m-%d %H:%M").replace(tzinfo=JST)
    monkeypatch.setattr("tests.answers.leagues.NOW", moment)
    reply: Reply = night(*NIGHT).reply(Command("today"))
    assert [choice.label for choice in reply.choices[:2]] == ["対局", "ポスター"]
    assert (reply.once is not None) == comes
    if reply.once:
        assert reply.once.mark == "poster:2026-06-02"
        assert [type(part) for part in reply.once.parts] == [Picture]
    (poster,) = charts(night(*NIGHT))
    over = comes or moment.day > 2
    assert (poster.mvp is not None) == over
    assert poster.subtitle == ("全3戦" if over else "3戦（途中経過）")


def recorded(*names: str) -> LeagueWorld:
    """An evening of the games of these records of tests/data."""
    lines = []
    entries = []
    for name in names:
        entry = entry_of(
            parse((DATA / "records" / f"{name}.mjlog").read_bytes()), "", date(2026, 6, 2)
        )
        ranked = sorted(entry.scores, key=lambda each: -each[1])
        lines.append(game(*(f"{player}({score:+.1f})" for player, score in ranked)))
        entries.append(entry)
    return world("20260602", *lines, **{"recordlog.txt": log_bytes(entries).decode()})


def test_the_comeback_of_a_record_is_told_by_the_winners_least_chance() -> None:
    league = recorded("four-plain-4")
    (entry,) = league.repository.snapshot().paifus
    (poster,) = charts(league)
    (fact,) = [fact for fact in poster.facts if "逆転" in fact.label]
    assert fact.label == "逆転トップ"  # 1日の大逆転 is another thing
    assert fact.value == max(entry.scores, key=lambda each: each[1])[0]
    texts = [moment.said for moment in entry.moments]
    (said,) = [text for text in texts if text.endswith(fact.label)]
    assert said.removesuffix(fact.label).removesuffix("大") == fact.detail


@pytest.mark.parametrize(
    ("quiet", "moving"), [("three-plain-1", "three-yakuman"), ("four-east-1", "four-plain-4")]
)
def test_the_story_is_that_of_the_game_whose_chances_moved_the_most(
    quiet: str, moving: str
) -> None:
    (poster,) = charts(recorded(quiet, moving))
    record = parse((DATA / "records" / f"{moving}.mjlog").read_bytes())
    chances = chances_of(record)
    turning = turning_of(chances_of(record) or (), AS_MUCH)
    assert chances is not None
    assert turning is not None
    (story,) = poster.story
    best = sorted(range(record.seats), key=record.placings().__getitem__)
    for curve, seat in zip(story.curves[::-1], best, strict=True):
        assert curve.name == record.players[seat]
        of_first = [100 * places[seat, 0] for places in chances]
        assert curve.ys == pytest.approx(of_first, abs=1e-3)
    assert (story.title, story.turned) == ("トップになる確率　20:00の対局", turning.round)
    assert story.subtitle == f"分かれ目　{deals_of(record)[turning.round][0].name}"
    seat = max(best, key=lambda each: abs(turning.swing[each]))
    assert story.swing.startswith(f"{record.players[seat]} ")
    assert charts(night(*NIGHT))[0].story == ()
