"""Charts of lines: drawn for every league, marked and named at their ends without overlap; by games
or by date, and what the picture says of games without one."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from bot.answers.common.scope import drawn_days, view_of
from bot.draw import style
from bot.draw.lines import MOST, Curve, Lines, coloured, curves_of, draw
from bot.draw.style import CONTEXT, colours, dashes
from bot.texts import SIGN, SIGN_MEANS
from rating.games import Game
from tests.answers.leagues import NINE, LeagueWorld, log_of
from tests.draw.leagues import TWENTY, rating_chart, rating_curves
from tests.draw.pngs import opened
from tests.draw.writing import Written, overlaps, written
from tests.real import SEASONS

LONG = "夏海里伽子（本人ではない）名"


def lines_of(
    names: tuple[str, ...],
    provisional: set[str],
    scale: float = 1.0,
) -> Lines:
    look = colours(names)
    dash = dashes(names)
    curves = [
        Curve(
            name,
            (0.0, 9.0),
            (1500 * scale, (1500 + 37 * place % 200) * scale),
            look[name],
            dash[name],
        )
        for place, name in enumerate(names)
    ]
    marked = [replace(curve, provisional=curve.name in provisional) for curve in curves]
    return Lines("題", "副題", marked, 1500 * scale)


def marks(found: list[Written]) -> list[Written]:
    return [text for text in found if text.text == SIGN]


def check(chart: Lines) -> list[Written]:
    """Only the names of provisional members are followed by a mark, and a sign used as a mark is
    explained."""
    found = written(lambda: draw(chart))
    few = sum(curve.provisional for curve in chart.curves)
    if len(chart.curves) <= MOST:
        assert len(marks(found)) == few
    else:
        assert len(marks(found)) <= few
    short, _, _ = SIGN_MEANS.partition("（")
    means = [text.text for text in found if text.text.startswith(short)]
    assert len(means) == bool(marks(found))
    assert all(SIGN_MEANS.startswith(words) for words in means)
    assert overlaps(found) == []
    assert max(text.right for text in found) <= 1185
    for mark in marks(found):
        row = [text for text in found if text.y == mark.y]
        assert any(abs(text.right - mark.left) < 14 for text in row)
    return found


@pytest.mark.parametrize(
    "names",
    [
        NINE[:1],
        NINE[:3],
        NINE,
        TWENTY,
        (LONG,),
        (LONG, *NINE),
        ("W" * 40, "あ"),
    ],
)
def test_every_provisional_member_is_marked(names: tuple[str, ...]) -> None:
    for scale in (1.0, 40.0):
        for provisional in (set[str](), {names[0]}, set(names)):
            check(lines_of(names, provisional, scale))


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.text("あ漢Wi", max_size=14),
        min_size=1,
        max_size=30,
        unique=True,
    ),
    st.integers(0, 2**30),
)
def test_any_league_is_marked(names: list[str], chosen: int) -> None:
    wanted = {name for place, name in enumerate(names) if name and chosen >> place & 1}
    check(lines_of(tuple(name or "無" * 15 for name in names), wanted))


@pytest.mark.parametrize("asker", [None, 0, 7, 19])
def test_of_twenty_the_asker_the_neighbours_the_first_and_the_last_are_named(
    asker: int | None,
) -> None:
    chart = lines_of(TWENTY, set())
    order = sorted(
        range(20),
        key=lambda place: chart.curves[place].ys[-1],
    )  # worst first
    if asker is not None:
        own = order[asker]
        curves = [replace(curve, asker=place == own) for place, curve in enumerate(chart.curves)]
        chart = replace(chart, curves=curves)
    names = [chart.curves[place].name for place in order]
    seen = {text.text for text in written(lambda: draw(chart))}
    if asker is None:
        near = names[-5:]
    else:
        near = names[max(0, asker - 1) : asker + 2]
    drawn = set()
    for name in names:
        if any(text.startswith(name[:4]) for text in seen):
            drawn.add(name)
    assert drawn == {names[-1], names[0], *near}


@pytest.mark.parametrize(
    ("games", "what", "marked"), [(2, "レーティング", 3), (1, "二人 みどり 東風", 2)]
)
def test_after_a_few_games_all_who_are_shown_are_marked(games: int, what: str, marked: int) -> None:
    asked = LeagueWorld({"logvol1.txt": log_of(NINE[:3], games)}).ask(what)
    assert len(marks(written(asked.pictures[0].render))) == marked


def test_the_first_seasons_provisional_members_are_marked() -> None:
    files = {path.name: path.read_bytes() for path in SEASONS}
    found = written(LeagueWorld(files).ask("request_rating?season=1").pictures[0].render)
    rows = {mark.y: mark.text for mark in marks(found)}
    texts = {text.text for text in found if text.y in rows}
    assert texts >= {"mizunom", "にゃーん王"}
    assert len(rows) == 2


def test_no_two_lines_have_one_colour_and_few_have_any_beside_the_asker_s() -> None:
    names = tuple(f"選手{place}" for place in range(12))
    curves = curves_of(lines_of(names, set()))
    twins = [
        replace(
            curves[0],
            colour=curves[1].colour,
            dash=(2.0, 1.0),
        ),
        *curves[1:11],
    ]
    assert len({curve.colour for curve in coloured(twins)}) == 11
    mine = [replace(curve, asker=place == 4) for place, curve in enumerate(curves)]
    assert [place for place, curve in enumerate(coloured(mine)) if curve.colour != CONTEXT] == [
        3,
        4,
        5,
    ]
    assert coloured(mine[:5]) == mine[:5]


WORDS = ("レーティング 第3シーズン", "2019/10/5〜2020/12/4・1,301戦・12/4 23:50現在")
CHARTS = {
    "by date": rating_chart(*WORDS, rating_curves(), axis="date"),
    "by games": rating_chart(*WORDS, rating_curves(dated=False, asker=0)),
    "twenty": rating_chart(*WORDS, rating_curves(TWENTY), axis="date"),
    "nobody": rating_chart(*WORDS, ()),
    "no games yet": rating_chart(*WORDS, (Curve("みどり", (), ()),)),
    "one game": rating_chart(
        *WORDS,
        (Curve("みどり", (1.0,), (1512.0,)),),
        axis="games",
    ),
    "one day": rating_chart(
        *WORDS,
        (Curve("みどり", (737000.0,), (1512.0,)),),
        axis="date",
    ),
    "equal values": rating_chart(
        *WORDS,
        tuple(Curve(n, (0.0, 9.0), (1500.0, 1500.0)) for n in NINE),
    ),
    "extremes": rating_chart(
        *WORDS,
        (
            Curve("上", (0.0, 1.0), (1e9, -1e9)),
            Curve("下", (0.0,), (0.0,)),
        ),
    ),
    "tiny": rating_chart(
        *WORDS,
        (Curve("上", (0.0, 1.0), (0.01, -0.02)),),
        baseline=0,
        decimals=2,
    ),
    "not numbers": rating_chart(
        *WORDS,
        (
            Curve(
                "上",
                (0.0, 1.0, 2.0),
                (float("nan"), 1.0, float("inf")),
            ),
        ),
    ),
    "odd words": rating_chart(
        "$x$" * 40,
        "\\frac" * 60,
        (Curve("🀄" * 99, (0.0, 1.0), (1, 2)),),
        None,
    ),
    "three thousand points": rating_chart(*WORDS, rating_curves(days=3000, dated=False)),
    "forty": rating_chart(*WORDS, rating_curves(tuple(f"選手{i}" for i in range(40)))),
    "no name": rating_chart(
        "",
        "",
        (Curve("", (0.0, 1.0), (1500.0, 1501.0)),),
    ),
}


@pytest.mark.parametrize("chart", CHARTS.values(), ids=CHARTS.keys())
def test_every_league_becomes_a_picture_and_nothing_touches_its_edge(chart: Lines) -> None:
    picture = opened(draw(chart))
    assert picture.size == (1200, 1200)
    for edge in (
        (0, 0, 1200, 4),
        (0, 1196, 1200, 1200),
        (0, 0, 4, 1200),
        (1196, 0, 1200, 1200),
    ):
        assert picture.crop(edge).getcolors() == [(4800, (255, 255, 255))]


def pixels_by_colour(data: bytes) -> dict[Any, int]:
    colours = opened(data).getcolors(1 << 24) or []
    return {colour: count for count, colour in colours}


def test_a_members_colour_is_in_the_picture_exactly_and_the_asker_stands_out() -> None:
    chart = CHARTS["by games"]
    mine = chart
    asker = style.rgb(chart.curves[0].colour)
    chart = replace(chart, curves=[replace(curve, asker=False) for curve in chart.curves])
    seen = pixels_by_colour(draw(chart)).keys()
    assert {style.rgb(curve.shade()) for curve in chart.curves} <= seen
    plain = replace(mine, curves=rating_curves(dated=False))
    emphasised = pixels_by_colour(draw(mine))[asker]
    assert emphasised > 1.5 * pixels_by_colour(draw(plain)).get(asker, 0)


def test_eight_threads_draw_the_same_bytes() -> None:
    charts = list(CHARTS.values())[:4]
    alone = [draw(chart) for chart in charts]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(draw, charts * 4)) == alone * 4


def on(*days: int | None) -> list[Game]:
    return [Game((), day and date(2026, 9, day)) for day in days]


def world(log: bytes) -> LeagueWorld:
    return LeagueWorld({"logvol1.txt": log})


def without_dates(log: bytes, first: int, last: int) -> bytes:
    """The log without its date lines `first` to `last` - 1, counted from 0."""
    lines = log.split(b"\n")
    dates = [index for index, line in enumerate(lines) if line.isdigit()]
    gone = set(dates[first:last])
    return b"\n".join(line for index, line in enumerate(lines) if index not in gone)


def subtitle(world: LeagueWorld, what: str) -> str:
    """The text of the header's smaller lines."""
    found = written(world.ask(what).pictures[0].render)
    left = [text for text in found if text.left == 48]
    return "　".join(text.text for text in left if 90 < text.y < 160)


