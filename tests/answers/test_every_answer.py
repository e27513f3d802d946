"""Every command of members in leagues of every kind: LINE accepts the messages, buttons lead on,
pictures draw."""

import json
import logging
from typing import Any
from urllib.parse import parse_qsl, quote

import pytest

from bot.answers.catalogue import CATALOGUE
from bot.chat.replies import Choice, Picture, Reply, Row, Table
from bot.draw.style import LOOKED_FOR, SMALLEST
from bot.line.button_rows import MENU
from bot.line.messages import messages
from rating.models import MODELS
from tests.answers.leagues import (
    LEAGUES,
    LONG,
    NINE,
    ROUTER,
    Asked,
    LeagueWorld,
    game,
    world as made,
)
from tests.draw.writing import overlaps, watched
from tests.real import cases
from tests.schema import assert_messages_pass, objects
from tests.tools.looks import members_of, sizes

FOR_MEMBERS = [spec for spec in CATALOGUE.values() if not (spec.admin or spec.hidden)]
READING = [spec.name for spec in FOR_MEMBERS]
READING += ["menu", "models"]
"""Every command a member may give; the menu, which leads to them, and the list of ratings are
hidden in themselves."""
QUICK = [name for name in READING if name != "compare"]
LONGEST = 120  # characters of an alt text
TITLES = {spec.title for spec in CATALOGUE.values()}
PLAIN = {"menu", "help", "greeting", "page"}  # about the bot, without a result


def check(asked: Asked, name: str = "menu") -> None:
    """LINE accepts the answer, it offers at least one button, each button is a known command, and
    what notifications and LINE's list of chats show is one line that tells the result."""
    assert_messages_pass(asked.messages)
    assert asked.choices, "a way on"
    for message in asked.messages:
        if message["type"] == "flex":
            bubbles = message["contents"].get("contents", [message["contents"]])
            for bubble in bubbles:
                assert len(json.dumps(bubble, ensure_ascii=False).encode()) <= 30_000
            assert message["altText"].strip()
    for tap in asked.choices:
        assert len(tap["data"]) <= 300
        assert ROUTER.from_postback(tap["data"]) is not None, tap
        assert tap["label"].strip()
    for word in ("league.toml", "None", "nan", "{", "Traceback"):
        assert word not in asked.words
    for alt in filter(None, (message.get("altText") for message in asked.messages)):
        assert alt == " ".join(alt.splitlines()).strip(), name
        assert len(alt) <= LONGEST or any(8 * name in alt for name in LONG), alt
        assert not any(word in alt for word in ("None", "nan", "request_", "…")), alt
        assert alt not in TITLES
        assert name in PLAIN or any(sign in alt for sign in "：。？（"), f"{alt} says no result"
    last_has_words = asked.messages[-1]["type"] in ("flex", "text")
    assert last_has_words or len(asked.messages) == 3, name
    if any(isinstance(part, Table) for part in asked.reply.parts):
        stay = [str(message) for message in asked.messages]
        assert any("footer" in message or MENU in message for message in stay), (
            f"{name}: no button stays"
        )


@pytest.mark.parametrize(
    ("me", "group"),
    [("", False), ("みどり", True)],
    ids=["anybody alone", "member"],
)
@pytest.mark.parametrize("league", LEAGUES)
def test_every_answer_of_every_league(
    league: str, me: str, group: bool, caplog: pytest.LogCaptureFixture
) -> None:
    world = LeagueWorld.again(league, me, group)
    members = {"if": "?player=みどり", "pair": "?player=みどり&other=白發中"}
    with caplog.at_level(logging.WARNING):
        # A comparison is slow, the same for every user, and that of the demo the slowest.
        for name in QUICK if me or league == "demo" else READING:
            check(world.ask(CATALOGUE[name].data), name)
            check(world.ask(CATALOGUE[name].data + "?season=all"), name)
            if name in members:
                check(world.ask(CATALOGUE[name].data + members[name]), name)
        for data in RATED:
            check(world.ask(data), "rating")
        check(world.ask("危険度 19m406p789s11123z 9m4p2z ドラ表示3p"), "danger")
        check(world.ask(CATALOGUE["greeting"].data), "greeting")
    assert not caplog.records


RATED = [f"request_rating?model={model}" for model in MODELS]
MORE = [*RATED, "request_rating?span=50", "request_ranks?by=rating", "request_recap?of=month"]


