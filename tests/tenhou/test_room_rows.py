import random
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from urllib.parse import quote

import pytest
from hypothesis import given, settings, strategies as st

from bot.tenhou.client import TenhouError
from bot.tenhou.room import EndRow, ResultRow, RoomGames, StartRow, games_of, read_rows
from rating.roomlog import format_game, parse_utf8

LOBBY = "11017"
ID = "2026081004gm-0009-11017-9b9f92d7"
START = f'[2026/08/10 04:07:31] lobby=11017&type=0009&dan=11,0,7,5&rate=1662.15,1500.00,1598.60,1557.11&wg=167fafe2&log={ID}&cmd=<CHAT text="#START A B C D"/>'
END = (
    '[2026/08/10 04:38:26] lobby=11017&cmd=<CHAT text="#END D(+92.6) C(-0.9) A(-30.7) B(-61.0) " />'
)
RESULT = "[2026/08/10 04:38:29] lobby=11017&type=0009&un=A,B,C,D&sc=-30.7,-61.0,-0.9,92.6&chip="
LINE = "C1017 | 04:07 | 四般南喰赤－ | D(+92.6) C(-0.9) A(-30.7) B(-61.0)"


def room_games(*rows: str) -> RoomGames:
    return games_of(read_rows("".join(f"{row}\r\n" for row in rows), LOBBY).rows)


def lines(*rows: str) -> list[str]:
    return [game.line("C1017").decode() for game in room_games(*rows).finished]


def test_start_end_and_result_are_one_game() -> None:
    (game,) = room_games(START, END, RESULT).finished
    assert game.line("C1017").decode() == LINE
    assert game.paifu == ID
    assert game.begin == datetime(2026, 8, 10, 4, 7, 31)


def test_start_row_has_no_ratings_and_no_watch_id() -> None:
    start = read_rows(START, LOBBY).rows[0]
    assert "1662.15" not in repr(start)
    assert "167fafe2" not in repr(start)


@pytest.mark.parametrize(
    "rows",
    [(RESULT, START, END), (START, START, RESULT, END, RESULT, START)],
)
def test_order_and_repetition_of_rows_do_not_matter(rows: tuple[str, ...]) -> None:
    assert lines(*rows) == [LINE]


def test_result_without_start_row_has_its_own_time() -> None:
    (game,) = room_games(END, RESULT).finished
    assert game.line("C1017").decode() == LINE.replace("04:07", "04:38")
    assert game.start is None
    assert game.paifu == ""


def test_result_belongs_to_the_latest_start_of_its_players() -> None:
    later = START.replace("04:07:31", "04:12:00").replace("9b9f92d7", "00000001")
    games = room_games(START, later, RESULT)
    (game,) = games.finished
    assert game.paifu.endswith("00000001")
    assert game.begin.minute == 12
    assert games.running == []


def test_second_result_of_the_same_players_has_no_start() -> None:
    second = (
        RESULT.replace("04:38:29", "05:20:00").replace("92.6", "92.5").replace("-61.0", "-60.9")
    )
    games = room_games(START, RESULT, second)
    assert [game.begin.minute for game in games.finished] == [7, 20]


def test_result_other_than_the_announced_one_has_no_start() -> None:
    other = RESULT.replace("04:38:29", "05:20:00").replace("92.6", "12.6").replace("-61.0", "19.0")
    assert [game.start for game in room_games(START, END, other).finished] == [None]


def test_start_in_the_second_of_a_result_is_the_next_game() -> None:
    following = START.replace("04:07:31", "04:38:29").replace("9b9f92d7", "00000003")
    games = room_games(START, following, RESULT)
    assert [game.paifu[-8:] for game in games.finished] == ["9b9f92d7"]
    assert [game.at.minute for game in games.running] == [38]


def test_overlapping_games_are_distinguished_by_players() -> None:
    other = (
        START.replace("04:07:31", "04:09:00")
        .replace("A B C D", "E F G H")
        .replace("9b9f92d7", "00000002")
    )
    result = RESULT.replace("04:38:29", "04:31:00").replace("A,B,C,D", "E,F,G,H")
    finished = room_games(START, other, result, RESULT).finished
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
    "encode",
    [
        str,
        quote,
        lambda text: text.replace("&", "&amp;").replace('"', "&quot;"),
    ],
)
def test_names_are_read_in_any_encoding(
    names: tuple[str, ...], encode: Callable[[str], str]
) -> None:
    text = encode("#START " + " ".join(names))
    start = f'[2026/08/10 04:07:31] lobby=11017&type=0219&log={ID}&cmd=<CHAT text="{text}"/>'
    un = ",".join(quote(name, safe="") for name in names)
    result = f"[2026/08/10 04:38:29] lobby=11017&type=0219&un={un}&sc=-5.0,0.0,5.0&chip=-1,0,1"
    (game,) = room_games(start, result).finished
    a, b, c = names
    assert (
        game.line("C1017").decode()
        == f"C1017 | 04:07 | 三般南喰赤祝 | {c}(+5.0,+1枚) {b}(0.0,0枚) {a}(-5.0,-1枚)"
    )
    assert game.paifu == ID


