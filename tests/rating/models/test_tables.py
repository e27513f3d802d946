import re
from collections import defaultdict, deque
from datetime import timedelta

import pytest
from hypothesis import given, strategies as st

from rating.games import Game, GameError
from rating.models import MODELS, make
from rating.tables import Order, order_of, read
from tests.rating.models.leagues import FIRST_DAY, leagues, rate
from tests.real import named_cases

HEAD = "p1,p2,p3,p4,s1,s2,s3,s4\n"


def test_a_table_is_read_also_in_excels_forms_and_rank_points_removed() -> None:
    data = (HEAD + "あ,い,う,え,-15.0,65.0,5,-55\n\nう,え,い,か,45,5,-15,-35\n").encode()
    games = read(data, "t.csv")
    assert games[0].players == ("い", "う", "あ", "え")
    assert [seat.score for seat in games[0].seats] == [65, 5, -15, -55]
    assert (games[1].line, games[1].where) == (4, "t.csv:4")
    raw = read(data, "t.csv", (45, 5, -15, -35))
    assert [seat.score for seat in raw[0].seats] == [20, 0, 0, -20]
    assert [seat.score for seat in raw[1].seats] == [0, 0, 0, 0]
    assert make("btr").fit(raw)["い"].value > 0  # type: ignore[union-attr]
    text = "date,p1,p2,p3,s1,s2,s3\r\n2020-05-23,甲,乙,丙,10,0,-10\r\n"
    for data in (text.encode("utf-8-sig"), text.encode("cp932"), text.encode("utf-16")):
        game = read(data)[0]
        assert (game.players, str(game.day)) == (("甲", "乙", "丙"), "2020-05-23")


ARRAYS = named_cases("notebook_arrays.txt")["games"]
PRINTED, WITHOUT_RANK_POINTS = ARRAYS["printed"], ARRAYS["without rank points"]


