"""The report of a record with its wall: messages, moments, the rounds; and what is said without a
wall.
"""

import gzip
import json
import re
import time
import urllib.request
from urllib.parse import parse_qs

import pytest

from bot.answers.common.story import TURNING
from bot.answers.paifu import report
from bot.answers.paifu.analysis import analysed
from bot.answers.paifu.report import CLOSED, PARTLY, ROUNDS, TITLE
from bot.chat.replies import QUICK_REPLIES
from rating.paifu.chances import chances_of
from rating.paifu.deal_in import SOURCE_RATES
from rating.paifu.exchange import mjai
from rating.paifu.formats import parse
from tests.answers.paifu.world import ID, RecordWorld
from tests.answers.world import OTHER, Json, away, words_of
from tests.rating.paifu.back import from_tenhou, plain
from tests.rating.paifu.records import made, walled as walled_game
from tests.real import RECORDS
from tests.schema import assert_messages_pass, objects

pytestmark = pytest.mark.any_backend("a report reads what test_statistics writes on every backend")
ADDRESS = f"http://tenhou.net/0/?log={ID}"


def walled(
    world: RecordWorld,
    seats: int = 4,
    rounds: int = 6,
    seed: int = 7,
) -> bytes:
    """Put a record with its wall on the stand-in Tenhou; its XML."""
    xml = walled_game(seed, seats, rounds).xml()
    world.tenhou.records[ID] = gzip.compress(xml)
    return xml


def buttons(messages: list[Json]) -> dict[str, str]:
    """The labels of the last message's buttons and of the quick replies -> their postback data."""
    last = messages[-1]
    bubble = last.get("contents", {})
    below = bubble.get("footer", bubble.get("body", {})).get(
        "contents",
        [],
    )
    quick = last.get("quickReply", {"items": []})
    actions = [item.get("action", {}) for item in (*below, *quick["items"])]
    return {action["label"]: action["data"] for action in actions if action.get("label")}


def taps(part: object) -> list[str]:
    """The postback data of all rows that can be tapped for a round."""
    data = [found.get("action", {}).get("data", "") for found in objects(part)]
    return [each for each in data if "round=" in each]


@pytest.mark.parametrize("seats", [3, 4])
def test_three_messages_with_the_table_first_and_the_pictures_last(
    world: RecordWorld, seats: int
) -> None:
    walled(world, seats)
    messages = world.say(ADDRESS)
    assert [message["type"] for message in messages] == ["flex", "image", "image"]
    words = words_of(world.report(messages)["contents"])
    for word in (TITLE, "スコア", "押しすぎ", "放銃", "名場面", TURNING):
        assert word in words
    assert CLOSED not in words
    assert len(buttons(messages)) <= QUICK_REPLIES
    assert next(iter(buttons(messages))) == ROUNDS
    assert len(messages[0]["altText"]) <= 400


def test_a_moment_and_a_button_show_their_round(world: RecordWorld) -> None:
    walled(world)
    messages = world.say(f"{ADDRESS}&tw=2")
    moments = taps(messages[0]["contents"]["body"])
    assert 1 <= len(moments) <= 5
    assert "tw=2" in moments[0]
    offered = buttons(messages).items()
    button = next(data for label, data in offered if label.endswith("局を見る"))
    shown = world.tap(moments[0])
    one = world.tap(button)
    world.fetch(shown)
    world.fetch(one)
    assert one != shown or moments[0] == button
    assert {ROUNDS, TITLE} <= set(buttons(one))
    assert len(world.tenhou.judge.requests) == 1
    assert world.read("recordlog.txt").count("\n") == 1


def test_the_list_of_rounds_and_the_way_through_them(world: RecordWorld) -> None:
    record = parse(walled(world))
    listed = world.tap(buttons(world.say(ADDRESS))[ROUNDS])
    assert_messages_pass(listed)
    rounds = taps(listed[0]["contents"])
    assert len(rounds) == len(record.rounds)
    words = words_of(listed)
    for played in record.rounds:
        assert played.name in words
    first = world.tap(rounds[0])
    assert f"{record.rounds[1].name}を見る" in buttons(first)
    assert f"{record.rounds[0].name}を見る" not in buttons(first)
    second = world.tap(buttons(first)[f"{record.rounds[1].name}を見る"])
    assert {f"{record.rounds[place].name}を見る" for place in (0, 2)} <= set(buttons(second))
    assert world.tap(buttons(second)[TITLE])[0]["type"] == "flex"


def test_the_chances_at_each_deal_below_a_tap(world: RecordWorld) -> None:
    record = parse(walled(world, 3))
    told = chances_of(record)
    shown = world.tap(buttons(world.say(ADDRESS))["着順の確率"])
    assert_messages_pass(shown)
    assert len(taps(shown[0]["contents"])) == len(record.rounds)
    words = words_of(shown)
    for places in told[:-1] if told else ():
        assert (
            "　".join(f"{place}位{share:.0%}" for place, share in enumerate(places[0], 1)) in words
        )
    assert {TITLE} <= set(buttons(shown))


