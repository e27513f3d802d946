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
UNREADABLE = None
EMPTY_SEATS = (",,0,0.00", ",,,", ",,0,")
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


def encoded(name: str | bytes) -> str:
    return b64encode(name.encode() if isinstance(name, str) else name).decode()


def with_name(raw: str) -> str:
    return ROW.replace(encoded(THREE[1]), raw)


ROWS: list[tuple[str, tuple[str, ...] | None]] = [
    (FACTS, ("J3ff3z", "Benoit", "ewemax", "Uriel")),
    (ROW, THREE),
    (ROW4, FOUR),
    *((ROW + empty, THREE) for empty in EMPTY_SEATS),
    *((watch_row((name, "B", "C")), (name, "B", "C")) for name in NAMES),
    (watch_row(("NoName", "NoName", "A")), ("NoName", "NoName", "A")),
    (
        ROW.lower().replace(
            ROW.split(",", 1)[1].lower(),
            ROW.split(",", 1)[1],
        ),
        THREE,
    ),
    *((ROW4[:-cut], UNREADABLE) for cut in (1, 2, 12, 30, 60)),  # truncated
    (ROW4.rpartition(",")[0], UNREADABLE),
    (ROW + ",", UNREADABLE),
    (ROW + EMPTY_SEATS[0] * 2, UNREADABLE),
    (ROW + ROW[8:], UNREADABLE),
    (watch_row(("A", "B")), UNREADABLE),
    (watch_row((*FOUR, "E")), UNREADABLE),
    (with_name(""), UNREADABLE),
    (with_name(encoded(THREE[1])[:-1]), UNREADABLE),
    (with_name(encoded(b"\xff\xfe")), UNREADABLE),
    (with_name(encoded("白發中".encode()[:-1])), UNREADABLE),
    (with_name(encoded("白發中".encode("shift_jis"))), UNREADABLE),
    (with_name("QmVuB2l=0"), UNREADABLE),
    (with_name("QR=="), UNREADABLE),  # bits after the name
    (with_name(encoded("a b")), UNREADABLE),
    (with_name(encoded("a\n")), UNREADABLE),
    (with_name(encoded("\u202egpj")), UNREADABLE),
    (with_name(encoded("長い名前" * 5)), UNREADABLE),
    (watch_row(("A", "A", "B")), UNREADABLE),
    (ROW.replace("21:03", "24:03"), UNREADABLE),
    (ROW.replace("4332F684", "4332F68"), UNREADABLE),
    (ROW.replace("4332F684", "4332F68G"), UNREADABLE),
    (ROW.replace("1510.25", "x"), UNREADABLE),
]


def test_at_least_fifty_rows_are_read() -> None:
    assert len({row for row, _ in ROWS}) == len(ROWS)
    assert len(ROWS) >= 50


@pytest.mark.parametrize(("row", "players"), ROWS)
def test_row_is_read_completely_or_counted_as_unread(
    row: str, players: tuple[str, ...] | None
) -> None:
    row = row.replace('"', "")
    answer = read_tables(f'sw([\r\n"{row}"\r\n]);')
    if players is UNREADABLE:
        assert answer == ((), 1)
        return
    assert answer.unread == 0
    (table,) = answer.tables
    assert table.players == players
    assert table.since == row.split(",")[2]
    assert table.url == f"https://tenhou.net/0/?wg={row[:8].upper()}"


TWO_ROWS = f'sw([\r\n"{ROW}",\r\n"{ROW4.replace("4332", "0000")}"\r\n]);\r\n'


def players_of(text: str) -> list[tuple[str, ...]]:
    return [table.players for table in read_tables(text).tables]


def test_answer_gives_its_tables_in_order() -> None:
    assert players_of(TWO_ROWS) == [THREE, FOUR]


@pytest.mark.parametrize("text", ["sw([]);", "sw([\r\n]);\r\n"])
def test_answer_without_rows_has_no_tables(text: str) -> None:
    assert read_tables(text) == ((), 0)


def test_truncated_answer_gives_complete_rows_and_counts_one() -> None:
    for length in range(4, len(TWO_ROWS) - 3):
        text = TWO_ROWS[:length]
        assert players_of(text) in ([], [THREE], [THREE, FOUR])
        assert read_tables(text).unread == 1


def test_repeated_row_counts_once() -> None:
    answer = read_tables(f'sw(["{ROW}","{ROW}"]);')
    assert len(answer.tables) == 1
    assert answer.unread == 0


def test_different_rows_with_one_id_are_unread() -> None:
    other = ROW.replace(encoded("みどり一色"), encoded("A"))
    assert read_tables(f'sw(["{ROW}","{other}"]);') == ((), 1)


@pytest.mark.parametrize("text", ["", "<html>", "list([]);", "sw("])
def test_tables_in_another_form_are_refused(text: str) -> None:
    with pytest.raises(TenhouError):
        read_tables(text)


def test_lists_of_names_are_read() -> None:
    rng = random.Random(32)
    for _ in range(300):
        waiting = rng.sample([*THREE, *FOUR, *NAMES], rng.randrange(4))
        playing = rng.sample([*THREE, *FOUR, *NAMES], rng.randrange(4))
        idle = ",".join(map(in_percents, waiting))
        busy = ",".join(map(in_percents, playing))
        text = f"IDLE={idle}&PLAY={busy}\r\n"
        assert read_names(text) == (waiting, playing, 0)


def test_incomplete_names_are_counted_as_unread() -> None:
    assert read_names("IDLE=%42%65,%4,%E3%81,Ben%20oit,Ben&PLAY=") == (["Be", "Ben"], [], 3)


@pytest.mark.parametrize("text", ["", "IDLE=", "PLAY=&IDLE=", "IDLE=a&PLAY=b&MORE=c", "<html>"])
def test_names_in_another_form_are_refused(text: str) -> None:
    with pytest.raises(TenhouError):
        read_names(text)
