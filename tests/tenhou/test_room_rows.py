import random
from contextlib import suppress
from datetime import datetime, timedelta
from urllib.parse import quote

import pytest
from hypothesis import given, settings, strategies as st

from bot.tenhou.client import TenhouError
from bot.tenhou.room import EndRow, ResultRow, RoomGame, StartRow, put_together, read_rows
from rating.roomlog import format_game, parse_utf8

LOBBY = "11017"
ID = "2026081004gm-0009-11017-9b9f92d7"
START = f'[2026/08/10 04:07:31] lobby=11017&type=0009&dan=11,0,7,5&rate=1662.15,1500.00,1598.60,1557.11&wg=167fafe2&log={ID}&cmd=<CHAT text="#START A B C D"/>'
END = (
    '[2026/08/10 04:38:26] lobby=11017&cmd=<CHAT text="#END D(+92.6) C(-0.9) A(-30.7) B(-61.0) " />'
)
RESULT = "[2026/08/10 04:38:29] lobby=11017&type=0009&un=A,B,C,D&sc=-30.7,-61.0,-0.9,92.6&chip="
LINE = "C1017 | 04:07 | 四般南喰赤－ | D(+92.6) C(-0.9) A(-30.7) B(-61.0)"


def games(*rows: str) -> list[RoomGame]:
    return put_together(read_rows("".join(f"{row}\r\n" for row in rows), LOBBY).rows)[0]


def lines(*rows: str) -> list[str]:
    return [game.line("C1017").decode() for game in games(*rows)]


def test_the_three_rows_are_one_game() -> None:
    (game,) = games(START, END, RESULT)
    assert game.line("C1017").decode() == LINE
    assert (game.paifu, game.begun) == (
        ID,
        datetime(
            2026,
            8,
            10,
            4,
            7,
            31,
        ),
    )
    start = read_rows(START, LOBBY).rows[0]
    assert "1662.15" not in repr(start)
    assert "167fafe2" not in repr(start)


@pytest.mark.parametrize(
    "rows",
    [(RESULT, START, END), (START, START, RESULT, END, RESULT, START)],
)
def test_the_order_and_the_number_of_rows_do_not_count(rows: tuple[str, ...]) -> None:
    assert lines(*rows) == [LINE]


def test_which_start_a_result_belongs_to() -> None:
    (game,) = games(END, RESULT)
    assert game.line("C1017").decode() == LINE.replace("04:07", "04:38")
    assert (game.start, game.paifu) == (None, "")
    later = START.replace("04:07:31", "04:12:00").replace("9b9f92d7", "00000001")
    (game,) = games(START, later, RESULT)
    assert (game.paifu[-8:], game.begun.minute) == ("00000001", 12)
    assert put_together(read_rows(f"{START}\n{later}\n{RESULT}\n", LOBBY).rows)[1] == []
    second = (
        RESULT.replace("04:38:29", "05:20:00").replace("92.6", "92.5").replace("-61.0", "-60.9")
    )
    assert [game.begun.minute for game in games(START, RESULT, second)] == [7, 20]
    second = RESULT.replace("04:38:29", "05:20:00").replace("92.6", "12.6").replace("-61.0", "19.0")
    assert [game.start for game in games(START, END, second)] == [None]
    following = START.replace("04:07:31", "04:38:29").replace("9b9f92d7", "00000003")
    rows = read_rows("\n".join((START, following, RESULT, "")), LOBBY).rows
    found, running = put_together(rows)
    assert [game.paifu[-8:] for game in found] == ["9b9f92d7"]
    assert [game.at.minute for game in running] == [38]


def test_overlapping_games_are_told_apart_by_their_players() -> None:
    other = (
        START.replace("04:07:31", "04:09:00")
        .replace("A B C D", "E F G H")
        .replace("9b9f92d7", "00000002")
    )
    result = RESULT.replace("04:38:29", "04:31:00").replace("A,B,C,D", "E,F,G,H")
    finished = games(START, other, result, RESULT)
    assert [game.paifu[-8:] for game in finished] == ["00000002", "9b9f92d7"]


