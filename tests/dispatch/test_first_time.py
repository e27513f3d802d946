from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.chat.command import Command, Question
from bot.chat.replies import Once, Reply, Text
from bot.dispatch.responder import with_firsts
from bot.runtime.cache import Lru
from storage.ports import StorageError
from storage.state import State
from tests.answers.leagues import game, world
from tests.answers.world import MEMBER, NAMES, Json, opened, words_of
from tests.backend import Backend

REPLY = Reply(
    (Text("答え"),),
    once=Once("poster:2026-06-02", (Text("ポスター"),)),
)
MONDAY = datetime(2026, 6, 1, 21, 0)

Asking = Callable[..., Question]


def said(reply: Reply) -> list[str]:
    return [part.text for part in reply.parts if isinstance(part, Text)]


@pytest.fixture
def question() -> Callable[..., Question]:
    days = [f"202606{day:02}\n{game('甲(+1.0)', '乙(0.0)', '丙(-1.0)')}" for day in (2, 9, 23)]
    league = world(*days)

    def at(days: int = 0, name: str = "sum", chat: str = "C1") -> Question:
        asked = league.question(Command(name))
        return replace(
            asked, asker=replace(asked.asker, chat=chat), now=MONDAY + timedelta(days=days)
        )

    return at


def test_once_in_each_chat_and_five_messages_at_most(question: Asking, state: State) -> None:
    assert said(
        with_firsts(
            question(),
            REPLY,
            state.values,
            Lru(9),
            "1",
        )
    ) == ["答え", "ポスター"]
    known: Lru[str, str] = Lru(9)
    assert said(with_firsts(question(), REPLY, state.values, known, "2")) == ["答え"]
    assert known.get("once:C1:poster:2026-06-02") == "seen"
    assert said(
        with_firsts(
            question(chat="C2"),
            REPLY,
            state.values,
            Lru(9),
            "4",
        )
    ) == [
        "答え",
        "ポスター",
    ]
    full = replace(
        REPLY,
        parts=tuple(Text(str(n)) for n in range(5)),
    )
    assert said(
        with_firsts(
            question(),
            full,
            state.values,
            Lru(9),
            "1",
        )
    ) == list("01234")


def test_the_same_tap_gets_it_again_after_a_crash(question: Asking, state: State) -> None:
    with_firsts(question(), REPLY, state.values, Lru(9), "1")
    assert said(
        with_firsts(
            question(),
            REPLY,
            state.values,
            Lru(9),
            "1",
        )
    ) == ["答え", "ポスター"]
    assert said(
        with_firsts(
            question(),
            REPLY,
            state.values,
            Lru(9),
            "2",
        )
    ) == ["答え"]


def test_a_store_out_of_reach_costs_the_extra_alone(
    question: Asking, state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(*_: object) -> bool:
        raise StorageError("down")

    monkeypatch.setattr(state.values, "add", down)
    assert said(
        with_firsts(
            question(),
            REPLY,
            state.values,
            Lru(9),
            "1",
        )
    ) == ["答え"]


# Of 7 days Monday, the 8th, after games on Tuesday; of 9 Wednesday: the week from the 1st comes
# first.
RECAPS = {
    6: "",
    **dict.fromkeys((7, 9, 14), "先週のまとめ"),
    36: "先月のまとめ",
    100: "2026年6月のまとめ",
}


@pytest.mark.parametrize(("away", "label"), RECAPS.items())
def test_a_recap_is_offered_after_a_week(
    question: Asking, state: State, away: int, label: str
) -> None:
    plain = Reply((Text("答え"),))
    assert with_firsts(question(), plain, state.values, Lru(9)) == plain, (
        "the first question of all"
    )
    found = with_firsts(question(away), plain, state.values, Lru(9))
    assert said(found) == (
        [f"{away}日ぶりですね。{label}は下のボタンから見られます。"] if label else []
    ) + ["答え"]
    assert [choice.label for choice in found.choices] == ([label] if label else [])
    assert with_firsts(question(away), plain, state.values, Lru(9)) == plain, "once"


@pytest.mark.parametrize("verb", ["get", "replace"])
def test_an_offer_that_could_not_be_noted_comes_with_the_next_answer(
    question: Asking, state: State, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    def down(*_: object) -> str:
        raise StorageError("down")

    plain = Reply((Text("答え"),))
    known = Lru[str, str](9)
    with_firsts(question(), plain, state.values, known)
    with monkeypatch.context() as away:
        away.setattr(state.values, verb, down)
        assert with_firsts(question(7), plain, state.values, known) == plain
    assert with_firsts(question(7), plain, state.values, known) != plain


def test_nothing_is_offered_without_games_since(question: Asking, state: State) -> None:
    plain = Reply((Text("答え"),))
    with_firsts(question(22), plain, state.values, Lru(9))
    assert with_firsts(question(40), plain, state.values, Lru(9)) == plain


def test_nothing_is_offered_to_who_asks_for_a_recap(question: Asking, state: State) -> None:
    plain = Reply((Text("答え"),))
    with_firsts(question(), plain, state.values, Lru(9))
    assert with_firsts(question(10, name="recap"), plain, state.values, Lru(9)) == plain


def images(answer: list[Json]) -> int:
    return sum(message["type"] == "image" for message in answer)


def test_through_the_service(tmp_path: Path, backend: Backend) -> None:
    with opened(tmp_path, backend) as bot:
        one, two, three = NAMES[:3]
        line = game(f"{one}(+50.0)", f"{two}(+2.0)", f"{three}(-52.0)")
        bot.write("logvol1.txt", f"20260503\n{line}\n20260504\n{line}\n")
        assert images(bot.say("今日")) == 0, "the evening may go on"
        bot.later(minutes=30)
        first = bot.say("今日")
        assert (images(first), first[0]["type"]) == (1, "image")
        again = bot.say("今日")
        assert images(again) == 0
        assert "ポスター" in str(again[-1]["contents"]["footer"])
        assert images(bot.say("今日", MEMBER, MEMBER)) == 1, "each chat has its own"
        assert images(bot.tap("request_poster?date=2026-05-04")) == 1
        bot.write("logvol1.txt", f"20260503\n{line}\n20260504\n{line}\n20260506\n{line}\n")
        bot.later(days=8)
        back = bot.say("収支")
        assert words_of(back).startswith("8日ぶりですね。先週のまとめは下のボタンから見られます。")
        assert "先週のまとめ" in str(back[-1]["contents"]["footer"])
        assert "ぶりですね" not in words_of(bot.say("収支"))
