"""A paifu's address or file gets the summary and pictures, or a sentence; no host but Tenhou is
asked.
"""

import gzip
from typing import Any

import pytest

from bot.answers.paifu import report
from bot.answers.paifu.analysis import ABSENT
from bot.answers.paifu.report import ADDED, NO_END, NOT_ADDED
from bot.chat.replies import MESSAGES
from bot.demo_chat import DEMO_GROUP, DEMO_STRANGER
from bot.tenhou.client import find_paifu
from bot.texts import STRANGER
from rating.paifu import formats
from rating.paifu.formats import parse
from tests.answers.paifu.world import ID, LEAGUE, OTHER_ID, RecordWorld, serve
from tests.answers.world import ADMIN, MEMBER, OTHER, Json, away, words_of
from tests.fakes.tenhou import FakeTenhou
from tests.rating.paifu.records import made, read
from tests.rating.paifu.test_formats import TOY
from tests.real import RECORDS, cases
from tests.schema import objects

pytestmark = pytest.mark.any_backend(
    "a record is read and drawn alike; test_statistics has what is kept"
)

Patch = pytest.MonkeyPatch
MINE = "#F1F8E9"
BOMB = gzip.compress(b"<mjloggm>" + b" " * (40 << 20))


def test_an_address_in_the_group(world: RecordWorld) -> None:
    messages = world.say(f"昨日の {world.serve()}&tw=2 ひどい")
    report = world.report(messages)
    words = words_of(report["contents"])
    record = read(1)
    for name in ("ひがし", "みなみ", "西田", "北山"):
        assert name in words
    assert f"{max(record.final):,}" in words
    assert "2020年5月18日" in words
    assert "分かれ目" in words
    assert "の1位 " in words
    assert ADDED in words
    assert "西田" in marked(report)
    assert str(report).count(MINE) == 1
    assert report["altText"].startswith("牌譜：1位 ")
    assert world.tenhou.judge.requests == [f"/0/log/?{ID}"]
    assert (world.logs / f"records/{ID}.mjlog").exists()
    assert world.platform.calls("/v2/bot/chat/loading") == []


FORMS = (
    f"https://tenhou.net/3/?log={ID}&tw=0",
    f"tenhou.net/0/?log={ID}",
    f"http://tenhou.net/0/?tw=1&log={ID}",
    f"https://tenhou.net/6/?log={ID}#x",
    f"これ→http://tenhou.net/0/log/?{ID}",
    f"http://TENHOU.net/0/?log={ID}&amp;tw=1よろしく",
    f"個人 https://tenhou.net/0/?log={ID}",
)


def test_any_form_of_the_address(world: RecordWorld) -> None:
    world.serve()
    for words in FORMS:
        world.report(world.say(words))


def test_alone_it_shows_that_it_is_at_work_and_takes_the_bare_id(world: RecordWorld) -> None:
    world.serve()
    world.report(world.say(ID, MEMBER, MEMBER))
    calls = world.platform.calls("/v2/bot/chat/loading")
    assert [call["request"]["chatId"] for call in calls] == [MEMBER]
    said = world.platform.say(DEMO_GROUP, MEMBER, ID)
    world.tap("request_menu")
    assert not world.platform.replied(said), "a bare id in a group is members' talk"


def test_the_same_record_again_is_not_fetched_drawn_or_counted(
    world: RecordWorld, monkeypatch: Patch
) -> None:
    address = world.serve()
    first = world.say(address)
    monkeypatch.setattr("bot.answers.paifu.report.draw_game", None)
    second = world.say(address, OTHER)
    assert len(first) == len(second)
    for picture in (*first[1:], *second[1:]):
        assert picture["originalContentUrl"]
    assert ADDED not in words_of(world.report(second)["contents"])
    assert len(world.tenhou.judge.requests) == 1
    assert world.read("recordlog.txt").count("\n") == 1


def test_two_send_the_same_record_at_once_it_is_fetched_once(world: RecordWorld) -> None:
    address = world.serve()
    with world.tenhou.lock:  # the stand-in Tenhou answers only after both have asked
        sent = [world.platform.say(DEMO_GROUP, user, address) for user in (MEMBER, OTHER)]
    notes = [words_of(world.report(world.answers(each))["contents"]) for each in sent]
    assert [ADDED in note for note in notes].count(True) == 1
    assert len(world.tenhou.judge.requests) == 1