@pytest.mark.parametrize(
    "names",
    [
        ("みどり", "m9(-Д-)", "A&B"),
        ("100%", "宮永|咲", "<b>"),
        ("a+b", "NoName", "NoName"),
        ('"', "%41", "&amp;"),
    ],
)
@pytest.mark.parametrize(
    "how",
    [
        str,
        quote,
        lambda text: text.replace("&", "&amp;").replace('"', "&quot;"),
    ],
)
def test_names_in_any_writing(names: tuple[str, ...], how: object) -> None:
    assert callable(how)
    text = how("#START " + " ".join(names))
    start = f'[2026/08/10 04:07:31] lobby=11017&type=0219&log={ID}&cmd=<CHAT text="{text}"/>'
    un = ",".join(quote(name, safe="") for name in names)
    result = f"[2026/08/10 04:38:29] lobby=11017&type=0219&un={un}&sc=-5.0,0.0,5.0&chip=-1,0,1"
    (game,) = games(start, result)
    a, b, c = names
    assert (
        game.line("C1017").decode()
        == f"C1017 | 04:07 | 三般南喰赤祝 | {c}(+5.0,+1枚) {b}(0.0,0枚) {a}(-5.0,-1枚)"
    )
    assert game.paifu == ID


def test_equal_points_stand_in_the_order_of_seats_and_talk_is_passed_over() -> None:
    (line,) = lines(RESULT.replace("-30.7,-61.0,-0.9,92.6", "-10.0,20.0,-10.0,0"))
    assert line.endswith("B(+20.0) D(0.0) A(-10.0) C(-10.0)")
    talk = '[2026/08/10 04:09:00] lobby=11017&cmd=<CHAT text="#START の前に"/>'
    read = read_rows(f"{talk}\r\n", LOBBY)
    assert (read.rows, len(read.unknown)) == ((), 1)


PASSED_OVER = [
    "un=A,B,C&sc=-30.7,-61.0,-0.9,92.6&chip=",
    "un=A,B,C,D&sc=-30.7,-61.0,-0.9&chip=",
    "un=A,B,C,D&sc=-30.7,-61.0,-0.9,x&chip=",
    "un=A,B,C,D&sc=-30.7,-61.0,-0.9,nan&chip=",
    "un=A,B,C,D&sc=-30.7,-61.0,-0.9,1e3&chip=",
    "un=A,B,C,D&sc=-30.7,-61.0,-0.9,92.6&chip=1,2",
    "un=A,B,C,D&sc=-30.7,-61.0,-0.9,92.6&chip=1,2,x,0",
    "un=A,B,C,D&sc=-30.7,-61.0,-0.9,92.6",
    "un=A,B&sc=-1.0,1.0&chip=",
    "un=A,A,C,D&sc=-30.7,-61.0,-0.9,92.6&chip=",
    "un=A,,C,D&sc=-30.7,-61.0,-0.9,92.6&chip=",
    "un=A%20B,X,C,D&sc=-30.7,-61.0,-0.9,92.6&chip=",
    "un=%FF,B,C,D&sc=-30.7,-61.0,-0.9,92.6&chip=",
    "un=A%0AC1017,B,C,D&sc=-30.7,-61.0,-0.9,92.6&chip=",
]


@pytest.mark.parametrize("body", PASSED_OVER)
def test_a_result_that_is_not_whole_is_passed_over(body: str) -> None:
    read = read_rows(f"{START}\r\n[2026/08/10 04:38:29] lobby=11017&type=0009&{body}\r\n", LOBBY)
    assert [type(row) for row in read.rows] == [StartRow]
    assert len(read.unknown) == 1


@pytest.mark.parametrize(
    "text", ["<html>", "{}", RESULT.replace("un=", "names="), RESULT.replace("11017", "11018")]
)
def test_an_answer_without_a_known_row_is_a_fault(text: str) -> None:
    with pytest.raises(TenhouError) as error:
        read_rows(text, LOBBY)
    assert str(error.value) == "the answer has no row of the known form"


@pytest.mark.parametrize("text", ["", "\r\n", "\ufeff", " \n\n"])
def test_an_empty_answer_has_no_rows(text: str) -> None:
    assert read_rows(text, LOBBY).rows == ()


