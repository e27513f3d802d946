from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.answers.catalogue import FEATURES
from bot.chat.command import Ask, Command, Question, choice
from bot.chat.feature import Feature, Features, Offer, OfferMaker
from bot.chat.replies import Once, Reply, Text
from bot.dispatch.extras import Extras
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


def texts_of(reply: Reply) -> list[str]:
    return [part.text for part in reply.parts if isinstance(part, Text)]


@pytest.fixture
def question() -> Callable[..., Question]:
    days = [f"202606{day:02}\n{game('甲(+1.0)', '乙(0.0)', '丙(-1.0)')}" for day in (2, 9, 23)]
    league = world(*days)

    def at(days: int = 0, name: str = "sum", chat: str = "C1") -> Question:
        question = league.question(Command(name))
        return replace(
            question,
            asker=replace(question.asker, chat=chat),
            now=MONDAY + timedelta(days=days),
        )

    return at


def test_each_chat_gets_a_first_part_once(question: Asking, state: State) -> None:
    assert texts_of(
        Extras(FEATURES, state).with_firsts(
            question(),
            REPLY,
            "1",
        )
    ) == ["答え", "ポスター"]
    extras = Extras(FEATURES, state)
    assert texts_of(extras.with_firsts(question(), REPLY, "2")) == ["答え"]
    assert texts_of(
        Extras(FEATURES, state).with_firsts(
            question(chat="C2"),
            REPLY,
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
    assert texts_of(
        Extras(FEATURES, state).with_firsts(
            question(),
            full,
            "1",
        )
    ) == list("01234")


def test_a_repeated_tap_gets_the_first_part_again(question: Asking, state: State) -> None:
    Extras(FEATURES, state).with_firsts(question(), REPLY, "1")
    assert texts_of(
        Extras(FEATURES, state).with_firsts(
            question(),
            REPLY,
            "1",
        )
    ) == ["答え", "ポスター"]
    assert texts_of(Extras(FEATURES, state).with_firsts(question(), REPLY, "2")) == ["答え"]


def test_an_outage_of_the_store_costs_only_the_extra(
    question: Asking, state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(*_: object) -> bool:
        raise StorageError("down")

    monkeypatch.setattr(state.values, "add", down)
    assert texts_of(Extras(FEATURES, state).with_firsts(question(), REPLY, "1")) == ["答え"]


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
    assert Extras(FEATURES, state).with_firsts(question(), plain) == plain, (
        "the first question of all"
    )
    reply = Extras(FEATURES, state).with_firsts(question(away), plain)
    assert texts_of(reply) == (
        [f"{away}日ぶりですね。{label}は下のボタンから見られます。"] if label else []
    ) + ["答え"]
    assert [choice.label for choice in reply.choices] == ([label] if label else [])
    assert Extras(FEATURES, state).with_firsts(question(away), plain) == plain, "once"


@pytest.mark.parametrize("verb", ["get", "replace"])
def test_an_offer_that_was_not_stored_comes_again(
    question: Asking, state: State, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    def down(*_: object) -> str:
        raise StorageError("down")

    plain = Reply((Text("答え"),))
    extras = Extras(FEATURES, state)
    extras.with_firsts(question(), plain)
    with monkeypatch.context() as away:
        away.setattr(state.values, verb, down)
        assert extras.with_firsts(question(7), plain) == plain
    assert extras.with_firsts(question(7), plain) != plain


def test_nothing_is_offered_without_games_since(question: Asking, state: State) -> None:
    plain = Reply((Text("答え"),))
    Extras(FEATURES, state).with_firsts(question(22), plain)
    assert Extras(FEATURES, state).with_firsts(question(40), plain) == plain


def test_a_recap_is_not_offered_below_a_recap(question: Asking, state: State) -> None:
    plain = Reply((Text("答え"),))
    Extras(FEATURES, state).with_firsts(question(), plain)
    assert Extras(FEATURES, state).with_firsts(question(10, name="recap"), plain) == plain


def test_the_first_feature_with_an_offer_makes_it(question: Asking, state: State) -> None:
    def offers_of(label: str) -> OfferMaker:
        return lambda question, last: [Offer(choice(label, Ask.SUM))] if label else []

    declared = [
        Feature(name=label, specs=(), offers=(offers_of(label),)) for label in ("", "一", "二")
    ]
    features = Features(tuple(declared))
    reply = Extras(features, state).with_firsts(question(), Reply((Text("答え"),)))
    assert [button.label for button in reply.choices] == ["一"]


def images(answer: list[Json]) -> int:
    return sum(message["type"] == "image" for message in answer)


def test_through_the_service(tmp_path: Path, backend: Backend) -> None:
    with opened(tmp_path, backend) as bot:
        first_name, second_name, third_name = NAMES[:3]
        line = game(f"{first_name}(+50.0)", f"{second_name}(+2.0)", f"{third_name}(-52.0)")
        bot.write("logvol1.txt", f"20260503\n{line}\n20260504\n{line}\n")
        assert images(bot.say("今日")) == 0, "the evening may go on"
        bot.later(minutes=30)
        first = bot.say("今日")
        assert (images(first), first[0]["type"]) == (1, "image")
        again = bot.say("今日")
        assert images(again) == 0
        assert "ポスター" in str(again[-1]["contents"]["footer"])
        assert images(bot.say("今日", MEMBER, MEMBER)) == 1, "every chat has a first time"
        assert images(bot.tap("request_poster?date=2026-05-04")) == 1
        bot.write("logvol1.txt", f"20260503\n{line}\n20260504\n{line}\n20260506\n{line}\n")
        bot.later(days=8)
        back = bot.say("収支")
        assert words_of(back).startswith("8日ぶりですね。先週のまとめは下のボタンから見られます。")
        assert "先週のまとめ" in str(back[-1]["contents"]["footer"])
        assert "ぶりですね" not in words_of(bot.say("収支"))
