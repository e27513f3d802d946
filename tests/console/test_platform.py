"""The console behaves like LINE's platform, over real HTTP and with the real SDK."""

import http.client
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest
from linebot.v3 import messaging, webhooks
from linebot.v3.models.events import UnknownEvent

from bot.demo_chat import DEMO_ACCESS_TOKEN, DEMO_GROUP, DEMO_STRANGER, DEMO_USERS
from tests.console.samples import text
from tests.console.world import World, refusal
from tests.fakes.platform import NoAnswer, Platform

Json = dict[str, Any]
ASKER = DEMO_USERS[0].id
OTHER = DEMO_USERS[1].id
REPLY = "/v2/bot/message/reply"


def call(
    world: World, method: str, path: str, body: Any = None, token: str = DEMO_ACCESS_TOKEN
) -> tuple[int, Json]:
    """A call without the SDK, for requests that the SDK would not send."""
    connection = http.client.HTTPConnection("127.0.0.1", world.server.server_port, timeout=20)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    connection.request(method, "/console/line" + path, raw, headers)
    answer = connection.getresponse()
    status = answer.status
    said = json.loads(answer.read())
    connection.close()
    return status, said


def reply(
    world: World,
    token: str | None,
    *messages: Json,
) -> tuple[int, Json]:
    return call(world, "POST", REPLY, {"replyToken": token, "messages": messages or [text()]})


@pytest.fixture
def quiet(world: World) -> World:
    """A world whose bot sends no replies; the test sends them."""
    world.bot.silent = True
    return world


def test_a_tap_is_answered_in_its_chat(world: World) -> None:
    tapped = world.platform.tap(DEMO_GROUP, ASKER, "request_rating")
    assert tapped.status == 200
    assert [message["text"] for message in world.platform.answers(tapped)] == ["ok postback"]
    assert world.platform.messages(DEMO_GROUP) == world.platform.answers(tapped)
    assert isinstance(world.bot.heard[0], webhooks.PostbackEvent)
    world.platform.answers(world.platform.tap(ASKER, ASKER, "request_rating"))
    assert world.bot.heard[1].source.to_dict() == {"type": "user", "userId": ASKER}
    assert world.platform.messages(OTHER) == []


def test_events_are_ones_the_sdk_knows(quiet: World) -> None:
    platform = quiet.platform
    said = platform.say(DEMO_GROUP, ASKER, "𠮷 @雀録 メニュー")
    platform.send_file(DEMO_GROUP, ASKER, "log.txt", b"L1000")
    platform.unsend(DEMO_GROUP, ASKER, said.message_id)
    platform.follow(ASKER)
    platform.join(DEMO_GROUP)
    platform.member_joined(DEMO_GROUP, DEMO_STRANGER.id)
    platform.member_left(DEMO_GROUP, DEMO_STRANGER.id)
    platform.leave(DEMO_GROUP)
    heard = quiet.bot.heard
    assert not [event for event in heard if isinstance(event, UnknownEvent)]
    kinds = {type(event) for event in heard}
    wanted = {
        webhooks.FollowEvent,
        webhooks.JoinEvent,
        webhooks.MemberJoinedEvent,
        webhooks.UnsendEvent,
    }
    assert wanted <= kinds
    mention = heard[0].message.mention.mentionees[0]
    assert (mention.index, mention.length, mention.is_self) == (3, 3, True)
    assert isinstance(heard[1].message, webhooks.FileMessageContent)


def test_a_redelivery_is_the_same_event_marked(quiet: World) -> None:
    assert quiet.api.test_webhook_endpoint().success
    assert quiet.bot.heard == []
    first = quiet.platform.tap(DEMO_GROUP, ASKER, "x")
    again = quiet.platform.redeliver()
    assert first.event["webhookEventId"] == again.event["webhookEventId"]
    assert [event.delivery_context.is_redelivery for event in quiet.bot.heard] == [False, True]


