"""What every answer in the tests is held to: LINE's limits."""

from typing import Any

from bot.console.checks import problems


def assert_messages_pass(messages: list[dict[str, Any]]) -> None:
    """Check that LINE would take these messages as one reply."""
    assert problems({"replyToken": "t", "messages": messages}, "ReplyMessageRequest") == []
