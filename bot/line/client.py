"""LINE's API: what is sent, and what is asked of it. The one place that sends; everything goes through the SDK."""

from __future__ import annotations

import json
import logging
import re
import threading
import time
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from bot.runtime.circuit_breaker import CircuitBreaker

if TYPE_CHECKING:
    from linebot.v3.messaging import ApiClient

Json = dict[str, Any]
API_HOST, DATA_HOST = "https://api.line.me", "https://api-data.line.me"  # files are on a host of their own
TIMEOUT = (3.0, 8.0)  # seconds to connect, to read
PAUSES = (0.3, 0.7, 1.5, 3.0, 6.0, 10.0)  # seconds between tries
log = logging.getLogger(__name__)


class LineDown(Exception):
    """LINE refused or could not be reached; the message has its status, never a token.

    `later`: it was out of reach, so that it may take the answer later. `status`: what it answered, where that matters.
    """

    def __init__(self, words: str, later: bool = False, status: int | None = None) -> None:
        super().__init__(words)
        self.later = later
        self.status = status


class LineClient:
    """LINE's API through its SDK. Safe in threads."""

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
        self._client: ApiClient | None = None
        self._lock = threading.Lock()

    def _api(self) -> Any:
        from linebot.v3.messaging import Configuration, MessagingApi

        with self._lock:
            if self._client is None:
                self._client = _client()(Configuration(host=self._url, access_token=self._token))
        return MessagingApi(self._client)

    def content(self, message_id: str, limit: int) -> bytes:
        """The file of a message, `limit` + 1 bytes of it at most. Raises LineDown when LINE does not give it.

        Goes through the SDK's transport: the SDK's own call reads the whole file whatever its size.
        """
        host = DATA_HOST if self._url == API_HOST else self._url
        url = f"{host}/v2/bot/message/{quote(message_id, safe='')}/content"
        headers = {"Authorization": f"Bearer {self._token}"}
        try:
            rest = self._api().api_client.rest_client
            answer = rest.get_request(url, headers=headers, _preload_content=False, _request_timeout=TIMEOUT)
            try:
                return bytes(answer.read(limit + 1))
            finally:
                answer.close()
        except Exception as error:
            raise _down("LINE does not give a file", error) from None

    @property
    def reachable(self) -> bool:
        """Whether a call would be tried now."""
        return not self._breaker.is_open

    def reply(
        self, token: str, messages: list[Json], until: float, again: bool = False, wait: bool = False
    ) -> None:
        """Send the answer, trying again `until` then (epoch seconds). Raises LineDown when it can't be sent.

        Trying again is safe: a reply token works once, so an answer that did arrive is refused the second time. `again`:
        an earlier try, perhaps another process's, may have arrived already. `wait`: also while LINE is left alone.
        """
        from linebot.v3.messaging import ReplyMessageRequest

        ready = [_ready_message()(m) for m in messages]
        request = ReplyMessageRequest(replyToken=token, messages=ready, notificationDisabled=None)
        tried = int(again)
        while True:
            if not self._breaker.allow():
                if not wait or time.time() + PAUSES[0] > until:
                    raise LineDown("LINE does not answer at the moment", later=True)
                self._sleep(PAUSES[0])
                continue
            try:
                self._api().reply_message(request, _request_timeout=TIMEOUT)
                self._breaker.worked()
                return
            except Exception as error:
                status = _status(error)
                self._heard(status)
                if tried and status == 400 and "reply token" in _reason(error).lower():
                    return  # an earlier try had arrived
                if not _may_work_later(status):
                    raise LineDown(f"LINE refused the answer: {status} {_reason(error)}") from None
                pause = PAUSES[min(tried, len(PAUSES) - 1)]
                if time.time() + pause > until:
                    what = f"LINE could not be reached: {status or type(error).__name__}"
                    raise LineDown(what, later=True) from None
                log.warning("LINE did not take the answer (%s), trying again", status or type(error).__name__)
                self._sleep(pause)
                tried += 1

    def is_member(self, chat: str, user: str) -> bool:
        """Whether the user is in the group or room. Raises LineDown when LINE does not say."""
        ask = "get_group_member_profile" if chat.startswith("C") else "get_room_member_profile"
        if not self._breaker.allow():
            raise LineDown("LINE does not answer at the moment", later=True)
        try:
            getattr(self._api(), ask)(chat, user, _request_timeout=TIMEOUT)
        except Exception as error:
            self._heard(_status(error))
            if _status(error) in (400, 403, 404):
                return False
            raise _down("LINE could not be asked", error) from None
        self._breaker.worked()
        return True

    def _heard(self, status: int | None) -> None:
        """Tell the breaker of a call that failed: a refusal is an answer, silence and 5xx are none."""
        if status is None or status >= 500:
            self._breaker.failed()
        else:
            self._breaker.worked()

    def show_loading(self, user: str, seconds: int = 20) -> None:
        """The loading animation, in a 1:1 chat only; a failure does not matter."""
        from linebot.v3.messaging import ShowLoadingAnimationRequest

        try:
            request = ShowLoadingAnimationRequest(chatId=user, loadingSeconds=seconds)
            self._api().show_loading_animation(request, _request_timeout=TIMEOUT)
        except Exception as error:
            log.info("no loading animation: %s", _status(error) or type(error).__name__)

    def pushes_left(self) -> int | None:
        """Messages the month's quota still has; None where the plan has no limit.

        Raises LineDown when LINE does not say.
        """
        try:
            quota = self._api().get_message_quota(_request_timeout=TIMEOUT)
            if quota.type == "none" or quota.value is None:
                return None
            used = self._api().get_message_quota_consumption(_request_timeout=TIMEOUT)
            return int(quota.value) - int(used.total_usage)
        except Exception as error:
            raise _down("LINE could not be asked", error) from None

    def members(self, chat: str) -> int:
        """How many members a group or room has: what a push there costs. Raises LineDown when LINE does not say."""
        ask = "get_group_member_count" if chat.startswith("C") else "get_room_member_count"
        try:
            return int(getattr(self._api(), ask)(chat, _request_timeout=TIMEOUT).count)
        except Exception as error:
            raise _down("LINE could not be asked", error) from None

    def push(self, chat: str, messages: list[Json], retry_key: str) -> None:
        """Send without being asked. Trying again with the same key (a UUID) sends it once at the most.

        Raises LineDown when LINE refuses it or can't be reached.
        """
        from linebot.v3.messaging import Message, PushMessageRequest

        request = PushMessageRequest(
            to=chat,
            messages=[Message.from_dict(m) for m in messages],
            notificationDisabled=None,
            customAggregationUnits=None,
        )
        for pause in (*PAUSES[:3], None):
            try:
                self._api().push_message(request, x_line_retry_key=retry_key, _request_timeout=TIMEOUT)
                return
            except Exception as error:
                status = _status(error)
                if status == 409:  # an earlier try had arrived
                    return
                if pause is None or not _may_work_later(status):
                    raise _down("LINE did not take the push", error) from None
                self._sleep(pause)

    def bot_name(self) -> str:
        """The channel's own name. Raises LineDown when the token is refused, or LINE can't be reached (then without status)."""
        try:
            return str(self._api().get_bot_info(_request_timeout=TIMEOUT).display_name)
        except Exception as error:
            status = _status(error)
            raise LineDown(
                f"{status or type(error).__name__} {_reason(error)}".strip(), status=status
            ) from None


