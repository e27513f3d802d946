"""Periods: as words, as buttons and from calendars; which games they hold, and what a period
without games says."""

from datetime import date, timedelta

import pytest
from hypothesis import given, strategies as st

from bot.answers.common.periods import Period, is_period, of_options, period_of
from bot.demo_chat import DEMO_GROUP
from bot.line.webhook import read_event
from tests.answers.leagues import ROUTER, Asked, Json, LeagueWorld, game, world
from tests.answers.world import MEMBER, BotWorld, taps, words_of
from tests.real import cases
from tests.schema import assert_messages_pass, objects

TODAY = date(2026, 11, 22)  # a Sunday
PLAYED = [
    date(2020, 4, 7),
    date(2020, 6, 29),
    date(2026, 10, 3),
]
DAYS = st.dates(date(1995, 1, 1), date(2090, 12, 31))


@pytest.mark.parametrize(("word", "first", "last"), cases("periods.tsv"))
def test_words(word: str, first: str, last: str) -> None:
    assert period_of(word, TODAY, PLAYED) == of_options(first, last)


def test_words_and_options_that_are_no_period() -> None:
    for word in (
        "みどり",
        "3期",
        "直近",
        "13月",
        "2/30",
        "32日",
        "0日間",
        "",
        "〜",
        "月",
        "直近50戦",
    ):
        assert period_of(word, TODAY, PLAYED) is None
        assert not is_period(word)
    for junk in (
        "2026-13-01",
        "2026-6-1",
        "20260601",
        "x",
        "9999-01-01",
        "２０２６-01-01",
        "2026-W01-1",
    ):
        assert of_options(junk, "2026-06-01") is None


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
def two_seasons() -> LeagueWorld:
    """甲 wins in the first, 乙 in the second; the first's last game and the other's first are of
    one period.
    """
    spring = ["20260830", game("甲(+40.0)", "乙(0.0)", "丙(-40.0)")]
    spring += ["20260831", game("甲(+30.0)", "乙(0.0)", "丙(-30.0)")]
    autumn = ["20260901", game("乙(+20.0)", "甲(0.0)", "丙(-20.0)")]
    autumn += ["20261104", game("乙(+10.0)", "丙(0.0)", "甲(-10.0)")]
    return world(*spring, toml=LEAGUE, **{"logvol2.txt": "\n".join(autumn) + "\n"})


def rows(asked: Asked) -> dict[str, str]:
    return {row.name: row.value for row in asked.table.rows}


def test_a_period_spans_seasons_or_keeps_to_one(two_seasons: LeagueWorld) -> None:
    asked = two_seasons.ask("request_sum?from=2026-08-31&to=2026-09-01")
    assert rows(asked) == {"甲": "+30.0", "乙": "+20.0", "丙": "−50.0"}
    assert "2026年8月31日〜9月1日" in asked.words
    for typed in ("収支 8/31〜9/1", "収支 8/31 〜 9/1"):
        assert two_seasons.ask(typed).table.title == "収支　2026年8月31日〜9月1日"
    asked = two_seasons.ask("request_sum?season=1&from=2026-08-31&to=2026-09-01")
    assert rows(asked) == {"甲": "+30.0", "乙": "±0.0", "丙": "−30.0"}
    assert "春" in asked.words


def test_ratings_of_a_period_go_on_from_those_before(two_seasons: LeagueWorld) -> None:
    """A period within a season has the season's own ratings at its end, and how far its games moved
    them.
    """
    part = two_seasons.ask("request_rating?from=2026-11-01&to=2026-11-30")
    assert rows(part) == rows(two_seasons.ask("request_rating?season=2"))
    assert "期間中" in part.words
    before = rows(two_seasons.ask("request_rating?from=2026-09-01&to=2026-09-30"))
    signs = str.maketrans({"▲": "+", "▼": "-", "±": ""})
    for row in part.table.rows:
        moved = int(row.extra[0].translate(signs))
        after = int(before[row.name]) + moved
        assert abs(after - int(row.value)) <= 1, "each is rounded by itself"
    over = two_seasons.ask("request_rating?from=2026-09-01&to=2026-11-30&season=2")
    assert {curve.ys[0] for curve in over.chart.curves} == {1500.0}, (
        "the line begins where it was before"
    )


