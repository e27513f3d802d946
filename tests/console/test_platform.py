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
from tests.clock import Clock
from tests.console.samples import text
from tests.console.world import ConsoleWorld, refusal
from tests.fakes.platform import NoAnswer, Platform

Json = dict[str, Any]
ASKER = DEMO_USERS[0].id
OTHER = DEMO_USERS[1].id
REPLY = "/v2/bot/message/reply"


def call(
    world: ConsoleWorld, method: str, path: str, body: Any = None, token: str = DEMO_ACCESS_TOKEN
) -> tuple[int, Json]:
    """Call the API without the SDK, with requests that the SDK would not send."""
    connection = http.client.HTTPConnection("127.0.0.1", world.server.server_port, timeout=20)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    connection.request(method, "/console/line" + path, raw, headers)
    answer = connection.getresponse()
    status = answer.status
    content = json.loads(answer.read())
    connection.close()
    return status, content


def reply(
    world: ConsoleWorld,
    token: str | None,
    *messages: Json,
) -> tuple[int, Json]:
    return call(world, "POST", REPLY, {"replyToken": token, "messages": messages or [text()]})


@pytest.fixture
def quiet(world: ConsoleWorld) -> ConsoleWorld:
    """A world whose bot sends no replies; the test sends them."""
    world.bot.silent = True
    return world


def test_tap_in_a_group_is_answered_there(world: ConsoleWorld) -> None:
    tap = world.platform.tap(DEMO_GROUP, ASKER, "request_rating")
    assert tap.status == 200
    assert [message["text"] for message in world.platform.answers(tap)] == ["ok postback"]
    assert world.platform.messages(DEMO_GROUP) == world.platform.answers(tap)
    assert isinstance(world.bot.events[0], webhooks.PostbackEvent)


def test_tap_in_a_one_to_one_chat_is_answered_there(world: ConsoleWorld) -> None:
    world.platform.answers(world.platform.tap(ASKER, ASKER, "request_rating"))
    assert world.bot.events[0].source.to_dict() == {"type": "user", "userId": ASKER}
    assert world.platform.messages(OTHER) == []


def test_sdk_knows_every_event(quiet: ConsoleWorld) -> None:
    platform = quiet.platform
    message = platform.say(DEMO_GROUP, ASKER, "𠮷 @雀録 メニュー")
    platform.send_file(DEMO_GROUP, ASKER, "log.txt", b"L1000")
    platform.unsend(DEMO_GROUP, ASKER, message.message_id)
    platform.follow(ASKER)
    platform.join(DEMO_GROUP)
    platform.member_joined(DEMO_GROUP, DEMO_STRANGER.id)
    platform.member_left(DEMO_GROUP, DEMO_STRANGER.id)
    platform.leave(DEMO_GROUP)
    events = quiet.bot.events
    assert not [event for event in events if isinstance(event, UnknownEvent)]
    assert {type(event) for event in events} >= {
        webhooks.FollowEvent,
        webhooks.JoinEvent,
        webhooks.MemberJoinedEvent,
        webhooks.UnsendEvent,
    }
    assert isinstance(events[1].message, webhooks.FileMessageContent)


def test_mention_of_the_bot_counts_utf16_code_units(quiet: ConsoleWorld) -> None:
    quiet.platform.say(DEMO_GROUP, ASKER, "𠮷 @雀録 メニュー")
    (mention,) = quiet.bot.events[0].message.mention.mentionees
    assert (mention.index, mention.length, mention.is_self) == (3, 3, True)


def test_test_of_the_webhook_sends_no_event(quiet: ConsoleWorld) -> None:
    assert quiet.api.test_webhook_endpoint().success
    assert quiet.bot.events == []


def test_redelivery_is_the_same_event_with_a_mark(quiet: ConsoleWorld) -> None:
    first = quiet.platform.tap(DEMO_GROUP, ASKER, "x")
    again = quiet.platform.redeliver()
    assert first.event["webhookEventId"] == again.event["webhookEventId"]
    assert [event.delivery_context.is_redelivery for event in quiet.bot.events] == [False, True]


def test_reply_token_can_be_used_once(quiet: ConsoleWorld) -> None:
    tap = quiet.platform.tap(DEMO_GROUP, ASKER, "x")
    status, answer = reply(quiet, tap.token)
    assert status == 200
    assert set(answer["sentMessages"][0]) == {"id", "quoteToken"}
    assert reply(quiet, tap.token) == (400, {"message": "Invalid reply token"})


