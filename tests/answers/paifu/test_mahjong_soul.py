"""Games of Mahjong Soul: their files and text are records, their addresses get a sentence."""

import json

import pytest

from bot.answers.paifu import report
from bot.answers.paifu.report import ADDED, ADJUSTED
from bot.chat.command import Ask, data_of
from bot.demo_chat import DEMO_GROUP
from rating.paifu import recordlog
from rating.paifu.formats import parse
from tests.answers.paifu.world import RecordWorld
from tests.answers.world import MEMBER, words_of
from tests.rating.paifu.dialects import (
    as_bytes,
    editor,
    exported,
    tenhou,
    tensoul,
    tensoul_py,
)
from tests.rating.paifu.records import read, walled

pytestmark = pytest.mark.any_backend("a record is read alike; other tests have what is stored")


def test_json_file_in_the_group_gets_its_report(world: RecordWorld) -> None:
    data = as_bytes(tensoul(read(1)))
    words = words_of(world.report(world.send("game.json", data))["contents"])
    assert "雀魂 四" in words
    assert "2022年5月7日" in words
    assert ADDED in words


def test_game_of_another_converter_is_counted_once(world: RecordWorld) -> None:
    world.send("game.json", as_bytes(tensoul(read(1, seats=3))))
    words = words_of(world.send("other.json", as_bytes(tensoul_py(read(1, seats=3)))))
    assert ADDED not in words
    assert len((world.logs / "recordlog.txt").read_text().splitlines()) == 1


@pytest.mark.parametrize("formats", [("mjlog", "json"), ("json", "mjlog")])
def test_game_of_tenhou_in_two_formats_is_counted_once(
    world: RecordWorld, formats: tuple[str, str]
) -> None:
    game = walled(1)
    files = {"mjlog": game.xml(), "json": as_bytes(tenhou(parse(game.xml())))}
    first, second = formats
    world.send(f"game.{first}", files[first])
    words = words_of(world.send(f"again.{second}", files[second]))
    assert ADDED not in words
    (entry,) = recordlog.read((world.logs / "recordlog.txt").read_bytes())
    assert entry.has_wall


def test_text_file_is_a_record_in_the_own_chat(world: RecordWorld) -> None:
    data = as_bytes(exported(read(1)))
    world.report(world.send("game.txt", data, MEMBER, MEMBER))
    quiet = world.platform.send_file(DEMO_GROUP, MEMBER, "game.txt", data)
    assert not world.platform.replied(quiet)


def test_pasted_text_is_a_record_in_the_own_chat(world: RecordWorld) -> None:
    game = editor(read(1))
    game["log"] = game["log"][:2]
    text = json.dumps(game, ensure_ascii=False, separators=(",", ":"))
    assert len(text) <= 5000
    words = words_of(world.report(world.say(text, MEMBER, MEMBER))["contents"])
    assert ADJUSTED in words


def test_broken_text_gets_one_sentence(world: RecordWorld) -> None:
    text = '{"title": ["", ""], "name": ["a", "b", "c", "d"], "log": [[[0,0'
    assert words_of(world.say(text, MEMBER, MEMBER)) == report.BROKEN


@pytest.mark.parametrize(
    "address",
    [
        "https://game.mahjongsoul.com/?paipu=220419-c7d0fa72-9b5b-4669-8653-82bdc19d3f53_a1",
        "https://game.maj-soul.com/1/?paipu=220419-c7d0fa72",
        "牌譜 https://mahjongsoul.game.yo-star.com/?paipu=220419-c7d0fa72",
    ],
)
def test_address_of_mahjong_soul_gets_two_lines(world: RecordWorld, address: str) -> None:
    words = words_of(world.say(address))
    assert words == report.MAHJONG_SOUL
    assert words.count("\n") == 1


def test_report_of_a_stored_game_opens_its_rounds(world: RecordWorld) -> None:
    world.report(world.send("game.json", as_bytes(tensoul(read(1)))))
    entry = json.loads((world.logs / "recordlog.txt").read_text().splitlines()[0])
    pictures = world.tap(data_of(Ask.RECORD_REPORT, id=entry["file"], round=0))
    world.fetch(pictures)
