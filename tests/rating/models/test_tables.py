"""Score tables as CSV."""

from __future__ import annotations

import pytest

from rating.games import GameError
from rating.models import make
from rating.tables import read

HEAD = "p1,p2,p3,p4,s1,s2,s3,s4\n"


def test_a_table_is_read_and_rank_points_removed() -> None:
    data = (HEAD + "あ,い,う,え,-15.0,65.0,5,-55\n\nう,え,い,か,45,5,-15,-35\n").encode()
    games = read(data, "t.csv")
    assert games[0].players == ("い", "う", "あ", "え")
    assert [seat.score for seat in games[0].seats] == [65, 5, -15, -55]
    assert (games[1].line, games[1].where) == (4, "t.csv:4")
    raw = read(data, "t.csv", (45, 5, -15, -35))
    assert [seat.score for seat in raw[0].seats] == [20, 0, 0, -20]
    assert [seat.score for seat in raw[1].seats] == [0, 0, 0, 0]
    assert make("btr").fit(raw)["い"].value > 0  # type: ignore[union-attr]


def test_excels_forms_are_read() -> None:
    text = "date,p1,p2,p3,s1,s2,s3\r\n2020-05-23,甲,乙,丙,10,0,-10\r\n"
    for data in (text.encode("utf-8-sig"), text.encode("cp932"), text.encode("utf-16")):
        game = read(data)[0]
        assert game.players == ("甲", "乙", "丙")
        assert str(game.day) == "2020-05-23"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"^t.csv:1: the columns must be"),
        ("p1,p2,p3,s1,s2\n", r"^t.csv:1: the columns must be"),
        (HEAD, r"^t.csv: no games"),
        (HEAD + "a,b,a,d,1,2,3,4\n", r"^t.csv:2: a sits twice"),
        (HEAD + "a,b,c,d,1,2,x,4\n", r"^t.csv:2: x is no number"),
        (HEAD + "a,b,c,d,1,2,nan,4\n", r"^t.csv:2: a score is not a number"),
        (HEAD + "a,b,c,d,1,2,3\n", r"^t.csv:2: s4 is empty"),
        (HEAD + "a,b,,d,1,2,3,4\n", r"^t.csv:2: p3 is empty"),
        ("date," + HEAD + "5/23,a,b,c,d,1,2,3,4\n", r"^t.csv:2: 5/23 is no date"),
    ],
)
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
