from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.chat.command import Ask, Command
from bot.demo_chat import DEMO_GROUP
from bot.dispatch.responder import QuotableAnswers, message_ids
from bot.dispatch.router import Router
from bot.line.webhook import Event
from storage.chats import QUOTED
from storage.ports import StorageError
from storage.state import State, open_state
from tests.answers.world import ADMIN, LEAGUE, MEMBER, OTHER, BotWorld, Json, opened, words_of
from tests.backend import Backend
from tests.clock import Clock

NEXT = '[[season]]\nname = "第2シーズン"\nlog = "logvol2.txt"\nstart = 2026-05-01\n'
APRIL = """\
20260401
C1934 | 20:00 | 三般南喰赤－ | みどり一色(+50.0) 白發中(+2.0) 東風(本人)(-52.0)
C1934 | 20:30 | 三般南喰赤－ | まん|がん(+40.0) 白發中(+1.0) みどり一色(-41.0)
20260402
C1934 | 20:30 | 四般南喰赤－ | まん|がん(+40.0) 白發中(+11.0) みどり一色(-20.0) 東風(本人)(-31.0)
"""
MAY = """\
20260503
C1934 | 21:00 | 三般南喰赤－ | 白發中(+30.0) みどり一色(0.0) 東風(本人)(-30.0)
"""


@pytest.fixture
def world(tmp_path: Path, backend: Backend) -> Iterator[BotWorld]:
    with opened(tmp_path, backend) as made:
        made.write("league.toml", LEAGUE.replace("[player", NEXT + "[player", 1))
        made.write("logvol1.txt", APRIL)
        made.write("logvol2.txt", MAY)
        for service in made.bot.services:
            _notify_when_noted(made, service.responder.quotable)
        yield made


def _notify_when_noted(world: BotWorld, answers: QuotableAnswers) -> None:
    """Notify the platform's condition when the answer that LINE has taken is noted, which is after the
    reply."""
    note = answers.note

    def noted(chat: str, messages: list[str], question: str) -> None:
        note(chat, messages, question)
        world.noted |= set(messages)  # type: ignore[attr-defined]
        world.platform.feed.add("noted", chat)

    world.noted = set()  # type: ignore[attr-defined]
    answers.note = noted  # type: ignore[method-assign]


def last_id(world: BotWorld, chat: str = DEMO_GROUP) -> str:
    """The id of the last message the bot sent to the chat; what was sent is written first."""
    sent_to_chat = [sent for sent in world.platform.sent if sent.chat == chat]
    last = sent_to_chat[-1].ids[-1]
    assert world.platform.wait_for(lambda: last in world.noted)  # type: ignore[attr-defined]
    for service in world.bot.services:
        service.responder.quotable.write()
    return last


def quote(
    world: BotWorld, words: str, message: str, user: str = MEMBER, chat: str = DEMO_GROUP
) -> list[Json]:
    return world.answers(world.platform.say(chat, user, words, quoted=message))


@pytest.mark.any_backend("what is understood; the others quote on both")
@pytest.mark.parametrize(
    ("data", "words", "expected"),
    [
        ("request_sum", "先月は？", "収支　2026年4月"),
        ("request_sum", "4/1は？", "収支　2026年4月1日"),
        ("request_sum", "通算で", "収支　全シーズン"),
        ("request_sum", "みどりは？", "みどり　第2シーズン"),
        ("request_rank?season=1", "四人は？", "四人打ち1戦"),
        ("request_rank?season=1", "もう一度", "着順　第1シーズン"),
        ("request_rank?season=1", "収支は？", "収支　第1シーズン"),
        ("request_player?player=みどり一色", "先月は？", "みどり　2026年4月"),
        ("request_player?player=みどり一色&season=1", "白發中は？", "白發中　第1シーズン"),
        (
            "request_pair?player=みどり一色&other=白發中&season=1",
            "東風は？",
            "みどり と 東風　第1シーズン",
        ),
        ("request_today", "4/1", "4月1日(水)の結果"),
    ],
)
def test_an_answer_with_a_change(world: BotWorld, data: str, words: str, expected: str) -> None:
    world.tap(data)
    assert expected in words_of(quote(world, words, last_id(world)))


def test_the_answer_to_a_quotation_can_be_quoted(world: BotWorld) -> None:
    world.tap("request_rank?season=1")
    quote(world, "四人は？", last_id(world))
    again = words_of(quote(world, "収支は？", last_id(world)))
    assert "収支　第1シーズン" in again
    assert "四人打ち1戦" in again


def test_every_process_knows_a_label_for_half_an_hour(world: BotWorld) -> None:
    world.tap("request_player?who=all")
    last_id(world)
    responder = next(iter(world.bot.services)).responder
    other = Router(
        responder.parts.features, question_of=QuotableAnswers(responder.parts.state).question
    )
    typed = Event("1", "message", DEMO_GROUP, MEMBER, "t", 0.0, text="白發中", message_type="text")
    command = other.of_label(typed, responder.parts.now())
    assert command == Command(Ask.PLAYER, {"player": "白發中"})
    assert other.of_label(replace(typed, text="黒發中"), responder.parts.now()) is None
    assert other.of_label(typed, responder.parts.now() + timedelta(minutes=31)) is None