def test_the_notebooks_arrays_are_read_as_they_are_printed() -> None:
    games = read(PRINTED.encode())
    assert [game.line for game in games] == [1, 2, 3, 5, 6, 7]
    assert games[0].players == tuple("abcd")
    assert games[4].players == ("n", "c", "o", "p'q")
    assert [seat.score for seat in games[1].seats] == [77.0, 14.0, -34.7, -56.3]
    assert order_of(games) == Order.FILE
    assert read((PRINTED + WITHOUT_RANK_POINTS).encode()) == games
    numbers = re.findall(r"-?\d+\.\d*", WITHOUT_RANK_POINTS)
    games = read(PRINTED.encode(), uma=(45, 5, -15, -35))
    found = [round(seat.score, 1) for game in games for seat in game.seats]
    assert found == [float(number) for number in numbers]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[['a' 'b']\n ['c' 'd']]\n[[1 -1]\n [1 -1]]", "3 or 4 columns"),
        ("[['a' 'b' 'c']]\n[[1 2 3]\n [1 2 3]\n [1 2 3]]", "1 rows of names, but 3 rows of scores"),
        ("[['a' 'b' 'c']]\n[[1 2]]", "3 or 4 columns"),
        ("[[1 2 3]]", "3 or 4 columns"),
        ("[['a' 'b' 'c']]\n[[1 2 x]]", "t.csv:1: x is no number"),
    ],
)
def test_other_arrays_are_refused(text: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        read(text.encode(), "t.csv")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"^t.csv:1: the columns must be"), ("p1,p2,p3,s1,s2\n", r"^t.csv:1: the columns must be"),
        (HEAD, r"^t.csv: no games"), (HEAD + "a,b,a,d,1,2,3,4\n", r"^t.csv:2: a sits twice"),
        (HEAD + "a,b,c,d,1,2,x,4\n", r"^t.csv:2: x is no number"),
        (HEAD + "a,b,c,d,1,2,nan,4\n", r"^t.csv:2: a score is not a number"),
        (HEAD + "a,b,c,d,1,2,3\n", r"^t.csv:2: s4 is empty"),
        (HEAD + "a,b,,d,1,2,3,4\n", r"^t.csv:2: p3 is empty"),
        ("date," + HEAD + "5/23,a,b,c,d,1,2,3,4\n", r"^t.csv:2: 5/23 is no date"),
    ],
)  # fmt: skip
def test_bad_tables_are_named(text: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        read(text.encode(), "t.csv")


def test_uma_must_fit() -> None:
    with pytest.raises(GameError, match=r"t.csv:1: uma has 3 numbers, but games have 4 seats"):
        read((HEAD + "a,b,c,d,1,2,3,4\n").encode(), "t.csv", (1, 0, -1))
    with pytest.raises(GameError, match="neither UTF-8 nor Shift_JIS"):
        read(b"\x81", "t.csv")


@pytest.mark.parametrize(
    "head", ["p1,p2,p3,p4,p5,s1,s2,s3,s4,s5", "p1,p2,p3,s1,s2,s3,s4", "p1,p2,p3,p3,s1,s2,s3", "p1,p2,s1,s2"]
)
def test_a_table_of_another_number_of_seats_is_refused(head: str) -> None:
    row = ",".join("abcde"[: head.count("p")]) + ",5,0,-5,0,0"
    with pytest.raises(GameError, match=r"t\.csv:1: the columns must be"):
        read(f"{head}\n{row}\n".encode(), "t.csv")


def written(games: list[Game]) -> bytes:
    """The games as a score table, with the columns of a seat anywhere."""
    seats = range(1, len(games[0].seats) + 1)
    heads = ["date", *(f"s{i}" for i in seats), *(f"p{i}" for i in seats)]
    rows = [[str(game.day or ""), *(str(seat.score) for seat in game.seats), *game.players] for game in games]
    return "\n".join(",".join(row) for row in [heads, *rows]).encode()


@st.composite
def dated_and_shuffled(draw: st.DrawFn) -> tuple[list[Game], list[Game]]:
    """A league in order of time, and the same games with their days mixed; those of one day keep their
    order."""
    games = draw(leagues(least=3))
    waiting = defaultdict(deque)
    for game in games:
        waiting[game.day].append(game)
    return games, [waiting[day].popleft() for day in draw(st.permutations([game.day for game in games]))]


@given(dated_and_shuffled())
def test_a_shuffled_table_is_the_sorted_one(both: tuple[list[Game], list[Game]]) -> None:
    first, second = (read(written(games)) for games in both)
    assert [(game.seats, game.day) for game in first] == [(game.seats, game.day) for game in second]
    assert [game.day for game in first] == [game.day for game in both[0]]
    assert order_of(second) is Order.DATE
    for model in ("tenhou", "jansou"):
        assert rate(model, first) == rate(model, second)


def test_only_a_table_without_any_date_keeps_the_order_of_the_file() -> None:
    rows = [f"{FIRST_DAY + timedelta(day)},a,b,c,{day + 9},0,{-day - 9}" for day in range(6)]
    text = ["date,p1,p2,p3,s1,s2,s3", *rows, f"{FIRST_DAY + timedelta(6)},c,b,a,90,0,-90"]
    newest_first = "\n".join([text[0], *text[:0:-1]]).encode()
    games = read(newest_first, "t.csv")
    assert [game.line for game in games] == [8, 7, 6, 5, 4, 3, 2]  # errors name the line in the file
    for model in (name for name, kind in MODELS.items() if kind.plays == "games"):
        assert rate(model, games) == rate(model, read("\n".join(text).encode()))
    rows = "b,a,c,30,0,-30\na,b,c,10,0,-10\n"
    for text in ("p1,p2,p3,s1,s2,s3\n" + rows, "date,p1,p2,p3,s1,s2,s3\n," + rows.replace("\n", "\n,", 1)):
        games = read(text.encode())
        assert [game.seats[0].score for game in games] == [30, 10]
        assert order_of(games) is Order.FILE


@pytest.mark.parametrize(("lines", "bad"), [((1, 0, 1), 3), ((0, 1, 1), 2), ((1, 0, 0), 3), ((1, 1, 0), 4)])
def test_a_row_without_a_date_among_dated_ones_is_named(lines: tuple[int, ...], bad: int) -> None:
    rows = [f"{'2020-05-23' if dated else ' '},a,b,c,10,0,-10" for dated in lines]
    with pytest.raises(GameError, match=rf"^t\.csv:{bad}: no date, but other rows have one$"):
        read("\n".join(["date,p1,p2,p3,s1,s2,s3", *rows]).encode(), "t.csv")
