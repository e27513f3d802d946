"""Words and sentences as members type them, and what comes, in a group and in the 1:1 chat: every
word that ever asked a command still asks it, and so does the data of every button in members'
chats."""

import re
from dataclasses import replace
from datetime import datetime
from functools import cache
from time import process_time
from urllib.parse import parse_qsl

import pytest

from bot.answers.catalogue import CATALOGUE, FEATURES
from bot.answers.common.members import names_of
from bot.answers.common.ratings import model_title
from bot.answers.common.reader import Reader
from bot.answers.common.typed import understood
from bot.chat.command import Ask, Asker, Catalogue, Command, Spec, Term, data_of
from bot.chat.replies import Picture, Reply, Text, UserError
from bot.dispatch.router import Router
from bot.line.webhook import Event
from rating.logdates import JST
from rating.models import MODELS
from tests.answers.leagues import ROUTER, LeagueWorld
from tests.fakes.speed import slowness
from tests.real import DATA, cases

GROUP = "C" + "2" * 32
USER = "U" + "1" * 32
ME = "みどり一色"
WEDNESDAY = datetime(2026, 11, 11, 21, 0, tzinfo=JST)
# Every rating of the games by its own name, beside what members type.
SHOWN = cases("shown.tsv") + [
    ["g", title, f"{title}　第2シーズン"]
    for title in (model_title(name) for name, model in MODELS.items() if model.plays == "games")
]


@cache
def _world(league: str) -> tuple[LeagueWorld, Router]:
    world = LeagueWorld.again(league)
    return world, Router(FEATURES, lambda chat: names_of(world.repository.snapshot()))


def command_of(league: str, text: str, chat: str) -> Command | None:
    """What a text asks in a group (g), of the bot in it (m) or alone with the bot (a)."""
    talk = USER if chat == "a" else GROUP
    mentioned = chat == "m"
    event = Event(
        "1", "message", talk, USER, "t", 0.0, text=text, message_type="text", mentioned=mentioned
    )
    return _world(league)[1].command_of(event)


def heard(text: str, chat: str = "g") -> Reply | None:
    """What the bot says to a text in the league of nine, None for nothing."""
    command = command_of("nine", text, chat)
    if command is None:
        return None
    try:
        return _world("nine")[0].reply(command)
    except UserError as error:
        return None if error.chatter and chat == "g" else error.reply


def words(reply: Reply) -> str:
    found = []
    for part in reply.parts:
        if isinstance(part, Picture):
            found.append(part.alt)
        elif isinstance(part, Text):
            found.append(part.text)
        elif hasattr(part, "title"):
            found.append(part.title)
    return "\n".join(found)


@pytest.mark.parametrize(("chat", "text", "shown"), SHOWN)
def test_what_comes(chat: str, text: str, shown: str) -> None:
    reply = heard(text, chat)
    if shown == "-":
        assert reply is None
    else:
        assert reply is not None
        assert shown in words(reply)


READING = [
    spec for spec in CATALOGUE.values() if spec.takes_words and not (spec.hidden or spec.slow)
]


@pytest.mark.parametrize("spec", READING, ids=lambda spec: spec.name)
def test_a_commands_word_never_gets_silence(spec: Spec) -> None:
    """Whatever follows the word of a command that reads: members and days everywhere, nonsense in
    the 1:1 chat; in a group that is talk."""
    for rest in ("", " みどり", " 先月"):
        assert heard(spec.title + rest) is not None, rest
    for rest in (" ぞうさん", " 13月", " 9/31", " いつやる？"):
        assert heard(spec.title + rest) is None, rest
        assert heard(spec.title + rest, "a") is not None, rest


# -- 884 sentences and 620 pieces of talk, in the league of the demo


def asked(text: str, chat: str = "g") -> str:
    """The command and options that a text asks and that are answered, "" for silence. An asker
    whose name is unknown is in a chat called u."""
    command = command_of("demo", text, chat)
    if command is None:
        return ""
    world, _ = _world("demo")
    world.asker = Asker(
        USER if chat == "a" else GROUP,
        USER,
        player="" if chat == "u" else ME,
    )
    question = replace(world.question(command), now=WEDNESDAY)
    try:
        question = understood(question)
        spec = CATALOGUE[question.command.name]
        silent = False
        if spec.answer is not None and not spec.slow:
            spec.answer(question)
    except UserError as error:
        silent = error.chatter and chat not in ("a", "m")
    if silent:
        return ""
    options = sorted(question.command.options.items())
    words = [f"{key}={value}" for key, value in options]
    return " ".join([question.command.name, *words])


def test_sentences_are_answered_rightly_and_talk_is_not() -> None:
    right = []
    wrong = []
    missed = []
    sentences = cases("sentences.tsv")
    for _, chat, text, expected in sentences:
        wanted = []
        for alternative in expected.split(" or "):
            name, *options = alternative.split()
            wanted.append(" ".join([name, *sorted(options)]))
        got = asked(text, chat)
        if got in wanted:
            right.append((text, got, expected))
        elif got and not got.startswith("unknown"):
            wrong.append((text, got, expected))
        else:
            missed.append((text, got, expected))
    talk = (DATA / "talk.txt").read_text("utf-8").splitlines()
    answered = [(text, got) for text in talk if (got := asked(text))]
    told = f"right {len(right)}, wrong {wrong}, missed {missed}; talk answered {answered}"
    assert 0.9 * len(sentences) <= len(right), told
    assert len(wrong) <= 0.02 * len(sentences), told
    assert len(answered) <= 0.02 * len(talk), told


