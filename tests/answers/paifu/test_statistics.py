"""牌譜成績 depends only on the paifu kept, and shows members by name, with three and four seats
apart.
"""

from __future__ import annotations

import json
import random
from contextlib import closing
from datetime import date, datetime
from pathlib import Path

import pytest

from bot.answers.paifu import statistics
from bot.answers.paifu.figure_pages import standing
from bot.answers.paifu.statistics import record_facts
from bot.answers.paifu.statistics_picture import deal_in_words
from bot.chat.command import Asker, Command, Question
from bot.league.files import PAIFU_LOG
from bot.league.paifu_log import entry_of, keep_paifu
from bot.settings.stores import open_logs
from rating.logdates import JST
from rating.paifu import recordlog
from rating.paifu.formats import parse
from rating.paifu.recordlog import merged, total
from rating.paifu.statistics import of_records
from rating.paifu.tally import DealInTo, PaifuTally, RoundEnding
from storage.ports import Conflict, StorageError
from tests.answers.paifu.world import ID, LEAGUE, RecordWorld, serve
from tests.answers.world import MEMBER, taps, words_of
from tests.backend import Backend
from tests.fakes.tenhou import FakeTenhou
from tests.rating.paifu.records import made, read
from tests.schema import assert_messages_pass

DAY = date(2020, 5, 18)
SEEDS = range(6)

NOW = datetime(2026, 5, 4, tzinfo=JST)
any_backend = pytest.mark.any_backend("figures of a log; its way through the stores is below")


def entries() -> list[recordlog.Entry]:
    return [entry_of(read(seed, seats), "", DAY) for seed in SEEDS for seats in (3, 4)]


def test_the_log_adds_up_to_the_statistics_of_its_records_in_any_order_and_however_often() -> None:
    logs = set()
    for seed in range(2):
        made_of = entries() * (1 + seed)
        log = b""
        random.Random(seed).shuffle(made_of)
        for entry in made_of:
            log = merged(log, entry)
        logs.add(log)
    assert len(logs) == 1
    records = [read(seed, seats) for seed in SEEDS for seats in (3, 4)]
    assert total(recordlog.read(log)).figures() == of_records(records).figures()
    assert recordlog.log_bytes(recordlog.read(log)) == log


def test_a_line_of_version_0_1_does_not_tell_deal_ins_by_kind_until_the_paifu_comes_again() -> None:
    entry = entry_of(read(0), "", DAY)
    log = recordlog.log_bytes([entry])
    line = json.loads(log)
    for player in line["players"].values():
        player.pop("deal_ins", None)
    old = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    (known,) = recordlog.read(old)
    dealt = [
        tally for tally in known.statistics.players.values() if tally.endings[RoundEnding.DEAL_IN]
    ]
    assert dealt
    assert all(tally.split is None and tally.figures()["deal_ins"] is None for tally in dealt)
    assert merged(old, entry) == log
    assert merged(log, known) == log


def test_deal_ins_add_up_with_a_double_ron() -> None:
    tally = PaifuTally(rounds=68)
    tally.endings[RoundEnding.DEAL_IN] = 12
    tally.deal_ins.update({DealInTo.RIICHI: 7, DealInTo.OTHERS: 6})
    assert deal_in_words(tally) == "12局：リーチに7・リーチ以外に6（ダブロン1局）"
    tally.deal_ins[DealInTo.OTHERS] = 5
    assert deal_in_words(tally) == "12局：リーチに7・リーチ以外に5"
    tally.deal_ins.clear()  # a record log of version 0.1
    assert deal_in_words(tally) == "12局"
    assert deal_in_words(PaifuTally()) == "0局"


