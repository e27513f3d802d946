"""Calls of LINE's Messaging API through its SDK; every message is sent here.
https://developers.line.biz/en/reference/messaging-api/"""

from __future__ import annotations

import json
import logging
import re
import threading
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple
from urllib.parse import quote

import orjson

from bot.runtime.circuit_breaker import CircuitBreaker

Json = dict[str, Any]
# files have their own host
API_HOST = "https://api.line.me"
DATA_HOST = "https://api-data.line.me"
REPLY = "/v2/bot/message/reply"
JSON = {"Content-Type": "application/json", "Accept": "application/json"}
TIMEOUT = (3.0, 8.0)  # seconds to connect, to read
PAUSES = (0.3, 0.7, 1.5, 3.0, 6.0, 10.0)  # seconds between tries
log = logging.getLogger(__name__)


class LineDown(Exception):
    """LINE refused a call or could not be reached. The message never contains a token. `later`: the
    same call may work later. `status`: LINE's HTTP status."""

    def __init__(
        self,
        message: str,
        later: bool = False,
        status: int | None = None,
    ) -> None:
        super().__init__(message)
        self.later = later
        self.status = status


class BotInfo(NamedTuple):
    """The channel's bot. `at` is LINE's own time in epoch seconds, None where LINE sends none."""

    id: str
    name: str
    at: float | None


class ReplyResponse(NamedTuple):
    """LINE's response to an answer. `status` is None where LINE could not be reached; `reason` is
    then the class of the error, else LINE's reason for a refusal."""

    status: int | None
    reason: str
    body: bytes

    @property
    def is_success(self) -> bool:
        return self.status is not None and self.status < 300

    @property
    def refuses_token(self) -> bool:
        return self.status == 400 and "reply token" in self.reason.lower()

    @property
    def refuses_quotation(self) -> bool:
        return "quote" in self.reason.lower()


class PushQuota(NamedTuple):
    """The pushes left of this month's quota, and the whole quota."""

    remaining: int
    total: int


