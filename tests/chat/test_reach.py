from bot.chat.command import Ask, Catalogue, Spec, choice, data_of
from bot.chat.reach import reachable
from bot.chat.replies import (
    GAP,
    Button,
    Cards,
    Form,
    FormFact,
    Menu,
    Once,
    Picture,
    Reply,
    Row,
    Table,
    Text,
)

CATALOGUE = Catalogue(
    [
        Spec(
            name=Ask.MENU,
            title="メニュー",
        ),
        Spec(name=Ask.SUM, title="収支"),
    ]
)
HERE = choice("収支", Ask.SUM)
GONE = choice("個人", Ask.PLAYER)
TAPPED = Row(
    "みどり",
    "+1",
    data=data_of(Ask.PLAYER, player="みどり"),
    said="みどり",
    mark="個人",
)
PLAIN = Row("みどり", "+1")


def button(name: str) -> Button:
    return Button((name,), data_of(name))


def test_choices_and_buttons_of_absent_commands_vanish() -> None:
    reply = Reply((Text("答え"),), (GONE, HERE), (HERE, GONE))
    assert reachable(reply, CATALOGUE) == Reply((Text("答え"),), (HERE,), (HERE,))


def test_rows_that_lead_nowhere_are_no_buttons() -> None:
    table = Table(
        "収支",
        (TAPPED,),
        more=(("続き", (TAPPED,)),),
        by_picture=Table("", (TAPPED,)),
    )
    plain = Table(
        "収支",
        (PLAIN,),
        more=(("続き", (PLAIN,)),),
        by_picture=Table("", (PLAIN,)),
    )
    picture = Picture("chart", draw=repr, alt="絵", instead=(table,))  # type: ignore[arg-type]
    cards = Cards((TAPPED,), "札", "#000000", "#ffffff")
    reply = reachable(Reply((table, picture, cards)), CATALOGUE)
    assert reply.parts[0] == plain
    assert [part.instead for part in reply.parts if isinstance(part, Picture)] == [(plain,)]
    assert [part.rows for part in reply.parts if isinstance(part, Cards)] == [(PLAIN,)]


def test_a_menu_without_buttons_is_its_text() -> None:
    parts = (
        Menu(
            "どれ？",
            (GONE,),
            "選んでください。",
        ),
        Menu("どれ？", (GONE, HERE)),
    )
    expected = (Text("選んでください。"), Menu("どれ？", (HERE,)))
    assert reachable(Reply(parts), CATALOGUE).parts == expected


def test_gap_fills_a_forms_row_and_empty_rows_vanish() -> None:
    fact = FormFact("点数", "+1")
    rows = (
        fact,
        "見出し",
        (button(Ask.PLAYER), button(Ask.SUM)),
        (button(Ask.PLAYER),),
    )
    expected = (fact, "見出し", (GAP, button(Ask.SUM)))
    assert reachable(Reply((Form("", rows),)), CATALOGUE).parts == (
        Form(
            "",
            expected,
        ),
    )


def test_what_comes_once_leads_nowhere_either() -> None:
    reply = Reply(
        (),
        once=Once("mark", (Menu("どれ？", (GONE,)),)),
    )
    assert reachable(reply, CATALOGUE).once == Once("mark", (Text("どれ？"),))


def test_a_reply_stays_the_same_where_every_command_is_there() -> None:
    whole = Catalogue(Spec(name=name, title=name) for name in Ask.names())
    reply = Reply((Menu("どれ？", (GONE, HERE)),))
    assert reachable(reply, whole) is reply
