from datetime import date, time, timedelta
from itertools import pairwise
from unicodedata import normalize

import pytest
from hypothesis import assume, given, strategies as st

from rating.games import Game, Seat
from rating.names import canonical_name
from rating.roomlog import Fine, Span, format_game, parse, tenhou_form
from rating.same_game import identity
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
    assert (game.room, game.start, game.rule) == (
        "C6529",
        time(15, 52),
        "三般南喰赤祝",
    )
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
def test_kinds_of_lines(text: str, kind: str) -> None:
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


def test_days_come_from_dates_and_years_from_full_dates_or_hint() -> None:
    log = parse("x", f"{LINE}\n20200627\n{LINE}\n".encode())
    assert [game.day for game in log.games] == [None, date(2020, 6, 27)]
    log = parse("x", b"#12/30\n#1/2\n20200518\n#5/20\n")
    assert log.days == [
        date(2019, 12, 30),
        date(2020, 1, 2),
        date(2020, 5, 18),
        date(2020, 5, 20),
    ]
    assert parse("x", b"#12/30\n#1/2\n", date(2021, 1, 10)).days == [
        date(2020, 12, 30),
        date(2021, 1, 2),
    ]
    assert parse("x", b"#12/30\n").days == []
    log = parse("x", f"20200626\n{LINE}20200627\n{LINE}\n".encode())
    assert [game.day for game in log.games] == [
        date(2020, 6, 26),
        date(2020, 6, 27),
    ]


def test_byte_order_marks_and_line_endings() -> None:
    raw = b"\xef\xbb\xbf" + LINE.encode() + b"\r\n"
    log = parse("x", raw)
    assert len(log.games) == 1
    assert log.to_bytes() == raw
    raw = f"20200626\r{LINE}\r#6/27\r\n{LINE}\n".encode()
    log = parse("x", raw)
    assert [game.day for game in log.games] == [
        date(2020, 6, 26),
        date(2020, 6, 27),
    ]
    assert log.to_bytes() == raw


@given(st.binary(max_size=400))
def test_any_log_is_written_as_it_was_read(data: bytes) -> None:
    log = parse("x", data)
    assert log.to_bytes() == data
    assert [line.number for line in log.lines] == list(
        range(
            1,
            len(log.lines) + 1,
        )
    )


LINES = st.sampled_from([LINE, "#4/7", "20200518", "", "だれ", LINE + "20200519", "第2シーズン"])


@given(st.lists(LINES), st.booleans())
def test_any_mixture_of_lines_comes_back(lines: list[str], crlf: bool) -> None:
    data = ("\r\n" if crlf else "\n").join(lines).encode()
    log = parse("x", data)
    assert log.to_bytes() == data
    assert len(log.games) == sum(1 for line in lines if "|" in line)


SIGNS = st.characters(exclude_categories=("Z", "C"), exclude_characters="\x85")
NAMES = (
    st.text(SIGNS, min_size=1, max_size=8)
    .filter(lambda name: not name.startswith("NoName"))
    .map(canonical_name)
)
POINTS = st.integers(-3000, 3000).map(lambda tenths: tenths / 10)
SEATS = st.lists(
    st.tuples(NAMES, POINTS, st.integers(-99, 99)),
    min_size=3,
    max_size=4,
    unique_by=lambda s: s[0],
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


HEAD = "C1234 | 21:10 | 三般南喰赤祝 |"
TENHOU = f"{HEAD} あかね(+47.0,+3枚) つばき(-5.0,0枚) ひなた(-42.0,-3枚)"
TYPED = [
    *(
        f"{HEAD} あかね(+47.0,+3枚) つばき({sign}5.0,0枚) ひなた({sign}42.0,{sign}3枚)"
        for sign in "▲△−–‐ー－"
    ),
    f"{HEAD} あかね（＋47.0，＋3枚） つばき（－5.0，0枚） ひなた（－42.0，－3枚）",
    f"{HEAD} あかね(＋４７．０,３枚) つばき(－５．０,０枚) ひなた(－４２．０,－３枚)",
    f"{HEAD} あかね(+47.0pt,+3枚) つばき(-5.0pt,±0枚) ひなた(-42.0pt,-3枚)",
    "Ｃ１２３４｜２１：１０｜三般南喰赤祝｜あかね(+47.0,+3枚) つばき(-5.0,0枚) ひなた(-42.0,-3枚)",
]


@pytest.mark.parametrize("line", TYPED)
def test_a_line_typed_in_another_form_is_the_same_game(line: str) -> None:
    log = parse("x", line.encode())
    assert log.problems == []
    assert [identity(read) for read in log.lines] == [
        identity(parse("x", TENHOU.encode()).lines[0])
    ]
    assert log.to_bytes() == line.encode()
    assert tenhou_form(log.lines[0]) == TENHOU


def test_thousands_may_have_commas() -> None:
    game = one(f"{HEAD} あかね(+1,047.0,+3枚) つばき(▲5.0) ひなた(▲1,042.0)")
    assert [(seat.score, seat.chips) for seat in game.seats] == [
        (1047.0, 3),
        (-5.0, None),
        (-1042.0, None),
    ]


def test_a_date_may_follow_a_wide_bracket() -> None:
    typed = f"{HEAD} あかね（+47.0） つばき（▲5.0） ひなた（▲42.0）".encode()
    line, end = parse("x", typed + "2020年5月18日（月）\n".encode() + TENHOU.encode()).lines
    assert (line.glued, end.day) == (
        date(2020, 5, 18),
        date(2020, 5, 18),
    )
    assert line.before_date == typed


@pytest.mark.parametrize(
    "line", [TENHOU, LINE, "L1000 | 23:59 | 三 | あ(+40) い(0) う(-40)", "#4/7"]
)
def test_lines_of_tenhou_have_no_other_form(line: str) -> None:
    assert tenhou_form(parse("x", line.encode()).lines[0]) == ""


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("つばき(~5.0)", "~ is not read as a sign: つばき(~5.0)"),
        ("つばき(↓5.0,0枚)", "↓ is not read as a sign: つばき(↓5.0,0枚)"),
        ("つばき(5000点)", "not a player with points: つばき(5000点)"),
        ("つばき（仮）", "not a player with points: つばき（仮）"),
        ("つばき(-5.0,1.5枚)", "not a player with points: つばき(-5.0,1.5枚)"),
        (f"{'つ' * 5000}(-5.0)", "a name has 5000 characters, more than 100"),
    ],
)
def test_the_reason_names_what_cannot_be_read(word: str, reason: str) -> None:
    log = parse("x", f"{HEAD} あかね(+47.0) {word} ひなた(-42.0)".encode())
    assert [problem.reason for problem in log.problems] == [reason]


