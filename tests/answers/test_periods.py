"""Periods: as words, as buttons and from calendars; which games they hold, and what a period without games
says."""

from datetime import date, timedelta

import pytest
from hypothesis import given, strategies as st

from bot.answers.common.periods import Period, is_period, of_options, period_of
from bot.chat.replies import Table
from bot.line.webhook import read_event
from tests.answers.leagues import ROUTER, Asked, World, game, world
from tests.answers.world import MEMBER, World as Service, taps, words_of
from tests.real import cases
from tests.schema import assert_messages_pass

TODAY = date(2026, 11, 22)  # a Sunday
PLAYED = [date(2020, 4, 7), date(2020, 6, 29), date(2026, 10, 3)]
DAYS = st.dates(date(1995, 1, 1), date(2090, 12, 31))


@pytest.mark.parametrize(("word", "first", "last"), cases("periods.tsv"))
def test_words(word: str, first: str, last: str) -> None:
    assert period_of(word, TODAY, PLAYED) == of_options(first, last)


@pytest.mark.parametrize(
    "word", ["みどり", "3期", "直近", "13月", "2/30", "32日", "0日間", "", "〜", "月", "直近50戦"]
)
def test_words_that_are_no_period(word: str) -> None:
    assert period_of(word, TODAY, PLAYED) is None
    assert not is_period(word)


@given(st.text(max_size=30), DAYS)
def test_any_text_is_a_period_or_none(word: str, today: date) -> None:
    found = period_of(word, today)
    assert found is None or found.first <= found.last


@given(DAYS, DAYS)
def test_a_period_comes_back_from_its_options_and_its_words(one: date, other: date) -> None:
    made = Period(min(one, other), max(one, other))
    assert of_options(made.options["from"], made.options["to"]) == made
    written = f"{made.first:%Y/%m/%d}〜{made.last:%Y/%m/%d}"
    assert period_of(written, date(2090, 12, 31)) == made
    assert period_of(made.title, date(2090, 12, 31)) == made
    assert made.moved(1).moved(-1) == made
    assert made.moved(1).first == made.last + timedelta(days=1)


@pytest.mark.parametrize(
    "junk", ["2026-13-01", "2026-6-1", "20260601", "x", "9999-01-01", "２０２６-01-01", "2026-W01-1"]
)
def test_options_that_are_no_period(junk: str) -> None:
    assert of_options(junk, "2026-06-01") is None


LEAGUE = """\
[[season]]
name = "春"
log = "logvol1.txt"
start = 2026-04-01
[[season]]
name = "秋"
log = "logvol2.txt"
start = 2026-09-01
"""


@pytest.fixture(scope="module")
def two_seasons() -> World:
    """Two seasons: 甲 wins in the first, 乙 in the second; the first one's last game and the other's first
    are of one period."""
    spring = [
        "20260830",
        game("甲(+40.0)", "乙(0.0)", "丙(-40.0)"),
        "20260831",
        game("甲(+30.0)", "乙(0.0)", "丙(-30.0)"),
    ]
    autumn = [
        "20260901",
        game("乙(+20.0)", "甲(0.0)", "丙(-20.0)"),
        "20261104",
        game("乙(+10.0)", "丙(0.0)", "甲(-10.0)"),
    ]
    return world(*spring, toml=LEAGUE, **{"logvol2.txt": "\n".join(autumn) + "\n"})


def rows(asked: Asked) -> dict[str, str]:
    (table,) = [part for part in asked.reply.parts if isinstance(part, Table)][:1]
    return {row.name: row.value for row in table.rows}


def test_a_period_spans_seasons(two_seasons: World) -> None:
    asked = two_seasons.ask("request_sum?from=2026-08-31&to=2026-09-01")
    assert rows(asked) == {"甲": "+30.0", "乙": "+20.0", "丙": "−50.0"}
    assert "2026年8月31日〜9月1日" in asked.words


def test_a_period_with_a_season_keeps_to_it(two_seasons: World) -> None:
    asked = two_seasons.ask("request_sum?season=1&from=2026-08-31&to=2026-09-01")
    assert rows(asked) == {"甲": "+30.0", "乙": "±0.0", "丙": "−30.0"}
    assert "春" in asked.words


@pytest.mark.parametrize("typed", ["収支 8/31〜9/1", "収支 8/31 〜 9/1", "8/31〜9/1の収支"])
def test_the_same_typed(two_seasons: World, typed: str) -> None:
    command = ROUTER.from_words(typed) or ROUTER._of_talk(typed, "")
    assert command is not None
    reply = two_seasons.reply(command)
    assert isinstance(reply.parts[0], Table)
    assert reply.parts[0].title == "収支　2026年8月31日〜9月1日"


