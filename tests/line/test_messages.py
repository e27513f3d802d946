"""Replies as LINE messages: within LINE's limits, and with figures where a picture cannot be
stored.
"""

from dataclasses import dataclass, replace

from hypothesis import given, settings, strategies as st

from bot.chat.replies import Choice, Picture, Reply, Row, Table, Text
from bot.line.messages import messages
from tests.schema import assert_messages_pass

URL = "https://example.com/a.png"
TABLE = Table("収支", (Row("みどり", "+52.0", "1"),), ("点数",), "1戦")


@dataclass(frozen=True)
class Chart:
    title: str


PICTURE = Picture(
    Chart("レーティング"), lambda chart: b"\x89PNG", "レーティング：1位 みどり", (TABLE,)
)


def test_a_picture_is_an_image() -> None:
    (image,) = messages(Reply((replace(PICTURE, url=URL),)))
    assert image == {"type": "image", "originalContentUrl": URL, "previewImageUrl": URL}


def test_without_an_address_the_figures_come_once() -> None:
    """The reply already has the table that replaces the picture, so it is not sent twice."""
    sent = messages(Reply((PICTURE, TABLE), (Choice("メニュー", "request_menu"),)))
    assert [message["type"] for message in sent] == ["flex"]
    assert_messages_pass(sent)


def test_a_picture_without_figures_is_its_sentence() -> None:
    bare = Picture(Chart("a"), lambda chart: b"", "言葉だけ")
    assert messages(Reply((bare,))) == [{"type": "text", "text": "言葉だけ"}]


@settings(deadline=None)
@given(
    st.text(max_size=60).map(lambda text: text * 200),
    st.integers(0, 40),
    st.integers(1, 9),
)
def test_whatever_is_said_stays_within_lines_limits(words: str, choices: int, parts: int) -> None:
    buttons = tuple(Choice(f"ボタン{n}", f"request_rating?season={n}") for n in range(choices))
    name = words[:64] or "名前"
    rows = tuple(Row(name, "+1.0", str(n)) for n in range(parts * 5))
    reply = Reply(
        (
            *(Text(f"{n}{words}") for n in range(parts)),
            Table(
                words[:80] or "表",
                rows,
            ),
        ),
        buttons,
    )
    assert_messages_pass(messages(reply))


def test_the_way_back_to_the_menu_is_kept() -> None:
    buttons = (
        *(Choice(str(n), f"request_rating?season={n}") for n in range(20)),
        Choice("メニュー", "request_menu"),
    )
    (message,) = messages(Reply((Text("a"),), buttons))
    items = message["quickReply"]["items"]
    assert len(items) == 13
    assert items[-1]["action"]["label"] == "メニュー"
