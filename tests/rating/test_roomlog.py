from datetime import date, time, timedelta
from itertools import pairwise

import pytest
from hypothesis import assume, given, strategies as st

from rating.games import Game, Seat
from rating.roomlog import Span, format_game, parse
from tests.real import SEASONS, cases

NO_DAYS = ("#13/45", "20201345", "#4/31", "#13/1", "20201301", "# 2/30", "4月31日")
LINE = "C6529 | 15:52 | 三般南喰赤祝 | あ(+77.0,+5枚) い(-7.0,+1枚) う(-70.0,-6枚)"


def one(text: str) -> Game:
    (game,) = parse("logvol1.txt", text.encode()).games
    return game


def test_points_chips_and_guests_of_a_line() -> None:
    game = one(LINE)
    assert game.players == ("あ", "い", "う")
    assert [seat.score for seat in game.seats] == [77.0, -7.0, -70.0]
    assert [seat.chips for seat in game.seats] == [5, 1, -6]
    assert (game.room, game.start, game.rule) == ("C6529", time(15, 52), "三般南喰赤祝")
    game = one("L1000 | 23:59 | 三般東喰－－ | あ(+40) い(0.0) う(-40)")
    assert [(seat.score, seat.chips) for seat in game.seats] == [
        (40.0, None),
        (0.0, None),
        (-40.0, None),
    ]
    game = one("L1000 | 23:59 | 三般東喰赤－ | NoName(+40.0) NoName(0.0) う(-40.0)")
    assert game.players == ("NoName", "NoName#2", "う")
    assert format_game(game).count("NoName(") == 2


@pytest.mark.parametrize(
    "name",
    [
        "烏龍茶(黒)",
        "宮永|咲",
        "m9(-Д-)",
        "夏海里伽子（本人",
        "a&b#c",
        "＋－",
        "((((",
        "+1.0",
        "(0.0)",
    ],
)
def test_names_with_signs(name: str) -> None:
    game = one(f"L1000 | 00:01 | 四上東喰赤－ | い(+40.0) {name}(+5.0) う(-15.0) え(-30.0)")
    assert game.players == ("い", name, "う", "え")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("roomID | time | ルール | Player1  Player2 Player3", "header"),
        ("第2シーズン", "title"),
        ("", "blank"),
        ("   \t", "blank"),
        ("# 大みそか", "comment"),
        ("＃ メモ", "comment"),
        ("#4/7", "day"),
        ("＃4/23", "day"),
        ("# 4/27", "day"),
        ("20200518", "day"),
        ("2020-05-18", "day"),
        ("2020/5/18", "day"),
        ("こんにちは", "problem"),
        *((day, "problem") for day in NO_DAYS),
        ("C6529 | 15:52 | 三般南喰赤祝 | あ(+77.0) い(-7.0", "problem"),
        ("C6529 | 15:52 | 三般南喰赤祝 | あ(+77.0) い(-77.0)", "problem"),
        (
            f"C6529 | 15:52 | 三般南喰赤祝 | あ(+77.0,+{'9' * 5000}枚) い(-7.0,0枚) う(-70.0,0枚)",
            "problem",
        ),
        ("C6529 | 25:52 | 三般南喰赤祝 | あ(+77.0) い(-7.0) う(-70.0)", "problem"),
        ("C6529 | 15:52 | 三般南喰赤祝 | あ(+77.0) あ(-7.0) う(-70.0)", "problem"),
    ],
)
def test_what_a_line_is(text: str, kind: str) -> None:
    (line,) = parse("x", (text + "\n").encode()).lines
    assert line.kind == kind
    assert bool(line.reason) == (kind == "problem")
    assert (line.reason == "there is no such day") == (text in NO_DAYS)


def test_a_problem_has_file_number_and_text_broken_bytes_too() -> None:
    log = parse("logvol7.txt", b"\n\n" + "だれ？".encode() + b"\r\n")
    (problem,) = log.problems
    assert (problem.file, problem.line, problem.text) == ("logvol7.txt", 3, "だれ？")
    raw = b"L1000 | 23:59 | \xe4\xb8\x89 | a\xe3\x81(+40.0) b(0.0) c(-40.0)\n"
    log = parse("x", raw)
    assert (len(log.games), log.problems[0].reason) == (1, "broken bytes in a name")
    assert log.to_bytes() == raw


def test_dates_come_from_the_lines_around_and_years_from_the_next_full_date_or_a_hint() -> None:
    log = parse("x", f"{LINE}\n20200627\n{LINE}\n".encode())
    assert [game.day for game in log.games] == [None, date(2020, 6, 27)]
    log = parse("x", b"#12/30\n#1/2\n20200518\n#5/20\n")
    assert log.days == [date(2019, 12, 30), date(2020, 1, 2), date(2020, 5, 18), date(2020, 5, 20)]
    assert parse("x", b"#12/30\n#1/2\n", date(2021, 1, 10)).days == [
        date(2020, 12, 30),
        date(2021, 1, 2),
    ]
    assert parse("x", b"#12/30\n").days == []
    log = parse("x", f"20200626\n{LINE}20200627\n{LINE}\n".encode())
    assert [game.day for game in log.games] == [date(2020, 6, 26), date(2020, 6, 27)]


