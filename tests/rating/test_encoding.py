import pytest
from hypothesis import given, settings, strategies as st

from rating.encoding import SHIFT_JIS, UTF8, UTF16, EncodingError, as_text, as_utf8, refusal
from rating.league_file import LeagueError, decoded
from rating.merge import merge
from rating.roomlog import RoomLog, parse

HALF_WIDTH = [chr(code) for code in range(0xFF66, 0xFFA0)]
SECOND_LEVEL = [
    bytes((lead, trail)).decode("cp932")
    for lead in (*range(0x99, 0xA0), *range(0xE0, 0xEA))
    for trail in (*range(0x40, 0x7F), *range(0x80, 0xFD))
]
OTHERS = [*"①⑳Ⅷ㈱髙﨑～－∥佐藤高橋みどり白發中ーABCxyz09_"]
LETTERS = st.sampled_from(HALF_WIDTH) | st.sampled_from(SECOND_LEVEL) | st.sampled_from(OTHERS)
NAMES = st.lists(LETTERS, min_size=1, max_size=8).map("".join)
TABLES = st.lists(NAMES, min_size=3, max_size=3, unique=True)
WORDS = st.sampled_from(["", "# 今日は三人\n", "第3シーズン\n", "\n", "6月27日\n"])


def line(names: list[str]) -> str:
    a, b, c = names
    return f"C6529 | 15:52 | 三般南喰赤祝 | {a}(+77.0,+5枚) {b}(-7.0,+1枚) {c}(-70.0,-6枚)\n"


def log_text(parts: list[tuple[str, list[str]]]) -> str:
    return "20200626\n" + "".join(words + line(names) for words, names in parts)


TEXTS = st.lists(
    st.tuples(
        WORDS,
        TABLES,
    ),
    min_size=1,
    max_size=6,
).map(log_text)


def read(log: RoomLog) -> list[object]:
    return [*log.games, *log.days, *(problem.text for problem in log.problems)]


@settings(max_examples=40)
@given(TEXTS)
def test_a_log_reads_the_same_in_every_encoding(text: str) -> None:
    plain = parse("x", text.encode())
    assert plain.games
    for encoding, name in (("cp932", SHIFT_JIS), ("utf-16", UTF16), ("utf-8-sig", UTF8)):
        log = parse("x", text.encode(encoding))
        assert (log.encoding, log.refused) == (name, "")
        assert read(log) == read(plain)
        assert log.to_bytes() == text.encode(encoding)
        assert log.as_utf8.removeprefix(b"\xef\xbb\xbf") == text.encode()


@settings(max_examples=40)
@given(TEXTS, TABLES, st.sampled_from(["cp932", "utf-16", "utf-8"]))
def test_games_added_make_the_whole_log_utf_8(text: str, names: list[str], encoding: str) -> None:
    new = line(names).replace("15:52", "23:59").encode().rstrip(b"\n")
    day = parse("x", text.encode()).days[-1]
    result = merge(text.encode(encoding), {day: [new]})
    assert result.data == merge(text.encode(), {day: [new]}).data
    assert as_utf8(result.data).encoding == UTF8
    again = merge(result.data, {day: [new]})
    assert (again.data, again.added) == (result.data, ())


def test_unchanged_logs_are_not_rewritten() -> None:
    game = line(["佐藤", "高橋", "ﾐﾄﾞﾘ"])
    log = f"20200626\n{game}".encode("cp932")
    (day,) = parse("x", log).days
    assert merge(log, {day: [game.encode()]}).data == log
    assert as_utf8(b"L1000 | 23:59 | x | a(+40.0) b(0.0) c(-40.0)\n").encoding == UTF8
    read = parse("x", (JAPANESE + "\0\n").encode())
    assert len(read.games) == 3
    assert [problem.line for problem in read.problems] == [5]


@settings(max_examples=40)
@given(
    TEXTS,
    st.sampled_from([b"\x93\x8c", b"\xe3\x81", b"\xff", b"\x8d\x82\x8b\xb4"]),
    st.data(),
)
def test_a_broken_name_in_utf_8_costs_its_line_alone(
    text: str, bad: bytes, data: st.DataObject
) -> None:
    whole = text + line(["東", "南", "西"])
    lines = whole.encode().splitlines(keepends=True)
    games = [index for index, raw in enumerate(lines) if b"|" in raw]
    broken = data.draw(st.sampled_from(games))
    head, _, tail = lines[broken].rpartition(b" ")
    lines[broken] = head + b" " + bad + tail[tail.rindex(b"(") :]
    log = parse("x", b"".join(lines))
    assert (log.encoding, log.refused) == (UTF8, "")
    assert [problem.line for problem in log.problems] == [broken + 1]


JAPANESE = "20200626\n" + line(["佐藤", "高橋", "みどり"]) * 3


@pytest.mark.parametrize(
    "data",
    [
        JAPANESE.encode("euc_jp"),
        JAPANESE.encode("cp932") + line(["佐藤", "高橋", "みどり"]).encode(),
        JAPANESE.encode() + JAPANESE.encode("cp932") * 2,
        line(["白發中", "高橋", "白發"]).encode("cp932")
        + line(["白發中", "高橋", "白發"]).encode(),
        JAPANESE.encode("cp932") + b"\x80\n",
        JAPANESE.encode("cp932") + b"\0\n",
        JAPANESE.encode("cp932")[:-20] + b"\x81",
        JAPANESE.encode("utf-16")[:-1],
        JAPANESE.encode("utf-16-le"),
        bytes(range(256)) * 20,
        "A 1500 0\n".encode("utf-16-be"),
        bytes(4096),
        b"20200626\n" + bytes(99),
    ],
    ids=[
        "EUC-JP",
        "one UTF-8 line",
        "half of each",
        "發 looks like UTF-8",
        "0x80",
        "zero",
        "cut",
        "UTF-16 cut",
        "no mark",
        "bytes",
        "no mark, the other end first",
        "zeros",
        "a date and zeros",
    ],
)
def test_binary_log_is_refused(data: bytes) -> None:
    log = parse("x", data)
    assert (log.lines, log.to_bytes()) == ((), data)
    (problem,) = log.problems
    assert problem.reason == log.refused == refusal(data)
    cut = data.startswith(b"\xff\xfe")
    why = "it begins as UTF-16 but is broken" if cut else "it is neither UTF-8 nor Shift-JIS"
    assert problem.reason == f"{why}: save it as UTF-8"
    assert as_text(data) == ""
    (day,) = parse("x", JAPANESE.encode()).days
    game = line(["東", "南", "西"]).encode()
    with pytest.raises(ValueError, match="save it as UTF-8"):
        merge(data, {day: [game]})


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        text = as_utf8(data)
    except EncodingError:
        return
    assert text.broken or text.data.decode("utf-8") is not None


TOML = 'name = "雀録杯"\n[player."佐藤"]\naliases = ["髙橋"]\n'


def test_league_toml_is_read_in_the_encodings_of_editors() -> None:
    for encoding in ("utf-8", "utf-8-sig", "cp932", "utf-16"):
        assert decoded(TOML.encode(encoding)).removeprefix("\ufeff") == TOML
    with pytest.raises(LeagueError, match="save the file as UTF-8"):
        decoded(TOML.encode().replace("佐藤".encode(), b"\xe4\xbd"))