@cache
def _ready_message() -> Callable[[Json], Any]:
    """What makes a JSON message one of the SDK's as it is. Its own `from_dict` checks each of a table's 80 boxes, for 7 ms.

    It is held by a function, into which the SDK does not look when it copies what it sends, for another ms.
    """
    from linebot.v3.messaging import Message

    class Ready(Message):  # type: ignore[misc]
        ready: Any = None

        def to_dict(self) -> Any:
            return self.ready()

    return lambda message: Ready.construct(type=message["type"], ready=lambda: message)


@cache
def _client() -> type[ApiClient]:
    """The SDK's client, which sends our replies without walking through their JSON once more: 1 ms of a table's 4."""
    from linebot.v3.messaging import ApiClient, ReplyMessageRequest

    class Client(ApiClient):  # type: ignore[misc]
        def sanitize_for_serialization(self, obj: Any) -> Any:
            if isinstance(obj, ReplyMessageRequest):
                return obj.to_dict()
            return super().sanitize_for_serialization(obj)

    return Client


def preload() -> None:
    """Import the SDK, which takes most of a second, before the first tap needs it."""
    import linebot.v3.messaging  # noqa: F401


def _down(words: str, error: Exception) -> LineDown:
    """A call's failure, with its status where LINE gave one."""
    status = _status(error)
    return LineDown(f"{words}: {status or type(error).__name__}", _may_work_later(status), status)


def _may_work_later(status: int | None) -> bool:
    """Whether the same call may work another time: LINE was out of reach, too busy or broken."""
    return status is None or status == 429 or status >= 500


def _status(error: Exception) -> int | None:
    status = getattr(error, "status", None)
    return status if isinstance(status, int) and status else None


def _reason(error: Exception) -> str:
    """LINE's own words for a refusal."""
    body = getattr(error, "body", None)
    try:
        data = json.loads(body) if body else {}
    except ValueError:
        return ""
    details = "; ".join(
        f"{d.get('property', '')}: {d.get('message', '')}"
        for d in data.get("details", [])
        if isinstance(d, dict)
    )
    return re.sub(r"\s+", " ", f"{data.get('message', '')} {details}").strip()[:500]
