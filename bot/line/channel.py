"""Ask LINE whether a channel's secret belongs to its token, and who a user is: what is checked when a channel
is set up."""

from __future__ import annotations

from typing import Any

from bot.line.client import TIMEOUT, LineDown


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
            if _status(error) in (400, 401, 403):
                return False
            raise _down(error) from None
    return True


def user_name(api_url: str, access_token: str, user: str) -> str | None:
    """The user's name in LINE; None when LINE knows no such friend of the bot. Raises LineDown when LINE does
    not say."""
    from linebot.v3.messaging.api.messaging_api import MessagingApi
    from linebot.v3.messaging.api_client import ApiClient
    from linebot.v3.messaging.configuration import Configuration

    with ApiClient(Configuration(host=api_url, access_token=access_token)) as client:
        try:
            return str(MessagingApi(client).get_profile(user, _request_timeout=TIMEOUT).display_name)
        except Exception as error:
            if _status(error) in (400, 404):
                return None
            raise _down(error) from None


def _status(error: Any) -> int | None:
    return getattr(error, "status", None) or None


def _down(error: Exception) -> LineDown:
    status = _status(error)
    return LineDown(f"LINE answered {status}" if status else "LINE can't be reached", status=status)
