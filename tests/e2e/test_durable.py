"""Every tap is answered, even when a process is killed or LINE cannot be reached."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from bot.console.platform import Delivery
from bot.demo_chat import DEMO_USERS
from bot.runtime.rate_limit import USER
from tests.e2e.fleet import Fleet, kill, until
from tests.kept import unanswered

pytestmark = [pytest.mark.xdist_group("fleet"), pytest.mark.usefixtures("whole")]


def test_the_same_event_five_times_at_once_is_answered_once(ships: Fleet) -> None:
    chat = ships.groups[1]
    user = DEMO_USERS[1].id
    event = ships.line.new_event("postback", chat, user, postback={"data": "request_help"})
    before = len(ships.line.calls("/v2/bot/message/reply"))
    with ThreadPoolExecutor(5) as pool:
        sent = list(
            pool.map(
                lambda _: ships.line.send_event(chat, event),
                range(5),
            )
        )
    assert {delivery.status for delivery in sent} == {200}
    assert ships.settled(sent[:1], 20) == []
    assert ships.settled(ships.load(6), 20) == []  # by then any work for the four copies is done
    until(lambda: len(ships.line.calls("/v2/bot/message/reply")) >= before + 7)
    assert len(ships.line.calls("/v2/bot/message/reply")) == before + 7


def test_a_web_worker_killed_under_load(ships: Fleet) -> None:
    with ThreadPoolExecutor(1) as pool:
        load = pool.submit(ships.load, 120, 8)
        until(lambda: len(ships.line.calls("/v2/bot/message/reply")) % 50 > 15)
        kill(ships.web_workers()[0])
        taps = load.result()
    assert sum(1 for tap in taps if tap.status == 200) > 60
    assert ships.settled(taps, 30) == []
    assert ships.given_up() == 0
    until(lambda: len(ships.web_workers()) == 2)


def test_line_is_out_of_reach_for_a_while(ships: Fleet) -> None:
    """The circuit breaker opens: threads do not wait, and the answers are sent when LINE is
    back.
    """
    fault = ships.line.fail_next("/v2/bot/message/reply", status=500, times=60)
    taps = ships.load(12)
    until(lambda: "put off" in ships.lines())
    fault.times = 0
    assert ships.settled(taps, 40) == []


def test_a_flood_from_one_member_is_told_once_and_then_ignored(ships: Fleet) -> None:
    """However slow this machine is: bursts follow each other until the limit speaks."""
    chat = ships.groups[3]
    user = DEMO_USERS[8].id
    taps: list[Delivery] = []

    def was_warned() -> bool:
        return any("少し速すぎます" in str(sent.messages) for sent in list(ships.line.sent))

    def burst() -> None:
        taps.extend(
            pool.map(
                lambda _: ships.line.tap(chat, user, "request_help"),
                range(int(USER[0])),
            )
        )

    with ThreadPoolExecutor(8) as pool:
        while not was_warned() and len(taps) < 20 * USER[0]:
            burst()
        burst()
    assert {tap.status for tap in taps} == {200}
    until(was_warned)
    until(lambda: unanswered(ships.state) == [])
    assert any(not ships.line.replied(tap) for tap in taps)
