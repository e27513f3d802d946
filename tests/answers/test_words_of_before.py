"""Every word that ever asked a command still asks it, and so does the data of every button in members'
chats."""

import re
from urllib.parse import parse_qsl

import pytest

from bot.answers.catalogue import CATALOGUE
from bot.answers.common.typed import understood
from bot.chat.command import Catalogue, Command, Spec, data_of
from bot.dispatch.router import Router
from bot.line.webhook import Event
from tests.answers.leagues import ROUTER, World
from tests.real import cases

WORDS = cases("words.tsv")


@pytest.mark.parametrize(("data", "words"), WORDS)
def test_every_word_of_before_asks_its_command(data: str, words: str) -> None:
    for typed in (each for word in words.split() for each in (word, f"{word}は？", word.upper())):
        command = ROUTER.from_words(typed)
        assert command is not None, typed
        assert data_of(command.name, **command.options) == data, typed


def test_the_list_is_whole() -> None:
    said = {word for _, words in WORDS for word in words.split()}
    now = {word for spec in CATALOGUE.values() for word in (*spec.words.split(), *spec.shortcuts)}
    made = re.compile(
        "誰|差$|と$|率$|一番|いちばん|1番|まで|なら$|ったら$|変え|変更|何点|^いく|^なんぼ|^どれ|^どんだけ"
    )  # 誰がトップ and their like
    assert {word for word in now if not made.search(word)} <= said


def test_every_command_answers_its_words() -> None:
    """In the league of nine, where a word alone asks something that reads and is quick."""
    world = World.again("nine", "みどり")
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


@pytest.mark.parametrize("name", [name for name, spec in CATALOGUE.items() if "seats" in spec.takes])
def test_the_words_of_seats_mean_the_same_everywhere(name: str) -> None:
    world = World.again("nine", "みどり")
    for word in ("3人", "三人", "三麻", "サンマ", "３人打ち", "三人麻雀"):
        said = ROUTER.from_words(f"{CATALOGUE[name].title} {word}")
        assert said is not None
        assert understood(world.question(said)).option("seats") == "3", word


@pytest.mark.parametrize(
    ("asked", "words", "data"),
    [
        ("request_paifu?seats=4&show=riichi", "3人は？", "request_paifu?seats=3&show=riichi"),
        ("request_paifu?seats=4", "放銃は？", "request_paifu?seats=4&show=deal_ins"),
        ("request_records?page=2", "みどりは？", "request_records?player=%E3%81%BF%E3%81%A9%E3%82%8A"),
        ("request_sum?season=1", "牌譜は？", "request_records?season=1"),
        ("request_gallery", "収支は？", "request_sum"),
        ("request_player?player=%E3%81%BF%E3%81%A9%E3%82%8A", "さっきの牌譜", "request_last_record"),
        ("request_rank?season=1", "9月は？", "request_rank?from=2026-09-01&to=2026-09-30"),
    ],
)
def test_every_answer_that_takes_words_can_be_quoted(asked: str, words: str, data: str) -> None:
    router = Router(CATALOGUE, asked=lambda chat, message: asked)
    text = Event("1", "message", "C1", "U1", "t", 0.0, text=words, message_type="text", quoted="1")
    command = router.command_of(text)
    assert command is not None
    said = understood(World.again("nine").question(command)).command
    assert data_of(said.name, **dict(sorted(said.options.items()))) == data


def test_a_misspelt_command_is_found_when_the_catalogue_is_made() -> None:
    specs = (Spec(name="one", title="一", instead="two"), Spec(name="two", title="二"))
    Catalogue(specs).check(["one"])
    with pytest.raises(ValueError, match="no such command: two"):
        Catalogue(specs[:1]).check()
    with pytest.raises(ValueError, match="no such command: three"):
        Catalogue(specs).check(["three"])
