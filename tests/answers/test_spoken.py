"""What members type as they speak: 884 sentences and 620 pieces of talk, typed by the rules, as a tired member
at midnight types, and before the reader was looked at."""

from dataclasses import replace
from datetime import datetime
from functools import cache
from pathlib import Path
from time import process_time

from bot.answers.catalogue import CATALOGUE
from bot.answers.common.members import names_of
from bot.answers.common.reader import Reader
from bot.answers.common.typed import understood
from bot.chat.command import Asker
from bot.chat.replies import UserError
from bot.dispatch.router import Router
from bot.line.webhook import Event
from rating.logdates import JST
from tests.answers.leagues import World

DATA = Path(__file__).parent.parent / "data"
GROUP, USER, ME = "C" + "2" * 32, "U" + "1" * 32, "みどり一色"
NOW = datetime(2026, 11, 11, 21, 0, tzinfo=JST)


@cache
def _world() -> tuple[World, Router]:
    world = World.again("demo")
    return world, Router(CATALOGUE, lambda chat: names_of(world.repository.snapshot()))


def asked(text: str, chat: str = "g") -> str:
    """The command and options that a text asks and that are answered, "" for silence."""
    world, router = _world()
    alone, mentioned = chat == "a", chat == "m"
    talk = USER if alone else GROUP
    event = Event("1", "message", talk, USER, "t", 0.0, text=text, message_type="text", mentioned=mentioned)
    command = router.command_of(event)
    if command is None:
        return ""
    world.asker = Asker(talk, USER, player="" if chat == "u" else ME)
    question = replace(world.question(command), now=NOW)
    try:
        question = understood(question)
        spec, silent = CATALOGUE[question.command.name], False
        if spec.answer is not None and not spec.slow:
            spec.answer(question)
    except UserError as error:
        silent = error.chatter and not (alone or mentioned)
    told = question.command
    return "" if silent else " ".join([told.name, *(f"{k}={v}" for k, v in sorted(told.options.items()))])


def test_sentences_are_answered_rightly_and_talk_is_not() -> None:
    right, wrong, missed = [], [], []
    lines = (DATA / "sentences.tsv").read_text("utf-8").splitlines()
    for _, chat, text, expected in (line.split("\t") for line in lines if not line.startswith("#")):
        wanted = [" ".join([w.split()[0], *sorted(w.split()[1:])]) for w in expected.split(" or ")]
        got = asked(text, chat)
        place = right if got in wanted else wrong if got and not got.startswith("unknown") else missed
        place.append((text, got, expected))
    talk = (DATA / "talk.txt").read_text("utf-8").splitlines()
    answered = [(text, got) for text in talk if (got := asked(text))]
    told = f"right {len(right)}, wrong {wrong}, missed {missed}; talk answered {answered}"
    assert 0.9 * (len(lines) - 2) <= len(right), told
    assert len(wrong) <= 0.02 * len(lines), told
    assert len(answered) <= 0.02 * len(talk), told


def test_a_name_that_ends_like_a_little_word_is_read_whole() -> None:
    reader = Reader(CATALOGUE, {"みなと": "湊"})
    assert [term.value for term in reader.read("みなとの成績")] == ["湊", "player"]
    assert [term.value for term in reader.read("みなとくんとの成績")] == ["湊", "pair"]


def test_reading_takes_a_bounded_time() -> None:
    """60 characters of the words that begin most terms, and of nothing: the most that is read."""
    world, router = _world()
    names = names_of(world.repository.snapshot())
    for text in ("差" * 59 + "x", "今日の" * 19 + "x", "1/" * 29 + "x", "さくら" * 19 + "x", "は" * 59 + "x"):
        began = process_time()
        assert not Reader(CATALOGUE, names).read(text), text
        assert process_time() - began < 0.25, text
        assert router.from_words(text) is None
