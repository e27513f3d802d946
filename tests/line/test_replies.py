"""Replies go through the SDK's transport:

JSON in UTF-8, one connection, LINE's refusals in words.
"""

import json
import time
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from linebot.v3.messaging import ReplyMessageRequest

from bot.line.client import LineClient, LineDown
from tests.fakes.http import Handler, serving


class Stand:
    """A simulated LINE that stores what it got, and answers with `status` and `response_body`."""

    def __init__(self) -> None:
        self.got: list[tuple[str, dict[str, str], bytes]] = []
        self.connections: set[Any] = set()
        self.url = ""
        self.status = 200
        self.response_body = b'{"sentMessages": [{"id": "1", "quoteToken": "q"}]}'


@pytest.fixture
def stand() -> Iterator[Stand]:
    line = Stand()

    class Asked(Handler):
        def do_POST(self) -> None:
            line.connections.add(self.client_address)
            line.got.append((self.path, dict(self.headers), self.body()))
            self.answer(line.status, line.response_body)

    with serving(ThreadingHTTPServer(("127.0.0.1", 0), Asked)) as line.url:
        yield line


def client(stand: Stand) -> LineClient:
    return LineClient(stand.url, "the-token", sleep=lambda _: None)


def test_a_reply_is_what_the_sdk_would_send(stand: Stand) -> None:
    line = client(stand)
    for number in range(3):
        line.reply(
            f"t{number}",
            [{"type": "text", "text": "雀録"}],
            time.time() + 5,
        )
    path, headers, body = stand.got[-1]
    assert path == "/v2/bot/message/reply"
    assert headers["Authorization"] == "Bearer the-token"
    assert headers["Content-Type"] == "application/json"
    assert headers["User-Agent"].startswith("line-bot-sdk-python/")
    assert "Expect" not in headers
    request = ReplyMessageRequest.from_json(body.decode())
    assert (request.reply_token, request.messages[0].text) == ("t2", "雀録")
    assert "雀録".encode() in body
    assert len(stand.connections) == 1


@settings(max_examples=30, deadline=None)
@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(st.characters())
        | st.just("\ud83c"),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters()), inner),
        max_leaves=9,
    )
)
def test_any_json_is_packed_as_the_standard_library_reads_it(value: Any) -> None:
    from bot.line.client import _packed

    assert json.loads(_packed({"messages": value})) == {"messages": value}


@pytest.mark.parametrize(
    ("status", "response_body", "later", "words"),
    [
        (
            400,
            b'{"message": "Invalid", "details": [{"property": "a", "message": "b"}]}',
            False,
            "400 Invalid a: b",
        ),
        (400, b"[1]", False, "400"),
        (400, b"\xff", False, "400"),
        (302, b"", False, "302"),
        (500, b"", True, "500"),
        (429, b"", True, "429"),
    ],
)
def test_a_refusal_has_the_reason_of_line(
    stand: Stand,
    monkeypatch: pytest.MonkeyPatch,
    status: int,
    response_body: bytes,
    later: bool,
    words: str,
) -> None:
    monkeypatch.setattr("bot.line.client.PAUSES", (60.0,))
    stand.status = status
    stand.response_body = response_body
    with pytest.raises(LineDown, match=words) as error:
        client(stand).reply(
            "t",
            [{"type": "text", "text": "x"}],
            time.time() + 30,
        )
    assert error.value.later is later


def test_an_answer_that_is_late_is_not_sent(stand: Stand) -> None:
    with pytest.raises(LineDown, match="no time left") as error:
        client(stand).reply("t", [], time.time() - 0.01)
    assert error.value.later
    assert stand.got == []


def test_a_token_spent_on_an_earlier_try_is_an_answer(stand: Stand) -> None:
    stand.status = 400
    stand.response_body = b'{"message": "Invalid reply token"}'
    client(stand).reply("t", [], time.time() + 5, again=True)
    with pytest.raises(LineDown, match="Invalid reply token"):
        client(stand).reply("t", [], time.time() + 5)
