"""今日の何切る: off by default, one position a day and never the same, votes by taps, the next day's answer."""

import json
from datetime import date

import pytest

from bot.answers.paifu import quiz
from bot.league.files import paifu_file
from rating.paifu.mjlog import parse
from rating.paifu.recordlog import entry_of, write
from rating.paifu.situation import asks
from tests.answers.paifu.world import LEAGUE, RecordWorld
from tests.answers.world import MEMBER, OTHER, taps, words_of
from tests.real import RECORDS

pytestmark = pytest.mark.any_backend("asks records that test_statistics keeps on every backend")
ON = LEAGUE.replace("[player", "quiz = true\n[player", 1)


def fill(world: RecordWorld, *stems: str) -> None:
    entries = []
    for path in RECORDS:
        if path.stem in stems:
            entry = entry_of(parse(path.read_bytes()), "", date(2026, 4, 1))
            entries.append(entry)
            place = world.logs / paifu_file(entry.file)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(path.read_bytes())
    (world.logs / "recordlog.txt").write_bytes(write(entries))
    world.write("league.toml", ON)


@pytest.mark.parametrize("stem", ["three-plain-1", "four-plain-1"])
def test_a_day_its_votes_and_the_answer(world: RecordWorld, stem: str) -> None:
    fill(world, stem)
    asked = world.say("今日の何切る")
    world.fetch(asked)
    tiles = {label: data for label, data in taps(asked).items() if "kind=" in data}
    assert 5 <= len(tiles) <= 13
    record = parse(next(path for path in RECORDS if path.stem == stem).read_bytes())
    assert not any(name in json.dumps(asked, ensure_ascii=False) for name in record.players)
    first, second, *_ = tiles
    assert "いま1票" in words_of(world.tap(tiles[first], MEMBER))
    assert "いま1票" in words_of(world.tap(tiles[second], MEMBER)), "the last vote counts"
    assert "いま2票" in words_of(world.tap(tiles[second], OTHER))
    assert words_of(world.tap("request_quiz?show=answer")) == quiz.NO_ANSWER
    world.later(days=1)
    assert words_of(world.tap(tiles[first], MEMBER)) == quiz.CLOSED
    picture, table, *_ = answer = world.tap("request_quiz?show=answer")
    assert "2票" in words_of(table)
    assert "正解" in words_of(table)
    assert "その後のツモ" in words_of(table)
    assert any(name in words_of(table) for name in record.players)
    world.service.state.forget_user(OTHER)
    assert "　1票" in words_of(world.tap("request_quiz?show=answer")), "a vote is forgotten with its member"
    assert picture["type"] == "image"
    assert any(label.endswith("を見る") for label in taps(answer))


def test_it_is_off_by_default_and_never_the_same_twice(world: RecordWorld) -> None:
    assert words_of(world.say("何切る")) == quiz.OFF
    world.write("league.toml", ON)
    assert words_of(world.say("何切る")) == quiz.NONE
    fill(world, "three-yakuman")
    record = parse(next(path for path in RECORDS if path.stem == "three-yakuman").read_bytes())
    pictures = []
    for _ in range(len(asks(record)) + 1):
        pictures.append(words_of(world.say("何切る")))
        world.later(days=1)
    assert len(set(pictures)) == len(pictures) == len(asks(record)) + 1
    assert pictures[-1] == quiz.NONE
