"""What every answer in the tests is held to: LINE's limits; and a way through its messages."""

from collections.abc import Iterable, Iterator
from typing import Any

from bot.console.checks import problems


def assert_messages_pass(messages: list[dict[str, Any]]) -> None:
    """Check that LINE would take these messages as one reply."""
    assert problems({"replyToken": "t", "messages": messages}, "ReplyMessageRequest") == []


def objects(part: Any) -> Iterator[dict[str, Any]]:
    """Every object in messages: each before those in it, in the order of LINE's JSON."""
    inner: Iterable[Any] = ()
    if isinstance(part, dict):
        yield part
        inner = part.values()
    elif isinstance(part, list):
        inner = part
    for value in inner:
        yield from objects(value)