@given(st.integers(0, len(RESULT.replace("chip=", "chip=-12,10,1,1"))))
def test_a_cut_answer_gives_the_game_or_nothing(length: int) -> None:
    whole = RESULT.replace("0009", "0209").replace("chip=", "chip=-12,10,1,1")
    text = f"{START}\r\n{whole[:length]}"
    finished, _ = put_together(read_rows(text, LOBBY).rows)
    made = [game.line("C1017").decode() for game in finished]
    assert made in ([], lines(START, whole))


NAME = st.text(
    st.characters(codec="utf-8", exclude_categories=["C", "Z"]),
    min_size=1,
    max_size=8,
)


@settings(max_examples=40)
@given(
    st.lists(NAME, min_size=3, max_size=4, unique=True),
    st.lists(st.integers(-2000, 2000), min_size=4, max_size=4),
    st.lists(
        st.integers(-20, 20),
        min_size=4,
        max_size=4,
    )
    | st.none(),
    st.integers(0, 0x7FF),
)
def test_a_game_comes_back_from_its_rows(
    names: list[str],
    tenths: list[int],
    chips: list[int] | None,
    bits: int,
) -> None:
    """The line, read as a line of the day's file and written again, is the same, and holds what was
    played."""
    seats = len(names)
    scores = ",".join(f"{tenth / 10:.1f}" for tenth in tenths[:seats])
    un = ",".join(quote(name, safe="") for name in names)
    chip = ",".join(map(str, chips[:seats] if chips else ()))
    start = f'[2026/08/10 04:07:31] lobby=11017&type={bits:04x}&log={ID}&cmd=<CHAT text="#START {" ".join(names)}"/>'
    result = f"[2026/08/10 04:38:29] lobby=11017&type={bits:04x}&un={un}&sc={scores}&chip={chip}"
    found = games(start, result)
    if not found:
        return  # a name that can't stand in a log
    line = found[0].line("C1017")
    game = parse_utf8("", line).games[0]
    assert format_game(game).encode() == line
    told = sorted(
        (-tenth, seat, name, chips[seat] if chips else None)
        for seat, (name, tenth) in enumerate(zip(names, tenths, strict=False))
    )
    seats = [(seat.player, round(-10 * seat.score), seat.chips) for seat in game.seats]
    assert seats == [(name, tenth, chip) for tenth, _, name, chip in told]


@given(
    st.text(max_size=300)
    | st.lists(
        st.sampled_from(
            [
                START,
                END,
                RESULT,
                "&",
                "=",
                "\r\n",
                "[",
                "cmd=<",
            ]
        )
    ).map("".join)
)
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(TenhouError):
        rows = read_rows(text, LOBBY).rows
        assert all(isinstance(row, StartRow | EndRow | ResultRow) for row in rows)
        put_together(rows)


@settings(max_examples=30)
@given(st.randoms(use_true_random=False), st.integers(1, 8))
def test_pairing_against_a_second_reckoning(rng: random.Random, number: int) -> None:
    """Games of tables that never share a player, some rows lost: each result has its table's last
    open start."""
    tables = ["A B C", "D E F", "G H I"]
    rows: list[tuple[datetime, str]] = []
    expected: dict[datetime, datetime | None] = {}
    for table in tables:
        at = datetime(2026, 8, 10, 20, 0, tables.index(table))
        begun = None
        for game in range(number):
            at += timedelta(minutes=2)
            if rng.random() < 0.7:
                begun = at
                rows.append(
                    (at, f'lobby={LOBBY}&type=0019&log={ID}&cmd=<CHAT text="#START {table}"/>')
                )
            at += timedelta(minutes=20)
            if rng.random() < 0.7:
                rows.append(
                    (
                        at,
                        f"lobby={LOBBY}&type=0019&un={table.replace(' ', ',')}&sc={game}.0,0.0,-{game}.0&chip=",
                    )
                )
                expected[at] = begun
                begun = None
    rng.shuffle(rows)
    text = "".join(f"[{at:%Y/%m/%d %H:%M:%S}] {row}\r\n" for at, row in rows)
    found = put_together(read_rows(text, LOBBY).rows)[0]
    assert {game.result.at: game.start and game.start.at for game in found} == expected
