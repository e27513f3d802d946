"""What a channel's set-up asks LINE: whether the secret is right, who a user is, which address LINE calls.
https://developers.line.biz/en/reference/messaging-api/#webhook-settings"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from bot.line.client import TIMEOUT, LineDown, status_of

WAIT = (3.0, 6.0)  # seconds to connect, to read, where the webhook's address is asked


def secret_fits(api_url: str, access_token: str, secret: str) -> bool:
    """Whether the channel secret is that of the token's channel. Raises LineDown when LINE does not say.

    LINE tells the token's channel, and gives a stateless token (which ends by itself after 15 minutes) for
    the channel and its secret only:
    https://developers.line.biz/en/reference/messaging-api/#issue-stateless-channel-access-token.
    """
    from linebot.v3.oauth.api.channel_access_token import ChannelAccessToken
    from linebot.v3.oauth.api_client import ApiClient
    from linebot.v3.oauth.configuration import Configuration

    with ApiClient(Configuration(host=api_url)) as client:
        api = ChannelAccessToken(client)
        api.line_base_path = api_url
        try:
            channel = api.verify_channel_token(access_token, _request_timeout=TIMEOUT).client_id
            api.issue_stateless_channel_token_by_client_secret(channel, secret, _request_timeout=TIMEOUT)
        except Exception as error:
            if status_of(error) in (400, 401, 403):
                return False
            raise _down(error) from None
    return True


def user_name(api_url: str, access_token: str, user: str) -> str | None:
    """The user's name in LINE; None for no friend of the bot. Raises LineDown when LINE does not say."""
    with _messaging_api(api_url, access_token) as api:
        try:
            return str(api.get_profile(user, _request_timeout=TIMEOUT).display_name)
        except Exception as error:
            if status_of(error) in (400, 404):
                return None
            raise _down(error) from None


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
        """Set the address; it must be https. LINE takes up to a minute to use it everywhere."""
        from linebot.v3.messaging.models.set_webhook_endpoint_request import SetWebhookEndpointRequest

        self._call(self._api.set_webhook_endpoint, SetWebhookEndpointRequest(endpoint=url))

    def test(self) -> TestCall:
        """Have LINE send a signed request without events to the address that is set."""
        found = self._call(self._api.test_webhook_endpoint)
        return TestCall(bool(found.success), int(found.status_code or 0), str(found.reason))

    def _call(self, method: Callable[..., Any], *args: Any) -> Any:
        try:
            return method(*args, _request_timeout=WAIT)
        except Exception as error:
            raise _down(error, f": {type(error).__name__}") from None


@contextmanager
def webhook_endpoint(api_url: str, access_token: str) -> Iterator[WebhookEndpoint]:
    """The webhook of the channel that the token belongs to."""
    with _messaging_api(api_url, access_token) as api:
        yield WebhookEndpoint(api)


@contextmanager
def _messaging_api(api_url: str, access_token: str) -> Iterator[Any]:
    from linebot.v3.messaging.api.messaging_api import MessagingApi
    from linebot.v3.messaging.api_client import ApiClient
    from linebot.v3.messaging.configuration import Configuration

    with ApiClient(Configuration(host=api_url, access_token=access_token)) as client:
        yield MessagingApi(client)


def _down(error: Exception, cause: str = "") -> LineDown:
    status = status_of(error)
    return LineDown(f"LINE answered {status}" if status else f"LINE can't be reached{cause}", status=status)