def test_byte_order_marks_and_line_endings() -> None:
    raw = b"\xef\xbb\xbf" + LINE.encode() + b"\r\n"
    log = parse("x", raw)
    assert len(log.games) == 1
    assert log.to_bytes() == raw
    raw = f"20200626\r{LINE}\r#6/27\r\n{LINE}\n".encode()
    log = parse("x", raw)
    assert [game.day for game in log.games] == [date(2020, 6, 26), date(2020, 6, 27)]
    assert log.to_bytes() == raw


@given(st.binary(max_size=400))
def test_any_bytes_come_back(data: bytes) -> None:
    log = parse("x", data)
    assert log.to_bytes() == data
    assert [line.number for line in log.lines] == list(range(1, len(log.lines) + 1))


LINES = st.sampled_from([LINE, "#4/7", "20200518", "", "だれ", LINE + "20200519", "第2シーズン"])


@given(st.lists(LINES), st.booleans())
def test_any_mixture_of_lines_comes_back(lines: list[str], crlf: bool) -> None:
    data = ("\r\n" if crlf else "\n").join(lines).encode()
    log = parse("x", data)
    assert log.to_bytes() == data
    assert len(log.games) == sum("|" in line for line in lines)


SIGNS = st.characters(exclude_categories=("Z", "C"), exclude_characters="\x85")
NAMES = st.text(SIGNS, min_size=1, max_size=8).filter(lambda name: not name.startswith("NoName"))
POINTS = st.integers(-3000, 3000).map(lambda tenths: tenths / 10)


SEATS = st.lists(
    st.tuples(NAMES, POINTS, st.integers(-99, 99)), min_size=3, max_size=4, unique_by=lambda s: s[0]
)


@given(SEATS, st.booleans(), st.times())
def test_a_game_written_is_the_game_read(
    rows: list[tuple[str, float, int]], chips: bool, at: time
) -> None:
    seats = tuple(Seat(name, score, count if chips else None) for name, score, count in rows)
    made = Game(
        seats,
        start=at.replace(second=0, microsecond=0),
        room="C1234",
        rule="三般南喰赤－",
        source="x",
        line=1,
    )
    (read,) = parse("x", format_game(made).encode()).games
    assert read == made


def test_the_real_seasons() -> None:
    counts = []
    for path in SEASONS:
        data = path.read_bytes()
        log = parse(path.name, data)
        assert log.to_bytes() == data
        assert log.problems == []
        counts.append(len(log.games))
    assert counts == [827, 474]


def days_of(*words: str, since: date | None = None, until: date | None = None) -> list[str]:
    return [str(day) for day in parse("x", "\n".join(words).encode(), Span(since, until)).days]


@pytest.mark.parametrize(("days", "words"), cases("dates.tsv"))
def test_days_go_forward_and_not_beyond_today(days: str, words: str) -> None:
    assert days_of(*words.split(), until=date(2026, 11, 21)) == days.split()


def test_days_go_forward_from_a_seasons_start() -> None:
    until = date(2026, 11, 21)
    assert days_of("#7/1", "#1/5", since=date(2020, 7, 1), until=until) == [
        "2020-07-01",
        "2021-01-05",
    ]
    assert days_of("#6/30", "#7/1", since=date(2020, 7, 1), until=until) == [
        "2020-06-30",
        "2020-07-01",
    ]
    assert days_of("#4/7", "#8/1", since=date(2026, 12, 1), until=until) == [
        "2026-04-07",
        "2026-08-01",
    ]


DAYS = st.lists(st.dates(date(2024, 11, 21), date(2026, 11, 21)), min_size=1, max_size=30).map(
    sorted
)


@given(DAYS, st.data())
def test_years_left_out_are_found_again(days: list[date], data: st.DataObject) -> None:
    assume(all(b - a < timedelta(days=330) for a, b in pairwise([*days, date(2026, 11, 21)])))
    full = [data.draw(st.booleans()) for _ in days]
    told = zip(days, full, strict=True)
    words = [f"{day:%Y%m%d}" if year else f"#{day.month}/{day.day}" for day, year in told]
    assert days_of(*words, until=date(2026, 11, 21)) == [str(day) for day in days]


@pytest.mark.parametrize(
    "word",
    [
        "20200627",
        "#20200627",
        "2020/6/27",
        "2020-06-27",
        "#6/27",
        "＃ 6/27",
        "６/２７",
        "6月27日",
        " 2020年6月27日",
    ],
)
def test_a_date_may_be_glued_in_any_form(word: str) -> None:
    log = parse("x", f"20200626\n{LINE}{word}\n{LINE}\n".encode())
    assert [game.day for game in log.games] == [date(2020, 6, 26), date(2020, 6, 27)]