def test_equal_points_are_listed_in_the_order_of_seats() -> None:
    (line,) = lines(RESULT.replace("-30.7,-61.0,-0.9,92.6", "-10.0,20.0,-10.0,0"))
    assert line.endswith("B(+20.0) D(0.0) A(-10.0) C(-10.0)")


def test_chat_of_members_is_skipped() -> None:
    chat = '[2026/08/10 04:09:00] lobby=11017&cmd=<CHAT text="#START の前に"/>'
    answer = read_rows(f"{chat}\r\n", LOBBY)
    assert answer.rows == ()
    assert len(answer.unknown) == 1


INVALID_RESULTS = [
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


@pytest.mark.parametrize("body", INVALID_RESULTS)
def test_invalid_result_is_skipped(body: str) -> None:
    text = f"{START}\r\n[2026/08/10 04:38:29] lobby=11017&type=0009&{body}\r\n"
    answer = read_rows(text, LOBBY)
    assert [type(row) for row in answer.rows] == [StartRow]
    assert len(answer.unknown) == 1


@pytest.mark.parametrize(
    "text", ["<html>", "{}", RESULT.replace("un=", "names="), RESULT.replace("11017", "11018")]
)
def test_answer_without_any_known_row_is_refused(text: str) -> None:
    with pytest.raises(TenhouError) as error:
        read_rows(text, LOBBY)
    assert str(error.value) == "the answer has no row of the known form"


@pytest.mark.parametrize("text", ["", "\r\n", "\ufeff", " \n\n"])
def test_empty_answer_has_no_rows(text: str) -> None:
    assert read_rows(text, LOBBY).rows == ()


@given(st.integers(0, len(RESULT.replace("chip=", "chip=-12,10,1,1"))))
def test_truncated_answer_gives_the_game_or_nothing(length: int) -> None:
    whole = RESULT.replace("0009", "0209").replace("chip=", "chip=-12,10,1,1")
    text = f"{START}\r\n{whole[:length]}"
    finished = games_of(read_rows(text, LOBBY).rows).finished
    result_lines = [game.line("C1017").decode() for game in finished]
    assert result_lines in ([], lines(START, whole))


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
def test_line_of_a_game_has_what_was_played(
    names: list[str],
    tenths: list[int],
    chips: list[int] | None,
    bits: int,
) -> None:
    """The line is the same after it was read as a line of the day's file and written again."""
    seats = len(names)
    scores = ",".join(f"{tenth / 10:.1f}" for tenth in tenths[:seats])
    un = ",".join(quote(name, safe="") for name in names)
    chip = ",".join(map(str, chips[:seats] if chips else ()))
    start = f'[2026/08/10 04:07:31] lobby=11017&type={bits:04x}&log={ID}&cmd=<CHAT text="#START {" ".join(names)}"/>'
    result = f"[2026/08/10 04:38:29] lobby=11017&type={bits:04x}&un={un}&sc={scores}&chip={chip}"
    finished = room_games(start, result).finished
    if not finished:
        return  # a name that a season log can't have
    line = finished[0].line("C1017")
    game = parse_utf8("", line).games[0]
    assert format_game(game).encode() == line
    ranking = sorted(
        (-tenth, seat, name, chips[seat] if chips else None)
        for seat, (name, tenth) in enumerate(zip(names, tenths, strict=False))
    )
    seats = [(seat.player, round(-10 * seat.score), seat.chips) for seat in game.seats]
    assert seats == [(name, tenth, chip) for tenth, _, name, chip in ranking]


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
def test_any_text_is_read_or_refused_cleanly(text: str) -> None:
    with suppress(TenhouError):
        rows = read_rows(text, LOBBY).rows
        assert all(isinstance(row, StartRow | EndRow | ResultRow) for row in rows)
        games_of(rows)


@settings(max_examples=30)
@given(st.randoms(use_true_random=False), st.integers(1, 8))
def test_results_are_paired_as_by_an_independent_count(rng: random.Random, number: int) -> None:
    """Tables that never share a player, with rows missing: each result belongs to the last open
    start of its table."""
    tables = ["A B C", "D E F", "G H I"]
    rows: list[tuple[datetime, str]] = []
    expected: dict[datetime, datetime | None] = {}
    for table in tables:
        at = datetime(2026, 8, 10, 20, 0, tables.index(table))
        start = None
        for game in range(number):
            at += timedelta(minutes=2)
            if rng.random() < 0.7:
                start = at
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
                expected[at] = start
                start = None
    rng.shuffle(rows)
    text = "".join(f"[{at:%Y/%m/%d %H:%M:%S}] {row}\r\n" for at, row in rows)
    finished = games_of(read_rows(text, LOBBY).rows).finished
    assert {game.result.at: game.start and game.start.at for game in finished} == expected
