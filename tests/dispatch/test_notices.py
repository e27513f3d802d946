"""What is added to an answer stays within LINE's five messages, and both notices are told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.chat.command import Command
from bot.chat.replies import Reply, Text
from bot.dispatch.notices import with_notices
from bot.texts import FROM_MEMORY
from tests.answers.leagues import World

BROKEN = {"league.toml": b"name = ", "logvol1.txt": b""}


def told(parts: int, trouble: str) -> list[str]:
    world = World(BROKEN, group=False)
    question = world.question(Command("rating"))
    question = replace(question, asker=replace(question.asker, admin=True))
    reply = Reply(tuple(Text(str(number)) for number in range(parts)))
    return [
        part.text
        for part in with_notices(question, reply, trouble, world.state).parts
        if isinstance(part, Text)
    ]


@pytest.mark.parametrize("parts", range(6))
def test_both_notices_have_room(parts: int) -> None:
    words = told(parts, "out of reach")
    assert len(words) <= 5
    assert words[-2] == FROM_MEMORY
    assert words[-1].startswith("（管理者へ）league.toml")


def test_one_notice_takes_one_place() -> None:
    assert told(4, "")[:4] == ["0", "1", "2", "3"]
    assert len(told(5, "")) == 5
