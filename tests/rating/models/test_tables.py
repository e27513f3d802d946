import re
from collections import defaultdict, deque
from datetime import timedelta
from unicodedata import normalize

import pytest
from hypothesis import given, strategies as st

from rating.games import Game, GameError
from rating.models import MODELS, make
from rating.tables import Order, order_of, read
from tests.rating.models.leagues import FIRST_DAY, leagues, rate
from tests.real import cases, named_cases


def scores_of(game: Game) -> list[float]:
    return [seat.score for seat in game.seats]


def test_table_in_excels_encodings_and_without_rank_points() -> None:
    text = "p1,p2,p3,p4,s1,s2,s3,s4\nあ,い,う,え,-15.0,65.0,5,-55\n\nう,え,い,か,45,5,-15,-35\n"
    data = text.encode()
    games = read(data, "t.csv")
    assert games[0].players == ("い", "う", "あ", "え")
    assert scores_of(games[0]) == [65, 5, -15, -55]
    assert (games[1].line, games[1].where) == (4, "t.csv:4")
    raw = read(data, "t.csv", (45, 5, -15, -35))
    assert scores_of(raw[0]) == [20, 0, 0, -20]
    assert scores_of(raw[1]) == [0, 0, 0, 0]
    assert make("btr").fit(raw)["い"].value > 0  # type: ignore[union-attr]
    text = "date,p1,p2,p3,s1,s2,s3\r\n2020-05-23,甲,乙,丙,10,0,-10\r\n"
    for encoding in ("utf-8-sig", "cp932", "utf-16"):
        (game,) = read(text.encode(encoding))
        assert (game.players, str(game.day)) == (("甲", "乙", "丙"), "2020-05-23")


def test_scores_of_a_table_have_any_sign() -> None:
    rows = ['あ,い,う,"+1,047.0",▲5.0pt,▲1042', "あ,い,う,＋４７,－5,−42", "あ,い,う,47,±0,ー47"]
    games = read("\n".join(["p1,p2,p3,s1,s2,s3", *rows]).encode())
    scores = [[seat.score for seat in game.seats] for game in games]
    assert scores == [
        [
            1047.0,
            -5.0,
            -1042.0,
        ],
        [47.0, -5.0, -42.0],
        [47.0, 0.0, -47.0],
    ]


def test_name_in_nfc_and_nfd_is_one_player_of_a_table() -> None:
    text = "がくと,い,う,10,0,-10\n"
    rows = "p1,p2,p3,s1,s2,s3\n" + text + normalize("NFD", text)
    assert {game.players for game in read(rows.encode())} == {
        (
            "がくと",
            "い",
            "う",
        )
    }


ARRAYS = named_cases("notebook_arrays.txt")["games"]
PRINTED = ARRAYS["printed"]
WITHOUT_RANK_POINTS = ARRAYS["without rank points"]


def test_printed_arrays_of_a_notebook_are_read() -> None:
    games = read(PRINTED.encode())
    assert [game.line for game in games] == [1, 2, 3, 5, 6, 7]
    assert games[0].players == tuple("abcd")
    assert games[4].players == ("n", "c", "o", "p'q")
    assert scores_of(games[1]) == [77.0, 14.0, -34.7, -56.3]
    assert order_of(games) == Order.FILE
    assert read((PRINTED + WITHOUT_RANK_POINTS).encode()) == games
    numbers = re.findall(r"-?\d+\.\d*", WITHOUT_RANK_POINTS)
    games = read(PRINTED.encode(), uma=(45, 5, -15, -35))
    actual = [round(seat.score, 1) for game in games for seat in game.seats]
    assert actual == [float(number) for number in numbers]


BAD = cases("bad_tables.tsv")


@pytest.mark.parametrize(
    ("says", "text"),
    BAD,
    ids=[text for _, text in BAD],
)
def test_error_names_the_line_that_is_no_table(says: str, text: str) -> None:
    with pytest.raises(GameError, match=rf"^t\.csv:{re.escape(says)}"):
        read(text.replace("\\n", "\n").encode(), "t.csv")


def test_wrong_uma_and_unknown_encoding_are_refused() -> None:
    with pytest.raises(GameError, match=r"t.csv:1: uma has 3 numbers, but games have 4 seats"):
        read(b"p1,p2,p3,p4,s1,s2,s3,s4\na,b,c,d,1,2,3,4\n", "t.csv", (1, 0, -1))
    with pytest.raises(GameError, match="neither UTF-8 nor Shift_JIS"):
        read(b"\x81", "t.csv")


def written(games: list[Game]) -> bytes:
    """The games as a score table, with the columns of a seat anywhere."""
    seats = range(1, len(games[0].seats) + 1)
    heads = ["date", *(f"s{i}" for i in seats), *(f"p{i}" for i in seats)]
    rows = []
    for game in games:
        scores = map(str, scores_of(game))
        rows.append([str(game.day or ""), *scores, *game.players])
    return "\n".join(",".join(row) for row in [heads, *rows]).encode()


@st.composite
def dated_and_shuffled(draw: st.DrawFn) -> tuple[list[Game], list[Game]]:
    """A league in order of time, and its games with their days mixed, those of one day in their
    order.
    """
    games = draw(leagues(fewest=3))
    waiting = defaultdict(deque)
    for game in games:
        waiting[game.day].append(game)
    days = draw(st.permutations([game.day for game in games]))
    return games, [waiting[day].popleft() for day in days]


@given(dated_and_shuffled())
def test_rows_are_sorted_by_date(tables: tuple[list[Game], list[Game]]) -> None:
    first, second = (read(written(games)) for games in tables)
    days = [game.day for game in first]
    assert days == [game.day for game in second]
    assert [game.seats for game in first] == [game.seats for game in second]
    assert days == [game.day for game in tables[0]]
    assert order_of(second) is Order.DATE
    for model in ("tenhou", "jansou"):
        assert rate(model, first) == rate(model, second)


def test_table_without_dates_is_in_order_of_the_file() -> None:
    rows = [f"{FIRST_DAY + timedelta(day)},a,b,c,{day + 9},0,{-day - 9}" for day in range(6)]
    text = ["date,p1,p2,p3,s1,s2,s3", *rows, f"{FIRST_DAY + timedelta(6)},c,b,a,90,0,-90"]
    head, *oldest_first = text
    newest_first = "\n".join([head, *reversed(oldest_first)]).encode()
    games = read(newest_first, "t.csv")
    assert [game.line for game in games] == [
        8,
        7,
        6,
        5,
        4,
        3,
        2,
    ]  # errors name the line in the file
    for model in (name for name, kind in MODELS.items() if kind.plays == "games"):
        sorted_games = read("\n".join(text).encode())
        assert rate(model, games) == rate(model, sorted_games)
    rows = "b,a,c,30,0,-30\na,b,c,10,0,-10\n"
    for text in (
        "p1,p2,p3,s1,s2,s3\n" + rows,
        "date,p1,p2,p3,s1,s2,s3\n," + rows.replace("\n", "\n,", 1),
    ):
        games = read(text.encode())
        assert [game.seats[0].score for game in games] == [30, 10]
        assert order_of(games) is Order.FILE