def test_unknown_reply_token_is_refused(quiet: ConsoleWorld) -> None:
    assert reply(quiet, "0" * 32) == (400, {"message": "Invalid reply token"})


def test_answer_to_a_reply_has_ids_of_message_and_request(quiet: ConsoleWorld) -> None:
    tap = quiet.platform.tap(DEMO_GROUP, ASKER, "x")
    body = {"replyToken": tap.token, "messages": [text()]}
    answer = quiet.api.reply_message_with_http_info(messaging.ReplyMessageRequest.from_dict(body))
    assert answer.status_code == 200
    assert len(answer.data.sent_messages) == 1
    assert answer.headers["X-Line-Request-Id"]


def test_reply_token_can_be_used_for_a_minute() -> None:
    clock = Clock()
    with closing(ConsoleWorld(clock=clock)) as world:
        world.bot.silent = True
        early, late = (world.platform.tap(ASKER, ASKER, "x") for _ in range(2))
        clock.now += 60
        assert reply(world, early.token)[0] == 200
        clock.now += 0.001
        assert reply(world, late.token)[0] == 400
        world.platform.redeliver(late)
        assert reply(world, late.token)[0] == 200


def test_refused_reply_lists_the_faults_and_is_stored(quiet: ConsoleWorld) -> None:
    tap = quiet.platform.tap(DEMO_GROUP, ASKER, "x")
    status, answer = reply(quiet, tap.token, text("あ" * 5001))
    assert status == 400
    assert answer["message"] == "The request body has 1 error(s)"
    detail = {"message": "Length must be between 1 and 5000", "property": "messages[0].text"}
    assert answer["details"] == [detail]
    assert quiet.platform.refused()[0]["response"] == answer
    with pytest.raises(NoAnswer, match="5000"):
        quiet.platform.answers(tap, timeout=0.01)


def test_refused_reply_does_not_use_up_the_token(quiet: ConsoleWorld) -> None:
    tap = quiet.platform.tap(DEMO_GROUP, ASKER, "x")
    assert reply(quiet, tap.token, text("あ" * 5001))[0] == 400
    assert reply(quiet, tap.token)[0] == 200


@pytest.mark.parametrize("token", ["", "wrong"])
def test_call_with_a_wrong_access_token_is_refused(world: ConsoleWorld, token: str) -> None:
    status, answer = call(world, "GET", "/v2/bot/info", token=token)
    assert status == 401
    assert answer["message"].startswith("Authentication failed")


@pytest.mark.parametrize("body", [b"{", ["x"]])
def test_body_of_another_form_is_refused(world: ConsoleWorld, body: object) -> None:
    assert call(world, "POST", REPLY, body)[0] == 400


def test_unknown_path_is_not_found(world: ConsoleWorld) -> None:
    assert call(world, "GET", "/v2/bot/nothing") == (404, {"message": "Not found"})


def test_quote_token_of_another_chat_is_refused(quiet: ConsoleWorld) -> None:
    in_group = quiet.platform.say(DEMO_GROUP, ASKER, "ここ")
    alone = quiet.platform.say(ASKER, ASKER, "そこ")
    quoting = text(quoteToken=alone.event["message"]["quoteToken"])
    assert reply(quiet, in_group.token, quoting)[0] == 400


def test_member_quotes_a_message_of_the_same_chat(quiet: ConsoleWorld) -> None:
    first = quiet.platform.say(DEMO_GROUP, ASKER, "ここ")
    second = quiet.platform.say(DEMO_GROUP, ASKER, "また", quoted=first.message_id)
    assert second.event["message"]["quotedMessageId"] == first.message_id


def test_member_can_quote_no_message_of_another_chat(quiet: ConsoleWorld) -> None:
    alone = quiet.platform.say(ASKER, ASKER, "そこ")
    for message_id in (alone.message_id, "600000000000999999"):
        with pytest.raises(ValueError, match="same chat"):
            quiet.platform.say(DEMO_GROUP, ASKER, "また", quoted=message_id)


def test_reply_may_quote_the_message_it_answers(quiet: ConsoleWorld) -> None:
    message = quiet.platform.say(DEMO_GROUP, ASKER, "メニュー")
    quoting = text(quoteToken=message.event["message"]["quoteToken"])
    assert reply(quiet, message.token, text(quoteToken="made up"))[0] == 400
    assert reply(quiet, message.token, quoting)[0] == 200


