"""Curves by games or by date, where some or all games have no date, and what the picture says about it."""

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from bot.answers.common.curves import days_of, view_of
from rating.games import Game
from tests.answers.leagues import NINE, World, log_of
from tests.draw.writing import written
from tests.real import SEASONS


def on(*days: int | None) -> list[Game]:
    return [Game((), day and date(2026, 9, day)) for day in days]


def world(log: bytes) -> World:
    return World({"logvol1.txt": log})


def without_dates(log: bytes, first: int, last: int) -> bytes:
    """The log without its date lines `first` to `last` - 1, counted from 0."""
    lines = log.split(b"\n")
    dates = [index for index, line in enumerate(lines) if line.isdigit()]
    gone = set(dates[first:last])
    return b"\n".join(line for index, line in enumerate(lines) if index not in gone)


def subtitle(world: World, what: str) -> str:
    """The text of the header's smaller lines."""
    found = written(world.ask(what).pictures[0].render)
    return "　".join(text.text for text in found if 90 < text.y < 160 and text.left == 48)


@pytest.mark.parametrize(
    ("days", "seen"),
    [
        ((None, None, 7, 7, 9), [6, 6, 7, 7, 9]),
        ((5, None, 9), [5, 8, 9]),
        ((5, None, 5, 6), [5, 5, 5, 6]),
        ((5, None, 6), [5, 5, 6]),
        ((5, 6, None, None), [5, 6, 6, 6]),
        ((None, None), [None, None]),
        ((3, 4), [3, 4]),
        ((), []),
    ],
)
def test_games_without_a_date_stand_before_the_next_with_one(
    days: tuple[int | None, ...], seen: list[int | None]
) -> None:
    assert [day and day.day for day in days_of(on(*days))] == seen


@given(st.lists(st.none() | st.integers(1, 28), max_size=40))
def test_games_keep_their_order_and_their_own_days(days: list[int | None]) -> None:
    known = iter(sorted(day for day in days if day))
    games = on(*(day and next(known) for day in days))
    found = days_of(games)
    assert all(game.day in (None, day) for game, day in zip(games, found, strict=True))
    if any(days):
        assert all(one is not None and other is not None and one <= other for one, other in pairwise(found))


def test_dates_are_drawn_where_any_game_has_one() -> None:
    assert view_of(on(None, 7), "date").axis == "date"
    assert view_of(on(None, None), "date").axis == "games"
    assert view_of(on(None, 7)).axis == "games"
    view = view_of(on(None, None, 7, 7, 9), "date")
    assert [date.fromordinal(int(view.at(played))).day for played in (0, 2, 4, 5)] == [5, 6, 7, 9]
    assert list(view.closing) == [1, 3, 4]


def test_the_subtitle_counts_games_without_a_date() -> None:
    partly = world(without_dates(log_of(NINE, 96), 0, 2))
    assert subtitle(partly, "request_rating?axis=date").startswith("9/3〜9/12　96戦（うち16戦は日付なし）")
    assert "日付" not in subtitle(partly, "request_rating")
    assert subtitle(partly, "request_point?axis=date").count("うち16戦は日付なし") == 1
    dated = world(log_of(NINE, 96))
    assert "日付" not in subtitle(dated, "request_rating?axis=date")


def test_with_no_date_at_all_the_picture_says_that_it_is_by_games() -> None:
    undated = world(without_dates(log_of(NINE, 60), 0, 99))
    for what in ("request_rating", "request_point"):
        assert subtitle(undated, f"{what}?axis=date").startswith("60戦（日付の記録がないので対局順）")
        assert "日付" not in subtitle(undated, what)


@pytest.mark.parametrize("days", [("00010101",), ("99991231",), ("00010101", "99991231")])
def test_the_first_and_the_last_day_there_is_are_drawn(days: tuple[str, ...]) -> None:
    game = "C1934 | 19:00 | 三般南喰赤－ | A(+10.0) B(+0.0) C(-10.0)\n"
    log = "".join(f"{day}\n{2 * game}" for day in days)
    for lines in (log, game + log):
        assert world(lines.encode()).ask("request_rating?axis=date").pictures[0].render()


def test_the_last_fifty_say_what_they_show() -> None:
    found = subtitle(world(log_of(NINE, 160)), "request_rating?span=50")
    assert found == "9/14〜9/20　直近50戦／全160戦"
    few = subtitle(world(log_of(NINE, 30)), "request_rating?span=50")
    assert few == "9/1〜9/4　30戦"
    # They count their own games without a date.
    partly = world(without_dates(log_of(NINE, 160), 0, 2))
    assert "日付" not in subtitle(partly, "request_rating?span=50&axis=date")


def test_the_real_league_by_date() -> None:
    files = {path.name: path.read_bytes() for path in SEASONS}
    real = World(files)
    found = written(real.ask("request_rating?season=all&axis=date").pictures[0].render)
    assert any("1301戦（うち33戦は日付なし）" in text.text for text in found)
    assert {"5月", "6月"} <= {text.text for text in found}
    assert "戦" not in {text.text[-1] for text in found if text.y > 1100}
    found = written(real.ask("request_rating?season=all&span=50").pictures[0].render)
    assert any("2020/6/26〜2020/6/30　直近50戦／全1301戦" in text.text for text in found)