DAYS: dict[tuple[int | None, ...], list[int | None]] = {
    (None, None, 7, 7, 9): [6, 6, 7, 7, 9],
    (5, None, 9): [5, 8, 9],
    (5, None, 5, 6): [5, 5, 5, 6],
    (5, None, 6): [5, 5, 6],
    (5, 6, None, None): [5, 6, 6, 6],
    (None, None): [None, None],
    (3, 4): [3, 4],
    (): [],
}


@pytest.mark.parametrize("days", DAYS)
def test_games_without_a_date_stand_before_the_next_with_one(days: tuple[int | None, ...]) -> None:
    assert [day and day.day for day in drawn_days(on(*days))] == DAYS[days]


@given(
    st.lists(
        st.none() | st.integers(1, 28),
        max_size=40,
    )
)
def test_games_keep_their_order_and_their_own_days(days: list[int | None]) -> None:
    known = iter(sorted(day for day in days if day))
    games = on(*(day and next(known) for day in days))
    found = drawn_days(games)
    for game, day in zip(games, found, strict=True):
        assert game.day in (None, day)
    if any(days):
        assert all(
            one is not None and other is not None and one <= other for one, other in pairwise(found)
        )


def test_dates_are_drawn_where_any_game_has_one() -> None:
    assert view_of(on(None, 7), "date").axis == "date"
    assert view_of(on(None, None), "date").axis == "games"
    assert view_of(on(None, 7)).axis == "games"
    view = view_of(on(None, None, 7, 7, 9), "date")
    dates = [date.fromordinal(int(view.at(played))) for played in (0, 2, 4, 5)]
    assert [each.day for each in dates] == [5, 6, 7, 9]
    assert list(view.closing) == [1, 3, 4]


