"""さっきの and 牌譜 open the records of games in the log; 今日 and 直近 have a tap on each game
that has one.
"""

import gzip
from datetime import date, datetime
from urllib.parse import quote

import pytest

from bot.answers.paifu import records, report
from bot.demo_chat import DEMO_GROUP
from bot.league.paifu_log import entry_of
from rating.games import Game, Seat
from rating.paifu.formats import parse
from rating.paifu.recordlog import merged
from rating.roomlog import TABLE, format_game
from tests.answers.paifu.world import RecordWorld
from tests.answers.world import ADMIN, MEMBER, OTHER, taps, words_of
from tests.rating.paifu.records import made, read

pytestmark = pytest.mark.any_backend(
    "reads the league's folder; a report is kept as test_report has it"
)
DAY = date(2026, 5, 4)


def line(seed: int, start: str) -> str:
    """The log's line of a made-up game."""
    record = read(seed, 3)
    assert record.scores is not None
    scores = zip(record.players, record.scores, strict=True)
    seats = [Seat(name, score) for name, score in scores]
    seats.sort(key=lambda seat: -seat.score)
    played = Game(
        tuple(seats), DAY, datetime.strptime(start, "%H:%M").time(), "C1934", "三般南喰赤－"
    )
    return format_game(played)


def paifu_id(seed: int, hour: int) -> str:
    return f"{DAY:%Y%m%d}{hour:02}gm-0019-11934-{seed:08x}"


def keep(world: RecordWorld, *kept: tuple[int, int]) -> None:
    """Have records (seed, hour of the start) in the league's folder, as the room's own results
    bring them.
    """
    log = b""
    for seed, hour in kept:
        name = paifu_id(seed, hour)
        folder = world.logs / "records"
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.mjlog").write_bytes(gzip.compress(made(seed, 3).xml()))
        log = merged(log, entry_of(read(seed, 3), name, DAY))
    world.write("recordlog.txt", log.decode())


@pytest.fixture
def evening(world: RecordWorld) -> RecordWorld:
    """Three games at 19:10, 19:50 and 20:30; the first two have their records. It is 21:00."""
    other = "C1934 | 20:30 | 三般南喰赤－ | 東野(+50.0) 南原(+2.0) みどり(-52.0)"
    world.write(
        "logvol1.txt",
        "\n".join(
            [
                "20260504",
                line(1, "19:10"),
                line(2, "19:50"),
                other,
            ]
        )
        + "\n",
    )
    keep(world, (1, 19), (2, 19))
    world.later(hours=4)
    return world


def test_the_last_one_in_one_word(evening: RecordWorld) -> None:
    for words in ("さっきの", "サッキノ牌譜", "直近の牌譜", "ちょっきんのはいふ"):
        report = evening.report(evening.say(words))
        assert "2026年5月4日" in words_of(report)
        assert f"{max(read(2, 3).final):,}" in words_of(report), words
    assert evening.tenhou.judge.requests == [], "kept records are not fetched"


def test_the_list_opens_each_report(evening: RecordWorld) -> None:
    messages = evening.say("牌譜")
    assert "牌譜のある対局" in words_of(messages)
    (table,) = messages
    offered = taps(table["contents"]["body"])
    found = {data: label for label, data in offered.items()}
    assert list(found) == [f"request_record_report?id={paifu_id(seed, 19)}" for seed in (2, 1)]
    assert list(found.values()) == ["5/4 19:50の牌譜", "5/4 19:10の牌譜"]
    for data, seed in zip(found, (2, 1), strict=True):
        assert f"{max(read(seed, 3).final):,}" in words_of(evening.report(evening.tap(data)))


def test_a_member_s_own(evening: RecordWorld) -> None:
    """The report marks the member's seat, and the list has the member's games."""
    report = evening.report(evening.say("直近の牌譜 ミナミ"))
    marked = [row for row in report["contents"]["body"]["contents"] if row.get("backgroundColor")]
    assert "みなみ" in words_of(marked)
    assert "みなみの牌譜のある対局" in words_of(evening.say("牌譜 みなみさん"))
    refused = evening.say("牌譜 みどり")
    assert words_of(refused) == records.NOT_HIS.format(player="みどり")
    assert evening.tap(taps(refused)["全員の牌譜"])[0]["type"] == "flex"


def test_who_asks_counts(world: RecordWorld) -> None:
    """さっきの is the asker's own last game with a record; who has none gets the league's."""
    ours = line(1, "19:10")
    theirs = line(2, "19:50").replace("西田", "みどり")
    world.write("logvol1.txt", f"20260504\n{ours}\n{theirs}\n")
    xml = (
        made(2, 3)
        .xml()
        .replace(
            quote("西田").encode(),
            quote("みどり").encode(),
        )
    )
    name = paifu_id(2, 19)
    keep(world, (1, 19))
    (world.logs / f"records/{name}.mjlog").write_bytes(gzip.compress(xml))
    log = merged(
        world.read("recordlog.txt").encode(),
        entry_of(parse(xml), name, DAY),
    )
    world.write("recordlog.txt", log.decode())
    world.later(hours=4)
    world.say("自分 西田")
    assert f"{max(read(1, 3).final):,}" in words_of(world.report(world.say("さっきの")))
    for user in (OTHER, ADMIN):
        assert f"{max(read(2, 3).final):,}" in words_of(world.report(world.say("さっきの", user)))
        world.say("自分 みなみ", ADMIN)


