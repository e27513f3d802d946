import gzip
import zlib
from datetime import date

import pytest

from bot.tenhou.client import (
    PaifuRef,
    ResultsFile,
    TenhouClient,
    TenhouError,
    by_room,
    find_paifu,
    is_paifu_id,
    lines_in,
    parse_index,
    unpack,
)
from bot.tenhou.paifu_fetcher import PaifuFetcher
from bot.tenhou.throttle import Throttle
from storage.state import State
from tests.fakes.tenhou import FakeTenhou

DAY = date(2020, 5, 18)
LINE = "C1234 | 20:00 | 三般南喰赤－ | 東(+10.0) 南(0.0) 西(-10.0)"
ID = "2020051820gm-0009-1234-0a1b2c3d"


INDEX = "list([\r\n{file:'sca20180926.log.gz',size:35919},\r\n{file:'scb2018092600.log.gz',size:1}]);\r\n"


def test_index_lists_the_days_of_private_rooms_only() -> None:
    assert parse_index(INDEX) == [ResultsFile(date(2018, 9, 26), "sca20180926.log.gz", 35919)]


@pytest.mark.parametrize("text", [INDEX, INDEX.replace("'sca", "'2018/sca")])
def test_older_files_are_in_a_folder_of_the_year(text: str) -> None:
    assert [file.path for file in parse_index(text, old=True)] == ["2018/sca20180926.log.gz"]


def test_empty_index_lists_nothing() -> None:
    assert parse_index("list([]);") == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<html>",
        '{"files": []}',
        "list([{name:'sca20180926.log.gz',size:1}]);",
        "list([{file:'a',size:-1}]);",
        "list([{file:'sca20180931.log.gz',size:1}]);",
        "list([{file:'a',size:1} junk]);",
    ],
)
def test_index_in_another_form_is_refused(text: str) -> None:
    with pytest.raises(TenhouError, match="index"):
        parse_index(text)


def lines_of(name: str, text: bytes, rooms: set[str]) -> list[bytes]:
    return lines_in(by_room(name, text), rooms)


def test_lines_of_the_rooms_are_unchanged() -> None:
    text = f"{LINE}\r\nL1234 | 20:00 | x\r\nC12345 | 1\r\nC1234 | \x80\r\n".encode(
        "utf-8", "surrogateescape"
    )
    assert lines_of("f", text, {"C1234"}) == [LINE.encode(), "C1234 | \x80".encode()]
    assert lines_of("f", f"{LINE}\r{LINE}\r\n".encode(), {"C1234"}) == [LINE.encode()] * 2
    assert lines_of("f", b"", {"C1234"}) == []


def test_file_without_lines_of_the_known_form_is_refused() -> None:
    with pytest.raises(TenhouError, match="no line of the known form"):
        lines_of("f", b"room=C1234,20:00", {"C1234"})


def test_gzip_members_are_joined() -> None:
    packed = gzip.compress(b"one") + gzip.compress(b"two") + b"\0\0"
    assert unpack("f", packed) == b"onetwo"


def damaged_gzip() -> bytes:
    damaged = bytearray(gzip.compress(b"one"))
    damaged[-6] ^= 1
    return bytes(damaged)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (gzip.compress(b"one" * 99)[:-4], "cut off"),
        (b"<html>", "no gzip file; it begins with '<html>"),
        (gzip.compress(bytes(1 << 21)), "more than 1 MB"),
        (damaged_gzip(), "damaged"),
        (zlib.compress(b"x"), "no gzip"),
    ],
    ids=["cut off", "HTML", "too large", "damaged", "zlib"],
)
def test_unusable_gzip_file_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(TenhouError, match=reason):
        unpack("f", data, 1 << 20)


def test_files_are_read_over_one_connection_through_redirects(tenhou: FakeTenhou) -> None:
    tenhou.put(DAY, [LINE])
    tenhou.redirect_to = "/elsewhere"
    with TenhouClient(tenhou.url) as client:
        (file,) = client.index()
        assert client.results(file) == f"{LINE}\r\n".encode()
    assert tenhou.judge.requests[1:] == [
        f"{prefix}/sc/raw/dat/sca20200518.log.gz" for prefix in ("", "/elsewhere")
    ]


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ({"status": 500}, "answers 500"),
        ({"body": b"<html>closed for maintenance"}, "is no gzip file"),
        ({"body": gzip.compress(b"<html>closed")}, "holds a page instead of results"),
        ({"body": gzip.compress(bytes(40 << 20))}, "more than 32 MB"),
        ({"body": bytes(5 << 20)}, "more than 4 MB"),
        ({"body": gzip.compress(LINE.encode())[:-5]}, "is cut off in the middle"),
        ({"cut": 20}, "can't be reached|cut off"),
        ({"location": "http://127.0.0.1:1/sca20200518.log.gz"}, "not followed"),
        ({"location": "http://localhost.example/sca"}, "not followed"),
        ({"location": "file:///etc/passwd"}, "not followed"),
        ({"location": "http://127.0.0.1:x/"}, "not followed|can't be reached"),
        ({"location": "/sc/raw/dat/sca20200518.log.gz", "times": 9}, "more than 5 times"),
    ],
)
def test_unusable_answer_raises_an_error_of_one_line(
    tenhou: FakeTenhou, fault: dict[str, object], reason: str
) -> None:
    tenhou.put(DAY, [LINE])
    tenhou.fail("sca20200518", **fault)
    with TenhouClient(tenhou.url) as client, pytest.raises(TenhouError, match=reason) as raised:
        client.results(ResultsFile(DAY, "sca20200518.log.gz", 1))
    assert "\n" not in str(raised.value)


