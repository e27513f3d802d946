"""The labels at the ends of lines: every provisional member is marked, nothing is cut off, no labels overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import Dash, colours, dashes
from bot.charts.parts.curves import Curve, Lines
from bot.charts.parts.ends import PROVISIONAL, SIGN, SIGN_MEANS
from bot.charts.parts.lines import draw
from tests.answers.leagues import NINE, World, log_of
from tests.charts.leagues import TWENTY
from tests.charts.writing import Written, overlaps, written

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
    return [text for text in found if text.text in (PROVISIONAL, SIGN)]


def check(chart: Lines) -> list[Written]:
    """Only the names of provisional members are followed by a mark, and a sign used as a mark is explained."""
    found = written(lambda: draw(chart))
    rows = sorted(curve.ys[-1] for curve in chart.curves)
    assert len(marks(found)) == sum(curve.provisional for curve in chart.curves)
    assert len({text.text for text in marks(found)}) <= 1
    signed = any(text.text == SIGN for text in found)
    assert [text.text for text in found].count(SIGN_MEANS) == signed
    assert overlaps(found) == []
    assert max(text.right for text in found) <= 1185
    assert len(rows) == len(chart.curves)
    for mark in marks(found):
        assert any(abs(text.right - mark.left) < 14 and text.y == mark.y for text in found)
    return found


@pytest.mark.parametrize(
    "names", [NINE[:1], NINE[:3], NINE, TWENTY, (LONG,), (LONG, *NINE), ("W" * 40, "あ")]
)
@pytest.mark.parametrize("scale", [1.0, 40.0])
@pytest.mark.parametrize("who", ["nobody", "first", "all"])
def test_every_provisional_member_is_marked(names: tuple[str, ...], scale: float, who: str) -> None:
    provisional = {"nobody": set[str](), "first": {names[0]}, "all": set(names)}[who]
    check(lines_of(names, provisional, scale))


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text("あ漢Wi", max_size=14), min_size=1, max_size=30, unique=True), st.integers(0, 2**30))
def test_any_league_is_marked(names: list[str], chosen: int) -> None:
    wanted = {name for place, name in enumerate(names) if name and chosen >> place & 1}
    check(lines_of(tuple(name or "無" * 15 for name in names), wanted))


def test_the_word_stands_where_it_has_room_and_a_sign_where_not() -> None:
    short, long = lines_of(NINE[:3], set(NINE[:3])), lines_of((LONG, "あ"), {LONG})
    assert {text.text for text in marks(check(short))} == {PROVISIONAL}
    assert {text.text for text in marks(check(long))} == {SIGN}


def test_after_one_game_all_three_are_marked() -> None:
    asked = World({"logvol1.txt": log_of(NINE[:3], 1)}).ask("request_rating")
    assert len(marks(written(asked.pictures[0].render))) == 3


def test_two_side_by_side_are_marked_as_well() -> None:
    asked = World({"logvol1.txt": log_of(NINE[:3], 1)}).ask("二人 みどり 東風")
    assert len(marks(written(asked.pictures[0].render))) == 2


def test_the_first_seasons_provisional_members_are_marked(shared: Path) -> None:
    files = {path.name: path.read_bytes() for path in shared.glob("logvol*.txt")}
    found = written(World(files).ask("request_rating?season=1").pictures[0].render)
    rows = {mark.y: mark.text for mark in marks(found)}
    assert {text.text for text in found if text.y in rows} - {PROVISIONAL, SIGN} >= {"kitagaw", "とぅーり王"}
    assert len(rows) == 2


def test_where_colours_come_twice_a_piece_of_each_line_stands_before_its_label(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pieces: list[tuple[str, Dash]] = []
    plain = Paper.line

    def line(
        self: Paper, xs: Sequence[float], ys: Sequence[float], thick: float, colour: str, dash: Dash = ()
    ) -> None:
        if xs[0] > 600:
            pieces.append((colour, dash))
        plain(self, xs, ys, thick, colour, dash)

    monkeypatch.setattr(Paper, "line", line)
    names = tuple(f"選手{place}" for place in range(30))
    draw(lines_of(names[:12], set()))
    assert not pieces
    draw(lines_of(names, set()))
    assert len(set(pieces)) == 30
    assert set(pieces) == set(zip(colours(names).values(), dashes(names).values(), strict=True))
