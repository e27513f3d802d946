"""Reading LINE's webhook events, and events of kinds and shapes that are not known yet."""

import base64
import hashlib
import hmac
import time
from typing import Any

import pytest
from hypothesis import given, strategies as st

from bot.line.webhook import LARGEST, Event, read_event, signature_is_valid

GROUP = "C" + "1" * 32
USER = "U" + "2" * 32
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3)
    ),
    max_leaves=8,
)


def event(**parts: Any) -> dict[str, Any]:
    source = {"type": "group", "groupId": GROUP, "userId": USER}
    return {
        "type": "postback",
        "source": source,
        "timestamp": 1_700_000_000_000,
        "replyToken": "r",
        **parts,
    }


def read_of(**parts: Any) -> Event:
    read = read_event(event(**parts))
    assert read is not None
    return read


def test_a_postback() -> None:
    read = read_of(postback={"data": "request_rating"}, webhookEventId="01H")
    fields = read.chat, read.user, read.data, read.id, read.at
    assert fields == (GROUP, USER, "request_rating", "01H", 1.7e9)


@pytest.mark.parametrize(
    "number",
    [
        10**400,
        10**14,
        0,
        -1,
        float("inf"),
        float("nan"),
        "1",
        None,
    ],
)
def test_a_timestamp_that_is_no_time_counts_as_now(number: Any) -> None:
    before = time.time()
    assert before <= read_of(timestamp=number).at <= time.time()


def test_a_size_that_is_no_size_is_bounded() -> None:
    sizes = [
        read_of(type="message", message={"type": "file", "id": "1", "fileSize": size}).file_size
        for size in (10**400, 2_000, -5, "7", None)
    ]
    assert sizes == [LARGEST, 2_000, 0, 0, 0]


def test_a_text_without_a_quote_token_is_still_a_text() -> None:
    assert (
        read_of(type="message", message={"type": "text", "id": "1", "text": "ぐらふ"}).text
        == "ぐらふ"
    )


def test_the_bots_own_mention_is_taken_out() -> None:
    text = "😀@雀録 メニュー"
    mention = {"mentionees": [{"index": 2, "length": 3, "type": "user", "isSelf": True}]}
    read = read_of(type="message", message={"type": "text", "text": text, "mention": mention})
    assert read.mentioned
    assert read.text == "😀 メニュー"


@pytest.mark.parametrize("index", ["x", None, [1], -1, 1.5])
def test_an_odd_mention_leaves_the_text(index: object) -> None:
    mention = {
        "mentionees": [
            {"index": index, "length": None},
            {
                "index": 0,
                "length": 3,
                "isSelf": True,
            },
        ]
    }
    message = {"type": "text", "text": "@雀録 ぐらふ", "mention": mention}
    assert read_of(type="message", message=message).text == "ぐらふ"


def test_an_event_without_a_place_is_none_of_ours() -> None:
    assert read_event({"type": "postback"}) is None
    assert read_event("x") is None
    assert read_event(event(mode="standby")) is None


@given(JUNK)
def test_whatever_comes_is_no_error(raw: Any) -> None:
    read_event(raw)


PARTS = "source", "message", "postback", "timestamp", "type", "replyToken"


@given(st.dictionaries(st.sampled_from(PARTS), JUNK))
def test_whatever_the_parts_are_is_no_error(parts: dict[str, Any]) -> None:
    read_event({**event(), **parts})


def sign(secret: str, body: bytes) -> str:
    digest = hmac.new(secret.encode(), body, hashlib.sha256).digest()
    return base64.b64encode(digest).decode()


@given(st.binary())
def test_a_right_signature_holds_and_no_other(body: bytes) -> None:
    assert signature_is_valid("secret", body, sign("secret", body))
    assert not signature_is_valid("secret", body + b" ", sign("secret", body))
    assert not signature_is_valid("secret", body, sign("other", body))


@pytest.mark.parametrize("signature", ["", "あ", "=", "x" * 10_000, "\ud800"])
def test_a_nonsense_signature_is_wrong(signature: str) -> None:
    assert not signature_is_valid("secret", b"{}", signature)


def test_half_a_character_is_none() -> None:
    read = read_of(source={"type": "user", "userId": "U\ud800"}, replyToken="r\udfff")
    assert (read.chat, read.token) == ("U?", "r?")