ROUND_DATA = f"request_record_report?id={ID}&round=1"


def labels(messages: list[Json]) -> list[str]:
    """The labels of all buttons of an answer."""
    return [found["label"] for found in objects(messages) if "label" in found]


def marked(report: Json) -> str:
    """The words of the rows that are marked."""
    rows = report["contents"]["body"]["contents"]
    return words_of([row for row in rows if row.get("backgroundColor") == MINE])


def test_the_askers_own_seat_is_marked_and_none_that_is_not_there(world: RecordWorld) -> None:
    address = world.serve(OTHER_ID, seed=2, seats=3)
    three = world.report(world.say(f"{address}&tw=3"))
    assert MINE not in str(three)
    assert "北山" not in str(three)
    world.say("自分 みなみ")
    assert "みなみ" in marked(world.report(world.say(world.serve(seed=3))))


def test_files(world: RecordWorld) -> None:
    files = (
        ("a.mjlog", True),
        ("A.MJLOG", False),
        (f"{ID}&tw=1.xml", False),
        ("x.mjlog.gz", True),
    )
    for number, (name, packed) in enumerate(files, 1):
        xml = made(3 + number).xml()
        report = world.report(world.send(name, gzip.compress(xml) if packed else xml))
        assert ADDED in words_of(report["contents"])
        assert ("2020年5月18日" in words_of(report["contents"])) == name.startswith(ID)
        assert (MINE in str(report)) == ("tw=1" in name)
        assert world.send(name, xml)[0]["type"] == "flex"
        assert world.read("recordlog.txt").count("\n") == number
    assert world.tenhou.judge.requests == []


def test_file_of_a_new_format_is_reported(
    world: RecordWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats, "FORMATS", (*formats.FORMATS, TOY))
    report = world.report(world.send("game.toy", b"toy record 1"))
    assert ADDED in words_of(report["contents"])
    assert world.read("recordlog.txt").count("\n") == 1


def test_a_file_of_a_record_of_tenhous_counts_once_whatever_its_name(world: RecordWorld) -> None:
    address = world.serve()
    messages = world.send(f"{OTHER_ID}.mjlog", made(1).xml())
    assert ADDED in words_of(messages[0]["contents"])
    assert ADDED not in words_of(world.say(address)[0]["contents"])
    assert f'"file":"{ID}"' in world.read("recordlog.txt"), "Tenhou's own copy is the better one"
    assert not (world.logs / f"records/{OTHER_ID}.mjlog").exists(), (
        "a file's name is no record's id"
    )


NO_RECORDS = {
    "empty": b"",
    "text": b"hello",
    "html": b"<html></html>",
    "no round": b"<mjloggm></mjloggm>",
    "no gzip": b"\x1f\x8bxx",
    "bomb": BOMB,
    "entities": b'<!DOCTYPE x [<!ENTITY a "b">]><mjloggm>&a;</mjloggm>',
}


def test_files_that_are_no_records(world: RecordWorld) -> None:
    """One that is too large is not even fetched."""
    assert words_of(world.send("x.mjlog", b"x" * (report.FILE_BYTES + 1))) == report.TOO_LARGE
    assert world.content_calls() == []
    for kind, data in NO_RECORDS.items():
        assert words_of(world.send("x.mjlog", data)) == report.BROKEN, kind
    assert not (world.logs / "recordlog.txt").exists()


