"""A channel's account: whether the secret is right, the name of a user, the address LINE calls
(https://developers.line.biz/en/reference/messaging-api/#webhook-settings).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from bot.line.api import line_error, messaging_api
from bot.line.client import TIMEOUT, LineDown, line_sdk, status_of

WAIT = (3.0, 6.0)  # seconds to connect, to read: calls about the webhook


def secret_fits(api_url: str, access_token: str, secret: str) -> bool:
    """Whether the channel secret is that of the token's channel. Raises LineDown when LINE does not
    answer.

    LINE returns the token's channel, and issues a stateless token (which ends by itself after 15
    minutes) for the channel and its secret only:
    https://developers.line.biz/en/reference/messaging-api/#issue-stateless-channel-access-token.
    """
    sdk = line_sdk()
    with sdk.TokenApiClient(sdk.TokenConfiguration(host=api_url)) as client:
        api = sdk.ChannelAccessToken(client)
        api.line_base_path = api_url
        try:
            channel = api.verify_channel_token(access_token, _request_timeout=TIMEOUT).client_id
            api.issue_stateless_channel_token_by_client_secret(
                channel, secret, _request_timeout=TIMEOUT
            )
        except Exception as error:
            if status_of(error) in (400, 401, 403):
                return False
            raise line_error(error) from None
    return True


def user_name(api_url: str, access_token: str, user: str) -> str | None:
    """The user's name in LINE; None for somebody who is no friend of the bot.

    Raises LineDown when LINE does not answer.
    """
    with messaging_api(api_url, access_token) as api:
        try:
            return str(api.get_profile(user, _request_timeout=TIMEOUT).display_name)
        except Exception as error:
            if status_of(error) in (400, 404):
                return None
            raise line_error(error) from None


class WebhookAddress(NamedTuple):
    """The address that LINE calls, "" where none is set, and whether LINE uses it ("Use webhook")."""

    url: str
    is_active: bool


class WebhookTest(NamedTuple):
    """The result of LINE's test call: the status of the answer, 0 without one, and LINE's reason,
    such as COULD_NOT_CONNECT."""

    succeeded: bool
    status: int
    reason: str


class WebhookEndpoint:
    """The webhook of a channel.

    Every method raises LineDown when LINE refuses or cannot be reached.
    """

    def __init__(self, api: Any) -> None:
        self._api = api

    def read(self) -> WebhookAddress:
        try:
            response = self._call(self._api.get_webhook_endpoint)
        except LineDown as error:
            if error.status == 404:
                return WebhookAddress("", is_active=False)
            raise
        return WebhookAddress(str(response.endpoint or ""), bool(response.active))

    def put(self, url: str) -> None:
        """Set the address; it must be https. LINE takes up to a minute to use it everywhere."""
        request = line_sdk().SetWebhookEndpointRequest(endpoint=url)
        self._call(self._api.set_webhook_endpoint, request)

    def test(self) -> WebhookTest:
        """Have LINE send a signed request without events to the address that is set."""
        response = self._call(self._api.test_webhook_endpoint)
        return WebhookTest(
            succeeded=bool(response.success),
            status=int(response.status_code or 0),
            reason=str(response.reason),
        )

    def _call(self, method: Callable[..., Any], *args: Any) -> Any:
        try:
            return method(*args, _request_timeout=WAIT)
        except Exception as error:
            raise line_error(error, f": {type(error).__name__}") from None


@contextmanager
def webhook_endpoint(api_url: str, access_token: str) -> Iterator[WebhookEndpoint]:
    with messaging_api(api_url, access_token) as api:
        yield WebhookEndpoint(api)