@pytest.mark.parametrize(
    "league", ["one game", "one player", "guests only", "three", "nine", "twenty", "long names"]
)
def test_every_picture_can_be_read(league: str) -> None:
    """No words lie on others; all have eleven points full screen, and names have nine points in the
    chat.
    """
    turns = ["甲乙丙", "乙丙甲", "丙甲乙"] * 8
    three = [game(f"{a}(+40.0)", f"{b}(-5.0)", f"{c}(-35.0)") for a, b, c in turns]
    world = made("20260901", *three) if league == "three" else LeagueWorld.again(league, NINE[0])
    members = members_of(world)
    one, other = map(quote, (*members, "", "")[:2])
    every = [CATALOGUE[name].data for name in QUICK] + MORE
    every += [f"request_player?player={one}", f"request_pair?player={one}&other={other}"]
    asked = [(world, data) for data in every]
    if league == "twenty":
        anybody = LeagueWorld.again(league)
        asked += [(anybody, data + ("&" if "?" in data else "?") + "season=1") for data in every]
    pictures = {}
    for by, data in asked:
        for part in by.ask(data).pictures:
            pictures[part.key("")] = (part, data)
    for picture, data in pictures.values():
        with watched() as texts:
            assert picture.render().startswith(b"\x89PNG")
        assert overlaps(texts) == [], data
        assert picture.instead, "the same figures in words"
        assert picture.alt
        drawn = sizes(texts, members)
        assert drawn is not None
        assert drawn.least >= SMALLEST, data
        assert drawn.names >= LOOKED_FOR, data


@pytest.mark.parametrize(
    ("league", "drawn"),
    [
        ("empty", set()),
        ("guests only", set()),
        ("one game", {"poster", "player", "pair", "summary", "recap", "me"}),
    ],
)
def test_no_picture_is_empty(league: str, drawn: set[str]) -> None:
    """Without members, and where a picture would show one game's points again, words and tables
    come alone."""
    world = LeagueWorld.again(league, NINE[0])
    found = {name for name in QUICK if world.ask(CATALOGUE[name].data).pictures}
    assert found <= drawn


def test_the_list_of_ratings_is_a_tap_away_and_has_them_all() -> None:
    world = LeagueWorld.again("nine")
    asked = [
        tap["data"] for tap in world.ask(world.ask("レーティング 1期").taps["ほかのレート"]).choices
    ]
    wanted = [f"request_rating?season=1&model={model}" for model in MODELS]
    assert [data for data in asked if data.startswith("request_rating")] == wanted
    assert all(world.ask(data).pictures for data in wanted)


# These refuse politely where chips, paifu or tiles are missing, or a season is over.
WITHOUT = """
needs room signup if rating paifu paifu_luck gallery record_report records last_record danger
"""


def test_every_button_leads_to_an_answer() -> None:
    """Starting from every command, each offered button is tapped, three levels deep. LINE accepts
    each answer."""
    world = LeagueWorld.again("nine", NINE[0])
    seen: set[str] = set()
    waiting = [(CATALOGUE[name].data, 0) for name in QUICK]
    while waiting:
        data, depth = waiting.pop(0)
        command = ROUTER.from_postback(data)
        if (
            data in seen
            or command is None
            or command.name not in READING
            or command.name == "compare"
        ):
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


JUNK = [data for kind, data in cases("forged.tsv") if kind == "option"]


@pytest.mark.parametrize(
    "junk", [*JUNK, "season=" + "9" * 60, "player=" + "a" * 60, "x=" + "y" * 250]
)
def test_junk_in_postback_data(junk: str, caplog: pytest.LogCaptureFixture) -> None:
    world = LeagueWorld.again("nine")
    with caplog.at_level(logging.WARNING):
        for name in QUICK:
            check(world.ask(f"{CATALOGUE[name].data}?{junk}"), name)
    assert not caplog.records


@pytest.mark.parametrize(
    "talk", ["優勝確率 あがれ", "チーム 分けしよう", "収支 やばい", "比較 するな"]
)
def test_words_after_a_command_that_nobody_understands_get_a_sentence(talk: str) -> None:
    asked = LeagueWorld.again("nine").ask(talk)
    check(asked)
    assert asked.refused


