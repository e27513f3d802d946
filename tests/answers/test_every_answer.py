"""Every command of members in leagues of every kind: LINE accepts the messages, buttons lead on, pictures
draw."""

import json
import logging
from urllib.parse import parse_qsl

import pytest

from bot.answers.catalogue import CATALOGUE
from bot.chat.replies import UserError
from rating.models import MODELS
from tests.answers.leagues import LEAGUES, LONG, NINE, ROUTER, Asked, World
from tests.draw.writing import overlaps, watched
from tests.schema import assert_messages_pass

READING = [name for name, spec in CATALOGUE.items() if not (spec.admin or spec.hidden)]
READING += ["menu", "models"]
"""Every command a member may give; the menu, which leads to them, and the list of ratings are hidden in
themselves."""
ASKERS = ["", "みどり"]


def check(asked: Asked) -> None:
    """LINE accepts the answer, it offers at least one button, and each button is a known command."""
    assert_messages_pass(asked.messages)
    assert asked.choices, "a way on"
    for message in asked.messages:
        if message["type"] == "flex":
            bubbles = message["contents"].get("contents", [message["contents"]])
            assert all(len(json.dumps(b, ensure_ascii=False).encode()) <= 30_000 for b in bubbles)
            assert message["altText"].strip()
    for tap in asked.choices:
        assert len(tap["data"]) <= 300
        assert ROUTER.from_postback(tap["data"]) is not None, tap
        assert tap["label"].strip()
    for word in ("league.toml", "None", "nan", "{", "Traceback"):
        assert word not in asked.words


@pytest.mark.parametrize("group", [True, False], ids=["group", "1:1"])
@pytest.mark.parametrize("me", ASKERS, ids=["anybody", "member"])
@pytest.mark.parametrize("league", [name for name in LEAGUES if name != "demo"])
def test_every_answer_of_every_league(
    league: str, me: str, group: bool, caplog: pytest.LogCaptureFixture
) -> None:
    world = World.again(league, me, group)
    with caplog.at_level(logging.WARNING):
        for name in READING:
            if name == "compare" and (group or me):
                continue  # slow, and the same answer for every user
            check(world.ask(CATALOGUE[name].data))
            check(world.ask(CATALOGUE[name].data + "?season=all"))
    assert not caplog.records


@pytest.mark.parametrize("league", ["one game", "one player", "guests only", "nine", "twenty", "long names"])
def test_every_picture_draws(league: str) -> None:
    world = World.again(league, NINE[0])
    for name in READING:
        if name == "compare":
            continue
        for picture in world.ask(CATALOGUE[name].data).pictures:
            with watched() as texts:
                assert picture.render().startswith(b"\x89PNG")
            assert overlaps(texts) == [], name
            assert picture.instead, "the same figures in words"
            assert picture.alt


@pytest.mark.parametrize(
    ("league", "drawn"),
    [
        ("empty", set()),
        ("guests only", set()),
        ("one game", {"poster", "player", "pair", "summary", "recap", "me"}),
    ],
)
def test_no_picture_is_empty(league: str, drawn: set[str]) -> None:
    """Without members, and where a picture would show one game's points again, words and tables come
    alone."""
    world = World.again(league, NINE[0])
    found = {name for name in READING if name != "compare" and world.ask(CATALOGUE[name].data).pictures}
    assert found <= drawn


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("league", ["empty", "one game", "one player", "nine", "twenty"])
def test_every_model(league: str, model: str) -> None:
    asked = World(LEAGUES[league], NINE[0]).ask(f"request_rating?model={model}")
    check(asked)
    for picture in asked.pictures:
        assert picture.render().startswith(b"\x89PNG")
    if league == "nine":
        assert asked.pictures


def test_the_list_of_ratings_is_a_tap_away_and_has_them_all() -> None:
    world = World.again("nine")
    (button,) = [
        tap
        for tap in world.ask("レーティング 1期").messages[-1]["contents"]["footer"]["contents"]
        if tap["action"]["label"] == "ほかのレート"
    ]
    asked = [tap["data"] for tap in world.ask(button["action"]["data"]).choices]
    assert [data for data in asked if data.startswith("request_rating")] == [
        f"request_rating?season=1&model={model}" for model in MODELS
    ]


# These refuse politely where chips, paifu or tiles are missing, or a season is over.
WITHOUT = """
needs room signup if rating paifu paifu_luck gallery record_report records last_record danger
"""


