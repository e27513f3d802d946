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
    """LINE refused a call or could not be reached. The message never holds a token. `later`: the
    same call may work later. `status`: LINE's HTTP status."""

    def __init__(
        self,
        words: str,
        later: bool = False,
        status: int | None = None,
    ) -> None:
        super().__init__(words)
        self.later = later
        self.status = status


class BotInfo(NamedTuple):
    """`time` is LINE's own in epoch seconds, where LINE tells it."""

    id: str
    name: str
    at: float | None


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
            rest = self._api().api_client.rest_client
            answer = rest.get_request(
                url, headers=headers, _preload_content=False, _request_timeout=TIMEOUT
            )
            try:
                return bytes(answer.read(limit + 1))
            finally:
                answer.close()
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
        """Send the answer, trying again until `until` (epoch seconds); LINE's response, b"" where
        an earlier try had arrived. Raises LineDown when it cannot be sent.

        Trying again is safe: a reply token works once. `again`: an earlier try, perhaps by another
        process, may have arrived. `wait`: keep trying while the circuit breaker is open. A
        quotation that LINE refuses is left out: the message may be gone."""
        body = _packed({"replyToken": token, "messages": messages})
        tried = int(again)
        while True:
            # A process that stood still, or an answer that took long to make, is late.
            if time.time() > until:
                raise LineDown("there is no time left to answer", later=True)
            if not self._breaker.allow():
                if not wait or time.time() + PAUSES[0] > until:
                    raise LineDown("LINE does not answer at the moment", later=True)
                self._sleep(PAUSES[0])
                continue
            status, reason, told = self._post_reply(body)
            self._heard(status)
            if status is not None and status < 300:
                return told
            if tried and status == 400 and "reply token" in reason.lower():
                return b""  # an earlier try has arrived
            if not _may_work_later(status):
                if "quote" not in reason.lower() or not any(
                    "quoteToken" in message for message in messages
                ):
                    raise LineDown(f"LINE refused the answer: {status} {reason}")
                messages = [
                    {k: v for k, v in message.items() if k != "quoteToken"} for message in messages
                ]
                body = _packed({"replyToken": token, "messages": messages})
                continue
            pause = PAUSES[min(tried, len(PAUSES) - 1)]
            if time.time() + pause > until:
                raise LineDown(f"LINE could not be reached: {status or reason}", later=True)
            log.warning("LINE did not take the answer (%s), trying again", status or reason)
            self._sleep(pause)
            tried += 1

    def _post_reply(self, body: bytes) -> tuple[int | None, str, bytes]:
        """LINE's status, reason and response, or None and the class of the error.

        The SDK's own call would check and copy the 80 boxes of a table again: longer than sending
        it."""
        from urllib3 import Timeout

        api = self._api().api_client
        headers = {**api.default_headers, "Authorization": f"Bearer {self._token}", **JSON}
        try:
            timeout = Timeout(connect=TIMEOUT[0], read=TIMEOUT[1])
            answer = api.rest_client.pool_manager.request(
                "POST", self._url + REPLY, body=body, headers=headers, timeout=timeout
            )
        except Exception as error:
            return None, type(error).__name__, b""
        return answer.status, "" if answer.status < 300 else _told(answer.data), answer.data

    def is_member(self, chat: str, user: str) -> bool:
        """Whether the user is in the group or room.

        Raises LineDown when LINE answers neither yes nor no.
        """
        return self.member_name(chat, user) is not None

    def member_name(self, chat: str, user: str) -> str | None:
        """The member's name in the group or room, None for somebody who is not in it.

        Raises LineDown.
        """
        ask = "get_group_member_profile" if chat.startswith("C") else "get_room_member_profile"
        if not self._breaker.allow():
            raise LineDown("LINE does not answer at the moment", later=True)
        try:
            profile = getattr(self._api(), ask)(chat, user, _request_timeout=TIMEOUT)
        except Exception as error:
            self._heard(status_of(error))
            if status_of(error) in (400, 403, 404):
                return None
            raise _down("LINE could not be asked", error) from None
        self._breaker.worked()
        return str(profile.display_name)

    def _heard(self, status: int | None) -> None:
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

    def quota(self) -> tuple[int, int] | None:
        """The messages left of this month's quota, and the quota (None: no limit).

        Raises LineDown.
        """
        try:
            quota = self._api().get_message_quota(_request_timeout=TIMEOUT)
            if quota.type == "none" or quota.value is None:
                return None
            used = self._api().get_message_quota_consumption(_request_timeout=TIMEOUT)
            return int(quota.value) - int(used.total_usage), int(quota.value)
        except Exception as error:
            raise _down("LINE could not be asked", error) from None

    def members(self, chat: str) -> int:
        """The number of members of a group or room, which a push there costs. Raises LineDown."""
        ask = "get_group_member_count" if chat.startswith("C") else "get_room_member_count"
        try:
            return int(getattr(self._api(), ask)(chat, _request_timeout=TIMEOUT).count)
        except Exception as error:
            raise _down("LINE could not be asked", error) from None

    def push(self, chat: str, messages: list[Json], retry_key: str) -> None:
        """Send without a reply token; with the same `retry_key` (a UUID) at most once.

        Raises LineDown.
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
        """Who the channel's bot is. Raises LineDown."""
        try:
            answer = self._api().get_bot_info_with_http_info(_request_timeout=TIMEOUT)
            headers = {name.lower(): value for name, value in (answer.headers or {}).items()}
            told = headers.get("date")
            at = parsedate_to_datetime(told).timestamp() if told else None
            return BotInfo(answer.data.user_id, answer.data.display_name, at)
        except Exception as error:
            status = status_of(error)
            reason = _told(getattr(error, "body", None))
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


def line_sdk() -> Any:
    """The module `bot.line.sdk`, imported when it is first needed.

    It takes a second and 60 MB, which the commands that never ask LINE save. The processes that
    answer taps import it before their threads start.
    """
    from bot.line import sdk

    return sdk


def _down(words: str, error: Exception) -> LineDown:
    status = status_of(error)
    return LineDown(f"{words}: {status or type(error).__name__}", _may_work_later(status), status)


def _may_work_later(status: int | None) -> bool:
    """Whether the same call may work later: there is no answer, or LINE is busy (429) or broken
    (5xx).
    """
    return status is None or status == 429 or status >= 500


def status_of(error: Exception) -> int | None:
    """LINE's HTTP status in an error of the SDK; None where LINE did not answer."""
    status = getattr(error, "status", None)
    return status if isinstance(status, int) and status else None


def _told(body: str | bytes | None) -> str:
    """LINE's reason for a refusal, on one line of at most 500 characters."""
    try:
        data = json.loads(body) if body else {}
    except ValueError:
        return ""
    if not isinstance(data, dict):
        return ""
    details = (detail for detail in data.get("details", []) if isinstance(detail, dict))
    said = "; ".join(
        f"{detail.get('property', '')}: {detail.get('message', '')}" for detail in details
    )
    return re.sub(r"\s+", " ", f"{data.get('message', '')} {said}").strip()[:500]
