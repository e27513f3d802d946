import gzip
import re
import zlib
from dataclasses import replace
from unicodedata import normalize
from urllib.parse import quote

import pytest
from hypothesis import given, settings, strategies as st

from rating.paifu.checked_walls import open_walls
from rating.paifu.deal_in import facings
from rating.paifu.formats import parse
from rating.paifu.formats.packing import PACKED_LIMIT, PLAIN_LIMIT
from rating.paifu.melds import Meld, MeldType, encode
from rating.paifu.record import Away, Call, Discard, GameRules, NewDora, NoWin, Record, Riichi
from rating.paifu.statistics import of_record
from rating.paifu.tally import shares
from rating.paifu.tiles import PaifuError
from tests.rating.paifu.records import NAMES, checked, made, read, walled

HEAD = b'<mjloggm ver="2.3"><GO type="169" lobby="0"/><UN n0="a" n1="b" n2="c" n3="d"/>'


def events(record: Record) -> list[object]:
    return [event for played in record.rounds for event in played.events]


@pytest.mark.parametrize("seats", [3, 4])
def test_game_is_read_as_played(seats: int) -> None:
    xml = made(1, seats).xml()
    record = read(1, seats)
    assert record.players == NAMES[:seats]
    assert record.seats == seats
    (owari,) = re.findall(rb'owari="([^"]*)"', xml)
    assert record.final == tuple(
        100 * int(points) for points in owari.split(b",")[0 : 2 * seats : 2]
    )
    assert record.rounds[-1].after == record.final
    assert not record.problems
    won = [b"<AGARI" in part for part in xml.split(b"<INIT")[1:]]
    assert [bool(played.wins) for played in record.rounds] == won
    assert (
        parse(gzip.compress(xml)) == parse(b"\xef\xbb\xbf" + xml.replace(b"><", b">\n<")) == record
    )


@pytest.mark.parametrize(
    ("bits", "name"),
    [
        (0xA9, "四鳳南喰赤－"),
        (0xB9, "三鳳南喰赤－"),
        (0x47, "四般東－－速"),
        (0x219, "三般南喰赤祝"),  # a private room, named as in the season logs
        (0x419, "三般南喰赤祝"),
        (0x209, "四般南喰赤祝"),
        (0x20D, "四般南－赤祝"),
        (0x229, "四琥南喰赤祝２"),  # the real record with chips
        (0x639, "三琥南喰赤祝５"),
        (0x4C1, "四銀東喰赤祝０"),  # room logs have one letter for both 速 and 祝
        (0x6A9, "四孔南喰赤祝５"),
        (0x41, "四般東喰赤速"),
        (0x89, "四上南喰赤－"),
    ],
)
def test_rules_are_named_as_in_the_logs(bits: int, name: str) -> None:
    assert GameRules(bits).name == name


def test_kita_tsumogiri_riichi_in_two_steps_and_new_dora() -> None:
    of_three = [event for seed in range(4) for event in events(read(seed, 3))]
    calls = [event for event in of_three if isinstance(event, Call)]
    assert any(call.meld.type == MeldType.KITA for call in calls)
    discards = [event for event in events(read(1)) if isinstance(event, Discard)]
    assert {discard.drawn for discard in discards} == {True, False}
    met = [event for seed in range(6) for event in events(read(seed))]
    assert {event.step for event in met if isinstance(event, Riichi)} == {1, 2}
    assert any(isinstance(event, NewDora) for event in met)
    assert read(1, 3).rounds[3].name.startswith("南1局")


def test_a_name_in_nfc_and_nfd_is_one_player() -> None:
    xml = made(1).xml().decode()
    east = quote(NAMES[0])
    assert east in xml
    for form in ("NFC", "NFD"):
        record = parse(xml.replace(east, quote(normalize(form, "がく"))).encode())
        assert record.players == ("がく", *NAMES[1:])