class LineClient:
    """One channel's Messaging API. Safe in threads."""

    def __init__(
        self,
        api_url: str,
        access_token: str,
        sleep: Callable[[float], None] = time.sleep,
        breaker: CircuitBreaker | None = None,
    ) -> None:
        self._url = api_url
        self._token = access_token
        self._sleep = sleep
        self._breaker = breaker or CircuitBreaker("line")
        self._client: Any = None  # the SDK's ApiClient
        self._lock = threading.Lock()

    def _api(self) -> Any:
        """The SDK's API. The lock guarantees that threads share one client and its connections."""
        sdk = line_sdk()
        with self._lock:
            if self._client is None:
                configuration = sdk.Configuration(host=self._url, access_token=self._token)
                self._client = sdk.ApiClient(configuration)
        return sdk.MessagingApi(self._client)

    def content(self, message_id: str, limit: int) -> bytes:
        """The file of a message, at most `limit` + 1 bytes; the SDK's own call reads the whole file
        whatever its size. Raises LineDown."""
        host = DATA_HOST if self._url == API_HOST else self._url
        url = f"{host}/v2/bot/message/{quote(message_id, safe='')}/content"
        headers = {"Authorization": f"Bearer {self._token}"}
        try:
            rest_client = self._api().api_client.rest_client
            response = rest_client.get_request(
                url, headers=headers, _preload_content=False, _request_timeout=TIMEOUT
            )
            try:
                return bytes(response.read(limit + 1))
            finally:
                response.close()
        except Exception as error:
            raise _down("LINE does not give a file", error) from None

    @property
    def reachable(self) -> bool:
        """Whether the circuit breaker is closed, or its pause is over."""
        return not self._breaker.is_open

    def reply(
        self,
        token: str,
        messages: list[Json],
        until: float,
        again: bool = False,
        wait: bool = False,
    ) -> bytes:
        """Send the answer, and retry until `until` (epoch seconds). Return LINE's response, b""
        where an earlier try had arrived. Raises LineDown when it cannot be sent.

        A retry never sends the answer twice, because a reply token works once: LINE refuses the
        second use, also after a try that arrived although it failed here. Shown by
        tests/line/test_replies.py::test_a_token_spent_on_an_earlier_try_is_an_answer.
        `again`: an earlier try, perhaps by another process, may have
        arrived. `wait`: keep trying while the circuit breaker is open. A quotation that LINE
        refuses is left out: the message may be gone."""
        body = _packed({"replyToken": token, "messages": messages})
        tries = int(again)
        while True:
            self._wait_for_breaker(until, wait)
            response = self._post_reply(body)
            self._report(response.status)
            if response.is_success:
                return response.body
            if tries and response.refuses_token:
                return b""  # an earlier try has arrived
            cause = response.status or response.reason
            if not _may_work_later(response.status):
                if not response.refuses_quotation or not _has_quotation(messages):
                    raise LineDown(f"LINE refused the answer: {response.status} {response.reason}")
                messages = [_without_quotation(message) for message in messages]
                body = _packed({"replyToken": token, "messages": messages})
                continue
            pause = PAUSES[min(tries, len(PAUSES) - 1)]
            if time.time() + pause > until:
                raise LineDown(f"LINE could not be reached: {cause}", later=True)
            log.warning("LINE did not take the answer (%s), trying again", cause)
            self._sleep(pause)
            tries += 1

    def _wait_for_breaker(self, until: float, wait: bool) -> None:
        """Return when the circuit breaker allows a call; with `wait`, wait for that. Raises
        LineDown after `until`: a process that was suspended, or an answer that took long to make,
        is late."""
        while True:
            if time.time() > until:
                raise LineDown("there is no time left to answer", later=True)
            if self._breaker.allow():
                return
            if not wait or time.time() + PAUSES[0] > until:
                raise LineDown("LINE does not answer at the moment", later=True)
            self._sleep(PAUSES[0])

    def _post_reply(self, body: bytes) -> ReplyResponse:
        """Post an answer once. Never raises.

        The SDK's own call would check and copy the 80 boxes of a table again, which takes longer
        than sending it."""
        from urllib3 import Timeout

        api = self._api().api_client
        headers = {**api.default_headers, "Authorization": f"Bearer {self._token}", **JSON}
        try:
            timeout = Timeout(connect=TIMEOUT[0], read=TIMEOUT[1])
            response = api.rest_client.pool_manager.request(
                "POST", self._url + REPLY, body=body, headers=headers, timeout=timeout
            )
        except Exception as error:
            return ReplyResponse(None, type(error).__name__, b"")
        reason = ""
        if response.status >= 300:
            reason = _reason(response.data)
        return ReplyResponse(response.status, reason, response.data)

    def is_member(self, chat: str, user: str) -> bool:
        """Whether the user is in the group or room.

        Raises LineDown when LINE answers neither yes nor no.
        """
        return self.member_name(chat, user) is not None

    def member_name(self, chat: str, user: str) -> str | None:
        """The member's name in the group or room, None for somebody who is not in it.

        Raises LineDown.
        """
        method = "get_room_member_profile"
        if chat.startswith("C"):
            method = "get_group_member_profile"
        if not self._breaker.allow():
            raise LineDown("LINE does not answer at the moment", later=True)
        try:
            profile = getattr(self._api(), method)(chat, user, _request_timeout=TIMEOUT)
        except Exception as error:
            self._report(status_of(error))
            if status_of(error) in (400, 403, 404):
                return None
            raise _down("LINE could not be asked", error) from None
        self._breaker.worked()
        return str(profile.display_name)

    def _report(self, status: int | None) -> None:
        """Report a call to the breaker: a refusal counts as an answer, no status and 5xx as
        failures.
        """
        if status is None or status >= 500:
            self._breaker.failed()
        else:
            self._breaker.worked()

    def show_loading(self, user: str, seconds: int = 20) -> None:
        """Show the loading animation, which works only in a 1:1 chat; a failure is only logged."""
        try:
            request = line_sdk().ShowLoadingAnimationRequest(chatId=user, loadingSeconds=seconds)
            self._api().show_loading_animation(request, _request_timeout=TIMEOUT)
        except Exception as error:
            log.info("no loading animation: %s", status_of(error) or type(error).__name__)

    def quota(self) -> PushQuota | None:
        """This month's quota of pushes; None for a plan without a limit. Raises LineDown."""
        try:
            quota = self._api().get_message_quota(_request_timeout=TIMEOUT)
            if quota.type == "none" or quota.value is None:
                return None
            used = self._api().get_message_quota_consumption(_request_timeout=TIMEOUT)
            total = int(quota.value)
            return PushQuota(remaining=total - int(used.total_usage), total=total)
        except Exception as error:
            raise _down("LINE could not be asked", error) from None

    def members(self, chat: str) -> int:
        """The number of members of a group or room, which a push there costs. Raises LineDown."""
        method = "get_room_member_count"
        if chat.startswith("C"):
            method = "get_group_member_count"
        try:
            return int(getattr(self._api(), method)(chat, _request_timeout=TIMEOUT).count)
        except Exception as error:
            raise _down("LINE could not be asked", error) from None

    def push(self, chat: str, messages: list[Json], retry_key: str) -> None:
        """Send without a reply token. Raises LineDown.

        With the same `retry_key` (a UUID) the message arrives at most once, however many processes
        or tries send it: LINE answers 409 to all but the first. Shown by
        tests/notify/test_after_sync.py::test_a_digest_arrives_once_though_never_noted.
        """
        sdk = line_sdk()
        request = sdk.PushMessageRequest(
            to=chat,
            messages=[sdk.Message.from_dict(m) for m in messages],
            notificationDisabled=None,
            customAggregationUnits=None,
        )
        for pause in (*PAUSES[:3], None):
            try:
                self._api().push_message(
                    request, x_line_retry_key=retry_key, _request_timeout=TIMEOUT
                )
                return
            except Exception as error:
                status = status_of(error)
                if status == 409:  # an earlier try has arrived
                    return
                if pause is None or not _may_work_later(status):
                    raise _down("LINE did not take the push", error) from None
                self._sleep(pause)

    def bot(self) -> BotInfo:
        """The channel's bot. Raises LineDown."""
        try:
            response = self._api().get_bot_info_with_http_info(_request_timeout=TIMEOUT)
            headers = {name.lower(): value for name, value in (response.headers or {}).items()}
            http_date = headers.get("date")
            at = None
            if http_date:
                at = parsedate_to_datetime(http_date).timestamp()
            return BotInfo(response.data.user_id, response.data.display_name, at)
        except Exception as error:
            status = status_of(error)
            reason = _reason(getattr(error, "body", None))
            if "certificate verify failed" in str(error):
                reason = "certificate verify failed"
            raise LineDown(
                f"{status or type(error).__name__} {reason}".strip(), status=status
            ) from None