def test_the_subtitle_counts_games_without_a_date() -> None:
    partly = world(without_dates(log_of(NINE, 96), 0, 2))
    assert subtitle(partly, "request_rating?axis=date").startswith(
        "9/3〜9/12　96戦（うち16戦は日付なし）"
    )
    assert "日付" not in subtitle(partly, "request_rating")
    assert subtitle(partly, "request_point?axis=date").count("うち16戦は日付なし") == 1
    dated = world(log_of(NINE, 96))
    assert "日付" not in subtitle(dated, "request_rating?axis=date")
    # With no date at all it is by games.
    undated = world(without_dates(log_of(NINE, 60), 0, 99))
    for what in ("request_rating", "request_point"):
        assert subtitle(undated, f"{what}?axis=date").startswith(
            "60戦（日付の記録がないので対局順）"
        )
        assert "日付" not in subtitle(undated, what)


@pytest.mark.parametrize(
    "days",
    [("00010101",), ("99991231",), ("00010101", "99991231")],
)
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
    real = LeagueWorld(files)
    found = written(real.ask("request_rating?season=all&axis=date").pictures[0].render)
    assert any("1301戦（うち33戦は日付なし）" in text.text for text in found)
    assert {"5月", "6月"} <= {text.text for text in found}
    assert "戦" not in {text.text[-1] for text in found if text.y > 1100}
    found = written(real.ask("request_rating?season=all&span=50").pictures[0].render)
    assert any("2020/6/26〜2020/6/30　直近50戦／全1301戦" in text.text for text in found)