def test_of_two_copies_of_a_game_the_fuller_one_counts() -> None:
    xml = made(4).xml()
    whole = entry_of(parse(xml))
    cut = entry_of(parse(xml[: len(xml) * 2 // 3]))
    assert whole.key == cut.key
    assert (
        merged(merged(b"", cut), whole)
        == merged(
            merged(
                b"",
                whole,
            ),
            cut,
        )
        == merged(b"", whole)
    )


def test_odd_lines_of_the_log_are_left_alone() -> None:
    odd = b'# my notes\n{"key": 3}\n{"seats": 9}\n[]\nnull\n\xff\xfe\n'
    log = merged(odd, entry_of(read(1)))
    assert log.endswith(odd)
    assert len(recordlog.read(log)) == 1
    assert recordlog.read(b"[" * 100_000) == []


def test_two_write_at_once_or_one_gives_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logs = open_logs(f"file:{tmp_path}", {})
    write = logs.write
    tried: list[str | None] = []

    def beaten_to_it(name: str, data: bytes, rev: str | None) -> str:
        if not tried:  # another process writes meanwhile
            logs.overwrite(name, merged(b"", entry_of(read(2))))
        tried.append(rev)
        return write(name, data, rev)

    monkeypatch.setattr(logs, "write", beaten_to_it, raising=False)
    assert keep_paifu(logs, b"<x/>", entry_of(read(1)), NOW)
    assert len(tried) == 2
    assert len(recordlog.read(logs.read(PAIFU_LOG).data)) == 2
    assert not keep_paifu(logs, b"<x/>", entry_of(read(1)), NOW)

    def never(*_: object) -> str:
        raise Conflict("always")

    monkeypatch.setattr(logs, "write", never, raising=False)
    monkeypatch.setattr("bot.league.files.TRIES", 3)
    with pytest.raises(StorageError, match="others kept writing it"):
        keep_paifu(logs, b"<x/>", entry_of(read(3)), NOW)


def question(world: RecordWorld, **options: str) -> Question:
    repository = world.service.registry.league()
    repository.expire()
    snapshot = repository.snapshot()
    ratings = repository.ratings(snapshot)
    command = Command("paifu", options)
    return Question(command, snapshot, ratings, Asker("C1"), world.now, world.service.catalogue)


@any_backend
def test_the_answer(world: RecordWorld) -> None:
    assert words_of(world.tap("request_paifu")) == statistics.NO_RECORDS
    world.say(world.serve())
    world.send("a.mjlog", made(2).xml())
    world.send("b.mjlog", made(3, 3).xml())
    messages = world.tap("request_paifu")
    assert_messages_pass(messages)
    assert [message["type"] for message in messages] == ["image", "flex"]
    words = words_of(messages[1]["contents"])
    assert "牌譜成績　四人打ち" in words
    assert "牌譜2戦・" in words
    for name in ("ひがし", "みなみ", "西田"):
        assert name in words
    assert "北山" not in words, "no member"
    three = world.tap(taps(messages)["三人打ち"])
    assert "牌譜1戦" in words_of(three[1]["contents"])
    assert "牌譜1戦" in words_of(world.say("牌譜成績 三麻")[1]["contents"])


@any_backend
def test_a_members_own(world: RecordWorld) -> None:
    world.send("a.mjlog", made(1).xml())
    messages = world.say("牌譜成績 南原さん")
    assert_messages_pass(messages)
    words = words_of(messages[0]["contents"])
    for fact in ("みなみ", "アガリ率", "放銃率", "リーチ率", "副露率", "局収支"):
        assert fact in words
    world.write("league.toml", LEAGUE + '[player."海底"]\nname = "うみ"\n')
    assert words_of(world.say("牌譜成績 うみ")) == statistics.NOT_HIM.format(player="うみ")
    assert "見つかりません" in words_of(world.say("牌譜成績 だれか", MEMBER, MEMBER))


@any_backend
def test_records_without_members(world: RecordWorld) -> None:
    world.write("league.toml", '[player."だれか"]\n')
    world.write("logvol1.txt", "20260401\n")
    world.send("a.mjlog", made(1).xml())
    assert words_of(world.tap("request_paifu")) == statistics.NOBODY


def test_it_survives_a_restart_and_a_change(
    tmp_path: Path, backend: Backend, tenhou: FakeTenhou
) -> None:
    env = {
        "TENHOU_URL": tenhou.url,
        "LOGS_URL": f"file:{tmp_path / 'logs'}",
    }  # which outlive the database
    address = serve(tenhou)
    with closing(RecordWorld(tmp_path, backend, env)) as world:
        world.write("league.toml", LEAGUE)
        world.say(address)
    env["DATABASE_URL"] = backend.database(tmp_path / "new")
    with closing(RecordWorld(tmp_path, backend, env)) as world:
        assert "ひがし" in words_of(world.tap("request_paifu")[1]["contents"])
        world.say(address)
        assert len(tenhou.judge.requests) == 1, "kept in the league's folder"
        world.write("league.toml", LEAGUE.replace('name = "ひがし"', 'name = "東の人"'))
        assert "東の人" in words_of(world.tap("request_paifu")[1]["contents"])
        (world.logs / PAIFU_LOG).write_bytes(b"")
        world.look()
        assert words_of(world.tap("request_paifu")) == statistics.NO_RECORDS


@any_backend
def test_facts_for_the_players_card(world: RecordWorld) -> None:
    assert record_facts(question(world), "東野", 4) == ()
    for seed, seats in ((1, 4), (2, 4), (3, 3)):
        world.send("a.mjlog", made(seed, seats).xml())
    asked = question(world)
    facts = record_facts(asked, "東野", 4)
    assert [fact.label for fact in facts] == [
        "アガリ率",
        "放銃率",
        "リーチ率",
        "副露率",
        "ツモ運",
        "最善打率",
    ]
    assert record_facts(asked, "東野", 3) != facts
    tally = standing(asked.snapshot, 4).tallies["南原さん"]
    assert tally.rounds == sum(len(read(seed).rounds) for seed in (1, 2))
    assert record_facts(asked, "だれか", 4) == ()


@any_backend
def test_aliases_hold_on_the_day_of_the_game(world: RecordWorld) -> None:
    alias = '[player."南原さん"]\naliases = [{name = "南原", since = 2020-06-01}]\n'
    world.write("league.toml", alias)
    world.say(world.serve(ID))
    assert "南原さん" not in standing(question(world).snapshot, 4).tallies
    world.write("league.toml", alias.replace("2020-06-01", "2020-05-01"))
    assert "南原さん" in standing(question(world).snapshot, 4).tallies
