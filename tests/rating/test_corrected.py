from collections.abc import Iterable
from datetime import date

import pytest
from hypothesis import given, settings, strategies as st

from rating.merge import merge
from rating.roomlog import LogLine, parse
from rating.same_game import pairs, players_part, same_game, surely_same

DAY = date(2020, 5, 18)
TENHOU = "C1234 | 20:00 | 三般南喰赤祝 | 東(+52.0,+3枚) 南(-2.0,0枚) 西(-50.0,-3枚)"
SAME = [
    TENHOU.replace("+52.0", "+50.0").replace("-50.0", "-48.0"),  # the score
    TENHOU.replace("東", "東家"),  # one name
    TENHOU.replace("東", "甲").replace("南(", "乙(").replace("西", "丙"),  # every name
    TENHOU.replace(",+3枚", ",+4枚"),  # the chips
    # the order of placing
    "C1234 | 20:00 | 三般南喰赤祝 | 南(+52.0,+3枚) 東(-2.0,0枚) 西(-50.0,-3枚)",
    TENHOU.replace("三般", "四般"),
]
OTHERS = [
    TENHOU.replace("+52.0", "+50.0").replace("西", "北"),  # a name and a score
    TENHOU.replace("東", "甲").replace(",+3枚", ",+4枚"),
    TENHOU.replace("20:00", "20:01"),
    TENHOU.replace("C1234", "C1235"),
    "C1234 | 20:00 | 三般南喰赤祝 | 甲(+40.0,+2枚) 乙(0.0,0枚) 丙(-40.0,-2枚)",
    TENHOU + " 北(0.0,0枚)",
]


def line(text: str) -> LogLine:
    return parse("", text.encode()).lines[0]


def day_of(*texts: str) -> bytes:
    return "".join(f"{text}\n" for text in ("20200518", *texts)).encode()


def added(
    log: bytes,
    offered: Iterable[str],
    days: dict[date, list[bytes]] | None = None,
) -> int:
    """How many of the offered lines a merge adds; it must not add any when it is done again."""
    all_days = (days or {}) | {DAY: [text.encode() for text in offered]}

    def offers(day: date) -> Iterable[bytes]:
        return all_days.get(day, ())

    merged = merge(log, {DAY: all_days[DAY]}, offers=offers)
    again = merge(merged.data, {DAY: all_days[DAY]}, offers=offers)
    assert (again.added, again.data) == ((), merged.data)
    return len(merged.added)


@pytest.mark.parametrize("held", [*SAME, *OTHERS])
def test_corrected_game_is_the_same_and_another_is_added(held: str) -> None:
    offered = line(TENHOU).game
    other = line(held).game
    assert offered is not None
    assert other is not None
    assert same_game(offered, other) is same_game(other, offered) is (held in SAME)
    assert added(day_of(held), [TENHOU]) == (held in OTHERS)


def test_game_of_another_day_is_added() -> None:
    assert added(day_of(SAME[0]).replace(b"0518", b"0517"), [TENHOU]) == 1
    assert added(f"{SAME[0]}\n".encode(), [TENHOU]) == 1  # under no date
    merged = merge(day_of(SAME[0]), {DAY: [TENHOU.encode()]})
    assert len(merged.added) == 1
    later = TENHOU.replace("+52.0", "+50.0").replace("-50.0", "-48.0")
    log = day_of(later)  # the game of the 20th, typed under the 18th
    for day, count in (
        (
            date(
                2020,
                5,
                20,
            ),
            1,
        ),
        (date(2020, 5, 27), 0),
    ):
        assert added(log, [TENHOU], {day: [later.encode()]}) == count


def test_second_table_of_a_minute_with_equal_points_is_added() -> None:
    second = TENHOU.replace("東", "甲").replace("南(", "乙(").replace("西", "丙")
    assert added(day_of(TENHOU), [TENHOU, second]) == 1
    # Of two tables one is corrected: the line that is as Tenhou offers it is not the other game.
    assert added(day_of(TENHOU, SAME[1]), [TENHOU, second]) == 0
    assert added(day_of(SAME[0], second), [TENHOU, second]) == 0


def test_each_line_is_paired_once_and_names_come_first() -> None:
    # A typed line with A's names and B's points is B where another typed line is A by its points.
    a = TENHOU
    b = OTHERS[4]
    mixed = (
        a.replace("+52.0,+3枚", "+40.0,+2枚")
        .replace("-2.0", "0.0")
        .replace("-50.0,-3枚", "-40.0,-2枚")
    )
    matches = pairs(
        [line(a), line(b)],
        [line(mixed), line(SAME[1])],
    )
    texts = [(offered.text, hand.text) for offered, hand in matches]
    assert texts == [(a, SAME[1]), (b, mixed)]
    matches = pairs(
        [line(a)],
        [line(SAME[1]), line(SAME[0])],
    )
    assert [hand.text for _, hand in matches] == [SAME[0]]
    assert pairs([line("C1234 | 20:00 | x | 東 南(0.0) 西(0.0)")], [line(a)]) == []


def test_guests_do_not_distinguish_games() -> None:
    lines = [f"C1234 | 20:00 | 三般 | {name}(+1.0) NoName(0.0) NoName(-1.0)" for name in "東南"]
    first, other = (line(text).game for text in lines)
    assert first is not None
    assert other is not None
    assert same_game(first, other)
    assert not surely_same(first, other)
    assert players_part(line(TENHOU)) == "東(+52.0,+3枚) 南(-2.0,0枚) 西(-50.0,-3枚)"
    glued = line("C1234 | 20:00 | 三般 | 宮永|咲(+1.0) 烏龍茶(黒)(0.0) C(-1.0)20200519\r\n")
    assert players_part(glued) == "宮永|咲(+1.0) 烏龍茶(黒)(0.0) C(-1.0)"


TABLES = [
    ("東", "南", "西"),
    ("甲", "乙", "丙"),
    ("A", "B", "C"),
]


@st.composite
def corrected_days(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Tenhou's lines of a day with up to three tables a minute, and the log's, some of them
    corrected.
    """
    offered = []
    log = []
    for minute in range(draw(st.integers(1, 4))):
        tables = st.lists(st.sampled_from(TABLES), min_size=1, max_size=3, unique=True)
        for names in draw(tables):
            top = draw(st.integers(1, 60)) + len(offered) * 100  # each game has points of its own
            new = list(names)
            points = [top, 0, -top]
            offered.append(_text(minute, names, points))
            how = draw(st.sampled_from(["", "", "points", "names"]))
            if how == "points":
                points = [top + 61, -1, -top - 60]
            elif how == "names":
                new[draw(st.integers(0, 2))] = f"x{len(offered)}"
            log.append(_text(minute, new, points))
    return offered, draw(st.permutations(log))


def _text(minute: int, names: Iterable[str], points: Iterable[int]) -> str:
    words = " ".join(f"{name}({score:+}.0)" for name, score in zip(names, points, strict=True))
    return f"C1234 | 20:{minute:02d} | 三般南喰赤－ | {words}"


@settings(max_examples=40)
@given(corrected_days(), st.data())
def test_missing_games_are_added_not_corrected(
    day: tuple[list[str], list[str]], data: st.DataObject
) -> None:
    offered, log = day
    assert added(day_of(*log), offered) == 0
    gone = data.draw(st.sampled_from(log))
    assert added(day_of(*(text for text in log if text != gone)), offered) == 1