def test_every_button_leads_to_an_answer() -> None:
    """Starting from every command, each offered button is tapped, three levels deep. LINE accepts each
    answer."""
    world = World.again("nine", NINE[0])
    seen: set[str] = set()
    waiting = [(CATALOGUE[name].data, 0) for name in READING if name != "compare"]
    while waiting:
        data, depth = waiting.pop(0)
        command = ROUTER.from_postback(data)
        if data in seen or command is None or command.name not in READING or command.name == "compare":
            continue
        seen.add(data)
        asked = world.ask(data)
        if command.name == "record" and {"add", "g"} & set(command.options):
            continue  # taps on a form, which are answered when it is complete
        check(asked)
        assert not asked.refused or command.name in WITHOUT.split(), data
        if depth < 2:
            waiting += [(tap["data"], depth + 1) for tap in asked.choices]
    assert len(seen) > 100


JUNK = """
season=9 season=../x model=elo model=%00 player=%F0%9F%80%84 player=NoName player=~000000000000
player=../../etc other=x player=%E3%81%BF%E3%81%A9%E3%82%8A&other=%E3%81%BF%E3%81%A9%E3%82%8A seats=5
seats=4 axis=moon span=-1 page=0 page=99999999 page=-3 page=%E2%91%A0 date=2026-13-45 date=1999-01-01
show=__class__ view=x do=x who=x &&&&&&&&&&&&&&&&&&&&&&
"""


@pytest.mark.parametrize(
    "junk", [*JUNK.split(), "season=" + "9" * 60, "player=" + "a" * 60, "x=" + "y" * 250]
)
def test_junk_in_postback_data(junk: str, caplog: pytest.LogCaptureFixture) -> None:
    world = World.again("nine")
    with caplog.at_level(logging.WARNING):
        for name in READING:
            if name != "compare":
                check(world.ask(f"{CATALOGUE[name].data}?{junk}"))
    assert not caplog.records


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("ぐらふ", "rating"),
        ("レーティング btr", "rating"),
        ("れーと 着順の強さ", "rating"),
        ("しゅうけい", "sum"),
        ("収支 全部", "sum"),
        ("着順 2期", "rank"),
        ("点数推移", "point"),
        ("チップ", "tip"),
        ("きょう", "today"),
        ("直近 みどり", "recent"),
        ("個人 ミドリ", "player"),
        ("成績 みどりさん 通算", "player"),
        ("相性 みどり", "matchup"),
        ("相性 みどり 白發中", "matchup"),
        ("二人 みどり 白發中 第1シーズン", "pair"),
        ("ふたり ﾐﾄﾞﾘ 白發中", "pair"),
        ("チーム 全部", "team"),
        ("まとめ 1", "summary"),
        ("優勝確率 1期", "forecast"),
        ("ゆうしょうかくりつ", "forecast"),
        ("CSV", "export"),
        ("自分 まん|がん", "me"),
    ],
)
def test_words(words: str, name: str) -> None:
    command = ROUTER.from_words(words)
    assert command is not None
    assert command.name == name
    asked = World.again("nine").ask(words)
    check(asked)
    assert not asked.refused


@pytest.mark.parametrize("talk", ["優勝確率 あがれ", "チーム 分けしよう", "収支 やばい", "比較 するな"])
def test_words_after_a_command_that_nobody_understands_get_a_sentence(talk: str) -> None:
    asked = World.again("nine").ask(talk)
    check(asked)
    assert asked.refused


@pytest.mark.parametrize("talk", ["今日 打てる人", "最近 寒いですね", "二人 足りないよー"])
def test_talk_that_begins_with_an_everyday_word(talk: str) -> None:
    command = ROUTER.from_words(talk)
    assert command is not None
    assert command.tentative
    with pytest.raises(UserError) as raised:
        World.again("nine").reply(command)
    assert raised.value.chatter


def test_the_data_of_every_button_names_its_player() -> None:
    """Long names and symbols stay whole in a button's data."""
    world = World(LEAGUES["long names"])
    asked = world.ask("request_player")
    taps = [tap["data"] for tap in asked.choices if "player=" in tap["data"]]
    assert [dict(parse_qsl(tap.partition("?")[2]))["player"] for tap in taps] == list(LONG)
    for tap, name in zip(taps, LONG, strict=True):
        answer = world.ask(tap)
        check(answer)
        assert (name * 8)[:8] in answer.words
