"""What members see can be read on a phone: one line a row, the picture last, buttons that stay."""

from typing import Any

import pytest

from bot.chat.replies import Choice, Picture, Reply, Row, Table
from bot.line import flex
from bot.line.messages import messages
from tests.answers.leagues import World
from tests.schema import objects

BOTH = ("rating", "rank", "point", "matchup", "skill", "forecast")
DRAWN = (*BOTH, "player", "pair", "team", "summary", "poster", "recap")
LINES = (*BOTH, "sum", "sum?show=parts", "needs", "if")


@pytest.mark.parametrize("what", DRAWN)
def test_a_picture_comes_with_one_bubble_that_has_the_buttons(what: str) -> None:
    """The bubble has words for LINE's list of chats. Its buttons are not said twice."""
    league = World.again("demo")
    found = league.ask({"player": "個人 みどり", "pair": "対決 みどり 東風"}.get(what, f"request_{what}"))
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
    found = World.again("demo").ask("もしも みどり" if what == "if" else f"request_{what}")
    tables = [part for part in found.reply.parts if isinstance(part, Table)]
    assert tables
    assert not any(row.detail for table in tables for row in table.rows)


def test_a_table_of_one_member_stands_for_a_matrix_of_twenty() -> None:
    found = World.again("twenty").ask("request_matchup?season=1")
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
    menu = Choice("メニュー", flex.MENU)
    choices = (
        Choice("収支", "request_sum"),
        Choice("とても長い名前のシーズン", "request_a"),
        Choice("着順", "request_rank"),
    )
    table = Table("題", (Row("みどり", "+1.0"),))
    (sent,) = messages(Reply((table,), (*choices, menu)), lambda part: "")
    assert buttons(sent) == ["収支", "着順", "メニュー"]
    (chosen,) = messages(Reply((table,), (*choices, menu), (choices[2],)), lambda part: "")
    assert buttons(chosen) == ["着順"]
    (alone,) = messages(Reply((table,)), lambda part: "")
    assert "footer" not in alone["contents"]
    rows = tuple(Row(f"選手{n}", "+1.0") for n in range(30))
    (pages,) = messages(Reply((Table("題", rows),), choices[:1]), lambda part: "")
    assert pages["contents"]["type"] == "carousel"
    assert buttons(pages) == ["収支"]


def test_changes_and_minus_signs_have_colours() -> None:
    row = Row("みどり", "−3.0", extra=("▲12", "▼5", "−3〜+4"))
    (sent,) = messages(Reply((Table("題", (row,)),)), lambda part: "")
    (plain,) = messages(Reply((Table("題", (row,), plain=True),)), lambda part: "")
    shades = shades_of(sent)
    assert shades["▲12"] != shades["▼5"] == shades["−3.0"] != shades["−3〜+4"]
    assert shades_of(plain)["▼5"] == shades["−3〜+4"]


def shades_of(message: dict[str, Any]) -> dict[str, str]:
    """The colours of a message's words."""
    return {
        found["text"]: found.get("color", "") for found in objects(message) if found.get("type") == "text"
    }