def test_profiles_of_bot_group_and_members(quiet: ConsoleWorld) -> None:
    api = quiet.api
    assert api.get_bot_info().display_name == "雀録"
    assert api.get_profile(ASKER).display_name == DEMO_USERS[0].name
    assert api.get_group_member_count(DEMO_GROUP).count == 9
    assert api.get_group_member_profile(DEMO_GROUP, OTHER).display_name == DEMO_USERS[1].name
    with refusal(404):
        api.get_group_member_profile(DEMO_GROUP, DEMO_STRANGER.id)


def test_bot_reads_nothing_of_a_group_it_left(quiet: ConsoleWorld) -> None:
    quiet.platform.leave(DEMO_GROUP)
    with refusal(404):
        quiet.api.get_group_member_count(DEMO_GROUP)


def test_push_costs_one_message_for_each_receiver(world: ConsoleWorld) -> None:
    push = messaging.PushMessageRequest.from_dict({"to": DEMO_GROUP, "messages": [text()]})
    world.api.push_message(push, x_line_retry_key="00000000-0000-4000-8000-000000000000")
    assert world.api.get_message_quota_consumption().total_usage == 9
    with refusal(409):
        world.api.push_message(push, x_line_retry_key="00000000-0000-4000-8000-000000000000")
    world.platform.pushed = 192
    with refusal(429):
        world.api.push_message(push)
    assert world.api.get_message_quota().value == 200


def test_loading_animation_is_for_one_to_one_chats_only(world: ConsoleWorld) -> None:
    show = messaging.ShowLoadingAnimationRequest(chatId=ASKER, loadingSeconds=5)
    assert world.api.show_loading_animation_with_http_info(show).status_code == 202
    show.chat_id = DEMO_GROUP
    with refusal(400):
        world.api.show_loading_animation(show)


def test_file_of_a_member_is_read_until_it_is_unsent(quiet: ConsoleWorld) -> None:
    sent = quiet.platform.send_file(DEMO_GROUP, ASKER, "log.txt", b"L1000 | 12:00")
    assert quiet.blob.get_message_content(sent.message_id) == b"L1000 | 12:00"
    quiet.platform.unsend(DEMO_GROUP, ASKER, sent.message_id)
    with refusal(404):
        quiet.blob.get_message_content(sent.message_id)


def test_planned_errors_occur_as_often_as_planned(quiet: ConsoleWorld) -> None:
    tap = quiet.platform.tap(DEMO_GROUP, ASKER, "x")
    quiet.platform.fail_next(REPLY, 429, times=2)
    statuses = [reply(quiet, tap.token)[0] for _ in range(3)]
    assert statuses == [429, 429, 200]


def test_planned_delay_ends_when_it_is_released(quiet: ConsoleWorld) -> None:
    tap = quiet.platform.tap(DEMO_GROUP, ASKER, "x")
    slow = quiet.platform.slow_next(REPLY, delay=60)
    with ThreadPoolExecutor(1) as caller:
        answer = caller.submit(reply, quiet, tap.token)
        slow.release()
        assert answer.result(30)[0] == 200


def test_error_of_a_webhook_that_refuses(quiet: ConsoleWorld) -> None:
    quiet.platform.channel_secret = "another"
    assert quiet.platform.tap(DEMO_GROUP, ASKER, "x").error == "error_status_code"


def test_error_of_a_webhook_out_of_reach() -> None:
    platform = Platform("http://127.0.0.1:1/callback")
    assert str(platform.tap(DEMO_GROUP, ASKER, "x").error).startswith("could_not_connect")


def test_demo_ids_never_change() -> None:
    assert DEMO_GROUP == "C2c6e12f6492ddc0a2c1e7431262f2dd7"
    assert ASKER == "U62a6f9ca3ad415e6fd8c3f502b03ebaf"
    assert len({user.id for user in DEMO_USERS}) == 9


def test_event_ids_differ_and_have_lines_form() -> None:
    first, second = (
        Platform().new_event("postback", ASKER, ASKER)["webhookEventId"] for _ in range(2)
    )
    assert first != second
    assert len(first) == 26


def test_number_of_stored_entries_is_bounded() -> None:
    platform = Platform()
    for number in range(3000):
        platform.feed.add("api", path=str(number))
        platform.new_event("postback", ASKER, ASKER)
    assert len(platform.feed.entries()) == 2000
    assert platform.feed.entries()[-1].number == 3000
    assert platform.feed.updates(2999, 0)[0].data == {"path": "2999"}