def test_a_reply_token_is_good_once(quiet: World) -> None:
    tapped = quiet.platform.tap(DEMO_GROUP, ASKER, "x")
    status, said = reply(quiet, tapped.token)
    assert status == 200
    assert set(said["sentMessages"][0]) == {"id", "quoteToken"}
    assert reply(quiet, tapped.token) == (400, {"message": "Invalid reply token"})
    assert reply(quiet, "0" * 32) == (400, {"message": "Invalid reply token"})
    tapped = quiet.platform.tap(DEMO_GROUP, ASKER, "x")
    body = {"replyToken": tapped.token, "messages": [text()]}
    sent = quiet.api.reply_message_with_http_info(messaging.ReplyMessageRequest.from_dict(body))
    assert (sent.status_code, len(sent.data.sent_messages)) == (200, 1)
    assert sent.headers["X-Line-Request-Id"]


def test_a_reply_token_is_good_for_a_minute() -> None:
    now = [1_000_000.0]
    with closing(World(clock=lambda: now[0])) as world:
        world.bot.silent = True
        early, late = (world.platform.tap(ASKER, ASKER, "x") for _ in range(2))
        now[0] += 60
        assert reply(world, early.token)[0] == 200
        now[0] += 0.001
        assert reply(world, late.token)[0] == 400
        world.platform.redeliver(late)
        assert reply(world, late.token)[0] == 200


def test_a_refused_reply_leaves_the_token_good_and_is_kept(quiet: World) -> None:
    tapped = quiet.platform.tap(DEMO_GROUP, ASKER, "x")
    status, said = reply(quiet, tapped.token, text("あ" * 5001))
    assert status == 400
    assert said["message"] == "The request body has 1 error(s)"
    detail = {"message": "Length must be between 1 and 5000", "property": "messages[0].text"}
    assert said["details"] == [detail]
    assert quiet.platform.refused()[0]["response"] == said
    with pytest.raises(NoAnswer, match="5000"):
        quiet.platform.answers(tapped, timeout=0.01)
    assert reply(quiet, tapped.token)[0] == 200


def test_calls_that_line_does_not_take(world: World) -> None:
    for token in ("", "wrong"):
        status, said = call(world, "GET", "/v2/bot/info", token=token)
        assert (status, said["message"].startswith("Authentication failed")) == (401, True)
    assert call(world, "POST", REPLY, b"{")[0] == 400
    assert call(world, "POST", REPLY, ["x"])[0] == 400
    assert call(world, "GET", "/v2/bot/nothing") == (404, {"message": "Not found"})


def test_a_quotation_stays_in_its_chat(quiet: World) -> None:
    """A token works in the chat of its message alone, and so does the id of a quoted message."""
    here = quiet.platform.say(DEMO_GROUP, ASKER, "ここ")
    there = quiet.platform.say(ASKER, ASKER, "そこ")
    quoting = text(quoteToken=there.event["message"]["quoteToken"])
    assert reply(quiet, here.token, quoting)[0] == 400
    again = quiet.platform.say(DEMO_GROUP, ASKER, "また", quoted=here.message_id)
    assert again.event["message"]["quotedMessageId"] == here.message_id
    for other in (there.message_id, "600000000000999999"):
        with pytest.raises(ValueError, match="same chat"):
            quiet.platform.say(DEMO_GROUP, ASKER, "また", quoted=other)


def test_a_message_may_quote_the_one_it_answers(quiet: World) -> None:
    said = quiet.platform.say(DEMO_GROUP, ASKER, "メニュー")
    quoting = text(quoteToken=said.event["message"]["quoteToken"])
    assert reply(quiet, said.token, text(quoteToken="made up"))[0] == 400
    assert reply(quiet, said.token, quoting)[0] == 200