def test_a_name_that_ends_like_a_little_word_is_read_whole() -> None:
    reader = Reader(CATALOGUE, {"みなと": "湊"})
    assert [term.value for term in reader.read("みなとの成績")] == ["湊", "player"]
    assert [term.value for term in reader.read("みなとくんとの成績")] == ["湊", "pair"]


@pytest.mark.parametrize("text", ["6月の着順", f"{ME} 先月", f"収支 {ME}"])
def test_a_text_is_read_once(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the router or, with the words after a command's, by the answer."""
    texts: list[str] = []
    read = Reader.read

    def noted(reader: Reader, text: str) -> tuple[Term, ...]:
        texts.append(text)
        return read(reader, text)

    monkeypatch.setattr(Reader, "read", noted)
    assert asked(text)
    assert len(texts) == 1


def test_reading_takes_a_bounded_time() -> None:
    """60 characters of the words that begin most terms, and of nothing: the most that is read."""
    world, router = _world("demo")
    names = names_of(world.repository.snapshot())
    slow = slowness()
    for text in (
        "差" * 59 + "x",
        "今日の" * 19 + "x",
        "1/" * 29 + "x",
        "さくら" * 19 + "x",
        "は" * 59 + "x",
    ):
        began = process_time()
        assert not Reader(CATALOGUE, names).read(text), text
        assert process_time() - began < 0.25 * slow, text
        assert router.from_words(text) is None


WORDS = cases("words.tsv")


@pytest.mark.parametrize(("data", "words"), WORDS)
def test_every_word_of_before_asks_its_command(data: str, words: str) -> None:
    for word in words.split():
        for typed in (word, f"{word}は？", word.upper()):
            command = ROUTER.from_words(typed)
            assert command is not None, typed
            assert data_of(command.name, **command.options) == data, typed


def test_the_list_is_whole() -> None:
    said = {word for _, words in WORDS for word in words.split()}
    now: set[str] = set()
    for spec in CATALOGUE.values():
        now.update(spec.words.split(), spec.shortcuts)
    made = re.compile(
        "誰|差$|と$|率$|一番|いちばん|1番|まで|なら$|ったら$|変え|変更|何点|^いく|^なんぼ|^どれ|^どんだけ"
    )  # 誰がトップ and their like
    assert {word for word in now if not made.search(word)} <= said


def test_every_command_answers_its_words() -> None:
    """In the league of nine, where a word alone asks something that reads and is quick."""
    world = LeagueWorld.again("nine", "みどり")
    for data in dict(WORDS):
        command = ROUTER.from_postback(data)
        assert command is not None
        spec = CATALOGUE[command.name]
        if spec.answer is not None and not spec.slow:
            assert world.ask(data).messages, data


def test_old_buttons_keep_their_options() -> None:
    for (data,) in cases("buttons.txt"):
        name, _, query = data.removeprefix("request_").partition("?")
        assert ROUTER.from_postback(data) == Command(name, dict(parse_qsl(query)))


@pytest.mark.parametrize(
    "name", [name for name, spec in CATALOGUE.items() if "seats" in spec.takes]
)
def test_the_words_of_seats_mean_the_same_everywhere(name: str) -> None:
    world = LeagueWorld.again("nine", "みどり")
    for word in ("3人", "三人", "三麻", "サンマ", "３人打ち", "三人麻雀"):
        said = ROUTER.from_words(f"{CATALOGUE[name].title} {word}")
        assert said is not None
        assert understood(world.question(said)).option("seats") == "3", word


@pytest.mark.parametrize(
    ("asked", "words", "data"),
    [
        ("request_paifu?seats=4&show=riichi", "3人は？", "request_paifu?seats=3&show=riichi"),
        ("request_paifu?seats=4", "放銃は？", "request_paifu?seats=4&show=deal_ins"),
        (
            "request_records?page=2",
            "みどりは？",
            "request_records?player=%E3%81%BF%E3%81%A9%E3%82%8A",
        ),
        ("request_sum?season=1", "牌譜は？", "request_records?season=1"),
        ("request_gallery", "収支は？", "request_sum"),
        (
            "request_player?player=%E3%81%BF%E3%81%A9%E3%82%8A",
            "さっきの牌譜",
            "request_last_record",
        ),
        ("request_rank?season=1", "9月は？", "request_rank?from=2026-09-01&to=2026-09-30"),
    ],
)
def test_every_answer_that_takes_words_can_be_quoted(asked: str, words: str, data: str) -> None:
    router = Router(FEATURES, question_of=lambda chat, message: asked)
    text = Event(
        "1",
        "message",
        "C1",
        "U1",
        "t",
        0.0,
        text=words,
        message_type="text",
        quoted="1",
    )
    command = router.command_of(text)
    assert command is not None
    said = understood(LeagueWorld.again("nine").question(command)).command
    assert data_of(said.name, **dict(sorted(said.options.items()))) == data


def test_a_misspelt_command_is_found_when_the_catalogue_is_made() -> None:
    specs = (
        Spec(
            name="one",
            title="一",
            instead="two",
        ),
        Spec(name="two", title="二"),
    )
    Catalogue(specs).check()
    Catalogue(specs[:1]).check(["two"])
    with pytest.raises(ValueError, match="no such command: two"):
        Catalogue(specs[:1]).check(["three"])


def test_every_named_command_belongs_to_a_feature() -> None:
    assert set(Ask.names()) <= set(CATALOGUE)