def test_a_file_that_was_sent_has_its_rounds_for_everybody(world: RecordWorld) -> None:
    messages = world.send("x.mjlog", walled_game(7, 4, 6).xml())
    world.report(messages)
    data = buttons(messages)[ROUNDS]
    assert parse_qs(data.partition("?")[2])["id"][0].startswith("file-")
    listed = world.tap(data, OTHER)
    world.fetch(world.tap(taps(listed[0]["contents"])[2], OTHER))
    assert world.tenhou.judge.requests == []
    (kept,) = (world.logs / "records").iterdir()
    kept.unlink()
    assert words_of(world.tap(data)) == report.NOT_KEPT


def test_a_file_of_a_known_game_leads_to_the_copy_that_is_kept(world: RecordWorld) -> None:
    xml = walled(world)
    world.say(ADDRESS)
    messages = world.send("x.mjlog", xml)
    _, _, query = buttons(messages)[ROUNDS].partition("?")
    assert parse_qs(query)["id"] == [ID]
    world.fetch(world.tap(taps(messages[0]["contents"])[0]))


def test_a_round_that_is_not_there_shows_the_report(world: RecordWorld) -> None:
    walled(world)
    for place in ("6", "-1", "99999999999999999999", "x", "１１"):
        world.report(world.tap(f"request_record_report?id={ID}&round={place}"))


def test_without_a_wall_it_says_so_and_a_cut_record_shows_what_it_has(world: RecordWorld) -> None:
    messages = world.send("x.mjlog", made(4).xml())
    words = words_of(world.report(messages)["contents"])
    assert words.count(CLOSED) == 1
    xml = walled_game(7, 4, 6).xml()
    start = xml.index(b'seed="mt') + 60
    other = b"B" if xml[start : start + 1] == b"A" else b"A"
    swapped = xml[:start] + other + xml[start + 1 :]
    cut = xml[: len(xml) * 3 // 4]
    for data, said, most in ((cut, PARTLY, 5), (swapped, CLOSED, 6)):
        messages = world.send("x.mjlog", data)
        assert said in words_of(world.report(messages)["contents"])
        rounds = taps(world.tap(buttons(messages)[ROUNDS])[0]["contents"])
        assert 1 <= len(rounds) <= most
        world.fetch(world.tap(rounds[0]))


def test_a_member_who_did_not_play_sees_nobody_marked(world: RecordWorld) -> None:
    walled(world, seats=3)
    world.say("自分 みなみ")
    marked = world.say(ADDRESS)
    assert "#F1F8E9" in str(marked[0])
    other = world.say(ADDRESS, OTHER)
    assert "#F1F8E9" not in str(other[0])
    addresses = [
        [message["originalContentUrl"] for message in each[1:]] for each in (marked, other)
    ]
    assert not set(addresses[0]) & set(addresses[1]), "the marked pictures are others"


def test_a_very_long_game_stays_within_lines_limits(world: RecordWorld) -> None:
    record = parse(walled(world, rounds=24))
    messages = world.say(ADDRESS)
    world.report(messages)
    assert len(buttons(messages)) <= QUICK_REPLIES
    listed = world.tap(buttons(messages)[ROUNDS])
    assert_messages_pass(listed)
    assert len(taps(listed[0]["contents"])) == len(record.rounds)


def test_a_round_without_pictures_is_told(
    world: RecordWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    walled(world)
    listed = world.tap(buttons(world.say(ADDRESS))[ROUNDS])
    monkeypatch.setattr(world.answering.pictures, "keep", away)
    said = [world.tap(tap) for tap in taps(listed[0]["contents"])]
    assert all([message["type"] for message in each] == ["flex"] for each in said)
    assert any("巡目リーチ" in words_of(each) for each in said)


def test_a_real_game_is_analysed_within_a_second() -> None:
    for path in RECORDS[3::6]:
        record = parse(path.read_bytes())
        start = time.process_time()
        analysed(record, SOURCE_RATES)
        assert time.process_time() - start < 1, path.name


@pytest.mark.parametrize(
    ("name", "seats"),
    [("three-plain-1", 3), ("four-plain-1", 4)],
)
def test_the_record_is_downloaded_as_others_read_it(
    world: RecordWorld, name: str, seats: int
) -> None:
    data = next(path.read_bytes() for path in RECORDS if path.stem == name)
    world.tenhou.records[ID] = data
    record = parse(data)
    (answer,) = world.tap(buttons(world.say(ADDRESS))[report.REVIEWERS])
    links = re.findall(r'"uri": "([^"]+)"', json.dumps(answer))
    files = [urllib.request.urlopen(link, timeout=5).read() for link in links]
    assert from_tenhou(json.loads(files[0])) == plain(record, order=False)
    assert list(
        map(
            json.loads,
            files[1].splitlines(),
        )
    ) == list(mjai(record))
    assert ("四人打ち用" in words_of(answer)) == (seats == 3)