def test_ratings_of_a_period_go_on_from_those_before(two_seasons: World) -> None:
    """A period within a season has the season's own ratings at its end, and how far its games moved them."""
    whole = rows(two_seasons.ask("request_rating?season=2"))
    part = two_seasons.ask("request_rating?from=2026-11-01&to=2026-11-30")
    assert rows(part) == whole
    assert "期間中" in part.words
    before = rows(two_seasons.ask("request_rating?from=2026-09-01&to=2026-09-30"))
    (table,) = part.reply.parts
    assert isinstance(table, Table)
    for row in table.rows:
        moved = int(row.extra[0].translate(str.maketrans({"▲": "+", "▼": "-", "±": ""})))
        assert abs(int(before[row.name]) + moved - int(row.value)) <= 1, "each is rounded by itself"


def test_the_line_of_a_period_begins_where_it_was_before(two_seasons: World) -> None:
    over = two_seasons.ask("request_rating?from=2026-09-01&to=2026-11-30&season=2")
    (picture,) = over.pictures
    assert {curve.ys[0] for curve in picture.chart.curves} == {1500.0}


def test_every_question_of_a_period(two_seasons: World) -> None:
    for name in (
        "sum",
        "rank",
        "rating",
        "player",
        "pair",
        "matchup",
        "point",
        "ranking",
        "ranks",
        "recent",
        "team",
    ):
        both = "&player=甲&other=乙" if name in ("player", "pair", "matchup") else ""
        asked = two_seasons.ask(f"request_{name}?from=2026-08-01&to=2026-08-31{both}")
        assert_messages_pass(asked.messages)
        if name != "team":
            assert "2026年8月" in asked.words + "".join(picture.alt for picture in asked.pictures), name
        for picture in asked.pictures:
            assert picture.render().startswith(b"\x89PNG")


def test_a_period_without_games_says_what_there_is(two_seasons: World) -> None:
    asked = two_seasons.ask("request_rank?from=2026-10-01&to=2026-10-31")
    assert asked.refused
    assert "2026年10月の対局はありません。記録があるのは2026年8月30日〜11月4日です。" in asked.words
    leads = {tap["label"]: tap["data"] for tap in asked.choices}
    assert leads["2026年9月"] == "request_rank?from=2026-09-01&to=2026-09-30"
    assert not two_seasons.ask(leads["2026年11月"]).refused


def test_what_has_no_periods_says_so(two_seasons: World) -> None:
    asked = two_seasons.ask("実力 先月")
    assert asked.refused
    assert "「実力」は期間では出せません。" in asked.words


def test_a_calendar_in_two_steps(two_seasons: World) -> None:
    menu = two_seasons.ask("request_period?of=rank")
    assert_messages_pass(menu.messages)
    picks = {tap["label"]: tap for tap in menu.choices if tap["type"] == "datetimepicker"}
    assert picks["期間を選ぶ"] == {
        "type": "datetimepicker",
        "label": "期間を選ぶ",
        "data": "request_rank?pick=from",
        "mode": "date",
        "min": "2026-08-30",
        "max": "2026-11-05",
    }
    first = ROUTER.from_postback(picks["期間を選ぶ"]["data"], "2026-08-31")
    assert first is not None
    assert first.options == {"from": "2026-08-31"}
    step = two_seasons.ask("request_rank?from=2026-08-31")
    assert "いつまで" in step.words
    end = next(tap for tap in step.choices if tap["type"] == "datetimepicker")
    assert end["min"] == "2026-08-31"
    second = ROUTER.from_postback(end["data"], "2026-09-01")
    assert second is not None
    assert second.options == {"from": "2026-08-31", "to": "2026-09-01"}


POSTBACK = {"type": "postback", "source": {"userId": "U" + "1" * 32}, "replyToken": "r"}


@pytest.mark.parametrize(
    "params",
    [
        None,
        [],
        {},
        {"date": 20260601},
        {"date": "2026-6-1"},
        {"date": "2026-02-30"},
        {"date": "2026-06-01\n"},
        {"date": "２０２６-06-01"},
        {"time": "12:00"},
        {"datetime": "2026-06-01T12:00"},
        {"date": "2026-06-01", "time": "12:00"},
    ],
)
def test_odd_calendar_answers_pick_nothing(params: object) -> None:
    read = read_event(POSTBACK | {"postback": {"data": "request_sum?pick=day", "params": params}})
    assert read is not None
    assert read.day == ""


def test_a_picked_day_through_the_service(world: Service) -> None:
    shown = world.tap("request_today")
    picker = next(
        tap
        for tap in (cell["action"] for cell in shown[-1]["contents"]["footer"]["contents"])
        if tap["type"] == "datetimepicker"
    )
    chosen = world.platform.tap(
        world.platform.groups.copy().popitem()[0], MEMBER, picker["data"], params={"date": "2026-04-01"}
    )
    assert "4月1日" in words_of(world.answers(chosen))
    none = world.platform.tap(MEMBER, MEMBER, picker["data"], params={"date": "2026-04-02"})
    told = world.answers(none)
    assert "2026年4月2日の対局はありません。" in words_of(told)
    assert "前の日 4/1" in taps(told)
