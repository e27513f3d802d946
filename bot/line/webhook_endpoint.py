"""The address LINE calls (https://developers.line.biz/en/reference/messaging-api/#webhook-settings): read,
set, tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from bot.line.client import LineDown

WAIT = (3.0, 6.0)  # seconds to connect, to read


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The webhook's address, "" where none is set, and whether LINE uses it ("Use webhook")."""

    url: str
    active: bool


@dataclass(frozen=True, slots=True)
class TestCall:
    """How LINE's test call ended: the status of the answer, 0 without one, and LINE's reason, such as
    COULD_NOT_CONNECT."""

    __test__ = False

    success: bool
    status: int
    reason: str


class WebhookEndpoint:
    """The webhook of a channel. Every method raises LineDown when LINE refuses or cannot be reached."""

    def __init__(self, api: Any) -> None:
        self._api = api

    def read(self) -> Endpoint:
        """Return the address that is set."""
        try:
            found = self._call(self._api.get_webhook_endpoint)
        except LineDown as error:
            if error.status == 404:
                return Endpoint("", False)
            raise
        return Endpoint(str(found.endpoint or ""), bool(found.active))

    def put(self, url: str) -> None:
        """Set the address. LINE refuses one that is not https, and takes up to a minute to use it
        everywhere."""
        from linebot.v3.messaging.models.set_webhook_endpoint_request import SetWebhookEndpointRequest

        self._call(self._api.set_webhook_endpoint, SetWebhookEndpointRequest(endpoint=url))

    def test(self, url: str = "") -> TestCall:
        """Have LINE send a signed request without events to the address, by default to the one that is
        set."""
        from linebot.v3.messaging.models.test_webhook_endpoint_request import TestWebhookEndpointRequest

        request = TestWebhookEndpointRequest(endpoint=url) if url else None
        found = self._call(self._api.test_webhook_endpoint, test_webhook_endpoint_request=request)
        return TestCall(bool(found.success), int(found.status_code or 0), str(found.reason))

    def _call(self, method: Callable[..., Any], *args: Any, **more: Any) -> Any:
        try:
            return method(*args, _request_timeout=WAIT, **more)
        except Exception as error:
            status = getattr(error, "status", None)
            words = f"LINE answered {status}" if status else f"LINE can't be reached: {type(error).__name__}"
            raise LineDown(words, status=status or None) from None


@contextmanager
def webhook_endpoint(api_url: str, access_token: str) -> Iterator[WebhookEndpoint]:
    """The webhook of the channel that the token belongs to."""
    from linebot.v3.messaging.api.messaging_api import MessagingApi
    from linebot.v3.messaging.api_client import ApiClient
    from linebot.v3.messaging.configuration import Configuration

    with ApiClient(Configuration(host=api_url, access_token=access_token)) as client:
        yield WebhookEndpoint(MessagingApi(client))
