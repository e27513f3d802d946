"""状態 tells an admin what works and what to do; ID tells anybody the ids."""

import json
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.answers.admin import ident, status
from bot.chat.command import ADMIN_ONLY
from bot.chat.replies import Text
from bot.checks import run
from bot.demo_chat import DEMO_GROUP, DEMO_STRANGER
from bot.runtime.finding import CHECKS, good, trouble
from bot.runtime.translation import message, untranslated
from bot.sync.run import SYNCED
from tests.answers.world import ADMIN, LEAGUE, LOG, MEMBER, BotWorld, Json, opened, taps, words_of
from tests.backend import Backend
from tests.fakes.tenhou import FakeTenhou

_ = message


@pytest.fixture
def world(tmp_path: Path, backend: Backend, tenhou: FakeTenhou) -> Iterator[BotWorld]:
    logs = backend.logs(tmp_path)
    logs.mkdir()
    (logs / "league.toml").write_text(LEAGUE, "utf-8")
    (logs / "logvol1.txt").write_text(LOG, "utf-8")
    with opened(tmp_path, backend, {"TENHOU_URL": tenhou.url}) as made:
        yield made


def rows(messages: list[Json]) -> dict[str, str]:
    """The rows of the table: name -> mark, then what is said below it."""
    (table,) = messages
    found = {}
    name = ""
    for words in words_of(table["contents"]["body"]["contents"]).split("\n"):
        if words in (status.WELL, status.ILL):
            found[name] = words
        elif found and name in found and words not in {check.label for check in CHECKS}:
            found[name] += f" {words}"
        name = words if words not in (status.WELL, status.ILL) else name
    return found


def ask(world: BotWorld) -> list[Json]:
    return world.say("状態", ADMIN, ADMIN)


def test_everything_is_looked_at_and_told_in_japanese(world: BotWorld) -> None:
    world.service.state.values.put(
        SYNCED,
        (world.now - timedelta(hours=3)).isoformat(),
    )
    began = time.monotonic()
    answer = ask(world)
    assert time.monotonic() - began < 10
    words = words_of(answer)
    assert "すべて動いています" in words
    stores = ("データベース", "記録のフォルダー", "画像の保存先")
    for name in (*stores, "天鳳", "天鳳の結果の取り込み", "記録の中身"):
        assert rows(answer)[name].startswith(status.WELL), name
    assert "18:00" in rows(answer)["天鳳の結果の取り込み"]
    assert "MEND" not in words
    assert list(taps(answer)) == ["もう一度調べる", "設定", "メニュー"]
    assert answer[0]["altText"] == "状態：すべて動いています"


def test_what_to_do_stands_first(world: BotWorld) -> None:
    world.write("logvol1.txt", LOG + "C1934 | 22:00 | こわれた行\n")
    answer = ask(world)
    marks = [words[:1] for words in rows(answer).values()]
    assert marks[:2] == [status.ILL] * 2
    assert set(marks[2:]) == {status.WELL}
    assert "logvol1.txt の4行目が読めず" in rows(answer)["記録の中身"]
    assert answer[0]["altText"] == "状態：直すところが2つあります"


def test_a_store_that_does_not_answer_delays_nothing(
    world: BotWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Checks run side by side, and what hangs is a finding of its own."""

    def hangs(parts: Any) -> Any:
        time.sleep(1.2)
        return good("IMAGES_URL", _("written and read; schema {schema}", schema=1))

    monkeypatch.setattr(
        run, "CHECK_OF", {**run.CHECK_OF, "IMAGES_URL": hangs, "font": hangs, "richmenu": hangs}
    )
    monkeypatch.setattr("bot.service.CHECKING", 0.8)
    began = time.monotonic()
    assert rows(ask(world))["画像の保存先"].startswith(status.ILL)
    assert time.monotonic() - began < 4


def test_what_is_over_is_said_once_and_what_lasts(
    world: BotWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    for service in world.bot.services:
        monkeypatch.setattr(service.state.database, "clock", lambda: world.now.timestamp())
    world.service.state.faults.record_past(
        "",
        "sync",
        (world.now - timedelta(days=3)).timestamp(),
    )
    words = words_of(ask(world))
    assert "直ったところ" in words
    assert "5月1日(金) 21:00から5月4日(月) 21:00まで（いまは直っています）" in words
    assert "直ったところ" not in words_of(ask(world))
    # A fault that no check sees.
    world.service.state.faults.record("", "records", "x", "牌譜が2件ありません。")
    assert rows(ask(world))["牌譜"] == f"{status.ILL} 牌譜が2件ありません。"


def test_findings_of_any_kind_have_a_row(world: BotWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    found = {
        "font": lambda parts: trouble("room of spring", "away", untranslated("C1017: いない")),
        "richmenu": lambda parts: trouble("AWS_ACCESS_KEY_ID", "refused", untranslated("え" * 900)),
    }
    monkeypatch.setattr(run, "CHECK_OF", {**run.CHECK_OF, **found})
    answer = ask(world)
    assert rows(answer)["天鳳の部屋（spring）"].endswith("C1017: いない")
    assert "AWS_ACCESS_KEY_ID" in rows(answer)


def test_only_for_admins_and_only_alone(world: BotWorld) -> None:
    assert words_of(world.say("状態", MEMBER, MEMBER)) == ADMIN_ONLY
    assert words_of(world.tap("request_status", ADMIN)) == status.ALONE
    in_group = [world.platform.say(DEMO_GROUP, who, "状態") for who in (MEMBER, ADMIN)]
    world.service.dispatcher.close()
    assert not any(world.platform.replied(delivery) for delivery in in_group)


def test_everybody_s_own_id(world: BotWorld) -> None:
    said = world.say("ID", MEMBER, MEMBER)
    assert [part["text"] for part in said] == [ident.OWN, MEMBER]
    assert [part["text"] for part in world.say("ｉｄ", MEMBER)] == [
        ident.CHAT,
        DEMO_GROUP,
        ident.OWN,
        MEMBER,
    ]
    stranger = DEMO_STRANGER.id
    said = world.say("ID", stranger, stranger)
    assert [part["text"] for part in said] == [ident.OWN, stranger]
    assert "雀録杯" not in json.dumps(said, ensure_ascii=False)
    outside = world.platform.add_group("ほかの会", [stranger])
    assert [part["text"] for part in world.say("ID", stranger, outside)][1] == outside
    # Where LINE keeps it to itself.
    parts = ident.ids_of("C1", "").parts
    assert parts == tuple(map(Text, (ident.CHAT, "C1", ident.NO_USER)))