def test_a_cut_file_is_told_as_such(world: RecordWorld) -> None:
    xml = made(4).xml()
    report = world.report(
        world.send(
            "x.mjlog",
            xml[: len(xml) * 2 // 3],
        )
    )
    assert "読めなかったところがあります" in words_of(report["contents"])
    assert ADDED in words_of(report["contents"])
    assert ADDED not in words_of(world.send("y.mjlog", xml)[0]["contents"])
    assert f'"rounds":{len(read(4).rounds)},' in world.read("recordlog.txt"), (
        "the whole one took its place"
    )


def test_line_does_not_give_the_file_and_says_less_than_it_sends(world: RecordWorld) -> None:
    world.platform.fail_next("/v2/bot/message/", 404)
    assert words_of(world.send("x.mjlog", made(1).xml())) == report.GONE
    # Its word on a size is not trusted: at most one byte more than the limit is read.
    sent = world.platform.send_file(DEMO_GROUP, MEMBER, "x.mjlog", b"y" * 5000)
    world.answers(sent)
    assert (
        len(
            world.service.line.content(
                sent.event["message"]["id"],
                100,
            )
        )
        == 101
    )


def test_other_files_and_talk_get_a_sentence_alone_and_silence_in_the_group(
    world: RecordWorld,
) -> None:
    quiet = [
        world.platform.send_file(DEMO_GROUP, MEMBER, name, b"x")
        for name in ("写真.zip", "backup.gz")
    ]
    for words in (
        "https://example.com/0/?log=" + ID,
        "https://tenhou.net/ で打とう",
        "牌譜 見た？",
    ):
        quiet.append(world.platform.say(DEMO_GROUP, MEMBER, words))
    assert words_of(world.send("写真.zip", b"x", MEMBER, MEMBER)) == report.OTHER_FILE
    assert words_of(world.say("https://example.com/x", MEMBER, MEMBER)) == report.ADDRESS
    assert words_of(world.say("牌譜", MEMBER, MEMBER)) == report.HOW
    assert not any(map(world.platform.replied, quiet))
    assert world.content_calls() == []


def test_strangers_get_the_polite_sentence_and_nothing_is_fetched(world: RecordWorld) -> None:
    address = world.serve()
    user = DEMO_STRANGER.id
    group = world.platform.add_group("よそ", [user])
    for chat in (group, user):
        assert words_of(world.say(address, user, chat)) == STRANGER
        assert words_of(world.send("x.mjlog", made(1).xml(), user, chat)) == STRANGER
    assert world.tenhou.judge.requests == []
    assert world.content_calls() == []
    assert world.platform.calls("/v2/bot/chat/loading") == []
    assert not (world.logs / "records").exists()


def test_tenhou_out_of_order_and_an_unknown_record_is_asked_for_once(world: RecordWorld) -> None:
    for _ in range(3):
        assert words_of(world.say(f"https://tenhou.net/0/?log={ID}")) == report.NOT_THERE
    assert len(world.tenhou.judge.requests) == 1
    world.tenhou.records[OTHER_ID] = b"<html>no such log</html>"
    assert words_of(world.say(f"https://tenhou.net/0/?log={OTHER_ID}")) == report.NOT_THERE
    address = world.serve("2020051822gm-0009-1234-0a1b2c3f")
    faults: list[dict[str, Any]] = [
        {"status": 500},
        {"body": BOMB},
        {"body": b"x" * (3 << 20)},
        {"cut": 100},
    ]
    for fault in faults:
        world.tenhou.fail("/0/log/", **fault)
        assert words_of(world.say(address)) == report.DOWN, fault.keys()
    world.tenhou.fail("/0/log/", body=b"<mjloggm></mjloggm>")
    assert words_of(world.say(address)) == report.UNREADABLE
    world.report(world.say(address))  # nothing of the failed attempts was kept


def test_the_stores_of_records_and_pictures_out_of_order(
    world: RecordWorld, monkeypatch: Patch
) -> None:
    address = world.serve()
    logs = world.answering.registry.league().logs
    with monkeypatch.context() as patch:
        patch.setattr(logs, "write", away, raising=False)
        patch.setattr(logs, "overwrite", away, raising=False)
        assert NOT_ADDED in words_of(world.report(world.say(address))["contents"])
    assert ADDED in words_of(world.report(world.say(address))["contents"])
    monkeypatch.setattr(world.answering.pictures, "keep", away)
    assert [message["type"] for message in world.say(address)] == ["flex"]


def test_replay_is_offered_only_of_records_that_are_there(
    world: RecordWorld, monkeypatch: Patch
) -> None:
    address = world.serve()
    logs = world.answering.registry.league().logs
    with monkeypatch.context() as patch:
        patch.setattr(logs, "write", away, raising=False)
        patch.setattr(logs, "overwrite", away, raising=False)
        assert "再生" not in labels(world.say(address))
        assert not any("再生" in label for label in labels(world.tap(ROUND_DATA)))
    assert "再生" in labels(world.say(address))
    assert any("再生" in label for label in labels(world.tap(ROUND_DATA)))


def test_absent_player_is_named(world: RecordWorld) -> None:
    xml = made(1).xml().replace(b"<INIT", b'<BYE who="2"/><INIT', 1)
    table = world.report(world.send("x.mjlog", xml))["contents"]
    sentence = ABSENT.format(names="西田")
    assert sentence in words_of(table)
    assert sentence not in words_of(
        world.report(
            world.send(
                "y.mjlog",
                made(2).xml(),
            )
        )["contents"]
    )


def test_unknown_end_has_no_points_and_places(world: RecordWorld) -> None:
    xml = made(1).xml()
    cut = world.report(world.send("x.mjlog", xml[: xml.rindex(b"<INIT")]))
    words = words_of(cut["contents"])
    assert NO_END in words
    assert not any(f"{points:,}" in words for points in parse(xml).rounds[-2].after)
    assert cut["altText"] == "牌譜：ひがし、みなみ、西田、北山"


def test_an_admin_who_is_told_of_a_fault_gets_the_summary_too(world: RecordWorld) -> None:
    world.write("league.toml", LEAGUE + "what =\n")
    messages = world.say(world.serve(), ADMIN, ADMIN)
    types = [message["type"] for message in messages]
    assert types == ["flex", *["image"] * (len(messages) - 2), "text"]
    assert len(messages) <= MESSAGES
    assert "管理者へ" in messages[-1]["text"]


def test_buttons_cannot_ask_for_somebodys_file(world: RecordWorld) -> None:
    sent = world.platform.send_file(MEMBER, MEMBER, "x.mjlog", made(1).xml())
    world.answers(sent)
    message = sent.event["message"]["id"]
    before = len(world.content_calls())
    asked = (
        f"file=x.mjlog&message={message}&size=9",
        f"file={message}",
        f"id={message}",
        "id=../x&tw=9",
    )
    for data in asked:
        assert world.tap(f"request_record_report?{data}")[0]["type"] == "text"
    assert words_of(world.say(f"牌譜 {message}", OTHER, OTHER)) != report.GONE
    assert len(world.content_calls()) == before


def test_real_records(world: RecordWorld) -> None:
    for path in RECORDS[::4]:
        world.report(world.send("real.mjlog", path.read_bytes()))


ADDRESSES = [(kind, address.replace("{id}", ID)) for kind, address in cases("addresses.tsv")]


def test_foreign_addresses(world: RecordWorld) -> None:
    """A group gets an answer only to Tenhou's own.

    No host is asked: only the paifu's id is taken.
    """
    for address in (address for kind, address in ADDRESSES if kind == "sent"):
        found = find_paifu(address)
        own = address.startswith(f"https://tenhou.net/0/?log={ID}")
        assert (found and found.id) == (ID if own else None), address
        assert words_of(
            world.say(
                address,
                MEMBER,
                MEMBER,
            )
        ) in (report.ADDRESS, report.NOT_THERE), address
        said = world.platform.say(DEMO_GROUP, MEMBER, address)
        world.tap("request_menu")
        if world.platform.replied(said):
            assert address.startswith("https://tenhou.net/0/?log=")
        assert set(world.tenhou.judge.requests) <= {f"/0/log/?{ID}"}


@pytest.mark.parametrize("target", [address for kind, address in ADDRESSES if kind == "redirect"])
def test_redirects_away_are_not_followed(world: RecordWorld, target: str) -> None:
    address = world.serve()
    world.tenhou.fail("/0/log/", location=target)
    assert words_of(world.say(address)) == report.DOWN
    assert len(world.tenhou.judge.requests) == 1


def test_a_redirect_to_another_server_on_this_machine_is_not_followed(world: RecordWorld) -> None:
    address = world.serve()
    with FakeTenhou() as other:
        serve(other)
        world.tenhou.fail("/0/log/", location=f"{other.url}/0/log/?{ID}")
        assert words_of(world.say(address)) == report.DOWN
        assert other.judge.requests == []


def test_a_redirect_at_home_is_followed_and_a_circle_is_left(world: RecordWorld) -> None:
    address = world.serve()
    world.tenhou.fail("/0/log/", location=f"/0/log/?{ID}")
    world.report(world.say(address))
    world.tenhou.fail("/0/log/", location=f"/0/log/?{ID}", times=50)
    other = ID.replace("0a1b", "0a1c")
    assert words_of(world.say(f"https://tenhou.net/0/?log={other}")) == report.DOWN
