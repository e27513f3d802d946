"""What every answer in the tests is held to: LINE's limits; and a way through its messages."""

from collections.abc import Iterator
from typing import Any

from bot.console.checks import problems


def assert_messages_pass(messages: list[dict[str, Any]]) -> None:
    """Check that LINE would take these messages as one reply."""
    assert problems({"replyToken": "t", "messages": messages}, "ReplyMessageRequest") == []


def objects(part: Any) -> Iterator[dict[str, Any]]:
    """Every object in messages: each before those in it, in the order of LINE's JSON."""
    if isinstance(part, dict):
        yield part
    for inner in (
        part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    ):
        yield from objects(inner)