def test_the_data_of_every_button_names_its_player() -> None:
    """Long names and symbols stay whole in a button's data."""
    world = LeagueWorld(LEAGUES["long names"])
    asked = world.ask("request_player")
    taps = [tap["data"] for tap in asked.choices if "player=" in tap["data"]]
    options = [dict(parse_qsl(tap.partition("?")[2])) for tap in taps]
    assert [option["player"] for option in options] == list(LONG)
    for tap, name in zip(taps, LONG, strict=True):
        answer = world.ask(tap)
        check(answer)
        assert (name * 8)[:8] in answer.words


BOTH = ("rating", "rank", "point", "matchup", "skill", "forecast")
DRAWN = (*BOTH, "player", "pair", "team", "summary", "poster", "recap")
LINES = (*BOTH, "sum", "sum?show=parts", "needs", "if")


@pytest.mark.parametrize("what", DRAWN)
def test_a_picture_comes_with_one_bubble_that_has_the_buttons(what: str) -> None:
    """The bubble has words for LINE's list of chats. Its buttons are not said twice."""
    league = LeagueWorld.again("demo")
    found = league.ask(
        {"player": "個人 みどり", "pair": "対決 みどり 東風"}.get(what, f"request_{what}")
    )
    image, bubble = found.messages
    assert image["type"] == "image"
    picture = next(part for part in found.reply.parts if isinstance(part, Picture))
    assert bubble["altText"] == picture.alt
    there = buttons(bubble)
    others = bubble.get("quickReply", {"items": []})["items"]
    assert there[-1] == "メニュー"
    assert not {*there} & {item["action"]["label"] for item in others}


@pytest.mark.parametrize("what", LINES)
def test_a_player_is_one_line(what: str) -> None:
    found = LeagueWorld.again("demo").ask("もしも みどり" if what == "if" else f"request_{what}")
    tables = [part for part in found.reply.parts if isinstance(part, Table)]
    assert tables
    assert not any(row.detail for table in tables for row in table.rows)


def test_a_table_of_one_member_stands_for_a_matrix_of_twenty() -> None:
    found = LeagueWorld.again("twenty").ask("request_matchup?season=1")
    assert found.pictures == []
    assert "の相性" in found.words
    assert any(tap["label"] == "ほかの人" for tap in found.choices)


def buttons(message: dict[str, Any]) -> list[str]:
    """The labels of a table's footer, or of the bubble of buttons below a picture."""
    bubble = message["contents"]
    bubble = bubble["contents"][0] if bubble["type"] == "carousel" else bubble
    place = "footer" if "footer" in bubble else "body"
    return [cell["action"]["label"] for cell in bubble[place]["contents"]]


def test_the_first_short_choices_and_the_menu_stand_below_a_table_and_on_its_first_page() -> None:
    menu = Choice("メニュー", MENU)
    choices = (
        Choice("収支", "request_sum"),
        Choice("とても長い名前のシーズン", "request_a"),
        Choice("着順", "request_rank"),
    )
    table = Table("題", (Row("みどり", "+1.0"),))
    (sent,) = messages(Reply((table,), (*choices, menu)))
    assert buttons(sent) == ["収支", "着順", "メニュー"]
    (chosen,) = messages(
        Reply(
            (table,),
            (*choices, menu),
            (choices[2],),
        )
    )
    assert buttons(chosen) == ["着順"]
    (alone,) = messages(Reply((table,)))
    assert "footer" not in alone["contents"]
    rows = tuple(Row(f"選手{n}", "+1.0") for n in range(30))
    (pages,) = messages(
        Reply(
            (Table("題", rows),),
            choices[:1],
        )
    )
    assert pages["contents"]["type"] == "carousel"
    assert buttons(pages) == ["収支"]


def test_changes_and_minus_signs_have_colours() -> None:
    row = Row("みどり", "−3.0", extra=("▲12", "▼5", "−3〜+4"))
    (sent,) = messages(Reply((Table("題", (row,)),)))
    (plain,) = messages(
        Reply(
            (
                Table(
                    "題",
                    (row,),
                    plain=True,
                ),
            )
        )
    )
    shades = shades_of(sent)
    assert shades["▼5"] == shades["−3.0"]
    assert shades["▼5"] != shades["▲12"]
    assert shades["▼5"] != shades["−3〜+4"]
    assert shades_of(plain)["▼5"] == shades["−3〜+4"]


def shades_of(message: dict[str, Any]) -> dict[str, str]:
    """The colours of a message's words."""
    return {
        found["text"]: found.get("color", "")
        for found in objects(message)
        if found.get("type") == "text"
    }