def _packed(value: Json) -> bytes:
    """JSON in UTF-8.

    What orjson refuses, such as half a surrogate pair, is written with escapes.
    """
    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(value).encode()


def _has_quotation(messages: list[Json]) -> bool:
    return any("quoteToken" in message for message in messages)


def _without_quotation(message: Json) -> Json:
    return {key: value for key, value in message.items() if key != "quoteToken"}


def line_sdk() -> Any:
    """The module `bot.line.sdk`, imported when it is first needed.

    It takes a second and 60 MB, which the commands that never call LINE save. The processes that
    answer taps import it before their threads start.
    """
    from bot.line import sdk

    return sdk


def _down(message: str, error: Exception) -> LineDown:
    status = status_of(error)
    return LineDown(f"{message}: {status or type(error).__name__}", _may_work_later(status), status)


def _may_work_later(status: int | None) -> bool:
    """Whether the same call may work later: there is no answer, or LINE is busy (429) or broken
    (5xx).
    """
    return status is None or status == 429 or status >= 500


def status_of(error: Exception) -> int | None:
    """LINE's HTTP status in an error of the SDK; None where LINE did not answer."""
    status = getattr(error, "status", None)
    return status if isinstance(status, int) and status else None


def _reason(body: str | bytes | None) -> str:
    """LINE's reason for a refusal, on one line of at most 500 characters."""
    try:
        data = json.loads(body) if body else {}
    except ValueError:
        return ""
    if not isinstance(data, dict):
        return ""
    details = (detail for detail in data.get("details", []) if isinstance(detail, dict))
    causes = "; ".join(
        f"{detail.get('property', '')}: {detail.get('message', '')}" for detail in details
    )
    return re.sub(r"\s+", " ", f"{data.get('message', '')} {causes}").strip()[:500]