def test_who_is_there(quiet: World) -> None:
    api = quiet.api
    assert api.get_bot_info().display_name == "雀録"
    assert api.get_profile(ASKER).display_name == DEMO_USERS[0].name
    assert api.get_group_member_count(DEMO_GROUP).count == 9
    assert api.get_group_member_profile(DEMO_GROUP, OTHER).display_name == DEMO_USERS[1].name
    with refusal(404):
        api.get_group_member_profile(DEMO_GROUP, DEMO_STRANGER.id)
    quiet.platform.leave(DEMO_GROUP)
    with refusal(404):
        api.get_group_member_count(DEMO_GROUP)


def test_a_push_costs_one_for_each_receiver(world: World) -> None:
    push = messaging.PushMessageRequest.from_dict({"to": DEMO_GROUP, "messages": [text()]})
    world.api.push_message(push, x_line_retry_key="00000000-0000-4000-8000-000000000000")
    assert world.api.get_message_quota_consumption().total_usage == 9
    with refusal(409):
        world.api.push_message(push, x_line_retry_key="00000000-0000-4000-8000-000000000000")
    world.platform.pushed = 192
    with refusal(429):
        world.api.push_message(push)
    assert world.api.get_message_quota().value == 200


def test_loading_is_for_one_to_one(world: World) -> None:
    show = messaging.ShowLoadingAnimationRequest(chatId=ASKER, loadingSeconds=5)
    assert world.api.show_loading_animation_with_http_info(show).status_code == 202
    show.chat_id = DEMO_GROUP
    with refusal(400):
        world.api.show_loading_animation(show)


def test_a_members_file_can_be_fetched(quiet: World) -> None:
    sent = quiet.platform.send_file(DEMO_GROUP, ASKER, "log.txt", b"L1000 | 12:00")
    assert quiet.blob.get_message_content(sent.message_id) == b"L1000 | 12:00"
    quiet.platform.unsend(DEMO_GROUP, ASKER, sent.message_id)
    with refusal(404):
        quiet.blob.get_message_content(sent.message_id)


def test_ordered_errors_come_and_go(quiet: World) -> None:
    tapped = quiet.platform.tap(DEMO_GROUP, ASKER, "x")
    quiet.platform.fail_next(REPLY, 429, times=2)
    statuses = [reply(quiet, tapped.token)[0] for _ in range(3)]
    assert statuses == [429, 429, 200]
    tapped = quiet.platform.tap(DEMO_GROUP, ASKER, "x")
    slow = quiet.platform.slow_next(REPLY, delay=60)
    with ThreadPoolExecutor(1) as caller:
        answer = caller.submit(reply, quiet, tapped.token)
        slow.release()
        assert answer.result(30)[0] == 200


def test_a_webhook_that_fails_or_is_not_there(quiet: World) -> None:
    quiet.platform.channel_secret = "another"
    assert quiet.platform.tap(DEMO_GROUP, ASKER, "x").error == "error_status_code"
    lost = Platform("http://127.0.0.1:1/callback")
    assert str(lost.tap(DEMO_GROUP, ASKER, "x").error).startswith("could_not_connect")


def test_ids_are_lines_own_form_and_stay() -> None:
    assert DEMO_GROUP == "C2c6e12f6492ddc0a2c1e7431262f2dd7"
    assert ASKER == "U62a6f9ca3ad415e6fd8c3f502b03ebaf"
    assert len({user.id for user in DEMO_USERS}) == 9
    first, second = (
        Platform().new_event("postback", ASKER, ASKER)["webhookEventId"] for _ in range(2)
    )
    assert first != second
    assert len(first) == 26


def test_what_is_kept_is_bounded() -> None:
    platform = Platform()
    for number in range(3000):
        platform.feed.add("api", path=str(number))
        platform.new_event("postback", ASKER, ASKER)
    assert len(platform.feed.entries()) == 2000
    assert platform.feed.entries()[-1].number == 3000
    assert platform.feed.updates(2999, 0)[0].data == {"path": "2999"}
