"""The labels at the ends of lines: every provisional member is marked, nothing is cut off, no labels
overlap."""

from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from bot.draw.lines import MOST, Curve, Lines, coloured, curves_of, draw
from bot.draw.style import CONTEXT, colours, dashes
from bot.texts import SIGN, SIGN_MEANS
from tests.answers.leagues import NINE, World, log_of
from tests.draw.leagues import TWENTY
from tests.draw.writing import Written, overlaps, written
from tests.real import SEASONS

LONG = "夏海里伽子（本人ではない）名"


def lines_of(names: tuple[str, ...], provisional: set[str], scale: float = 1.0) -> Lines:
    look, dash = colours(names), dashes(names)
    curves = [
        Curve(name, (0.0, 9.0), (1500 * scale, (1500 + 37 * place % 200) * scale), look[name], dash[name])
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
    assert len(marks(found)) == few if len(chart.curves) <= MOST else len(marks(found)) <= few
    means = [text.text for text in found if text.text.startswith(SIGN_MEANS.partition("（")[0])]
    assert len(means) == bool(marks(found))
    assert all(SIGN_MEANS.startswith(words) for words in means)
    assert overlaps(found) == []
    assert max(text.right for text in found) <= 1185
    for mark in marks(found):
        assert any(abs(text.right - mark.left) < 14 and text.y == mark.y for text in found)
    return found


@pytest.mark.parametrize(
    "names", [NINE[:1], NINE[:3], NINE, TWENTY, (LONG,), (LONG, *NINE), ("W" * 40, "あ")]
)
def test_every_provisional_member_is_marked(names: tuple[str, ...]) -> None:
    for scale in (1.0, 40.0):
        for provisional in (set[str](), {names[0]}, set(names)):
            check(lines_of(names, provisional, scale))


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text("あ漢Wi", max_size=14), min_size=1, max_size=30, unique=True), st.integers(0, 2**30))
def test_any_league_is_marked(names: list[str], chosen: int) -> None:
    wanted = {name for place, name in enumerate(names) if name and chosen >> place & 1}
    check(lines_of(tuple(name or "無" * 15 for name in names), wanted))


@pytest.mark.parametrize("asker", [None, 0, 7, 19])
def test_of_twenty_the_asker_the_neighbours_the_first_and_the_last_are_named(asker: int | None) -> None:
    chart = lines_of(TWENTY, set())
    order = sorted(range(20), key=lambda place: chart.curves[place].ys[-1])  # worst first
    if asker is not None:
        own = order[asker]
        curves = [replace(curve, asker=place == own) for place, curve in enumerate(chart.curves)]
        chart = replace(chart, curves=curves)
    names = [chart.curves[place].name for place in order]
    seen = {text.text for text in written(lambda: draw(chart))}
    wanted = {names[-1], names[0], *(names[-5:] if asker is None else names[max(0, asker - 1) : asker + 2])}
    assert {name for name in names if any(text.startswith(name[:4]) for text in seen)} == wanted


@pytest.mark.parametrize(("games", "what", "marked"), [(2, "レーティング", 3), (1, "二人 みどり 東風", 2)])
def test_after_a_few_games_all_who_are_shown_are_marked(games: int, what: str, marked: int) -> None:
    asked = World({"logvol1.txt": log_of(NINE[:3], games)}).ask(what)
    assert len(marks(written(asked.pictures[0].render))) == marked


def test_the_first_seasons_provisional_members_are_marked() -> None:
    files = {path.name: path.read_bytes() for path in SEASONS}
    found = written(World(files).ask("request_rating?season=1").pictures[0].render)
    rows = {mark.y: mark.text for mark in marks(found)}
    assert {text.text for text in found if text.y in rows} - {SIGN} >= {"mizunom", "にゃーん王"}
    assert len(rows) == 2


def test_no_two_lines_have_one_colour_and_few_have_any_beside_the_asker_s() -> None:
    names = tuple(f"選手{place}" for place in range(12))
    curves = curves_of(lines_of(names, set()))
    twins = [replace(curves[0], colour=curves[1].colour, dash=(2.0, 1.0)), *curves[1:11]]
    assert len({curve.colour for curve in coloured(twins)}) == 11
    mine = [replace(curve, asker=place == 4) for place, curve in enumerate(curves)]
    assert [place for place, curve in enumerate(coloured(mine)) if curve.colour != CONTEXT] == [3, 4, 5]
    assert coloured(mine[:5]) == mine[:5]
