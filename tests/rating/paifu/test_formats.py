"""The registry of record formats, and the contract of every format."""

import gzip
from collections.abc import Set
from types import SimpleNamespace

import pytest
from hypothesis import given, settings, strategies as st

from rating.paifu import formats
from rating.paifu.formats import FORMATS, HEAD_BYTES, RecordFormat, parse
from rating.paifu.formats.packing import PLAIN_LIMIT
from rating.paifu.record import Record
from rating.paifu.tiles import PaifuError
from tests.rating.paifu.records import made, read

MARK = b"toy record "


def read_toy(data: bytes) -> Record:
    """The made-up game that the text names: "toy record 1" is the game of the seed 1."""
    seed = data.removeprefix(MARK).decode()
    if not seed.isdigit():
        raise PaifuError(f"no number of a game: {seed[:20]!r}")
    return read(int(seed))


def recognises_toy(data: bytes) -> bool:
    return data.startswith(MARK)


def rename_in_toy(data: bytes, names: Set[str], new: str) -> bytes:
    return data + b" renamed"


TOY = SimpleNamespace(
    ENDINGS=(".toy",),
    FOLDER_ENDINGS=(".dat",),
    recognises=recognises_toy,
    read=read_toy,
    rename_player=rename_in_toy,
)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> RecordFormat:
    monkeypatch.setattr(formats, "FORMATS", (*FORMATS, TOY))
    return TOY


def name_of(record_format: RecordFormat) -> str:
    return str(record_format.__name__).split(".")[-1]


each_format = pytest.mark.parametrize("record_format", FORMATS, ids=name_of)


@each_format
def test_endings_are_in_lower_case_with_their_dot(record_format: RecordFormat) -> None:
    endings = (*record_format.ENDINGS, *record_format.FOLDER_ENDINGS)
    assert record_format.ENDINGS
    assert all(ending.startswith(".") and ending == ending.casefold() for ending in endings)


@each_format
@settings(max_examples=100)
@given(data=st.binary(max_size=300))
def test_any_bytes_are_read_or_refused_in_one_line(
    record_format: RecordFormat, data: bytes
) -> None:
    assert record_format.recognises(data) in (True, False)
    with pytest.raises(PaifuError, match=r"\A[^\n]+\Z"):
        record_format.read(data)


def test_no_other_format_recognises_an_mjlog() -> None:
    xml = made(1).xml()
    recognising = [format_module for format_module in FORMATS if format_module.recognises(xml)]
    assert list(map(name_of, recognising)) == ["mjlog"]


def test_text_before_an_mjlog_does_not_hide_it() -> None:
    assert parse(b"saved by a browser\n" + made(1).xml()).rounds == read(1).rounds


def test_head_of_a_file_is_enough_to_recognise_it() -> None:
    assert formats.recognises(made(1).xml()[:HEAD_BYTES])


def test_unknown_format_is_refused() -> None:
    with pytest.raises(PaifuError, match="not a game record in a known format"):
        parse(b"toy record 1")


def test_new_format_is_read_plain_and_gzipped(toy: RecordFormat) -> None:
    assert parse(b"toy record 1") == read(1)
    assert parse(gzip.compress(b"toy record 1")) == read(1)
    assert parse(made(2).xml()) == read(2)


def test_fault_of_a_new_format_is_its_own_message(toy: RecordFormat) -> None:
    with pytest.raises(PaifuError, match="no number of a game: 'one'"):
        parse(b"toy record one")


def test_player_is_renamed_by_the_format(toy: RecordFormat) -> None:
    packed = gzip.compress(b"toy record 1")
    assert formats.rename_player(packed, {"東野"}, "退会者1") == b"toy record 1 renamed"
    renamed = parse(formats.rename_player(made(1).xml(), {"東野"}, "退会者1"))
    assert renamed.players == ("退会者1", *read(1).players[1:])
    assert renamed.rounds == read(1).rounds


def test_new_format_is_known_by_its_endings(toy: RecordFormat) -> None:
    assert formats.shown_endings()[-1] == ".toy"
    assert formats.is_record_name("Game.TOY")
    assert formats.is_record_name("game.toy.gz")
    assert not formats.is_record_name("game.dat")
    assert formats.may_be_record_name("game.dat")


def test_limits_apply_to_every_format(toy: RecordFormat) -> None:
    with pytest.raises(PaifuError, match="larger than 16 MB"):
        parse(MARK + b"1" * PLAIN_LIMIT)
    with pytest.raises(PaifuError, match="unpacked the file is larger than 16 MB"):
        parse(gzip.compress(MARK + b"1" * PLAIN_LIMIT))


def test_cut_gzip_of_any_format_is_a_problem_of_the_record(toy: RecordFormat) -> None:
    packed = gzip.compress(b"toy record 1")
    assert parse(packed[:-1]).problems == ("the gzip data end early",)