def test_old_and_nameless_records_are_read() -> None:
    xml = made(1).xml().replace(b' lobby="0"', b"").replace(b'<SHUFFLE seed="" ref=""/>', b"")
    xml = xml.replace(b' dan="1,2,3,4" rate="1500.00,1600.00,1700.00,1800.00" sx="M,F,M,C"', b"")
    record = parse(xml.replace(b"2.3", b"2.0"))
    assert record.version == "2.0"
    assert record.lobby == ""
    assert record.rates == ()
    assert record.rounds == read(1).rounds
    xml = made(1).xml().replace(b'lobby="0"', b'lobby="C4218" csrule="{}"')
    end = xml.rindex(b'" /></mjloggm>')
    record = parse(xml[:end] + b",-1,0,12,0,-8,0,-3,0" + xml[end:])
    assert record.lobby == "C4218"
    assert record.chips == (-1, 12, -8, -3)
    xml = made(1).xml()
    start = xml.index(b"<UN")
    assert parse(xml[:start] + xml[xml.index(b"<TAIKYOKU") :]).players == (
        "席1",
        "席2",
        "席3",
        "席4",
    )


@pytest.mark.parametrize("part", [0.6, 0.9, 0.99])
def test_cut_file_has_its_complete_rounds(part: float) -> None:
    xml = made(2).xml()
    record = parse(xml[: int(len(xml) * part)])
    whole = read(2)
    assert record.rounds == whole.rounds[: len(record.rounds)]
    assert any("cut or broken" in problem for problem in record.problems)
    packed = gzip.compress(xml)
    record = parse(packed[: int(len(packed) * part)])
    assert record.rounds == whole.rounds[: len(record.rounds)]
    assert record.problems


def test_broken_round_is_reported_and_others_read() -> None:
    xml = made(2).xml()
    second = xml.index(b"<INIT", xml.index(b"<INIT") + 5)
    broken = xml[:second] + xml[second:].replace(b'<INIT seed="1,', b'<INIT seed="x,', 1)
    record = parse(broken)
    assert len(record.rounds) == len(read(2).rounds) - 1
    assert len(record.problems) == 1
    first = re.findall(rb'hai0="(\d+),', xml)[0]
    other = re.findall(rb'hai1="(\d+),', xml)[0]
    start = xml.index(b"<T", xml.index(b"<INIT"))
    inserted = b"<T%b/><D%b/>" % (first, other)
    record = parse(xml[:start] + inserted + xml[start:])
    assert "tile" in record.problems[0]
    assert len(record.rounds) == len(read(2).rounds) - 1
    start = xml.index(b"<INIT")
    end = xml.index(b"<INIT", xml.index(b"<INIT") + 5)
    round_only = xml[start:end]
    ending = max(round_only.rfind(b"<AGARI"), round_only.rfind(b"<RYUUKYOKU"))
    record = parse(xml[:start] + round_only[:ending] + xml[end:])
    assert record.problems[0].endswith("the round has no ending")


def test_abandoned_round_and_absence_are_read() -> None:
    deal = made(1).xml()
    start = deal.index(b"<INIT")
    opening = deal[start : deal.index(b"/>", start) + 2]
    end = b'<RYUUKYOKU type="yao9" ba="0,0" sc="250,0,250,0,250,0,250,0" hai0="1,2" /></mjloggm>'
    (played,) = parse(HEAD + opening + end).rounds
    ending = played.endings[0]
    assert isinstance(ending, NoWin)
    assert ending.type == "yao9"
    assert ending.shown == ((1, 2), None, None, None)
    xml = made(1).xml()
    second = xml.index(b"<INIT", xml.index(b"<INIT") + 5)
    cut = xml.index(b"/>", second) + 2
    gone = xml[:cut] + b'<BYE who="2" /><UN n2="%41" />' + xml[cut:]
    record = parse(gone)
    assert [event for event in events(record) if isinstance(event, Away)] == [
        Away(2, True),
        Away(2, False),
    ]
    assert record.players == NAMES


def test_dice_may_be_empty() -> None:
    dice = re.compile(rb'(<INIT seed="\d+,\d+,\d+),\d,\d,')
    xml = walled(7, 4, 6).xml()
    record = parse(dice.sub(rb"\1,,,", xml))
    whole = parse(xml)
    assert [played.dice for played in record.rounds] == [None] * len(whole.rounds)
    assert [replace(played, dice=None) for played in whole.rounds] == list(record.rounds)
    assert not record.problems
    assert open_walls(record) == open_walls(whole)


