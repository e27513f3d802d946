import random
from base64 import b64encode

import pytest

from bot.tenhou.client import TenhouError
from bot.tenhou.room_now import read_names, read_tables
from tests.fakes.tenhou_room import in_percents, watch_row

FACTS = "4332F684,8,03:00,9,SjNmZjN6,0,1500.00,QmVub2l0,13,1777.85,ZXdlbWF4,11,1662.15,VXJpZWw=,10,1589.11"
THREE = ("みどり一色", "白發中", "東風(本人)")
FOUR = ("A", "烏龍茶(黒)", "宮永|咲", "m9(-Д-)")
ROW = watch_row(THREE, kind=25)
ROW4 = watch_row(FOUR)
BAD = "?"
EMPTY = (",,0,0.00", ",,,", ",,0,")
NAMES = (
    "A&B",
    "Ａ",
    "ア",
    "ｱ",
    "𠮟る",
    "Zoë",
    "김치",
    "Владимир",
    "שלום",
    "🀄",
    "ΑΒΓ",
    "a,b",
    'q"q',
    "NoName",
    "%41",
    "<b>",
)


def name(text: str | bytes) -> str:
    return b64encode(text.encode() if isinstance(text, str) else text).decode()


def with_name(raw: str) -> str:
    return ROW.replace(name(THREE[1]), raw)


ROWS: list[tuple[str, object]] = [
    (FACTS, ("J3ff3z", "Benoit", "ewemax", "Uriel")),
    (ROW, THREE),
    (ROW4, FOUR),
    *((ROW + empty, THREE) for empty in EMPTY),
    *((watch_row((each, "B", "C")), (each, "B", "C")) for each in NAMES),
    (watch_row(("NoName", "NoName", "A")), ("NoName", "NoName", "A")),
    (
        ROW.lower().replace(
            ROW.split(",", 1)[1].lower(),
            ROW.split(",", 1)[1],
        ),
        THREE,
    ),
    *((ROW4[:-cut], BAD) for cut in (1, 2, 12, 30, 60)),  # torn: what is left has another form
    (ROW4.rpartition(",")[0], BAD),
    (ROW + ",", BAD),
    (ROW + EMPTY[0] + EMPTY[0], BAD),
    (ROW + ROW[8:], BAD),
    (watch_row(("A", "B")), BAD),
    (watch_row((*FOUR, "E")), BAD),
    (with_name(""), BAD),
    (with_name(name(THREE[1])[:-1]), BAD),
    (with_name(name(b"\xff\xfe")), BAD),
    (with_name(name("白發中".encode()[:-1])), BAD),
    (with_name(name("白發中".encode("shift_jis"))), BAD),
    (with_name("QmVuB2l=0"), BAD),
    (with_name("QR=="), BAD),  # bits beside the name
    (with_name(name("a b")), BAD),
    (with_name(name("a\n")), BAD),
    (with_name(name("\u202egpj")), BAD),
    (with_name(name("長い名前" * 5)), BAD),
    (watch_row(("A", "A", "B")), BAD),
    (ROW.replace("21:03", "24:03"), BAD),
    (ROW.replace("4332F684", "4332F68"), BAD),
    (ROW.replace("4332F684", "4332F68G"), BAD),
    (ROW.replace("1510.25", "x"), BAD),
]


def test_there_are_fifty_rows() -> None:
    assert len({row for row, _ in ROWS}) == len(ROWS)
    assert len(ROWS) >= 50


@pytest.mark.parametrize(("row", "players"), ROWS)
def test_a_row_is_read_as_it_is_or_not_at_all(row: str, players: object) -> None:
    row = row.replace('"', "")
    tables, unread = read_tables(f'sw([\r\n"{row}"\r\n]);')
    assert ([table.players for table in tables], unread) == (
        ([], 1) if players == BAD else ([players], 0)
    )
    for table in tables:
        assert (table.since, table.url) == (
            row.split(",")[2],
            f"https://tenhou.net/0/?wg={row[:8].upper()}",
        )


def test_an_answer_torn_anywhere_gives_the_rows_that_are_whole_and_says_that_more_is_there() -> (
    None
):
    text = (
        "sw(["
        + ",".join(f'\r\n"{row}"' for row in (ROW, ROW4.replace("4332", "0000")))
        + "\r\n]);\r\n"
    )
    assert [table.players for table in read_tables(text)[0]] == [THREE, FOUR]
    assert read_tables("sw([]);") == read_tables("sw([\r\n]);\r\n") == ((), 0)
    for cut in range(4, len(text) - 3):
        tables, unread = read_tables(text[:cut])
        assert [table.players for table in tables] in ([], [THREE], [THREE, FOUR])
        assert unread == 1
    same = ROW.replace(name("みどり一色"), name("A"))
    assert read_tables(f'sw(["{ROW}","{ROW}"]);')[1] == 0
    assert read_tables(f'sw(["{ROW}","{same}"]);') == ((), 1)
    for other in ("", "<html>", "list([]);", "sw("):
        with pytest.raises(TenhouError):
            read_tables(other)


def test_names_of_a_room_are_whole_or_counted() -> None:
    rng = random.Random(32)
    for _ in range(300):
        waiting = rng.sample([*THREE, *FOUR, *NAMES], rng.randrange(4))
        playing = rng.sample([*THREE, *FOUR, *NAMES], rng.randrange(4))
        idle = ",".join(map(in_percents, waiting))
        busy = ",".join(map(in_percents, playing))
        text = f"IDLE={idle}&PLAY={busy}\r\n"
        assert read_names(text) == (waiting, playing, 0)
    assert read_names("IDLE=%42%65,%4,%E3%81,Ben%20oit,Ben&PLAY=") == (["Be", "Ben"], [], 3)
    for other in ("", "IDLE=", "PLAY=&IDLE=", "IDLE=a&PLAY=b&MORE=c", "<html>"):
        with pytest.raises(TenhouError):
            read_names(other)