def test_just_now_without_its_record_gets_one_sentence_and_a_way_on(evening: RecordWorld) -> None:
    evening.later(hours=-4)
    refused = evening.say("さっきの")
    assert words_of(refused) == records.NOT_YET.format(start="5月4日(月) 20:30")
    assert words_of(refused).count("。") == 2
    evening.report(evening.tap(taps(refused)["その前の牌譜"]))
    evening.later(hours=2, minutes=31)
    evening.report(evening.say("さっきの"))


def test_a_game_at_a_table_waits_for_no_record(world: RecordWorld) -> None:
    table = line(2, "20:30").replace("C1934", TABLE)
    world.write(
        "logvol1.txt",
        "\n".join(["20260504", line(1, "19:10"), table]) + "\n",
    )
    keep(world, (1, 19))
    refused = world.say("さっきの")
    assert words_of(refused) == records.AT_A_TABLE.format(start="5月4日(月) 20:30")
    world.report(world.tap(taps(refused)["その前の牌譜"]))


def test_rows_of_today_and_the_last_games_open_records(evening: RecordWorld) -> None:
    wanted = [f"request_record_report?id={paifu_id(seed, 19)}" for seed in (1, 2)]
    for words in ("今日", "直近"):
        messages = evening.say(words)
        if words == "今日":
            messages = evening.tap(taps(messages)["対局"])
        data = [
            value for value in taps([m["contents"] for m in messages]).values() if "record" in value
        ]
        assert sorted(data) == wanted, words
        assert words_of(messages).count("牌譜 ›") == 2
    assert "tw=" in str(evening.say("直近 みなみ"))


def test_a_file_that_was_sent_opens_from_the_list(world: RecordWorld) -> None:
    world.write("logvol1.txt", f"20260504\n{line(3, '19:10')}\n")
    world.send("game.mjlog", made(3, 3).xml())
    (table,) = world.say("牌譜")
    (data,) = taps(table["contents"]["body"]).values()
    assert data.startswith("request_record_report?id=file-")
    world.report(world.tap(data))
    assert world.read("recordlog.txt").count("\n") == 1
    next((world.logs / "records").iterdir()).unlink()
    assert words_of(world.tap(data)) == report.NOT_KEPT
    assert world.tenhou.judge.requests == []


def test_without_records_and_with_pages_of_them(world: RecordWorld) -> None:
    assert words_of(world.say("牌譜")) == report.HOW
    assert words_of(world.say("さっきの")) == records.NOBODYS
    keep(world, (4, 19))
    assert words_of(world.say("牌譜")) == records.NOBODYS, "a record whose game is not in the log"
    seeds = range(1, 13)
    lines = [line(seed, f"{seed + 7:02}:10") for seed in seeds]
    world.write("logvol1.txt", "\n".join(["20260504", *lines]) + "\n")
    keep(world, *((seed, seed + 7) for seed in seeds))
    first = world.say("牌譜一覧")
    assert "牌譜のある対局　1/2" in words_of(first)
    second = world.tap(taps(first)["前の10戦"])
    assert len(taps(second[0]["contents"]["body"])) == 2
    assert "次の10戦" in taps(second)


def test_talk_is_left_alone_and_to_the_bot_itself_a_near_name_is_taken(
    evening: RecordWorld,
) -> None:
    talk = ("牌譜 見た？", "さっきの ひどかったね", "さっきの放銃", "牌譜 みどい 見たよね")
    said = [evening.platform.say(DEMO_GROUP, MEMBER, words) for words in talk]
    assert "みなみの牌譜" in str(evening.say("牌譜 みなみみ", ADMIN, ADMIN))
    assert "みなみ" in taps(evening.say("牌譜 みなみさん強い", ADMIN, ADMIN))
    assert {"さっきの牌譜", "牌譜"} <= set(taps(evening.say("ヘルプ")))
    assert not any(map(evening.platform.replied, said))


def test_a_corrected_game_still_opens_its_record(evening: RecordWorld) -> None:
    changed = "C1934 | 19:10 | 三般南喰赤－ | 東野(+40.0) 南原(+0.0) 西田(-40.0)"
    evening.write("logvol1.txt", evening.read("logvol1.txt").replace(line(1, "19:10"), changed))
    data = [value for value in taps(evening.say("直近")).values() if "record" in value]
    assert len(data) == 2
