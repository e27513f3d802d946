"""What members see can be read on a phone: sizes in pictures, one line a row, the picture last, buttons that
stay."""

from urllib.parse import quote

import pytest

from bot.answers.catalogue import CATALOGUE
from bot.chat.replies import Choice, Picture, Reply, Row, Table
from bot.draw.style import LOOKED_FOR, SMALLEST
from bot.line.messages import MENU, messages
from tests.answers.leagues import World, game, world
from tests.tools.looks import members_of, sizes

DRAWN = [
    "rating",
    "rank",
    "point",
    "player",
    "matchup",
    "pair",
    "team",
    "summary",
    "poster",
    "recap",
    "forecast",
    "skill",
]
MATCHES = "ranks", "rating?model=team_elo", "rating?model=bradley_terry", "rating?span=50", "recap?of=month"
KINDS = {"three": "nine", "nine": "nine", "twenty": "twenty", "long": "long names"}
LINES = ["rating", "sum", "sum?show=parts", "rank", "point", "matchup", "needs", "if", "skill", "forecast"]


def of(kind: str) -> World:
    if kind != "three":
        return World.again(KINDS[kind])
    turns = [("甲", "乙", "丙"), ("乙", "丙", "甲"), ("丙", "甲", "乙")] * 8
    return world("20260901", *[game(f"{a}(+40.0)", f"{b}(-5.0)", f"{c}(-35.0)") for a, b, c in turns])


def asked(league: World, what: str) -> str:
    one, other = members_of(league)[:2]
    of_members = {"player": f"?player={quote(one)}", "pair": f"?player={quote(one)}&other={quote(other)}"}
    return f"request_{what}" + of_members.get(what, "")


@pytest.mark.parametrize("what", [*DRAWN, *MATCHES])
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_too_small_to_read(kind: str, what: str) -> None:
    """Eleven points full screen; names nine points in the chat."""
    league = of(kind)
    season = "season=1" * (kind == "twenty" and what not in ("player", "pair"))
    mark = "&" if "?" in what else "?"
    found = league.ask(asked(league, what) + (mark + season if season else ""))
    drawn = sizes(found.pictures, members_of(league))
    if drawn:
        assert drawn.least >= SMALLEST
        assert drawn.names >= LOOKED_FOR


@pytest.mark.parametrize("what", DRAWN)
def test_a_picture_comes_with_one_bubble_that_has_the_buttons(what: str) -> None:
    """The bubble has words for LINE's list of chats. Its buttons are not said twice."""
    league = World.again("demo")
    found = league.ask({"player": "個人 みどり", "pair": "対決 みどり 東風"}.get(what, f"request_{what}"))
    image, bubble = found.messages
    assert image["type"] == "image"
    picture = next(part for part in found.reply.parts if isinstance(part, Picture))
    assert bubble["altText"] == picture.alt
    there = (
        buttons(bubble)
        if "footer" in bubble["contents"]
        else [cell["action"]["label"] for cell in bubble["contents"]["body"]["contents"]]
    )
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


def test_every_answer_with_a_table_has_buttons_that_stay() -> None:
    for league in ("nine", "twenty"):
        for name, spec in CATALOGUE.items():
            if spec.admin or spec.hidden or name == "compare":
                continue
            found = World.again(league, "みどり").ask(spec.data)
            if any(isinstance(part, Table) for part in found.reply.parts):
                assert any(map(stays, found.messages)), name


def stays(message: dict[str, object]) -> bool:
    """Whether a message has a footer or is the bubble of buttons below a picture."""
    return "footer" in str(message) or MENU in str(message.get("contents"))


def buttons(message: dict[str, object]) -> list[str]:
    bubble = message["contents"]
    bubble = bubble["contents"][0] if bubble["type"] == "carousel" else bubble  # type: ignore[index]
    return [cell["action"]["label"] for cell in bubble["footer"]["contents"]]  # type: ignore[index]


def test_the_first_short_choices_and_the_menu_stand_below_a_table() -> None:
    menu = Choice("メニュー", MENU)
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


def test_a_table_of_many_pages_has_its_buttons_on_the_first() -> None:
    rows = tuple(Row(f"選手{n}", "+1.0") for n in range(30))
    choices = (Choice("収支", "request_sum"),)
    (sent,) = messages(Reply((Table("題", rows),), choices), lambda part: "")
    assert sent["contents"]["type"] == "carousel"
    assert buttons(sent) == ["収支"]


def test_changes_and_minus_signs_have_colours() -> None:
    row = Row("みどり", "−3.0", extra=("▲12", "▼5", "−3〜+4"))
    (sent,) = messages(Reply((Table("題", (row,)),)), lambda part: "")
    (plain,) = messages(Reply((Table("題", (row,), plain=True),)), lambda part: "")
    shades = dict(texts(sent))
    assert shades["▲12"] != shades["▼5"] == shades["−3.0"] != shades["−3〜+4"]
    assert dict(texts(plain))["▼5"] == shades["−3〜+4"]


def texts(value: object) -> list[tuple[str, str]]:
    if isinstance(value, list):
        return [found for item in value for found in texts(item)]
    if not isinstance(value, dict):
        return []
    own = [(value["text"], value.get("color", ""))] if value.get("type") == "text" else []
    return own + [found for item in value.values() for found in texts(item)]