@pytest.mark.parametrize("points", ["(-10.0)", "(▲10.0)", "（－10.0）", "(−１０pt)"])
def test_a_fine_is_read_with_any_sign(points: str) -> None:
    (line,) = parse("x", f"罰符 | 22:10 | みどり{points} チョンボ".encode()).lines
    assert line.fine == Fine("みどり", -10.0, "チョンボ")
    assert line.fine.start == time(22, 10)


def test_a_name_in_nfc_and_nfd_is_one_player() -> None:
    composed = f"{HEAD} がくと(+47.0) つばき(-5.0) ひなた(-42.0)"
    fine = "罰符 | 22:10 | がくと(-10.0)"
    lines = [composed, normalize("NFD", composed), fine, normalize("NFD", fine)]
    data = "\n".join(lines).encode()
    log = parse("x", data)
    assert {game.players for game in log.games} == {("がくと", "つばき", "ひなた")}
    assert len({identity(line) for line in log.lines}) == 2
    assert log.to_bytes() == data


def test_compatibility_ideographs_of_names_stay() -> None:
    assert one(f"{HEAD} \ufa19(+47.0) か\u3099(-5.0) う(-42.0)").players == ("\ufa19", "が", "う")


def test_the_real_seasons() -> None:
    counts = []
    for path in SEASONS:
        data = path.read_bytes()
        log = parse(path.name, data)
        assert log.to_bytes() == data
        assert log.problems == []
        counts.append(len(log.games))
    assert counts == [827, 474]


def days_of(
    *words: str,
    since: date | None = None,
    until: date | None = None,
) -> list[str]:
    return [
        str(day)
        for day in parse(
            "x",
            "\n".join(words).encode(),
            Span(since, until),
        ).days
    ]


@pytest.mark.parametrize(("days", "words"), cases("dates.tsv"))
def test_days_go_forward_and_not_beyond_today(days: str, words: str) -> None:
    assert (
        days_of(
            *words.split(),
            until=date(
                2026,
                11,
                21,
            ),
        )
        == days.split()
    )


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


DAYS = st.lists(
    st.dates(date(2024, 11, 21), date(2026, 11, 21)),
    min_size=1,
    max_size=30,
).map(sorted)


@given(DAYS, st.data())
def test_years_left_out_are_found_again(days: list[date], data: st.DataObject) -> None:
    assume(
        all(
            b - a < timedelta(days=330)
            for a, b in pairwise(
                [
                    *days,
                    date(
                        2026,
                        11,
                        21,
                    ),
                ]
            )
        )
    )
    full = [data.draw(st.booleans()) for _ in days]
    pairs = zip(days, full, strict=True)
    words = [f"{day:%Y%m%d}" if year else f"#{day.month}/{day.day}" for day, year in pairs]
    assert days_of(
        *words,
        until=date(2026, 11, 21),
    ) == [str(day) for day in days]


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
    assert [game.day for game in log.games] == [
        date(2020, 6, 26),
        date(2020, 6, 27),
    ]