def test_somebody_elses_card_stays_theirs(world: BotWorld) -> None:
    world.say("自分 みどり", MEMBER)
    world.say("自分 白發中", OTHER)
    assert "みどり　" in words_of(world.say("個人", MEMBER))
    assert "白發中　" in words_of(world.say("個人", OTHER))
    assert "みどり　" in words_of(world.say("個人", MEMBER))
    assert "みどり　2026年4月" in words_of(quote(world, "先月は？", last_id(world), OTHER))


def test_talk_about_an_answer_is_no_question(world: BotWorld) -> None:
    world.tap("request_sum")
    answer = last_id(world)
    for talk in (
        "すごい！",
        "みどり強すぎ",
        "先月はひどかった",
        "おめでとう",
        "今日 打つ？",
        "www",
        "？",
    ):
        sent = world.platform.say(DEMO_GROUP, MEMBER, talk, quoted=answer)
        world.tap("request_menu")
        assert not world.platform.replied(sent), talk
    world.tap("request_sum")
    member = world.platform.say(DEMO_GROUP, MEMBER, "先月はどうだったかな")
    sent = world.platform.say(DEMO_GROUP, ADMIN, "先月は？", quoted=member.message_id)
    world.tap("request_menu")
    assert not world.platform.replied(sent)


def test_a_quoted_report_of_a_season_becomes_a_months(
    world: BotWorld,
) -> None:
    world.tap("request_export?season=1")
    assert "期間では出せません" in words_of(quote(world, "先月は？", last_id(world)))
    world.tap("request_summary?season=1")
    assert "月報　2026年4月" in words_of(quote(world, "先月は？", last_id(world)))
    assert "月報　2026年5月" in words_of(quote(world, "今月は？", last_id(world)))
    world.tap("request_poster")
    assert "4月2日(木)の全1戦" in str(quote(world, "4/2は？", last_id(world)))


def test_no_chat_sees_anothers_question(world: BotWorld) -> None:
    world.tap("request_sum?season=1")
    message = last_id(world)
    with pytest.raises(ValueError, match="same chat"):
        world.platform.say(MEMBER, MEMBER, "先月は？", quoted=message)
    assert world.service.responder.quotable.question(DEMO_GROUP, message) == "request_sum?season=1"
    assert world.service.responder.quotable.question(MEMBER, message) == ""


def test_the_bot_quotes_a_text_unless_line_refuses(world: BotWorld) -> None:
    sent = world.platform.say(DEMO_GROUP, MEMBER, "着順 2025年1月")
    (answer,) = world.answers(sent)
    assert answer["quoteToken"] == sent.event["message"]["quoteToken"]
    (tapped,) = world.tap("request_rank?from=2025-01-01&to=2025-01-31")
    assert "quoteToken" not in tapped
    sent = world.platform.new_event(
        "message",
        DEMO_GROUP,
        MEMBER,
        message={"type": "text", "id": "1", "quoteToken": "gone", "text": "着順 2025年1月"},
    )
    sent = world.platform.send_event(DEMO_GROUP, sent)
    (answer,) = world.platform.answers(sent)
    assert "quoteToken" not in answer
    assert "2025年1月の対局はありません" in answer["text"]


# What is stored


def test_a_question_is_known_at_once_and_for_a_week(tmp_path: Path, backend: Backend) -> None:
    clock = Clock()
    with closing(open_state(backend.database(tmp_path), clock=clock)) as state:
        first = QuotableAnswers(state)
        other = QuotableAnswers(state)
        first.note("C1", ["11", "12"], "request_sum")
        assert first.question("C1", "12") == "request_sum"
        assert first.question("C2", "12") == other.question("C1", "12") == ""
        first.write()
        assert other.question("C1", "11") == other.question("C1", "12") == "request_sum"
        assert other.question("C2", "11") == ""
        clock.now += QUOTED - 1
        assert other.question("C1", "11") == "request_sum"
        assert state.chats.sweep() == 0
        clock.now += 1
        assert other.question("C1", "11") == ""
        assert state.chats.sweep() == 2


def test_an_outage_of_the_store_loses_no_question(
    state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(*_: object, **_named: object) -> None:
        raise StorageError("down")

    answers = QuotableAnswers(state)
    answers.note("C1", ["1"], "request_sum")
    with monkeypatch.context() as patched:
        patched.setattr(state.database, "rows", down)
        patched.setattr(state.database, "write", down)
        with pytest.raises(StorageError):
            answers.write()
        assert (
            answers.question(
                "C1",
                "1",
            ),
            answers.question("C1", "2"),
        ) == ("request_sum", "")
    answers.write()
    assert QuotableAnswers(state).question("C1", "1") == "request_sum"


@pytest.mark.parametrize(
    "junk",
    [
        b"",
        b"x",
        b"[]",
        b"{}",
        b'{"sentMessages": 1}',
        b'{"sentMessages": [1]}',
        b'{"sentMessages": [{"id": 5}]}',
        b'{"sentMessages": [{"id": "a:b"}]}',
    ],
)
def test_an_odd_response_names_no_messages(junk: bytes) -> None:
    assert message_ids(junk) == []