@pytest.mark.parametrize(
    ("field", "empty"),
    [
        (rb' oya="\d"', b' oya=""'),
        (rb"<AGARI (?![^>]*doraHaiUra=)", b'<AGARI doraHaiUra="" '),
        (rb"<AGARI (?![^>]* m=)", b'<AGARI m="" '),
        (rb"<AGARI ", b'<AGARI paoWho="" yakuman="" '),
        (rb"<RYUUKYOKU (?![^>]*hai3=)", b'<RYUUKYOKU hai3="" '),
        (rb"<RYUUKYOKU (?![^>]*type=)", b'<RYUUKYOKU type="" '),
        (rb' lobby="0"', b' lobby=""'),
        (rb"(<INIT [^>]*/>)", rb'\1<BYE who="" />'),
    ],
)
def test_empty_optional_fields_cost_no_round(field: bytes, empty: bytes) -> None:
    xml = made(1).xml()
    changed = re.sub(field, empty, xml)
    assert changed != xml
    assert parse(changed).rounds == read(1).rounds


def test_scores_may_be_empty_where_the_points_are_not() -> None:
    xml = made(1).xml()
    (owari,) = re.findall(rb'owari="([^"]*)"', xml)
    fields = owari.split(b",")
    fields[1::2] = [b""] * len(fields[1::2])
    record = parse(xml.replace(owari, b",".join(fields)))
    assert (record.final, record.scores) == (read(1).final, None)
    assert record.rounds == read(1).rounds


def test_rates_and_grades_may_be_empty() -> None:
    xml = (
        made(1)
        .xml()
        .replace(b'dan="1,2,3,4" rate="1500.00,1600.00', b'dan="1,,3,4" rate=",1600.00')
    )
    record = parse(xml)
    assert record.dans == (1, None, 3, 4)
    assert record.rates == (None, 1600.0, 1700.0, 1800.0)
    assert not record.problems


BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE mjloggm [<!ENTITY a "aaaaaaaaaa">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 10) for i in range(9))
    + b"]><mjloggm>&j;</mjloggm>"
)

ATTACKS = {
    "nothing": b"",
    "spaces": b" " * 100,
    "text": "雀録".encode(),
    "a web page": b"<html><body>404</body></html>",
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(200),
    "zeros": bytes(5000),
    "an entity bomb": BOMB,
    "an outside entity": b'<!DOCTYPE mjloggm [<!ENTITY x SYSTEM "file:///etc/passwd">]><mjloggm>&x;</mjloggm>',
    "an outside DTD": b'<!DOCTYPE mjloggm SYSTEM "http://127.0.0.1/x.dtd"><mjloggm/>',
    "a DOCTYPE alone": b"<!DOCTYPE mjloggm><mjloggm/>",
    "deep nesting": b"<mjloggm>" + b"<a>" * 100_000,
    "a million elements": b"<mjloggm>" + b"<A/>" * 1_000_000,
    "a million lines": b"<mjloggm>" + b"\n" * 1_000_000,
    "one endless name": b"<mjloggm><" + b"a" * 1_000_000,
    "one endless attribute": b'<mjloggm><GO type="' + b"1," * 1_000_000 + b'"/></mjloggm>',
    "a million attributes": b"<mjloggm><GO %b/></mjloggm>"
    % b"".join(b'a%d="" ' % i for i in range(100_000)),
    "an endless comment": b"<mjloggm><!--" + b"a" * 1_000_000,
    "a gzip bomb": gzip.compress(bytes(PLAIN_LIMIT + 1)),
    "a bomb in a bomb": gzip.compress(gzip.compress(bytes(10_000_000))),
    "100 MB": bytes(100_000_000),
    "a byte too many": bytes(PLAIN_LIMIT + 1),
    "a byte too many, packed": b"\x1f\x8b" + bytes(PACKED_LIMIT),
    "an empty gzip": gzip.compress(b""),
    "a broken gzip": b"\x1f\x8b\x08\x00" + b"\xff" * 100,
    "half a gzip head": b"\x1f\x8b",
    "no rounds": HEAD + b"</mjloggm>",
    "UTF-16": '<?xml version="1.0" encoding="utf-16"?><mjloggm/>'.encode("utf-16"),
    "an unknown encoding": b'<?xml version="1.0" encoding="x-none"?><mjloggm/>',
    "a number of 5,000 digits": b'<mjloggm><GO type="' + b"9" * 5000 + b'"/></mjloggm>',
    "a seat that is not there": HEAD
    + b'<INIT seed="0,0,0,1,1,1" ten="1,1,1,1" oya="7"/></mjloggm>',
}