def test_every_question_of_a_period(two_seasons: LeagueWorld) -> None:
    both = "&player=甲&other=乙"
    of_all = ("sum", "rank", "rating", "point", "ranking", "ranks", "recent", "team")
    for name, more in (
        *((n, "") for n in of_all),
        ("player", both),
        ("pair", both),
        ("matchup", both),
    ):
        asked = two_seasons.ask(f"request_{name}?from=2026-08-01&to=2026-08-31{more}")
        assert_messages_pass(asked.messages)
        if name != "team":
            assert "2026年8月" in asked.words + "".join(
                picture.alt for picture in asked.pictures
            ), name
        for picture in asked.pictures:
            assert picture.render().startswith(b"\x89PNG")


def test_a_period_without_games_and_what_has_no_periods_say_so(
    two_seasons: LeagueWorld,
) -> None:
    asked = two_seasons.ask("request_rank?from=2026-10-01&to=2026-10-31")
    assert asked.refused
    assert "2026年10月の対局はありません。記録があるのは2026年8月30日〜11月4日です。" in asked.words
    assert asked.taps["2026年9月"] == "request_rank?from=2026-09-01&to=2026-09-30"
    assert not two_seasons.ask(asked.taps["2026年11月"]).refused
    none = two_seasons.ask("実力 先月")
    assert none.refused
    assert "「実力」は期間では出せません。" in none.words


def picker(messages: object) -> Json:
    """The button of the first calendar."""
    return next(found for found in objects(messages) if found.get("type") == "datetimepicker")


def picked(data: str, day: str) -> dict[str, str]:
    command = ROUTER.from_postback(data, day)
    assert command is not None
    return dict(command.options)


def test_a_period_says_how_many_undated_games_it_leaves_out() -> None:
    undated = [game("甲(+40.0)", "乙(0.0)", "丙(-40.0)")] * 3
    four = [game("甲(+40.0)", "乙(0.0)", "丙(-10.0)", "丁(-30.0)")] * 2
    dated = ["20260603", *[game("甲(+40.0)", "乙(0.0)", "丙(-40.0)")] * 5, "20260701", *undated]
    league = world(
        *undated,
        *four,
        *dated,
        **{"logvol2.txt": "20260801\n" + undated[0] + "\n"},
    )
    for command in ("収支", "着順", "レーティング", "まとめ", "点数推移"):
        june = league.ask(f"{command} 6月")
        assert "日付のない3戦は含みません" in june.words, command
        assert "日付のない" not in league.ask(f"{command} 全シーズン").words
        assert "日付のない" not in league.ask(f"{command} 8月").words, "that log has none"


def test_a_calendar_in_two_steps(two_seasons: LeagueWorld) -> None:
    menu = two_seasons.ask("request_period?of=rank")
    assert_messages_pass(menu.messages)
    (begin,) = [tap for tap in menu.choices if tap["label"] == "期間を選ぶ"]
    assert (begin["type"], begin["mode"]) == ("datetimepicker", "date")
    assert (begin["data"], begin["min"]) == ("request_rank?pick=from", "2026-08-30")
    assert begin["max"] == "2026-11-05"
    assert picked(begin["data"], "2026-08-31") == {"from": "2026-08-31"}
    step = two_seasons.ask("request_rank?from=2026-08-31")
    assert "いつまで" in step.words
    end = picker(step.messages)
    assert end["min"] == "2026-08-31"
    assert picked(end["data"], "2026-09-01") == {"from": "2026-08-31", "to": "2026-09-01"}


POSTBACK = {"type": "postback", "source": {"userId": "U" + "1" * 32}, "replyToken": "r"}
NO_DAYS = ("2026-6-1", "2026-02-30", "2026-06-01\n", "２０２６-06-01", 20260601)
NO_DATES = (
    {"time": "12:00"},
    {"datetime": "2026-06-01T12:00"},
    {"date": "2026-06-01", "time": "12:00"},
)


@pytest.mark.parametrize(
    "params",
    [
        None,
        [],
        {},
        *({"date": day} for day in NO_DAYS),
        *NO_DATES,
    ],
)
def test_odd_calendar_answers_pick_nothing(params: object) -> None:
    read = read_event(POSTBACK | {"postback": {"data": "request_sum?pick=day", "params": params}})
    assert read is not None
    assert read.day == ""


def test_a_picked_day_through_the_service(world: BotWorld) -> None:
    data = picker(world.tap("request_today"))["data"]
    chosen = world.platform.tap(DEMO_GROUP, MEMBER, data, params={"date": "2026-04-01"})
    assert "4月1日" in words_of(world.answers(chosen))
    told = world.answers(
        world.platform.tap(
            MEMBER,
            MEMBER,
            data,
            params={"date": "2026-04-02"},
        )
    )
    assert "2026年4月2日の対局はありません。" in words_of(told)
    assert "前の日 4/1" in taps(told)