def test_answer_without_end_is_given_up(tenhou: FakeTenhou) -> None:
    tenhou.put(DAY, [LINE])
    clock = iter([0.0, 500.0]).__next__
    with (
        TenhouClient(tenhou.url, clock) as client,
        pytest.raises(TenhouError, match="more than 120 seconds"),
    ):
        client.results(ResultsFile(DAY, "sca20200518.log.gz", 1))


def test_tenhou_out_of_reach_raises_an_error() -> None:
    with (
        TenhouClient("http://127.0.0.1:9") as client,
        pytest.raises(TenhouError, match="can't be reached"),
    ):
        client.index()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"http://tenhou.net/0/?log={ID}&tw=2", PaifuRef(ID, 2)),
        (f"https://tenhou.net/0/?tw=1&log={ID}", PaifuRef(ID, 1)),
        (f"見て https://tenhou.net/3/?log={ID}#&tw=2 すごい", PaifuRef(ID)),
        (f"https://tenhou.net/4/?log={ID}&tw=3&ts=5#x", PaifuRef(ID, 3)),
        (ID, PaifuRef(ID)),
        (f"{ID}&tw=0", PaifuRef(ID, 0)),
        (f"https://tenhou.net/0/?log={ID}&tw=4", PaifuRef(ID)),
        (f"https://evil.example/0/?log={ID}", None),
        (f"https://tenhou.net.evil.example/0/?log={ID}", None),
        (f"https://tenhou.net/0/?log={ID}0", None),
        (f"https://tenhou.net/0/?log=../{ID}", None),
        ("https://tenhou.net/0/?log=2020051820gm", None),
        ("", None),
    ],
)
def test_record_is_found_by_its_addresses(text: str, expected: PaifuRef | None) -> None:
    assert find_paifu(text) == expected


class MemoryStore(dict[str, bytes]):
    def put(self, record_id: str, data: bytes) -> None:
        self[record_id] = data


@pytest.fixture
def fetcher(tenhou: FakeTenhou, state: State) -> PaifuFetcher:
    return PaifuFetcher(tenhou.url, state, Throttle(state, tenhou.clock).turn)


def test_record_is_fetched_once(tenhou: FakeTenhou, fetcher: PaifuFetcher) -> None:
    xml = b'<mjloggm ver="2.3"></mjloggm>'
    tenhou.records[ID] = gzip.compress(xml)
    store = MemoryStore()
    assert fetcher.get(ID, store) == fetcher.get(ID, store) == xml
    assert len(tenhou.judge.requests) == 1


@pytest.mark.parametrize(
    "text",
    ["", "x", ID + "&x", "../" + ID, ID.upper()],
)
def test_malformed_id_is_refused(fetcher: PaifuFetcher, text: str) -> None:
    assert not is_paifu_id(text)
    with pytest.raises(ValueError, match="not the id"):
        fetcher.get(text, MemoryStore())


def test_missing_record_raises_an_error(fetcher: PaifuFetcher) -> None:
    with pytest.raises(TenhouError, match="answers 404"):
        fetcher.get(ID, MemoryStore())


def test_page_in_place_of_a_record_raises_an_error(tenhou: FakeTenhou) -> None:
    tenhou.records[ID] = b"<html>no such log</html>"
    with (
        TenhouClient(tenhou.url) as client,
        pytest.raises(TenhouError, match="has no game record"),
    ):
        client.paifu(ID)


def test_record_waits_for_the_round_that_has_the_connection(
    tenhou: FakeTenhou, state: State
) -> None:
    waits: list[float] = []
    rounds = Throttle(state, tenhou.clock, waits.append)
    with rounds.round(), pytest.raises(TenhouError, match="another process"), rounds.turn():
        raise AssertionError("two connections")
    assert sum(waits) >= 15
    with rounds.turn():
        pass