@pytest.mark.parametrize("data", ATTACKS.values(), ids=ATTACKS.keys())
def test_hostile_input_ends_in_one_line(data: bytes) -> None:
    with pytest.raises(PaifuError) as caught:
        parse(data)
    assert str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200
    if len(data) > (PACKED_LIMIT if data[:2] == b"\x1f\x8b" else PLAIN_LIMIT):
        assert str(caught.value).startswith("the file is larger than")


@settings(max_examples=150)
@given(st.binary(max_size=300))
def test_any_bytes_give_a_record_or_an_error(data: bytes) -> None:
    checked(data)
    checked(HEAD + data)


@settings(max_examples=100)
@given(st.data())
def test_record_with_changed_bytes_is_read_or_refused(data: st.DataObject) -> None:
    xml = bytearray(
        made(
            data.draw(st.integers(0, 2)),
            data.draw(st.sampled_from([3, 4])),
        ).xml()
    )
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, len(xml) - 1))
        xml[place : place + data.draw(st.integers(0, 3))] = data.draw(
            st.binary(max_size=4) | st.sampled_from([b"0", b"-1", b'"', b"<", b"/>"])
        )
    checked(bytes(xml))


@settings(max_examples=40)
@given(st.data())
def test_packed_record_with_changed_bytes_is_handled(data: st.DataObject) -> None:
    packed = bytearray(zlib.compress(made(0).xml(), wbits=31))
    place = data.draw(st.integers(2, len(packed) - 1))
    packed[place] ^= data.draw(st.integers(1, 255))
    checked(bytes(packed))


def robbed_kan() -> bytes:
    """A paifu in which East pons 3m and adds the fourth, and South, who waits for it, robs the
    kan.
    """
    hands = [
        [8, 9, *range(36, 47)],
        [
            4,
            12,
            72,
            76,
            80,
            84,
            88,
            92,
            96,
            100,
            104,
            108,
            109,
        ],
    ]
    hands += [[*range(48, 61)], [*range(112, 125)]]
    deal = " ".join(f'hai{seat}="{",".join(map(str, hand))}"' for seat, hand in enumerate(hands))
    pon = Meld(MeldType.PON, (8, 9, 10), 10, 3)
    kan = Meld(MeldType.ADDED_KAN, (8, 9, 10, 11), 10, 3, 11)
    won = ",".join(map(str, sorted([*hands[1], 11])))
    return (
        HEAD.decode() + f'<INIT seed="0,0,0,1,1,130" ten="250,250,250,250" oya="0" {deal}/>'
        f"<T0/><D0/><U1/><E1/><V2/><F2/><W10/><G10/>"
        f'<N who="0" m="{encode(pon)}"/><D36/><U61/><E61/><V62/><F62/><W63/><G63/><T11/><N who="0" m="{encode(kan)}"/>'
        f'<AGARI ba="0,0" hai="{won}" machi="11" ten="30,1000,0" yaku="3,1" who="1" fromWho="0" sc="250,-10,250,10,250,0,250,0"/>'
        "</mjloggm>"
    ).encode()


def test_robbed_kan_is_a_ron_without_a_discard() -> None:
    (played,) = parse(robbed_kan()).rounds
    (win,) = played.wins
    assert win.seat == 1
    assert win.giver == 0
    assert win.tile == 11
    assert not win.tsumo
    assert isinstance(played.events[-1], Call)
    assert [share.ending for share in shares(played)] == [
        "deal-in",
        "win",
        "others' ron",
        "others' ron",
    ]
    assert list(facings(played)) == []
    assert of_record(parse(robbed_kan())).all_deal_ins().deal_ins.total() == 0
    pon = f'<N who="0" m="{encode(Meld(MeldType.PON, (8, 9, 10), 10, 3))}"/><D36/>'.encode()
    with pytest.raises(PaifuError):
        parse(robbed_kan().replace(pon, b""))
