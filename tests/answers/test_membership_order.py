"""Events that end something are obeyed once, and not where something has begun since."""

import time
from typing import Any

import pytest

from bot.console.platform import Delivery
from bot.demo_chat import DEMO_GROUP
from tests.answers.world import ADMIN, MEMBER, BotWorld, away, words_of

PLAYER = "みどり一色"


def old_event(
    world: BotWorld,
    kind: str,
    chat: str,
    user: str | None,
    **fields: Any,
) -> Delivery:
    """An event of an hour ago, which LINE delivers only now."""
    event = world.platform.new_event(kind, chat, user, reply=False, **fields)
    return Delivery(
        chat,
        event | {"timestamp": int(1000 * (time.time() - 3600))},
    )


def members(*users: str) -> dict[str, Any]:
    return {"members": [{"type": "user", "userId": user} for user in users]}


@pytest.fixture
def group(world: BotWorld) -> str:
    """A group that was enrolled by 登録."""
    added = world.platform.add_group("もうひとつ", [ADMIN, MEMBER])
    world.say("登録", ADMIN, added)
    return str(added)


def is_enrolled(world: BotWorld, group: str) -> bool:
    return group in world.service.access.groups()


def name_of(world: BotWorld, user: str) -> str:
    return world.service.access.player_of("", user)


def test_a_leave_is_obeyed_once(world: BotWorld, group: str) -> None:
    left = world.platform.leave(group)
    assert not is_enrolled(world, group)
    world.service.access.enrol(group)
    world.platform.redeliver(left)
    assert is_enrolled(world, group)


def test_a_late_leave_does_not_end_a_newer_enrolment(world: BotWorld, group: str) -> None:
    world.platform.send(old_event(world, "leave", group, None))
    assert is_enrolled(world, group)
    assert "みどり" in words_of(world.say("収支", MEMBER, group))


def test_a_late_leave_does_not_count_after_the_bot_joined_again(
    world: BotWorld, group: str
) -> None:
    left = old_event(world, "leave", group, None)
    world.service.state.values.erase("began")
    world.answers(world.platform.join(group))
    world.platform.send(left)
    assert is_enrolled(world, group)


def test_a_leave_counts_once_the_database_is_back(
    world: BotWorld, group: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(world.service.state.chats, "remove", away)
        world.platform.leave(group)
        assert is_enrolled(world, group)
    world.service.dispatcher.recover()
    assert not is_enrolled(world, group)


def test_a_member_who_left_is_forgotten_once(world: BotWorld) -> None:
    world.say("自分 みどり")
    left = world.platform.member_left(DEMO_GROUP, MEMBER)
    assert name_of(world, MEMBER) == ""
    world.service.state.chats.set_player("", MEMBER, PLAYER)
    world.platform.redeliver(left)
    assert name_of(world, MEMBER) == PLAYER


def test_a_late_departure_does_not_take_a_newer_name(world: BotWorld) -> None:
    world.say("自分 みどり")
    world.platform.send(old_event(world, "memberLeft", DEMO_GROUP, None, left=members(MEMBER)))
    assert name_of(world, MEMBER) == PLAYER


def test_a_late_departure_does_not_count_after_a_newer_arrival(world: BotWorld) -> None:
    world.say("自分 みどり")
    world.service.state.values.erase("named")
    world.answers(world.platform.member_joined(DEMO_GROUP, MEMBER))
    world.platform.send(old_event(world, "memberLeft", DEMO_GROUP, None, left=members(MEMBER)))
    assert name_of(world, MEMBER) == PLAYER


def test_of_two_who_left_only_who_came_back_is_kept(world: BotWorld) -> None:
    world.say("自分 みどり")
    world.service.state.chats.set_player("", ADMIN, "白發中")
    left = members(MEMBER, ADMIN)
    world.platform.send(old_event(world, "memberLeft", DEMO_GROUP, None, left=left))
    assert name_of(world, MEMBER) == PLAYER
    assert name_of(world, ADMIN) == ""


@pytest.mark.parametrize("mark", ["began", "named"])
def test_a_late_block_does_not_count_after_a_newer_start(world: BotWorld, mark: str) -> None:
    """The user added the bot again, or gave a name: either mark is enough."""
    world.say("自分 みどり", MEMBER, MEMBER)
    world.answers(world.platform.follow(MEMBER))
    world.service.state.values.erase({"began": "named", "named": "began"}[mark])
    world.platform.send(old_event(world, "unfollow", MEMBER, MEMBER))
    assert name_of(world, MEMBER) == PLAYER


def test_a_block_is_obeyed_once(world: BotWorld) -> None:
    world.say("自分 みどり", MEMBER, MEMBER)
    blocked = world.platform.act("unfollow", MEMBER, MEMBER, reply=False)
    assert name_of(world, MEMBER) == ""
    world.service.state.chats.set_player("", MEMBER, PLAYER)
    world.platform.redeliver(blocked)
    assert name_of(world, MEMBER) == PLAYER


def test_an_arrival_is_obeyed_once(world: BotWorld) -> None:
    """Each has LINE asked anew whether the user is a member."""
    chats = world.service.state.chats
    joined = world.platform.member_joined(DEMO_GROUP, MEMBER)
    chats.set_group(MEMBER, DEMO_GROUP, 3600.0)
    world.platform.redeliver(joined)
    assert chats.group_of(MEMBER) == DEMO_GROUP


def test_a_message_taken_back_is_forgotten_once(world: BotWorld) -> None:
    values = world.service.state.values
    unsent = world.platform.unsend(DEMO_GROUP, MEMBER, "4711")
    values.put("note", '"4711"')
    world.platform.redeliver(unsent)
    assert values.get("note") is not None
